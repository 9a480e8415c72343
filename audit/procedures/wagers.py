"""Wagers: when they were placed and changed, and how their cheques lie."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from audit.money import Money, format_money
from audit.procedures.drafts import (
    ALL_GAMES,
    BLACKJACK,
    Audited,
    Case,
    Draft,
    change_unseen,
    dollars,
    found,
)
from audit.procedures.dues import due_readings, is_what_it_won, perhaps_its_payment
from audit.procedures.finality import lie_apart
from audit.procedures.moments import by_either_side, hand_is_away, settlements, things
from audit.procedures.resting import unsure_money
from audit.procedures.tokes import may_have_doubled
from audit.procedures.wager_limits import FIRST_WAGERS, wager_unread
from audit.readings import CERTAIN, UNKNOWN, Mass, mass_where
from audit.reconstruction.amounts import Amounts, best_amount, in_colours, worth
from audit.reconstruction.changes import Change, is_unattended
from audit.reconstruction.evidence import Stack, best
from audit.reconstruction.observation import MoneyMove, SeatSeen, SeenWager
from audit.settlement import Outcome

_READ: Final = 0.9
_TWO: Final = 2
_LATE_IDS: Final = {
    # what names late money at a game or on a bet before the blackjack manual does
    "trilux": ("P378",),
    "super3": ("P378",),
    "insurance": ("P307",),
    "dicey_21": ("P043",),
    "stud_21": ("P068",),
}
_RAISE_IDS: Final = {"draw_n_shoot_21": ("P011",), "dicey_21": ("P047",)}


def late_wagers(case: Case) -> Iterator[Draft]:
    """Yield wagers placed after the first card, capped or pinched: P221, P205-P208, P223, P307, P315, P378."""
    if case.seen.piece.begun_unseen:
        return
    for wager in case.seen.late:
        if wager.key.bet != "toke" and not wager.placed.blind and not _is_for_the_next_round(case, wager):
            yield from _placed_late(case, wager)
    for wager in case.seen.wagers:
        for moves, grew in ((wager.raised, True), (wager.lowered, False)):
            for move in moves:
                if not move.change.blind and (grew or not _lost_before(case, move.change)):
                    yield from _changed(case, wager, move, grew=grew)
        for move in wager.altered:
            yield from _exchanged(case, wager, move)


def _lost_before(case: Case, change: Change) -> bool:
    """Whether the view was lost in the round before a change: the wager may have been settled meanwhile."""
    return any(state.view != "ok" for state in case.seen.piece.states[case.seen.piece.first : change.state])


def _is_for_the_next_round(case: Case, wager: SeenWager) -> bool:
    """Whether a player bet again when the round was over for him.

    Of his cards, his wagers, and the dealer's hand or the dice two were gone, or shown. At 21 Stud he has to wait
    until the dealer's cards are away (002:L35).
    """
    state, seat, turned = wager.placed.state, case.seen.seats.get(wager.key.seat), case.seen.hole_turned
    if case.rules.game == "stud_21":
        return False
    if seat is None:
        return turned is not None and state > turned.state
    gone = all(card.gone is not None and card.gone.state <= state for card in seat.cards)
    own = [one for one in case.seen.wagers if one.key.seat == wager.key.seat and not one.in_rack]
    shown = turned is not None and state > turned.state
    return (gone and shown) or ((gone or shown) and all(_is_over(one, state) for one in own))


def _is_over(wager: SeenWager, state: int) -> bool:
    """Whether a wager was settled and gone from its spot at a state."""
    gone = [wager.collected, None if wager.taken is None else wager.taken.change]
    return any(change is not None and change.state <= state for change in gone)


def _placed_late(case: Case, wager: SeenWager) -> Iterator[Draft]:
    own = case.seen.wager(wager.key)
    own = None if own is not None and _is_over(own, wager.placed.state) else own
    turned = case.seen.hole_turned
    before_the_return = case.rules.game == "stud_21" and turned is not None and wager.placed.state > turned.state
    first = case.seen.piece.states[case.seen.piece.first].span
    added = "" if own is None else f" beside {dollars(best_amount(own.stake))}"
    ante = own is not None and wager.key.bet == "ante" and case.rules.game == "draw_n_shoot_21"
    known = _is_late(case, wager.placed) and not _may_yet_be_played(case, wager)
    if own is not None and not wager.placed.hands and is_what_it_won(case, own, best_amount(wager.stake)):
        known = False  # nobody was seen to lay it: it is its payment, or the player's
    yield from found(
        case,
        *(("P013",) if ante else ()),
        *(("P086",) if own is None and before_the_return else ()),
        *(("P315",) if own is not None and _drawn_as_a_double(case, wager) else ()),
        *_late_ids(case, wager),
        *(("P221", "P205", "P223", "P208") if own is None else ("P205", "P221", "P223", "P208")),
        *(("P317",) if own is not None and _got_no_card(case, wager, own) else ()),
        code="late-wager",
        mass=CERTAIN if known else UNKNOWN,
        span=wager.placed.span,
        expected=f"no wager after the first card at {first.first} ms",
        observed=f"{dollars(best_amount(wager.stake))} placed{added}",
        bet=wager.key,
        capped=not wager.placed.hands
        or by_either_side(case, wager, wager.placed)
        or _may_be_none(wager)
        or _may_be_a_split(case, wager)
        or (own is not None and perhaps_its_payment(case, own, wager.placed, best_amount(wager.stake))),
        name=("changed", wager.key),
    )


def _drawn_as_a_double(case: Case, wager: SeenWager) -> bool:
    """Whether the hand's last card, not its third, came sideways after a wager: a double on more than two cards."""
    seen = case.seen.seats.get(wager.key.seat)
    hand = seen.hands[0] if seen is not None and len(seen.hands) == 1 else ()
    doubled = len(hand) > _TWO + 1 and hand[-1].sideways is True and wager.key.bet == "main"
    return doubled and hand[-2].appeared.state <= wager.placed.state < hand[-1].appeared.state


