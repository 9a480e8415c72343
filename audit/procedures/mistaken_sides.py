"""A recording whose states take the dealer's hands for players': what hangs on whose a hand was is no violation there.

One that did what only the dealer does shows it (``reconstruction.sides``). Of seven hundred recordings without such
mistakes not one has such a hand; where one in thirty hands is told from the wrong side, every night has several.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from audit.findings import Verdict
from audit.procedures.drafts import Draft
from audit.procedures.troubled import as_suspected
from audit.procedures.unattended import may_be_by_an_unseen_hand
from audit.states import TableState

_BY_HANDS_ALONE: Final = frozenset({"player-hand", "card-touched", "hand-on-bet", "no-signal", "no-pat"})
_HARDLY: Final = 0.3
"""How likely a finding is, at most, that rests on nothing but the side of one hand."""
_CODES: Final = (
    "proving settling-order cards-before-money dealer-cards-away cards-left both-hands toke-moved card-moved exchanged"
    " seated-elsewhere two-players-on-one-space hands-of-one-player cut-by-another cut-by-dealer side-order-mixed"
    " progressive-late progressives-first round-begun-open"
)
_BY_WHOSE_HAND: Final = frozenset(_CODES.split())


def mistaken_sides(states: Iterable[TableState]) -> str:
    """Return, in words, how often a hand told as a player's was the dealer's by what it did; nothing if never."""
    hands = sum(hand.taken_for is not None for state in states for hand in state.hands)
    times = "once" if hands == 1 else f"{hands} times"
    return f"{times} a hand told as a player's did what only the dealer does: sides were mistaken" if hands else ""


def as_far_as_sides_show(drafts: Iterable[Draft], why: str) -> Iterator[Draft]:
    """Yield what was found, as suspected where it hangs on whose a hand was and ``why`` says they are unsure."""
    for draft in drafts:
        code = draft.finding.code
        if not why or draft.finding.verdict is Verdict.UNDETERMINED:
            yield draft
        elif code in _BY_HANDS_ALONE:
            yield as_suspected(draft, why, _HARDLY)
        elif code in _BY_WHOSE_HAND or may_be_by_an_unseen_hand(draft):
            yield as_suspected(draft, why)
        else:
            yield draft
