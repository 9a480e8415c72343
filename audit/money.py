"""Exact money and odds. No float comes near an amount."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from typing import Final

Money = Fraction
"""Dollars, exact."""

ZERO: Final = Money(0)
_AMOUNT: Final = re.compile(r"-?[0-9]{1,12}(\.[0-9]{1,6})?")
_ODDS: Final = re.compile(r"([0-9]{1,6}):([0-9]{1,6})")


@lru_cache(maxsize=4096)
def parse_money(text: str) -> Money:
    """Return the dollars written as a decimal string of at most twelve digits before and six after the point.

    Raises:
        ValueError: if the text is no such amount.
    """
    if not isinstance(text, str) or not _AMOUNT.fullmatch(text):
        msg = f"an amount is a decimal string such as '37.50', got {text!r:.40}"
        raise ValueError(msg)
    return Money(text)


@lru_cache(maxsize=4096)
def format_money(amount: Money) -> str:
    """Return the exact amount as a decimal string with at least two decimals, or as ``a/b`` if no decimal is exact."""
    if amount < 0:
        return "-" + format_money(-amount)
    for places in range(2, 13):
        scaled = amount * 10**places
        if scaled.denominator == 1:
            digits = str(scaled.numerator).rjust(places + 1, "0")
            return f"{digits[:-places]}.{digits[-places:]}"
    return f"{amount.numerator}/{amount.denominator}"


@dataclass(frozen=True, slots=True)
class Odds:
    """Odds ``a to b``: the house hands over ``stake * a / b`` and the player keeps his stake."""

    a: int
    b: int

    def __str__(self) -> str:
        return f"{self.a}:{self.b}"

    def pays(self, stake: Money) -> Money:
        """Return what the house hands over beyond the stake."""
        return stake * self.a / self.b

    @property
    def in_words(self) -> str:
        """The odds as a dealer says them: ``3 to 2``."""
        return f"{self.a} to {self.b}"


@lru_cache(maxsize=256)
def parse_odds(text: str) -> Odds:
    """Return the odds written ``3:2``.

    Raises:
        ValueError: if the text is no odds.
    """
    match = _ODDS.fullmatch(text) if isinstance(text, str) else None
    if match is None or int(match[2]) == 0:
        msg = f"odds are written '3:2', got {text!r:.40}"
        raise ValueError(msg)
    return Odds(int(match[1]), int(match[2]))


class Rounding(StrEnum):
    """What a house does with an amount that its smallest cheque cannot pay [GEN-2]."""

    DOWN = "down"
    UP = "up"
    NEAREST = "nearest"


def acceptable_pays(due: Money, smallest: Money, rounding: Rounding | None) -> tuple[Money, ...]:
    """Return the amounts that pay what is due; where no cheque fits and no policy is known, either neighbour."""
    low = due // smallest * smallest
    if low == due:
        return (due,)
    high = low + smallest
    if rounding is Rounding.DOWN:
        return (low,)
    if rounding is Rounding.UP:
        return (high,)
    if rounding is Rounding.NEAREST and due - low != high - due:
        return (low if due - low < high - due else high,)
    return (low, high)
