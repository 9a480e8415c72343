"""Where a stack stands, from its box alone and from a camera."""

import numpy as np
import pytest

from models.cheque_size import CHIP_DIAMETER_MM
from models.chip_geometry import (
    NOTHING_KNOWN,
    STEPS,
    STRIP_COLUMNS,
    STRIP_ROWS,
    TOP_PX,
    FootCamera,
    box_extent,
    guess_camera,
    place_stack,
    side_facts,
    side_places,
    top_view,
    unrolled_side,
    upward,
)

UP = np.array([0.0, -1.0])
# 2 px per mm, 30 degrees above the felt: a chip's edge is 3.3 * cos(30) * 2 = 5.716 px high, its face 78 by 39 px
CAMERA = FootCamera(foot_px=np.array([200.0, 300.0]), px_per_mm=2.0, sine=0.5, cosine=0.8660254, distance_mm=1e6)


def box(left, top, right, bottom):
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], float)


# ten chips: 39 px of face, 57.16 px of edges; the foot's front is 19.5 px below its middle
TEN = box(200 - 39, 300 + 19.5 - 39 - 57.16, 200 + 39, 300 + 19.5)


def test_box_of_ten_chips_tells_where_they_stand_and_how_many():
    place = place_stack(TEN, CAMERA)
    assert place.base_mm == pytest.approx([0, 0], abs=0.1)
    assert place.chips_hint == pytest.approx(10, abs=0.1)
    assert place.px_per_edge == pytest.approx(5.716, abs=0.01)
    assert place.tangent == pytest.approx(0.5774, abs=0.001)
    assert place.away == pytest.approx([0, 1])
    assert place.right == pytest.approx([1, 0])


def test_box_and_flatness_alone_tell_the_same():
    camera, place = guess_camera(TEN, 0.5)
    assert camera.foot_px == pytest.approx([200, 300])
    assert place.chips_hint == pytest.approx(10, abs=0.01)
    assert not place.calibrated


def test_box_turned_around_a_single_round_chip_measures_the_chip():
    turned = np.array([[100, 60], [140, 100], [100, 140], [60, 100]], float)
    _, half_height, half_width = box_extent(turned, UP)
    assert half_height == pytest.approx(40 / 2**0.5)
    assert half_width == pytest.approx(40 / 2**0.5)


def test_corners_may_begin_anywhere_and_run_either_way():
    for corners in (TEN, np.roll(TEN, 1, axis=0), TEN[::-1]):
        assert box_extent(corners, UP)[1:] == (pytest.approx(48.08), pytest.approx(39))


def test_felt_and_pixels_are_inverse_also_for_a_turned_near_camera():
    camera = FootCamera(
        foot_px=np.array([50.0, 60.0]), px_per_mm=1.7, sine=0.6, cosine=0.8, roll=0.3, distance_mm=900.0
    )
    felt = np.array([[0.0, 0.0], [30.0, -20.0], [-12.0, 44.0]])
    assert camera.to_felt(camera.to_pixels(np.column_stack([felt, np.zeros(3)]))) == pytest.approx(felt)


def test_vertical_of_a_turned_camera_leans_with_it():
    camera = FootCamera(foot_px=np.zeros(2), px_per_mm=2.0, sine=0.5, cosine=0.866, roll=np.pi / 2)
    assert upward(box(-10, -10, 10, 10), camera) == pytest.approx([1.0, 0.0], abs=1e-6)


def test_vertical_without_a_camera_is_the_picture_s_or_that_of_a_tall_box():
    assert upward(box(0, 0, 10, 10), None) == pytest.approx(UP)
    lean = np.radians(10)
    across, down = np.array([np.cos(lean), np.sin(lean)]), np.array([-np.sin(lean), np.cos(lean)])
    leaning = np.array([0 * across, 10 * across, 10 * across + 40 * down, 40 * down])
    assert upward(leaning, None) == pytest.approx(-down)


def test_every_chip_is_eight_rows_high_in_the_strip():
    frame = np.zeros((400, 400, 3), np.uint8)
    # paint the front line of chips 0, 2, 4 ... white: chip k covers 5.716 px above the foot's front at y = 319.5
    for chip in range(0, 10, 2):
        low, high = 319.5 - chip * 5.716, 319.5 - (chip + 1) * 5.716
        frame[round(high) : round(low), 195:206] = 255
    strip = unrolled_side(frame, side_places(CAMERA, place_stack(TEN, CAMERA)))
    assert strip.shape == (STRIP_ROWS, STRIP_COLUMNS, 3)
    middle = strip[:, STRIP_COLUMNS // 2, 0]
    for chip in range(10):
        row = 20 + chip * 8 + 4  # the strip begins 2.5 chips below the foot
        assert (middle[row] > 127) == (chip % 2 == 0)


def test_facts_mark_where_the_box_says_that_chips_are():
    half_known = NOTHING_KNOWN.copy()
    half_known[:, :16, 2] = 255
    facts = side_facts(place_stack(TEN, CAMERA), half_known)
    assert facts.shape == (5, STEPS)
    assert facts[0].sum() == 40  # ten chips of four steps
    assert facts[3, 0] == 1
    assert facts[4] == pytest.approx(np.full(STEPS, 0.5))


def test_top_view_shows_the_uppermost_face():
    frame = np.zeros((400, 400, 3), np.uint8)
    frame[223:262, 161:239] = 200  # the face of ten chips
    view = top_view(frame, TEN, UP)
    assert view.shape == (TOP_PX, TOP_PX, 3)
    assert view[TOP_PX // 3, TOP_PX // 2].tolist() == [200, 200, 200]


def test_straight_from_above_there_is_still_a_place():
    camera = FootCamera(foot_px=np.array([100.0, 100.0]), px_per_mm=1.0, sine=1.0, cosine=0.0, distance_mm=1500.0)
    half = CHIP_DIAMETER_MM / 2
    place = place_stack(box(100 - half, 100 - half, 100 + half, 100 + half), camera)
    assert np.isfinite(place.base_mm).all()
    assert place.px_per_edge < 0.1
