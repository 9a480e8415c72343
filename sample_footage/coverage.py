"""What the arms hide from the camera: which zones, and which things."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from sample_footage.geometry import Camera, Floats
from sample_footage.layout import CARD_H, CARD_W, CHIP_H, CHIP_R, DIE_MM, Place, Point, zones
from sample_footage.tracks import Arm

ARM_LENGTH: Final = 960.0
"""How far an arm is drawn from its fingertips, in millimetres."""
_WIDE_MM: Final = 44.0
_SHARE: Final = 0.03
"""A zone counts as covered when more than this part of it is hidden."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """Which parts of the felt the arms hide, for one camera."""

    eye_mm: Floats
    zone_names: tuple[str, ...]
    points: Floats
    point_zones: NDArray[np.intp]

    @classmethod
    def of(cls, camera: Camera, polygons: Mapping[str, list[Point]] | None = None) -> Coverage:
        """Return the coverage of a table's zones (the plain table's, if none are given) seen by that camera."""
        grids = {name: _grid(polygon) for name, polygon in (polygons or zones()).items()}
        return cls(
            eye_mm=camera.eye_mm,
            zone_names=tuple(grids),
            points=np.vstack(list(grids.values())),
            point_zones=np.repeat(np.arange(len(grids)), [len(grid) for grid in grids.values()]),
        )

    def spine(self, arm: Arm, t_ms: int) -> Floats | None:
        """Return the points of the felt (n, 2) behind the middle line of the arm; None while it rests at home."""
        if arm.is_home_at(t_ms):
            return None
        x, y, z = arm.tip_at(t_ms)
        reach = math.hypot(arm.anchor[0] - x, arm.anchor[1] - y)
        ux, uy = (arm.anchor[0] - x) / reach, (arm.anchor[1] - y) / reach
        along = np.arange(0.0, ARM_LENGTH, 34.0)
        high = z + arm_height(along)
        points = np.stack([x + ux * along, y + uy * along, high], axis=1)
        part = self.eye_mm[2] / (self.eye_mm[2] - points[:, 2:])
        behind: Floats = (self.eye_mm + (points - self.eye_mm) * part)[:, :2]
        return behind

    def zones_under(self, spine: Floats) -> frozenset[str]:
        """Return the zones that the arm hides a part of."""
        low, high = spine.min(axis=0) - _WIDE_MM, spine.max(axis=0) + _WIDE_MM
        near = np.flatnonzero(((self.points > low) & (self.points < high)).all(axis=1))
        hit = near[_gaps(self.points[near], spine) < _WIDE_MM]
        hits = np.bincount(self.point_zones[hit], minlength=len(self.zone_names))
        share = hits / np.bincount(self.point_zones)
        return frozenset(self.zone_names[i] for i in np.flatnonzero(share > _SHARE))

    def hides(self, spine: Floats, outline: Floats) -> float:
        """Return which part of the outline's points (n, 2) the arm hides."""
        return _hidden(outline, spine)


def arm_height(along_mm: Any) -> Any:
    """Return how high above its fingertips an arm's middle is, so far behind them: a wrist low, an elbow raised."""
    return 14.0 + np.minimum(along_mm, 200.0) * 0.16 + np.maximum(along_mm - 200.0, 0.0) * 0.26


def outline_mm(place: Place, *, is_card: bool, radius: float = CHIP_R) -> Floats:
    """Return points (n, 2) spread over a card or over a round foot."""
    if is_card:
        across = np.array([(u, v) for u in (-0.45, 0, 0.45) for v in (-0.45, 0, 0.45)]) * [CARD_W, CARD_H]
    else:
        turns = np.linspace(0, 2 * math.pi, 8, endpoint=False)
        across = np.vstack([[0, 0], np.stack([np.cos(turns), np.sin(turns)], axis=1) * radius * 0.9])
    a = math.radians(place.angle)
    spin = np.array([[math.cos(a), math.sin(a)], [-math.sin(a), math.cos(a)]])
    return np.asarray(across @ spin + [place.x, place.y], dtype=np.float64)


def card_corners_mm(place: Place, *, z_mm: float = 0.0) -> Floats:
    """Return the four corners (4, 3) of a card, in order around it."""
    a = math.radians(place.angle)
    spin = np.array([[math.cos(a), math.sin(a)], [-math.sin(a), math.cos(a)]])
    corners = np.array([(-CARD_W, CARD_H), (CARD_W, CARD_H), (CARD_W, -CARD_H), (-CARD_W, -CARD_H)]) / 2
    flat = corners @ spin + [place.x, place.y]
    return np.hstack([flat, np.full((4, 1), z_mm)])


def pile_outline_mm(place: Place, chips: int, *, z_mm: float = 0.0) -> Floats:
    """Return points (48, 3) on the rims of a pile's foot and top."""
    return cylinder_mm(place, radius=CHIP_R, low=z_mm, high=z_mm + chips * CHIP_H)


def cylinder_mm(place: Place, *, radius: float, low: float, high: float) -> Floats:
    """Return points (48, 3) on the rims of an upright cylinder."""
    turns = np.linspace(0, 2 * math.pi, 24, endpoint=False)
    ring = np.stack([place.x + radius * np.cos(turns), place.y + radius * np.sin(turns)], axis=1)
    foot = np.hstack([ring, np.full((24, 1), low)])
    top = np.hstack([ring, np.full((24, 1), high)])
    return np.vstack([foot, top])


def die_corners_mm(place: Place, *, z_mm: float) -> Floats:
    """Return the eight corners (8, 3) of a die that stands at that height."""
    a = math.radians(place.angle)
    spin = np.array([[math.cos(a), math.sin(a)], [-math.sin(a), math.cos(a)]])
    flat = np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)]) * (DIE_MM / 2) @ spin + [place.x, place.y]
    levels = [np.hstack([flat, np.full((4, 1), z)]) for z in (z_mm, z_mm + DIE_MM)]
    return np.vstack(levels)


def _hidden(points: Floats, spine: Floats) -> float:
    return float((_gaps(points, spine) < _WIDE_MM).mean())


def _gaps(points: Floats, spine: Floats) -> Floats:
    """Distances of points (n, 2) from the nearest point of the spine."""
    if not len(points):
        return np.zeros(0)
    gaps: Floats = np.hypot(points[:, :1] - spine[None, :, 0], points[:, 1:] - spine[None, :, 1]).min(axis=1)
    return gaps


def _grid(polygon: list[Point]) -> Floats:
    shape: NDArray[Any] = np.array(polygon, dtype=np.float32)
    low, high = shape.min(axis=0), shape.max(axis=0)
    xs, ys = np.meshgrid(np.arange(low[0] + 8, high[0], 16), np.arange(low[1] + 8, high[1], 16))
    points = np.stack([xs.ravel(), ys.ravel()], axis=1)
    inside = [cv2.pointPolygonTest(contour=shape, pt=(float(x), float(y)), measureDist=False) >= 0 for x, y in points]
    return np.asarray(points[inside], dtype=np.float64)
