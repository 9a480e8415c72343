"""The footage library: what is recorded, how far each audit is, which audits are wanted, which folders are known."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlite_utils import Database

from audit.store.database import StoreError, stamp, transaction
from audit.store.footage import ProfileRow, footage, profile
from audit.store.ledger import append


@dataclass(frozen=True, kw_only=True)
class LibraryRow:
    """One recording with its latest run; ``wanted`` = an audit was asked for that no worker has begun.

    ``grows`` = a running camera is still recorded in it. ``refused_error`` says why an audit that was asked for since
    the latest run could not be begun, ``refused_under`` the profile.
    """

    id: int
    path: str
    sha256: str
    size_bytes: int
    duration_ms: int | None
    width: int | None
    height: int | None
    codec: str | None
    recorded_at: str | None
    registered_at: str
    error: str | None
    grows: int
    wanted: int
    run_id: int | None
    table_name: str | None
    run_status: str | None
    run_error: str | None
    run_ended: str | None
    refused_error: str | None
    refused_under: str | None
    refused_at: str | None
    rounds: int
    findings: int
    segments: int
    segments_done: int
    first_round: int | None


@dataclass(frozen=True, kw_only=True)
class FolderRow:
    """A folder that is looked into when asked; recordings found there are audited under the profile, if one is set."""

    id: int
    path: str
    profile_id: int | None
    added_by: str
    added_at: str
    looked_at: str | None
    error: str | None
    asked_at: str | None

    @property
    def waits(self) -> bool:
        """Whether it was asked for and not yet done."""
        return self.asked_at is not None and (self.looked_at is None or self.looked_at < self.asked_at)


_LIBRARY: Final = """
    SELECT f.id, f.path, f.sha256, f.size_bytes, f.duration_ms, f.width, f.height, f.codec, f.recorded_at,
        f.registered_at, f.error, f.recorder IS NOT NULL AS grows,
        EXISTS (SELECT 1 FROM wanted_audits WHERE footage_id = f.id) AS wanted,
        r.id AS run_id, p.name AS table_name, r.status AS run_status, r.error AS run_error,
        r.finished_at AS run_ended, n.error AS refused_error, q.name AS refused_under, n.refused_at,
        ifnull(r.rounds, 0) AS rounds, ifnull(r.findings, 0) AS findings,
        (SELECT count(*) FROM segments WHERE run_id = r.id) AS segments,
        (SELECT count(*) FROM segments WHERE run_id = r.id AND status = 'done') AS segments_done,
        (SELECT id FROM rounds WHERE run_id = r.id AND ordinal = 0) AS first_round
    FROM footage AS f LEFT JOIN runs AS r ON r.id = (SELECT max(id) FROM runs WHERE footage_id = f.id)
    LEFT JOIN profiles AS p ON p.id = r.profile_id
    LEFT JOIN refused_audits AS n ON n.footage_id = f.id
        AND (r.id IS NULL OR (r.status <> 'running' AND n.refused_at >= ifnull(r.finished_at, r.created_at)))
    LEFT JOIN profiles AS q ON q.id = n.profile_id
"""


_OPEN_RUNS: Final = """
    SELECT r.id FROM runs AS r JOIN footage AS f ON f.id = r.footage_id
    WHERE r.status = 'running' AND f.recorder IS NULL ORDER BY r.id
