"""Hands of a split, one paid too much by what another lacks: which money goes with which hand, its place tells.

Who laid a new wager at the wrong side, or payments beside another wager than their own, and settles hand by hand, pays
the player neither too much nor too little (004:L822).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from audit.findings import Verdict
from audit.money import ZERO, Money
from audit.procedures.drafts import Case, Draft
from audit.procedures.dues import due_readings
from audit.procedures.troubled import as_suspected
from audit.procedures.unclear import ON_HAND, PAID
from audit.reconstruction.amounts import best_amount
from audit.reconstruction.observation import Ending, SeenWager
from audit.settlement import Outcome

_IN_ALL: Final = "together the seat's hands were paid what is due"
_TWO: Final = 2


def with_wagers_crosswise(case: Case, drafts: Iterable[Draft]) -> Iterator[Draft]:
    """Yield what was found; wrong payments of a seat's hands that are right together are suspected."""
    some = list(drafts)
    wrong = [draft for draft in some if _is_of_a_hand(draft)]
    seats = {draft.finding.seat for draft in wrong}
    right = {
        seat for seat in seats if sum(draft.finding.seat == seat for draft in wrong) >= _TWO and _is_right(case, seat)
    }
    for draft in some:
        accused = draft.finding.verdict is Verdict.VIOLATION and _is_of_a_hand(draft)
        yield as_suspected(draft, _IN_ALL) if accused and draft.finding.seat in right else draft


def _is_of_a_hand(draft: Draft) -> bool:
    found = draft.finding
    return found.bet is not None and found.bet.bet in ON_HAND and found.code in PAID


def _is_right(case: Case, seat: int | None) -> bool:
    """Whether a player of several hands has what is due to him in all, as far as everything was read."""
    nets = [_net(case, wager) for wager in case.seen.wagers if wager.key.seat == seat and wager.key.bet in ON_HAND]
    return len(nets) >= _TWO and None not in nets and sum(net for net in nets if net is not None) == 0


def _net(case: Case, wager: SeenWager) -> Money | None:
    """What a player got on a wager more than was due, None where that is not known."""
    due, stake = due_readings(case, wager).best, best_amount(wager.stake)
    amounts = [best_amount(move.net(case.chips)) for move in wager.kept_pays]
    if due is None or stake is None or None in amounts or wager.ending is Ending.UNKNOWN:
        return None
    got = sum((amount for amount in amounts if amount is not None), ZERO) - (
        stake if wager.ending is Ending.TAKEN else ZERO
    )
    won = due.pay(stake) if due.outcome is Outcome.WIN else ZERO
    return None if won is None else got - (won if due.outcome is not Outcome.LOSE else -stake)
