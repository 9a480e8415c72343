"""A camera that trembles is held still; one that stands still, or was pushed, is left as it is."""

from __future__ import annotations

from itertools import pairwise

import av
import cv2
import numpy as np
import pytest

from audit.timing import Millis
from models.camera import camera_of
from models.camera_drift import CameraDrift, SteadyFrame
from models.frames import Frame
from models.landmarks import Landmarks, felt_mask
from models.trembling import StillView
from tests.models.test_camera_drift import printed
from tests.models.toy_table import SIZE, Toy, profile

STEP_MS = 80
Place = tuple[float, float]


@pytest.fixture(scope="module")
def table() -> np.ndarray:
    return printed(Toy().paint(camera_of(profile()), 0))


def frame(picture: np.ndarray, t_ms: int, off: Place = (0.0, 0.0), *, arm: int | None = None) -> Frame:
    """The table as a camera sees it that looks so many pixels beside it, an arm before it if one is asked for."""
    seen = picture.copy()
    if arm is not None:
        cv2.rectangle(seen, (arm, 100), (arm + 160, SIZE[1]), (120, 150, 200), -1)
    shift = np.array([[1.0, 0.0, off[0]], [0.0, 1.0, off[1]]])
    seen = cv2.warpAffine(seen, shift, SIZE, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    noise = np.random.default_rng(t_ms).normal(scale=1.5, size=(SIZE[1], SIZE[0], 1))
    bgr = np.clip(seen + noise, 0, 255).astype(np.uint8)
    return Frame(t_ms=Millis(t_ms), source=av.VideoFrame.from_ndarray(bgr, format="bgr24").reformat(format="yuv420p"))


def trembling(number: int) -> Place:
    return 0.7 * np.sin(2.1 * number), 0.5 * np.cos(3.3 * number)


def unrest(one: Frame, other: Frame) -> float:
    """How much the rims of two small pictures differ."""
    gap = cv2.absdiff(cv2.blur(one.small.luma, (3, 3)), cv2.blur(other.small.luma, (3, 3)))
    return float(np.percentile(gap[40:-40, 60:-60], 99.7))


def test_a_trembling_camera_is_held_still(table: np.ndarray) -> None:
    view = StillView()
    raw = [frame(table, STEP_MS * number, trembling(number)) for number in range(40)]
    seen = [view.still(one) for one in raw]
    assert view.trembles
    assert all(isinstance(one, SteadyFrame) for one in seen[24:])
    shaken = np.median([unrest(*pair) for pair in pairwise(raw[24:])])
    still = np.median([unrest(*pair) for pair in pairwise(seen[24:])])
    assert still <= 0.5 * shaken


def test_an_arm_that_moves_over_the_table_is_no_trembling_and_hides_none(table: np.ndarray) -> None:
    quiet, view = StillView(), StillView()
    for number in range(40):
        shown = quiet.still(frame(table, STEP_MS * number, arm=20 * number))
        assert not isinstance(shown, SteadyFrame)
        view.still(frame(table, STEP_MS * number, trembling(number), arm=20 * number))
    assert not quiet.trembles
    assert view.trembles


@pytest.mark.parametrize("pushed", [(0.0, 0.0), (0.9, -0.6), (9.0, 5.0)])
def test_a_camera_that_was_pushed_once_does_not_tremble(table: np.ndarray, pushed: Place) -> None:
    view = StillView()
    raw = [frame(table, STEP_MS * number, (0.0, 0.0) if number < 12 else pushed) for number in range(48)]
    assert all(view.still(one) is one for one in raw)


def test_a_camera_that_trembles_no_more_is_left_as_it_is(table: np.ndarray) -> None:
    view = StillView()
    for number in range(24):
        view.still(frame(table, STEP_MS * number, trembling(number)))
    assert view.trembles
    raw = [frame(table, STEP_MS * number) for number in range(24, 48)]
    assert [view.still(one) for one in raw][-1] is raw[-1]


def test_a_camera_that_was_pushed_and_trembles_is_held_still_where_it_looks_now(table: np.ndarray) -> None:
    view = StillView()
    for number in range(70):
        aside = (0.0, 0.0) if number < 20 else (9.0, 5.0)
        off = (aside[0] + trembling(number)[0], aside[1] + trembling(number)[1])
        last = view.still(frame(table, STEP_MS * number, off))
    assert isinstance(last, SteadyFrame)
    assert unrest(last, frame(table, 0, (9.0, 5.0))) <= 4 < unrest(last, frame(table, 0))


def test_a_pushed_view_is_put_back_with_what_trembles(table: np.ndarray) -> None:
    drift, view = CameraDrift(Landmarks(frame(table, 0).luma, felt_mask(profile(), camera_of(profile())))), StillView()
    shown = None
    for number in range(70):
        aside = (0.0, 0.0) if number < 4 else (9.0, 5.0)
        off = (aside[0] + trembling(number)[0], aside[1] + trembling(number)[1])
        shown = drift.steady(view.still(frame(table, STEP_MS * number, off))) or shown
    assert shown is not None
    assert drift.moves
    assert unrest(shown, frame(table, 0)) <= 5


def test_trembling_that_begins_late_is_found_soon(table: np.ndarray) -> None:
    view, steady = StillView(), []
    for number in range(150):
        off = (0.0, 0.0) if number < 100 else trembling(number)
        steady.append(isinstance(view.still(frame(table, STEP_MS * number, off)), SteadyFrame))
    assert not any(steady[:100])
    assert all(steady[-5:])


def test_a_picture_that_shows_nothing_tells_nothing(table: np.ndarray) -> None:
    view = StillView()
    blank = [frame(np.full_like(table, 90), STEP_MS * number) for number in range(60)]
    assert all(view.still(one) is one for one in blank)
