"""Fits the outline of a pile to what the full picture shows: foot and height to a part of a chip.

What stands out from the felt is swollen by blur and contact shadow. The outline itself is sharp: the colour on its
inner side differs from that on its outer side, and where the bare felt is known, the outer side is felt, in whatever
shade, and the inner side is not. That also tells an outline from printed lines.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Final

import cv2
import numpy as np

from models.camera import CHIP_HEIGHT_MM, Camera, Floats
from models.felt_view import FeltView, Reals
from models.frames import Frame
from models.shapes import CHIP_RADIUS_MM, HIGHEST_PILE

_POINTS: Final = 160
_REACH_PX: Final = 1.5
_MOST_CONTRAST: Final = 100.0
_COLOUR_SHARE: Final = 0.5  # of the contrast of colours, where the bare felt tells more
_ALONG_MM: Final = (-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0)
_ACROSS_MM: Final = (-1.0, 0.0, 1.0)
_CHIPS: Final = (-1, 0, 1)
_STEPS: Final = 6
_MARGIN_PX: Final = 12
_LEAST_SIDE_PX: Final = 8
_LEAST_TALL: Final = 6  # chips; two piles in one line of sight look like one that is at least so high
_MOST_SPLIT: Final = 8
_SPLIT_GAIN: Final = 3.0
_SPLIT_STEPS: Final = 2
_FELT: Final = 3
_KNOWN: Final = 4
_RING: Final = np.stack([np.cos(np.linspace(0, 2 * np.pi, 64)), np.sin(np.linspace(0, 2 * np.pi, 64))], axis=1)

Fit = tuple[tuple[float, float], int]
"""The foot's middle in millimetres and the number of chips."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PileView:
    """What the picture shows around a pile.

    ``looks`` (h, w, 5): Lab colour, how unlike the bare felt it is in any shade, 1 where the bare felt is known.
    """

    camera: Camera
    origin_px: tuple[int, int]
    looks: Reals

    @classmethod
    def around(cls, frame: Frame, camera: Camera, felt: FeltView, fit: Fit) -> PileView | None:
        """Return the view with room for a pile a little off or higher than the one given; None outside the picture."""
        box = _box(camera, fit, frame.bgr.shape)
        x0, y0, x1, y1 = box
        if x1 - x0 < _LEAST_SIDE_PX or y1 - y0 < _LEAST_SIDE_PX:
            return None
        lab = cv2.cvtColor(np.ascontiguousarray(frame.bgr[y0:y1, x0:x1]), code=cv2.COLOR_BGR2LAB)
        colours = cv2.GaussianBlur(lab, ksize=(3, 3), sigmaX=0).astype(np.float32)
        unlike, known = felt.unlike(frame, box)
        looks = np.dstack([colours, np.minimum(unlike, _MOST_CONTRAST), known])
        return cls(camera=camera, origin_px=(x0, y0), looks=np.asarray(looks, dtype=np.float32))

    def contrast(self, fit: Fit) -> float:
        """Return the mean contrast across a pile's outline."""
        return float(self._contrasts(*_outline(self.camera, fit)).mean())

    def contrast_of_two(self, front: Fit, back: Fit) -> float:
        """Return the mean contrast across the outlines of two piles, one partly behind the other."""
        near, far = _outline(self.camera, front), _outline(self.camera, back)
        seen = ~_within(far[0], near[0])
        before_felt = ~_within(near[0], far[0])
        parts = [
            self._contrasts(*(one[before_felt] for one in near)),
            self._contrasts(*(one[~before_felt] for one in near), on_felt=False),
            self._contrasts(*(one[seen] for one in far)),
        ]
        return float(np.concatenate(parts).mean())

    def _contrasts(self, points: Floats, outward: Floats, *, on_felt: bool = True) -> Floats:
        """Contrast (n,) of the inner to the outer side at points of an outline."""
        if not len(points):
            return np.zeros(0)
        local = points - self.origin_px
        inner, outer = (self._at(local + outward * reach) for reach in (-_REACH_PX, _REACH_PX))
        colour = np.minimum(np.linalg.norm(inner[:, :_FELT] - outer[:, :_FELT], axis=1), _MOST_CONTRAST)
        if not on_felt:
            return np.asarray(colour, dtype=np.float64)
        known = np.minimum(inner[:, _KNOWN], outer[:, _KNOWN]) > 0.99  # noqa: PLR2004
        better = _COLOUR_SHARE * colour + inner[:, _FELT] - outer[:, _FELT]
        return np.asarray(np.where(known, better, colour), dtype=np.float64)

    def _at(self, points: Floats) -> Floats:
        where = points.astype(np.float32)
        at = (where[None, :, 0], where[None, :, 1])
        seen = [
            cv2.remap(np.ascontiguousarray(part), *at, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[0]
            for part in (self.looks[..., :_FELT], self.looks[..., _FELT:])
        ]
        return np.hstack(seen).astype(np.float64)


def fit_pile(view: PileView, start: Fit) -> Fit:
    """Return the foot and the number of chips whose outline fits best, going there from ``start`` step by step."""
    return _climbed(view.camera, start, view.contrast, _STEPS)


def split_pile(view: PileView, tall: Fit) -> tuple[Fit, Fit] | None:
    """Return two piles, the nearer one first, if they explain better what a tall one was taken for; else None."""
    (x, y), chips = tall
    if chips < _LEAST_TALL:
        return None
    top = np.array([x, y, chips * CHIP_HEIGHT_MM])
    pairs: dict[tuple[Fit, Fit], float] = {}
    for near, far in product(range(1, _MOST_SPLIT + 1), repeat=2):
        if near + far > chips:
            continue
        behind = along_sight(view.camera, top, far * CHIP_HEIGHT_MM)
        pair = (((x, y), near), ((float(behind[0]), float(behind[1])), far))
        pairs[pair] = view.contrast_of_two(*pair)
    front, back = max(pairs, key=lambda pair: pairs[pair])
    for _ in range(_SPLIT_STEPS):
        front = _climbed(view.camera, front, partial(view.contrast_of_two, back=back), 1)
        back = _climbed(view.camera, back, partial(view.contrast_of_two, front), 1)
    better = view.contrast_of_two(front, back) >= view.contrast(tall) + _SPLIT_GAIN
    return (front, back) if better else None


def along_sight(camera: Camera, point_mm: Floats, z_mm: float) -> Floats:
    """Return the point (3,) at a height that is seen where another is."""
    sight = point_mm - camera.centre_mm
    return np.asarray(point_mm + sight * (z_mm - point_mm[2]) / sight[2], dtype=np.float64)


def _climbed(camera: Camera, start: Fit, score: Callable[[Fit], float], steps: int) -> Fit:
    """The fit to which steps lead that each raise the score as much as they can."""
    away, across = _directions(camera, start[0])
    tried: dict[Fit, float] = {start: score(start)}
    best = start
    for _ in range(steps):
        (x, y), chips = best
        for along, side, more in product(_ALONG_MM, _ACROSS_MM, _CHIPS):
            step = away * along + across * side
            fit = ((round(x + float(step[0]), 2), round(y + float(step[1]), 2)), chips + more)
            if fit not in tried and 1 <= fit[1] <= HIGHEST_PILE:
                tried[fit] = score(fit)
        better = max(tried, key=lambda fit: tried[fit])
        if better == best:
            break
        best = better
    return best


def _directions(camera: Camera, xy_mm: tuple[float, float]) -> tuple[Floats, Floats]:
    """Unit vectors on the felt, away from the camera and across its sight."""
    away = np.asarray(xy_mm) - camera.centre_mm[:2]
    away = away / max(1e-6, float(np.linalg.norm(away)))
    return away, np.array([-away[1], away[0]])


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


def _within(points: Floats, outline: Floats) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which points (n, 2) lie inside an outline."""
    shape = outline.astype(np.float32)
    inside = [cv2.pointPolygonTest(shape, (float(x), float(y)), measureDist=False) > 0 for x, y in points]
    return np.array(inside, dtype=np.bool_)


def _box(camera: Camera, fit: Fit, shape: tuple[int, ...]) -> tuple[int, int, int, int]:
    points, _ = _outline(camera, (fit[0], min(fit[1] + 2, HIGHEST_PILE)))
    (x0, y0), (x1, y1) = points.min(axis=0) - _MARGIN_PX, points.max(axis=0) + _MARGIN_PX
    return max(0, int(x0)), max(0, int(y0)), min(shape[1], int(x1)), min(shape[0], int(y1))
