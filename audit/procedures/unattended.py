"""A recording whose states lack hands: what an unseen hand may excuse is no violation there.

A change without any hand over its zone is of unknown origin (the contract of table states). Where one change in thirty
or more is so, hands were missed, and one that paid, took, dealt or laid something between two looks may have been, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from audit.findings import Verdict
from audit.money import ZERO
from audit.procedures.drafts import Draft
from audit.procedures.moments import settlements
from audit.procedures.troubled import as_suspected
from audit.reconstruction.changes import Change, is_watched
from audit.reconstruction.observation import Observation
from audit.states import TableState

_FEW: Final = 2
_SHARE: Final = 1 / 30
_CODES: Final = (
    "winner-unpaid winner-taken push-taken toke-settled toke-left-up side-payout-left loser-left"
    " seat-skipped card-without-draw draw-without-card cards-lacking card-to-empty-box cards-before-bets burn-card"
    " double-late hit-order deal-order second-card-late dealer-skipped raise-time late-wager capped pinched"
    " winner-first side-winner-first side-order toke-first settled-early settled-late pick-up-order dealer-cards-first"
    " side-wager-late insurance-late insurance-late-taken insurance-after-peek insurance-not-opened"
    " split-without-wager split-wager-left craps-late craps-swept-late pay-manner zigzag"
)
_BY_AN_UNSEEN_HAND: Final = frozenset(_CODES.split())
_OF_LESS: Final = "pay-amount"
_NO_HAND_CAME: Final = frozenset({"no-signal", "no-pat"})
_HARDLY: Final = 0.3


def unattended(rounds: Iterable[Observation], states: tuple[TableState, ...]) -> str:
    """Return, in words, how often something changed and no hand was seen; nothing where that may be chance."""
    if not is_watched(states):
        return ""
    changes = [change for one in rounds for change in _changes(one) if not change.blind and change.state > 0]
    gaps = {change.seen.last for change in changes}
    lacking = {change.seen.last for change in changes if not change.hands}
    if len(lacking) <= _FEW or len(lacking) < _SHARE * len(gaps):
        return ""
    return f"at {len(lacking)} of {len(gaps)} changes no hand was seen: hands were missed"


def _changes(seen: Observation) -> Iterator[Change]:
    """The changes by which wagers and cards of a round came, and by which wagers were settled and went."""
    for wager in seen.wagers:
        yield wager.placed
        yield from settlements(wager)
        if wager.collected is not None:
            yield wager.collected
    for seat in seen.seats.values():
        yield from (card.appeared for card in seat.cards)


def as_far_as_hands_show(drafts: Iterable[Draft], why: str) -> Iterator[Draft]:
    """Yield what was found, as suspected where an unseen hand may excuse it and ``why`` says that some were missed.

    That a hand did not come is hardly known then.
    """
    for draft in drafts:
        if not why or draft.finding.verdict is Verdict.UNDETERMINED:
            yield draft
        elif draft.finding.code in _NO_HAND_CAME:
            yield as_suspected(draft, why, _HARDLY)
        else:
            yield as_suspected(draft, why) if may_be_by_an_unseen_hand(draft) else draft


def may_be_by_an_unseen_hand(draft: Draft) -> bool:
    """Return whether a hand that was not seen, or was told from the wrong side, may excuse what was found."""
    found = draft.finding
    less = found.code == _OF_LESS and (found.amount is None or found.amount < ZERO)
    return less or found.code in _BY_AN_UNSEEN_HAND
