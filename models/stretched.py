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

from models.frames import Pixels
from models.sighting import Sighting

_WAYS: Final = ((4 / 3, 1.0), (16 / 9, 1.0), (1.0, 4 / 3))
"""How many times as wide and as high the picture is looked at again."""
_SAME: Final = 0.45
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
    return [*map(_told, cards), *(one for one in plain if one.kind not in _CARDS)]


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


def _telling(card: Sighting) -> tuple[bool, float, float]:
    """How much a sighting says: whether it was read, how surely, how surely it is a card."""
    return card.face is not None, max(card.faces.values(), default=0.0), card.confidence


def overlap(first: NDArray[Any], second: NDArray[Any]) -> float:
    """Return the intersection over union of two convex outlines (4, 2)."""
    one, other = (cv2.convexHull(outline.astype(np.float32)) for outline in (first, second))
    common = float(cv2.intersectConvexConvex(one, other)[0])
    return common / max(cv2.contourArea(one) + cv2.contourArea(other) - common, 1e-6)
