"""Wagers: when they were placed and changed, how much they may be, and beside what they may stand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Final

from audit.money import Money, format_money
from audit.procedures.drafts import ALL_GAMES, BLACKJACK, Audited, Case, Draft, dollars, found
from audit.readings import CERTAIN, UNKNOWN, Mass
from audit.reconstruction.amounts import Amounts, best_amount, worth
from audit.reconstruction.changes import Change
from audit.reconstruction.evidence import Stack, best
from audit.reconstruction.observation import MoneyMove, SeenWager

_LIMITED: Final = frozenset(
    {"main", "ante", "base", "enter", "craps", "chuck", "match1", "match2", "mirror", "block_bonus"}
)
_SIDE_LIMITS: Final = {"trilux": "P386", "super3": "P386", "blazing7": "P403"}
_LATE_IDS: Final = {
    # what names late money at a game or on a bet before the blackjack manual does
    "trilux": ("P378",),
    "super3": ("P378",),
    "dicey_21": ("P043",),
    "stud_21": ("P068",),
}
_LIMIT_IDS: Final = {
    # game -> the procedures of the posted minimum and maximum
    "draw_n_shoot_21": ("P005", "P005"),
    "dicey_21": ("P043", "P043"),
    "stud_21": ("P067", "P067"),
}


def late_wagers(case: Case) -> Iterator[Draft]:
    """Yield wagers placed after the first card, capped or pinched: P221, P205-P208, P223, P378."""
    if case.seen.piece.begun_unseen:
        return
    for wager in case.seen.late:
        if not wager.placed.blind:
            yield from _placed_late(case, wager)
    for wager in case.seen.wagers:
        for moves, grew in ((wager.raised, True), (wager.lowered, False)):
            for move in moves:
                if not move.change.blind and (grew or not _lost_before(case, move.change)):
                    yield from _changed(case, wager, move, grew=grew)


def _lost_before(case: Case, change: Change) -> bool:
    """Whether the view was lost in the round before a change: the wager may have been settled meanwhile."""
    return any(state.view != "ok" for state in case.seen.piece.states[case.seen.piece.first : change.state])


def _placed_late(case: Case, wager: SeenWager) -> Iterator[Draft]:
    own = case.seen.wager(wager.key)
    first = case.seen.piece.states[case.seen.piece.first].span
    added = "" if own is None else f" beside {dollars(best_amount(own.stake))}"
    yield from found(
        case,
        *_late_ids(case, wager),
        *(("P221", "P205", "P223", "P208") if own is None else ("P205", "P221", "P223", "P208")),
        code="late-wager",
        mass=CERTAIN if _is_late(case, wager.placed) and not _may_yet_be_played(case, wager) else UNKNOWN,
        span=wager.placed.span,
        expected=f"no wager after the first card at {first.first} ms",
        observed=f"{dollars(best_amount(wager.stake))} placed{added}",
        bet=wager.key,
        capped=not wager.placed.hands,
        name=("changed", wager.key),
    )


def _may_yet_be_played(case: Case, wager: SeenWager) -> bool:
    """Whether money on a main spot may be a double or a split whose cards were not seen."""
    seat = case.seen.seats.get(wager.key.seat)
    second = seat is not None and len(seat.cards) > 1 and wager.placed.state >= seat.cards[1].appeared.state
    lost = any(state.view != "ok" for state in case.seen.piece.states[wager.placed.state :])
    return wager.key.bet == "main" and second and (lost or case.seen.piece.ended_unseen)


def _late_ids(case: Case, wager: SeenWager) -> tuple[str, ...]:
    return _LATE_IDS.get(wager.key.bet, _LATE_IDS.get(case.rules.game, ()))


def _changed(case: Case, wager: SeenWager, move: MoneyMove, *, grew: bool) -> Iterator[Draft]:
    change, net = move.change, move.net(case.chips)
    broken = sum(p for amount, p in net.items() if (amount > 0 if grew else amount < 0))
    kept = sum(p for amount, p in net.items() if not (amount > 0 if grew else amount < 0))
    mass = Mass(broken=broken, kept=kept) if _is_late(case, change) else UNKNOWN
    turned = case.seen.hole_turned
    shown = turned is not None and change.state >= turned.state
    if shown and not any(pay.change.state > change.state for pay in wager.pays):
        return  # a wager that was not paid may be changed for the next round once the hands are settled
    ids = ("P205", "P221", "P223", "P208") if grew else ("P206", "P223", "P208")
    yield from found(
        case,
        *(("P207",) if grew and shown else ()),
        *(_late_ids(case, wager) if grew else ()),
        *(("P013",) if grew and wager.key.bet == "ante" and case.rules.game == "draw_n_shoot_21" else ()),
        *ids,
        code="capped" if grew else "pinched",
        mass=mass,
        span=change.span,
        expected="no wager changed after the first card",
        observed=_words(wager, net),
        bet=wager.key,
        capped=not change.hands,
        unread=[f"seat {wager.key.seat} {wager.key.bet}: whether it changed after the first card"],
        name=("changed", wager.key),
    )


def _words(wager: SeenWager, net: Amounts) -> str:
    change = best_amount(net)
    stake = best_amount(wager.stake)
    if change is None or stake is None:
        return "the wager was changed"
    return f"the wager went from {format_money(stake)} to {format_money(stake + change)}"


def _is_late(case: Case, change: Change) -> bool:
    """A change is late only if a state that shows a card, with the zone in view, precedes it."""
    return change.seen.first >= case.seen.piece.states[case.seen.piece.first].span.first


def limits(case: Case) -> Iterator[Draft]:
    """Yield wagers outside the posted or printed limits: P224, P225, P386, P403, P316; P005, P043, P067."""
    profile = case.places.profile
    for wager in case.seen.wagers if not case.seen.piece.begun_unseen else ():
        bet = wager.key.bet
        if bet in _LIMITED:
            low, high = _LIMIT_IDS.get(profile.game, ("P224", "P225"))
            yield from _at_least(case, wager, low, profile.minimum)
            yield from _at_most(case, wager, high, profile.maximum)
        if bet == "double":
            yield from _at_least(case, wager, "P316", profile.minimum)
        limit = case.rules.limits.get(bet)
        if limit is not None and bet in _SIDE_LIMITS:
            if limit.minimum is not None:
                yield from _at_least(case, wager, _SIDE_LIMITS[bet], limit.minimum)
            if limit.maximum is not None:
                yield from _at_most(case, wager, _SIDE_LIMITS[bet], limit.maximum)


def _at_least(case: Case, wager: SeenWager, procedure: str, least: Money) -> Iterator[Draft]:
    mass = _mass(wager.stake, lambda amount: amount < least)
    yield from _limit(case, wager, procedure, mass, code="under-minimum", expected=f"at least {format_money(least)}")


def _at_most(case: Case, wager: SeenWager, procedure: str, most: Money) -> Iterator[Draft]:
    mass = _mass(wager.stake, lambda amount: amount > most)
    yield from _limit(case, wager, procedure, mass, code="over-maximum", expected=f"at most {format_money(most)}")


def _mass(amounts: Amounts, outside: Callable[[Money], bool]) -> Mass:
    broken = sum(p for amount, p in amounts.items() if outside(amount))
    return Mass(broken=broken, kept=sum(amounts.values()) - broken)


def _limit(case: Case, wager: SeenWager, procedure: str, mass: Mass, *, code: str, expected: str) -> Iterator[Draft]:
    yield from found(
        case,
        procedure,
        *(("P231",) if procedure in ("P224", "P225") else ()),
        code=code,
        mass=mass,
        span=wager.placed.span,
        expected=expected,
        observed=f"{dollars(best_amount(wager.stake))} wagered",
        bet=wager.key,
        unread=wager_unread(wager),
    )


def wager_unread(wager: SeenWager) -> list[str]:
    """Return that a wager was not read."""
    return [f"seat {wager.key.seat} {wager.key.bet}: wager not read"]


def stacked_smallest_on_top(case: Case) -> Iterator[Draft]:
    """Yield main wagers with a larger cheque on top of a smaller one: P222, at most suspect."""
    for wager in case.seen.wagers:
        if wager.key.bet != "main":
            continue
        for stacks in wager.piles:
            likeliest: Stack = best(stacks) or ()
            broken = sum(p for stack, p in stacks.items() if _rises(case, stack))
            kept = sum(p for stack, p in stacks.items() if not _rises(case, stack))
            yield from found(
                case,
                "P222",
                code="stack-order",
                mass=Mass(broken=broken, kept=kept),
                span=wager.placed.span,
                expected="the smallest cheques on top",
                observed=f"from the bottom: {' '.join(likeliest)}",
                bet=wager.key,
                capped=True,  # the player stacked it; the dealer may have been told to leave it
                unread=wager_unread(wager),
            )


def _rises(case: Case, stack: Stack) -> bool:
    values = [worth((colour,), case.chips) for colour in stack]
    known = [value for value in values if value is not None]
    return any(upper > lower for lower, upper in pairwise(known))


CHECKS: Final = (
    Audited(
        check=late_wagers,
        games=ALL_GAMES,
        ids=("P043", "P013", "P068", "P205", "P206", "P207", "P208", "P221", "P223", "P378"),
    ),
    Audited(
        check=limits, games=ALL_GAMES, ids=("P005", "P043", "P067", "P224", "P225", "P231", "P316", "P386", "P403")
    ),
    Audited(check=stacked_smallest_on_top, games=BLACKJACK, ids=("P222",)),
)
