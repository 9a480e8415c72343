"""Footage, profiles and runs: what was recorded, and how far each run has recognised it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlite_utils import Database

from audit.store.database import StoreError, stamp, transaction


@dataclass(frozen=True, kw_only=True)
class FootageRow:
    """One recorded file, known by its content; ``error`` says in one sentence why it cannot be audited.

    ``recorder`` names the process that still writes it, see ``recordings``.
    """

    id: int
    sha256: str
    path: str
    size_bytes: int
    duration_ms: int | None
    width: int | None
    height: int | None
    codec: str | None
    recorded_at: str | None
    registered_at: str
    error: str | None
    recorder: str | None = None


@dataclass(frozen=True, kw_only=True)
class ProfileRow:
    """One version of a table profile, as its TOML text."""

    id: int
    name: str
    game: str
    toml: str
    sha256: str
    stored_at: str
    stored_by: str = ""


@dataclass(frozen=True, kw_only=True)
class Pins:
    """What a run was made with, besides footage and profile."""

    software: str
    weights_sha256: str
    rules_sha256: str


@dataclass(frozen=True, kw_only=True)
class RunRow:
    """One audit of one piece of footage; ``current`` = the latest finished one of that footage at that table."""

    id: int
    footage_id: int
    profile_id: int
    software: str
    weights_sha256: str
    rules_sha256: str
    created_at: str
    status: str
    current: int
    rounds: int
    findings: int
    finished_at: str | None
    error: str | None


@dataclass(frozen=True, kw_only=True)
class SegmentRow:
    """A stretch of a run's footage, the unit of recognition; ``last_ms`` is where the next one begins."""

    id: int
    run_id: int
    ordinal: int
    first_ms: int
    last_ms: int
    status: str
    worker: str | None
    lease_until: str | None
    finished_at: str | None
    error: str | None


def register_footage(
    db: Database,
    *,
    sha256: str,
    path: str,
    size_bytes: int,
    at: datetime,
    duration_ms: int | None = None,
    width: int | None = None,
    height: int | None = None,
    codec: str | None = None,
    error: str | None = None,
) -> int:
    """Store a file by its content and return its id; content that is known already keeps its id and runs."""
    seen = {"path": path, "duration_ms": duration_ms, "width": width, "height": height, "codec": codec, "error": error}
    with transaction(db):
        known = db.execute("SELECT id FROM footage WHERE sha256 = ?", [sha256]).fetchone()
        if known is None:
            row = {"sha256": sha256, "size_bytes": size_bytes, "registered_at": stamp(at), **seen}
            return int(db.table("footage").insert(row).last_pk)
        db.table("footage").update(known[0], seen)
        return int(known[0])


def describe_footage(
    db: Database,
    footage_id: int,
    *,
    error: str | None,
    duration_ms: int | None = None,
    width: int | None = None,
    height: int | None = None,
    codec: str | None = None,
) -> None:
    """Store what a registered file was found to hold, or why it cannot be audited."""
    seen = {"duration_ms": duration_ms, "width": width, "height": height, "codec": codec, "error": error}
    with transaction(db):
        db.table("footage").update(footage_id, seen)


def complain_of_footage(db: Database, footage_id: int, error: str | None) -> None:
    """Store in one sentence what is wrong with footage that can be audited; None: nothing is."""
    with transaction(db):
        db.table("footage").update(footage_id, {"error": error})


def footage(db: Database, footage_id: int) -> FootageRow:
    """Return the piece of footage.

    Raises:
        StoreError: if there is none of that number.
    """
    return FootageRow(**_one(db, "SELECT * FROM footage WHERE id = ?", footage_id, "footage"))


def footage_list(db: Database, *, limit: int = 500, offset: int = 0) -> tuple[FootageRow, ...]:
    """Return the footage, latest registered first."""
    rows = db.query("SELECT * FROM footage ORDER BY id DESC LIMIT ? OFFSET ?", [limit, offset])
    return tuple(FootageRow(**row) for row in rows)


def store_profile(
    db: Database, *, name: str, game: str, toml: str, sha256: str, at: datetime, stored_by: str = ""
) -> int:
    """Store one version of a profile and return its id; the same text is stored once."""
    with transaction(db):
        row = {"name": name, "game": game, "toml": toml, "sha256": sha256, "stored_at": stamp(at)}
        row["stored_by"] = stored_by
        db.table("profiles").insert(row, ignore=True)
        return int(db.execute("SELECT id FROM profiles WHERE sha256 = ?", [sha256]).fetchone()[0])


def profile(db: Database, profile_id: int) -> ProfileRow:
    """Return the profile.

    Raises:
        StoreError: if there is none of that number.
    """
    return ProfileRow(**_one(db, "SELECT * FROM profiles WHERE id = ?", profile_id, "profile"))


def open_run(
    db: Database,
    *,
    footage_id: int,
    profile_id: int,
    pins: Pins,
    segments: Sequence[tuple[int, int]],
    at: datetime,
) -> int:
    """Return the run of that footage, profile and pins, creating it with its segments if there is none.

    A run that exists is returned as it is: its segments were cut when it was made.
    """
    pinned = {
        "footage_id": footage_id,
        "profile_id": profile_id,
        "software": pins.software,
        "weights_sha256": pins.weights_sha256,
        "rules_sha256": pins.rules_sha256,
    }
    with transaction(db):
        known = db.execute(
            "SELECT id FROM runs WHERE footage_id = :footage_id AND profile_id = :profile_id AND software = :software"
            " AND weights_sha256 = :weights_sha256 AND rules_sha256 = :rules_sha256",
            pinned,
        ).fetchone()
        if known is not None:
            return int(known[0])
        run_id = int(db.table("runs").insert(pinned | {"created_at": stamp(at)}).last_pk)
        db.table("segments").insert_all(
            {"run_id": run_id, "ordinal": i, "first_ms": first, "last_ms": last}
            for i, (first, last) in enumerate(segments)
        )
        return run_id


