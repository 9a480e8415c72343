"""Recordings of running cameras: what is known of them while they grow.

A recording is footage with a ``recorder``, the process that writes it. Its run is told round by round. What is told may
still change as long as it grows: a finding that no longer holds is withdrawn, unless somebody has decided on it, and
the round of a correction stays as it was corrected. Once the recorder is done, it is footage and a run like any other.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlite_utils import Database

from audit.store import audits, footage, restating
from audit.store.database import stamp, transaction


@dataclass(frozen=True, kw_only=True)
class RecordingRow:
    """A recording that is not closed: who writes it, where, its run, and up to when it is recognised."""

    footage_id: int
    run_id: int | None
    path: str
    recorder: str
    recognised_ms: int


def begin_recording(
    db: Database, *, path: str, size: tuple[int, int], codec: str, recorder: str, began: datetime, at: datetime
) -> int:
    """Store that a recording has begun and return its number as footage; its content is not known by a hash yet."""
    row = {
        "sha256": f"recording:{secrets.token_hex(16)}",
        "path": path,
        "size_bytes": 0,
        "duration_ms": 0,
        "width": size[0],
        "height": size[1],
        "codec": codec,
        "recorded_at": stamp(began),
        "registered_at": stamp(at),
        "recorder": recorder,
    }
    with transaction(db):
        return int(db.table("footage").insert(row).last_pk)


def open_run(db: Database, footage_id: int, *, profile_id: int, pins: footage.Pins, at: datetime) -> int:
    """Return the run of a recording, creating it without segments if there is none; the pages show it at once."""
    run_id = footage.open_run(db, footage_id=footage_id, profile_id=profile_id, pins=pins, segments=[], at=at)
    with transaction(db):
        db.execute("UPDATE runs SET current = 1 WHERE id = ?", [run_id])
    return run_id


def add_states(
    db: Database, run_id: int, *, first_ms: int, last_ms: int, states: Iterable[tuple[int, int, str]], at: datetime
) -> None:
    """Store the states (first_ms, last_ms, JSON line) of the next stretch of a recording, in one transaction."""
    with transaction(db):
        ordinal = db.execute("SELECT count(*) FROM segments WHERE run_id = ?", [run_id]).fetchone()[0]
        row = {"run_id": run_id, "ordinal": ordinal, "first_ms": first_ms, "last_ms": last_ms}
        segment_id = db.table("segments").insert(row | {"status": "done", "finished_at": stamp(at)}).last_pk
        db.table("states").insert_all(
            {"run_id": run_id, "segment_id": segment_id, "ordinal": i, "first_ms": first, "last_ms": last, "line": line}
            for i, (first, last, line) in enumerate(states)
        )
        footage_id = footage.run(db, run_id).footage_id
        db.execute("UPDATE footage SET duration_ms = max(duration_ms, ?) WHERE id = ?", [last_ms, footage_id])


def tell(db: Database, run_id: int, *, rounds: Sequence[Mapping[str, Any]], at: datetime) -> int:
    """Store the rounds that a recording has shown so far, in the shape of ``contracts/audit.md``.

    Rounds that were told are stored anew where they have changed. Returns how many findings stand.
    """
    with transaction(db):
        stand = store_rounds(db, run_id, rounds, at)
        db.execute("UPDATE runs SET rounds = ?, findings = ? WHERE id = ?", [len(rounds), stand, run_id])
        db.execute("INSERT OR IGNORE INTO uncounted_runs VALUES (?)", [run_id])
        return stand


def store_rounds(db: Database, run_id: int, rounds: Sequence[Mapping[str, Any]], at: datetime) -> int:
    """Store rounds with their findings in place of those that were told before; return how many findings stand."""
    told = {row["ordinal"]: row for row in db.query("SELECT * FROM rounds WHERE run_id = ?", [run_id])}
    stand = 0
    for ordinal, record in enumerate(rounds):
        row = audits.round_row(record)
        known = told.get(ordinal)
        if known is None:
            round_id = int(db.table("rounds").insert(row | {"run_id": run_id, "ordinal": ordinal}).last_pk)
        else:
            round_id = known["id"]
            if any(known[name] != value for name, value in row.items()):
                db.table("rounds").update(round_id, row)
        stand += _store_findings(db, round_id, record["findings"], at=at)
    return stand


def is_told(db: Database, run_id: int) -> bool:
    """Return whether rounds of a run were told before it was finished."""
    return bool(db.execute("SELECT EXISTS (SELECT 1 FROM rounds WHERE run_id = ?)", [run_id]).fetchone()[0])


def left(db: Database) -> tuple[RecordingRow, ...]:
    """Return the recordings that are not closed, the oldest first."""
    rows = db.query(
        "SELECT f.id AS footage_id, r.id AS run_id, f.path, f.recorder,"
        " ifnull((SELECT max(last_ms) FROM segments WHERE run_id = r.id), 0) AS recognised_ms"
        " FROM footage AS f LEFT JOIN runs AS r ON r.footage_id = f.id WHERE f.recorder IS NOT NULL ORDER BY f.id"
    )
    return tuple(RecordingRow(**row) for row in rows)


def close_recording(
    db: Database, footage_id: int, *, sha256: str, size_bytes: int, duration_ms: int, rest: tuple[int, int] | None
) -> None:
    """Store what a recording turned out to hold; from now on it is footage like any other.

    Where other footage holds the very same bytes, as of a camera that sent one still picture twice, the hash of this
    one says that it came once more.

    Args:
        db: the store.
        footage_id: the recording.
        sha256: of its file.
        size_bytes: of its file.
        duration_ms: its length.
        rest: a stretch (first_ms, last_ms) at its end that nobody has recognised yet.
    """
    with transaction(db):
        known = db.execute("SELECT 1 FROM footage WHERE sha256 = ? AND id != ?", [sha256, footage_id]).fetchone()
        own = sha256 if known is None else f"{sha256} once more, footage {footage_id}"
        row = {"sha256": own, "size_bytes": size_bytes, "duration_ms": duration_ms, "recorder": None}
        for run in footage.runs_of(db, footage_id) if rest is not None else ():
            ordinal = db.execute("SELECT count(*) FROM segments WHERE run_id = ?", [run.id]).fetchone()[0]
            part = dict(zip(("first_ms", "last_ms"), rest or (), strict=True))
            db.table("segments").insert({"run_id": run.id, "ordinal": ordinal, **part})
        db.table("footage").update(footage_id, row)


def give_up_recording(db: Database, footage_id: int, *, error: str, at: datetime) -> None:
    """Store that of a recording nothing can be read, with the reason."""
    with transaction(db):
        db.table("footage").update(footage_id, {"recorder": None, "error": error})
    for run in footage.runs_of(db, footage_id):
        audits.fail_run(db, run.id, error=error, at=at)


def _store_findings(db: Database, round_id: int, findings: Sequence[Mapping[str, Any]], *, at: datetime) -> int:
    """Let these findings of the audit stand in a round; one that somebody has decided on stays with them."""
    stored = restating.stored_of(db, round_id)
    if db.execute("SELECT 1 FROM corrections WHERE round_id = ?", [round_id]).fetchone():
        return sum(row["current"] for row in stored)
    stand = restating.stored_as(db, round_id, findings, stored, correction_id=None)
    gone = [row["id"] for row in stored if row["id"] not in stand and row["decision"] is None]
    for number in gone:
        db.execute("UPDATE findings SET current = 0 WHERE id = ?", [number])
        db.table("withdrawn_findings").insert({"finding_id": number, "at": stamp(at)})
    return len({row["id"] for row in stored} - set(gone) | stand)
