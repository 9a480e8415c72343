"""Where a wager went that the dealer lifted, as far as nobody saw it."""

from __future__ import annotations

from collections.abc import Sequence

from audit.reconstruction.changes import Change
from audit.reconstruction.doubts import NOT_RACKED, SENT_UNSEEN, TO_THE_RACK
from audit.reconstruction.elements import Element
from audit.reconstruction.handing import perhaps_handed_over, sent_unseen
from audit.reconstruction.stacking import never_racked
from audit.states import TableState


def whereto_unseen(element: Element, change: Change, states: Sequence[TableState], others: Sequence[Element]) -> str:
    """Return why nobody saw where a wager went that the dealer lifted; nothing if that is known.

    ``others``: all wagers.
    """
    if perhaps_handed_over(element, change, states):
        return TO_THE_RACK
    if sent_unseen(element, change, states):
        return SENT_UNSEEN
    return NOT_RACKED if never_racked(element, change, states, others) else ""
