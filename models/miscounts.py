"""Cheques are miscounted by one now and then, however sure every look at a pile was."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from audit.states import StackCandidate

_COUNTED_AT_A_GLANCE: Final = 3
_MISCOUNTED: Final = 0.004  # of higher piles, a cheque fewer, and as many a cheque more


def with_a_miscount(stacks: Sequence[StackCandidate]) -> tuple[StackCandidate, ...]:
    """Return the readings of a pile, each perhaps with one cheque more or fewer in its longest run of a colour.

    Looks of one camera share what misleads them: a seam that a spot of the next cheque hides, a dark foot. Of the piles
    of four and more that were read with 0.99 on footage of other renderers than any that was learnt from, about one in
    a hundred was a cheque off; of lower ones none. What is likelier as read stays so.
    """
    told: dict[tuple[str, ...], float] = {}
    for one in stacks:
        others = list(_one_off(one.stack)) if len(one.stack) > _COUNTED_AT_A_GLANCE else []
        told[one.stack] = told.get(one.stack, 0.0) + one.p * (1.0 - _MISCOUNTED * len(others))
        for other in others:
            told[other] = told.get(other, 0.0) + one.p * _MISCOUNTED
    return tuple(StackCandidate(stack=stack, p=p) for stack, p in sorted(told.items(), key=lambda item: -item[1]))


def _one_off(stack: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    runs = [(colour, len(list(chips))) for colour, chips in groupby(stack)]
    longest = max(range(len(runs)), key=lambda place: runs[place][1])
    for change in (-1, 1):
        yield tuple(
            colour
            for place, (colour, count) in enumerate(runs)
            for _ in range(count + (change if place == longest else 0))
        )
