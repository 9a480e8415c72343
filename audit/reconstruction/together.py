"""Wagers that go together: a double, split, raise or draw bet and the bet that it is put beside."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from audit.money import Money
from audit.reconstruction.amounts import best_amount, pile_amounts
from audit.reconstruction.elements import Element
from audit.reconstruction.observation import MoneyMove, SeenWager
from audit.reconstruction.pile_track import PileTrack
from audit.reconstruction.places import PAYS_WITHIN_MM, STILL_MM
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


def even_out_payments(elements: Sequence[Element], chips: Mapping[str, Money]) -> None:
    """Move a payment that stands as near to an unpaid wager of a spot as to one with two payments to the unpaid one.

    Beside the wagers of a split, a payment often stands midway between two; each is paid one to one (004:L828). Which
    was meant shows when the last of them is paid.
    """
    for unpaid in elements:
        others = [one for one in elements if one is not unpaid and one.spot == unpaid.spot and len(one.payments) > 1]
        if unpaid.pays or unpaid.taken is not None:
            continue
        for other in others:
            between = [pile for pile in other.payments if _is_between(pile, other, unpaid)]
            moves = [move for pile in between for move in other.pays if move.change is pile.appeared]
            if moves and _pays_each(other, unpaid, moves[0], chips):
                other.pays.remove(moves[0])
                other.payments.remove(between[0])
                unpaid.pays.append(moves[0])
                unpaid.payments.append(between[0])
                break


def _is_between(pile: PileTrack, one: Element, other: Element) -> bool:
    """Whether a payment stood as near to one wager as to another, as far as places are known."""
    state = pile.appeared.state
    apart = [element.apart(pile, state) for element in (one, other) if element.track.stands_in(state)]
    return len(apart) == len((one, other)) and abs(apart[0] - apart[1]) <= STILL_MM


def _pays_each(paid: Element, unpaid: Element, move: MoneyMove, chips: Mapping[str, Money]) -> bool:
    """Whether a payment equals the unpaid wager, and what is left of the other's payments that one."""
    stakes = [best_amount(pile_amounts(one.stacks, chips)) for one in (unpaid, paid)]
    rest = [best_amount(other.net(chips)) for other in paid.pays if other is not move]
    return len(rest) == 1 and [best_amount(move.net(chips)), rest[0]] == stakes and None not in stakes


def _share(bet: Element, other: Element, chips: Mapping[str, Money]) -> None:
    paid = bet if bet.pays else other
    if len(paid.pays) != 1 or len(paid.payments) != 1:
        return
    move, pile = paid.pays[0], paid.payments[0]
    apart = [one.apart(pile, move.change.state) for one in (bet, other)]
    between = pile.spot is None or max(apart) - min(apart) <= STILL_MM
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
