"""Two piles beside each other that stood out as one: taller than either, and no stack fits it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import cv2
import numpy as np

from models.motion import Mask
from models.sighting import Sighting

_HARDLY: Final = 0.8
_SURELY: Final = 0.9
_RATHER: Final = 0.75
_BY_FAR: Final = 0.3
_MIDDLE: Final = (0.3, 0.7)  # of its length: where the waist of two piles is
_LEAST_LENGTH_MM: Final = 55  # of two piles, of which one may be half behind the other


def is_strange(one: Sighting) -> bool:
    """Return whether a thing has a pile's outline, and its side is hardly that of any stack there."""
    return one.kind == "chips" and _is_a_stack(one) < _HARDLY


def explains_better(again: Iterable[Sighting], instead: Iterable[Sighting] = ()) -> bool:
    """Return whether all piles of a second explanation of what seemed strange are stacks, of whatever number.

    Or nearly so, and far rather than the strangest of what was seen instead.
    """
    least, before = (
        min((_is_a_stack(one) for one in some if one.kind == "chips"), default=1.0) for some in (again, instead)
    )
    return least >= _SURELY or (least >= _RATHER and least - before >= _BY_FAR)


def _is_a_stack(one: Sighting) -> float:
    return sum(stack.p for stack in one.stacks)


def parted(mask: Mask) -> tuple[Mask, Mask] | None:
    """Return the two parts of what stands out on both sides of its waist, None if it is no longer than a pile.

    Args:
        mask: one pixel a millimetre of the felt.
    """
    rows, columns = np.nonzero(mask)
    if len(rows) < _LEAST_LENGTH_MM:
        return None
    points = np.stack([columns, rows], axis=1).astype(np.float64)
    _, _, axes = np.linalg.svd(points - points.mean(axis=0), full_matrices=False)
    along = (points - points.mean(axis=0)) @ axes[0]
    along -= along.min()
    if along.max() < _LEAST_LENGTH_MM:
        return None
    widths = cv2.blur(np.bincount(along.astype(np.int64)).astype(np.float32), ksize=(1, 5)).ravel()
    first, last = (round(share * float(along.max())) for share in _MIDDLE)
    cut = first + int(np.argmin(widths[first : last + 1]))
    one: Mask = np.zeros_like(mask)
    one[rows[along < cut], columns[along < cut]] = 255
    return one, np.asarray(cv2.bitwise_and(mask, cv2.bitwise_not(one)), dtype=np.uint8)
