"""Uploads in pieces: a file comes in parts of a few megabytes, so that no request is long and a lost one is sent again.

A part file lies in ``uploads`` of the data directory, with a note of what it is to become. Once whole it is moved to
``footage`` and registered; workers then look at what it holds.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
import shutil
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import IO, Final

from sqlite_utils import Database

from audit.store.database import transaction
from audit.store.footage import register_footage
from audit.store.ledger import append

PIECE: Final = 4 * 1024 * 1024
SUFFIXES: Final = (".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi", ".ts", ".m2ts", ".mpg", ".mpeg", ".flv", ".mxf")
_LONGEST_NAME: Final = 150
_FORGOTTEN: Final = timedelta(days=7)
_SPARE: Final = 512 * 1024 * 1024
_BLOCK: Final = 1024 * 1024
_TOKEN: Final = re.compile(r"[0-9a-f]{32}")
_SIGNS: Final = (
    # where, what: the beginnings of the containers that are read
    (4, b"ftyp"),
    (4, b"moov"),
    (4, b"mdat"),
    (4, b"wide"),
    (4, b"free"),
    (4, b"skip"),
    (0, b"\x1a\x45\xdf\xa3"),
    (8, b"AVI "),
    (0, b"\x47"),
    (4, b"\x47"),
    (0, b"\x00\x00\x01"),
    (0, b"FLV"),
    (0, b"\x06\x0e\x2b\x34"),
)
_OTHERS: Final = (
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"%PDF", "a PDF"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"#EXTM3U", "a playlist"),
)


class UploadError(ValueError):
    """An upload that cannot go on; the message says what was expected and what was found."""


@dataclass(frozen=True, kw_only=True)
class Upload:
    """A file on its way in."""

    token: str
    name: str
    size: int
    user: str


def begin(data_dir: Path, *, name: str, size: int, user: str, now: datetime) -> Upload:
    """Make room for a file and return its upload.

    Raises:
        UploadError: if the name is of no video, or the disk has too little room.
    """
    folder = data_dir / "uploads"
    folder.mkdir(parents=True, exist_ok=True)
    _forget_old(folder, now)
    safe = safe_name(name)
    if Path(safe).suffix.lower() not in SUFFIXES:
        msg = f"{safe}: expected a video ({', '.join(SUFFIXES)}), found the suffix {Path(safe).suffix!r:.20}"
        raise UploadError(msg)
    free = shutil.disk_usage(folder).free
    if size <= 0 or size > free - _SPARE:
        found = "an empty file" if size <= 0 else f"{size / 1e9:.1f} GB"
        room = f"{max(0, free - _SPARE) / 1e9:.1f} GB"
        msg = f"{safe}: expected a file of at most {room}, for which there is room, found {found}"
        raise UploadError(msg)
    upload = Upload(token=secrets.token_hex(16), name=safe, size=size, user=user)
    (folder / f"{upload.token}.json").write_text(json.dumps(asdict(upload)), encoding="utf-8")
    (folder / f"{upload.token}.part").touch()
    return upload


def find(data_dir: Path, token: str, *, user: str) -> Upload:
    """Return the user's upload.

    Raises:
        UploadError: if there is none of that token.
    """
    note = data_dir / "uploads" / f"{token}.json"
    if not _TOKEN.fullmatch(token) or not note.is_file():
        msg = "expected an upload that was begun, found none of that number"
        raise UploadError(msg)
    upload = Upload(**json.loads(note.read_text(encoding="utf-8")))
    if upload.user != user:
        msg = "expected an upload of your own, found another user's"
        raise UploadError(msg)
    return upload


def received(data_dir: Path, upload: Upload) -> int:
    """Return how many bytes have come in."""
    return _part(data_dir, upload).stat().st_size


def add(data_dir: Path, upload: Upload, *, offset: int, body: IO[bytes]) -> int:
    """Store a part that begins at the offset and return how much there is now.

    Raises:
        UploadError: if the part does not follow what is there, is too long, or shows that this is no video.
    """
    path = _part(data_dir, upload)
    have = path.stat().st_size
    if offset != have:
        msg = f"{upload.name}: expected the part from byte {have} on, found one from {offset}"
        raise UploadError(msg)
    piece = body.read(PIECE + 1)
    if len(piece) > PIECE or have + len(piece) > upload.size:
        msg = f"{upload.name}: expected at most {min(PIECE, upload.size - have)} bytes more, found {len(piece)} or more"
        raise UploadError(msg)
    if have == 0 and piece:
        _require_video(upload.name, piece[:16])
    with path.open("ab") as file:
        file.write(piece)
    return have + len(piece)


def finish(db: Database, data_dir: Path, upload: Upload, *, recorded_at: datetime | None, now: datetime) -> int:
    """Move the whole file to the footage, register it and return its number; the same content is stored once.

    Raises:
        UploadError: if it is not whole.
    """
    path = _part(data_dir, upload)
    have = path.stat().st_size
    if have != upload.size:
        msg = f"{upload.name}: expected {upload.size} bytes, found {have}: it has not come in whole"
        raise UploadError(msg)
    sha256 = _sha256(path)
    known = db.execute("SELECT id, path FROM footage WHERE sha256 = ?", [sha256]).fetchone()
    if known is not None and Path(known[1]).is_file():
        drop(data_dir, upload)
        return int(known[0])
    folder = data_dir / "footage"
    folder.mkdir(exist_ok=True)
    target = folder / f"{sha256[:12]}-{upload.name}"
    path.replace(target)
    with transaction(db):
        footage_id = register_footage(db, sha256=sha256, path=str(target.absolute()), size_bytes=have, at=now)
        if recorded_at is not None:
            db.table("footage").update(footage_id, {"recorded_at": recorded_at.isoformat(timespec="milliseconds")})
        details = {"footage": footage_id, "name": upload.name, "sha256": sha256}
        append(db, actor=upload.user, action="footage uploaded", details=details, at=now)
    drop(data_dir, upload)
    return footage_id


def drop(data_dir: Path, upload: Upload) -> None:
    """Forget an upload and what has come in of it."""
    _part(data_dir, upload).unlink(missing_ok=True)
    (data_dir / "uploads" / f"{upload.token}.json").unlink(missing_ok=True)


def safe_name(name: str) -> str:
    """Return a file name that is one: no folders, no control or strange characters, not hidden, not too long."""
    base = name.replace("\\", "/").rsplit("/", 1)[-1]
    kept = re.sub(r"[^\w. ()+-]", "_", base).lstrip(".")[-_LONGEST_NAME:].strip()
    return kept or "unnamed"


def _require_video(name: str, head: bytes) -> None:
    if any(head[at : at + len(sign)] == sign for at, sign in _SIGNS):
        return
    found = next((what for sign, what in _OTHERS if head.startswith(sign)), None)
    if found is None:
        found = "text" if all(32 <= byte < 127 or byte in b"\t\r\n" for byte in head) else "something else"  # noqa: PLR2004 - printable ASCII
    msg = f"{name}: expected a recorded video, found {found}"
    raise UploadError(msg)


def _forget_old(folder: Path, now: datetime) -> None:
    oldest = (now - _FORGOTTEN).timestamp()
    for path in folder.iterdir():
        if path.stat().st_mtime < oldest:
            path.unlink(missing_ok=True)


def _part(data_dir: Path, upload: Upload) -> Path:
    return data_dir / "uploads" / f"{upload.token}.part"


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()
