"""The camera: felt to pixels and back, solved from points, and what it is good enough for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from audit.table import CameraSpec, parse_profile
from models.camera import CameraError, camera_from_spec, camera_of
from models.suitability import SuitabilityError, assess, require_inside, zones_outside
from models.zones import ZoneMap
from tests.models.toy_table import PROFILE
from workers.cli.profile import profile as profile_command

# A camera 1000 mm straight above (0, 300), its picture's top towards the dealer, 1000 px focal length: 1 px a mm.
ABOVE = CameraSpec(
    image_size=(1000, 800),
    matrix=((1000.0, 0.0, 500.0), (0.0, 1000.0, 400.0), (0.0, 0.0, 1.0)),
    distortion=(0.0, 0.0, 0.0, 0.0, 0.0),
    rotation=((-1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, -1.0)),
    translation=(0.0, -300.0, 1000.0),
)
# 45 degrees from the players' side: eye at (0, 1300, 1000), looking at (0, 300, 0).
S = 0.7071067811865476
OBLIQUE = replace(
    ABOVE,
    rotation=((-1.0, 0.0, 0.0), (0.0, S, -S), (0.0, -S, -S)),
    translation=(0.0, -0.21213203435596e3, 1.626345596729059e3),
)
FELT = ((-400.0, 100.0), (400.0, 100.0), (300.0, 500.0), (-300.0, 500.0))


def test_a_camera_straight_above_sees_a_millimetre_as_a_pixel() -> None:
    camera = camera_from_spec(ABOVE)
    assert camera.to_pixels([(0.0, 300.0), (100.0, 350.0)]) == pytest.approx(np.array([(500, 400), (400, 450)]))
    assert camera.px_per_mm((0, 300)) == pytest.approx(1.0)
    assert camera.elevation_deg((0, 300)) == pytest.approx(90.0)
    assert camera.chip_edge_px((0, 300)) == pytest.approx(0.0, abs=1e-9)
    assert camera.index_px((0, 300)) == pytest.approx(9.0)


def test_a_point_above_the_felt_is_seen_further_from_the_middle() -> None:
    camera = camera_from_spec(ABOVE)
    assert camera.to_pixels([(100.0, 300.0, 500.0)]) == pytest.approx(np.array([(300, 400)]))
    assert camera.to_felt([(300.0, 400.0)], z_mm=500.0) == pytest.approx(np.array([(100, 300)]))


def test_an_oblique_camera_sees_the_edge_of_a_chip() -> None:
    camera = camera_from_spec(OBLIQUE)
    assert camera.centre_mm == pytest.approx((0, 1300, 1000))
    assert camera.elevation_deg((0, 300)) == pytest.approx(45.0)
    # 3.3 mm upright, seen from 45 degrees at 1414 mm: 3.3 * 0.7071 * 1000 / 1414 = 1.65 px
    assert camera.chip_edge_px((0, 300)) == pytest.approx(1.65, abs=0.01)


@pytest.mark.parametrize("distortion", [(0.0, 0.0, 0.0, 0.0, 0.0), (-0.12, 0.03, 0.001, -0.0005, 0.0)])
def test_felt_to_pixels_and_back_is_the_same_place(distortion: tuple[float, ...]) -> None:
    camera = camera_from_spec(replace(OBLIQUE, distortion=distortion))
    assert camera.to_felt(camera.to_pixels(FELT)) == pytest.approx(np.array(FELT), abs=0.05)


def test_a_ray_above_the_horizon_meets_no_felt() -> None:
    low = replace(
        ABOVE, rotation=((-1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, -1.0, 0.0)), translation=(0.0, 300.0, 900.0)
    )
    camera = camera_from_spec(low)
    assert np.isnan(camera.to_felt([(500.0, 10.0)])).all()


def test_nothing_maps_to_nothing() -> None:
    camera = camera_from_spec(ABOVE)
    assert camera.to_pixels(np.empty((0, 2))).shape == (0, 2)
    assert camera.to_felt(np.empty((0, 2))).shape == (0, 2)


def solved(points_px: np.ndarray, points_mm: tuple[tuple[float, ...], ...] = FELT) -> CameraSpec:
    return CameraSpec(image_size=(1000, 800), points_mm=points_mm, points_px=tuple((x, y) for x, y in points_px))


def test_four_points_and_their_pixels_give_the_camera() -> None:
    true = camera_from_spec(OBLIQUE)
    camera = camera_from_spec(solved(true.to_pixels(FELT).round(1)))
    assert camera.matrix[0, 0] == pytest.approx(1000, rel=0.02)
    assert camera.centre_mm == pytest.approx((0, 1300, 1000), abs=30)
    assert camera.heights_known
    assert camera.reprojection_px is not None
    assert camera.reprojection_px < 0.3


def test_points_seen_from_straight_above_leave_the_heights_open_but_not_the_felt() -> None:
    true = camera_from_spec(ABOVE)
    pixels = true.to_pixels(FELT).round()
    camera = camera_from_spec(solved(pixels))
    assert not camera.heights_known
    assert camera.to_felt(pixels) == pytest.approx(np.array(FELT), abs=2.0)


def test_points_in_a_mirrored_order_are_refused() -> None:
    pixels = camera_from_spec(OBLIQUE).to_pixels(FELT)[::-1]
    with pytest.raises(CameraError, match=r"camera\.points_px: expected points as"):
        camera_from_spec(solved(pixels))


def test_points_on_one_line_are_refused() -> None:
    line = ((0.0, 100.0), (100.0, 100.0), (200.0, 100.0), (300.0, 100.0))
    with pytest.raises(CameraError, match=r"camera\.points_mm: expected points that span an area"):
        camera_from_spec(solved(camera_from_spec(OBLIQUE).to_pixels(line), line))


def test_a_rotation_that_is_none_is_refused() -> None:
    with pytest.raises(CameraError, match=r"camera\.rotation"):
        camera_from_spec(replace(ABOVE, rotation=((1.0, 0.0, 0.0), (0.0, 2.0, 0.0), (0.0, 0.0, 1.0))))


def test_a_camera_under_the_felt_is_refused() -> None:
    with pytest.raises(CameraError, match="above the felt"):
        camera_from_spec(replace(ABOVE, translation=(0.0, -300.0, -1000.0)))


def test_zones_of_the_toy_lie_in_its_picture() -> None:
    table = parse_profile(PROFILE)
    require_inside(table, camera_of(table))
    verdict = assess(table, camera_of(table))
    assert verdict.problems == ()
    assert verdict.checks["wagers, payments, takes"].startswith("no: ")  # from above no chip edge is seen


MAIN = "[[100, 340], [350, 340], [350, 450], [100, 450]]"
CARDS = "[[100, 170], [350, 170], [350, 330], [100, 330]]"


def test_a_zone_outside_the_picture_is_named_and_the_others_are_watched_all_the_same() -> None:
    table = parse_profile(PROFILE.replace(MAIN, "[[400, 340], [650, 340], [650, 450], [400, 450]]"))
    outside = zones_outside(table, camera_of(table))
    assert list(outside) == ["seat2.main"]
    assert 0.2 < outside["seat2.main"] <= 1.0
    require_inside(table, camera_of(table))
    nothing_there = np.zeros((270, 480), dtype=np.uint8)
    assert ZoneMap(table, camera_of(table), (270, 480)).covered(nothing_there) == {"seat2.main"}


@pytest.mark.parametrize(("beyond_mm", "seen"), [(3, True), (7, False)])
def test_a_zone_whose_rim_alone_is_outside_the_picture_is_seen(beyond_mm: int, *, seen: bool) -> None:
    """Farther out something may stand unseen, and at the border what stands is hardly told from an arm."""
    x = 480 + beyond_mm
    table = parse_profile(PROFILE.replace(MAIN, f"[[300, 340], [{x}, 340], [{x}, 450], [300, 450]]"))
    assert list(zones_outside(table, camera_of(table))) == ["seat2.main"]
    covered = ZoneMap(table, camera_of(table), (270, 480)).covered(np.zeros((270, 480), dtype=np.uint8))
    assert covered == (frozenset() if seen else {"seat2.main"})


def test_a_profile_with_half_of_its_zones_outside_is_of_another_camera() -> None:
    text = PROFILE
    for number, zone in enumerate((MAIN, CARDS, MAIN.replace("100", "-350").replace("[350", "[-100"))):
        text = text.replace(zone, f"[[400, {340 + number}], [650, 340], [650, 450], [400, 450]]")
    text = text.replace(
        "[[-150, 40], [150, 40], [150, 150], [-150, 150]]", "[[700, 40], [900, 40], [900, 150], [700, 150]]"
    )
    table = parse_profile(text)
    with pytest.raises(SuitabilityError, match=r"expected it inside the picture of 960x540, found 100% of it outside"):
        require_inside(table, camera_of(table))


def test_profile_check_prints_the_verdict_and_fails_for_a_zone_outside(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text(PROFILE)
    bad.write_text(PROFILE.replace("[[-350, 340]", "[[-950, 340]"))
    passed = CliRunner().invoke(profile_command, ["check", str(good)])
    assert passed.exit_code == 0
    assert "seat1.cards" in passed.output
    failed = CliRunner().invoke(profile_command, ["check", str(bad)])
    assert failed.exit_code == 2
    assert "zone seat1.main: expected it inside the picture" in failed.stderr


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        ("no-such-rules", "rules: expected one of dicey-21"),
        ("stud-21", "stud-21.toml: game: expected blackjack, found 'stud_21'"),
    ],
)
def test_profile_check_resolves_the_rules_as_an_audit_does(tmp_path: Path, rules: str, sentence: str) -> None:
    file = tmp_path / "profile.toml"
    file.write_text(PROFILE.replace("[table]", f'[table]\nrules = "{rules}"'))
    answer = CliRunner().invoke(profile_command, ["check", str(file)])
    assert answer.exit_code == 2
    assert sentence in answer.stderr
    assert answer.stderr.count("\n") == 1


def test_profile_check_names_what_is_wrong_with_a_file(tmp_path: Path) -> None:
    text = tmp_path / "text.toml"
    text.write_text("hello")
    answer = CliRunner().invoke(profile_command, ["check", str(text)])
    assert answer.exit_code == 2
    assert answer.stderr.count("\n") == 1
    assert "expected TOML" in answer.stderr


@pytest.mark.parametrize("distortion", [(), (-0.06, 0.02, 0.0004, -0.0003), (-0.06, 0.02, 0.0004, -0.0003, 0.01)])
def test_many_points_are_seen_where_each_of_them_is(distortion: tuple[float, ...]) -> None:
    camera = replace(camera_from_spec(OBLIQUE), distortion=np.array(distortion))
    points = np.random.default_rng(5).uniform((-600, -100, 0), (600, 500, 60), size=(600, 3))
    alone = np.concatenate([camera.to_pixels(point[None]) for point in points])
    assert np.abs(camera.to_pixels(points) - alone).max() < 1e-8
