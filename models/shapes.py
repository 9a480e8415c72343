"""Explains what stands out from the felt by things of known size: cards of 63 x 88 mm and piles of chips of 39 mm.

Works in the view from above at one pixel a millimetre. A pile that is h high hides, as the camera sees it, the felt
between its foot and the circle into which its top is projected.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.camera import CHIP_HEIGHT_MM, Floats
from models.motion import Mask, blobs
from models.outline import Outline
from models.shape_kernels import COARSE_MM, card_kernels, kernel_of
from models.sighting import CARD_HEIGHT_MM, CARD_WIDTH_MM, card_corners_mm

CHIP_RADIUS_MM: Final = 19.5
HIGHEST_PILE: Final = 20
_ANGLES: Final = tuple(range(-90, 90, 6))
_HEIGHTS: Final = (1, 2, 3, 5, 7, 9, 12, 15, 18)
_SPILL: Final = 1.6  # a square millimetre of bare felt under a shape costs more than one explained gains
_LEAST_CARD_MM2: Final = 800.0
_LEAST_OWN_PILE_MM2: Final = 350.0
_LEAST_PILE_MM2: Final = 620.0
_LEAST_OF_PILE: Final = 0.5
_MOST_SPILL: Final = 0.22
_DOUBTFUL_CARD: Final = 0.1  # of a card lies over bare felt
_WHOLE_RIM: Final = 0.92
_RIM_POINTS: Final = 70  # of a side
_THIN_MM: Final = 9
_BLURRED_MM: Final = 7
_MUCH_BETTER: Final = 0.6  # of the cost of another explanation
_LARGEST_MM2: Final = 60_000.0  # larger parts are arms, furniture, or a table that is not in order
_ROOM_MM: Final = 96
_ALONE: Final = 0.93
_TWO_CARDS: Final = 0.93
_LOOSE_MM: Final = 6.0
_APART_MM: Final = 14.0
_CARD_SIDES: Final = (56.0, 72.0, 97.0)  # shorter side between the first two, longer between the last two
_WIDEST_PILE_MM: Final = 50.0
_EDGE: Final = 0.15
_SIDE_SHARE: Final = 0.55
_QUARTERS: Final = (-np.pi, -np.pi / 2, 0.0, np.pi / 2)
_EDGE_GAIN: Final = 6.0  # a millimetre along a sharp edge
_CIRCLE: Final = np.stack([np.cos(np.linspace(0, 2 * np.pi, 40)), np.sin(np.linspace(0, 2 * np.pi, 40))], axis=1)

Reals = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A card or a pile that would explain what stands out.

    ``angle_deg`` for a card, ``chips`` and ``outline`` for a pile. ``explained``: share of the shape that stands out
    and that nothing else explains; ``spilt``: share of it over bare felt. ``inlay``: a disc of a cheque's inlay's size.
    """

    kind: str
    xy_mm: tuple[float, float]
    angle_deg: float = 0.0
    chips: int = 0
    explained: float = 0.0
    spilt: float = 0.0
    inlay: bool = False
    outline: Outline | None = None


def outline_mm(shape: Shape, centre_mm: Floats) -> Floats:
    """Return the felt (n, 2) that the shape hides from a camera at ``centre_mm`` (3,)."""
    if shape.kind == "card":
        return card_corners_mm(shape.xy_mm, shape.angle_deg)
    return pile_outline_mm(shape.xy_mm, shape.chips, centre_mm)


def pile_outline_mm(xy_mm: tuple[float, float], chips: int, centre_mm: Floats) -> Floats:
    """Return the felt (n, 2) that a pile hides: the hull of its foot and its projected top."""
    foot = _CIRCLE * CHIP_RADIUS_MM + np.asarray(xy_mm)
    stretch = centre_mm[2] / max(1.0, centre_mm[2] - chips * CHIP_HEIGHT_MM)
    top = centre_mm[:2] + (foot - centre_mm[:2]) * stretch
    hull = cv2.convexHull(np.vstack([foot, top]).astype(np.float32))
    return np.asarray(hull, dtype=np.float64).reshape(-1, 2)


