"""Photographs of which no camera is known: cards are looked for as they are, and as if they had been squeezed.

Seen from aside a card looks shorter, and data sets of photographs are full of pictures that somebody squeezed into a
square. Such a card is neither found nor read for certain, so the picture is also looked at wider, and higher.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from models.camera import Floats
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
    cards = [one for one in plain if one.kind in _CARDS]
    for wide, high in _WAYS:
        height, width = picture_bgr.shape[:2]
        size = (round(width * wide), round(height * high))
        stretched = np.asarray(cv2.resize(picture_bgr, dsize=size, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)
        shares = np.array([width / size[0], height / size[1]])
        found = [replace(one, polygon_px=one.polygon_px * shares) for one in look(stretched) if one.kind in _CARDS]
        cards = _joined(cards, found)
    return [*cards, *(one for one in plain if one.kind not in _CARDS)]


def _joined(known: Sequence[Sighting], new: Sequence[Sighting]) -> list[Sighting]:
    """Pair each card with at most one of another look and keep the one that tells more."""
    result, free = list(known), set(range(len(new)))
    pairs = [
        (overlap(one.polygon_px, other.polygon_px), a, b) for a, one in enumerate(known) for b, other in enumerate(new)
    ]
    taken: set[int] = set()
    for share, a, b in sorted(pairs, reverse=True):
        if share >= _SAME and a not in taken and b in free:
            taken.add(a)
            free.remove(b)
            result[a] = max(known[a], new[b], key=_telling)
    return result + [new[b] for b in sorted(free) if new[b].face is not None]


def _telling(card: Sighting) -> tuple[bool, float, float]:
    """How much a sighting says: whether it was read, how surely, how surely it is a card."""
    return card.face is not None, max(card.faces.values(), default=0.0), card.confidence


def overlap(first: Floats, second: Floats) -> float:
    """Return the intersection over union of two convex outlines (4, 2)."""
    one, other = (cv2.convexHull(outline.astype(np.float32)) for outline in (first, second))
    common = float(cv2.intersectConvexConvex(one, other)[0])
    return common / max(cv2.contourArea(one) + cv2.contourArea(other) - common, 1e-6)
