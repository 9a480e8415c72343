"""A pushed camera is noticed and made up for; arms, light and a blocked view are no push."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import av
import cv2
import numpy as np
import pytest

from audit.states import SeenObject, TableState
from audit.timing import Millis, Span
from models.camera import camera_of
from models.camera_drift import CameraDrift, SteadyFrame
from models.frames import Frame
from models.landmarks import Landmarks, felt_mask, scaled_warp
from models.recogniser import Recogniser
from tests.models.toy_table import SIZE, PixelEyes, Thing, Toy, profile

Warp = np.ndarray
STILL = np.eye(3)
PUSHED = np.array([[1.002, -0.006, 9.0], [0.006, 1.002, -6.0], [0.0, 0.0, 1.0]])


def printed(picture: np.ndarray) -> np.ndarray:
    """The picture with rings, lines and letters printed on the felt between what lies there."""
    ink = (104, 145, 76)  # so near the felt that the toy's eyes take it for felt
    shown = picture.copy()
    rng = np.random.default_rng(3)
    for _ in range(90):
        x, y = int(rng.integers(30, SIZE[0] - 30)), int(rng.integers(30, SIZE[1] - 30))
        cv2.rectangle(shown, (x, y), (x + int(rng.integers(6, 26)), y + int(rng.integers(6, 26))), ink, 2)
    return np.where((np.abs(picture.astype(int) - (70, 110, 40)).max(axis=2) < 30)[..., None], shown, picture)


def frame(picture: np.ndarray, t_ms: int = 0, *, warp: Warp = STILL, light: float = 1.0, blank: bool = False) -> Frame:
    seen = np.full_like(picture, 90) if blank else picture
    seen = cv2.warpPerspective(seen, warp, SIZE, borderMode=cv2.BORDER_REPLICATE)
    noise = np.random.default_rng(t_ms).normal(scale=1.5, size=(SIZE[1], SIZE[0], 1))
    bgr = np.clip(seen * light + noise, 0, 255).astype(np.uint8)
    return Frame(t_ms=Millis(t_ms), source=av.VideoFrame.from_ndarray(bgr, format="bgr24").reformat(format="yuv420p"))


@pytest.fixture(scope="module")
def table() -> np.ndarray:
    return printed(Toy().paint(camera_of(profile()), 0))


@pytest.fixture(scope="module")
def landmarks(table: np.ndarray) -> Landmarks:
    return Landmarks(frame(table).luma, felt_mask(profile(), camera_of(profile())))


def apart(one: Warp, other: Warp) -> float:
    grid = np.array([(x, y) for x in (100.0, 480.0, 860.0) for y in (80.0, 270.0, 460.0)])[:, None]
    gaps = cv2.perspectiveTransform(grid, one) - cv2.perspectiveTransform(grid, other)
    return float(np.linalg.norm(gaps, axis=2).max())


def test_the_view_is_found_to_a_fraction_of_a_pixel(table: np.ndarray, landmarks: Landmarks) -> None:
    assert landmarks.can_tell
    for warp in (STILL, PUSHED):
        fit = landmarks.found_in(frame(table, 1, warp=warp).luma, STILL) or landmarks.searched_in(
            frame(table, 1, warp=warp).luma
        )
        assert fit is not None
        assert apart(fit.warp, warp) < 0.5


@pytest.mark.parametrize("pushed_px", [1.0, 1.5, 2.5])
def test_what_was_pushed_a_little_does_not_bend_the_view(
    table: np.ndarray, landmarks: Landmarks, pushed_px: float
) -> None:
    """Cards and cheques at one side lay otherwise by 2 px, and a camera that stood still was said to have moved."""
    shown = table.copy()
    aside = np.array([[1.0, 0.0, pushed_px], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    shown[:, 620:] = cv2.warpPerspective(table, aside, SIZE, borderMode=cv2.BORDER_REPLICATE)[:, 620:]
    fit = landmarks.found_in(frame(shown, 1).luma, STILL)
    assert fit is not None
    assert apart(fit.warp, STILL) < 0.5


def test_a_view_far_off_is_found_by_searching(table: np.ndarray, landmarks: Landmarks) -> None:
    far = np.array([[1.01, -0.06, 70.0], [0.06, 1.01, -45.0], [0.0, 0.0, 1.0]])
    fit = landmarks.searched_in(frame(table, 1, warp=far).luma)
    assert fit is not None
    assert apart(fit.warp, far) < 1.0


def test_a_table_without_print_tells_nothing(landmarks: Landmarks) -> None:
    bare = frame(Toy().paint(camera_of(profile()), 0))
    assert not Landmarks(bare.luma).can_tell
    assert landmarks.found_in(bare.luma, STILL) is None
    assert landmarks.searched_in(bare.luma) is None


def test_pixels_of_a_half_as_wide_picture_are_centred_between_those_of_the_whole() -> None:
    shift = np.array([[1.0, 0.0, 4.0], [0.0, 1.0, 2.0], [0.0, 0.0, 1.0]])
    assert scaled_warp(shift, 0.5) == pytest.approx(np.array([[1.0, 0.0, 2.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0]]))
    double = np.diag([2.0, 2.0, 1.0])  # pixel 0 of the whole picture goes to 0: its left edge, at -0.5, to -1
    assert scaled_warp(double, 0.5) == pytest.approx(np.array([[2.0, 0.0, 0.25], [0.0, 2.0, 0.25], [0.0, 0.0, 1.0]]))


Sight = Callable[[int], dict[str, object]]


def watched(drift: CameraDrift, table: np.ndarray, sight: Sight, *, until_ms: int) -> dict[int, Frame | None]:
    return {t: drift.steady(frame(table, t, **sight(t))) for t in range(0, until_ms, 80)}  # type: ignore[arg-type]


def test_frames_of_a_camera_at_rest_pass_as_they_are(table: np.ndarray, landmarks: Landmarks) -> None:
    drift = CameraDrift(landmarks)
    shown = watched(drift, table, lambda t: {"light": 0.8 if t >= 2_000 else 1.0}, until_ms=7_000)
    assert all(type(one) is Frame for one in shown.values())
    assert (drift.moves, drift.is_lost, drift.beyond) == ((), False, frozenset())


def test_after_a_push_the_table_is_shown_where_it_was(table: np.ndarray, landmarks: Landmarks) -> None:
    def shaking(t: int) -> dict[str, object]:
        if t < 2_000:
            return {}
        swing = 10.0 * np.exp(-(t - 2_000) / 150) * (-1) ** (t // 80)
        return {"warp": PUSHED + np.array([[0, 0, swing], [0, 0, swing], [0, 0, 0]])}

    drift = CameraDrift(landmarks, {"seat1.main": np.array([(500.0, 300.0)]), "corner": np.array([(955.0, 300.0)])})
    shown = watched(drift, table, shaking, until_ms=4_000)
    assert all(type(one) is Frame for t, one in shown.items() if t < 2_000)
    unseen = [t for t, one in shown.items() if one is None]
    assert unseen[0] in (2_000, 2_080)
    assert unseen[-1] - unseen[0] <= 700
    assert 2_000 <= drift.moves[0].since_ms <= 2_080
    assert apart(drift.moves[-1].warp, PUSHED) < 0.7
    last, first = shown[3_920], shown[0]
    assert isinstance(last, SteadyFrame)
    assert first is not None
    inner = np.s_[60:-60, 60:-60]
    assert np.abs(last.luma[inner].astype(int) - first.luma[inner]).mean() < 3.0
    assert np.abs(last.small.luma[20:-20, 20:-20].astype(int) - first.small.luma[20:-20, 20:-20]).mean() < 2.0
    assert np.abs(last.bgr[inner].astype(int) - first.bgr[inner]).mean() < 4.0
    assert drift.beyond == {"corner"}


def test_states_after_a_push_say_where_things_are_seen_now(table: np.ndarray, landmarks: Landmarks) -> None:
    drift = CameraDrift(landmarks, {"seat1.main": np.array([(500.0, 300.0)])})
    shift = np.array([[1.0, 0.0, 12.0], [0.0, 1.0, 5.0], [0.0, 0.0, 1.0]])
    watched(drift, table, lambda t: {"warp": shift if t >= 1_000 else STILL}, until_ms=2_000)
    thing = SeenObject(kind="card_back", xy_mm=(0.0, 0.0), extra={"polygon_px": [[100.0, 100.0]] * 4})
    before, after = (drift.as_seen(TableState(span=Span.of(t, t + 100), objects=(thing,))) for t in (500, 1_900))
    assert before.objects == (thing,)
    assert before.extra == {}
    assert after.objects[0].extra["polygon_px"][0] == pytest.approx([112.0, 105.0], abs=0.5)
    assert after.extra["camera_moved_px"] == pytest.approx(13.0, abs=0.5)
    assert after.extra["zones_px"]["seat1.main"][0] == pytest.approx([512.0, 305.0], abs=0.5)


FAR = np.array([[1.0, -0.03, 40.0], [0.03, 1.0, -25.0], [0.0, 0.0, 1.0]])


@pytest.mark.parametrize("warp", [PUSHED, FAR])
def test_a_camera_pushed_before_the_first_frame_is_made_up_for_at_once(
    table: np.ndarray, landmarks: Landmarks, warp: Warp
) -> None:
    drift = CameraDrift(landmarks)
    shown = watched(drift, table, lambda t: {"warp": warp}, until_ms=800)
    assert [one is None for one in shown.values()][:2] == [True, False]
    assert all(isinstance(one, SteadyFrame) for t, one in shown.items() if t >= 80)


def test_a_push_behind_something_that_stands_before_the_table_is_noticed_when_it_has_gone(
    table: np.ndarray, landmarks: Landmarks
) -> None:
    drift = CameraDrift(landmarks)
    watched(drift, table, lambda t: {"blank": 1_000 <= t < 2_200, "warp": FAR if t >= 2_000 else STILL}, until_ms=4_000)
    assert apart(drift.moves[-1].warp, FAR) < 0.7
    assert not drift.is_lost


def test_a_push_is_made_up_for_where_its_shaking_has_died_away(table: np.ndarray, landmarks: Landmarks) -> None:
    def relaxing(t: int) -> dict[str, object]:
        left = 1.2 * np.exp(-(t - 2_000) / 250) if t >= 2_000 else 0.0
        return {"warp": PUSHED + np.array([[0, 0, left], [0, 0, 0], [0, 0, 0]])} if t >= 2_000 else {}

    drift = CameraDrift(landmarks)
    watched(drift, table, relaxing, until_ms=4_500)
    assert len(drift.moves) == 1
    assert apart(drift.moves[-1].warp, PUSHED) < 0.3


def test_a_slow_sag_is_followed(table: np.ndarray, landmarks: Landmarks) -> None:
    def sagging(t: int) -> dict[str, object]:
        return {"warp": np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 2.4 * t / 20_000], [0.0, 0.0, 1.0]])}

    drift = CameraDrift(landmarks)
    watched(drift, table, sagging, until_ms=20_000)
    assert drift.moves
    assert drift.moves[-1].warp[1, 2] == pytest.approx(1.8, abs=0.7)


def test_a_camera_that_trembles_is_followed_from_frame_to_frame(table: np.ndarray, landmarks: Landmarks) -> None:
    def trembling(t: int) -> dict[str, object]:
        swing = 3.0 * np.sin(2 * np.pi * 1.3 * t / 1_000) if t >= 1_000 else 0.0
        return {"warp": np.array([[1.0, 0.0, swing], [0.0, 1.0, 0.6 * swing], [0.0, 0.0, 1.0]])}

    drift = CameraDrift(landmarks)
    shown = watched(drift, table, trembling, until_ms=9_000)
    late = [one for t, one in shown.items() if t >= 6_500]
    assert all(one is not None for one in late)
    assert not drift.is_lost
    first = shown[0]
    assert first is not None
    for one in late:
        assert one is not None
        assert np.abs(one.luma[60:-60, 60:-60].astype(int) - first.luma[60:-60, 60:-60]).mean() < 3.0


def test_a_view_that_is_not_found_again_is_lost_until_it_is(table: np.ndarray, landmarks: Landmarks) -> None:
    drift = CameraDrift(landmarks)
    lost = []
    for t in range(0, 8_000, 80):
        elsewhere = 2_000 <= t < 6_000
        shown = drift.steady(frame(np.flipud(table) if elsewhere else table, t))
        lost.append((t, drift.is_lost))
        assert shown is not None or elsewhere or t < 6_400
    since, until = (next(t for t, is_lost in lost if is_lost is wanted and t >= 2_000) for wanted in (True, False))
    assert until == 2_000  # at first it may only be shaking
    assert 3_480 <= since <= 3_760
    assert not lost[-1][1]
    assert next(t for t, is_lost in lost if t > since and not is_lost) <= 6_400


def test_an_arm_and_a_blocked_view_are_no_push(table: np.ndarray, landmarks: Landmarks) -> None:
    def reached(t: int) -> np.ndarray:
        shown = table.copy()
        if t >= 800:
            x = min(700, (t - 800) // 4)
            cv2.line(shown, (x, 0), (x + 60, 420), (120, 160, 215), 110)
        if t >= 3_000:
            shown[:, : SIZE[0] * 2 // 3] = 60
        return shown

    drift = CameraDrift(landmarks)
    for t in range(0, 9_000, 80):
        assert drift.steady(frame(reached(t), t)) is not None
    assert (drift.moves, drift.is_lost) == ((), False)


def pushed_footage(toy: Toy, at_ms: int, warp: Callable[[int], Warp | None]) -> Iterator[Frame]:
    camera = camera_of(profile())
    for t in range(0, toy.length_ms, 80):
        picture, seen_so = printed(toy.paint(camera, t)), warp(t) if t >= at_ms else STILL
        yield frame(
            picture if seen_so is not None else np.flipud(picture), t, warp=STILL if seen_so is None else seen_so
        )


def states_of(toy: Toy, landmarks: Landmarks, warp: Callable[[int], Warp | None], at_ms: int) -> list[TableState]:
    table = profile()
    recogniser = Recogniser(table, camera_of(table), PixelEyes(), drift=CameraDrift(landmarks))
    return list(recogniser.states(pushed_footage(toy, at_ms, warp)))


TOY = Toy(
    things=(
        Thing(x=-220, y=250, angle=20, face="Ah"),
        Thing(x=-220, y=400, chips="red"),
        Thing(x=220, y=400, chips="green", start_ms=5_000),
    ),
    length_ms=7_000,
)


def test_what_lies_on_the_table_stays_where_it_is_when_the_camera_is_pushed(landmarks: Landmarks) -> None:
    states = states_of(TOY, landmarks, lambda t: PUSHED, at_ms=2_500)
    assert {state.view for state in states} == {"ok"}
    for state in states:
        (card,) = [item for item in state.objects if item.kind == "card"]
        assert card.xy_mm == pytest.approx((-220, 250), abs=5)
        assert card.card == "Ah"
    assert sorted(item.stack or () for item in states[-1].objects if item.kind == "chips") == [("green",), ("red",)]
    (green,) = [item for item in states[-1].objects if item.stack == ("green",)]
    assert green.xy_mm == pytest.approx((220, 400), abs=6)


def test_a_view_that_is_lost_says_so_with_its_reason(landmarks: Landmarks) -> None:
    states = states_of(TOY, landmarks, lambda t: None if t < 5_500 else STILL, at_ms=2_500)
    (lost,) = [state for state in states if state.view == "lost"]
    assert lost.reason == "moved"
    assert 2_400 <= lost.span.first <= 4_300
    assert 5_400 <= lost.span.last <= 6_000
    assert {item.card for item in states[-1].objects if item.kind == "card"} == {"Ah"}
