"""Blazing 7's: sevens among the player's first two cards and the dealer's up card (004, "Blazing 7's")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from audit.cards import Card
from audit.games.terms import Row, Settled, answer, undecided
from audit.money import Money, parse_money
from audit.rounds import VariantValue, Wager

CLASSES: Final = frozenset(
    {"one_seven", "two_sevens", "mixed_colours", "same_colour", "same_suit", "up_card_seven_and_one_seven", "no_seven"}
)


def sevens_class(first: Card, second: Card, up: Card) -> str:
    """Return the class of the three cards (004:L1125-1131)."""
    sevens = (first.rank == "7") + (second.rank == "7")
    if sevens == 0:
        return "no_seven"
    if up.rank != "7":
        return "one_seven" if sevens == 1 else "two_sevens"
    if sevens == 1:
        return "up_card_seven_and_one_seven"  # in no row of the table: not paid [BLZ-1]
    if first.suit == second.suit == up.suit:
        return "same_suit"
    return "same_colour" if first.is_red == second.is_red == up.is_red else "mixed_colours"


def settle_side_bet(
    wager: Wager, *, initial: Sequence[Card | None], up: Card | None, rows: Mapping[str, Row], meter: VariantValue
) -> Settled:
    """Return what a Blazing 7's wager is due; a jackpot without a meter has no ``pay``.

    The five dollars went into the rack before the deal, so no stake comes back (004:L1100) [BLZ-2].
    """
    if len(initial) != 2 or initial[0] is None or initial[1] is None or up is None:  # noqa: PLR2004 - two cards
        return undecided(wager, "one of the player's first two cards or the dealer's up card was not read")
    row = rows[sevens_class(initial[0], initial[1], up)]
    settled = answer(wager, row, f"{initial[0]} {initial[1]} with the dealer's {up}")
    if row.share is None:
        return settled
    jackpot = _meter(meter)
    return replace(settled, pay=None if jackpot is None else jackpot * row.share)


def _meter(value: VariantValue) -> Money | None:
    try:
        return parse_money(value) if isinstance(value, str) else None
    except ValueError:
        return None
