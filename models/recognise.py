"""Recognises a segment of footage: from the file to the states of that segment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from audit.states import TableState
from audit.table import TableProfile
from audit.timing import Span
from models.camera import Camera, camera_of
from models.camera_drift import CameraDrift
from models.frames import Frame, Segment, check_header, frames
from models.landmarks import Landmarks, felt_mask
from models.mark_check import view_moved
from models.proposals import Eyes
from models.recogniser import INTERVAL_MS, Recogniser
from models.suitability import require_inside

LEAD_MS: Final = 14_000
"""How long before its segment recognition begins to watch."""
FIRST_PART: Final = Segment(index=0, start_ms=0, end_ms=2_000)
"""In which the view of the camera is taken."""
REFERENCE_STEP_MS: Final = 500


def recognise(
    path: Path, segment: Segment | None, profile: TableProfile, eyes: Eyes, *, threads: int = 1
) -> Iterator[TableState]:
    """Yield the settled table states of a segment of footage (of all of it without one).

    Watching begins a little before the segment, so that the table is known when it begins.

    Raises:
        FootageError: if the file is no footage or has another size than the profile's camera.
        CameraError: if the profile has no usable camera.
        SuitabilityError: if half of the zones of cards and bets lie outside the picture.
    """
    camera = camera_of(profile)
    require_inside(profile, camera)
    check_header(path, camera.size)
    start_ms = 0 if segment is None else segment.start_ms
    watched = None if segment is None else replace(segment, start_ms=max(0, start_ms - LEAD_MS))
    sparing = profile.zone("dice") is None  # a cup is shaken within tenths of a second
    pictures = frames(path, watched, threads=threads, interval_ms=INTERVAL_MS, sparing=sparing)
    recogniser = Recogniser(profile, camera, eyes, drift=drift_of(path, profile, camera))
    yield from states_from(recogniser.states(pictures), start_ms)


def drift_of(path: Path, profile: TableProfile, camera: Camera) -> CameraDrift:
    """Return what watches the camera of footage, from one of the file's first pictures on.

    The profile is taken to hold for that picture, unless the marks printed on the felt are seen elsewhere in it.
    """
    return drift_from(frames(path, FIRST_PART, interval_ms=REFERENCE_STEP_MS), profile, camera)


def drift_from(first: Iterable[Frame], profile: TableProfile, camera: Camera) -> CameraDrift:
    """Return what watches the camera whose first pictures are given, see ``drift_of``."""
    where = felt_mask(profile, camera)
    tried = ((frame, Landmarks(frame.luma, where)) for frame in first)
    frame, landmarks = next(((frame, marks) for frame, marks in tried if marks.can_tell), (None, None))
    moved = None if frame is None else view_moved(profile, camera, frame.bgr)
    zones_px = {zone.name: camera.to_pixels(zone.polygon_mm) for zone in profile.zones}
    return CameraDrift(landmarks, zones_px, moved=moved)


def states_from(states: Iterable[TableState], start_ms: int) -> Iterator[TableState]:
    """Yield the states that held at or after a moment, as if watching had begun then with the table known."""
    for state in states:
        if state.span.last < start_ms:
            continue
        hands = (replace(hand, span=_from(hand.span, start_ms)) for hand in state.hands if hand.span.last >= start_ms)
        yield replace(state, span=_from(state.span, start_ms), hands=tuple(hands))


def _from(span: Span, start_ms: int) -> Span:
    return Span.of(max(span.first, start_ms), span.last)
