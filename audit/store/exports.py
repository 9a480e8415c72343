"""Findings and rounds of a period, row by row, for other programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from sqlite_utils import Database

COLUMNS: Final = {
    "findings": (
        *("finding", "round", "recording", "table", "game", "day", "at", "dealer", "code", "verdict", "probability"),
        *("seat", "hand", "number", "bet", "expected", "observed", "amount", "first_ms", "last_ms", "citation"),
        *("procedures", "decision", "added_by", "added_at"),
    ),
    "rounds": (
        *("round", "recording", "table", "game", "ordinal", "start_ms", "end_ms", "status", "recorded_at", "findings"),
        *("undetermined",),
    ),
}
_FINDINGS: Final = """
    SELECT f.id AS finding, f.round_id AS round, r.footage_id AS recording, f.table_name AS "table", f.game, c.day,
        c.at, d.name AS dealer, f.code, f.verdict, f.probability, f.seat, f.hand, f.number, f.bet, f.expected,
        f.observed, f.amount, f.first_ms, f.last_ms, f.citation, f.procedures, f.decision,
        u.name AS added_by, f.added_at
    FROM finding_facts AS c JOIN findings AS f ON f.id = c.finding_id JOIN runs AS r ON r.id = f.run_id
    LEFT JOIN dealers AS d ON d.id = c.dealer_id LEFT JOIN users AS u ON u.id = f.added_by
    WHERE c.day BETWEEN :first AND :last AND (:table IS NULL OR c.table_name = :table) ORDER BY f.id
"""
_ROUNDS: Final = """
    SELECT o.id AS round, r.footage_id AS recording, t.table_name AS "table", o.game, o.ordinal, o.start_ms, o.end_ms,
        o.status, g.recorded_at,
        (SELECT count(*) FROM findings WHERE round_id = o.id AND current = 1 AND verdict <> 'undetermined') AS findings,
        (SELECT count(*) FROM findings WHERE round_id = o.id AND current = 1 AND verdict = 'undetermined')
            AS undetermined
    FROM (
        SELECT DISTINCT run_id, table_name FROM round_tallies
        WHERE day BETWEEN :first AND :last AND (:table IS NULL OR table_name = :table)
    ) AS t JOIN rounds AS o ON o.run_id = t.run_id JOIN runs AS r ON r.id = o.run_id
    JOIN footage AS g ON g.id = r.footage_id ORDER BY o.id
"""


def rows(db: Database, what: str, *, first: str, last: str, table_name: str | None = None) -> Iterator[dict[str, Any]]:
    """Yield ``findings`` of the gaming days, or all ``rounds`` of the recordings that have rounds on them."""
    query = {"findings": _FINDINGS, "rounds": _ROUNDS}[what]
    yield from db.query(query, {"first": first, "last": last, "table": table_name})


def hidden_decisions(db: Database, *, user_id: int) -> frozenset[int]:
    """Return every finding whose decision this user may not see yet, because he may be its second reviewer."""
    rows = db.execute(
        "SELECT s.finding_id FROM second_offers AS s WHERE s.finding_id IS NOT NULL AND NOT EXISTS"
        " (SELECT 1 FROM decisions AS d WHERE d.finding_id = s.finding_id AND d.user_id = ?)",
        [user_id],
    )
    return frozenset(row[0] for row in rows)
