"""Wagers: when they were placed and changed, how much they may be, and beside what they may stand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Final

from audit.money import Money, format_money
from audit.procedures.drafts import Case, Draft, dollars, found
from audit.readings import Mass
from audit.reconstruction.amounts import Amounts, best_amount, worth
from audit.reconstruction.changes import Change
from audit.reconstruction.evidence import Stack, best
from audit.reconstruction.observation import SeenWager

_LIMITED: Final = frozenset(
    {"main", "ante", "base", "enter", "craps", "chuck", "match1", "match2", "mirror", "block_bonus"}
)
_SIDE_LIMITS: Final = {"trilux": "P386", "super3": "P386", "blazing7": "P403"}
_FIRST_ID: Final = {"trilux": ("P378",), "super3": ("P378",)}


def late_wagers(case: Case) -> Iterator[Draft]:
    """Yield wagers placed after the first card, capped or pinched: P221, P205-P208, P223, P378."""
    if case.seen.piece.begun_unseen:
        return
    for wager in case.seen.late:
        yield from _placed_late(case, wager)
    for wager in case.seen.wagers:
        for move in wager.raised:
            yield from _changed(case, wager, move.change, _words(case, wager, move.net(case.chips)), grew=True)
        for move in wager.lowered:
            yield from _changed(case, wager, move.change, _words(case, wager, move.net(case.chips)), grew=False)


def _placed_late(case: Case, wager: SeenWager) -> Iterator[Draft]:
    own = case.seen.wager(wager.key)
    first = case.seen.piece.states[case.seen.piece.first].span
    added = "" if own is None else f" beside {dollars(best_amount(own.stake))}"
    yield from found(
        case,
        *_FIRST_ID.get(wager.key.bet, ()),
        *(("P221", "P205", "P223", "P208") if own is None else ("P205", "P221", "P223", "P208")),
        code="late-wager",
        mass=_certain(case, wager.placed),
        span=wager.placed.span,
        expected=f"no wager after the first card at {first.first} ms",
        observed=f"{dollars(best_amount(wager.stake))} placed{added}",
        bet=wager.key,
        capped=not wager.placed.hands,
        name=("changed", wager.key),
    )


def _changed(case: Case, wager: SeenWager, change: Change, words: str, *, grew: bool) -> Iterator[Draft]:
    turned = case.seen.hole_turned
    shown = turned is not None and change.state >= turned.state
    ids = ("P205", "P221", "P223", "P208") if grew else ("P206", "P223", "P208")
    yield from found(
        case,
        *(("P207",) if grew and shown else ()),
        *_FIRST_ID.get(wager.key.bet, ()),
        *ids,
        code="capped" if grew else "pinched",
        mass=_certain(case, change),
        span=change.span,
        expected="no wager changed after the first card",
        observed=words,
        bet=wager.key,
        capped=not change.hands,
        name=("changed", wager.key),
    )


def _words(case: Case, wager: SeenWager, net: Amounts) -> str:
    change = best_amount(net)
    stake = best_amount(wager.stake)
    del case
    if change is None or stake is None:
        return "the wager was changed"
    return f"the wager went from {format_money(stake)} to {format_money(stake + change)}"


def _certain(case: Case, change: Change) -> Mass:
    """A change is late only if a state that shows a card, with the zone in view, precedes it."""
    first = case.seen.piece.states[case.seen.piece.first].span
    return Mass(broken=1.0, kept=0.0) if change.seen.first >= first.first else Mass(broken=0.0, kept=0.0)


def limits(case: Case) -> Iterator[Draft]:
    """Yield wagers outside the posted or printed limits: P224, P225, P386, P403, P316."""
    profile = case.places.profile
    for wager in case.seen.wagers:
        bet = wager.key.bet
        if bet in _LIMITED:
            yield from _at_least(case, wager, "P224", profile.minimum)
            yield from _at_most(case, wager, "P225", profile.maximum)
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
        code=code,
        mass=mass,
        span=wager.placed.span,
        expected=expected,
        observed=f"{dollars(best_amount(wager.stake))} wagered",
        bet=wager.key,
        unread=_unread(wager),
    )


def _unread(wager: SeenWager) -> list[str]:
    return [f"seat {wager.key.seat} {wager.key.bet}: wager not read"]


def stacked_smallest_on_top(case: Case) -> Iterator[Draft]:
    """Yield main wagers with a larger cheque on top of a smaller one: P222."""
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
                unread=_unread(wager),
            )


def _rises(case: Case, stack: Stack) -> bool:
    values = [worth((colour,), case.chips) for colour in stack]
    known = [value for value in values if value is not None]
    return any(upper > lower for lower, upper in pairwise(known))


def derived_wagers(case: Case) -> Iterator[Draft]:
    """Yield doubles over the bet, splits unequal to it, insurance over half of it: P315, P322, P304."""
    for wager in case.seen.wagers:
        seat, hand = wager.key.seat, wager.key.hand
        base = next(
            (
                w
                for w in case.seen.wagers
                if w.key.seat == seat and w.key.bet in ("main", "split") and w.key.hand == hand
            ),
            None,
        )
        main = next((w for w in case.seen.wagers if w.key.seat == seat and w.key.bet == "main"), None)
        if wager.key.bet == "double" and base is not None:
            yield from _ratio(case, wager, base, "P315", lambda own, bet: own > bet)
        if wager.key.bet == "split" and main is not None:
            yield from _ratio(case, wager, main, "P322", lambda own, bet: own != bet)
        if wager.key.bet == "insurance" and main is not None:
            yield from _ratio(case, wager, main, "P304", lambda own, bet: own * 2 > bet)


_MAY_BE: Final = {
    "P315": ("double-over-wager", "a double of at most the wager"),
    "P322": ("split-wager-differs", "a split wager equal to the original"),
    "P304": ("insurance-over-half", "insurance of at most half the wager"),
}


def _ratio(
    case: Case, wager: SeenWager, base: SeenWager, procedure: str, outside: Callable[[Money, Money], bool]
) -> Iterator[Draft]:
    broken = kept = 0.0
    for own, p in wager.stake.items():
        for bet, q in base.stake.items():
            wrong = outside(own, bet)
            broken += p * q if wrong else 0.0
            kept += 0.0 if wrong else p * q
    yield from found(
        case,
        procedure,
        code=_MAY_BE[procedure][0],
        mass=Mass(broken=broken, kept=kept),
        span=wager.placed.span,
        expected=f"{_MAY_BE[procedure][1]}, {dollars(best_amount(base.stake))}",
        observed=f"{dollars(best_amount(wager.stake))} placed",
        bet=wager.key,
        unread=_unread(wager),
    )


def side_wagers_need_a_main(case: Case) -> Iterator[Draft]:
    """Yield side wagers without the wager they depend on: P377, P403."""
    bets = {(wager.key.seat, wager.key.bet) for wager in (*case.seen.wagers, *case.seen.without_cards)}
    for wager in (*case.seen.wagers, *case.seen.without_cards):
        seat, bet = wager.key.seat, wager.key.bet
        lacks_main = bet in ("trilux", "super3", "blazing7") and (seat, "main") not in bets
        lacks_bonus = bet == "super3" and (seat, "trilux") not in bets
        if lacks_main or lacks_bonus:
            yield from found(
                case,
                "P403" if bet == "blazing7" else "P377",
                code="side-wager-alone",
                span=wager.placed.span,
                expected="a blackjack wager" + (" and the Bonus wager" if bet == "super3" else "") + " with it",
                observed=f"{dollars(best_amount(wager.stake))} on {bet} alone",
                bet=wager.key,
            )


def insurance_needs_an_ace(case: Case) -> Iterator[Draft]:
    """Yield insurance against another up card than an ace: P302."""
    up = case.seen.dealer[:1]
    if not up:
        return
    chances = up[0].chances
    broken = sum(p for code, p in chances.items() if code[0] != "A")
    kept = sum(p for code, p in chances.items() if code[0] == "A")
    for wager in case.seen.wagers:
        if wager.key.bet == "insurance":
            yield from found(
                case,
                "P302",
                code="insurance-without-ace",
                mass=Mass(broken=broken, kept=kept),
                span=wager.placed.span,
                expected="insurance only when the up card is an ace",
                observed=f"{dollars(best_amount(wager.stake))} against {up[0].likeliest}",
                bet=wager.key,
                unread=["dealer's card 1 not read"],
            )
