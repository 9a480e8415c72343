"""Random cameras above a table, for composed training pictures."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

CARD_LENGTH_MM: Final = 88.0


@dataclass(frozen=True, kw_only=True)
class SceneCamera:
    """A pinhole camera that looks at the origin of the felt, in millimetres and pixels of a square picture."""

    projection: NDArray[np.float64]
    size: int
    px_per_mm: float
    elevation_deg: float

    def project(self, points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
        """Map points (n, 3) in millimetres to pixels (n, 2)."""
        seen = np.asarray(points_mm, np.float64) @ self.projection[:, :3].T + self.projection[:, 3]
        return np.asarray(seen[:, :2] / np.maximum(seen[:, 2:], 1e-6), np.float64)

    def ground(self) -> NDArray[np.float64]:
        """Return the homography (3, 3) from the felt (z = 0) to pixels."""
        return self.projection[:, [0, 1, 3]]

    def scale_at(self, xy_mm: NDArray[np.float64]) -> float:
        """Return the pixels per millimetre, across the line of sight, at a point of the felt."""
        depth = float(self.projection[2, :2] @ xy_mm + self.projection[2, 3])
        return self.px_per_mm * float(self.projection[2, 3]) / max(depth, 1e-6)

    def up_at(self, xy_mm: NDArray[np.float64], height_mm: float = 10.0) -> NDArray[np.float64]:
        """Return how far and where a vertical of the given height reaches in the picture (2,)."""
        x, y = float(xy_mm[0]), float(xy_mm[1])
        low, high = self.project(np.array([[x, y, 0.0], [x, y, height_mm]]))
        return np.asarray(high - low, np.float64)


def random_camera(rng: np.random.Generator, size: int) -> SceneCamera:
    """Return a camera that shows a card 42 to 330 px long in a 320 px picture, mostly 28 to 90 degrees above the felt.

    Smaller cards are for a finer look: the detector looks at several scales a factor of 2 apart.
    """
    low, high = (42.0, 150.0) if rng.random() < 0.8 else (100.0, 330.0)
    card_px = math.exp(rng.uniform(math.log(low), math.log(high))) * size / 320.0
    degrees = rng.triangular(28.0, 62.0, 96.0) if rng.random() < 0.92 else rng.uniform(15.0, 35.0)
    elevation = math.radians(min(90.0, degrees))
    azimuth, roll = rng.uniform(0, 2 * math.pi), rng.normal(0.0, math.radians(7.0))
    focal = size / 2 / math.tan(math.radians(rng.uniform(6.0, 58.0)) / 2)
    scale = card_px / CARD_LENGTH_MM
    distance = focal / scale
    forward = np.array(
        [-math.cos(azimuth) * math.cos(elevation), -math.sin(azimuth) * math.cos(elevation), -math.sin(elevation)]
    )
    right = np.array([-math.sin(azimuth), math.cos(azimuth), 0.0])
    down = np.cross(forward, right)
    turn = np.array([[math.cos(roll), -math.sin(roll), 0], [math.sin(roll), math.cos(roll), 0], [0, 0, 1.0]])
    rotation = turn @ np.stack([right, down, forward])
    centre = -forward * distance
    shift = rng.normal(0.0, 0.12, 2) * size
    inner = np.array([[focal, 0, size / 2 + shift[0]], [0, focal, size / 2 + shift[1]], [0, 0, 1.0]])
    projection = inner @ np.column_stack([rotation, -rotation @ centre])
    return SceneCamera(projection=projection, size=size, px_per_mm=scale, elevation_deg=math.degrees(elevation))