def explain(
    mask: Mask, *, behind: Mask, edges: Reals, origin_mm: Floats, centre_mm: Floats, most: int = 12
) -> list[Shape]:
    """Return the shapes that explain a mask, each connected part of it by itself, the largest gain first.

    Args:
        mask: What stands out and is not explained by known things.
        behind: Where known things are, so that something may be hidden under them.
        edges: How sharply the picture changes, 0 to 1, so that of two equal fits the one along edges wins.
        origin_mm: The felt point of the masks' pixel (0, 0).
        centre_mm: Where the camera is.
        most: How many shapes at most in one part.
    """
    found: list[Shape] = []
    for blob in blobs(mask, least=int(_LEAST_PILE_MM2 / 2)):
        if blob.area > _LARGEST_MM2:
            continue
        box = _with_room(blob.box, mask.shape)
        x0, y0, x1, y1 = box
        part = blob.on((mask.shape[0], mask.shape[1]))[y0:y1, x0:x1]
        scene = _Scene(
            whole=part,
            left=part.copy(),
            hidden=behind[y0:y1, x0:x1].copy(),
            hidden_before=behind[y0:y1, x0:x1].copy(),
            edges=edges[y0:y1, x0:x1],
            origin_mm=origin_mm + np.array([x0, y0]),
            centre_mm=centre_mm,
        )
        found += _explained(scene, most)
    return found


@dataclass(slots=True, eq=False)
class _Scene:
    """One connected part while it is being explained: what is left of it, and what lies before it."""

    whole: Mask
    left: Mask
    hidden: Mask
    hidden_before: Mask
    edges: Reals
    origin_mm: Floats
    centre_mm: Floats
    _sharp: dict[int, Reals] = field(default_factory=dict)
    _hidden: Mask | None = None

    def sharp_within(self, side: int) -> Reals:
        """The sharpest change within a square of so many millimetres around each point."""
        if side not in self._sharp:
            self._sharp[side] = np.asarray(cv2.dilate(self.edges, np.ones((side, side), np.uint8)), dtype=np.float32)
        return self._sharp[side]

    @property
    def hidden_wider(self) -> Mask:
        """Where known things are, with a rim."""
        if self._hidden is None:
            self._hidden = np.asarray(cv2.dilate(self.hidden_before, np.ones((5, 5), np.uint8)), dtype=np.uint8)
        return self._hidden


def _explained(scene: _Scene, most: int) -> list[Shape]:
    """The shapes of a part; where a card would lie over bare felt in part, piles alone may explain it better."""
    afresh = replace(scene, left=scene.left.copy(), hidden=scene.hidden.copy())
    found = _one_by_one(scene, most)
    if not any(_is_doubtful_card(shape, scene) for shape in found):
        return found
    piles = _one_by_one(afresh, most, piles_only=True)
    return piles if piles and _cost(piles, scene) < _MUCH_BETTER * _cost(found, scene) else found


def _is_doubtful_card(shape: Shape, scene: _Scene) -> bool:
    """Whether a card lies over bare felt in part, and not all along its rim the picture changes."""
    if shape.kind != "card" or shape.spilt < _DOUBTFUL_CARD:
        return False
    corners = outline_mm(shape, scene.centre_mm) - scene.origin_mm
    sides = zip(corners, np.roll(corners, -1, axis=0), strict=True)
    rim = np.vstack([start + (end - start) * np.linspace(0, 1, _RIM_POINTS)[:, None] for start, end in sides])
    return _sharp_share(rim, scene, within=3) < _WHOLE_RIM


def _cost(shapes: list[Shape], scene: _Scene) -> float:
    """What shapes leave unexplained of a part and cover of bare felt, in square millimetres."""
    covered: Mask = np.zeros_like(scene.whole)
    for shape in shapes:
        covered |= _filled(outline_mm(shape, scene.centre_mm) - scene.origin_mm, scene.whole.shape)
    unexplained = cv2.countNonZero(cv2.bitwise_and(scene.whole, cv2.bitwise_not(covered)))
    bare = cv2.bitwise_not(cv2.bitwise_or(scene.whole, scene.hidden_before))
    return unexplained + _SPILL * cv2.countNonZero(cv2.bitwise_and(covered, bare))


