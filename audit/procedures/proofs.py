"""What cheques that were proved before the rack say of the payment that they became (004:L73-95)."""

from __future__ import annotations

from typing import Final

from audit.procedures.before_rack import before_the_rack
from audit.procedures.drafts import Case
from audit.reconstruction.amounts import Amounts, total_amounts
from audit.reconstruction.evidence import stack_chances
from audit.reconstruction.observation import MoneyMove, SeenWager
from audit.reconstruction.places import lies_there

_SAME: Final = 0.9
"""How likely what was proved is what was paid: another pile of it may be hidden, or it went into the rack."""
_ANY: Final = 0.05
"""How likely an amount is of cheques of which nothing is known."""


def with_its_proof(case: Case, wager: SeenWager, paid: Amounts) -> Amounts:
    """Return what was paid on a wager, weighed by what stood before the rack until the very gap of the payment.

    Heights of four and five are read more surely than those of a whole payment. Where readings are taken as they are
    nothing changes, nor where more was paid in that gap, or something was left before the rack.
    """
    proved = {} if case.thresholds.as_they_are or len(wager.pays) != 1 else _proved(case, wager.pays[0])
    if not proved:
        return paid
    likely = {amount: p * (_SAME * proved.get(amount, 0.0) + (1 - _SAME) * _ANY) for amount, p in paid.items()}
    share = sum(paid.values()) / max(sum(likely.values()), 1e-12)
    return {amount: p * share for amount, p in likely.items()}


def _proved(case: Case, payment: MoneyMove) -> Amounts:
    """Return the worth of the cheques that went from before the rack as a payment was set down; nothing if none did."""
    place, states = payment.change.state, case.seen.piece.states
    others = [move for one in case.seen.wagers for move in one.pays if move.change.state == place]
    if place == 0 or len(others) > 1 or not payment.change.by_dealer:
        return {}
    shown, left = (before_the_rack(case, states[at]) for at in (place - 1, place))
    if any(lies_there(pile, other) for pile in shown for other in left):
        return {}
    return total_amounts(map(stack_chances, shown), case.chips) if shown else {}
