"""Explains what stands out from the felt by things of known size: cards of 63 x 88 mm and piles of chips of 39 mm.

Works in the view from above at one pixel a millimetre (``models.felt_shapes``, ``models.shape_search``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from models.camera import Floats
from models.cheque_size import CHIP_RADIUS_MM, HIGHEST_STACK
from models.felt_shapes import Shape, filled, outline_mm, pile_outline_mm
from models.motion import Mask, blobs
from models.shape_search import LEAST_CARD_MM2, LEAST_PILE_MM2, SPILL, Reals, Scene, likeliest, refined
from models.sighting import CARD_HEIGHT_MM, CARD_WIDTH_MM

_LEAST_OWN_PILE_MM2: Final = 350.0
_LEAST_OF_PILE: Final = 0.5
_MOST_SPILL: Final = 0.22
_DOUBTFUL_CARD: Final = 0.1  # of a card lies over bare felt
_LITTLE_SEEN: Final = 0.5  # of a card: the rest would be behind what was there before
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


def explain(
    mask: Mask,
    *,
    behind: Mask,
    edges: Reals,
    origin_mm: Floats,
    centre_mm: Floats,
    feet_mm: Sequence[tuple[float, float]] = (),
    most: int = 12,
) -> list[Shape]:
    """Return the shapes that explain a mask, each connected part of it by itself, the largest gain first.

    Args:
        mask: What stands out and is not explained by known things.
        behind: Where known things are, so that something may be hidden under them.
        edges: How sharply the picture changes, 0 to 1, so that of two equal fits the one along edges wins.
        origin_mm: The felt point of the masks' pixel (0, 0).
        centre_mm: Where the camera is.
        feet_mm: Where piles stand that were there before: nothing that came since lies under them.
        most: How many shapes at most in one part.
    """
    found: list[Shape] = []
    for blob in blobs(mask, least=int(LEAST_PILE_MM2 / 2)):
        if blob.area > _LARGEST_MM2:
            continue
        box = _with_room(blob.box, mask.shape)
        x0, y0, x1, y1 = box
        part = blob.on((mask.shape[0], mask.shape[1]))[y0:y1, x0:x1]
        scene = Scene(
            whole=part,
            left=part.copy(),
            hidden=behind[y0:y1, x0:x1].copy(),
            hidden_before=behind[y0:y1, x0:x1].copy(),
            edges=edges[y0:y1, x0:x1],
            origin_mm=origin_mm + np.array([x0, y0]),
            centre_mm=centre_mm,
            feet_mm=tuple(feet_mm),
        )
        found += _explained(scene, most)
    return found


def _explained(scene: Scene, most: int) -> list[Shape]:
    """The shapes of a part; where a card would hardly show, or lie over felt, piles alone may explain it better."""
    afresh = replace(scene, left=scene.left.copy(), hidden=scene.hidden.copy())
    found = _one_by_one(scene, most)
    if not any(is_doubtful_card(shape, scene) for shape in found):
        return found
    piles = _one_by_one(afresh, most, piles_only=True)
    return piles if piles and _cost(piles, scene) < _MUCH_BETTER * _cost(found, scene) else found


def is_doubtful_card(shape: Shape, scene: Scene) -> bool:
    """Whether a card is mostly hidden, or lies over bare felt in part without a rim along which the picture changes."""
    if shape.kind != "card":
        return False
    if shape.spilt < _DOUBTFUL_CARD:
        return shape.explained < _LITTLE_SEEN
    corners = outline_mm(shape, scene.centre_mm) - scene.origin_mm
    sides = zip(corners, np.roll(corners, -1, axis=0), strict=True)
    rim = np.vstack([start + (end - start) * np.linspace(0, 1, _RIM_POINTS)[:, None] for start, end in sides])
    return _sharp_share(rim, scene, within=3) < _WHOLE_RIM


def _cost(shapes: list[Shape], scene: Scene) -> float:
    """What shapes leave unexplained of a part and cover of bare felt, in square millimetres."""
    covered: Mask = np.zeros_like(scene.whole)
    for shape in shapes:
        covered |= filled(outline_mm(shape, scene.centre_mm) - scene.origin_mm, scene.whole.shape)
    unexplained = cv2.countNonZero(cv2.bitwise_and(scene.whole, cv2.bitwise_not(covered)))
    bare = cv2.bitwise_not(cv2.bitwise_or(scene.whole, scene.hidden_before))
    return unexplained + SPILL * cv2.countNonZero(cv2.bitwise_and(covered, bare))


def _one_by_one(scene: Scene, most: int, *, piles_only: bool = False) -> list[Shape]:
    found: list[Shape] = []
    for _ in range(most):
        if cv2.countNonZero(scene.left) < LEAST_PILE_MM2:
            break
        shapes = [] if piles_only else _all_that_is_left(scene)
        shapes = shapes or _best(scene, piles_only=piles_only)
        if not shapes:
            break
        for one in shapes:
            covered = filled(outline_mm(one, scene.centre_mm) - scene.origin_mm, scene.left.shape)
            scene.left[cv2.dilate(covered, np.ones((5, 5), np.uint8)) > 0] = 0
            scene.hidden |= covered
        found += shapes
    return _needed(found, scene)


def _all_that_is_left(scene: Scene) -> list[Shape]:
    """The one shape, or the two cards, that explain all that is left, where there are such."""
    shape = _alone(scene)
    return [shape] if shape else _two_cards(scene)


def _needed(found: list[Shape], scene: Scene) -> list[Shape]:
    """Without the shapes whose part the others explain: one that lies across the gap between two was a chance fit."""
    kept = list(found)
    covers = _covers(found, scene.whole, scene.origin_mm, scene.centre_mm)
    for shape in found:
        own = _own_part(shape, scene.whole, [covers[id(other)] for other in kept if other is not shape], covers, rim=3)
        if cv2.countNonZero(own) < (LEAST_CARD_MM2 if shape.kind == "card" else _LEAST_OWN_PILE_MM2):
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
    return {id(shape): filled(outline_mm(shape, centre_mm) - origin_mm, mask.shape) for shape in shapes}


def _own_part(shape: Shape, mask: Mask, others: list[Mask], covers: dict[int, Mask], *, rim: int) -> Mask:
    """What of a mask a shape covers and the others do not, with a rim so wide around them."""
    own = cv2.bitwise_and(mask, covers[id(shape)])
    for other in others:
        own[cv2.dilate(other, np.ones((rim, rim), np.uint8)) > 0] = 0
    return np.asarray(own, dtype=np.uint8)


def _is_good(shape: Shape) -> bool:
    least = LEAST_CARD_MM2 / (63 * 88) if shape.kind == "card" else _LEAST_OF_PILE
    return shape.explained >= least and shape.spilt <= _MOST_SPILL


def _stands_apart(shape: Shape, scene: Scene) -> bool:
    """Whether the picture changes along each side of a shape that is not hidden: a sleeve has no ends there."""
    outline = outline_mm(shape, scene.centre_mm) - scene.origin_mm
    if shape.kind == "card":
        return all(
            _is_sharp(start + (end - start) * np.linspace(0.08, 0.92, 40)[:, None], scene)
            for start, end in zip(outline, np.roll(outline, -1, axis=0), strict=True)
        )
    turns = np.arctan2(*(outline - outline.mean(axis=0)).T[::-1])
    return all(_is_sharp(outline[(turns >= turn) & (turns < turn + np.pi / 2)], scene) for turn in _QUARTERS)


def _is_sharp(points: Floats, scene: Scene) -> bool:
    """Whether the picture changes at most of the points of a side; a side that is hidden tells nothing."""
    return _sharp_share(points, scene, within=5, least=len(points) / 4) >= _SIDE_SHARE


def _sharp_share(points: Floats, scene: Scene, *, within: int, least: float = 0.0) -> float:
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
    covered = filled(outline_mm(shape, centre_mm) - origin_mm, mask.shape)
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


def _alone(scene: Scene) -> Shape | None:
    """The card or pile that explains all that is left by itself, where one does: no search is needed then."""
    rows, columns = np.nonzero(scene.left)
    points = np.stack([columns, rows], axis=1).astype(np.float64) + scene.origin_mm
    guesses = [*_card_like(points), *_pile_like(points, scene.centre_mm)]
    best: tuple[float, Shape] | None = None
    for guess in guesses:
        shape = refined(guess, scene)
        shape = judged(shape, scene.left, behind=scene.hidden, origin_mm=scene.origin_mm, centre_mm=scene.centre_mm)
        covered = filled(outline_mm(shape, scene.centre_mm) - scene.origin_mm, scene.left.shape)
        inside = cv2.countNonZero(cv2.bitwise_and(covered, scene.left)) / len(rows)
        fit = min(inside, shape.explained)
        if _stands_apart(shape, scene) and fit >= _ALONE and (best is None or fit > best[0]):
            best = (fit, shape)
    return None if best is None else best[1]


def _two_cards(scene: Scene) -> list[Shape]:
    """Two cards of one angle, the upper one first, that explain all that is left, where there are such."""
    rows, columns = np.nonzero(scene.left)
    points = np.stack([columns, rows], axis=1).astype(np.float64) + scene.origin_mm
    best: tuple[float, list[Shape]] = (_TWO_CARDS, [])
    for pair in _pairs_like(points):
        covers = [filled(outline_mm(card, scene.centre_mm) - scene.origin_mm, scene.left.shape) for card in pair]
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
    reach = [float((pile_outline_mm(place, chips, centre_mm) @ away).max()) for chips in range(1, HIGHEST_STACK + 1)]
    chips = int(np.argmin(np.abs(np.array(reach) - along.max()))) + 1
    return [Shape(kind="chips", xy_mm=place, chips=chips)]


def _best(scene: Scene, *, piles_only: bool = False) -> list[Shape]:
    """The possible shape with the largest gain, if any: explained less bare felt that it covers, and edges along it."""
    for guess in likeliest(scene, piles_only=piles_only):
        shape = refined(guess, scene)
        shape = judged(shape, scene.left, behind=scene.hidden, origin_mm=scene.origin_mm, centre_mm=scene.centre_mm)
        if _is_good(shape) and _stands_apart(shape, scene):
            return [shape]
    return []
