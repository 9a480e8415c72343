"""Reading one picture, with or without a camera that is known."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, Protocol

import cv2
import numpy as np

from models.camera import Camera
from models.frames import Pixels
from models.fusion import READ, best
from models.phantom_cards import without_phantoms
from models.sighting import Sighting

_LARGEST_BYTES: Final = 200_000_000
_LEAST_SIDE: Final = 16


class PictureError(ValueError):
    """A file that is no picture we can read; the message says what was expected and what was found."""


class LooksAtPictures(Protocol):
    """What looks at a picture."""

    def look_at_picture(self, picture_bgr: Pixels) -> list[Sighting]:
        """Return what lies in it."""


def load_picture(path: Path) -> Pixels:
    """Return the picture (h, w, 3), blue first, turned upright as its camera noted.

    Raises:
        PictureError: if there is none.
    """
    try:
        content = path.read_bytes() if path.stat().st_size <= _LARGEST_BYTES else b""
    except OSError as error:
        found = "a folder" if path.is_dir() else (error.strerror or error.__class__.__name__).lower()
        msg = f"{path}: expected a picture, found {found}"
        raise PictureError(msg) from None
    if not content:
        msg = f"{path}: expected a picture of 1 byte to {_LARGEST_BYTES // 10**6} MB, found {path.stat().st_size} bytes"
        raise PictureError(msg)
    picture = _decoded(content)
    if picture is None:
        msg = f"{path}: expected a picture (JPEG, PNG, WebP, TIFF, BMP), found a file that is none or is broken"
        raise PictureError(msg)
    if min(picture.shape[:2]) < _LEAST_SIDE:
        msg = f"{path}: expected at least {_LEAST_SIDE} pixels a side, found {picture.shape[1]}x{picture.shape[0]}"
        raise PictureError(msg)
    return picture


def _decoded(content: bytes) -> Pixels | None:
    try:
        picture = cv2.imdecode(np.frombuffer(content, dtype=np.uint8), flags=cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    return None if picture is None else np.ascontiguousarray(picture, dtype=np.uint8)


def read_picture(path: Path, eyes: LooksAtPictures, camera: Camera | None = None) -> dict[str, Any]:
    """Return the record of one picture as DESIGN.md section 4 lays it out.

    Raises:
        PictureError: if it cannot be read, or has another size than the camera.
    """
    picture = load_picture(path)
    height, width = picture.shape[:2]
    if camera is not None and (width, height) != camera.size:
        msg = f"{path}: expected {camera.size[0]}x{camera.size[1]} as the profile says, found {width}x{height}"
        raise PictureError(msg)
    seen = sorted(without_phantoms(eyes.look_at_picture(picture)), key=lambda sighting: -sighting.confidence)
    return {"file": str(path), "size": [width, height], "objects": [_record(sighting) for sighting in seen]}


def _record(sighting: Sighting) -> dict[str, Any]:
    record: dict[str, Any] = {
        "kind": sighting.kind,
        "polygon_px": [[round(float(x), 1), round(float(y), 1)] for x, y in sighting.polygon_px],
        "confidence": round(sighting.confidence, 4),
    }
    if sighting.xy_mm is not None:
        record["xy_mm"] = [round(value, 1) for value in sighting.xy_mm]
    if sighting.angle_deg is not None:
        record["angle_deg"] = round(sighting.angle_deg, 1)
    return record | _reading(sighting)


def _reading(sighting: Sighting) -> dict[str, Any]:
    faces = {face: round(p, 5) for face, p in sorted(sighting.faces.items(), key=lambda item: -item[1])}
    match sighting.kind:
        case "card":
            return {"card": sighting.face, "candidates": faces}
        case "die":
            value = best(sighting.faces)
            return {"value": None if value is None else int(value), "colour": sighting.colour, "candidates": faces}
        case "chips":
            sure = bool(sighting.stacks) and sighting.stacks[0].p >= READ
            stacks = [{"stack": list(one.stack), "p": round(one.p, 5)} for one in sighting.stacks]
            return {
                "colour": sighting.colour,
                "stack": list(sighting.stacks[0].stack) if sure else None,
                "count": sighting.count,
                "candidates": stacks,
            }
        case _:
            return {}
