"""A recording that begins with another view than its profile's is noticed by the marks printed on the felt."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from audit.states import SeenObject, TableState
from audit.table import Zone
from audit.timing import Span
from models.camera import Camera, camera_of
from models.camera_drift import SteadyFrame
from models.frames import frames
from models.mark_check import view_moved
from models.recognise import drift_of
from tests.models.test_layout_fit import GRID, RINGS, SIZE, layout, painted


@pytest.fixture(scope="module")
def camera() -> Camera:
    return camera_of(layout())


def turned(camera: Camera, *, degrees: float) -> Camera:
    """The camera turned about its own place, and pushed by a centimetre."""
    turn, _ = cv2.Rodrigues(np.radians([degrees, -0.7 * degrees, 0.5 * degrees]))
    return replace(camera, rotation=turn @ camera.rotation, translation=turn @ camera.translation + (10.0, 0.0, 0.0))


def apart(warp: np.ndarray, camera: Camera, moved: Camera) -> float:
    seen = cv2.perspectiveTransform(camera.to_pixels(GRID)[:, None], warp)[:, 0]
    return float(np.linalg.norm(seen - moved.to_pixels(GRID), axis=1).max())


def test_the_profile_s_own_view_has_not_moved(camera: Camera) -> None:
    assert view_moved(layout(), camera, painted(camera)) is None


@pytest.mark.parametrize("degrees", [0.3, 1.0, 4.0])
def test_a_camera_that_was_pushed_before_is_found_again(camera: Camera, degrees: float) -> None:
    moved = turned(camera, degrees=degrees)
    warp = view_moved(layout(), camera, painted(moved))
    assert warp is not None
    assert apart(warp, camera, moved) < 3.0
    assert apart(np.eye(3), camera, moved) > 8.0


def test_marks_beside_the_print_in_the_middle_of_the_zones_move_no_camera(camera: Camera) -> None:
    """Another hand's profile named as marks the places of its piles, 18 mm beside the rings: the camera was turned."""
    aside = {name: (x + 18.0, y + 4.0) for name, (x, y) in RINGS.items()}
    corners = [(-40.0, -40.0), (40.0, -40.0), (40.0, 40.0), (-40.0, 40.0)]
    zones = tuple(
        Zone(name=name, polygon_mm=tuple((x + dx, y + dy) for dx, dy in corners)) for name, (x, y) in RINGS.items()
    )
    others = tuple(zone for zone in layout().zones if zone.name not in RINGS)
    profile = replace(layout(aside), zones=(*others, *zones))
    assert view_moved(replace(profile, zones=others), camera, painted(camera)) is not None
    assert view_moved(profile, camera, painted(camera)) is None
    assert view_moved(profile, camera, painted(turned(camera, degrees=1.0))) is not None


def test_marks_that_are_not_seen_tell_nothing(camera: Camera) -> None:
    blank = np.full((SIZE[1], SIZE[0], 3), (70, 110, 40), dtype=np.uint8)
    assert view_moved(layout(), camera, blank) is None
    few = {name: RINGS[name] for name in ("seat1.main", "seat2.main", "seat3.main")}
    assert view_moved(layout(few), camera, painted(turned(camera, degrees=1.0), few)) is None


def test_print_that_no_one_camera_sees_so_tells_nothing(camera: Camera) -> None:
    rng = np.random.default_rng(3)
    strewn = {
        name: (x + float(rng.uniform(-14, 14)), y + float(rng.uniform(-14, 14))) for name, (x, y) in RINGS.items()
    }
    assert view_moved(layout(), camera, painted(camera, strewn)) is None


def test_footage_that_begins_with_another_view_is_steadied_from_its_first_frame(camera: Camera, tmp_path: Path) -> None:
    moved = turned(camera, degrees=1.0)
    path = tmp_path / "night.mp4"
    with av.open(str(path), mode="w") as container:
        stream = container.add_stream("libx264", rate=10)
        stream.width, stream.height, stream.pix_fmt = *SIZE, "yuv420p"
        for _ in range(5):
            container.mux(stream.encode(av.VideoFrame.from_ndarray(painted(moved), format="bgr24")))
        container.mux(stream.encode())
    drift = drift_of(path, layout(), camera)
    assert [move.since_ms for move in drift.moves] == [0]
    frame = next(iter(frames(path)))
    steady = drift.steady(frame)
    assert isinstance(steady, SteadyFrame)
    good = cv2.cvtColor(painted(camera), cv2.COLOR_BGR2GRAY)[100:-100, 100:-100].astype(int)
    assert (
        np.abs(steady.luma[100:-100, 100:-100] - good).mean() < np.abs(frame.luma[100:-100, 100:-100] - good).mean() - 1
    )
    place = camera.to_pixels([(0.0, 250.0)])[0].tolist()
    thing = SeenObject(kind="card_back", xy_mm=(0.0, 250.0), extra={"polygon_px": [place] * 4})
    seen = drift.as_seen(TableState(span=Span.of(0, 100), objects=(thing,)))
    assert seen.objects[0].extra["polygon_px"][0] == pytest.approx(moved.to_pixels([(0.0, 250.0)])[0], abs=3.0)
