"""A view that is lost is told with its reason and its beginning; nothing is said of the table from then on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from audit.states import TableState
from models.camera import camera_of
from models.frames import Frame
from models.recogniser import Recogniser
from models.view_lost import LostViewWatch
from tests.models.toy_table import PixelEyes, Reach, Thing, Toy, profile

CARD = Thing(x=-200, y=250, face="Ah")
STEP_MS = 80


def seen_in(frames: Iterable[Frame]) -> list[TableState]:
    table = profile()
    return list(Recogniser(table, camera_of(table), PixelEyes()).states(frames))


def lost_in(states: list[TableState]) -> list[tuple[str | None, int, int]]:
    return [(one.reason, int(one.span.first), int(one.span.last)) for one in states if one.view == "lost"]


def frozen(frames: Iterable[Frame], first_ms: int, last_ms: int) -> Iterator[Frame]:
    """The frames, of which one is shown again and again for a while."""
    held: Frame | None = None
    for frame in frames:
        if first_ms <= frame.t_ms < last_ms:
            held = frame if held is None else held
            yield replace(frame, source=held.source)
        else:
            yield frame


def switched(frames: Iterable[Frame], first_ms: int, last_ms: int, colour: tuple[int, int, int]) -> Iterator[Frame]:
    """The frames; for a while a surface of a colour is before the lens."""
    surface = Thing(x=0, y=250, wide=4000, high=4000, bgr=colour)
    pictures = Toy(things=(surface,), length_ms=60_000).frames(step_ms=STEP_MS)
    for frame, other in zip(frames, pictures, strict=False):
        yield replace(other, t_ms=frame.t_ms) if first_ms <= frame.t_ms < last_ms else frame


def test_what_a_frozen_picture_shows_is_not_told() -> None:
    """The freeze is sure after eight seconds only; in it a card was taken away."""
    toy = Toy(things=(replace(CARD, end_ms=9_000),), length_ms=26_000)
    states = seen_in(frozen(toy.frames(step_ms=STEP_MS), 6_000, 20_000))
    ((reason, first, last),) = lost_in(states)
    assert reason == "frozen"
    assert first == pytest.approx(6_000, abs=2 * STEP_MS)
    assert last == pytest.approx(20_000, abs=2 * STEP_MS)
    assert [[item.card for item in one.objects] for one in states if one.view == "ok"] == [["Ah"], []]
    assert max(int(one.span.last) for one in states if one.objects) <= first


def test_a_covered_lens_shows_nothing_until_it_is_free() -> None:
    """The table was forgotten at once, and the surface then taken for an empty felt."""
    toy = Toy(things=(CARD, Thing(x=200, y=400, wide=160, high=200, bgr=(230, 230, 230))), length_ms=12_000)
    states = seen_in(switched(toy.frames(step_ms=STEP_MS), 3_040, 9_000, (120, 60, 200)))
    lost = lost_in(states)
    assert lost[0] == ("blocked", 3_040, pytest.approx(9_000, abs=STEP_MS))
    assert all("Ah" in {item.card for item in one.objects} for one in states if one.view == "ok")


def test_a_cut_to_another_table_is_told() -> None:
    other_felt = Thing(x=0, y=250, wide=4000, high=4000, bgr=(160, 60, 60))
    before = Toy(things=(CARD,), length_ms=3_000).frames(step_ms=STEP_MS)
    after = Toy(things=(other_felt, replace(CARD, face="Ks")), begin_ms=3_000, length_ms=6_000).frames(step_ms=STEP_MS)
    assert [reason for reason, *_ in lost_in(seen_in([*before, *after]))] == ["cut"]


def test_a_camera_that_looks_elsewhere_has_moved() -> None:
    luma = np.random.default_rng(3).integers(60, 200, size=(270, 480)).astype(np.uint8)
    frame = next(iter(Toy().frames())).small
    known, changed = np.full_like(luma, 255), np.zeros_like(luma)
    view = LostViewWatch()
    assert view.see(0, frame, changed=changed, known=known) is None
    view.see(80, frame, changed=changed, known=known, moved=True)
    lost = view.see(160, frame, changed=changed, known=known)
    assert lost is not None
    assert (lost.first_ms, lost.reason) == (80, "moved")


def test_a_hand_that_was_there_before_the_dark_is_told() -> None:
    toy = Toy(
        things=(CARD,),
        arms=(Reach(root=(0.0, -120.0), target=(-200, 250), start_ms=1_500, end_ms=9_000),),
        darken=lambda t_ms: 0.02 if 3_000 <= t_ms < 4_000 else 1.0,
        length_ms=6_000,
    )
    states = seen_in(toy.frames(step_ms=STEP_MS))
    assert [reason for reason, *_ in lost_in(states)] == ["dark"]
    told = [hand for one in states if one.span.last < 3_040 for hand in one.hands]
    assert ("dealer", True) in {(hand.side, "seat1.cards" in hand.zones) for hand in told}
    assert all(hand.span.first >= 1_500 and hand.span.last <= 3_000 for hand in told)
    assert [int(one.span.first) for one in states] == sorted(int(one.span.first) for one in states)
