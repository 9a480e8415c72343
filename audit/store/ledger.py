"""The append-only, hash-chained log: decisions on findings, and who looked at what evidence.

Each entry's hash covers the hash before it, so that no entry can be changed, removed or put in between unnoticed
while the last hash is known.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from sqlite_utils import Database

from audit.store.database import StoreError, stamp, transaction

FIRST_HASH: Final = "0" * 64
"""What the first entry names as the hash before it."""


class Decision(StrEnum):
    """What a reviewer says of a finding; ``UNDO`` takes the decision before it back."""

    CONFIRM = "confirm"
    DISMISS = "dismiss"
    CANNOT_TELL = "cannot_tell"
    ESCALATE = "escalate"
    UNDO = "undo"


@dataclass(frozen=True, kw_only=True)
class LogEntry:
    """One line of the log."""

    id: int
    at: str
    actor: str
    action: str
    details: Mapping[str, Any]
    previous_hash: str
    hash: str


@dataclass(frozen=True, kw_only=True)
class DecisionRow:
    """One decision on a finding, with who took it and when."""

    id: int
    finding_id: int
    user_id: int
    user_name: str
    kind: str
    note: str
    at: str
    log_id: int
    reason: str = ""


def append(db: Database, *, actor: str, action: str, details: Mapping[str, Any], at: datetime) -> int:
    """Add an entry to the log and return its number."""
    with transaction(db):
        last = db.execute("SELECT id, hash FROM log ORDER BY id DESC LIMIT 1").fetchone() or (0, FIRST_HASH)
        row = {
            "id": last[0] + 1,
            "at": stamp(at),
            "actor": actor,
            "action": action,
            "details": canonical(details),
            "previous_hash": last[1],
        }
        db.table("log").insert(row | {"hash": entry_hash(row)})
        return int(row["id"])


def decide(
    db: Database, finding_id: int, *, user_id: int, kind: Decision, note: str, at: datetime, reason: str = ""
) -> int:
    """Append a decision on a finding, to the log as well, and return its number.

    An undo brings back the decision before the last, or none.

    Raises:
        StoreError: if there is no such finding or user, or nothing to undo.
    """
    with transaction(db):
        name = _known(db, "SELECT name FROM users WHERE id = ? AND disabled_at IS NULL", user_id, "user")
        _known(db, "SELECT id FROM findings WHERE id = ?", finding_id, "finding")
        standing = _standing(
            [(row.id, row.kind) for row in decisions_of(db, finding_id)] + [(0, kind.value)], finding_id
        )
        details = {"finding": finding_id, "kind": kind.value, "note": note} | ({"reason": reason} if reason else {})
        log_id = append(db, actor=name, action="decision", details=details, at=at)
        row = {"finding_id": finding_id, "user_id": user_id, "kind": kind.value, "note": note, "reason": reason}
        decision_id = db.table("decisions").insert(row | {"at": stamp(at), "log_id": log_id}).last_pk
        db.execute("UPDATE findings SET decision = ? WHERE id = ?", [standing[-1][1] if standing else None, finding_id])
        return int(decision_id)


def decide_all(
    db: Database, finding_ids: Iterable[int], *, user_id: int, kind: Decision, note: str, reason: str, at: datetime
) -> int:
    """Append the same decision on every one of these findings that has none yet, and return on how many.

    Raises:
        StoreError: if there is no such user, or no reason; then nothing is stored.
    """
    if not reason.strip():
        msg = "expected a reason for a decision on several findings, found none"
        raise StoreError(msg)
    with transaction(db):
        decided = 0
        for finding_id in finding_ids:
            waits = db.execute("SELECT 1 FROM findings WHERE id = ? AND decision IS NULL", [finding_id]).fetchone()
            if waits:
                decide(db, finding_id, user_id=user_id, kind=kind, note=note, reason=reason, at=at)
                decided += 1
        return decided


def last_standing(db: Database, user_id: int, *, among: int = 50) -> DecisionRow | None:
    """Return the user's latest decision that is the last word on its finding; only the latest few are looked at."""
    recent = db.execute(
        "SELECT id, finding_id FROM decisions WHERE user_id = ? ORDER BY id DESC LIMIT ?", [user_id, among]
    )
    for decision_id, finding_id in recent.fetchall():
        rows = decisions_of(db, finding_id)
        standing = _standing([(row.id, row.kind) for row in rows], finding_id)
        if standing and standing[-1][0] == decision_id:
            return next(row for row in rows if row.id == decision_id)
    return None


def taken_together(db: Database, decision: DecisionRow, *, most: int = 1000) -> tuple[int, ...]:
    """Return the findings on which this decision was taken at once, and on which it is still the last word."""
    rows = db.execute(
        "SELECT id, finding_id FROM decisions WHERE user_id = ? AND id BETWEEN ? AND ? AND at = ? AND kind = ?"
        " AND reason = ? ORDER BY id",
        [decision.user_id, decision.id - most, decision.id, decision.at, decision.kind, decision.reason],
    ).fetchall()
    found = []
    for number, finding_id in rows:
        decided = [(row.id, row.kind) for row in decisions_of(db, finding_id)]
        if [one[0] for one in _standing(decided, finding_id)[-1:]] == [number]:
            found.append(finding_id)
    return tuple(found)


def record_access(db: Database, *, actor: str, evidence: Mapping[str, Any], at: datetime) -> int:
    """Append to the log that somebody looked at evidence, and return the entry's number."""
    return append(db, actor=actor, action="access", details=evidence, at=at)


def decisions_of(db: Database, finding_id: int) -> tuple[DecisionRow, ...]:
    """Return every decision on the finding in the order taken, undone ones too."""
    rows = db.query(
        "SELECT d.*, u.name AS user_name FROM decisions AS d JOIN users AS u ON u.id = d.user_id"
        " WHERE d.finding_id = ? ORDER BY d.id",
        [finding_id],
    )
    return tuple(DecisionRow(**row) for row in rows)


def log_entries(db: Database, *, after: int = 0, limit: int = 500) -> tuple[LogEntry, ...]:
    """Return the entries that follow number ``after``, oldest first; all of them with a limit of -1."""
    rows = db.query("SELECT * FROM log WHERE id > ? ORDER BY id LIMIT ?", [after, limit])
    return tuple(LogEntry(**{**row, "details": json.loads(row["details"])}) for row in rows)


def entry_hash(entry: Mapping[str, Any]) -> str:
    """Return the SHA-256 over the canonical JSON of an entry without its own hash."""
    return hashlib.sha256(canonical(entry).encode()).hexdigest()


def canonical(record: Mapping[str, Any]) -> str:
    """Return the one JSON text of a record: sorted keys, no spaces, ASCII."""
    return json.dumps(record, sort_keys=True, separators=(",", ":"), allow_nan=False)


def _standing(decided: list[tuple[int, str]], finding_id: int) -> list[tuple[int, str]]:
    """Return the decisions (number, kind) that no undo took back, in order."""
    standing: list[tuple[int, str]] = []
    for number, kind in decided:
        if kind != Decision.UNDO:
            standing.append((number, kind))
        elif standing:
            standing.pop()
        else:
            msg = f"expected a decision on finding {finding_id} to undo, found none"
            raise StoreError(msg)
    return standing


def _known(db: Database, sql: str, key: int, what: str) -> Any:
    row = db.execute(sql, [key]).fetchone()
    if row is None:
        msg = f"expected a stored {what}, found none with number {key}"
        raise StoreError(msg)
    return row[0]