def _one_by_one(scene: _Scene, most: int, *, piles_only: bool = False) -> list[Shape]:
    found: list[Shape] = []
    for _ in range(most):
        if cv2.countNonZero(scene.left) < _LEAST_PILE_MM2:
            break
        shapes = [] if piles_only else _all_that_is_left(scene)
        shapes = shapes or _best(scene, piles_only=piles_only)
        if not shapes:
            break
        for one in shapes:
            covered = _filled(outline_mm(one, scene.centre_mm) - scene.origin_mm, scene.left.shape)
            scene.left[cv2.dilate(covered, np.ones((5, 5), np.uint8)) > 0] = 0
            scene.hidden |= covered
        found += shapes
    return _needed(found, scene)


def _all_that_is_left(scene: _Scene) -> list[Shape]:
    """The one shape, or the two cards, that explain all that is left, where there are such."""
    shape = _alone(scene)
    return [shape] if shape else _two_cards(scene)


def _needed(found: list[Shape], scene: _Scene) -> list[Shape]:
    """Without the shapes whose part the others explain: one that lies across the gap between two was a chance fit."""
    kept = list(found)
    covers = _covers(found, scene.whole, scene.origin_mm, scene.centre_mm)
    for shape in found:
        own = _own_part(shape, scene.whole, [covers[id(other)] for other in kept if other is not shape], covers, rim=3)
        if cv2.countNonZero(own) < (_LEAST_CARD_MM2 if shape.kind == "card" else _LEAST_OWN_PILE_MM2):
            kept.remove(shape)
    return kept


def beside(shapes: list[Shape], mask: Mask, there: Mask, *, origin_mm: Floats, centre_mm: Floats) -> list[Shape]:
    """Return the shapes that explain something of a mask that neither the others nor cards known ``there`` explain.

    Rims as thin as a shadow, or as a gap between two cards, are nothing.
    """
    kept = list(shapes)
    covers = _covers(shapes, mask, origin_mm, centre_mm)
    for shape in shapes:
        others = [there, *(covers[id(one)] for one in kept if one is not shape)]
        own = _own_part(shape, mask, others, covers, rim=_BLURRED_MM)
        thick = cv2.morphologyEx(own, op=cv2.MORPH_OPEN, kernel=np.ones((_THIN_MM, _THIN_MM), np.uint8))
        if cv2.countNonZero(thick) < _LEAST_OWN_PILE_MM2:
            kept.remove(shape)
    return kept


def _covers(shapes: list[Shape], mask: Mask, origin_mm: Floats, centre_mm: Floats) -> dict[int, Mask]:
    """What each shape, by its id, covers of a mask's place."""
    return {id(shape): _filled(outline_mm(shape, centre_mm) - origin_mm, mask.shape) for shape in shapes}


def _own_part(shape: Shape, mask: Mask, others: list[Mask], covers: dict[int, Mask], *, rim: int) -> Mask:
    """What of a mask a shape covers and the others do not, with a rim so wide around them."""
    own = cv2.bitwise_and(mask, covers[id(shape)])
    for other in others:
        own[cv2.dilate(other, np.ones((rim, rim), np.uint8)) > 0] = 0
    return np.asarray(own, dtype=np.uint8)


def _is_good(shape: Shape) -> bool:
    least = _LEAST_CARD_MM2 / (63 * 88) if shape.kind == "card" else _LEAST_OF_PILE
    return shape.explained >= least and shape.spilt <= _MOST_SPILL


def _stands_apart(shape: Shape, scene: _Scene) -> bool:
    """Whether the picture changes along each side of a shape that is not hidden: a sleeve has no ends there."""
    outline = outline_mm(shape, scene.centre_mm) - scene.origin_mm
    if shape.kind == "card":
        return all(
            _is_sharp(start + (end - start) * np.linspace(0.08, 0.92, 40)[:, None], scene)
            for start, end in zip(outline, np.roll(outline, -1, axis=0), strict=True)
        )
    turns = np.arctan2(*(outline - outline.mean(axis=0)).T[::-1])
    return all(_is_sharp(outline[(turns >= turn) & (turns < turn + np.pi / 2)], scene) for turn in _QUARTERS)