def run(db: Database, run_id: int) -> RunRow:
    """Return the run.

    Raises:
        StoreError: if there is none of that number.
    """
    return RunRow(**_one(db, "SELECT * FROM runs WHERE id = ?", run_id, "run"))


def runs_of(db: Database, footage_id: int) -> tuple[RunRow, ...]:
    """Return the runs of a piece of footage, the latest first."""
    rows = db.query("SELECT * FROM runs WHERE footage_id = ? ORDER BY id DESC", [footage_id])
    return tuple(RunRow(**row) for row in rows)


def segments_of(db: Database, run_id: int) -> tuple[SegmentRow, ...]:
    """Return the segments of a run in time order."""
    return tuple(
        SegmentRow(**row) for row in db.query("SELECT * FROM segments WHERE run_id = ? ORDER BY ordinal", [run_id])
    )


def segment(db: Database, segment_id: int) -> SegmentRow:
    """Return the segment.

    Raises:
        StoreError: if there is none of that number.
    """
    return SegmentRow(**_one(db, "SELECT * FROM segments WHERE id = ?", segment_id, "segment"))


def claim_segment(db: Database, segment_id: int, *, worker: str, now: datetime, until: datetime) -> bool:
    """Mark the segment as being recognised by the worker; False if it is done or another worker holds it."""
    with transaction(db):
        claimed = db.execute(
            "UPDATE segments SET status = 'running', worker = :worker, lease_until = :until, error = NULL"
            " WHERE id = :id AND (status IN ('pending', 'failed') OR (status = 'running' AND lease_until < :now))",
            {"id": segment_id, "worker": worker, "now": stamp(now), "until": stamp(until)},
        )
        return bool(claimed.rowcount)


def release_segments(db: Database, *, worker: str) -> int:
    """Give back what a worker that is gone had claimed; returns how many segments."""
    with transaction(db):
        released = db.execute(
            "UPDATE segments SET status = 'pending', worker = NULL, lease_until = NULL"
            " WHERE status = 'running' AND worker = ?",
            [worker],
        )
        return int(released.rowcount)


def claiming_workers(db: Database) -> tuple[str, ...]:
    """Return the names of the workers that hold a segment."""
    rows = db.execute("SELECT DISTINCT worker FROM segments WHERE status = 'running' ORDER BY worker")
    return tuple(row[0] for row in rows)


def finish_segment(db: Database, segment_id: int, *, states: Iterable[tuple[int, int, str]], at: datetime) -> bool:
    """Store a segment's states (first_ms, last_ms, JSON line) and mark it done, in one transaction.

    Returns False, and stores nothing, if it was done already.
    """
    with transaction(db):
        done = db.execute(
            "UPDATE segments SET status = 'done', worker = NULL, lease_until = NULL, error = NULL, finished_at = ?"
            " WHERE id = ? AND status <> 'done'",
            [stamp(at), segment_id],
        )
        if not done.rowcount:
            return False
        run_id = segment(db, segment_id).run_id
        db.table("states").insert_all(
            {"run_id": run_id, "segment_id": segment_id, "ordinal": i, "first_ms": first, "last_ms": last, "line": line}
            for i, (first, last, line) in enumerate(states)
        )
        return True


def fail_segment(db: Database, segment_id: int, *, error: str, at: datetime) -> None:
    """Mark a segment that could not be recognised; a later run of the same pins tries it again."""
    with transaction(db):
        db.execute(
            "UPDATE segments SET status = 'failed', worker = NULL, lease_until = NULL, error = ?, finished_at = ?"
            " WHERE id = ? AND status <> 'done'",
            [error, stamp(at), segment_id],
        )


def run_is_recognised(db: Database, run_id: int) -> bool:
    """Return whether every segment of the run is done, and its footage does not grow any more."""
    row = db.execute(
        "SELECT (SELECT count(*) FROM segments WHERE run_id = :run AND status <> 'done') + (SELECT count(*) FROM runs"
        " AS r JOIN footage AS f ON f.id = r.footage_id WHERE r.id = :run AND f.recorder IS NOT NULL)",
        {"run": run_id},
    ).fetchone()
    return bool(row[0] == 0)


def states_of(db: Database, run_id: int) -> tuple[str, ...]:
    """Return all states of a run as JSON lines in time order."""
    rows = db.execute(
        "SELECT t.line FROM states AS t JOIN segments AS s ON s.id = t.segment_id"
        " WHERE t.run_id = ? ORDER BY s.ordinal, t.ordinal",
        [run_id],
    )
    return tuple(row[0] for row in rows)


def states_between(db: Database, run_id: int, *, first_ms: int, last_ms: int) -> tuple[str, ...]:
    """Return, as JSON lines, the state that held at ``first_ms`` and all that began up to ``last_ms``."""
    rows = db.execute(
        "SELECT line FROM states WHERE run_id = :run AND first_ms <= :last AND first_ms >= ifnull("
        " (SELECT max(first_ms) FROM states WHERE run_id = :run AND first_ms <= :first), :first)"
        " ORDER BY first_ms, id",
        {"run": run_id, "first": first_ms, "last": last_ms},
    )
    return tuple(row[0] for row in rows)


def _one(db: Database, sql: str, key: int, what: str) -> dict[str, Any]:
    row: dict[str, Any] | None = next(iter(db.query(sql, [key])), None)
    if row is None:
        msg = f"expected a stored {what}, found none with number {key}"
        raise StoreError(msg)
    return row
