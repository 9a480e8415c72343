"""Where commands keep and write: the data directory opened, results written whole, each under a name of its own."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from sqlite_utils import Database


class RefusedError(click.ClickException):
    """Something that a command cannot use; its one sentence ends the command with exit status 2."""

    exit_code = 2

    def show(self, file: Any = None) -> None:
        """Print the sentence."""
        from workers.cli.tables import harmless

        click.echo("\n".join(map(harmless, self.message.split("\n"))), file=file, err=True)


class BrokenError(RefusedError):
    """A database that fails in the middle of the work; exit status 1."""

    exit_code = 1


@contextmanager
def opened(data_dir: Path) -> Iterator[Database]:
    """Open the database of a data directory for the block.

    Raises:
        RefusedError: if it cannot be opened.
        BrokenError: if it fails later.
    """
    from audit.store.database import StoreError, open_store

    try:
        db = open_store(data_dir)
    except StoreError as error:
        raise RefusedError(str(error)) from None
    try:
        yield db
    except sqlite3.Error as error:
        msg = f"{data_dir}: expected a database that can be read and written, found {error}"
        raise BrokenError(msg) from None
    finally:
        db.close()


def written(path: Path, text: str) -> None:
    """Write a file that is never there half-written; a pipe or a device is written as it is.

    Raises:
        RefusedError: if it cannot be written.
    """
    straight = path.is_symlink() or (path.exists() and not path.is_file())
    part = path if straight else _part_of(path)
    try:
        try:
            part.write_text(text, encoding="utf-8")
            if not straight:
                part.replace(path)
        finally:
            if not straight:
                part.unlink(missing_ok=True)
    except OSError as error:
        raise _not_written(path, error) from None


def check_target(path: Path) -> None:
    """Refuse, before any work is done for it, a file that could not be written.

    Raises:
        RefusedError: if its folder is missing or takes no file, or a folder has its name.
    """
    if path.is_dir():
        msg = f"{path}: expected a file that can be written, found a folder"
        raise RefusedError(msg)
    if path.is_symlink() or path.exists():
        return
    part = _part_of(path)
    try:
        part.touch()
        part.unlink()
    except OSError as error:
        raise _not_written(path, error) from None


def folder_made(path: Path) -> Path:
    """Return the folder, made if it is missing.

    Raises:
        RefusedError: if it cannot be.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        found = "a file" if isinstance(error, FileExistsError) else error.strerror
        msg = f"{path}: expected a folder that can be written, found {found}"
        raise RefusedError(msg) from None
    return path


def refuse_equal_names(files: Sequence[Path]) -> None:
    """Refuse files whose results would be written under one name.

    Raises:
        RefusedError: naming two of them.
    """
    known: dict[str, Path] = {}
    for file in files:
        other = known.setdefault(file.stem, file)
        if other.absolute() != file.absolute():
            msg = (
                f"expected footage of different names, as each name is that of its result, found {other} and {file}:"
                " ask for them one after the other, each with a folder of its own"
            )
            raise RefusedError(msg)


def target_of(out: Path, file: Path, suffix: str, *, several: bool) -> Path:
    """Return where the result of a piece of footage is written: in the folder ``out`` if there are several."""
    return out / f"{file.stem}{suffix}" if several else out


def _part_of(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}.part")


def _not_written(path: Path, error: OSError) -> RefusedError:
    return RefusedError(f"{path}: expected a file that can be written, found {error.strerror}")
