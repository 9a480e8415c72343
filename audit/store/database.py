"""Opening the database, and one transaction per unit of work."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from sqlite_utils import Database

from audit.store.schema import MIGRATIONS

DATABASE_NAME: Final = "catwalk.db"
BUSY_TIMEOUT_S: Final = 60.0
_AGAIN_S: Final = 0.01


class StoreError(ValueError):
    """Something asked of the store that it cannot do; the message says what was expected and what was found."""


def open_store(data_dir: Path) -> Database:
    """Open the database of a data directory, creating the directory and upgrading the schema as needed.

    Raises:
        StoreError: if the directory cannot be made, or its database not be used.
    """
    try:
        data_dir.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        found = "a file" if isinstance(error, FileExistsError) else error.strerror
        msg = f"{data_dir}: expected a data directory that can be written, found {found}"
        raise StoreError(msg) from None
    return open_database(data_dir / DATABASE_NAME)


def open_database(path: Path | None) -> Database:
    """Open the database in the file, upgrading its schema if needed; None opens an empty one in memory.

    The connection belongs to the thread that opened it.

    Raises:
        StoreError: if the file is no database, another program's, or cannot be opened and written.
    """
    connection = None
    try:
        connection = sqlite3.connect(":memory:" if path is None else path, timeout=BUSY_TIMEOUT_S)
        return _prepared(connection, path)
    except (StoreError, sqlite3.Error) as error:
        if connection is not None:
            connection.close()
        if isinstance(error, StoreError):
            raise
        no_database = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_NOTADB
        expected = "a SQLite database" if no_database else "a database that can be opened and written"
        msg = f"{path}: expected {expected}, found {error}"
        raise StoreError(msg) from None


def _prepared(connection: sqlite3.Connection, path: Path | None) -> Database:
    db = Database(connection, execute_plugins=False)
    _patiently(lambda: _refuse_another_programs(db, path))
    _patiently(lambda: db.execute("PRAGMA journal_mode = WAL").fetchone())
    db.execute("PRAGMA foreign_keys = ON")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA cache_size = -65536")
    _upgrade(db)
    return db


def _refuse_another_programs(db: Database, path: Path | None) -> None:
    """Refuse a database that has tables and was not made here, before anything in it is changed.

    Raises:
        StoreError: if it is another program's.
    """
    found = db.execute("SELECT name FROM sqlite_master ORDER BY rowid LIMIT 1").fetchone()
    if found is not None and not MIGRATIONS.applied(db):
        msg = f"{path}: expected a database of Catwalk, found another program's with {found[0]!r:.60}"
        raise StoreError(msg)


def _patiently(step: Callable[[], object]) -> None:
    """Take a step of opening; SQLite itself does not wait where others open a new database at that moment."""
    until = time.monotonic() + BUSY_TIMEOUT_S
    while True:
        try:
            step()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(_AGAIN_S)
        else:
            return


def _upgrade(db: Database) -> None:
    """Apply what is pending in one transaction, so that two processes that open a new database do not collide."""
    if not MIGRATIONS.pending(db):
        return
    with transaction(db):
        MIGRATIONS.apply(db)


@contextmanager
def transaction(db: Database) -> Iterator[None]:
    """Run the block in one write transaction: all of it is stored, or nothing.

    A transaction inside another becomes part of it.
    """
    if db.conn.in_transaction:
        with db.atomic():
            yield
        return
    db.conn.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        db.conn.rollback()
        raise
    db.conn.commit()


def stamp(at: datetime) -> str:
    """Return the moment as stored: UTC with offset, to the millisecond; text order is time order.

    Raises:
        StoreError: if the moment has no time zone.
    """
    if at.tzinfo is None:
        msg = f"expected a moment with a time zone, found {at.isoformat()}"
        raise StoreError(msg)
    return at.astimezone(UTC).isoformat(timespec="milliseconds")
