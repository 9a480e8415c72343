"""Playing cards by rank and suit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

RANKS: Final = "A23456789TJQK"
SUITS: Final = "cdhs"
TEN_VALUED: Final = frozenset("TJQK")
RED_SUITS: Final = frozenset("dh")


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """One card face; two cards of the same face are equal, whatever deck they come from."""

    rank: str
    suit: str

    def __str__(self) -> str:
        return self.rank + self.suit

    @property
    def is_red(self) -> bool:
        """Whether the suit is diamonds or hearts."""
        return self.suit in RED_SUITS

    @property
    def value(self) -> int:
        """Counting value as in 000, 001, 002 and 004: an ace counts 1, ten-valued cards 10."""
        return 10 if self.rank in TEN_VALUED else RANKS.index(self.rank) + 1


def is_natural(values: Iterable[int]) -> bool:
    """Return whether the cards of a hand, by their counting values, are a blackjack: an ace and a ten-valued one."""
    return sorted(values) == [1, 10]


DECK: Final[dict[str, Card]] = {r + s: Card(r, s) for s in SUITS for r in RANKS}


def parse_card(text: str) -> Card:
    """Return the card written as rank and suit, for example ``Td``.

    Raises:
        ValueError: if the text is no card.
    """
    try:
        return DECK[text]
    except (KeyError, TypeError):
        msg = f"a card is a rank of {RANKS} and a suit of {SUITS}, got {text!r:.40}"
        raise ValueError(msg) from None


def parse_cards(text: str) -> tuple[Card, ...]:
    """Return the cards of a list separated by spaces."""
    return tuple(parse_card(word) for word in text.split())
