"""What several looks at one object say together: candidates and probabilities, pooled."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeVar

from audit.states import SeenObject

Stack = tuple[str, ...]
T = TypeVar("T")

_FLOOR: Final = 1e-4
SAME: Final = 0.05


def card_chances(item: SeenObject) -> Mapping[str, float]:
    """Return the candidates of one look at a card; empty if the face was not read at all."""
    if item.candidates:
        return item.candidates
    return {item.card: 1.0} if item.card is not None else {}


def die_chances(item: SeenObject) -> Mapping[str, float]:
    """Return the candidates of one look at a die (faces as text); empty if it was not read."""
    if item.candidates:
        return item.candidates
    return {str(item.value): 1.0} if item.value is not None else {}


def stack_chances(item: SeenObject) -> Mapping[Stack, float]:
    """Return the candidates of one look at a pile, bottom to top; empty if it was not read."""
    if item.stacks:
        return {one.stack: one.p for one in item.stacks}
    return {item.stack: 1.0} if item.stack is not None else {}


def pooled(looks: Iterable[Mapping[T, float]]) -> Mapping[T, float]:
    """Return what several looks at the same thing say together.

    Looks at one scene share their errors, so agreement sharpens nothing; only where looks disagree does the
    majority weigh more (the mean of the logarithms). What no candidate covers stays uncovered.
    """
    read = [look for look in looks if look]
    if not read:
        return {}
    if all(look == read[0] for look in read):
        return read[0]
    names = sorted({name for look in read for name in look}, key=str)
    logs = [_mean_log([look.get(name, 0.0) for look in read]) for name in names]
    rest = _mean_log([max(0.0, 1.0 - sum(look.values())) for look in read])
    top = max(*logs, rest)
    weights = [math.exp(value - top) for value in logs]
    total = sum(weights) + math.exp(rest - top)
    return {name: weight / total for name, weight in zip(names, weights, strict=True)}


def _mean_log(chances: Sequence[float]) -> float:
    return sum(math.log(max(p, _FLOOR)) for p in chances) / len(chances)


def agreement(one: Mapping[T, float], other: Mapping[T, float]) -> float:
    """Return the shared probability of two looks, 1 if either was not read.

    That both show something of which neither names a candidate is as likely as both left it open.
    """
    if not one or not other:
        return 1.0
    return sum(min(p, other.get(name, 0.0)) for name, p in one.items()) + _rest(one) * _rest(other)


def _rest(chances: Mapping[T, float]) -> float:
    return max(0.0, 1.0 - sum(chances.values()))


def may_be_same(one: Mapping[T, float], other: Mapping[T, float]) -> bool:
    """Return whether two looks may show the same thing."""
    return agreement(one, other) >= SAME


def best(chances: Mapping[T, float]) -> T | None:
    """Return the likeliest reading, None if nothing was read."""
    return max(chances, key=lambda name: chances[name]) if chances else None


def cheques_of(piles: Iterable[Mapping[Stack, float]]) -> Counter[str] | None:
    """Return the cheques of piles together, as each is likeliest; None if one was not read."""
    stacks = [best(pile) for pile in piles]
    return None if None in stacks else Counter(cheque for stack in stacks for cheque in stack or ())
