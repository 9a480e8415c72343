"""The steps of an audit as plain functions: register, cut, recognise, fold and judge.

Every step may be cut off at any moment and run again: what it stores, it stores in one transaction, and it looks first
whether it has been done.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from sqlite_utils import Database

from audit.paytables import PayTableError, load_rules
from audit.pipeline import audit_states
from audit.readings import RECOGNISED
from audit.states import TableState, format_state, parse_state
from audit.store import audits, recordings
from audit.store import footage as stored
from audit.table import ProfileError, TableProfile, load_profile, parse_profile
from models.camera import CameraError, camera_of
from models.complaints import complaint
from models.frames import Footage, FootageError, Segment, check_size, probe, segments
from workers import queue
from workers.pins import pins_of, sha256_of

logger = logging.getLogger(__name__)

Clock = Callable[[], datetime]


class Recognise(Protocol):
    """What turns a segment of footage into settled table states."""

    def __call__(self, path: Path, segment: Segment, profile: TableProfile) -> Iterable[TableState]:
        """Return the states of the segment in time order."""


@dataclass(frozen=True, kw_only=True)
class Station:
    """Where a worker sits: its name, its clock, what it sees with and how long it may hold a segment."""

    worker: str
    clock: Clock
    recognise: Recognise
    lease: timedelta


def register(db: Database, path: Path, *, now: datetime) -> tuple[int, Footage]:
    """Store a file as footage and return its number and what it holds.

    Raises:
        FootageError: if it is no footage; a file that could be read is stored with that sentence.
    """
    if not path.is_file():
        probe(path)
    store = partial(
        stored.register_footage,
        db,
        sha256=sha256_of(path),
        path=str(path.absolute()),
        size_bytes=path.stat().st_size,
        at=now,
    )
    try:
        held = probe(path)
    except FootageError as error:
        store(error=str(error))
        raise
    width, height = held.size
    footage_id = store(
        duration_ms=held.readable_ms, width=width, height=height, codec=held.codec, error=complaint(held)
    )
    return footage_id, held


def store_profile(db: Database, profile: TableProfile, *, sha256: str, now: datetime) -> int:
    """Store the profile's text as the version it is and return its number."""
    return stored.store_profile(db, name=profile.table_id, game=profile.game, toml=profile.text, sha256=sha256, at=now)


def load_usable_profile(path: Path) -> TableProfile:
    """Return the profile in the file, with which footage can be audited: it has a camera, and its rules exist.

    Raises:
        ProfileError: naming the file, what was expected and what was found.
    """
    profile = load_profile(path)
    try:
        camera_of(profile)
        load_rules(profile.game, profile.rules, profile.variant)
    except (CameraError, PayTableError) as error:
        msg = f"{path}: {error}"
        raise ProfileError(msg) from None
    return profile


def open_run(db: Database, footage_id: int, *, profile_id: int, now: datetime, held: Footage | None = None) -> int:
    """Return the run of this footage under this profile, cut into segments, creating it if there is none.

    A run that failed is open again. ``held`` saves reading the file once more.

    Raises:
        FootageError: if the footage cannot be read, or is of another size than the profile.
        CameraError: if the profile has no camera, or one that cannot be.
        PayTableError: if the profile's rules cannot be loaded.
    """
    profile = parse_profile(stored.profile(db, profile_id).toml)
    held = held or probe(Path(stored.footage(db, footage_id).path))
    check_size(held, camera_of(profile).size)
    stored.complain_of_footage(db, footage_id, complaint(held, profile))
    cuts = [(one.start_ms, one.end_ms) for one in segments(held)]
    run_id = stored.open_run(
        db, footage_id=footage_id, profile_id=profile_id, pins=pins_of(profile), segments=cuts, at=now
    )
    audits.reopen_run(db, run_id)
    return run_id


def remaining_tasks(db: Database, run_id: int) -> list[tuple[str, int]]:
    """Return the tasks (name, identifier) that a run still waits for and that nobody works on; none once it is done."""
    if stored.run(db, run_id).status == "done":
        return []
    if stored.run_is_recognised(db, run_id):
        return [(queue.AUDIT_RUN, run_id)]
    waiting = (row.id for row in stored.segments_of(db, run_id) if row.status in ("pending", "failed"))
    return [(queue.RECOGNISE_SEGMENT, segment_id) for segment_id in waiting]


def recognise_segment(db: Database, segment_id: int, station: Station) -> int | None:
    """Recognise one segment and store its states; return its run if that is now wholly recognised, else None."""
    now = station.clock()
    if stored.claim_segment(db, segment_id, worker=station.worker, now=now, until=now + station.lease):
        _recognise(db, segment_id, station)
    run_id = stored.segment(db, segment_id).run_id
    return run_id if stored.run_is_recognised(db, run_id) else None


def audit_run(db: Database, run_id: int, *, clock: Clock) -> None:
    """Fold a wholly recognised run's states into rounds and findings and store them; a finished run stays as it is."""
    if stored.run(db, run_id).status == "done" or not stored.run_is_recognised(db, run_id):
        return
    try:
        record = _judge(db, run_id)
    except Exception as error:  # whatever breaks is told to the one who waits for this run
        logger.exception("failed to audit run %d", run_id)
        audits.fail_run(db, run_id, error=f"the audit broke: {type(error).__name__}: {error}", at=clock())
        return
    put = recordings.store_rounds if recordings.is_told(db, run_id) else None
    if audits.store_audit(db, run_id, rounds=record["rounds"], findings=record["findings"], at=clock(), put=put):
        logger.info("audited run %d: %d rounds", run_id, len(record["rounds"]))


def profile_of_run(db: Database, run_id: int) -> TableProfile:
    """Return the profile a run was made with."""
    return parse_profile(stored.profile(db, stored.run(db, run_id).profile_id).toml)


def _recognise(db: Database, segment_id: int, station: Station) -> None:
    row = stored.segment(db, segment_id)
    footage = stored.footage(db, stored.run(db, row.run_id).footage_id)
    segment = Segment(index=row.ordinal, start_ms=row.first_ms, end_ms=row.last_ms)
    try:
        states = list(station.recognise(Path(footage.path), segment, profile_of_run(db, row.run_id)))
    except Exception as error:  # whatever breaks is told to the one who waits for this segment
        logger.exception("failed to recognise segment %d", segment_id)
        sentence = str(error) if isinstance(error, FootageError) else f"{type(error).__name__}: {error}"
        stored.fail_segment(db, segment_id, error=sentence, at=station.clock())
        return
    lines = [(state.span.first, state.span.last, format_state(state)) for state in states]
    if stored.finish_segment(db, segment_id, states=lines, at=station.clock()):
        logger.info("recognised segment %d of run %d: %d states", row.ordinal, row.run_id, len(lines))


def _judge(db: Database, run_id: int) -> dict[str, Any]:
    states = [parse_state(line) for line in stored.states_of(db, run_id)]
    return audit_states(states, profile_of_run(db, run_id), thresholds=RECOGNISED).to_json()
