"""The camera of the sample table: known points, there and back, and sizes that recognition needs."""

import math

import numpy as np
import pytest

from audit.table import load_profile
from sample_footage.geometry import Camera, looking_at
from sample_footage.layout import BET_RADIUS, SEAT_DEG, at_seat, bet_place, card_place
from sample_footage.profile import profile_toml, table_camera
from tests.sample_footage.conftest import ROOM


def test_the_middle_of_the_picture_is_what_the_camera_looks_at() -> None:
    camera = looking_at(
        eye_mm=(0, 1000, 1000), target_mm=(0, 0, 0), focal_px=1000, size=(640, 360), distortion=(0, 0, 0, 0, 0)
    )
    assert camera.project([(0, 0, 0)])[0] == pytest.approx([320, 180])


def test_a_point_beside_the_middle_lies_where_the_pinhole_puts_it() -> None:
    # straight above would mirror nothing: from the players' side the dealer's right is the picture's left
    camera = looking_at(
        eye_mm=(0, 1000, 1000), target_mm=(0, 0, 0), focal_px=1000, size=(640, 360), distortion=(0, 0, 0, 0, 0)
    )
    x, y = camera.project([(100, 0, 0)])[0]
    assert x == pytest.approx(320 - 1000 * 100 / math.hypot(1000, 1000))
    assert y == pytest.approx(180)


def test_seat_one_is_at_the_picture_s_right_and_the_rack_at_its_top(camera: Camera) -> None:
    seats = {seat: camera.project([(bet_place(seat).x, bet_place(seat).y)])[0] for seat in SEAT_DEG}
    assert seats[1][0] > seats[2][0] > seats[3][0]
    assert camera.project([(0, -80)])[0][1] < camera.project([(0, 100)])[0][1]


def test_felt_points_come_back_from_their_pixels(camera: Camera) -> None:
    points = np.array([(-400.0, 0.0), (0.0, 430.0), (380.0, 120.0), (500.0, -100.0)])
    assert camera.to_plane(camera.project(points)) == pytest.approx(points, abs=0.05)


def test_a_plane_above_the_felt_is_met_at_its_height(camera: Camera) -> None:
    assert camera.to_plane(camera.project([(100, 200, 60)]), z_mm=60)[0] == pytest.approx([100, 200], abs=0.05)


def test_a_chip_s_edge_is_three_pixels_high_wherever_a_wager_stands(camera: Camera) -> None:
    for seat in SEAT_DEG:
        for slot in (-88, 0, 88):
            place = bet_place(seat, slot=slot)
            foot, top = camera.project([(place.x, place.y, 0), (place.x, place.y, 3.3)])
            assert np.linalg.norm(foot - top) >= 3.0


def test_every_zone_lies_in_the_picture(camera: Camera) -> None:
    for zone in load_profile(ROOM / "profiles" / "BJ-07.toml").zones:
        pixels = camera.project(zone.polygon_mm)
        assert (pixels >= 0).all()
        assert (pixels <= camera.size).all()


def test_the_committed_profile_is_that_of_the_camera() -> None:
    committed = (ROOM / "profiles" / "BJ-07.toml").read_text()
    assert committed == profile_toml("BJ-07", table_camera("players"))


def test_a_half_size_camera_sees_everything_at_half_the_pixels(camera: Camera) -> None:
    half = camera.scaled_to((960, 540))
    assert half.project([(120, 300, 5)]) == pytest.approx(camera.project([(120, 300, 5)]) / 2)


def test_a_second_card_covers_at_most_the_corner_that_the_manual_allows() -> None:
    # P235: at the lower left edge, at most 32 mm along one side or 35 mm along the other
    first, second = card_place(2, 0), card_place(2, 1)
    assert second.x < first.x
    assert second.y < first.y
    assert 63 - abs(first.x - second.x) <= 32
    assert 88 - abs(first.y - second.y) <= 35


def test_a_double_s_card_lies_sideways_to_its_seat() -> None:
    upright, sideways = card_place(3, 1), card_place(3, 2, sideways=True)
    assert abs(upright.angle - sideways.angle) == pytest.approx(90)


def test_a_seat_s_ray_points_from_the_arc_s_centre() -> None:
    place = at_seat(3, u=0, radius=BET_RADIUS)
    assert (place.x, place.y) == pytest.approx(
        (990 * math.sin(math.radians(22)), -560 + 990 * math.cos(math.radians(22)))
    )
