"""Two piles beside each other that stood out as one: taller than either, and no stack fits it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
_NO_ROOM_MM: Final = 31.0  # between the middles of two piles of 39 mm; what leans on a pile stands beside one alone
_TWO: Final = 2
_LEAST_LENGTH_MM: Final = 55  # of two piles, of which one may be half behind the other


def is_strange(one: Sighting) -> bool:
    """Return whether a thing has a pile's outline, and its side is hardly that of any stack there."""
    return one.kind == "chips" and _is_a_stack(one) < _HARDLY


def without_squeezed(found: list[Sighting]) -> list[Sighting]:
    """Return what was found without what is hardly read between two that are, and has no room there.

    A wager broken down into four reds and two whites, one pile before the other, was a third one between them.
    """
    piles = [one for one in found if one.kind == "chips"]
    read = [one for one in piles if _best(one) >= _SURELY]
    unread = [one for one in piles if _best(one) < _HARDLY]
    squeezed = [one for one in unread if sum(_leaves_no_room(one, pile) for pile in read) >= _TWO]
    return [one for one in found if one not in squeezed]


def with_room_beside(surely: Sequence[Sighting], others: Iterable[Sighting]) -> list[Sighting]:
    """Return the things of ``others`` that are no piles standing in one of the piles that are surely there."""
    return [one for one in others if one.kind != "chips" or not any(_leaves_no_room(one, pile) for pile in surely)]


def _best(pile: Sighting) -> float:
    return max((stack.p for stack in pile.stacks), default=0.0)


def _leaves_no_room(one: Sighting, pile: Sighting) -> bool:
    if one.xy_mm is None or pile.xy_mm is None:
        return False
    return float(np.hypot(one.xy_mm[0] - pile.xy_mm[0], one.xy_mm[1] - pile.xy_mm[1])) < _NO_ROOM_MM


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
