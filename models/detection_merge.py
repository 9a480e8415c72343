"""Which of several rectangles are the same object.

Cards of one hand overlap by more than half, so overlap alone does not make two rectangles one object. Within one look
only nearly equal rectangles are merged; between looks at different scales each rectangle is paired with at most one of
the other look.
"""

from __future__ import annotations

import math
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.kinds import KINDS

Reals = NDArray[np.float32]
_TRIANGLE: Final = 3
_SAME_LOOK: Final = 0.6  # two cards 8 mm and 15 mm apart overlap by 0.57; one card found twice mostly by more
_OTHER_LOOK: Final = 0.45
_CARDS: Final = (KINDS.index("card"), KINDS.index("card_back"))
_ALIKE: Final = 0.6  # in powers of 2
_TOO_DIFFERENT: Final = 1.15
_LEAST_ACROSS: Final = 0.15
_MOST_ACROSS: Final = 0.72
_PIP_SHARE: Final = 0.3  # of a card's length: the largest dice are longer
_GROUP: Final = np.array([int(kind == "hand") for kind in KINDS])  # two things can share a place only if one is a hand


def overlap(first: Reals, second: Reals) -> float:
    """Return the intersection over union of two rectangles (x, y, width, height, angle in radians)."""
    if np.hypot(*(first[:2] - second[:2])) > (np.hypot(*first[2:4]) + np.hypot(*second[2:4])) / 2:
        return 0.0
    a, b = (((float(r[0]), float(r[1])), (float(r[2]), float(r[3])), float(np.degrees(r[4]))) for r in (first, second))
    shared = cv2.rotatedRectangleIntersection(a, b)[1]
    if shared is None or len(shared) < _TRIANGLE:
        return 0.0
    common = cv2.contourArea(cv2.convexHull(shared))
    return float(common / max(first[2] * first[3] + second[2] * second[3] - common, 1e-6))


def suppress(rows: Reals, same: float = _SAME_LOOK) -> Reals:
    """Return rows (n, 7) without those that nearly equal a more certain one."""
    rows = rows[np.argsort(-rows[:, 5], kind="stable")]
    groups = _GROUP[rows[:, 6].astype(int)]
    kept: list[int] = []
    for k in range(len(rows)):
        if all(groups[j] != groups[k] or overlap(rows[j], rows[k]) < same for j in kept):
            kept.append(k)
    return rows[kept]


def join_passes(passes: list[Reals]) -> Reals:
    """Join the looks at several scales; what two of them show is kept once, as the more certain one saw it."""
    joined = np.zeros((0, 7), np.float32)
    for rows in passes:
        joined = _joined(joined, rows)
    return suppress(joined)


def of_one_size(rows: Reals, card_px: float | None) -> Reals:
    """Return rows without what cannot be, compared with the cards: pieces of cards, pips as dice, rings as chips.

    Cards are all of one size, and pictures are seldom so steep that one looks more than twice as long as another. How
    long they are is ``card_px``, or what most of the card area that was found says.
    """
    cards = np.isin(rows[:, 6], _CARDS)
    length = rows[:, 2:4].max(axis=1)
    if not cards.any():
        return rows
    steps = np.log2(np.maximum(length, 1.0))
    if card_px is None:
        weight = np.where(cards, rows[:, 5] * length, 0.0)
        votes = (weight * (np.abs(steps[:, None] - steps) < _ALIKE)).sum(axis=1)
        usual = steps[int(np.argmax(np.where(cards, votes, -1.0)))]
    else:
        usual = math.log2(card_px)
    pip = (rows[:, 6] == KINDS.index("die")) & (length < _PIP_SHARE * 2**usual)
    on_card = np.array([_lies_on(row, rows[cards]) for row in rows], bool)
    pile = rows[:, 6] == KINDS.index("chips")
    fitting = np.where(pile, _could_be_chips(rows[:, 2:4].min(axis=1) / 2**usual), ~(pip & on_card))
    kept = np.where(cards, np.abs(steps - usual) < _TOO_DIFFERENT, fitting)
    return np.asarray(rows[kept], np.float32)


def _could_be_chips(across: NDArray[np.floating[Any]]) -> NDArray[np.bool_]:
    """Say which widths, in lengths of a card, a pile may have: a chip is 0.44 wide, a printed ring is wider."""
    return np.asarray((across > _LEAST_ACROSS) & (across < _MOST_ACROSS))


def _lies_on(row: Reals, cards: Reals) -> bool:
    along, across = np.cos(cards[:, 4]), np.sin(cards[:, 4])
    dx, dy = row[0] - cards[:, 0], row[1] - cards[:, 1]
    inside = (np.abs(dx * along + dy * across) < cards[:, 2] / 2) & (np.abs(dy * along - dx * across) < cards[:, 3] / 2)
    return bool(inside.any())


def _joined(known: Reals, new: Reals) -> Reals:
    shares = np.array([[overlap(a, b) for b in new] for a in known]).reshape(len(known), len(new))
    shares[_GROUP[known[:, 6].astype(int)][:, None] != _GROUP[new[:, 6].astype(int)][None]] = 0.0
    result, used = known.copy(), np.zeros(len(new), bool)
    while shares.size and shares.max() >= _OTHER_LOOK:
        a, b = np.unravel_index(int(shares.argmax()), shares.shape)
        if new[b, 5] > known[a, 5]:
            result[a] = new[b]
        used[b] = True
        shares[a], shares[:, b] = 0.0, 0.0
    return np.concatenate([result, new[~used]])
