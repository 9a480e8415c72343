"""Lost pictures and flickering light are noticed, and each state tells of those of its last minute."""

from __future__ import annotations

import numpy as np
import pytest

from audit.states import LIGHT_FLICKERS, PICTURES_LOST, TROUBLES, TableState
from audit.timing import Millis, Span
from models.frames import Frame
from models.light import EvenFrame
from models.troubles import Troubles

STEP_MS = 80


def footage(*gaps: tuple[int, int], flickers_ms: int = 0) -> Troubles:
    """The troubles of 150 s of footage without the pictures of some gaps; its light flickers to some moment."""
    troubles = Troubles()
    for number, t_ms in enumerate(range(0, 150_000, STEP_MS)):
        if any(first <= t_ms < last for first, last in gaps):
            continue
        frame = Frame(t_ms=Millis(t_ms), source=None)
        gain = np.full(270, 1.05 if number % 2 else 0.97, dtype=np.float32)
        even = EvenFrame(t_ms=frame.t_ms, source=None, shown=frame, gain=gain)
        troubles.see(even if t_ms < flickers_ms else frame)
    return troubles


def told(troubles: Troubles, last_ms: int) -> list[str]:
    """What a state that ends then tells of them."""
    state = TableState(span=Span(Millis(last_ms - 500), Millis(last_ms)))
    names: list[str] = troubles.told(state).extra.get(TROUBLES, [])
    return names


def test_steady_footage_has_no_trouble() -> None:
    assert told(footage(), 100_000) == []


def test_two_gaps_in_a_minute_are_a_trouble_and_one_is_none() -> None:
    troubles = footage((20_000, 20_500), (30_000, 30_400))
    assert told(troubles, 25_000) == []
    assert told(troubles, 60_000) == [PICTURES_LOST]
    assert told(troubles, 85_000) == []


@pytest.mark.parametrize(("last_ms", "names"), [(4_000, []), (60_000, [LIGHT_FLICKERS]), (140_000, [])])
def test_light_that_flickers_is_told_for_a_minute(last_ms: int, names: list[str]) -> None:
    assert told(footage(flickers_ms=61_000), last_ms) == names


def test_of_hours_of_flicker_the_last_minutes_are_kept() -> None:
    troubles = Troubles()
    for number, t_ms in enumerate(range(0, 3 * 3_600_000, 500)):
        frame = Frame(t_ms=Millis(t_ms), source=None)
        gain = np.full(4, 1.05 if number % 2 else 0.97, dtype=np.float32)
        troubles.see(EvenFrame(t_ms=frame.t_ms, source=None, shown=frame, gain=gain))
    assert told(troubles, 3 * 3_600_000) == [PICTURES_LOST, LIGHT_FLICKERS]
    assert max(map(len, troubles._times.values())) < 3_000
