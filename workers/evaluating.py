"""Which truth and which profile belong to each piece of footage that is to be evaluated."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from audit.table import TableProfile, load_profile
from models.evaluation import Truth, TruthError, load_truth
from models.frames import FootageError
from workers.batch import footage_files

TRUTH_SUFFIX = ".truth.json"

_SESSION = re.compile(r"^\[session\]", re.MULTILINE)


class PiecesError(ValueError):
    """Footage whose truth or profile cannot be told; the message says what was expected where."""


@dataclass(frozen=True, kw_only=True)
class Piece:
    """One file of footage, what is true of it, and the profile of its table."""

    footage: Path
    truth: Truth
    profile: TableProfile


def pieces_of(footage: Iterable[Path], truths: Sequence[Path], profiles: Sequence[Path]) -> tuple[Piece, ...]:
    """Return each file of the footage (files and folders) with its truth and its profile.

    Without ``truths`` the truth of NAME.mp4 is NAME.truth.json beside it. One profile holds for all; of several, or of
    those in a folder, the one of the table that the truth names; without any, TABLE.toml beside the footage.

    Raises:
        PiecesError: if a truth or a profile is missing.
        TruthError, ProfileError, FootageError: if one cannot be used.
    """
    files = list(footage_files(footage))
    if truths and len(truths) != len(files):
        msg = f"--truth: expected one for each of {len(files)} files, found {len(truths)}"
        raise PiecesError(msg)
    known = _known_profiles(profiles)
    pieces = []
    for index, file in enumerate(files):
        path = truths[index] if truths else file.with_name(file.stem + TRUTH_SUFFIX)
        if not file.is_file() and not path.is_file():
            msg = f"{file}: expected a video file, found no such file"
            raise FootageError(msg)
        truth = load_truth(path)
        pieces.append(Piece(footage=file, truth=truth, profile=_profile_for(file, path, truth, known)))
    return tuple(pieces)


def _known_profiles(paths: Sequence[Path]) -> Mapping[str | None, TableProfile]:
    """Return the profiles by table; a single file stands for every table (None)."""
    if len(paths) == 1 and not paths[0].is_dir():
        return {None: load_profile(paths[0])}
    files = [file for path in paths for file in (_profiles_in(path) if path.is_dir() else [path])]
    loaded = [load_profile(file) for file in files]
    if paths and not loaded:
        msg = f"{paths[0]}: expected a folder with profiles (.toml), found none in it"
        raise PiecesError(msg)
    return {profile.table_id: profile for profile in loaded}


def _profiles_in(folder: Path) -> list[Path]:
    """Return the profiles of a folder; the script of a rendered session lies beside them and is none."""
    files = sorted(folder.glob("*.toml"))
    return [file for file in files if not _SESSION.search(file.read_text("utf-8", errors="replace"))]


def _profile_for(file: Path, truth_path: Path, truth: Truth, known: Mapping[str | None, TableProfile]) -> TableProfile:
    if None in known:
        return known[None]
    table = truth.table_id
    if table is None:
        msg = f"{truth_path}: profile: expected the table's id, found none; name the profile with --profile"
        raise TruthError(msg)
    if known:
        if table not in known:
            msg = f"{truth_path}: expected a profile of table {table!r:.60}, found {', '.join(map(str, known))}"
            raise PiecesError(msg)
        return known[table]
    if Path(table).name != table:
        msg = f"{truth_path}: profile: expected a table's id, found {table!r:.60}"
        raise TruthError(msg)
    return load_profile(file.with_name(f"{table}.toml"))
