"""Findings: what an audit puts before a reviewer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from audit.money import Money
from audit.rounds import BetKey
from audit.timing import Span


class Verdict(StrEnum):
    """How sure a finding is, over every reading that the video allows."""

    VIOLATION = "violation"
    SUSPECT = "suspect"
    UNDETERMINED = "undetermined"


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One observed departure from the rules, or one thing that could not be decided.

    ``amount`` is what the player received less what was due: positive when the house overpaid, None when no money
    is at stake. ``because_of`` is the index, in the same list, of the finding that this one follows from.
    """

    procedures: tuple[str, ...]
    code: str
    verdict: Verdict
    probability: float
    expected: str
    observed: str
    span: Span
    citation: str
    seat: int | None = None
    bet: BetKey | None = None
    amount: Money | None = None
    because_of: int | None = None
