"""Incident reports: what was written of a finding, every version of it, and every copy that was made."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlite_utils import Database

from audit.store import ledger
from audit.store.database import StoreError, stamp, transaction

FIELDS: Final = (
    *("property", "occurred_at", "reported_at", "reported_by", "dealer", "supervisor"),
    *("error_type", "rule", "money", "disposition", "summary"),
)
"""What a person writes; the rest of a report follows from the finding, its round and its recording."""
_LONGEST: Final = 4000


@dataclass(frozen=True, kw_only=True)
class Incident:
    """One report with its latest version; ``number`` as it is quoted outside."""

    id: int
    number: str
    finding_id: int
    opened_at: str
    fields: Mapping[str, str]
    versions: int
    written_by: str
    written_at: str


@dataclass(frozen=True, kw_only=True)
class Copy:
    """One copy that left the system, or is being made; ``sha256`` and ``size_bytes`` are None until it is done."""

    id: int
    incident_id: int
    kind: str
    status: str
    file_name: str
    sha256: str | None
    size_bytes: int | None
    error: str | None
    user_id: int
    user_name: str
    at: str
    log_id: int


_INCIDENT: Final = (
    "SELECT i.*, v.fields, u.name AS written_by, v.at AS written_at,"
    " (SELECT count(*) FROM incident_versions AS w WHERE w.incident_id = i.id) AS versions"
    " FROM incidents AS i JOIN incident_versions AS v ON v.incident_id = i.id JOIN users AS u ON u.id = v.user_id"
    " WHERE v.id = (SELECT max(id) FROM incident_versions AS w WHERE w.incident_id = i.id)"
)
_COPY: Final = "SELECT c.*, u.name AS user_name FROM incident_copies AS c JOIN users AS u ON u.id = c.user_id"


def open_incident(db: Database, finding_id: int, *, fields: Mapping[str, str], user_id: int, at: datetime) -> int:
    """Open the report of a finding and return its number in the store.

    Raises:
        StoreError: if the finding has one, or there is no such user.
    """
    with transaction(db):
        if incident_of(db, finding_id) is not None:
            msg = f"expected a finding without a report, found finding {finding_id} with one"
            raise StoreError(msg)
        incident_id = db.execute("SELECT ifnull(max(id), 0) + 1 FROM incidents").fetchone()[0]
        row = {"id": incident_id, "number": f"{at.year}-{incident_id:05}", "finding_id": finding_id}
        db.table("incidents").insert(row | {"opened_at": stamp(at)})
        write(db, incident_id, fields=fields, user_id=user_id, at=at)
        return int(incident_id)


def write(db: Database, incident_id: int, *, fields: Mapping[str, str], user_id: int, at: datetime) -> None:
    """Append a version of the report, to the log as well.

    Raises:
        StoreError: if there is no such user.
    """
    kept = {name: fields.get(name, "").strip()[:_LONGEST] for name in FIELDS}
    with transaction(db):
        log_id = _log(db, user_id, "incident report", {"incident": incident_id, "fields": kept}, at)
        row = {"incident_id": incident_id, "fields": json.dumps(kept), "user_id": user_id}
        db.table("incident_versions").insert(row | {"at": stamp(at), "log_id": log_id})


def incident(db: Database, incident_id: int) -> Incident:
    """Return the report.

    Raises:
        StoreError: if there is none of that number.
    """
    row = next(iter(db.query(_INCIDENT + " AND i.id = ?", [incident_id])), None)
    if row is None:
        msg = f"expected an incident report, found none with number {incident_id}"
        raise StoreError(msg)
    return _incident(row)


def incident_of(db: Database, finding_id: int) -> Incident | None:
    """Return the report of a finding, None if it has none."""
    row = next(iter(db.query(_INCIDENT + " AND i.finding_id = ?", [finding_id])), None)
    return None if row is None else _incident(row)


def incidents(db: Database, *, limit: int = 200) -> tuple[Incident, ...]:
    """Return the reports, the latest first."""
    return tuple(_incident(row) for row in db.query(_INCIDENT + " ORDER BY i.id DESC LIMIT ?", [limit]))


def begin_copy(db: Database, incident_id: int, *, kind: str, file_name: str, user_id: int, at: datetime) -> int:
    """Note, and log, that a copy is being made, and return its number."""
    with transaction(db):
        log_id = _log(db, user_id, "copy", {"incident": incident_id, "kind": kind, "file": file_name}, at)
        row = {"incident_id": incident_id, "kind": kind, "status": "waiting", "file_name": file_name}
        return int(
            db.table("incident_copies").insert(row | {"user_id": user_id, "at": stamp(at), "log_id": log_id}).last_pk
        )


def finish_copy(db: Database, copy_id: int, *, sha256: str, size_bytes: int, at: datetime) -> None:
    """Note, and log, what the copy is, by its content."""
    with transaction(db):
        done = db.execute(
            "UPDATE incident_copies SET status = 'done', sha256 = ?, size_bytes = ?, error = NULL"
            " WHERE id = ? AND status <> 'done'",
            [sha256, size_bytes, copy_id],
        )
        if done.rowcount:
            details = {"copy": copy_id, "sha256": sha256, "size": size_bytes}
            ledger.append(db, actor=copy(db, copy_id).user_name, action="copy made", details=details, at=at)


def fail_copy(db: Database, copy_id: int, *, error: str) -> None:
    """Note why a copy could not be made."""
    with transaction(db):
        db.execute(
            "UPDATE incident_copies SET status = 'failed', error = ? WHERE id = ? AND status <> 'done'",
            [error, copy_id],
        )


def copy(db: Database, copy_id: int) -> Copy:
    """Return the copy.

    Raises:
        StoreError: if there is none of that number.
    """
    row = next(iter(db.query(_COPY + " WHERE c.id = ?", [copy_id])), None)
    if row is None:
        msg = f"expected a copy of a report, found none with number {copy_id}"
        raise StoreError(msg)
    return Copy(**row)


def copies(db: Database, incident_id: int) -> tuple[Copy, ...]:
    """Return the copies of a report in the order they were asked for."""
    return tuple(Copy(**row) for row in db.query(_COPY + " WHERE c.incident_id = ? ORDER BY c.id", [incident_id]))


def _log(db: Database, user_id: int, action: str, details: Mapping[str, Any], at: datetime) -> int:
    row = db.execute("SELECT name FROM users WHERE id = ? AND disabled_at IS NULL", [user_id]).fetchone()
    if row is None:
        msg = f"expected a stored user, found none with number {user_id}"
        raise StoreError(msg)
    return ledger.append(db, actor=row[0], action=action, details=details, at=at)


def _incident(row: Mapping[str, Any]) -> Incident:
    return Incident(**{**row, "fields": json.loads(row["fields"])})
