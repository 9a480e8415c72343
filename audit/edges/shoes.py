"""Shoes as counts of cards by value or by face, and drawing from them without putting back."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from audit.cards import DECK, Card

Counts = tuple[int, ...]
"""How many cards of each counting value 1 to 10 are left, at the indices 0 to 9."""

INFINITE: Final[dict[int, Fraction]] = {value: Fraction(4 if value == 10 else 1, 13) for value in range(1, 11)}  # noqa: PLR2004
"""Probabilities of the counting values in an infinite deck."""


def value_counts(decks: int, *, spanish: bool = False) -> Counts:
    """Return a shoe by counting value; a Spanish shoe has no pip tens (002:L14)."""
    return (4 * decks,) * 9 + ((12 if spanish else 16) * decks,)


def without(counts: Counts, value: int) -> Counts:
    """Return the shoe after a card of the value was dealt."""
    return (*counts[: value - 1], counts[value - 1] - 1, *counts[value:])


def chances(counts: Counts) -> Iterator[tuple[int, Fraction]]:
    """Yield each value that is left with the probability of drawing it."""
    total = sum(counts)
    for value, count in enumerate(counts, start=1):
        if count:
            yield value, Fraction(count, total)


def faces(*, spanish: bool = False) -> tuple[Card, ...]:
    """Return the faces of one deck."""
    return tuple([card for card in DECK.values() if not (spanish and card.rank == "T")])


def left(face: Card, dealt: tuple[Card, ...], decks: int) -> int:
    """Return how many of a face are left after these cards were dealt."""
    return decks - dealt.count(face)
