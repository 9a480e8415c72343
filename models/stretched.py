"""Photographs of which no camera is known: cards are looked for as they are, and as if they had been squeezed.

Seen from aside a card looks shorter, and data sets of photographs are full of pictures that somebody squeezed into a
square. Such a card is neither found nor read for certain, so the picture is also looked at wider, and higher.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.card_views import INDEX_AT, turned
from models.frames import Pixels
from models.sighting import Sighting

_WAYS: Final = ((4 / 3, 1.0), (16 / 9, 1.0), (1.0, 4 / 3))
"""How many times as wide and as high the picture is looked at again."""
_SAME: Final = 0.45
_SAME_PLACE, _APART = 0.6, 0.2
_PIECE, _INSIDE = 0.75, 0.85  # a piece of a card is so much smaller, and lies so much within it
_CARDS: Final = ("card", "card_back")

Look = Callable[[Pixels], list[Sighting]]


def look_stretched(picture_bgr: Pixels, look: Look) -> list[Sighting]:
    """Return what lies in a picture.

    All but cards is seen in the picture as it is. A stretched picture may tell better what a card is; a card that is
    found there alone counts only if it was read.
    """
    plain = look(picture_bgr)
    cards = [[one] for one in plain if one.kind in _CARDS]
    for wide, high in _WAYS:
        height, width = picture_bgr.shape[:2]
        size = (round(width * wide), round(height * high))
        stretched = np.asarray(cv2.resize(picture_bgr, dsize=size, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)
        shares = np.array([width / size[0], height / size[1]])
        found = [replace(one, polygon_px=one.polygon_px * shares) for one in look(stretched) if one.kind in _CARDS]
        cards = _joined(cards, found)
    return [*_each_once([_told(card) for card in cards]), *(one for one in plain if one.kind not in _CARDS)]


def _joined(known: Sequence[list[Sighting]], new: Sequence[Sighting]) -> list[list[Sighting]]:
    """Add to the sightings of each card at most one of another look; what is left over is new if it was read."""
    result, free = [list(card) for card in known], set(range(len(new)))
    places = [max(card, key=_telling).polygon_px for card in known]
    pairs = [(overlap(place, other.polygon_px), a, b) for a, place in enumerate(places) for b, other in enumerate(new)]
    taken: set[int] = set()
    for share, a, b in sorted(pairs, reverse=True):
        if share >= _SAME and a not in taken and b in free:
            taken.add(a)
            free.remove(b)
            result[a].append(new[b])
    return result + [[new[b]] for b in sorted(free) if new[b].face is not None]


def _told(card: Sequence[Sighting]) -> Sighting:
    """The sighting of a card that tells most; if some were read as different cards, the card is not read."""
    best = max(card, key=_telling)
    faces = {one.face for one in card} - {None}
    return replace(best, face=None) if len(faces) > 1 else best


def _each_once(cards: Sequence[Sighting]) -> list[Sighting]:
    """Leave out cards that are another one, or a piece of it, seen again; those that tell more stay."""
    kept: list[Sighting] = []
    for one in sorted(cards, key=_telling, reverse=True):
        if not any(_is_again(one, other) for other in kept):
            kept.append(one)
    return kept


def _is_again(card: Sighting, other: Sighting) -> bool:
    """Whether a card is another one of which more is told: read the same at the same place, or a piece of a read one.

    Two cards of one shoe that are the same lie at least a fifth of a card's width apart: both indices are seen.
    """
    if other.face is None:
        return False
    this, known = card.polygon_px, other.polygon_px
    if card.face is None:
        return _area(this) < _PIECE * _area(known) and _common(this, known) > _INSIDE * _area(this)
    same_place = overlap(this, known) >= _SAME_PLACE or _indices_apart(this, known) <= _APART
    return card.face == other.face and same_place


def _indices_apart(first: NDArray[Any], second: NDArray[Any]) -> float:
    """How far the nearest printed indices of two cards are apart, in widths of the smaller one."""
    apart = np.linalg.norm(_indices(first)[:, None] - _indices(second)[None], axis=2)
    wide = min(float(np.linalg.norm(quad[1] - quad[0])) for quad in (first, second))
    return float(apart.min()) / max(wide, 1e-6)


def _indices(quad: NDArray[Any]) -> NDArray[Any]:
    """Where the indices are printed (2, 2) of a card held upright (4, 2)."""
    along, down = INDEX_AT
    ends = (quad, turned(quad))
    return np.stack([end[0] + along * (end[1] - end[0]) + down * (end[3] - end[0]) for end in ends])


def _telling(card: Sighting) -> tuple[bool, float, float]:
    """How much a sighting says: whether it was read, how surely, how surely it is a card."""
    return card.face is not None, max(card.faces.values(), default=0.0), card.confidence


def overlap(first: NDArray[Any], second: NDArray[Any]) -> float:
    """Return the intersection over union of two convex outlines (4, 2)."""
    shared = _common(first, second)
    return shared / max(_area(first) + _area(second) - shared, 1e-6)


def _common(first: NDArray[Any], second: NDArray[Any]) -> float:
    one, other = (cv2.convexHull(outline.astype(np.float32)) for outline in (first, second))
    return float(cv2.intersectConvexConvex(one, other)[0])


def _area(outline: NDArray[Any]) -> float:
    return float(cv2.contourArea(cv2.convexHull(outline.astype(np.float32))))
