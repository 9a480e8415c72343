"""What people said that objects on the felt really are, and what the round became by it.

Everything is kept: the first reading with each correction, the round as it was audited, and the findings that no longer
stand. A withdrawal is one more entry.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlite_utils import Database

from audit.store import ledger, restating
from audit.store.database import StoreError, stamp, transaction
from audit.store.review import RoundRow


@dataclass(frozen=True, kw_only=True)
class CorrectionRow:
    """One entry: a correction, or (``withdraws`` not None) the withdrawal of one.

    ``first_reading`` is the object as recognition listed it, ``reading`` what the person said, as in
    ``audit.corrections.Reading``. ``record`` is the round after this entry, None for the round as it was audited.
    """

    id: int
    round_id: int
    withdraws: int | None
    kind: str
    at_ms: int
    x_mm: float
    y_mm: float
    first_reading: Mapping[str, Any]
    reading: Mapping[str, Any]
    record: Mapping[str, Any] | None
    user_id: int
    user_name: str
    at: str
    log_id: int


def entries(db: Database, round_id: int) -> tuple[CorrectionRow, ...]:
    """Return all entries of a round in order."""
    rows = db.query(
        "SELECT c.*, u.name AS user_name FROM corrections AS c JOIN users AS u ON u.id = c.user_id"
        " WHERE c.round_id = ? ORDER BY c.id",
        [round_id],
    )
    return tuple(_row(row) for row in rows)


def standing(rows: Sequence[CorrectionRow]) -> tuple[CorrectionRow, ...]:
    """Return the corrections that nobody withdrew."""
    gone = {row.withdraws for row in rows}
    return tuple(row for row in rows if row.withdraws is None and row.id not in gone)


def all_standing(db: Database) -> tuple[CorrectionRow, ...]:
    """Return the corrections of all rounds that nobody withdrew, in order."""
    rows = db.query(
        "SELECT c.*, u.name AS user_name FROM corrections AS c JOIN users AS u ON u.id = c.user_id"
        " WHERE c.withdraws IS NULL AND NOT EXISTS (SELECT 1 FROM corrections AS w WHERE w.withdraws = c.id)"
        " ORDER BY c.id"
    )
    return tuple(_row(row) for row in rows)


def as_corrected(db: Database, row: RoundRow) -> RoundRow:
    """Return the round as the latest entry left it; as it was audited if there is none."""
    last = db.execute("SELECT record FROM corrections WHERE round_id = ? ORDER BY id DESC LIMIT 1", [row.id]).fetchone()
    if last is None or last[0] is None:
        return row
    record = json.loads(last[0])
    return replace(row, record=record, start_ms=record["start_ms"], end_ms=record["end_ms"], status=record["status"])


def append(
    db: Database,
    round_id: int,
    *,
    said: Mapping[str, Any],
    record: Mapping[str, Any] | None,
    findings: Sequence[Mapping[str, Any]] | None,
    user_id: int,
    at: datetime,
) -> int:
    """Append a correction or a withdrawal with what the round became, in one transaction, and return its number.

    ``said`` has the columns ``kind``, ``at_ms``, ``x_mm``, ``y_mm``, ``first_reading``, ``reading`` and, for a
    withdrawal, ``withdraws``. ``record`` and ``findings`` are the round in the shape of ``contracts/audit.md``; None
    for both brings back what was audited. A finding that says the same as before keeps its number
    and its decisions.

    Raises:
        StoreError: if there is no such user, or what is to be withdrawn was withdrawn already.
    """
    with transaction(db):
        name = db.execute("SELECT name FROM users WHERE id = ? AND disabled_at IS NULL", [user_id]).fetchone()
        if name is None:
            msg = f"expected a stored user, found none with number {user_id}"
            raise StoreError(msg)
        if said.get("withdraws") is not None and said["withdraws"] not in {
            row.id for row in standing(entries(db, round_id))
        }:
            msg = f"expected a standing correction of round {round_id}, found none with number {said['withdraws']}"
            raise StoreError(msg)
        details = {"round": round_id, **{key: value for key, value in said.items() if value is not None}}
        log_id = ledger.append(db, actor=name[0], action="correction", details=details, at=at)
        row = {**said, "first_reading": json.dumps(said["first_reading"]), "reading": json.dumps(said["reading"])}
        kept = (
            None if record is None else json.dumps({key: value for key, value in record.items() if key != "findings"})
        )
        place = {"round_id": round_id, "record": kept, "user_id": user_id, "at": stamp(at), "log_id": log_id}
        number = int(db.table("corrections").insert(row | place).last_pk)
        _replace_findings(db, round_id, findings, correction_id=number)
        return number


def _replace_findings(
    db: Database, round_id: int, findings: Sequence[Mapping[str, Any]] | None, *, correction_id: int
) -> None:
    """Let these findings stand in the round, and no others; None: those of the audit."""
    stored = restating.stored_of(db, round_id)
    if findings is None:
        stand = {row["id"] for row in stored if row["correction_id"] is None}
    else:
        stand = restating.stored_as(db, round_id, findings, stored, correction_id=correction_id)
    run_id, shown = db.execute(
        "SELECT r.id, r.current FROM rounds AS o JOIN runs AS r ON r.id = o.run_id WHERE o.id = ?", [round_id]
    ).fetchone()
    audited = "SELECT id, current FROM findings WHERE round_id = ? AND added_by IS NULL"
    for number, current in db.execute(audited, [round_id]).fetchall():
        wanted = int(bool(shown) and number in stand)
        if wanted != current:
            db.execute("UPDATE findings SET current = ? WHERE id = ?", [wanted, number])
    db.execute("INSERT OR IGNORE INTO uncounted_runs VALUES (?)", [run_id])


def _row(row: Mapping[str, Any]) -> CorrectionRow:
    texts = {key: json.loads(row[key]) for key in ("first_reading", "reading")}
    return CorrectionRow(**{**row, **texts, "record": None if row["record"] is None else json.loads(row["record"])})
