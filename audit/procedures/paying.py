"""The manner of paying: in which cheques, in which order, and what became of the bet meanwhile."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import prod
from typing import Final

from audit.cheques import FULL_STACK, UNITS, may_colour_up
from audit.money import Money
from audit.procedures.before_rack import FRONT, before_the_rack
from audit.procedures.drafts import (
    ALL_GAMES,
    BLACKJACK,
    Audited,
    AuditedTable,
    Case,
    Draft,
    Session,
    dollars,
    found,
    not_seen,
    spot_words,
)
from audit.procedures.dues import Due, due_readings
from audit.procedures.limits import limit
from audit.procedures.moments import settlements, things
from audit.readings import CERTAIN, Mass, mass_where
from audit.reconstruction.amounts import best_amount, in_colours, worth
from audit.reconstruction.changes import of_one_visit
from audit.reconstruction.doubts import UNREAD
from audit.reconstruction.evidence import Stack, best
from audit.reconstruction.observation import MoneyMove, SeenWager
from audit.reconstruction.places import distance
from audit.rounds import BetKey
from audit.settlement import Outcome
from audit.states import SeenObject, TableState

_ON_HAND: Final = frozenset({"main", "split", "double", "ante", "raise", "base", "enter", "draw"})
_EVEN: Final = 1
_THREE_TIMES: Final = 3
_PURPLE: Final = "purple"
_COLOURED: Final = 0.95


def _paid(case: Case) -> Iterator[tuple[SeenWager, Due, list[MoneyMove]]]:
    """Yield every winning wager on a hand with what it is due and the piles that were set beside it.

    Of one that was not read, or was paid by a pile that was not, nobody knows which piles are parts of the bet itself.
    """
    for wager in case.seen.wagers if not case.seen.piece.begun_unseen else ():
        piles = [move for move in wager.kept_pays if move.after and not move.before and move.change.by_dealer]
        read = all(wager.piles) and all(pile for move in wager.kept_pays for pile in move.after)
        if wager.key.bet in _ON_HAND and piles and read and wager.why_unknown != UNREAD:
            dues = due_readings(case, wager)
            if dues.doubt is None and dues.best is not None and dues.best.outcome is Outcome.WIN:
                yield wager, dues.best, piles


def _stack(move: MoneyMove) -> Stack:
    return best(move.after[0]) or ()


def _values(case: Case, stack: Stack) -> list[Money]:
    known = (worth((colour,), case.chips) for colour in stack)
    return [value for value in known if value is not None]


def _bet(wager: SeenWager) -> Stack:
    return tuple(colour for pile in wager.piles for colour in (best(pile) or ()))


def highest_first(case: Case) -> Iterator[Draft]:
    """Yield payments laid from the lower to the higher cheques: P268, as surely as the bet and they were read.

    Of a bet of which a pile shrank meanwhile, nobody knows which piles are parts of it: one of them was misread.
    """
    for wager, _, piles in _paid(case):
        if any(move.before and move.after and (best_amount(move.net(case.chips)) or 0) < 0 for move in wager.pays):
            continue
        for early, late in pairwise(piles):
            low, high = _values(case, _stack(early)), _values(case, _stack(late))
            apart = early.change.span.certainly_before(late.change.span)
            if apart and low and high and max(high) > max(low):
                sure = prod(max(pile.values(), default=0.0) for pile in (*wager.piles, early.after[0], late.after[0]))
                words = ("P268", "paid from the highest cheque to the lowest", _words(piles))
                yield from _manner(case, wager, late, *words, mass=Mass(broken=sure, kept=1.0 - sure))
                break


def _words(piles: list[MoneyMove]) -> str:
    return "paid " + ", then ".join(in_colours(move.after) for move in piles)


def _manner(
    case: Case, wager: SeenWager, move: MoneyMove, *ids_and_words: str, mass: Mass = CERTAIN, capped: bool = False
) -> Iterator[Draft]:
    *ids, expected, observed = ids_and_words
    yield from found(
        case,
        *ids,
        code="pay-manner",
        mass=mass,
        span=move.change.span,
        expected=expected,
        observed=observed,
        bet=wager.key,
        capped=capped,
        name=("pay-manner", ids[0], wager.key),
    )


def broken_down_in_the_circle(case: Case) -> Iterator[Draft]:
    """Yield a bet broken down by colour with a higher colour farther from the dealer than a lower one: P267.

    Where a payment in a colour that the bet has not lies beside its piles is not said. A payment before one of two
    piles side by side, as their player put them, makes no such order: all of a colour lies beyond all of a lower.
    """
    for wager, _, piles in _paid(case):
        owner = f"seat{wager.key.seat}"
        chips = _in_its_column(case, wager, case.seen.piece.states[piles[0].change.state])
        colours = [(case.places.along(owner, item.xy_mm)[1], _colours(item)) for item in chips]
        rows = [
            (at, value)
            for at, own in colours
            if len(own) == 1 and own <= set(_bet(wager))
            for value in _values(case, tuple(own))
        ]
        others = [own for _, own in colours if own and not own & set(_bet(wager))]
        wrong = _is_out_of_order(rows)
        if wrong and len(set(_bet(wager))) > 1 and len(rows) + len(others) == len(chips):
            words = (
                "the highest cheques nearest the dealer",
                "a higher colour farther from the dealer than a lower one",
            )
            yield from _manner(case, wager, piles[0], "P267", *words)


def _is_out_of_order(rows: Sequence[tuple[float, Money]]) -> bool:
    """Whether all piles of a value lie farther from the dealer (mm) than all of some lower one."""
    spans = {value: [at for at, other in rows if other == value] for _, value in rows}
    return any(
        min(spans[high]) - max(spans[low]) > limit("felt", "chip_mm") / 2
        for high in spans
        for low in spans
        if high > low
    )


def _colours(item: SeenObject) -> frozenset[str]:
    """Return the colours of a pile, however many cheques it may have; none if they are not sure."""
    if item.stack:
        return frozenset(item.stack)
    chances: dict[frozenset[str], float] = {}
    for one in item.stacks:
        chances[frozenset(one.stack)] = chances.get(frozenset(one.stack), 0.0) + one.p
    return next((own for own, p in chances.items() if p >= _COLOURED), frozenset())


def _in_its_column(case: Case, wager: SeenWager, state: TableState) -> list[SeenObject]:
    """Return the piles on a wager's spot that stand beside no other wager there: a bet, its double and a split's."""
    owner = f"seat{wager.key.seat}"
    column = {one.key: case.places.along(owner, one.xy_mm)[0] for one in case.seen.wagers if one.spot == wager.spot}

    def nearest(item: SeenObject) -> BetKey:
        right = case.places.along(owner, item.xy_mm)[0]
        return min(column, key=lambda key: abs(column[key] - right))

    here = [item for item in things(state, "chips") if case.places.spot(item.xy_mm) == wager.spot]
    return [item for item in here if nearest(item) == wager.key]


def paid_unbroken(case: Case) -> Iterator[Draft]:
    """Yield a bet of several colours that stood in one pile between two payments on it: P267 (004:L740).

    What is broken down, paid and stacked again between two states looks as if nothing had been done.
    """
    for wager, _, piles in _paid(case):
        between = sorted({move.change.state for move in piles})
        if len(wager.piles) == _EVEN and len(between) > _EVEN and _stood_whole(case, wager, between):
            yield from found(
                case,
                "P267",
                code="pay-manner",
                mass=mass_where(wager.piles[0], lambda stack: len(set(stack)) > 1),
                span=piles[0].change.span.hull(piles[-1].change.span),
                expected="a bet of several colours broken down in the circle before it is paid",
                observed=f"{in_colours(wager.piles)} in one pile, {_words(piles)}",
                bet=wager.key,
                capped=not case.thresholds.hands_sure,  # colours set close behind each other look like one pile
                name=("pay-manner", "P267", wager.key),
            )


def _stood_whole(case: Case, wager: SeenWager, states: Sequence[int]) -> bool:
    """Whether a bet was neither divided nor changed, and in sight in every state from its first payment to its last."""
    seen = case.seen.piece.states[states[0] : states[-1] + 1]
    whole = wager.cut == len(wager.piles) and not any(move.before for move in wager.pays)
    return whole and all(state.view == "ok" and wager.spot not in state.covered for state in seen)


def colour_for_colour(case: Case) -> Iterator[Draft]:
    """Yield a bet of one colour paid evenly in others: lower P269, higher P277, with $100 cheques P271, mixed P273."""
    for wager, due, piles in _paid(case):
        bet, paid = _bet(wager), tuple(colour for move in piles for colour in _stack(move))
        even = due.odds is not None and due.odds.a == due.odds.b
        right = best_amount(wager.stake) == sum(_values(case, paid), Money(0))
        converted = any(move.before and move.after for move in wager.pays)
        if len(set(bet)) != _EVEN or not even or not right or set(paid) == set(bet) or converted:
            continue
        own = min(_values(case, bet))
        others = _values(case, tuple(colour for colour in paid if colour != bet[0]))
        if not others:
            continue
        words = f"{in_colours(wager.piles)} paid in {in_colours(pile for move in piles for pile in move.after)}"
        if max(others) > own and not may_colour_up(bet):  # an even payment in colour has the cheques of its bet
            approval = limit("wagers", "approval_from")
            black = ("P271",) if max(others) >= approval > case.places.profile.minimum else ()
            mixed = ("P273",) if min(others) < own else ()
            yield from _manner(
                case, wager, piles[0], *mixed, "P277", *black, "paid colour for colour", words, capped=True
            )
        elif max(others) > own:
            yield from _uncut(case, wager, piles, words)
        elif max(others) < own:
            yield from _manner(case, wager, piles[0], "P269", "paid colour for colour", words, capped=True)


def _uncut(case: Case, wager: SeenWager, piles: list[MoneyMove], words: str) -> Iterator[Draft]:
    """Yield more than a stack that was paid in higher cheques and stood uncut between the payments: P273 (004:L751)."""
    states = sorted({move.change.state for move in piles})
    if len(states) > _EVEN and _stood_whole(case, wager, states):
        expected = "a stack that is paid in higher cheques cut down horizontally"
        yield from _manner(case, wager, piles[0], "P273", expected, f"{words}, not cut down", capped=True)


def sized_into_the_bet(case: Case) -> Iterator[Draft]:
    """Yield an even payment of a one-colour bet in its own colour in several piles, which no size compares: P263.

    Where the last one came later than the first, it may top up what was too little: P265.
    """
    for wager, due, piles in _paid(case):
        bet = _bet(wager)
        even = due.odds is not None and due.odds.a == due.odds.b
        own = all(set(_stack(move)) == set(bet) for move in piles)
        one = len(set(bet)) == _EVEN and len(wager.piles) == _EVEN and len(bet) <= FULL_STACK
        if even and own and one and len(piles) > wager.cut and wager.key.bet == "main":
            words = ("one pile as high as the bet", f"{len(piles)} piles")
            later = piles[-1].change.state > piles[0].change.state and not _settled_between(case, wager, piles)
            ids = ("P263", "P265") if later else ("P263",)
            yield from _manner(case, wager, piles[0], *ids, *words, capped=True)


def short_payout_brought_back(case: Case) -> Iterator[Draft]:
    """Yield a short payment that was topped up after the dealer had gone on to another seat: P265."""
    for wager, due, piles in _paid(case):
        stake = best_amount(wager.stake)
        owed = None if stake is None else due.pay(stake)
        amounts = [best_amount(move.net(case.chips)) for move in piles]
        if owed is None or len(piles) < 2 or None in amounts or sum(a for a in amounts if a is not None) != owed:  # noqa: PLR2004
            continue
        if _settled_between(case, wager, piles):
            words = ("a short payment brought back and done again", f"{dollars(amounts[-1])} added afterwards")
            yield from _manner(case, wager, piles[-1], "P265", *words)


def _settled_between(case: Case, wager: SeenWager, piles: Sequence[MoneyMove]) -> bool:
    """Whether the dealer settled a bet of another seat between the first pile of a payment and the last."""
    first, last = piles[0].change, piles[-1].change
    return any(
        first.span.certainly_before(change.span) and change.span.certainly_before(last.span)
        for other in case.seen.wagers
        if other.key.seat != wager.key.seat
        for change in settlements(other)
    )


def payment_topped_up(case: Case) -> Iterator[Draft]:
    """Yield a short payment onto which the dealer put the rest from the rack, at most suspect: P265 (004:L738).

    Whose hand came to it and the rack twice may have brought it back first, and done it again, as he has to.
    """
    for wager, due, piles in _paid(case):
        stake, paid = best_amount(wager.stake), [move for move in wager.pays if move.after]
        owed = None if stake is None else due.pay(stake)
        grown = [move for move in paid if move.before]
        amounts = [best_amount(move.net(case.chips)) for move in paid]
        if owed is None or len(piles) != _EVEN or len(grown) != _EVEN or None in amounts:
            continue
        (more,) = grown
        colours = {colour for move in paid for colour in _stack(move)}
        states = case.seen.piece.states[piles[0].change.state + 1 : more.change.state + 1]
        fetched = any(hand.side == "dealer" and "rack" in hand.zones for state in states for hand in state.hands)
        whole = sum(amount for amount in amounts if amount is not None) == owed
        one_pile = len(colours) == _EVEN and len(_stack(more)) <= FULL_STACK and more.before[0] == piles[0].after[0]
        one_pile = one_pile and sum("rack" in hand.zones for hand in more.change.hands) <= _EVEN
        brought = more.change.by_dealer and not of_one_visit(piles[0].change, more.change)
        if whole and fetched and one_pile and brought and min(a for a in amounts if a is not None) > 0:
            words = ("a short payment brought back and done again", f"{dollars(amounts[-1])} put upon it")
            yield from _manner(case, wager, more, "P265", *words, capped=True)


def bets_converted(case: Case) -> Iterator[Draft]:
    """Yield a bet replaced by other colours, by itself or with its payment: P278; one that pays odds: P279."""
    for wager in case.seen.wagers:
        for move in wager.pays:
            before, after = (
                {colour for pile in piles for colour in best(pile) or ()} for piles in (move.before, move.after)
            )
            due = due_readings(case, wager).best
            stake = best_amount(wager.stake)
            fitting = (0, None if due is None or stake is None else due.pay(stake))
            changed = (
                before and after and (before != after if best_amount(move.net(case.chips)) == 0 else not before & after)
            )
            if not changed or best_amount(move.net(case.chips)) not in fitting or wager.key.bet == "toke":
                continue
            odds = due is not None and due.odds is not None and due.odds.a > due.odds.b
            ids = ("P279", "P278") if odds else ("P278",)
            observed = f"{in_colours(move.before)} changed into {in_colours(move.after)}"
            yield from _manner(case, wager, move, *ids, "the bet left in its cheques", observed, capped=True)


def blackjack_on_a_high_stack(case: Case) -> Iterator[Draft]:
    """Yield a blackjack on a high stack neither cut into three times by halves nor cut before the rack: P270.

    Either may have been done between two states: at most suspect.
    """
    for wager, due, piles in _paid(case) if not case.seen.piece.missing else ():
        bet = _bet(wager)
        high = len(set(bet)) == _EVEN and len(bet) >= limit("paying", "high_stack")
        if due.row != "blackjack" or not high or not piles[-1].change.hands:
            continue
        halves = [move for move in piles if len(_stack(move)) in (len(bet) // 2, len(bet) - len(bet) // 2)]
        until = piles[-1].change.state
        states = case.seen.piece.states[case.seen.piece.first : until + 1]
        if any(not state.covered.isdisjoint(FRONT | {wager.spot}) for state in states):
            reason = f"{spot_words(wager)}: how it was paid"
            yield from not_seen(case, "P270", reason=reason, span=piles[-1].change.span, seat=wager.key.seat)
        elif len(halves) < _THREE_TIMES and not any(before_the_rack(case, state) for state in states):
            words = (
                "a high stack cut into three times by its half, or its payment cut before the rack",
                f"{len(bet)} {bet[0]} {_words(piles)}",
            )
            yield from _manner(case, wager, piles[0], "P270", *words, capped=True)


def unproved(case: Case) -> Iterator[Draft]:
    """Yield $500 cheques, a stack of four or more, paid without having stood before the rack: P272 (004:L749).

    They may have been proved between two states, where there was time for it: at most suspect.
    """
    for wager, _, piles in _paid(case) if not case.seen.piece.missing else ():
        purple = [move for move in piles if _stack(move).count(_PURPLE) >= UNITS[_PURPLE]]
        if not purple or not purple[0].change.by_dealer:
            continue
        states = _since_the_last(case, purple[0])
        clear = all(state.view == "ok" and state.covered.isdisjoint(FRONT) for state in states)
        gaps = [after.span.first - before.span.last for before, after in pairwise(states)]
        shown = any(_PURPLE in (pile.stack or (_PURPLE,)) for state in states for pile in before_the_rack(case, state))
        if clear and not shown and max(gaps, default=0) < limit("time", "proof_ms"):
            expected = "$500 cheques proved before the rack in stacks of four"
            yield from _manner(case, wager, purple[0], "P272", expected, _words(purple), capped=True)


def paid_mixed(case: Case) -> Iterator[Draft]:
    """Yield cheques of several colours paid in one pile: P272 with $500 cheques among them (004:L749), P274 (004:L755).

    P274 where the bet had been broken down colour by colour. A bet of one pile that the player had mixed alike was
    sized into: that it should be broken down is P267. Two piles that touch may look like one: at most suspect.
    """
    for wager, _, piles in _paid(case) if not case.seen.piece.missing else ():
        bets = [set(stack) for pile in wager.piles if (stack := best(pile))]
        mixed = [move for move in piles if len(set(_stack(move))) > 1]
        apart = wager.cut > len(wager.piles)
        if mixed and (apart or (_PURPLE in _stack(mixed[0]) and set(_stack(mixed[0])) not in bets)):
            ids = ("P272", "P274") if _PURPLE in _stack(mixed[0]) else ("P274",)
            words = ("each colour paid in a pile of its own", _words(mixed))
            yield from _manner(case, wager, mixed[0], *ids, *words, capped=True)


def _since_the_last(case: Case, payment: MoneyMove) -> Sequence[TableState]:
    """The states from the last thing that was settled before a payment, or the deal, to those before its own."""
    settled = [change.state for wager in case.seen.wagers for change in settlements(wager)]
    dealt = [case.seen.first_card.state] if case.seen.hole_turned is None else [case.seen.hole_turned.state]
    begun = [state for state in (*settled, *dealt, case.seen.piece.first) if state < payment.change.state]
    return case.seen.piece.states[max(begun) : payment.change.state + 1]


def out_of_his_units(session: Session) -> Iterator[Draft]:
    """Yield a player left without the cheques that he bets after the dealer changed his bet for others: P362.

    Judged where the seat bet one colour for some rounds, and cheques of his own were seen on the felt.
    """
    for number, case in enumerate(session.cases):
        earlier = session.cases[max(0, number - int(limit("paying", "usual_rounds"))) : number]
        for wager in case.seen.wagers if len(earlier) == limit("paying", "usual_rounds") else ():
            usual = {colour for one in (*earlier, case) for colour in _bet_at(one, wager)}
            if wager.key.bet != "main" or len(usual) != _EVEN or not all(_bet_at(one, wager) for one in earlier):
                continue
            yield from _left_without(case, wager, usual.pop())


def _bet_at(case: Case, wager: SeenWager) -> Stack:
    same = case.seen.wager(wager.key)
    return () if same is None else _bet(same)


def _left_without(case: Case, wager: SeenWager, colour: str) -> Iterator[Draft]:
    changed = [move for move in wager.pays if move.before and move.after and colour in (best(move.before[0]) or ())]
    if not changed or not any(changed[-1].after) or best(changed[-1].after[0]) is None:
        return
    after = case.seen.piece.states[wager.pays[-1].change.state]
    own = [pile for pile in things(after, "chips") if _is_his(case, wager, pile)]
    loose = [pile for pile in own if not case.places.zones(pile.xy_mm)]
    read = all(pile.stack is not None for pile in own)
    if loose and read and not any(colour in (pile.stack or ()) for pile in own):
        words = (f"{colour} left to a player who bets it", f"no {colour} at his place after the payment")
        yield from _manner(case, wager, wager.pays[-1], "P362", *words)


def _is_his(case: Case, wager: SeenWager, pile: SeenObject) -> bool:
    """Whether a pile stands nearer to this wager than to any other seat's, and not before the rack."""
    mains = [zone for seat in case.places.profile.seats if (zone := case.places.profile.zone(f"seat{seat}.main"))]
    nearest = min(mains, key=lambda zone: distance(zone.centre_mm, pile.xy_mm))
    return nearest.seat == wager.key.seat and pile.xy_mm[1] > limit("felt", "before_rack_mm")


CHECKS: Final = (
    Audited(check=highest_first, games=ALL_GAMES, ids=("P268",)),
    Audited(check=broken_down_in_the_circle, games=BLACKJACK, ids=("P267",)),
    Audited(check=colour_for_colour, games=ALL_GAMES, ids=("P269", "P271", "P273", "P277")),
    Audited(check=sized_into_the_bet, games=BLACKJACK, ids=("P263", "P265")),
    Audited(check=short_payout_brought_back, games=ALL_GAMES, ids=("P265",)),
    Audited(check=bets_converted, games=BLACKJACK, ids=("P278", "P279")),
    Audited(check=paid_unbroken, games=BLACKJACK, ids=("P267",)),
    Audited(check=payment_topped_up, games=ALL_GAMES, ids=("P265",)),
    Audited(check=unproved, games=BLACKJACK, ids=("P272",)),
    Audited(check=paid_mixed, games=BLACKJACK, ids=("P272", "P274")),
    Audited(check=blackjack_on_a_high_stack, games=BLACKJACK, ids=("P270",)),
)
TABLE_CHECKS: Final = (AuditedTable(check=out_of_his_units, games=BLACKJACK, ids=("P362",), in_round=True),)
