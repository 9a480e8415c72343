"""A batch: files taken in, their runs worked off by a crew, watched until the last is done.

The database says what is to be done, so a batch that was cut off anywhere is continued by starting it again.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from celery import Celery
from sqlite_utils import Database

from audit.store import audits
from audit.store import footage as stored
from models.frames import FootageError
from workers import jobs
from workers.celery_app import create_app
from workers.crew import WORKER_COMMAND, Crew, is_gone
from workers.settings import Settings
from workers.spool import SpoolError

logger = logging.getLogger(__name__)

VIDEO_SUFFIXES: Final = frozenset(
    {".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi", ".ts", ".m2ts", ".mpg", ".mpeg", ".flv", ".mxf"}
)
_LOOK_S: Final = 0.1
_PATIENCE_S: Final = 20.0
_MOST_DEATHS: Final = 5


class BatchError(RuntimeError):
    """Workers that do not stay up, or to whom no work can be given."""


@dataclass(frozen=True, kw_only=True)
class Piece:
    """One file of a batch and its run; ``finished_before`` = there was nothing left to do."""

    path: Path
    run_id: int
    finished_before: bool


@dataclass(frozen=True, kw_only=True)
class Intake:
    """What a batch consists of, and one sentence for each file that is refused or cut short."""

    pieces: tuple[Piece, ...]
    complaints: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Progress:
    """How far a run is: segments recognised of all, and its status."""

    run_id: int
    done: int
    total: int
    status: str


def footage_files(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the files named, and every video below the folders named, in the order of their names."""
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        found = sorted(p for p in path.rglob("*") if p.suffix.lower() in VIDEO_SUFFIXES and p.is_file())
        if not found:
            msg = f"{path}: expected a folder with videos ({', '.join(sorted(VIDEO_SUFFIXES))}), found none in it"
            raise FootageError(msg)
        yield from found


def take_in(db: Database, paths: Sequence[Path], *, profile_id: int, clock: jobs.Clock) -> Intake:
    """Register the files and open their runs; a file that is refused leaves the others as they are."""
    pieces: dict[int, Piece] = {}
    complaints: list[str] = []
    for path in paths:
        try:
            piece, complaint = _take_in(db, path, profile_id=profile_id, clock=clock)
        except (FootageError, OSError) as error:
            complaints.append(str(error))
            continue
        pieces.setdefault(piece.run_id, piece)
        complaints.extend(filter(None, [complaint]))
    return Intake(pieces=tuple(pieces.values()), complaints=tuple(complaints))


def work_off(
    db: Database,
    settings: Settings,
    run_ids: Sequence[int],
    *,
    crew_size: int,
    threads: int,
    clock: jobs.Clock,
    tell: Callable[[Progress], None],
) -> None:
    """Start workers, queue what the runs wait for and return when each is done or has failed.

    Raises:
        BatchError: if workers keep ending by themselves.
    """
    _release_gone(db)
    app = create_app(settings)
    crew = Crew(settings, size=crew_size, threads=threads, command=WORKER_COMMAND)
    try:
        _queue(app, db, run_ids)
        _watch(app, db, crew, run_ids, clock=clock, tell=tell)
    finally:
        crew.stop(at_work=stored.claiming_workers(db))
        app.close()


def progress_of(db: Database, run_id: int) -> Progress:
    """Return how far the run is."""
    segments = stored.segments_of(db, run_id)
    done = sum(row.status == "done" for row in segments)
    return Progress(run_id=run_id, done=done, total=len(segments), status=stored.run(db, run_id).status)


def _take_in(db: Database, path: Path, *, profile_id: int, clock: jobs.Clock) -> tuple[Piece, str | None]:
    """The file's run, and what is wrong with it though it can be audited."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        msg = f"{os.fsencode(path).decode(errors='backslashreplace')}: expected a file name in UTF-8, found other bytes"
        raise FootageError(msg) from None
    footage_id, held = jobs.register(db, path, now=clock())
    run_id = jobs.open_run(db, footage_id, profile_id=profile_id, now=clock(), held=held)
    finished = stored.run(db, run_id).status == "done"
    return Piece(path=path, run_id=run_id, finished_before=finished), stored.footage(db, footage_id).error


def _release_gone(db: Database) -> int:
    """Give back what workers of this machine that have ended still hold, whoever started them; return how much."""
    gone = [worker for worker in stored.claiming_workers(db) if is_gone(worker)]
    given_back = sum(stored.release_segments(db, worker=worker) for worker in gone)
    if gone:
        logger.warning("gave back %d segments of %d workers that had ended", given_back, len(gone))
    return given_back


def _queue(app: Celery, db: Database, run_ids: Iterable[int]) -> None:
    for run_id in run_ids:
        for name, identifier in jobs.remaining_tasks(db, run_id):
            try:
                app.send_task(name, args=[identifier])
            except SpoolError as error:
                raise BatchError(str(error)) from None


def _watch(
    app: Celery,
    db: Database,
    crew: Crew,
    run_ids: Sequence[int],
    *,
    clock: jobs.Clock,
    tell: Callable[[Progress], None],
) -> None:
    deaths = 0
    seen: list[Progress] = []
    changed = time.monotonic()
    while True:
        now = [_settle_failed(db, run_id, clock=clock) for run_id in run_ids]
        for progress in now:
            tell(progress)
        open_runs = [progress.run_id for progress in now if progress.status == "running"]
        if not open_runs:
            return
        if now != seen:
            seen, changed = now, time.monotonic()
        dead = crew.replace_dead()
        deaths += len(dead)
        given_back = _release_gone(db)
        if deaths > _MOST_DEATHS:
            msg = f"expected workers that stay up, found {deaths} that ended by themselves: see {crew.log_file(0)}"
            raise BatchError(msg)
        if dead or given_back or (time.monotonic() - changed > _PATIENCE_S and not stored.claiming_workers(db)):
            _queue(app, db, open_runs)
            changed = time.monotonic()
        time.sleep(_LOOK_S)


def _settle_failed(db: Database, run_id: int, *, clock: jobs.Clock) -> Progress:
    """Return the run's progress; a run of which nothing is left but failed segments has failed."""
    rows = stored.segments_of(db, run_id)
    failed = [row for row in rows if row.status == "failed"]
    if failed and all(row.status in ("done", "failed") for row in rows):
        audits.fail_run(db, run_id, error=str(failed[0].error), at=clock())
    return progress_of(db, run_id)
