"""Trilux: the player's first two cards and the dealer's up card as a three-card poker hand (004, "Trilux", 1-7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from audit.cards import RANKS, Card
from audit.games.terms import Row, Settled, answer, undecided
from audit.rounds import Wager

BONUS_CLASSES: Final = frozenset({"straight_flush", "three_of_a_kind", "straight", "flush", "nothing"})
SUPER3_CLASSES: Final = frozenset({"three_of_a_kind_suited", "straight_flush", "three_of_a_kind", "nothing"})

_PLACES: Final = {rank: place for place, rank in enumerate(RANKS, start=1)}
_SUPER3: Final = {"straight": "nothing", "flush": "nothing"}
_HIGH_ACE: Final = (1, 12, 13)
"""Queen, king, ace; king, ace, deuce is no straight [TRI-2]."""


def hand_class(first: Card, second: Card, up: Card) -> str:
    """Return the class of the three cards; a suited three of a kind is ``three_of_a_kind_suited`` (004:L1057)."""
    suited = first.suit == second.suit == up.suit
    if first.rank == second.rank == up.rank:
        return "three_of_a_kind_suited" if suited else "three_of_a_kind"
    low, middle, high = sorted((_PLACES[first.rank], _PLACES[second.rank], _PLACES[up.rank]))
    straight = (middle - low == 1 and high - middle == 1) or (low, middle, high) == _HIGH_ACE
    if straight:
        return "straight_flush" if suited else "straight"
    return "flush" if suited else "nothing"


def settle_side_bet(
    wager: Wager, *, initial: Sequence[Card | None], up: Card | None, rows: Mapping[str, Row]
) -> Settled:
    """Return what a Trilux Bonus or Super 3 wager is due."""
    if len(initial) != 2 or initial[0] is None or initial[1] is None or up is None:  # noqa: PLR2004 - two cards
        return undecided(wager, "one of the player's first two cards or the dealer's up card was not read")
    found = hand_class(initial[0], initial[1], up)
    if found not in rows:
        found = "three_of_a_kind" if found == "three_of_a_kind_suited" else _SUPER3[found]
    return answer(wager, rows[found], f"{initial[0]} {initial[1]} with the dealer's {up}")
