"""A seat of which it is not known which cards make which hand: what would be said of its hands is undetermined.

Where a card lies beside every hand, it may be one's: what would be said of payments on hands is suspected.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from audit.findings import Finding, Verdict
from audit.procedures.drafts import Case, Draft
from audit.procedures.troubled import as_suspected

ON_HAND: Final = frozenset({"main", "split", "double"})
_BY_THE_SUM: Final = ON_HAND | {"ante", "raise", "base", "enter", "draw"}
PAID: Final = frozenset(
    ("winner-unpaid", "winner-taken", "push-taken", "push-paid", "loser-left", "loser-paid", "pay-amount")
)
_ELSEWHERE: Final = "a card that lay beside every hand may be its"


def with_unclear_hands(case: Case, drafts: Iterable[Draft]) -> Iterator[Draft]:
    """Yield what the checks found; of the hands of such a seat only that it could not be told."""
    for draft in drafts:
        reason = _why_unclear(case, draft)
        if reason:
            yield _open(draft, reason)
        else:
            yield as_suspected(draft, _ELSEWHERE) if _may_lack_a_card(case, draft.finding) else draft


def _may_lack_a_card(case: Case, found: Finding) -> bool:
    """Whether a payment is accused that hangs on a hand's sum, and a card that lay beside every hand may be of it."""
    by_the_sum = found.bet is not None and found.bet.bet in _BY_THE_SUM and found.code in PAID
    return bool(case.seen.stray_cards) and by_the_sum and found.verdict is Verdict.VIOLATION


def _why_unclear(case: Case, draft: Draft) -> str:
    found = draft.finding
    seen = None if found.seat is None else case.seen.seats.get(found.seat)
    of_a_hand = found.bet is None or found.bet.bet in ON_HAND
    if seen is None or not seen.unclear or not of_a_hand or found.verdict is Verdict.UNDETERMINED:
        return ""
    return f"seat {seen.seat}: {seen.unclear}"


def _open(draft: Draft, reason: str) -> Draft:
    finding = replace(
        draft.finding,
        code="not-seen",
        verdict=Verdict.UNDETERMINED,
        probability=0.0,
        observed=reason,
        amount=None,
    )
    return Draft(finding=finding, name=("not-seen", reason))
