"""Parts of the view from above: what of it is whose, and what it looks like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from models.felt_view import Reals
from models.motion import Blob, Mask, blobs

_TOUCH_MM: Final = 9
_DISC_MM: Final = (19, 30)
_ROUND: Final = 0.12
_OWN_MM2: Final = 200
_FLAT_LUMA: Final = 16.0
_FLAT_COLOUR: Final = 8.0
_FLAT_SHARE: Final = 0.8  # painted fields have 0.93 and more, piles of cheques up to 0.6
_EDGE_MM: Final = 9
_RIM_MM: Final = 13
_RIM_SHARE: Final = 0.12  # around it, where a cheque without spots ends: painted fields have 0.18 and more, piles 0.04
_SPARSE: Final = 16
_FEW_POINTS: Final = 200
_PLAIN_LUMA: Final = 14.0
_PLAIN_COLOUR: Final = 6.0
_PLAIN_SHARE: Final = 0.7


def is_disc(blob: Blob) -> bool:
    """Return whether a part is round and as large as the inlay of a cheque."""
    wide, high = blob.box[2] - blob.box[0], blob.box[3] - blob.box[1]
    is_round = abs(blob.area / (wide * high) - np.pi / 4) <= _ROUND and abs(wide - high) <= _ROUND * wide
    return is_round and _DISC_MM[0] <= min(wide, high) <= max(wide, high) <= _DISC_MM[1]


def without(left: Mask, covers: Sequence[Mask], number: int) -> Mask:
    """Return what of a mask one shape alone covers; all it covers if others share everything with it."""
    others = left.copy()
    for index, cover in enumerate(covers):
        if index != number:
            others[cover > 0] = 0
    own = cv2.countNonZero(cv2.bitwise_and(others, covers[number]))
    return others if own >= _OWN_MM2 else left


def touching(mask: Mask, places: Mask) -> Mask:
    """Return the connected parts of a mask that lie at the places."""
    wide = cv2.dilate(places, square(2 * _TOUCH_MM + 1))
    kept: Mask = np.zeros_like(mask)
    for blob in blobs(mask, least=30):
        x0, y0, x1, y1 = blob.box
        if cv2.countNonZero(cv2.bitwise_and(wide[y0:y1, x0:x1], blob.mask)):
            kept[y0:y1, x0:x1] |= blob.mask
    return kept


def square(side: int) -> Mask:
    """Return a kernel for masks."""
    return np.ones((side, side), dtype=np.uint8)


def wider(mask: Mask, by: int) -> Mask:
    """Return a mask that reaches so much farther in every direction."""
    return np.asarray(cv2.dilate(mask, square(2 * by + 1)), dtype=np.uint8) if cv2.hasNonZero(mask) else mask


def is_painted(seen: Reals, where: Mask) -> bool:
    """Return whether a part of a view lies within a field of one colour that is larger, as no pile of cheques does.

    Args:
        seen: the view (h, w, 3).
        where: the part.
    """
    part = seen[cv2.erode(where, square(_EDGE_MM)) > 0]
    rim = (cv2.dilate(where, square(_RIM_MM)) > 0) & (where == 0)
    if not len(part) or not rim.any():
        return False
    middle = np.median(part, axis=0)
    return _alike(part, middle) >= _FLAT_SHARE and _alike(seen[rim], middle) >= _RIM_SHARE


def is_plain(seen: Reals, where: Mask, out: Mask) -> bool:
    """Return whether a part of a view has the felt's colour nearly all over.

    Args:
        seen: the view (h, w, 3).
        where: the part.
        out: what stands out from the felt; the rest shows its colour.
    """
    felt, part = seen[(out == 0) & (where == 0)][::_SPARSE], seen[where > 0]
    if len(felt) < _FEW_POINTS or not len(part):
        return False
    apart = np.abs(part - np.median(felt, axis=0))
    plain = (apart[:, 0] <= _PLAIN_LUMA) & (apart[:, 1:] <= _PLAIN_COLOUR).all(axis=1)
    return bool(plain.mean() >= _PLAIN_SHARE)


def _alike(part: Reals, colour: Reals) -> float:
    """Return how much of some points (n, 3) has about that colour."""
    apart = np.abs(part - colour)
    return float(((apart[:, 0] <= _FLAT_LUMA) & (apart[:, 1:] <= _FLAT_COLOUR).all(axis=1)).mean())