def _is_sharp(points: Floats, scene: _Scene) -> bool:
    """Whether the picture changes at most of the points of a side; a side that is hidden tells nothing."""
    return _sharp_share(points, scene, within=5, least=len(points) / 4) >= _SIDE_SHARE


def _sharp_share(points: Floats, scene: _Scene, *, within: int, least: float = 0.0) -> float:
    """At which share of the points that are not hidden the picture changes; 1 if there are too few."""
    sharp, hidden = scene.sharp_within(within), scene.hidden_wider
    height, width = sharp.shape
    at = np.round(points).astype(int)
    at = at[((at >= 0) & (at < (width, height))).all(axis=1)]
    free = at[hidden[at[:, 1], at[:, 0]] == 0]
    if len(free) < max(3, least):
        return 1.0
    return float(np.mean(sharp[free[:, 1], free[:, 0]] >= _EDGE))


def _with_room(box: tuple[int, int, int, int], shape: tuple[int, ...]) -> tuple[int, int, int, int]:
    x0, y0, x1, y1 = box
    return (max(0, x0 - _ROOM_MM), max(0, y0 - _ROOM_MM), min(shape[1], x1 + _ROOM_MM), min(shape[0], y1 + _ROOM_MM))


def judged(shape: Shape, mask: Mask, *, behind: Mask, origin_mm: Floats, centre_mm: Floats) -> Shape:
    """Return the shape with the shares it explains and spills, measured at full fineness."""
    covered = _filled(outline_mm(shape, centre_mm) - origin_mm, mask.shape)
    area = max(1, cv2.countNonZero(covered))
    explained = cv2.countNonZero(cv2.bitwise_and(covered, mask)) / area
    known = cv2.countNonZero(cv2.bitwise_and(covered, cv2.bitwise_or(mask, behind))) / area
    return Shape(
        kind=shape.kind,
        xy_mm=shape.xy_mm,
        angle_deg=shape.angle_deg,
        chips=shape.chips,
        explained=explained,
        spilt=1.0 - known,
    )


def _alone(scene: _Scene) -> Shape | None:
    """The card or pile that explains all that is left by itself, where one does: no search is needed then."""
    rows, columns = np.nonzero(scene.left)
    points = np.stack([columns, rows], axis=1).astype(np.float64) + scene.origin_mm
    guesses = [*_card_like(points), *_pile_like(points, scene.centre_mm)]
    best: tuple[float, Shape] | None = None
    for guess in guesses:
        shape = _refined(guess, scene)
        shape = judged(shape, scene.left, behind=scene.hidden, origin_mm=scene.origin_mm, centre_mm=scene.centre_mm)
        covered = _filled(outline_mm(shape, scene.centre_mm) - scene.origin_mm, scene.left.shape)
        inside = cv2.countNonZero(cv2.bitwise_and(covered, scene.left)) / len(rows)
        fit = min(inside, shape.explained)
        if _stands_apart(shape, scene) and fit >= _ALONE and (best is None or fit > best[0]):
            best = (fit, shape)
    return None if best is None else best[1]


def _two_cards(scene: _Scene) -> list[Shape]:
    """Two cards of one angle, the upper one first, that explain all that is left, where there are such."""
    rows, columns = np.nonzero(scene.left)
    points = np.stack([columns, rows], axis=1).astype(np.float64) + scene.origin_mm
    best: tuple[float, list[Shape]] = (_TWO_CARDS, [])
    for pair in _pairs_like(points):
        covers = [_filled(outline_mm(card, scene.centre_mm) - scene.origin_mm, scene.left.shape) for card in pair]
        union = cv2.bitwise_or(*covers)
        known = cv2.countNonZero(cv2.bitwise_and(union, cv2.bitwise_or(scene.left, scene.hidden)))
        inside = cv2.countNonZero(cv2.bitwise_and(union, scene.left))
        fit = min(inside / len(rows), known / max(1, cv2.countNonZero(union)))
        best = max(best, (fit, pair), key=lambda one: one[0])
    upper = [card for card in best[1] if _stands_apart(card, scene)]
    return [
        judged(card, scene.left, behind=scene.hidden, origin_mm=scene.origin_mm, centre_mm=scene.centre_mm)
        for card in (sorted(best[1], key=lambda card: card not in upper) if upper else [])
    ]


