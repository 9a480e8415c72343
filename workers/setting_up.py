"""A table's profile for another camera: the layout of one that is there, the camera found in a frame of the footage."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from audit.table import TableProfile, parse_profile
from models.camera import Camera
from models.frames import FootageError, Pixels, frame_at, probe
from models.layout_fit import Pair, Placed, place_layout
from models.print_finder import Spot, printed_spots
from models.still import load_picture
from workers.batch import VIDEO_SUFFIXES

_POINT: Final = re.compile(r"(?P<where>.+)=(?P<seen>[^=]+)")
_NUMBERS: Final = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)\s*")
_ZONE_BGR: Final = (80, 220, 255)
_SPOT_BGR: Final = (255, 120, 60)
_PAIR_BGR: Final = (60, 60, 255)


class PointError(ValueError):
    """A point named by hand that cannot be used; the message says what was expected and found."""


def frame_of(path: Path, *, at_ms: int = 0) -> Pixels:
    """Return the picture in the file; of footage the one shown at that time.

    Raises:
        PictureError, FootageError: if there is none.
    """
    if path.suffix.lower() not in VIDEO_SUFFIXES:
        return load_picture(path)
    length_ms = probe(path).readable_ms
    if at_ms > length_ms:
        msg = f"{path}: expected a second of the footage, at most {length_ms / 1000:.1f}, found {at_ms / 1000:.1f}"
        raise FootageError(msg)
    return frame_at(path, at_ms).bgr


def set_up(
    layout: TableProfile, frame_bgr: Pixels, points: Sequence[str], *, spots: Sequence[Spot] | None = None
) -> Placed:
    """Return the camera of a frame that shows the layout's table.

    Args:
        layout: The profile of the table, or of one with the same felt.
        frame_bgr: The frame (h, w, 3).
        points: Points named by hand, as ``seat1.main=412,388``, ``-205,0=474,199`` or ``seat1.main=#3``.
        spots: The printed spots of the frame, if they are known.

    Raises:
        PointError, LayoutError: if a point cannot be used, or the camera cannot be told.
    """
    found = printed_spots(frame_bgr) if spots is None else spots
    given = [_given(text, layout, found) for text in points]
    size = (int(frame_bgr.shape[1]), int(frame_bgr.shape[0]))
    return place_layout(layout.marks, found, given, size=size)


def profile_text(layout: TableProfile, placed: Placed, *, table_id: str | None = None) -> str:
    """Return the layout's profile with the camera that was found, as TOML."""
    points_mm = ", ".join(f"[{pair.xy_mm[0]:g}, {pair.xy_mm[1]:g}]" for pair in placed.pairs)
    points_px = ", ".join(f"[{pair.xy_px[0]:.1f}, {pair.xy_px[1]:.1f}]" for pair in placed.pairs)
    camera = [
        "[camera]",
        f"image_size = [{placed.camera.size[0]}, {placed.camera.size[1]}]",
        f"points_mm = [{points_mm}]",
        f"points_px = [{points_px}]",
        "",
    ]
    sections = _sections(layout.text)
    named = [_named(lines, table_id) if table_id and lines[0].startswith("[table]") else lines for lines in sections]
    kept = [lines for lines in named if not lines[0].startswith("[camera]")]
    place = next((i for i, lines in enumerate(kept) if lines[0].startswith("[[")), len(kept))
    text = "\n".join(line for lines in [*kept[:place], camera, *kept[place:]] for line in lines)
    parse_profile(text)
    return text


def proof(frame_bgr: Pixels, layout: TableProfile, spots: Iterable[Spot], placed: Placed | None) -> Pixels:
    """Return the frame with what was found drawn over it: numbered spots, and zones where a camera was found."""
    picture = frame_bgr.copy()
    wide = max(1, round(picture.shape[1] / 960))
    for number, spot in enumerate(spots, start=1):
        at = (round(spot.xy_px[0]), round(spot.xy_px[1]))
        cv2.circle(picture, center=at, radius=round(spot.extent_px / 2), color=_SPOT_BGR, thickness=wide)
        _write(picture, f"#{number}", at, _SPOT_BGR, wide)
    if placed is not None:
        _draw_zones(picture, layout, placed.camera, wide)
        for pair in placed.pairs:
            at = (round(pair.xy_px[0]), round(pair.xy_px[1]))
            cv2.drawMarker(picture, position=at, color=_PAIR_BGR, markerSize=12 * wide, thickness=wide)
    return picture


def _draw_zones(picture: Pixels, layout: TableProfile, camera: Camera, wide: int) -> None:
    for zone in layout.zones:
        outline = np.clip(camera.zone_px(zone), -1e5, 1e5)
        cv2.polylines(picture, [np.round(outline).astype(np.int32)], isClosed=True, color=_ZONE_BGR, thickness=wide)


def _write(picture: Pixels, text: str, at: tuple[int, int], colour: tuple[int, int, int], wide: int) -> None:
    face = cv2.FONT_HERSHEY_SIMPLEX
    cv2.putText(picture, text, org=at, fontFace=face, fontScale=0.45 * wide, color=(0, 0, 0), thickness=3 * wide)
    cv2.putText(picture, text, org=at, fontFace=face, fontScale=0.45 * wide, color=colour, thickness=wide)


def _given(text: str, layout: TableProfile, spots: Sequence[Spot]) -> Pair:
    match = _POINT.fullmatch(text)
    if match is None:
        msg = f"--point: expected a mark or X,Y in mm, =, and U,V in pixels or #SPOT, found {text!r:.60}"
        raise PointError(msg)
    where, seen = match["where"].strip(), match["seen"].strip()
    place = _pair_of_numbers(where) or layout.marks.get(where)
    if place is None:
        known = ", ".join(layout.marks) or "none"
        msg = f"--point: expected X,Y in mm or a mark of the layout ({known}), found {where!r:.40}"
        raise PointError(msg)
    pixel = _pair_of_numbers(seen)
    if seen.startswith("#") and seen[1:].isdigit() and 1 <= int(seen[1:]) <= len(spots):
        pixel = spots[int(seen[1:]) - 1].xy_px
    if pixel is None:
        msg = f"--point: expected U,V in pixels or #1 to #{len(spots)}, found {seen!r:.40}"
        raise PointError(msg)
    return Pair(name=where, xy_mm=place, xy_px=pixel)


def _pair_of_numbers(text: str) -> tuple[float, float] | None:
    match = _NUMBERS.fullmatch(text)
    return (float(match[1]), float(match[2])) if match else None


def _sections(text: str) -> list[list[str]]:
    """Return the lines of a TOML file by section; what stands before the first is a section of its own."""
    sections: list[list[str]] = [[]]
    for line in text.splitlines():
        if line.startswith("["):
            sections.append([])
        sections[-1].append(line)
    return [lines for lines in sections if lines]


def _named(lines: Sequence[str], table_id: str) -> list[str]:
    return [f"id = {json.dumps(table_id, ensure_ascii=False)}" if re.match(r"id\s*=", line) else line for line in lines]
