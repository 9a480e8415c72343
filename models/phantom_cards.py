"""What a detector takes for a card or a die in a picture, and is none: a box across two cards that overlap, print.

Only what could not be read is doubted: what a reader of faces names is one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.sighting import Sighting

_COVERED: Final = 0.85  # of a real card under others its own index, at least, lies free
_SOME_CARD: Final = 0.55  # surety of the detector from which one that was not read is told at all
_FINE_PX: Final = 100  # long side of the grid on which areas are compared


def without_phantoms(seen: Sequence[Sighting]) -> list[Sighting]:
    """Return what was seen without unread cards and dice that are hardly sure, and cards that read ones hide."""
    read = [one for one in seen if one.kind == "card" and one.face is not None]
    return [one for one in seen if not (_is_doubtful(one) or _straddles(one, read))]


def _is_doubtful(one: Sighting) -> bool:
    return one.kind in ("card", "die") and one.face is None and one.confidence < _SOME_CARD


def _straddles(one: Sighting, read: Sequence[Sighting]) -> bool:
    if one.kind != "card" or one.face is not None:
        return False
    surer = [card.polygon_px for card in read if card.confidence > one.confidence]
    return bool(surer) and share_under_all(one.polygon_px, surer) >= _COVERED


def share_under_all(outline: NDArray[np.float64], others: Sequence[NDArray[np.float64]]) -> float:
    """Return the share of an outline (4, 2) that other outlines cover together."""
    low = outline.min(axis=0)
    scale = _FINE_PX / max(float(np.ptp(outline, axis=0).max()), 1.0)

    def mask(some: Sequence[NDArray[np.float64]]) -> NDArray[np.uint8]:
        drawn = np.zeros((_FINE_PX + 1, _FINE_PX + 1), np.uint8)
        for points in some:
            cv2.fillConvexPoly(drawn, points=np.round((points - low) * scale).astype(np.int32), color=1)
        return drawn

    own = mask([outline])
    return float(np.count_nonzero(own & mask(others))) / max(float(np.count_nonzero(own)), 1.0)