def _got_no_card(case: Case, wager: SeenWager, own: SeenWager) -> bool:
    """Whether a player laid as much beside his bet when he had two cards, as for a double, and no card came."""
    seen = case.seen.seats.get(wager.key.seat)
    hand = seen.hands[0] if seen is not None and len(seen.hands) == 1 else ()
    alone = case.rules.game in BLACKJACK and wager.key.bet == "main" and wager.placed.by_player and len(hand) == _TWO
    as_much = best_amount(wager.stake) == best_amount(own.stake) is not None
    return alone and as_much and hand[1].appeared.state < wager.placed.state


def _may_be_a_split(case: Case, wager: SeenWager) -> bool:
    """Whether cards of the seat lie apart as those of a split do, though they were taken for one hand."""
    seat = case.seen.seats.get(wager.key.seat)
    return seat is not None and wager.key.bet == "main" and any(lie_apart(hand) for hand in seat.hands)


def _may_be_none(wager: SeenWager) -> bool:
    """Whether none of the piles was read with some certainty, so that none may be one."""
    return all(max(pile.values(), default=0.0) < _READ for pile in wager.piles)


def _may_yet_be_played(case: Case, wager: SeenWager) -> bool:
    """Whether money on a main spot may be a double or a split whose cards were not seen."""
    seat = case.seen.seats.get(wager.key.seat)
    if _hand_hidden_since(case, wager):
        return wager.key.bet == "main"
    second = seat is not None and len(seat.cards) > 1 and wager.placed.state >= seat.cards[1].appeared.state
    lost = any(state.view != "ok" for state in case.seen.piece.states[wager.placed.state :])
    unseen = lost or case.seen.piece.ended_unseen or (seat is not None and _gone_together(case, wager, seat))
    return wager.key.bet == "main" and second and unseen


def _hand_hidden_since(case: Case, wager: SeenWager) -> bool:
    """Whether the seat's cards were in sight no more after a wager came, while any card of the round was."""
    states = case.seen.piece.states[wager.placed.state + 1 : case.seen.piece.last + 1]
    return bool(states) and all(f"seat{wager.key.seat}.cards" in state.covered for state in states)


