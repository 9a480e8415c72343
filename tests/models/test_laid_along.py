"""A card laid along another is found where the two together look like one that cannot be read."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from audit.table import parse_profile
from models.camera import Camera, camera_of
from models.laid_along import laid_along
from models.proposals import Proposal
from models.sighting import Sighting, card_corners_mm
from tests.models.test_zones import TABLE

THREE, SEVEN = (0.0, 150.0), (33.0, 150.0)


@pytest.fixture
def camera() -> Camera:
    return camera_of(parse_profile(TABLE))


def card(camera: Camera, xy_mm: tuple[float, float], angle: float, **faces: float) -> Sighting:
    face = next((name for name, p in faces.items() if p >= 0.9), None)
    outline = camera.to_pixels(card_corners_mm(xy_mm, angle))
    return Sighting(
        kind="card", polygon_px=outline, confidence=0.7, xy_mm=xy_mm, angle_deg=angle, faces=faces, face=face
    )


def reader(camera: Camera, p: float, face: str = "7s") -> Callable[[Sequence[Proposal]], list[Sighting]]:
    """Reads a face where the seven lies, and nothing elsewhere."""

    def read(proposals: Sequence[Proposal]) -> list[Sighting]:
        near = [float(np.hypot(*np.subtract(one.xy_mm, SEVEN))) < 5 for one in proposals]
        return [
            card(camera, one.xy_mm, one.angle_deg or 0.0, **({face: p} if there else {"2c": 0.1}))
            for one, there in zip(proposals, near, strict=True)
        ]

    return read


@pytest.mark.parametrize(
    ("p", "face", "known", "told"),
    [
        (0.99, "7s", True, "7s"),
        (0.8, "7s", True, None),  # it was hardly read
        (0.99, "3c", True, None),  # the card below, once more
        (0.99, "7s", False, None),  # no card that was read lies there
    ],
)
def test_the_card_that_lies_along_another_is_told_instead_of_the_two_together(
    camera: Camera, p: float, face: str, told: str | None, *, known: bool
) -> None:
    """Film p, 16 s: a seven of spades along a three of clubs was detected as one card across both, not read."""
    below = card(camera, THREE, 0.0, **{"3c": 1.0 if known else 0.2})
    together = card(camera, (16.0, 150.0), 90.0, As=0.18)
    (seen,) = laid_along([together], [below], camera, reader(camera, p, face))
    assert seen.face == told
    assert told is None or seen.xy_mm == pytest.approx(SEVEN, abs=5)


def test_what_is_read_or_lies_apart_is_left_as_it_is(camera: Camera) -> None:
    below, apart = card(camera, THREE, 0.0, **{"3c": 1.0}), card(camera, (150.0, 150.0), 90.0, As=0.18)
    read = card(camera, (16.0, 150.0), 90.0, Kd=0.97)
    assert laid_along([apart, read], [below], camera, reader(camera, 0.99)) == [apart, read]
