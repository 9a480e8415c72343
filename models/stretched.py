"""Photographs of which no camera is known: cards are looked for in the picture as it is, and as if taken otherwise.

Seen from aside a card looks shorter, and data sets of photographs are full of pictures that somebody squeezed into a
square, or that cut a card off at their edge. Such a card is neither found nor read for certain, so the picture is also
looked at wider, higher, smaller, turned and with a margin.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from audit.states import CARD_KINDS
from models.card_views import INDEX_AT, turned
from models.frames import Pixels
from models.sighting import Sighting

_MARGIN_GREY: Final = (90, 90, 90)
_OUTVOTES: Final = 3  # looks that agree for each one that does not
_SAME: Final = 0.45
_SAME_PLACE, _APART = 0.6, 0.2
_PIECE, _INSIDE = 0.75, 0.85  # a piece of a card is so much smaller, and lies so much within it

Look = Callable[[Pixels], list[Sighting]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """How a picture is looked at again: wider, higher, turned, with a margin (of its longer side)."""

    wide: float = 1.0
    high: float = 1.0
    turn_deg: float = 0.0
    margin: float = 0.0

    def matrix(self, width: int, height: int) -> tuple[NDArray[np.float64], tuple[int, int]]:
        """Return from pixels (of width x height) to the other picture's (3, 3), and that one's width and height."""
        turn = np.radians(self.turn_deg)
        turning = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        linear = turning @ np.diag([self.wide, self.high])
        corners = np.array([(0, 0), (width, 0), (width, height), (0, height)]) @ linear.T
        low, high = corners.min(axis=0), corners.max(axis=0)
        margin = self.margin * float((high - low).max())
        across, down = (round(float(side) + 2 * margin) for side in high - low)
        return np.vstack([np.column_stack([linear, margin - low]), (0.0, 0.0, 1.0)]), (across, down)


WAYS: Final = (
    Way(wide=4 / 3),
    Way(wide=16 / 9),
    Way(high=4 / 3),
    Way(wide=0.7, high=0.7),
    Way(turn_deg=20.0),
    Way(turn_deg=45.0),
    Way(margin=0.25),
)
INDEX_WAYS: Final = (Way(), Way(wide=4 / 3), Way(high=4 / 3))
_INDEX_SIDE_PX: Final = 1280  # of the picture's longer side: indices of photographed cards are 15 to 80 px high then
FEW_WAYS: Final = (Way(wide=4 / 3), Way(turn_deg=20.0), Way(turn_deg=45.0))
"""For a table camera's picture: nobody has squeezed it."""


def look_stretched(
    picture_bgr: Pixels,
    look: Look,
    again: Look | None = None,
    ways: Sequence[Way] = WAYS,
    indices: Look | None = None,
) -> list[Sighting]:
    """Return what lies in a picture, looked at as it is, and again for cards in some ways more.

    Another look may tell better what a card is; a card that is found there alone counts only if it was read.

    Args:
        picture_bgr: the picture.
        look: what looks at the picture as it is.
        again: what looks at the changed picture, if another; only cards count.
        ways: how it is changed.
        indices: what finds cards by their printed indices alone, if these are looked for; the index that was seen is
            that of the first corner.
    """
    plain = look(picture_bgr)
    cards = [[one] for one in plain if one.kind in CARD_KINDS]
    for way in ways:
        cards = _joined(cards, _seen(picture_bgr, again or look, way))
    found = [] if indices is None else _by_index(picture_bgr, indices)
    told = _told_with_indices(cards, found)
    return [*_each_once(told), *(one for one in plain if one.kind not in CARD_KINDS)]


def _by_index(picture_bgr: Pixels, indices: Look) -> list[list[Sighting]]:
    """The cards that are found by their printed indices, each as often as it is seen."""
    size = _INDEX_SIDE_PX / max(picture_bgr.shape[:2])
    cards: list[list[Sighting]] = []
    for way in INDEX_WAYS:
        cards = _joined(cards, _seen(picture_bgr, indices, replace(way, wide=way.wide * size, high=way.high * size)))
    return cards


