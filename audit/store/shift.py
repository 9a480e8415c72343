"""What a shift report asks: the findings, the recordings and the decisions of a stretch of time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlite_utils import Database

from audit.store.accuracy import Scope
from audit.store.database import stamp
from audit.store.review_schema import BY_PERSON
from audit.store.settings import House

MOST_FINDINGS: Final = 200
KEPT_BACK: Final = "kept_back"
"""Stands for a decision that a second reviewer must not see yet."""
_ROW: Final = (
    "SELECT f.id, ifnull(f.happened_at, c.at) AS at, f.table_name, o.ordinal + 1 AS round_number, d.name AS dealer,"
    " f.code, f.verdict, f.probability, f.seat, f.bet, f.expected, f.observed, f.amount, f.decision,"
    " u.name AS added_name"
    " FROM findings AS f JOIN finding_facts AS c ON c.finding_id = f.id"
    " LEFT JOIN rounds AS o ON o.id = f.round_id LEFT JOIN dealers AS d ON d.id = c.dealer_id"
    " LEFT JOIN users AS u ON u.id = f.added_by"
)
_FOUND: Final = "FROM finding_facts AS c INDEXED BY findings_of_day"
_THEN: Final = (
    "WHERE c.day BETWEEN :first AND :last AND c.follows = 0 AND c.verdict <> 'undetermined'"
    " AND (:moments_first IS NULL OR (c.at >= :moments_first AND c.at < :moments_end))"
)

_UNSEEN: Final = (
    ":blind_for IS NOT NULL AND c.finding_id IN (SELECT finding_id FROM second_offers)"
    " AND NOT EXISTS (SELECT 1 FROM decisions AS d WHERE d.finding_id = c.finding_id AND d.user_id = :blind_for)"
)


@dataclass(frozen=True, kw_only=True)
class ShiftFinding:
    """One finding of a shift, ``at`` its own time, not its round's; ``dealer`` is None where it is not known.

    ``added_name`` is who added it, None for what the audit found.
    """

    id: int
    at: str
    table_name: str
    round_number: int | None
    dealer: str | None
    code: str
    verdict: str
    probability: float
    seat: int | None
    bet: str | None
    expected: str
    observed: str
    amount: str | None
    decision: str | None
    added_name: str | None


@dataclass(frozen=True, kw_only=True)
class ShiftRecording:
    """One recording that shares time with a shift; ``status`` is None where it was never audited."""

    id: int
    path: str
    table_name: str | None
    recorded_at: str
    duration_ms: int | None
    status: str | None
    error: str | None


def scope_of(chosen: House, day: str, shift: int | None) -> Scope:
    """Return what a shift of a gaming day takes in; None is the whole day."""
    if shift is None:
        return Scope(first=day, last=day)
    first, end = chosen.shift_span(day, shift)
    return Scope(first=day, last=day, hours=chosen.hours_of(first, end), moments=(stamp(first), stamp(end)))


def span_of(chosen: House, day: str, shift: int | None) -> tuple[datetime, datetime]:
    """Return the moments between which the shift, or the whole gaming day, lies."""
    numbers = range(1, len(chosen.shifts) + 1) if shift is None else (shift,)
    spans = [chosen.shift_span(day, number) for number in numbers]
    return min(first for first, _ in spans), max(end for _, end in spans)


def findings_in(db: Database, scope: Scope, *, limit: int = MOST_FINDINGS) -> tuple[tuple[ShiftFinding, ...], int]:
    """Return the violations, suspects and what people added, most money times probability first; how many in all."""
    values = scope.values | {"limit": limit}
    first = f"SELECT q.id {_FOUND} JOIN findings AS q ON q.id = c.finding_id {_THEN} ORDER BY q.rank DESC, q.id"
    rows = db.query(f"{_ROW} WHERE f.id IN ({first} LIMIT :limit) ORDER BY f.rank DESC, f.id", values)
    total = db.execute(f"SELECT count(*) {_FOUND} {_THEN}", values).fetchone()[0]
    return tuple(ShiftFinding(**row) for row in rows), int(total)


def recordings_in(db: Database, first: datetime, end: datetime) -> tuple[ShiftRecording, ...]:
    """Return the dated recordings that share time with the span, by table and time, with their latest run."""
    rows = db.query(
        "SELECT f.id, f.path, ifnull(p.name, q.name) AS table_name, f.recorded_at, f.duration_ms,"
        " iif(r.id IS NULL AND n.error IS NOT NULL, 'failed', r.status) AS status,"
        " coalesce(f.error, r.error, n.error) AS error FROM footage AS f"
        " LEFT JOIN refused_audits AS n ON n.footage_id = f.id LEFT JOIN profiles AS q ON q.id = n.profile_id"
        " LEFT JOIN runs AS r ON r.id = (SELECT max(id) FROM runs WHERE footage_id = f.id)"
        " LEFT JOIN profiles AS p ON p.id = r.profile_id WHERE f.recorded_at < :end"
        " AND julianday(f.recorded_at) + ifnull(f.duration_ms, 0) / 864e5 > julianday(:first)"
        " ORDER BY p.name, f.recorded_at",
        {"first": stamp(first), "end": stamp(end)},
    )
    return tuple(ShiftRecording(**row) for row in rows)


def decisions_in(db: Database, scope: Scope) -> dict[str, int]:
    """Return how what the audit found in the shift stands: number by decision, ``unreviewed`` where there is none.

    A decision that the scope's second reviewer must not see yet is counted as ``kept_back``.
    """
    rows = db.execute(
        f"SELECT iif(c.decision IS NOT NULL AND {_UNSEEN}, '{KEPT_BACK}', ifnull(c.decision, 'unreviewed')), count(*)"
        f" {_FOUND} {_THEN} AND c.verdict <> '{BY_PERSON}' GROUP BY 1",
        scope.values,
    )
    counts: dict[str, Any] = dict(rows.fetchall())
    return counts