def _pairs_like(points_mm: Floats) -> Iterator[list[Shape]]:
    """Pairs of cards in opposite corners of the smallest rectangle around the points, if overlapping ones fill it."""
    (x, y), size, angle = cv2.minAreaRect(points_mm.astype(np.float32))
    for (width, height), turned in ((size, float(angle)), (size[::-1], float(angle) + 90.0)):
        across, along = width - CARD_WIDTH_MM, height - CARD_HEIGHT_MM
        if not (-_LOOSE_MM < across < CARD_WIDTH_MM and -_LOOSE_MM < along < CARD_HEIGHT_MM):
            continue
        if np.hypot(max(across, 0.0), max(along, 0.0)) < _APART_MM:
            continue  # one card with its blurred rim is as large
        turn = np.radians(turned)
        axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        for side in (1, -1):
            step = np.array([max(across, 0.0), side * max(along, 0.0)]) / 2 @ axes
            yield [
                Shape(kind="card", xy_mm=(float(x + way * step[0]), float(y + way * step[1])), angle_deg=turned)
                for way in (1, -1)
            ]


def _card_like(points_mm: Floats) -> list[Shape]:
    """A card in the smallest rectangle around the points, if it has about a card's size."""
    (x, y), (width, height), angle = cv2.minAreaRect(points_mm.astype(np.float32))
    if not (_CARD_SIDES[0] < min(width, height) < _CARD_SIDES[1] < max(width, height) < _CARD_SIDES[2]):
        return []
    turned = float(angle) if width < height else float(angle) + 90.0
    return [Shape(kind="card", xy_mm=(float(x), float(y)), angle_deg=turned)]


def _pile_like(points_mm: Floats, centre_mm: Floats) -> list[Shape]:
    """A pile whose foot is where the points begin towards the camera, as high as they reach away from it."""
    middle = points_mm.mean(axis=0)
    away = middle - centre_mm[:2]
    away = away / max(1e-6, float(np.linalg.norm(away)))
    along, across = points_mm @ away, points_mm @ np.array([-away[1], away[0]])
    if float(np.ptp(across)) > _WIDEST_PILE_MM:
        return []
    side = (across.max() + across.min()) / 2
    foot = away * (along.min() + CHIP_RADIUS_MM) + np.array([-away[1], away[0]]) * side
    place = (float(foot[0]), float(foot[1]))
    reach = [float((pile_outline_mm(place, chips, centre_mm) @ away).max()) for chips in range(1, HIGHEST_PILE + 1)]
    chips = int(np.argmin(np.abs(np.array(reach) - along.max()))) + 1
    return [Shape(kind="chips", xy_mm=place, chips=chips)]


def _best(scene: _Scene, *, piles_only: bool = False) -> list[Shape]:
    """The possible shape with the largest gain, if any: explained less bare felt that it covers, and edges along it."""
    gains = _gain_map(scene.left, scene.hidden)
    tops: dict[str, tuple[float, Shape]] = {}
    for shape, gain in _coarse(gains, scene, angles=() if piles_only else _ANGLES):
        if shape.kind not in tops or gain > tops[shape.kind][0]:
            tops[shape.kind] = (gain, shape)
    for _, guess in sorted(tops.values(), key=lambda top: -top[0]):
        shape = _refined(guess, scene)
        shape = judged(shape, scene.left, behind=scene.hidden, origin_mm=scene.origin_mm, centre_mm=scene.centre_mm)
        if _is_good(shape) and _stands_apart(shape, scene):
            return [shape]
    return []


def _gain_map(left: Mask, hidden: Mask) -> Reals:
    """What a square of the coarse grid is worth to a shape that covers it."""
    value = np.where(left > 0, 1.0, np.where(hidden > 0, 0.0, -_SPILL)).astype(np.float32)
    small = cv2.resize(value, dsize=None, fx=1 / COARSE_MM, fy=1 / COARSE_MM, interpolation=cv2.INTER_AREA)
    return np.asarray(small * COARSE_MM * COARSE_MM, dtype=np.float32)


