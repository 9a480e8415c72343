"""Cheques are miscounted by one now and then, and two colours parted one aside, however sure every look was."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from audit.states import StackCandidate

_COUNTED_AT_A_GLANCE: Final = 2
_THREE: Final = 3
_THREE_MISCOUNTED: Final = 0.01  # a cheque fewer, and as many a cheque more
_MISCOUNTED: Final = 0.004  # the same of higher piles
_PARTED_ASIDE: Final = 0.005  # of two colours that meet in such a pile, a cheque too low, and as many too high
_OF_ONE_LOOK: Final = 0.001
"""In 154 rounds of footage that nobody had looked at some 1,760 piles were told rightly, one miscounted with 0.9998."""

_Runs = list[tuple[str, int]]


def with_a_miscount_of_one_look(stacks: Sequence[StackCandidate]) -> tuple[StackCandidate, ...]:
    """Return what one look reads in a pile: the likeliest may have a cheque more or fewer of the colour it has most of.

    Two cheques of which the upper one lay aside were counted as three by sides and outline, with 0.9998: of a
    payment that another number makes right somebody has to hear that this number is possible.
    """
    best = max(stacks, key=lambda one: one.p, default=None)
    if best is None or best.p <= 2 * _OF_ONE_LOOK:
        return tuple(stacks)
    told = {one.stack: one.p for one in stacks}
    at = best.stack.index(max(best.stack, key=best.stack.count))
    for other in (best.stack[:at] + best.stack[at + 1 :], best.stack[: at + 1] + best.stack[at:]):
        if other and (missing := _OF_ONE_LOOK - told.get(other, 0.0)) > 0:
            told[other] = _OF_ONE_LOOK
            told[best.stack] -= missing
    return tuple(StackCandidate(stack=stack, p=p) for stack, p in sorted(told.items(), key=lambda item: -item[1]))


def with_a_miscount_of_all_looks(stacks: Sequence[StackCandidate]) -> tuple[StackCandidate, ...]:
    """Return what all looks together read in a pile, each perhaps a cheque more, fewer or of the colour beside it.

    Looks of one camera share what misleads them: a seam that a spot of the next cheque hides, a bright rim, a dark
    foot. Of the piles of four and more that were read with 0.99 on footage of other renderers than any that was learnt
    from, about one in a hundred was a cheque off; of those read as three 6 of 45, most where cheques had bright rims;
    of lower ones none of 76 there, but 3 of 35 in dim light and untidy piles. What is likelier as read stays so.
    """
    told: dict[tuple[str, ...], float] = {}
    for one in stacks:
        others = _others(one.stack) if len(one.stack) > _COUNTED_AT_A_GLANCE else {}
        told[one.stack] = told.get(one.stack, 0.0) + one.p * (1.0 - sum(others.values()))
        for other, share in others.items():
            told[other] = told.get(other, 0.0) + one.p * share
    return tuple(StackCandidate(stack=stack, p=p) for stack, p in sorted(told.items(), key=lambda item: -item[1]))


def _others(stack: tuple[str, ...]) -> dict[tuple[str, ...], float]:
    """What a pile may be that is read so, and how likely each is."""
    runs = [(colour, len(list(cheques))) for colour, cheques in groupby(stack)]
    share = _THREE_MISCOUNTED if len(stack) == _THREE else _MISCOUNTED
    return dict.fromkeys(_one_off(runs), share) | dict.fromkeys(_parted_aside(runs), _PARTED_ASIDE)


def _one_off(runs: _Runs) -> Iterator[tuple[str, ...]]:
    """One fewer and one more in the longest run of a colour."""
    longest = max(range(len(runs)), key=lambda place: runs[place][1])
    for change in (-1, 1):
        yield _changed(runs, {longest: change})


def _parted_aside(runs: _Runs) -> Iterator[tuple[str, ...]]:
    """Two runs that meet one cheque lower or higher; neither goes for that."""
    for lower in range(len(runs) - 1):
        for change in (-1, 1):
            shrinking = lower if change < 0 else lower + 1
            if runs[shrinking][1] > 1:
                yield _changed(runs, {lower: change, lower + 1: -change})


def _changed(runs: _Runs, changes: dict[int, int]) -> tuple[str, ...]:
    return tuple(colour for place, (colour, count) in enumerate(runs) for _ in range(count + changes.get(place, 0)))
