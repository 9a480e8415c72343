"""How many chips a pile has, asked in boxes of every likely number under its top.

A reader of stacks trusts its box: in one that is a chip too high it finds a chip more, and surely, and outlines leave
out dark feet and hidden ones, or take a shadow for a chip. The true number is what is found in the box of that number
and hardly less in one a chip lower; the outline's own box is but one witness more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.cheque_size import HIGHEST_STACK
from models.outline import Outline

_FEWER, _MORE = 2, 3  # than the outline's box, chips: feet are left out more often than invented
_IN_ITS_OWN: Final = 0.36
_ONE_LOWER: Final = 0.36
_AS_OUTLINED: Final = 0.24
_FELT: Final = 0.96  # how much felt under a pile counts; what an outline says of a height counts as it is
"""All of them, and ``_BEYOND``, chosen with the network of 2026-11-29 on 474 looks at piles of runs: the number is
likeliest right for 441, with 0.9 for 368, wrongly for 1 (442, 357 and 5 with the network and the weights before)."""
_BEYOND: Final = 0.21  # what a box much too low says at least of a number whose foot it does not hold
_NAMED: Final = 0.05
_UNSEEN: Final = 0.03  # what a box says that was not looked at, of a number that the outline names
_FLOOR: Final = 5e-4
_NOT_ASKED: Final = 0.3  # found in a box that was not looked at
_LIKELY: Final = 0.03
_MOST: Final = 3
_HIGHER: Final = 0.6

Candidates = Sequence[tuple[tuple[str, ...], float]]
Shares = NDArray[np.float64]


def numbers_asked(box_chips: float, likeliest: int) -> range:
    """Return the numbers of chips of which boxes are looked at.

    Args:
        box_chips: how high the outline's box is.
        likeliest: the number that was read in it.
    """
    outlined = round(box_chips)
    low, high = min(outlined - _FEWER, likeliest - 1), max(outlined + _MORE, likeliest + 1)
    return range(max(1, low), min(HIGHEST_STACK, high) + 1)


def numbers_beyond(told: Mapping[int, Shares]) -> range:
    """Return the numbers to ask about, too, where even the highest box that was looked at holds but a part of a pile.

    Args:
        told: for the box of each number how likely each number (HIGHEST_STACK + 1,) is as read there.
    """
    highest = max(told)
    shares = told[highest]
    if float(shares[highest + 1 :].sum()) < _HIGHER:
        return range(0)
    return range(highest + 1, min(HIGHEST_STACK, int(np.argmax(shares)) + 1) + 1)


def number_chances(
    told: Mapping[int, Shares],
    outlined: Shares,
    box_chips: float,
    felt: Mapping[int, float] | None = None,
    outline: Outline | None = None,
) -> dict[int, float]:
    """Return how likely each number of chips is that has a box, together 1, or less if an outline names another one.

    Args:
        told: for the box of each number how likely each number (HIGHEST_STACK + 1,) is as read there.
        outlined: the same as read in the outline's box.
        box_chips: how high that is.
        felt: for the box of each number what speaks for felt right under it, or against: ``models.felt_below``.
        outline: the pile's, which counts most where its foot stands on print.
    """
    seen = np.array([max(p, _BEYOND) if number > round(box_chips) + 1 else p for number, p in enumerate(outlined)])
    scores = {
        number: _IN_ITS_OWN * _log(shares[number])
        + _ONE_LOWER * _log(told[number - 1][number] if number - 1 in told else _NOT_ASKED)
        + _AS_OUTLINED * _log(seen[number])
        for number, shares in told.items()
    }
    for number in told:
        under = {box: p for box, p in (felt or {}).items() if box <= number}
        scores[number] += _FELT * (min(under.pop(number, 0.0), 0.0) - sum(max(p, 0.0) for p in under.values()))
    if outline is not None and outline.on_print:
        others = [number for number, p in outline.heights.items() if p >= _NAMED and number not in told]
        scores |= dict.fromkeys(others, (_IN_ITS_OWN + _ONE_LOWER) * _log(_UNSEEN))
    if outline is not None:
        scores = {number: score + _log(outline.number_chance(number)) for number, score in scores.items()}
    most = max(scores.values())
    chances = {number: float(np.exp(score - most)) for number, score in scores.items()}
    whole = sum(chances.values())
    return {number: chances[number] / whole for number in told}


def likely_numbers(chances: Mapping[int, float]) -> tuple[int, ...]:
    """Return the few numbers that are likely, likeliest first: of these the colours are worth reading."""
    best = sorted(chances, key=lambda number: -chances[number])[:_MOST]
    return tuple(number for place, number in enumerate(best) if place == 0 or chances[number] >= _LIKELY)


def in_numbers(
    chances: Mapping[int, float], read: Mapping[int, Candidates], told: Mapping[int, Shares]
) -> tuple[tuple[tuple[str, ...], float], ...]:
    """Return stacks and their probabilities, best first.

    Args:
        chances: of every number.
        read: for some numbers the candidates as read in the box of that number.
        told: for the box of each number how likely each number is as read there.
    """
    stacks: dict[tuple[str, ...], float] = {}
    for number, candidates in read.items():
        own = max(float(told[number][number]), sum(p for stack, p in candidates if len(stack) == number), _FLOOR)
        for stack, p in candidates:
            if len(stack) == number:
                stacks[tuple(stack)] = chances[number] * float(p) / own
    return tuple(sorted(stacks.items(), key=lambda item: -item[1]))


def shares_of(candidates: Candidates) -> Shares:
    """Return how likely each number of chips (HIGHEST_STACK + 1,) is by a reading's candidates."""
    shares = np.zeros(HIGHEST_STACK + 1)
    for stack, p in candidates:
        shares[len(stack)] += p
    return shares


def _log(p: float) -> float:
    return float(np.log(max(float(p), _FLOOR)))
