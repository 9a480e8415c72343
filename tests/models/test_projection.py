"""The plain projection against the full camera."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from audit.projection import object_px, outline_px, to_pixels
from audit.table import CameraSpec, TableProfile, load_profile
from models.camera import camera_of

PROFILE = Path(__file__).parents[2] / "sample_footage" / "profiles" / "BJ-07.toml"


@pytest.fixture(scope="module")
def profile() -> TableProfile:
    return load_profile(PROFILE)


def test_zones_lie_where_the_full_camera_sees_them(profile: TableProfile) -> None:
    assert profile.camera is not None
    camera = camera_of(profile)
    for zone in profile.zones:
        assert np.allclose(outline_px(profile.camera, zone) or (), camera.zone_px(zone), atol=1e-6)


@pytest.mark.parametrize(
    "distortion", [(-0.3, 0.1, 0.001, -0.002), (-0.3, 0.1, 0.001, -0.002, 0.05, 0.01, 0.02, -0.01)]
)
def test_every_written_length_of_distortion_bends_as_the_full_camera_does(
    profile: TableProfile, distortion: tuple[float, ...]
) -> None:
    assert profile.camera is not None
    spec = replace(profile.camera, distortion=distortion)
    points = [(-500.0, 400.0), (0.0, 0.0), (400.0, 100.0)]
    full = camera_of(replace(profile, camera=spec))
    assert np.allclose(to_pixels(spec, points) or (), full.to_pixels(points), atol=1e-6)


def test_point_pairs_give_back_their_own_pixels() -> None:
    """A square seen as a trapezium: its middle is seen where the diagonals cross."""
    spec = CameraSpec(
        image_size=(1000, 1000),
        points_mm=((-100.0, 0.0), (100.0, 0.0), (100.0, 200.0), (-100.0, 200.0)),
        points_px=((400.0, 400.0), (600.0, 400.0), (700.0, 800.0), (300.0, 800.0)),
    )
    found = to_pixels(spec, [(-100.0, 0.0), (100.0, 200.0), (0.0, 100.0)])
    assert found is not None
    assert found == (pytest.approx((400, 400)), pytest.approx((700, 800)), pytest.approx((500, 533.333333)))


def test_what_lies_behind_the_camera_has_no_pixels(profile: TableProfile) -> None:
    assert profile.camera is not None
    assert to_pixels(profile.camera, [(0.0, 100.0), (0.0, 900000.0)]) is None


def test_points_above_the_felt_or_on_a_line_do_not_make_a_camera() -> None:
    above = CameraSpec(
        image_size=(100, 100),
        points_mm=((0.0, 0.0, 5.0), (1.0, 0.0, 5.0), (1.0, 1.0, 5.0), (0.0, 1.0, 5.0)),
        points_px=((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)),
    )
    line = tuple((float(i), 0.0) for i in range(4))
    assert to_pixels(above, [(0.0, 0.0)]) is None
    assert to_pixels(CameraSpec(image_size=(9, 9), points_mm=line, points_px=line), [(0.0, 0.0)]) is None


def test_what_stands_on_the_felt_is_outlined_as_the_full_camera_sees_it(profile: TableProfile) -> None:
    assert profile.camera is not None
    camera = camera_of(profile)
    card = object_px(profile.camera, "card", (100.0, 300.0), 90.0, 0)
    corners = [(144.0, 268.5), (144.0, 331.5), (56.0, 331.5), (56.0, 268.5)]
    assert card is not None
    assert np.allclose(card, camera.to_pixels(corners), atol=0.06)
    pile = object_px(profile.camera, "chips", (100.0, 300.0), None, 10)
    top = camera.to_pixels([(100.0, 300.0 + 19.5 * s, 33.0) for s in (-1, 1)])
    foot = camera.to_pixels([(100.0, 300.0 + 19.5 * s, 0.0) for s in (-1, 1)])
    assert pile is not None
    assert min(v for _, v in pile) == pytest.approx(min(top[:, 1]), abs=0.6)
    assert max(v for _, v in pile) == pytest.approx(max(foot[:, 1]), abs=0.6)
    assert object_px(None, "card", (0.0, 0.0), 0.0, 0) is None