def _gone_together(case: Case, wager: SeenWager, seat: SeatSeen) -> bool:
    """Whether money and cards went between two states while the players played: a card may have come in between."""
    change = wager.collected if wager.taken is None else wager.taken.change
    if change is None or "dealer" not in change.sides:
        return False
    state, turned = change.state, case.seen.hole_turned
    playing = turned is None or state <= turned.state
    return playing and all(card.gone is not None and card.gone.state == state for card in seat.cards)


def _late_ids(case: Case, wager: SeenWager) -> tuple[str, ...]:
    if wager.key.bet == "raise":
        return _RAISE_IDS.get(case.rules.game, ())
    return _LATE_IDS.get(wager.key.bet, _LATE_IDS.get(case.rules.game, ()))


def _changed(case: Case, wager: SeenWager, move: MoneyMove, *, grew: bool) -> Iterator[Draft]:
    change, net = move.change, move.net(case.chips)
    wrong = mass_where(net, lambda amount: amount > 0 if grew else amount < 0)
    mass = wrong if _is_late(case, change) and (grew or not _may_be_decided(case, wager, change)) else UNKNOWN
    if is_unattended(change, case.seen.piece.states) or (not grew and _may_hold_its_payment(case, wager, net)):
        mass = UNKNOWN  # a misreading rather than a change; or the payment is collected
    turned = case.seen.decided(wager.key.bet)
    shown = turned is not None and change.state >= turned.state
    if not grew and _may_get_out(case, wager, net):
        return
    if grew and wager.key.bet == "toke" and may_have_doubled(case, wager, move):
        return
    if turned is None and not grew and hand_is_away(case, wager, change):
        return  # by what it was settled was not seen, and its cards were away
    unsettled = not any(later.state > change.state for later in settlements(wager))
    if turned is not None and shown and unsettled and _may_be_passed(case, turned, change):
        return  # a wager neither paid nor taken may be changed for the next round once the hands are settled
    claims = grew and shown and any(pay.change.state > change.state for pay in wager.pays)
    ids = ("P205", "P221", "P223", "P208") if grew else ("P206", "P223", "P208")
    yield from found(
        case,
        *(_late_ids(case, wager) if grew or wager.key.bet == "insurance" else ()),
        *(("P207",) if claims else ()),
        *(("P013",) if grew and wager.key.bet == "ante" and case.rules.game == "draw_n_shoot_21" else ()),
        *ids,
        code="capped" if grew else "pinched",
        mass=mass,
        span=change.span,
        expected="no wager changed after the first card",
        observed=_words(wager, net),
        bet=wager.key,
        amount=None if grew else _saved(case, wager, net),
        capped=not change.hands
        or by_either_side(case, wager, change)
        or perhaps_its_payment(case, wager, change, best_amount(net)),
        unread=[change_unseen(wager)],
        name=("changed", wager.key),
    )


def _may_get_out(case: Case, wager: SeenWager, net: Amounts) -> bool:
    """Whether a player was left out of the deal, so that everybody may take his whole bet back (004:L785)."""
    left_out = any(one.key.bet == "main" for one in case.seen.without_cards)
    stake, went = best_amount(wager.stake), best_amount(net)
    return left_out and stake is not None and went == -stake


def _may_hold_its_payment(case: Case, wager: SeenWager, net: Amounts) -> bool:
    """Whether more went than a wager was, or its first look is the first with a card, the dealer's hand before it."""
    stake, went, first = best_amount(wager.stake), best_amount(net), case.seen.piece.first
    if stake is not None and went is not None and stake + went < 0:
        return True
    hands = case.seen.piece.states[first].hands
    dealers = any(hand.side == "dealer" and wager.spot in hand.zones for hand in hands)
    return wager.placed.state == first and dealers


def _may_be_decided(case: Case, wager: SeenWager, change: Change) -> bool:
    """Whether what decides a wager was hidden at a change, and had not been shown before: it may have been settled."""
    turned = case.seen.decided(wager.key.bet)
    unseen = any(zone == "dice" or zone.startswith("dealer.") for zone in case.seen.piece.states[change.state].covered)
    return unseen and (turned is None or turned.state >= change.state)