def _coarse(gains: Reals, scene: _Scene, *, angles: Sequence[int]) -> Iterator[tuple[Shape, float]]:
    """Yield for some angles of a card and every height of a pile the best place and its gain."""
    origin_mm, centre_mm = scene.origin_mm, scene.centre_mm
    sharp = cv2.resize(scene.edges, dsize=(gains.shape[1], gains.shape[0]), interpolation=cv2.INTER_AREA)
    for angle in angles:
        filled, rim = card_kernels(angle)
        score = _scored(gains, filled) + _scored(np.asarray(sharp, dtype=np.float32), rim) * (_EDGE_GAIN * COARSE_MM)
        (x, y), gain = _peak(score)
        if gain >= _LEAST_CARD_MM2:
            yield Shape(kind="card", xy_mm=_place(x, y, origin_mm), angle_deg=float(angle)), gain
    middle = origin_mm + np.array([scene.left.shape[1], scene.left.shape[0]]) / 2
    for chips in _HEIGHTS:
        kernel, offset = _pile_kernel(chips, middle, centre_mm)
        (x, y), gain = _peak(_scored(gains, kernel))
        if gain >= _LEAST_PILE_MM2:
            place = _place(x, y, origin_mm)
            spot = (place[0] + float(offset[0]), place[1] + float(offset[1]))
            yield Shape(kind="chips", xy_mm=spot, chips=chips), gain


def _scored(values: Reals, kernel: Reals) -> Reals:
    score = cv2.filter2D(values, ddepth=cv2.CV_32F, kernel=kernel, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(score, dtype=np.float32)


def _peak(score: Reals) -> tuple[tuple[int, int], float]:
    _, gain, _, (x, y) = cv2.minMaxLoc(score)
    return (int(x), int(y)), float(gain)


def _place(x: int, y: int, origin_mm: Floats) -> tuple[float, float]:
    half = (COARSE_MM - 1) / 2
    return (float(x * COARSE_MM + half + origin_mm[0]), float(y * COARSE_MM + half + origin_mm[1]))


def _pile_kernel(chips: int, middle: Floats, centre_mm: Floats) -> tuple[Reals, Floats]:
    outline = pile_outline_mm((float(middle[0]), float(middle[1])), chips, centre_mm) - middle
    return kernel_of(outline)


def _refined(shape: Shape, scene: _Scene) -> Shape:
    """Move, turn and resize a shape by ever smaller steps as long as its gain grows."""
    value = np.where(scene.left > 0, 1.0, np.where(scene.hidden > 0, 0.0, -_SPILL)).astype(np.float32)

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
        if 1 <= chips <= HIGHEST_PILE:
            yield Shape(kind=shape.kind, xy_mm=shape.xy_mm, chips=chips)


def _gain(shape: Shape, value: Reals, scene: _Scene) -> float:
    outline = outline_mm(shape, scene.centre_mm) - scene.origin_mm
    x0, y0 = np.floor(outline.min(axis=0)).astype(int) - 1
    x1, y1 = np.ceil(outline.max(axis=0)).astype(int) + 2
    height, width = value.shape
    if x0 < 0 or y0 < 0 or x1 > width or y1 > height:
        return -math.inf
    covered = _filled(outline - (x0, y0), (y1 - y0, x1 - x0))
    gain = float(value[y0:y1, x0:x1][covered > 0].sum())
    if shape.kind != "card":
        return gain
    rim: Mask = np.zeros_like(covered)
    points = np.round((outline - (x0, y0)) * 16).astype(np.int32)
    cv2.polylines(rim, pts=[points], isClosed=True, color=255, thickness=1, shift=4)
    return gain + _EDGE_GAIN * float(scene.edges[y0:y1, x0:x1][rim > 0].sum())


def _filled(outline_px: Floats, shape: tuple[int, ...]) -> Mask:
    mask: Mask = np.zeros(shape[:2], dtype=np.uint8)
    points = np.round(outline_px * 16).astype(np.int32)
    cv2.fillPoly(mask, pts=[points], color=255, shift=4)
    return mask
