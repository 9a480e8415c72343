"""Drawn stacks: where they stand, how high they are, and that a crop's labels are the truth."""

import numpy as np
import pytest

from models.chip_geometry import COLOURS
from models.train.chip_crops import CLASSES, crops
from models.train.chip_scenes import random_scene
from models.train.chip_styles import FAMILIES, HELD_OUT_FAMILIES, random_style
from models.train.chips import draw_stack, paste, turned


def plain_stack(colours, **how):
    rng = np.random.default_rng(3)
    style = random_style(rng, families=("none",))
    settings = {"elevation_deg": 30.0, "px_per_mm": 2.0, "distance_mm": 1e6, "lean_deg": 0.0, "jitter_mm": 0.0}
    return draw_stack(colours, style, rng=rng, **(settings | how))


def test_ten_chips_seen_from_thirty_degrees_are_as_high_as_perspective_says():
    sprite = plain_stack(["red"] * 10)
    # 2 px per mm: the face is 78 px wide and 39 px high, ten edges are 10 * 3.3 * cos(30) * 2 = 57.16 px
    width, height = np.ptp(sprite.outline, axis=0)
    assert width == pytest.approx(78, abs=0.5)
    assert height == pytest.approx(39 + 57.16, abs=0.5)
    assert sprite.px_per_edge == pytest.approx(5.716, abs=0.01)


def test_foot_lies_half_a_face_behind_the_front_of_the_bottom_chip():
    sprite = plain_stack(["red"])
    assert sprite.outline[:, 1].max() - sprite.base_xy[1] == pytest.approx(19.5, abs=0.3)


def test_chips_lie_bottom_to_top():
    sprite = plain_stack(["black", "white"])
    bottom, top = (sprite.bgra[int(y), int(x)] for x, y in sprite.middles)
    assert sprite.middles[0][1] > sprite.middles[1][1]
    assert bottom[:3].mean() < 70
    assert top[:3].mean() > 100
    assert bottom[3] == top[3] == 255


def test_camera_close_by_sees_the_upper_chips_larger():
    near = plain_stack(["red"] * 20, elevation_deg=60.0, distance_mm=400.0)
    far = plain_stack(["red"] * 20, elevation_deg=60.0)
    assert np.ptp(near.top[:, 0]) > 1.1 * np.ptp(far.top[:, 0])


def test_turned_stack_keeps_its_points_on_its_pixels():
    sprite = turned(plain_stack(["red"] * 6), 25.0)
    for x, y in sprite.middles:
        assert sprite.bgra[int(y), int(x), 3] == 255
    lean = sprite.top.mean(axis=0) - sprite.base_xy
    assert np.degrees(np.arctan2(lean[0], -lean[1])) == pytest.approx(25, abs=0.5)


def test_pasting_puts_the_foot_where_it_belongs_and_may_cross_the_border():
    image = np.zeros((120, 120, 3), np.uint8)
    sprite = plain_stack(["white"] * 3, px_per_mm=1.0)
    shift = paste(image, sprite, (60.0, 80.0))
    assert sprite.base_xy + shift == pytest.approx([60, 80], abs=0.51)
    assert image[76, 60].min() > 90
    paste(image, sprite, (2.0, 2.0))
    paste(image, sprite, (-500.0, 2.0))


def test_same_seed_draws_the_same_scene():
    first, second = (random_scene(np.random.default_rng(11), families=FAMILIES) for _ in range(2))
    assert np.array_equal(first.frame_bgr, second.frame_bgr)
    assert [stack.colours for stack in first.stacks] == [stack.colours for stack in second.stacks]


def test_edge_spots_kept_for_measuring_are_not_trained_on():
    assert not set(FAMILIES) & set(HELD_OUT_FAMILIES)


def test_crops_tell_the_colours_as_class_numbers():
    assert CLASSES[:10] == COLOURS
    crop = next(one for one in crops(np.random.default_rng(2), families=FAMILIES) if one.labels)
    assert all(1 <= number <= 11 for number in crop.labels)
    assert 1 <= len(crop.labels) <= 20
