"""The dice cup: a shallow dish, and the lid that stands over it; bodies of revolution met by the camera's rays."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from sample_footage.coverage import cylinder_mm
from sample_footage.geometry import Camera, Floats
from sample_footage.layout import DISH_FLOOR, DISH_R, LID_HIGH, Place
from sample_footage.paint.canvas import Light, Patch, Reals, soft_mask

_OVER: Final = 2
_RIM_HIGH: Final = 12.0
_INNER_R: Final = DISH_R - 4.0
_LID_R: Final = DISH_R + 1.5
_LAMP: Final = np.array((0.16, 0.34, 0.93)) / np.linalg.norm((0.16, 0.34, 0.93))
_LEATHER: Final = np.array((30.0, 34.0, 66.0))
_BRASS: Final = np.array((74.0, 156.0, 196.0))
_LINING: Final = np.array((36.0, 40.0, 44.0))
_PROFILE: Final = (
    # height, radius: the lid's outline from its foot to its knob
    (0.0, _LID_R),
    (6.0, _LID_R),
    (7.0, _LID_R - 1.2),
    (44.0, _LID_R - 4.5),
    (52.0, _LID_R - 8.0),
    (57.0, _LID_R - 16.0),
    (60.0, 15.0),
    (61.0, 8.5),
    (64.0, 7.5),
    (67.0, 10.0),
    (71.0, 10.0),
    (LID_HIGH, 4.0),
    (LID_HIGH + 0.4, 0.0),
)


def dish_patch(place: Place, camera: Camera, light: Light) -> Patch:
    """Return the open dish as seen: rim, inner wall, floor and outer wall."""
    patch, rays, seen, outline = _begin(place, camera, high=_RIM_HIGH)
    eye = camera.eye_mm
    spot = np.array((place.x, place.y))
    rim, rim_r = _on_plane(eye, rays, spot, _RIM_HIGH)
    _, floor_r = _on_plane(eye, rays, spot, DISH_FLOOR)
    outer = _on_wall(eye, rays, spot, radius=DISH_R, inner=False)
    inner = _on_wall(eye, rays, spot, radius=_INNER_R, inner=True)
    _fill(seen, (outer[:, 2] >= 0) & (outer[:, 2] <= _RIM_HIGH), _LEATHER, _lit(outer, spot, sign=1.0))
    hole = rim_r < _INNER_R
    _fill(seen, hole & (inner[:, 2] >= DISH_FLOOR) & (inner[:, 2] <= _RIM_HIGH), _LINING, _lit(inner, spot, sign=-1.0))
    gloom = 0.62 + 0.32 * np.clip((_INNER_R - floor_r) / _INNER_R * 2.0, 0, 1)
    _fill(seen, hole & (floor_r <= _INNER_R), _LINING * 1.25, gloom)
    angle = np.arctan2(rim[:, 1] - spot[1], rim[:, 0] - spot[0])
    _fill(seen, (rim_r >= _INNER_R) & (rim_r <= DISH_R), _BRASS, 0.86 + 0.2 * np.cos(angle - 1.1))
    return _end(patch, seen, light, outline)


def lid_patch(place: Place, camera: Camera, light: Light) -> Patch:
    """Return the lid as seen: leather, a brass band at its foot, a brass knob."""
    patch, rays, seen, outline = _begin(place, camera, high=LID_HIGH + 1.0)
    eye = camera.eye_mm
    spot = np.array((place.x, place.y))
    nearest = np.full(len(rays), np.inf)
    for lower, upper in itertools.pairwise(_PROFILE):
        _ring(seen, nearest, _Rays(eye=eye - [*spot, 0.0], ways=rays), lower=lower, upper=upper)
    return _end(patch, seen, light, outline)


@dataclass(frozen=True, slots=True)
class _Rays:
    """The eye as seen from a body's axis, and the directions in which it looks."""

    eye: Floats
    ways: Floats


def _ring(
    seen: Reals,
    nearest: NDArray[np.float64],
    rays: _Rays,
    *,
    lower: tuple[float, float],
    upper: tuple[float, float],
) -> None:
    """Paint one cone of the lid where it is the nearest thing that a ray meets."""
    (z0, r0), (z1, r1) = lower, upper
    slope = (r1 - r0) / (z1 - z0)
    ox, oy, oz = rays.eye[0], rays.eye[1], rays.eye[2] - z0
    dx, dy, dz = rays.ways.T
    ease, grow = r0 + slope * oz, slope * dz
    a = dx * dx + dy * dy - grow * grow
    b = ox * dx + oy * dy - ease * grow
    root = b * b - a * (ox * ox + oy * oy - ease * ease)
    reach = (-b - np.sqrt(np.maximum(root, 0.0))) / a
    points = rays.eye + rays.ways * reach[:, None]
    hit = (root > 0) & (points[:, 2] >= z0) & (points[:, 2] <= z1) & (reach < nearest) & (reach > 0)
    out = points[:, :2]
    level = 1.0 / np.hypot(1.0, slope)
    unit = out / np.maximum(np.hypot(out[:, 0], out[:, 1]), 1e-6)[:, None] * level
    normal = np.column_stack([unit, np.full(len(unit), -slope * level)])
    diffuse = np.clip(normal @ _LAMP, 0, 1)
    halfway = _LAMP - rays.ways
    shine = np.clip((normal * halfway).sum(axis=1) / np.linalg.norm(halfway, axis=1), 0, 1) ** 28
    brass = z1 <= 6.0 or z0 >= 60.0
    body = _BRASS if brass else _LEATHER
    stitch = 1.0 - 0.35 * np.exp(-(((points[:, 2] - 40.0) / 0.9) ** 2)) if not brass else np.ones(len(points))
    lit = (0.42 + 0.78 * diffuse) * stitch
    seen[hit, :3] = body * lit[hit, None] + shine[hit, None] * (120.0 if brass else 66.0)
    seen[hit, 3] = 1.0
    nearest[hit] = reach[hit]