def _may_be_passed(case: Case, turned: Change, change: Change) -> bool:
    """Whether a pushed hand may have been passed over before a change: not while no hand at all was settled yet."""
    moves = [move for wager in case.seen.wagers for move in settlements(wager) if move.state >= turned.state]
    return any(move.state <= change.state for move in moves) or not moves


def _exchanged(case: Case, wager: SeenWager, move: MoneyMove) -> Iterator[Draft]:
    """Yield cheques of a wager that a player changed for others of the same worth: P223."""
    readings = [(one, other, p * q) for one, p in move.before[0].items() for other, q in move.after[0].items()]
    broken = sum(p for one, other, p in readings if Counter(one) != Counter(other))
    yield from found(
        case,
        "P223",
        code="exchanged",
        mass=Mass(broken=broken, kept=sum(p for _, _, p in readings) - broken)
        if _is_late(case, move.change)
        else UNKNOWN,
        span=move.change.span,
        expected="no wager changed after the first card",
        observed=f"{in_colours(move.before)} exchanged for {in_colours(move.after)}",
        bet=wager.key,
        name=("changed", wager.key),
    )


def _saved(case: Case, wager: SeenWager, net: Amounts) -> Money | None:
    """What a player kept of a wager that lost, by taking it back; None where no money hangs on it."""
    due, removed = due_readings(case, wager).best, best_amount(net)
    lost = due is not None and due.outcome is Outcome.LOSE
    return -removed if lost and removed is not None else None


def _words(wager: SeenWager, net: Amounts) -> str:
    change = best_amount(net)
    stake = best_amount(wager.stake)
    if change is None or stake is None:
        return "the wager was changed"
    return f"the wager went from {format_money(stake)} to {format_money(stake + change)}"


def _is_late(case: Case, change: Change) -> bool:
    """A change is late only if a state that shows a card, with the zone in view, precedes it."""
    return change.seen.first >= case.seen.piece.states[case.seen.piece.first].span.first


def stacked_smallest_on_top(case: Case) -> Iterator[Draft]:
    """Yield first wagers with a larger cheque on top of a smaller one: P222; in footage at most suspect."""
    for wager in case.seen.wagers:
        if wager.key.bet not in FIRST_WAGERS:
            continue
        for stacks in wager.piles:
            likeliest: Stack = best(stacks) or ()
            if _paid_upon(case, wager, likeliest):
                continue
            yield from found(
                case,
                "P222",
                code="stack-order",
                mass=mass_where(stacks, lambda stack: _rises(case, stack)),
                span=wager.placed.span,
                expected="the smallest cheques on top",
                observed=f"from the bottom: {' '.join(likeliest)}",
                bet=wager.key,
                capped=not case.thresholds.hands_sure,  # in footage one chip misread makes another order
                unread=wager_unread(wager),
                rests_on=unsure_money(wager),
            )


def _paid_upon(case: Case, wager: SeenWager, stack: Stack) -> bool:
    """Whether the dealer's hand came to a pile in the gap before the first card's look, and may have paid upon it.

    It was not seen before that, or with fewer cheques.
    """
    first, states = case.seen.piece.first, case.seen.piece.states
    by_dealer = any(hand.side == "dealer" and wager.spot in hand.zones for hand in states[first].hands)
    before = things(states[first - 1], "chips") if first else ()
    lay = [one.stack for one in before if one.stack and case.places.spot(one.xy_mm) == wager.spot]
    grown = any(len(one) < len(stack) and stack[: len(one)] == one for one in lay)
    return by_dealer and (grown or not lay)


def _rises(case: Case, stack: Stack) -> bool:
    values = [worth((colour,), case.chips) for colour in stack]
    known = [value for value in values if value is not None]
    return any(upper > lower for lower, upper in pairwise(known))


CHECKS: Final = (
    Audited(
        check=late_wagers,
        games=ALL_GAMES,
        ids=(
            "P011",
            "P043",
            "P047",
            "P013",
            "P068",
            "P086",
            "P205",
            "P206",
            "P207",
            "P208",
            "P221",
            "P223",
            "P307",
            "P315",
            "P317",
            "P378",
        ),
    ),
    Audited(check=stacked_smallest_on_top, games=ALL_GAMES, ids=("P222",)),
)
