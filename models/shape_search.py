"""Searches where a card or a pile explains most of what stands out from the felt and covers least of bare felt.

Things that were there before a change was seen stand on the felt: nothing that came since lies under their feet.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.camera import Floats
from models.cheque_size import CHIP_RADIUS_MM, HIGHEST_STACK
from models.felt_shapes import Shape, filled, outline_mm, pile_outline_mm
from models.motion import Mask
from models.shape_kernels import COARSE_MM, card_kernels, kernel_of

SPILL: Final = 1.6  # a square millimetre of bare felt under a shape costs more than one explained gains
LEAST_CARD_MM2: Final = 800.0
LEAST_PILE_MM2: Final = 620.0
_ANGLES: Final = tuple(range(-90, 90, 6))
_HEIGHTS: Final = (1, 2, 3, 5, 7, 9, 12, 15, 18)
_EDGE_GAIN: Final = 6.0  # a millimetre along a sharp edge
_LOOSE_MM: Final = 3.0  # by which places of things may be off
_CROWDED: Final = 40.0  # for each millimetre by which one pile would stand in another

Reals = NDArray[np.float32]


@dataclass(slots=True, eq=False)
class Scene:
    """One connected part while it is being explained: what is left of it, and what lies before it."""

    whole: Mask
    left: Mask
    hidden: Mask
    hidden_before: Mask
    edges: Reals
    origin_mm: Floats
    centre_mm: Floats
    feet_mm: tuple[tuple[float, float], ...] = ()
    _sharp: dict[int, Reals] = field(default_factory=dict)
    _hidden: Mask | None = None
    _under: Mask | None = None

    def sharp_within(self, side: int) -> Reals:
        """The sharpest change within a square of so many millimetres around each point."""
        if side not in self._sharp:
            self._sharp[side] = np.asarray(cv2.dilate(self.edges, np.ones((side, side), np.uint8)), dtype=np.float32)
        return self._sharp[side]

    @property
    def under(self) -> Mask:
        """What lies under the feet of piles that stood there before."""
        if self._under is None:
            self._under = np.zeros_like(self.whole)
            for x, y in self.feet_mm:
                at = np.round((np.array([x, y]) - self.origin_mm) * 16).astype(int)
                radius = round((CHIP_RADIUS_MM - _LOOSE_MM) * 16)
                cv2.circle(self._under, (int(at[0]), int(at[1])), radius, 255, thickness=-1, shift=4)
        return self._under

    @property
    def hidden_wider(self) -> Mask:
        """Where known things are, with a rim."""
        if self._hidden is None:
            self._hidden = np.asarray(cv2.dilate(self.hidden_before, np.ones((5, 5), np.uint8)), dtype=np.uint8)
        return self._hidden


def likeliest(scene: Scene, *, piles_only: bool = False) -> list[Shape]:
    """Return the card and the pile that gain most where they roughly lie, the better one first; those that gain enough.

    What a shape gains: what it explains, less the bare felt that it covers, and edges along a card.
    """
    tops: dict[str, tuple[float, Shape]] = {}
    for shape, gain in _coarse(scene, angles=() if piles_only else _ANGLES):
        if shape.kind not in tops or gain > tops[shape.kind][0]:
            tops[shape.kind] = (gain, shape)
    return [shape for _, shape in sorted(tops.values(), key=lambda top: -top[0])]


def _values(scene: Scene, kind: str) -> Reals:
    """What each square millimetre is worth to a shape that covers it; a card does not lie under a pile's foot."""
    value = np.where(scene.left > 0, 1.0, np.where(scene.hidden > 0, 0.0, -SPILL)).astype(np.float32)
    if kind == "card" and scene.feet_mm:
        value[(scene.under > 0) & (scene.left == 0)] = -SPILL
    return value


def _coarsely(value: Reals) -> Reals:
    """The same of the squares of the coarse grid."""
    small = cv2.resize(value, dsize=None, fx=1 / COARSE_MM, fy=1 / COARSE_MM, interpolation=cv2.INTER_AREA)
    return np.asarray(small * COARSE_MM * COARSE_MM, dtype=np.float32)


def _overlap(foot_mm: Floats, scene: Scene) -> Floats:
    """What it costs that piles with these feet (…, 2) would stand in those that stood there before."""
    cost = np.zeros(foot_mm.shape[:-1])
    for other in scene.feet_mm:
        apart = np.linalg.norm(foot_mm - np.array(other), axis=-1)
        cost += _CROWDED * np.maximum(2 * CHIP_RADIUS_MM - _LOOSE_MM - apart, 0.0)
    return cost


