"""Evidence packs: the report, the round as data, stills and the clip of exactly that round, each with its SHA-256.

The pages put what they know into a folder (``request.json`` says what of the recording belongs to it); this adds what
needs the recording, writes the manifest and closes the pack.
"""

from __future__ import annotations

import hashlib
import json
import logging
import shutil
import zipfile
from collections.abc import Sequence
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import av
import cv2
import numpy as np
from sqlite_utils import Database

from audit.store import incidents
from models.frames import FootageError, Segment, frame_at, frames

logger = logging.getLogger(__name__)

EXPORTS: Final = "exports"
REQUEST: Final = "request.json"
MANIFEST: Final = "manifest.json"
_ON_PAPER_PX: Final = 1280
"""How wide a still is at most that is set on paper."""
_MILLIS: Final = Fraction(1, 1000)
_COLOURS_BGR: Final = {"card": (255, 182, 108), "card_back": (255, 155, 181), "chips": (102, 209, 255)}
_WHITE_BGR: Final = (255, 255, 255)


class PackError(ValueError):
    """A pack that cannot be made, or that is not what it says; the message says what was expected and found."""


def make_pack(db: Database, copy_id: int, *, data_dir: Path, now: datetime) -> Path:
    """Make the evidence pack that was asked for and note it in the store; returns the file.

    Raises:
        PackError: if the recording cannot be read; the store says why.
    """
    wanted = incidents.copy(db, copy_id)
    folder = data_dir / EXPORTS / f"{copy_id}"
    target = data_dir / EXPORTS / f"{copy_id}.zip"
    try:
        _add_footage(folder)
        _close(folder, target)
    except (FootageError, OSError, ValueError) as error:
        incidents.fail_copy(db, copy_id, error=str(error))
        raise PackError(str(error)) from None
    size = target.stat().st_size
    incidents.finish_copy(db, copy_id, sha256=_sha256(target.read_bytes()), size_bytes=size, at=now)
    shutil.rmtree(folder)
    logger.info("made evidence pack %d of incident %d: %d bytes", copy_id, wanted.incident_id, size)
    return target


def take_stills(folder: Path) -> None:
    """Write the stills that a request in the folder asks for, with their boxes, as ``NAME.jpg`` into it.

    Raises:
        FootageError: if the recording cannot be read, or has no frame at one of the moments.
    """
    wanted = json.loads((folder / REQUEST).read_text(encoding="utf-8"))
    for still in wanted["stills"]:
        picture = _with_boxes(frame_at(Path(wanted["footage"]), still["ms"]).bgr, still["boxes"])
        height, width = picture.shape[:2]
        if width > _ON_PAPER_PX:
            size = (_ON_PAPER_PX, round(height * _ON_PAPER_PX / width))
            picture = cv2.resize(picture, dsize=size, interpolation=cv2.INTER_AREA)
        _write_jpeg(folder / f"{still['name']}.jpg", picture)


def cut_clip(source: Path, target: Path, *, first_ms: int, last_ms: int) -> int:
    """Write the frames from the first to the last moment, both included, as a video that begins at 0; returns how many.

    Raises:
        FootageError: if the source cannot be read, or has no frame in that stretch.
    """
    count, stream = 0, None
    with av.open(str(target), mode="w", options={"movflags": "faststart"}) as container:
        for frame in frames(source, Segment(index=0, start_ms=first_ms, end_ms=last_ms + 1)):
            picture = frame.source
            if stream is None:
                stream = container.add_stream("libx264", rate=25, options={"crf": "20", "preset": "veryfast"})
                stream.width, stream.height, stream.pix_fmt = picture.width, picture.height, "yuv420p"
                stream.codec_context.time_base = stream.time_base = _MILLIS
                began = frame.t_ms
            shown = picture.reformat(format="yuv420p")
            shown.pts, shown.time_base = frame.t_ms - began, _MILLIS
            container.mux(stream.encode(shown))
            count += 1
        if stream is None:
            msg = f"{source.name}: expected frames from {first_ms} to {last_ms} ms, found none"
            raise FootageError(msg)
        container.mux(stream.encode(None))
    return count


def check_pack(path: Path) -> tuple[int, str]:
    """Return how many files of a pack are what its manifest says, and its incident number.

    Raises:
        PackError: naming the first file that is not, is missing or is not listed.
    """
    with zipfile.ZipFile(path) as pack:
        manifest = json.loads(pack.read(MANIFEST))
        listed = {one["name"]: one["sha256"] for one in manifest["files"]}
        found = set(pack.namelist()) - {MANIFEST}
        for name in sorted(found | listed.keys()):
            _check(name, listed.get(name), _sha256(pack.read(name)) if name in found else None)
    return len(listed), str(manifest["incident"])


def _check(name: str, expected: str | None, found: str | None) -> None:
    if expected != found:
        msg = f"{name}: expected SHA-256 {expected or 'of no such file'}, found {found or 'no such file'}"
        raise PackError(msg)


def _add_footage(folder: Path) -> None:
    wanted = json.loads((folder / REQUEST).read_text(encoding="utf-8"))
    source = Path(wanted["footage"])
    stills = folder / "stills"
    stills.mkdir(exist_ok=True)
    for still in wanted["stills"]:
        picture = frame_at(source, still["ms"]).bgr
        name = f"{still['ms']:09}-{still['name']}"
        _write_jpeg(stills / f"{name}.jpg", picture)
        _write_jpeg(stills / f"{name}-boxes.jpg", _with_boxes(picture, still["boxes"]))
    cut_clip(source, folder / "clip.mp4", first_ms=wanted["first_ms"], last_ms=wanted["last_ms"])


def _with_boxes(picture: Any, boxes: Sequence[dict[str, Any]]) -> Any:
    drawn = picture.copy()
    for box in boxes:
        colour = _COLOURS_BGR.get(box["kind"], _WHITE_BGR)
        corners = np.round(np.array(box["polygon_px"], dtype=np.float64)).astype(np.int32).reshape(-1, 1, 2)
        cv2.polylines(drawn, [corners], isClosed=True, color=colour, thickness=2, lineType=cv2.LINE_AA)
        top = min(box["polygon_px"], key=lambda point: point[1])
        place = (round(top[0]), round(top[1]) - 6)
        cv2.putText(
            drawn, box["label"], place, cv2.FONT_HERSHEY_SIMPLEX, 0.6, colour, thickness=2, lineType=cv2.LINE_AA
        )
    return drawn


def _write_jpeg(path: Path, picture: Any) -> None:
    written, encoded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 92])
    if not written:
        msg = f"{path.name}: expected a picture that can be stored as JPEG, found {picture.shape}"
        raise ValueError(msg)
    path.write_bytes(encoded.tobytes())


def _close(folder: Path, target: Path) -> None:
    """Write the manifest and the pack; the whole file appears at once."""
    wanted = json.loads((folder / REQUEST).read_text(encoding="utf-8"))
    names = sorted(path for path in folder.rglob("*") if path.is_file() and path.name not in (REQUEST, MANIFEST))
    listed = [
        {
            "name": path.relative_to(folder).as_posix(),
            "sha256": _sha256(path.read_bytes()),
            "bytes": path.stat().st_size,
        }
        for path in names
    ]
    manifest = {"incident": wanted["incident"], "made_at": wanted["made_at"], "made_by": wanted["made_by"]}
    manifest |= {"recording_sha256": wanted["recording_sha256"], "files": listed}
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=1), encoding="utf-8")
    part = target.with_suffix(".part")
    with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as pack:
        for path in [folder / MANIFEST, *names]:
            pack.write(path, path.relative_to(folder).as_posix())
    part.replace(target)


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
