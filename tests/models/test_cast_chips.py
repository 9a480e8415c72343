"""Stacks met by rays: where they are seen is where the camera says that they stand."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from models.cheque_size import CHIP_RADIUS_MM
from models.chip_geometry import CHIPS_BELOW, STEPS_PER_CHIP
from models.train.cast_chips import CastStack, Rays, Room, cast_stack, outline_of
from models.train.cast_scenes import offsets_mm, recordings
from models.train.chip_crops import cast_crops, whole_chips_off
from models.train.chip_scenes import DrawnView
from models.train.chip_styles import FAMILIES, random_set

SIZE = (220, 260)


def view(elevation_deg: float = 50.0) -> DrawnView:
    angle = np.radians(elevation_deg)
    return DrawnView(
        foot_px=np.array([130.0, 140.0]), px_per_mm=2.0, sine=float(np.sin(angle)), cosine=float(np.cos(angle))
    )


def seen(places: list[tuple[float, float]], *, finer: int = 2) -> tuple[np.ndarray, CastStack]:
    """Whose each pixel is: a red stack's with its chips at these places."""
    rng = np.random.default_rng(3)
    paint = random_set(rng, families=FAMILIES, own=0.0)["red"].paint("red")
    stack = CastStack(paints=[paint] * len(places), places_mm=np.array(places), turns=np.zeros(len(places)))
    owner = np.zeros((SIZE[0] * finer, SIZE[1] * finer), np.int16)
    canvas = np.zeros((*owner.shape, 3), np.float32)
    rays = Rays.of(view(), SIZE, finer)
    cast_stack(canvas, owner, rays, stack, room=Room.random(rng), finer=finer, ident=1)
    return owner[::finer, ::finer], stack


def extent(owner: np.ndarray) -> tuple[float, float, float, float]:
    rows, columns = np.nonzero(owner)
    return columns.min(), columns.max(), rows.min(), rows.max()


def test_a_stack_fills_its_outline() -> None:
    owner, stack = seen([(0.0, 0.0)] * 5)
    outline = outline_of(view(), stack)
    left, right, top, bottom = extent(owner)
    expected = [outline[:, 0].min(), outline[:, 0].max(), outline[:, 1].min(), outline[:, 1].max()]
    assert [left, right, top, bottom] == pytest.approx(expected, abs=1.5)


def test_rays_meet_a_height_where_the_camera_sees_it() -> None:
    rays, camera = Rays.of(view(), SIZE, 1), view()
    points = np.array([[-30.0, 20.0, 12.0], [15.0, -25.0, 12.0], [0.0, 0.0, 12.0]])
    columns, rows = np.round(camera.to_pixels(points)).astype(int).T
    right, away = rays.at(rows, columns, 12.0)
    assert np.column_stack([right, away]) == pytest.approx(points[:, :2], abs=0.6)  # to a pixel


def test_a_chip_laid_towards_the_camera_is_seen_lower_by_as_much_as_the_view_is_steep() -> None:
    straight, _ = seen([(0.0, 0.0), (0.0, 0.0)])
    towards, _ = seen([(0.0, 0.0), (0.0, -2.0)])
    lower = extent(towards)[2] - extent(straight)[2]
    assert lower == pytest.approx(2.0 * 2.0 * np.sin(np.radians(50)), abs=1.5)


def test_the_nearer_stack_hides_the_farther_one() -> None:
    rng = np.random.default_rng(5)
    for _ in range(12):
        (scene,) = recordings(rng, families=FAMILIES, times=1)
        assert all(0.0 <= stack.visible <= 1.1 for stack in scene.stacks)
        assert scene.frame_bgr.shape == scene.bare_bgr.shape
        nearest = max(scene.stacks, key=lambda stack: stack.camera.to_pixels(np.zeros((1, 3)))[0, 1])
        assert nearest.visible > 0.9


def test_the_same_chances_draw_the_same_scene() -> None:
    one, other = (next(recordings(np.random.default_rng(8), families=FAMILIES, times=1)) for _ in range(2))
    assert np.array_equal(one.frame_bgr, other.frame_bgr)
    assert [stack.colours for stack in one.stacks] == [stack.colours for stack in other.stacks]


def test_a_scene_recorded_twice_has_the_same_stacks_in_another_light() -> None:
    one, other = recordings(np.random.default_rng(8), families=FAMILIES, times=2)
    assert one.stacks == other.stacks
    assert one.frame_bgr.shape == other.frame_bgr.shape
    assert not np.array_equal(one.frame_bgr, other.frame_bgr)


def test_a_box_that_is_whole_chips_off_has_one_of_its_level_sides_elsewhere() -> None:
    box = np.array([[10.0, 20.0], [50.0, 20.0], [50.0, 60.0], [10.0, 60.0]])
    rng = np.random.default_rng(3)
    moved = [whole_chips_off(box, 4.0, rng) - box for _ in range(60)]
    assert all((one[:, 0] == 0).all() for one in moved)
    sides = {(float(one[0, 1]), float(one[3, 1])) for one in moved}
    assert sides == {(0.0, -8.0), (0.0, -4.0), (0.0, 4.0), (0.0, 8.0), (8.0, 0.0), (4.0, 0.0), (-4.0, 0.0), (-8.0, 0.0)}
    lying = box[[1, 2, 3, 0]]
    assert whole_chips_off(lying, 4.0, rng) is lying


def test_chips_lie_aside_of_each_other_but_not_beside() -> None:
    rng = np.random.default_rng(2)
    offsets = [offsets_mm(8, rng) for _ in range(200)]
    assert all((one[0] == 0).all() for one in offsets)
    steps = np.concatenate([np.linalg.norm(np.diff(one, axis=0), axis=1) for one in offsets])
    assert 0.2 < float(np.median(steps)) < 2.5
    assert float(steps.max()) < CHIP_RADIUS_MM


def test_the_rims_of_a_crop_rise_by_a_chip_each_where_chips_lie_straight() -> None:
    crops = list(islice(cast_crops(np.random.default_rng(4), families=FAMILIES, calibrated=1.0), 60))
    heights = np.concatenate([np.diff(crop.lines) for crop in crops])
    assert float(np.median(heights)) == pytest.approx(STEPS_PER_CHIP, abs=0.3)
    assert float(np.std(heights)) > 0.3  # some lie aside
    feet = [float(crop.lines[0]) for crop in crops]
    assert float(np.median(feet)) == pytest.approx(CHIPS_BELOW * STEPS_PER_CHIP, abs=2)
    assert all(len(crop.lines) == len(crop.labels) + 1 for crop in crops)
