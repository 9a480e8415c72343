"""What piles of cheques are worth, over their candidate readings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from audit.money import ZERO, Money
from audit.reconstruction.evidence import Stack, best

Amounts = Mapping[Money, float]
"""Probability of each amount; what is missing to 1 is an amount that no candidate covers."""

_LEAST: Final = 1e-6
_MOST: Final = 64


def worth(stack: Stack, chips: Mapping[str, Money]) -> Money | None:
    """Return the value of a pile, None if a colour has no value at this table."""
    if any(colour not in chips for colour in stack):
        return None
    return sum((chips[colour] for colour in stack), ZERO)


def pile_amounts(stacks: Mapping[Stack, float], chips: Mapping[str, Money]) -> Amounts:
    """Return what one pile may be worth."""
    amounts: dict[Money, float] = {}
    for stack, p in stacks.items():
        value = worth(stack, chips)
        if value is not None:
            amounts[value] = amounts.get(value, 0.0) + p
    return amounts


def total_amounts(piles: Iterable[Mapping[Stack, float]], chips: Mapping[str, Money]) -> Amounts:
    """Return what several piles may be worth together; unknown as soon as one of them was not read."""
    total: Amounts = {ZERO: 1.0}
    for stacks in piles:
        total = combined(total, pile_amounts(stacks, chips), sign=1)
    return total


def combined(one: Amounts, other: Amounts, *, sign: int) -> Amounts:
    """Return the sum (``sign`` 1) or difference (-1) of two independent amounts; the least likely ones are dropped."""
    mixed: dict[Money, float] = {}
    for a, p in one.items():
        for b, q in other.items():
            if p * q >= _LEAST:
                mixed[a + sign * b] = mixed.get(a + sign * b, 0.0) + p * q
    kept = sorted(mixed.items(), key=lambda pair: -pair[1])[:_MOST]
    return dict(kept)


def best_amount(amounts: Amounts) -> Money | None:
    """Return the likeliest amount, None if nothing was read."""
    return best(amounts)


def in_colours(piles: Iterable[Mapping[Stack, float]]) -> str:
    """Return the colours of the likeliest readings as a dealer names them: ``green and red``."""
    colours: list[str] = []
    for stacks in piles:
        likeliest = best(stacks)
        colours += likeliest if likeliest is not None else ()
    return " and ".join(dict.fromkeys(colours))
