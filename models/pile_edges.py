"""Fits the outline of a pile to the edges in the full picture: foot and height to a part of a chip.

What stands out from the felt is swollen by blur and contact shadow. The outline itself is sharp: the colour on its
inner side differs from that on its outer side, at every point of the right outline and at few of a wrong one.
"""

from __future__ import annotations

from itertools import product
from typing import Final

import cv2
import numpy as np

from models.camera import CHIP_HEIGHT_MM, Camera, Floats
from models.frames import Pixels
from models.shapes import CHIP_RADIUS_MM, HIGHEST_PILE

_POINTS: Final = 160
_REACH_PX: Final = 1.5
_MOST_CONTRAST: Final = 60.0
_LEAST_GAIN: Final = 0.5
_ALONG_MM: Final = (-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0)
_ACROSS_MM: Final = (-1.0, 0.0, 1.0)
_CHIPS: Final = (-1, 0, 1)
_RING: Final = np.stack([np.cos(np.linspace(0, 2 * np.pi, 64)), np.sin(np.linspace(0, 2 * np.pi, 64))], axis=1)

Fit = tuple[tuple[float, float], int]


def fit_pile(frame_bgr: Pixels, camera: Camera, xy_mm: tuple[float, float], chips: int) -> Fit:
    """Return the foot and the number of chips whose outline follows the edges best, near what is given."""
    box = _box(camera, xy_mm, chips, frame_bgr.shape)
    x0, y0, x1, y1 = box
    if x1 - x0 < 8 or y1 - y0 < 8:  # noqa: PLR2004 - a pile is larger
        return xy_mm, chips
    part = cv2.cvtColor(frame_bgr[y0:y1, x0:x1], code=cv2.COLOR_BGR2LAB)
    picture = cv2.GaussianBlur(part, ksize=(3, 3), sigmaX=0).astype(np.float32)
    away = np.asarray(xy_mm) - camera.centre_mm[:2]
    away /= max(1e-6, float(np.linalg.norm(away)))
    across = np.array([-away[1], away[0]])
    best: tuple[float, Fit] = (_contrast(picture, camera, (xy_mm, chips), (x0, y0)) + _LEAST_GAIN, (xy_mm, chips))
    for along, side, more in product(_ALONG_MM, _ACROSS_MM, _CHIPS):
        if not 1 <= chips + more <= HIGHEST_PILE:
            continue
        x, y = np.asarray(xy_mm) + away * along + across * side
        fit = ((float(x), float(y)), chips + more)
        score = _contrast(picture, camera, fit, (x0, y0))
        if score > best[0]:
            best = (score, fit)
    return best[1]


def _contrast(picture: Floats, camera: Camera, fit: Fit, origin_px: tuple[int, int]) -> float:
    """Mean difference of colour across the outline."""
    points, outward = _outline(camera, fit)
    points = points - origin_px
    inner, outer = (_sampled(picture, points + outward * reach) for reach in (-_REACH_PX, _REACH_PX))
    return float(np.minimum(np.linalg.norm(inner - outer, axis=1), _MOST_CONTRAST).mean())


def _sampled(picture: Floats, points: Floats) -> Floats:
    where = points.astype(np.float32)
    seen = cv2.remap(picture, where[None, :, 0], where[None, :, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen[0], dtype=np.float64)


def _outline(camera: Camera, fit: Fit) -> tuple[Floats, Floats]:
    """Points (n, 2) along the pile's outline in the picture, evenly spaced, and their outward directions."""
    (x, y), chips = fit
    rings = [
        np.column_stack([_RING * CHIP_RADIUS_MM + (x, y), np.full(len(_RING), level)])
        for level in (0.0, chips * CHIP_HEIGHT_MM)
    ]
    hull = cv2.convexHull(camera.to_pixels(np.vstack(rings)).astype(np.float32)).reshape(-1, 2).astype(np.float64)
    closed = np.vstack([hull, hull[:1]])
    lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(closed, axis=0), axis=1))])
    at = np.linspace(0, lengths[-1], _POINTS, endpoint=False)
    points = np.stack([np.interp(at, lengths, closed[:, axis]) for axis in (0, 1)], axis=1)
    tangent = np.roll(points, -1, axis=0) - np.roll(points, 1, axis=0)
    tangent /= np.maximum(np.linalg.norm(tangent, axis=1, keepdims=True), 1e-9)
    normal = np.stack([tangent[:, 1], -tangent[:, 0]], axis=1)
    outward = normal * np.sign(((points - points.mean(axis=0)) * normal).sum(axis=1))[:, None]
    return points, outward


def _box(camera: Camera, xy_mm: tuple[float, float], chips: int, shape: tuple[int, ...]) -> tuple[int, int, int, int]:
    points, _ = _outline(camera, (xy_mm, min(chips + 2, HIGHEST_PILE)))
    (x0, y0), (x1, y1) = points.min(axis=0) - 12, points.max(axis=0) + 12
    return max(0, int(x0)), max(0, int(y0)), min(shape[1], int(x1)), min(shape[0], int(y1))