def _seen(picture_bgr: Pixels, look: Look, way: Way) -> list[Sighting]:
    """The cards that a look at the changed picture finds, where they are in the picture as it is."""
    height, width = picture_bgr.shape[:2]
    matrix, size = way.matrix(width, height)
    changed = cv2.warpAffine(picture_bgr, matrix[:2], size, borderMode=cv2.BORDER_CONSTANT, borderValue=_MARGIN_GREY)
    back = np.linalg.inv(matrix)[:2]
    found = (one for one in look(np.asarray(changed, dtype=np.uint8)) if one.kind in CARD_KINDS)
    return [replace(one, polygon_px=one.polygon_px @ back[:, :2].T + back[:, 2]) for one in found]


def _joined(known: Sequence[list[Sighting]], new: Sequence[Sighting]) -> list[list[Sighting]]:
    """Add to the sightings of each card at most one of another look; what is left over is new if it was read."""
    same = _same_cards(known, [[one] for one in new])
    result = [[*card, new[same[a]]] if a in same else list(card) for a, card in enumerate(known)]
    return result + [[one] for b, one in enumerate(new) if b not in same.values() and one.face is not None]


def _told_with_indices(cards: Sequence[list[Sighting]], found: Sequence[list[Sighting]]) -> list[Sighting]:
    """What looks tell of each card, and what cards that are found by their indices add.

    An index that says another card than the looks do, and is not where they have theirs, is that of a card beneath;
    one of a card that the looks have read says nothing of an unread one that has its own elsewhere.
    """
    read, new = [_told(card) for card in cards], [_told(card) for card in found]
    elsewhere = [any(_is_again(one, other) for other in read) for one in new]
    same = {
        a: b for a, b in _same_cards(cards, found).items() if not (_is_another(read[a], new[b], known=elsewhere[b]))
    }
    told = [_told(card, found[same[a]] if a in same else ()) for a, card in enumerate(cards)]
    return told + [new[b] for b in range(len(found)) if b not in same.values()]


def _is_another(card: Sighting, found: Sighting, *, known: bool) -> bool:
    """Whether a card that is found by its index is another one than looks tell; ``known``: one that was read."""
    differs = known if card.face is None else card.face != found.face
    apart = np.linalg.norm(_indices(card.polygon_px) - _indices(found.polygon_px)[0], axis=1).min()
    wide = min(float(np.linalg.norm(quad[1] - quad[0])) for quad in (card.polygon_px, found.polygon_px))
    return differs and float(apart) > _APART * wide


def _same_cards(known: Sequence[list[Sighting]], new: Sequence[list[Sighting]]) -> dict[int, int]:
    """Which of other cards (values) each of some cards (keys) is, if any, by where they lie; the likest pairs first."""
    places, others = ([max(card, key=_telling).polygon_px for card in cards] for cards in (known, new))
    pairs = [(overlap(place, other), a, b) for a, place in enumerate(places) for b, other in enumerate(others)]
    same: dict[int, int] = {}
    for share, a, b in sorted(pairs, reverse=True):
        if share >= _SAME and a not in same and b not in same.values():
            same[a] = b
    return same


def _told(looks: Sequence[Sighting], by_index: Sequence[Sighting] = ()) -> Sighting:
    """The sighting of a card that tells most; an index says what the card is, a look at all of it where it lies.

    Sightings that read different cards leave it unread, unless three of them or more agree for each that does not.
    """
    faces = Counter(one.face for one in (*looks, *by_index) if one.face is not None)
    best = max(looks, key=_telling)
    if not faces:
        return best
    face, votes = faces.most_common(1)[0]
    if votes < _OUTVOTES * (faces.total() - votes):
        return replace(best, face=None)
    read = [one for one in looks if one.face == face] or [one for one in by_index if one.face == face]
    return max(read, key=_telling)


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
    if _area(this) < _PIECE * _area(known) and _common(this, known) > _INSIDE * _area(this):
        return card.face in (None, other.face)
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