def _begin(place: Place, camera: Camera, *, high: float) -> tuple[tuple[int, int, int, int], Floats, Reals, Floats]:
    outline = camera.project(cylinder_mm(place, radius=_LID_R, low=0.0, high=high))
    x0, y0 = (int(v) - 3 for v in np.floor(outline.min(axis=0)))
    x1, y1 = (int(v) + 4 for v in np.ceil(outline.max(axis=0)))
    xs, ys = np.meshgrid(np.arange((x1 - x0) * _OVER), np.arange((y1 - y0) * _OVER))
    pixels = np.stack([xs.ravel(), ys.ravel()], axis=1) / _OVER + [x0, y0] - (_OVER - 1) / (2 * _OVER)
    rays = camera.rays(pixels)
    return (x0, y0, x1, y1), rays, np.zeros((len(rays), 4), np.float32), outline


def _end(box: tuple[int, int, int, int], seen: Reals, light: Light, outline: Floats) -> Patch:
    x0, y0, x1, y1 = box
    size = ((y1 - y0) * _OVER, (x1 - x0) * _OVER, 4)
    small = cv2.resize(src=seen.reshape(size), dsize=(x1 - x0, y1 - y0), interpolation=cv2.INTER_AREA)
    return Patch(colour=small[..., :3] * light.at(*outline.mean(axis=0)), cover=small[..., 3], x=x0, y=y0)


def _on_plane(eye: Floats, rays: Floats, spot: NDArray[np.float64], z: float) -> tuple[Floats, NDArray[np.float64]]:
    reach = (z - eye[2]) / rays[:, 2]
    points = eye + rays * reach[:, None]
    return points, np.hypot(points[:, 0] - spot[0], points[:, 1] - spot[1])


def _on_wall(eye: Floats, rays: Floats, spot: NDArray[np.float64], *, radius: float, inner: bool) -> Floats:
    """Where the rays meet an upright wall: its outside on the near side, or its inside on the far one."""
    ox, oy = eye[0] - spot[0], eye[1] - spot[1]
    a = rays[:, 0] ** 2 + rays[:, 1] ** 2
    b = ox * rays[:, 0] + oy * rays[:, 1]
    root = b * b - a * (ox * ox + oy * oy - radius**2)
    way = np.sqrt(np.maximum(root, 0.0))
    reach = (-b + (way if inner else -way)) / a
    points: Floats = eye + rays * reach[:, None]
    points[root <= 0] = -1.0
    return points


def _lit(points: Floats, spot: NDArray[np.float64], *, sign: float) -> NDArray[np.float64]:
    out = points[:, :2] - spot
    unit = out / np.maximum(np.hypot(out[:, 0], out[:, 1]), 1e-6)[:, None] * sign
    lit: NDArray[np.float64] = 0.7 + 0.55 * np.clip(unit @ _LAMP[:2] / np.linalg.norm(_LAMP[:2]), -1, 1) * 0.6
    return lit


def _fill(seen: Reals, where: NDArray[np.bool_], body: NDArray[np.float64], level: NDArray[np.float64]) -> None:
    seen[where, :3] = body * level[where, None]
    seen[where, 3] = 1.0


def round_shadow(place: Place, camera: Camera, *, radius: float, high: float, z_mm: float = 0.0) -> Patch:
    """Return the soft shadow of a round thing, longer the higher it is."""
    scale = camera.size[0] / 1920
    drop = Place(place.x - 0.08 * high - 0.3 * z_mm, place.y - 0.16 * high - 0.3 * z_mm)
    feet = [cylinder_mm(where, radius=radius * 1.04, low=0.0, high=0.0)[:24] for where in (place, drop)]
    outline = cv2.convexHull(np.vstack([camera.project(foot) for foot in feet]).astype(np.float32)).reshape(-1, 2)
    return soft_mask([outline], blur_px=(4.0 + 0.12 * z_mm) * scale, strength=0.5 / (1 + z_mm / 45))
