"""What is made of a pile's readings: weighed by its outline, and perhaps upon a cheque too dark to be seen."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from audit.states import StackCandidate
from models.outline import Outline
from models.proposals import Proposal

_FAINT_MISCOUNTED: Final = 0.015  # a shadow taken for a chip at the foot, or a chip for shadow
_LEFT: Final = 0.15  # how much the outline counts here: as much was counted with the numbers (``models.every_number``)
_OVERRULES: Final = 5.0  # times as likely as the likeliest's number the outline makes one with fewer chips at most
_FAR_FEWER: Final = 2  # chips
_OVERRULES_FAINT: Final = 12.0  # of the felt's colour: there the spots show down to the foot
_DARK_FEET: Final = ("green", "black", "purple", "blue")
_FOOT_HIDDEN: Final = 0.004  # of piles, for each such colour
_OUTLINE_REST_P: Final = 0.2
_GREEN_ON_BLACK: Final = ("black", "green")
_READ_AS: Final = {("green",), ("green", "green")}
_BLACK_BELOW: Final = 0.008
"""What is left of it beside ``models.chip_decode``: of 226 piles read as one or two green cheques none was on black."""


def weighed(candidates: Sequence[tuple[tuple[str, ...], float]], pile: Proposal) -> tuple[StackCandidate, ...]:
    """Return a pile's readings weighed by how well they agree with the pile's outline.

    The outline confirms what the reader takes for likeliest, and overrules it hardly ever: never with more chips, which
    mostly are a shadow, and with one fewer only where the reader is not sure, less so of the felt's own colours. (Where
    they named different numbers on footage of four renderers, the reader was right 21 times of 27; what leaves out two
    and more has left out a dark side.) What the reader keeps for other readings than the ones it names keeps its share.
    On print the outline was counted with the numbers already (``models.every_number``). Of what has the felt's own
    colour a cheque more or less is possible on print, too: two red ones on red felt looked like one.
    """
    if pile.outline is None or not candidates:
        return tuple(StackCandidate(stack=tuple(stack), p=float(p)) for stack, p in candidates)
    if pile.outline.on_print:
        return _with_a_faint_foot([(tuple(stack), float(p)) for stack, p in candidates], pile.outline)
    outline = pile.outline.shadowed()
    chances = [outline.chance(stack) ** _LEFT for stack, _ in candidates]
    _, most, high = max((float(p), said, len(one)) for said, (one, p) in zip(chances, candidates, strict=True))
    weights = [
        float(p) * min(said, most * _overrules(one, high, pile.outline) ** _LEFT)
        for said, (one, p) in zip(chances, candidates, strict=True)
    ]
    rest = max(0.0, 1.0 - sum(float(p) for _, p in candidates)) * _OUTLINE_REST_P
    total = max(rest + sum(weights), 1e-12)
    told = [(tuple(stack), weight / total) for (stack, _), weight in zip(candidates, weights, strict=True)]
    return _with_a_faint_foot(told, pile.outline)


def _with_a_faint_foot(told: Sequence[tuple[tuple[str, ...], float]], outline: Outline) -> tuple[StackCandidate, ...]:
    """Readings of which some look hardly different with a chip more or less of the felt's own colour at the foot."""
    shares: dict[tuple[str, ...], float] = {}
    for stack, p in told:
        others = outline.like(stack)
        sure = 1.0 - _FAINT_MISCOUNTED * len(others)
        for one, share in ((stack, sure), *((other, _FAINT_MISCOUNTED) for other in others)):
            shares[one] = shares.get(one, 0.0) + share * p
    return tuple(StackCandidate(stack=one, p=p) for one, p in sorted(shares.items(), key=lambda item: -item[1]))


def with_a_dark_foot(stacks: Sequence[StackCandidate], colours: Collection[str]) -> tuple[StackCandidate, ...]:
    """Return readings of a pile, each perhaps upon one more cheque that is too dark to be told from its shadow.

    At two pixels an edge a green cheque under a red one has been read as none, with 0.99 (5 instead of 30).
    """
    feet = [colour for colour in _DARK_FEET if colour in colours]
    sure = 1.0 - _FOOT_HIDDEN * len(feet)
    told: dict[tuple[str, ...], float] = {}
    for one in stacks:
        told[one.stack] = told.get(one.stack, 0.0) + one.p * sure
        for foot in feet:
            told[foot, *one.stack] = told.get((foot, *one.stack), 0.0) + one.p * _FOOT_HIDDEN
    return tuple(StackCandidate(stack=stack, p=p) for stack, p in sorted(told.items(), key=lambda item: -item[1]))


def with_a_black_foot(stacks: Sequence[StackCandidate], colours: Collection[str]) -> tuple[StackCandidate, ...]:
    """Return readings of a pile, one or two green cheques perhaps being a green one on a black one in its shadow.

    At 3 to 4 pixels an edge 125 in black and green has been read as 50 and as 25, with 0.96; higher piles were not.
    """
    if "black" not in colours:
        return tuple(stacks)
    told: dict[tuple[str, ...], float] = {}
    for one in stacks:
        share = _BLACK_BELOW if one.stack in _READ_AS else 0.0
        told[one.stack] = told.get(one.stack, 0.0) + one.p * (1 - share)
        if share:
            told[_GREEN_ON_BLACK] = told.get(_GREEN_ON_BLACK, 0.0) + one.p * share
    return tuple(StackCandidate(stack=stack, p=p) for stack, p in sorted(told.items(), key=lambda item: -item[1]))


def _overrules(stack: Sequence[str], likeliest: int, outline: Outline) -> float:
    """How many times as likely as a stack of the likeliest number the outline may make another one."""
    if not 0 <= likeliest - len(stack) < _FAR_FEWER:
        return 1.0
    return _OVERRULES_FAINT if outline.faint.issuperset(stack) else _OVERRULES