"""


def library(db: Database, *, limit: int = 200, offset: int = 0) -> tuple[LibraryRow, ...]:
    """Return the recordings, latest registered first."""
    rows = db.query(_LIBRARY + " ORDER BY f.id DESC LIMIT ? OFFSET ?", [limit, offset])
    return tuple(LibraryRow(**row) for row in rows)


def count_footage(db: Database) -> int:
    """Return how many recordings there are."""
    return int(db.execute("SELECT count(*) FROM footage").fetchone()[0])


def date_footage(db: Database, footage_id: int, recorded_at: datetime | None, *, actor: str, at: datetime) -> None:
    """Say when a recording began, None if that is not known; the log keeps what was said before.

    Raises:
        StoreError: if there is no such recording.
    """
    with transaction(db):
        before = footage(db, footage_id).recorded_at
        after = None if recorded_at is None else stamp(recorded_at)
        db.table("footage").update(footage_id, {"recorded_at": after})
        details = {"footage": footage_id, "before": before, "after": after}
        append(db, actor=actor, action="recording dated", details=details, at=at)


def want_audit(db: Database, footage_id: int, profile_id: int, *, actor: str, at: datetime) -> None:
    """Ask for an audit of the recording under the profile.

    Raises:
        StoreError: if there is no such recording or profile, or a camera is still recorded in it.
    """
    with transaction(db):
        if footage(db, footage_id).recorder is not None:
            msg = f"recording {footage_id}: expected one that is whole, found one of a running camera"
            raise StoreError(msg)
        profile(db, profile_id)
        db.execute("UPDATE footage SET error = NULL WHERE id = ? AND duration_ms IS NOT NULL", [footage_id])
        db.execute("DELETE FROM refused_audits WHERE footage_id = ?", [footage_id])
        row = {"footage_id": footage_id, "profile_id": profile_id, "wanted_by": actor, "wanted_at": stamp(at)}
        db.table("wanted_audits").insert(row, ignore=True)
        append(db, actor=actor, action="audit wanted", details={"footage": footage_id, "profile": profile_id}, at=at)


def wanted_audits(db: Database) -> tuple[tuple[int, int], ...]:
    """Return (recording, profile) of every audit that is wanted, the longest waiting first."""
    rows = db.execute("SELECT footage_id, profile_id FROM wanted_audits ORDER BY wanted_at, footage_id")
    return tuple((row[0], row[1]) for row in rows)


def audit_begun(db: Database, footage_id: int, profile_id: int) -> None:
    """Take the wish back: its run has been opened."""
    with transaction(db):
        _take_back(db, footage_id, profile_id)
        db.execute("DELETE FROM refused_audits WHERE footage_id = ?", [footage_id])


def audit_refused(db: Database, footage_id: int, profile_id: int, *, error: str, at: datetime) -> None:
    """Take the wish back: its run cannot be opened, with the reason."""
    with transaction(db):
        _take_back(db, footage_id, profile_id)
        row = {"footage_id": footage_id, "profile_id": profile_id, "error": error, "refused_at": stamp(at)}
        db.table("refused_audits").insert(row, pk="footage_id", replace=True)


def _take_back(db: Database, footage_id: int, profile_id: int) -> None:
    db.execute("DELETE FROM wanted_audits WHERE footage_id = ? AND profile_id = ?", [footage_id, profile_id])


def unlooked_footage(db: Database) -> tuple[int, ...]:
    """Return the recordings of which nobody has looked yet what they hold."""
    rows = db.execute("SELECT id FROM footage WHERE duration_ms IS NULL AND error IS NULL ORDER BY id")
    return tuple(row[0] for row in rows)


def add_folder(db: Database, path: str, *, profile_id: int | None, actor: str, at: datetime) -> int:
    """Register a folder and ask for a look into it.

    Raises:
        StoreError: if it is registered already, or there is no such profile.
    """
    with transaction(db):
        if db.execute("SELECT 1 FROM folders WHERE path = ?", [path]).fetchone():
            msg = f"expected a folder that is not registered yet, found {path!r:.200}"
            raise StoreError(msg)
        if profile_id is not None:
            profile(db, profile_id)
        row = {"path": path, "profile_id": profile_id, "added_by": actor, "added_at": stamp(at), "asked_at": stamp(at)}
        folder_id = int(db.table("folders").insert(row).last_pk)
        append(db, actor=actor, action="folder registered", details={"folder": folder_id, "path": path}, at=at)
        return folder_id


def remove_folder(db: Database, folder_id: int, *, actor: str, at: datetime) -> None:
    """Forget a folder; the recordings found in it stay.

    Raises:
        StoreError: if there is no such folder.
    """
    with transaction(db):
        path = folder(db, folder_id).path
        db.table("folders").delete(folder_id)
        append(db, actor=actor, action="folder forgotten", details={"folder": folder_id, "path": path}, at=at)


def ask_for_folder(db: Database, folder_id: int, *, at: datetime) -> None:
    """Ask for another look into a folder.

    Raises:
        StoreError: if there is no such folder.
    """
    with transaction(db):
        folder(db, folder_id)
        db.table("folders").update(folder_id, {"asked_at": stamp(at)})


def folder_looked_into(db: Database, folder_id: int, *, at: datetime, error: str | None) -> None:
    """Note that a folder was looked into, and in one sentence what was wrong."""
    with transaction(db):
        db.execute("UPDATE folders SET looked_at = ?, error = ? WHERE id = ?", [stamp(at), error, folder_id])


def folder(db: Database, folder_id: int) -> FolderRow:
    """Return the folder.

    Raises:
        StoreError: if there is none of that number.
    """
    row = next(iter(db.query("SELECT * FROM folders WHERE id = ?", [folder_id])), None)
    if row is None:
        msg = f"expected a registered folder, found none with number {folder_id}"
        raise StoreError(msg)
    return FolderRow(**row)


def folders(db: Database) -> tuple[FolderRow, ...]:
    """Return the registered folders by their path."""
    return tuple(FolderRow(**row) for row in db.query("SELECT * FROM folders ORDER BY path"))


def is_known_file(db: Database, path: str, size_bytes: int) -> bool:
    """Return whether a recording of that path and size is in the library."""
    found = db.execute("SELECT 1 FROM footage WHERE path = ? AND size_bytes = ?", [path, size_bytes]).fetchone()
    return found is not None


def latest_profiles(db: Database) -> tuple[ProfileRow, ...]:
    """Return the latest version of every profile, by name."""
    rows = db.query("SELECT * FROM profiles WHERE id IN (SELECT max(id) FROM profiles GROUP BY name) ORDER BY name")
    return tuple(ProfileRow(**row) for row in rows)


def versions_of(db: Database, name: str) -> tuple[ProfileRow, ...]:
    """Return every version of a profile, latest first."""
    rows = db.query("SELECT * FROM profiles WHERE name = ? ORDER BY id DESC", [name])
    return tuple(ProfileRow(**row) for row in rows)


def footage_of_profile(db: Database, name: str) -> tuple[int, ...]:
    """Return the recordings that were audited under any version of a profile, latest first."""
    rows = db.execute(
        "SELECT DISTINCT r.footage_id FROM runs AS r JOIN profiles AS p ON p.id = r.profile_id WHERE p.name = ?"
        " ORDER BY r.footage_id DESC",
        [name],
    )
    return tuple(row[0] for row in rows)


def something_waits(db: Database) -> bool:
    """Return whether a file or folder is to be looked at, or an audit to be begun or continued."""
    row = db.execute(
        "SELECT EXISTS (SELECT 1 FROM wanted_audits)"
        " OR EXISTS (SELECT 1 FROM footage WHERE duration_ms IS NULL AND error IS NULL)"
        " OR EXISTS (SELECT 1 FROM folders WHERE asked_at > ifnull(looked_at, ''))"
    ).fetchone()
    return bool(row[0]) or bool(open_runs(db))


def open_runs(db: Database) -> tuple[int, ...]:
    """Return the runs that are neither done nor failed, but for those of recordings that still grow."""
    return tuple(row[0] for row in db.execute(_OPEN_RUNS))


def has_sample(db: Database) -> bool:
    """Return whether the sample clip is among the first recordings, as it is in the demo."""
    rows = db.execute("SELECT path FROM footage ORDER BY id LIMIT 5")
    return any("/sample_footage/clips/" in row[0] for row in rows)
