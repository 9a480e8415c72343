"""A seat of which it is not known which cards make which hand: what would be said of its hands is undetermined."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from audit.findings import Verdict
from audit.procedures.drafts import Case, Draft

_ON_HAND: Final = frozenset({"main", "split", "double"})


def with_unclear_hands(case: Case, drafts: Iterable[Draft]) -> Iterator[Draft]:
    """Yield what the checks found; of the hands of such a seat only that it could not be told."""
    for draft in drafts:
        reason = _why_unclear(case, draft)
        yield _open(draft, reason) if reason else draft


def _why_unclear(case: Case, draft: Draft) -> str:
    found = draft.finding
    seen = None if found.seat is None else case.seen.seats.get(found.seat)
    of_a_hand = found.bet is None or found.bet.bet in _ON_HAND
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