def _coarse(scene: Scene, *, angles: Sequence[int]) -> Iterator[tuple[Shape, float]]:
    """Yield for some angles of a card and every height of a pile the best place and its gain."""
    origin_mm, centre_mm = scene.origin_mm, scene.centre_mm
    gains = _coarsely(_values(scene, "card" if angles else "chips"))
    sharp = cv2.resize(scene.edges, dsize=(gains.shape[1], gains.shape[0]), interpolation=cv2.INTER_AREA)
    for angle in angles:
        inner, rim = card_kernels(angle)
        score = _scored(gains, inner) + _scored(np.asarray(sharp, dtype=np.float32), rim) * (_EDGE_GAIN * COARSE_MM)
        (x, y), gain = _peak(score)
        if gain >= LEAST_CARD_MM2:
            yield Shape(kind="card", xy_mm=_place(x, y, origin_mm), angle_deg=float(angle)), gain
    middle = origin_mm + np.array([scene.left.shape[1], scene.left.shape[0]]) / 2
    if angles and scene.feet_mm:
        gains = _coarsely(_values(scene, "chips"))
    for chips in _HEIGHTS:
        kernel, offset = _pile_kernel(chips, middle, centre_mm)
        score = _scored(gains, kernel)
        if scene.feet_mm:
            score -= _overlap(_places(score.shape, origin_mm) + offset, scene).astype(np.float32)
        (x, y), gain = _peak(score)
        if gain >= LEAST_PILE_MM2:
            place = _place(x, y, origin_mm)
            spot = (place[0] + float(offset[0]), place[1] + float(offset[1]))
            yield Shape(kind="chips", xy_mm=spot, chips=chips), gain


def _scored(values: Reals, kernel: Reals) -> Reals:
    score = cv2.filter2D(values, ddepth=cv2.CV_32F, kernel=kernel, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(score, dtype=np.float32)


def _peak(score: Reals) -> tuple[tuple[int, int], float]:
    _, gain, _, (x, y) = cv2.minMaxLoc(score)
    return (int(x), int(y)), float(gain)


def _places(shape: tuple[int, ...], origin_mm: Floats) -> Floats:
    """Where the squares of the coarse grid are (rows, columns, 2)."""
    y, x = np.mgrid[: shape[0], : shape[1]]
    return np.asarray(np.stack([x, y], axis=2) * COARSE_MM + (COARSE_MM - 1) / 2 + origin_mm, dtype=np.float64)


def _place(x: int, y: int, origin_mm: Floats) -> tuple[float, float]:
    half = (COARSE_MM - 1) / 2
    return (float(x * COARSE_MM + half + origin_mm[0]), float(y * COARSE_MM + half + origin_mm[1]))


def _pile_kernel(chips: int, middle: Floats, centre_mm: Floats) -> tuple[Reals, Floats]:
    outline = pile_outline_mm((float(middle[0]), float(middle[1])), chips, centre_mm) - middle
    return kernel_of(outline)


def refined(shape: Shape, scene: Scene) -> Shape:
    """Move, turn and resize a shape by ever smaller steps as long as its gain grows."""
    value = _values(scene, shape.kind)

    def gain(one: Shape) -> float:
        return _gain(one, value, scene)

    best = (gain(shape), shape)
    for step in (3.0, 1.5, 0.7):
        for _ in range(6):
            ahead = max(((gain(one), one) for one in _neighbours(best[1], step)), key=lambda pair: pair[0])
            if ahead[0] <= best[0]:
                break
            best = ahead
    return best[1]


def _neighbours(shape: Shape, step: float) -> Iterator[Shape]:
    x, y = shape.xy_mm
    for dx, dy in ((step, 0), (-step, 0), (0, step), (0, -step)):
        yield Shape(kind=shape.kind, xy_mm=(x + dx, y + dy), angle_deg=shape.angle_deg, chips=shape.chips)
    if shape.kind == "card":
        for turn in (step, -step):
            yield Shape(kind=shape.kind, xy_mm=shape.xy_mm, angle_deg=shape.angle_deg + turn)
        return
    for chips in (shape.chips - 1, shape.chips + 1):
        if 1 <= chips <= HIGHEST_STACK:
            yield Shape(kind=shape.kind, xy_mm=shape.xy_mm, chips=chips)


def _gain(shape: Shape, value: Reals, scene: Scene) -> float:
    outline = outline_mm(shape, scene.centre_mm) - scene.origin_mm
    x0, y0 = np.floor(outline.min(axis=0)).astype(int) - 1
    x1, y1 = np.ceil(outline.max(axis=0)).astype(int) + 2
    height, width = value.shape
    if x0 < 0 or y0 < 0 or x1 > width or y1 > height:
        return -math.inf
    covered = filled(outline - (x0, y0), (y1 - y0, x1 - x0))
    gain = float(value[y0:y1, x0:x1][covered > 0].sum())
    if shape.kind != "card":
        return gain - float(_overlap(np.array(shape.xy_mm), scene))
    rim: Mask = np.zeros_like(covered)
    points = np.round((outline - (x0, y0)) * 16).astype(np.int32)
    cv2.polylines(rim, pts=[points], isClosed=True, color=255, thickness=1, shift=4)
    return gain + _EDGE_GAIN * float(scene.edges[y0:y1, x0:x1][rim > 0].sum())
