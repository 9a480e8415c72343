"""What every wager of a round is due, and what the rules forbid in the round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from audit import unread
from audit.games.catalogue import GAMES
from audit.games.terms import Limit, Outcome, RuleSet, Settled, Settlement, Violation, place
from audit.money import Money
from audit.rounds import Round, Wager

__all__ = ["COMMON_CODES", "Outcome", "RuleSet", "Settled", "Settlement", "Violation", "settle"]


COMMON_CODES: Final = {
    "bet-twice": "one wager of a kind stands on one spot",
    "under-minimum": "a stake is at least what the documents fix for its bet (see the limits of the rule set)",
    "over-maximum": "a stake is at most what the documents fix for its bet (see the limits of the rule set)",
    "no-such-seat": "the layout has no such space (000:L19, 001:L19, 004:L650)",
}
"""What every game forbids."""


def settle(round_: Round, rules: RuleSet) -> Settlement:
    """Return what each wager is due under the rules, in the order of the wagers.

    A round that the rules forbid is settled as it was played, and what is forbidden in it is among the violations. A
    wager that hangs on a card not read has outcome None, unless every reading of it decides alike. Never raises on a
    round of the rules' own game.
    """
    play = GAMES[rules.game].settle
    settlement = play(round_, rules)
    found = tuple(_common(round_, rules))
    if None in [settled.outcome for settled in settlement.settled]:
        pairs = zip(settlement.settled, round_.wagers, strict=True)
        decided = [s if s.outcome else unread.decide(s, wager, round_, rules, play) for s, wager in pairs]
        return Settlement(settled=tuple(decided), violations=settlement.violations + found)
    if not found:
        return settlement
    return Settlement(settled=settlement.settled, violations=settlement.violations + found)


def _common(round_: Round, rules: RuleSet) -> Iterator[Violation]:
    """Yield what every game forbids."""
    wagers = round_.wagers
    if len({(w.key.seat, w.key.bet, w.key.hand, w.key.number) for w in wagers}) < len(wagers):
        yield from _twice(round_)
    for wager in wagers:
        limit = rules.limit_of(wager.key.bet)
        if limit is not None and wager.amount is not None:
            yield from _limits(wager, wager.amount, limit)
    last = GAMES[rules.game].seats
    for seat in round_.seats:
        if seat > last:
            yield f"seat {seat}", "no-such-seat"


def _twice(round_: Round) -> Iterator[Violation]:
    """Yield the wagers that are a second one of their kind on one spot."""
    seen = set()
    for wager in round_.wagers:
        if wager.key in seen:
            yield place(wager.key), "bet-twice"
        seen.add(wager.key)


def _limits(wager: Wager, amount: Money, limit: Limit) -> Iterator[Violation]:
    """Yield whether the stake is outside the limits that the documents fix for its bet."""
    if limit.minimum is not None and amount < limit.minimum:
        yield place(wager.key), "under-minimum"
    if limit.maximum is not None and amount > limit.maximum:
        yield place(wager.key), "over-maximum"
