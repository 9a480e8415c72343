"""Wagers that go together: a double, split, raise or draw bet and the bet that it is put beside."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from audit.money import Money
from audit.reconstruction.amounts import best_amount, pile_amounts
from audit.reconstruction.elements import Element
from audit.reconstruction.observation import SeenWager
from audit.reconstruction.piles import PAYS_WITHIN_MM
from audit.reconstruction.places import JITTER_MM
from audit.reconstruction.priors import with_its_bet

_OPENING: Final = {"double": "main", "split": "main", "raise": "ante", "draw": "enter"}


def together(wagers: Iterable[SeenWager]) -> list[SeenWager]:
    """Return wagers, in order, each read in the light of its seat's bet and that in the light of the others."""
    found = list(wagers)
    for number, other in enumerate(found):
        opening = _OPENING.get(other.key.bet)
        place = next(
            (n for n, one in enumerate(found) if (one.key.seat, one.key.bet) == (other.key.seat, opening)), None
        )
        if place is not None:
            bet, beside = with_its_bet(found[place].stake, other.stake)
            found[place], found[number] = replace(found[place], stake=bet), replace(other, stake=beside)
    return found


def are_together(spot: str, opening: str) -> bool:
    """Return whether one spot is that of a raise, Draw bet, double or split, and the other its opening bet's."""
    seat, _, bet = spot.partition(".")
    return bet in _OPENING and opening == f"{seat}.{_OPENING[bet]}"


def share_payments(elements: Sequence[Element], chips: Mapping[str, Money]) -> None:
    """Divide a pile between a bet and its raise or Draw bet that is enough for both, where nothing else was paid there.

    It stands in no zone, or where their zones meet (contracts/states.md: one pile between a wager and its double pays
    both).
    """
    for other in elements:
        beside = [one for one in elements if are_together(other.spot, one.spot)]
        if len(beside) == 1 and bool(beside[0].pays) != bool(other.pays):
            _share(beside[0], other, chips)


def _share(bet: Element, other: Element, chips: Mapping[str, Money]) -> None:
    paid = bet if bet.pays else other
    if len(paid.pays) != 1 or len(paid.payments) != 1:
        return
    move, pile = paid.pays[0], paid.payments[0]
    apart = [one.apart(pile, move.change.state) for one in (bet, other)]
    between = pile.spot is None or max(apart) - min(apart) <= 2 * JITTER_MM
    near = (between and max(apart) <= PAYS_WITHIN_MM) or bet.upon is other or other.upon is bet
    amount = best_amount(move.net(chips))
    opening, more = (best_amount(pile_amounts(one.stacks, chips)) for one in (bet, other))
    if not near or amount is None or opening is None or more is None:
        return
    parts = _parts(other, opening, more, amount, least=min(chips.values()))
    if parts is not None:
        bet.pays, other.pays = ([replace(move, part=part)] for part in parts)


def _parts(other: Element, opening: Money, more: Money, amount: Money, *, least: Money) -> tuple[Money, Money] | None:
    """Return what of one pile is for the opening bet and what for the other; None where it does not pay both in full.

    Ante and raise are paid at the same odds (000:L53, 001:L52), so by their size; an Enter bet evenly (003:L74), and
    the rest is the Draw bet's.
    """
    if amount < opening + more:
        return None
    if other.spot.endswith(".draw"):
        return opening, amount - opening
    part = amount * opening / (opening + more)
    return (part, amount - part) if part % least == 0 else None
