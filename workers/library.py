"""What the footage library asks for: look at a file, look into a folder, begin and work off the audits that are wanted.

What is to be done is read from the database, so that nothing is lost when pages and workers are stopped and started.
"""

from __future__ import annotations

import logging
from datetime import datetime
from pathlib import Path

from sqlite_utils import Database

from audit.store import footage as stored
from audit.store import library
from models.complaints import complaint
from models.frames import FootageError, probe
from workers import batch, jobs
from workers.settings import Settings

logger = logging.getLogger(__name__)


def tend(db: Database, settings: Settings, *, crew_size: int, clock: jobs.Clock) -> None:
    """Do everything that waits, and return when nothing does any more.

    Files are looked at while audits run, so that a bad one is told at once.

    Raises:
        BatchError: if workers keep ending by themselves.
    """
    while library.something_waits(db):
        look_around(db, clock=clock)
        for footage_id, profile_id in library.wanted_audits(db):
            begin_audit(db, footage_id, profile_id, now=clock())
        runs = library.open_runs(db)
        if runs:
            batch.work_off(
                db,
                settings,
                runs,
                crew_size=crew_size,
                threads=1,
                clock=clock,
                tell=lambda _: look_around(db, clock=clock),
            )


def look_around(db: Database, *, clock: jobs.Clock) -> None:
    """Look at every new file, and into every folder for which it was asked."""
    for row in library.folders(db):
        if row.waits:
            look_into(db, row.id, clock=clock)
    for footage_id in library.unlooked_footage(db):
        look_at(db, footage_id)


def look_at(db: Database, footage_id: int) -> None:
    """Store what a registered file holds, or in one sentence why it is no footage."""
    row = stored.footage(db, footage_id)
    try:
        held = probe(Path(row.path))
    except FootageError as error:
        stored.describe_footage(db, footage_id, error=str(error))
        return
    width, height = held.size
    stored.describe_footage(
        db,
        footage_id,
        duration_ms=held.readable_ms,
        width=width,
        height=height,
        codec=held.codec,
        error=complaint(held),
    )


def look_into(db: Database, folder_id: int, *, clock: jobs.Clock) -> None:
    """Register the recordings of a folder that are not known yet and ask for their audit, if it has a profile."""
    row = library.folder(db, folder_id)
    began = clock()
    try:
        paths = list(batch.footage_files([Path(row.path)])) if Path(row.path).is_dir() else None
    except (FootageError, OSError) as error:
        library.folder_looked_into(db, folder_id, at=began, error=str(error))
        return
    if paths is None:
        library.folder_looked_into(db, folder_id, at=began, error=f"{row.path}: expected a folder, found none")
        return
    refused = [sentence for sentence in (_take_in(db, path, row, now=clock()) for path in paths) if sentence]
    more = f"; and {len(refused) - 1} more" if len(refused) > 1 else ""
    library.folder_looked_into(db, folder_id, at=began, error=f"{refused[0]}{more}" if refused else None)
    logger.info("looked into folder %d: %d files, %d refused", folder_id, len(paths), len(refused))


def begin_audit(db: Database, footage_id: int, profile_id: int, *, now: datetime) -> int | None:
    """Open the run of a wanted audit and return it; None for what cannot be audited, which is told beside it."""
    try:
        run_id = jobs.open_run(db, footage_id, profile_id=profile_id, now=now)
    except ValueError as error:  # the footage, its profile or its rules: each says what was expected and found
        library.audit_refused(db, footage_id, profile_id, error=str(error), at=now)
        return None
    library.audit_begun(db, footage_id, profile_id)
    return run_id


def _take_in(db: Database, path: Path, folder: library.FolderRow, *, now: datetime) -> str | None:
    """Register one file; return in one sentence why it is no footage."""
    try:
        str(path).encode()
        if library.is_known_file(db, str(path.absolute()), path.stat().st_size):
            return None
        footage_id, _ = jobs.register(db, path, now=now)
    except (FootageError, OSError, UnicodeEncodeError) as error:
        return f"{path.name!a}: {error}" if isinstance(error, UnicodeEncodeError) else str(error)
    if folder.profile_id is not None:
        library.want_audit(db, footage_id, folder.profile_id, actor=folder.added_by, at=now)
    return None
