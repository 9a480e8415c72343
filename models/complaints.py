"""What is wrong with footage that can be audited all the same: each in one sentence for whoever takes it in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from numpy.typing import NDArray

from audit.table import TableProfile
from models.camera import Camera, CameraError, camera_of
from models.colourless import shows_colours
from models.frames import Footage, FootageError, Segment, frames
from models.mark_check import marks_seen, view_moved
from models.suitability import zones_outside

_DARK: Final = 60  # levels that something in a picture with light has
_STRETCH_MS: Final = 1_000
_LEAST_SHARE: Final = 0.6

_Moment = tuple[int, NDArray[Any]]


def complaint(footage: Footage, profile: TableProfile | None = None) -> str | None:
    """Return what is wrong with footage: cut off, without colours, not of a profile's table or not showing all of it.

    Looked at are the first, the middle and the last picture at which decoding can start.
    """
    moments = list(_moments(footage))
    seen = [footage.shortage, _without_colours(footage, moments)]
    camera = None if profile is None else _camera_of(profile)
    if profile is not None and camera is not None:
        seen += [_other_layout(footage, moments, profile, camera), _unseen_zones(footage, profile, camera)]
    return "; ".join(filter(None, seen)) or None


def _camera_of(profile: TableProfile) -> Camera | None:
    try:
        return camera_of(profile)
    except CameraError:  # told by the one who audits with it
        return None


def _unseen_zones(footage: Footage, profile: TableProfile, camera: Camera) -> str | None:
    outside = zones_outside(profile, camera)
    if not outside:
        return None
    found = ", ".join(f"{share:.0%} of {name}" for name, share in outside.items())
    return (
        f"{footage.path.name}: expected the zones of {profile.table_id} inside the picture, found {found} outside:"
        " what happens there is not seen"
    )


def _without_colours(footage: Footage, moments: list[_Moment]) -> str | None:
    for t_ms, picture in moments:
        if not shows_colours(picture):
            return (
                f"{footage.path.name}: expected colours, found black and white at {t_ms / 1000:.1f} s:"
                " what chips are worth is not told there"
            )
    return None


def _other_layout(footage: Footage, moments: list[_Moment], profile: TableProfile, camera: Camera) -> str | None:
    """Of a layout with enough marks most must be seen in one of the pictures, or all elsewhere: a pushed camera."""
    if any(picture.shape[1::-1] != camera.size for _, picture in moments):
        return None
    seen = [count for _, picture in moments if (count := marks_seen(profile, camera, picture)) is not None]
    if not seen or max(seen) >= _LEAST_SHARE * len(profile.marks):
        return None
    if view_moved(profile, camera, moments[0][1]) is not None:
        return None
    return (
        f"{footage.path.name}: expected the {len(profile.marks)} marks of {profile.table_id} where its camera has them,"
        f" found {max(seen)}: this may be another table, or another view of it"
    )


def _moments(footage: Footage) -> Iterator[_Moment]:
    starts = footage.keyframes_ms
    for t_ms in sorted({starts[0], starts[len(starts) // 2], starts[-1]}) if starts else ():
        stretch = Segment(index=0, start_ms=t_ms, end_ms=t_ms + _STRETCH_MS)
        try:
            frame = next(frames(footage.path, stretch), None)
        except FootageError:  # what cannot be decoded is told by the one who audits it
            continue
        if frame is not None and frame.bgr.max() >= _DARK:
            yield t_ms, frame.bgr
