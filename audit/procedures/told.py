"""The round's record in the light of its settlement: amounts that go together, as long as nothing speaks against it.

A pile of seven that may be one of eight, paid with eight, was most likely eight. As long as it is far likelier that a
wager was settled as due, its record is the likeliest reading in which it was, though too little may have been read to
decide it, and though another reading is suspected. So it is with wagers in proportion to another. As long as it is far
likelier that it was not, it is the likeliest reading in which it was not: a blackjack on one or two greens, paid with
two, was most likely paid evenly. Otherwise the record is what was read, each pile by itself.
A wager that lost and went under hands of both sides was most likely taken; that nobody saw it is told besides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from math import prod
from typing import Final

from audit.money import Money
from audit.procedures.corroboration import corroborated
from audit.procedures.drafts import Case
from audit.procedures.dues import due_readings
from audit.procedures.joint import Judged, judged, settled_wrongly
from audit.procedures.proportion import by_proportion
from audit.reconstruction.amounts import best_amount
from audit.reconstruction.doubts import BOTH_SIDES
from audit.reconstruction.observation import SeenWager
from audit.rounds import BetKey, Movement, ObservedRound
from audit.settlement import Outcome

_FAR_LIKELIER: Final = 4.0
_SURELY: Final = 0.95
_EVENLY: Final = 10.0
"""So much likelier a payment that is not as due equals its wager than another amount."""


def as_told(case: Case) -> ObservedRound:
    """Return the round with the amounts of wagers and payments that go together best."""
    observed, weighed = case.seen.observed, by_proportion(case)
    known = Counter(wager.key for wager in case.seen.wagers)
    once = [wager for wager in weighed.seen.wagers if known[wager.key] == 1]
    paid: dict[BetKey, Iterator[Money]] = {}
    stakes = {wager.key: amount for wager in once if (amount := _in_proportion(case, wager)) is not None}
    taken = dict(stakes)
    for wager in once:
        amounts = _as_due(weighed, wager) if wager.kept_pays else None
        parts = _in_parts(wager, amounts[1], case.chips) if amounts is not None else ()
        if amounts is not None and parts:
            stakes[wager.key], paid[wager.key] = amounts[0], iter(parts)
    wagers = tuple(replace(one, amount=stakes.get(one.key, one.amount)) for one in observed.round.wagers)
    pays = tuple(replace(one, amount=next(paid.get(one.key, iter(())), one.amount)) for one in observed.pays)
    takes = (*(_as_placed(case, one, taken) for one in observed.takes), *_taken_as_due(weighed))
    return replace(observed, round=replace(observed.round, wagers=wagers), pays=pays, takes=takes)


def _in_proportion(case: Case, weighed: SeenWager) -> Money | None:
    """Return what a wager was worth by those that stand in proportion to it, None if that is as it was read."""
    read, amount = case.seen.wager(weighed.key), best_amount(weighed.stake)
    return None if read is None or read.unseen_stake or amount == best_amount(read.stake) else amount


def _as_placed(case: Case, take: Movement, stakes: Mapping[BetKey, Money]) -> Movement:
    """Return what was taken, of a wager taken as it was placed with what that is in proportion."""
    wager = case.seen.wager(take.key)
    whole = wager is not None and take.amount == best_amount(wager.stake)
    return replace(take, amount=stakes[take.key]) if whole and take.key in stakes else take


def _taken_as_due(case: Case) -> Iterator[Movement]:
    """Yield what the dealer most likely took, in footage, where a player's hand was over it as well when it went."""
    for wager in () if case.thresholds.as_they_are else case.seen.wagers:
        touched = wager.pays or wager.raised or wager.lowered
        if wager.collected is None or touched or not wager.why_unknown.startswith(BOTH_SIDES):
            continue
        due = due_readings(case, wager)
        lost = sum(p for dues, p in due.sets.items() if {one.outcome for one in dues} == {Outcome.LOSE})
        if due.doubt is None and lost >= _SURELY:
            yield Movement(key=wager.key, amount=best_amount(wager.stake), span=wager.collected.span)


def _as_due(case: Case, wager: SeenWager) -> tuple[Money, Money] | None:
    """Return what a wager was worth and what was paid on it, as due or evenly, None if neither is far likelier."""
    whole = judged(corroborated(case, wager, settled_wrongly), wager)
    mass = whole.mass.weighed(case.thresholds.breach)
    if mass.kept > mass.broken * _FAR_LIKELIER:
        return _likeliest(whole, wrong=False)
    surely_wrong = mass.broken > (mass.kept + mass.unknown) * _FAR_LIKELIER
    return _likeliest(whole, wrong=True) if surely_wrong else None


def _in_parts(wager: SeenWager, whole: Money, chips: Mapping[str, Money]) -> tuple[Money, ...]:
    """Return what each told part of a payment was in the likeliest reading in which they are so much together.

    Nothing if they never are. Of a payment that came at once that is the whole, which was weighed already.
    """
    nets = [move.net(chips) for move in wager.kept_pays]
    nets = [net for net in nets if best_amount(net) != 0]  # what likeliest changed nothing is not told
    if len(nets) == 1:
        return (whole,)
    ways = [way for way in product(*(net.items() for net in nets)) if sum(amount for amount, _ in way) == whole]
    likeliest = max(ways, key=lambda way: prod(chance for _, chance in way), default=())
    return tuple(amount for amount, _ in likeliest)


def _likeliest(whole: Judged, *, wrong: bool) -> tuple[Money, Money] | None:
    """Return the likeliest amounts of wager and payment; who pays wrongly mostly pays evenly."""
    chances: dict[tuple[Money | None, Money | None], float] = {}
    for one in whole.readings:
        if one.wrong is wrong:
            evenly = _EVENLY if wrong and one.stake is not None and one.stake == one.paid else 1.0
            chances[one.stake, one.paid] = chances.get((one.stake, one.paid), 0.0) + one.chance * evenly
    stake, paid = max(chances, key=lambda pair: chances[pair])
    return None if stake is None or paid is None else (stake, paid)
