"""Pictures of weak colours, or of none: a black and white camera tells cards and dice, but not what chips are worth."""

from __future__ import annotations

from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.frames import Footage, FootageError, Segment, frames

LEAST_CHROMA: Final = 12.0
"""Levels between a picture's most and least of blue, green and red at its most colourful two of a thousand places.

Black and white footage shows up to 3, that of tables 34 and more, also with a third of its colours left."""
_PLACES: Final = 240
_SHARE: Final = 99.8
_DARK: Final = 60  # levels that something in a picture with light has
_STRETCH_MS: Final = 1_000


def shows_colours(picture_bgr: NDArray[Any]) -> bool:
    """Whether a picture (h, w, 3) of 8 bits has colours at all."""
    step = max(1, max(picture_bgr.shape[:2]) // _PLACES)
    size = (max(1, picture_bgr.shape[1] // step), max(1, picture_bgr.shape[0] // step))
    places = cv2.resize(picture_bgr, dsize=size, interpolation=cv2.INTER_AREA).astype(np.int16)
    return bool(np.percentile(places.max(axis=2) - places.min(axis=2), _SHARE) >= LEAST_CHROMA)


def complaint(footage: Footage) -> str | None:
    """Return what is wrong with footage that can be audited: cut off, or without colours where it is looked at."""
    return "; ".join(filter(None, (footage.shortage, _without_colours(footage)))) or None


def _without_colours(footage: Footage) -> str | None:
    """Look at the first, the middle and the last picture at which decoding can start."""
    starts = footage.keyframes_ms
    for t_ms in sorted({starts[0], starts[len(starts) // 2], starts[-1]}) if starts else ():
        picture = _picture(footage, t_ms)
        if picture is not None and picture.max() >= _DARK and not shows_colours(picture):
            return (
                f"{footage.path.name}: expected colours, found black and white at {t_ms / 1000:.1f} s:"
                " what chips are worth is not told there"
            )
    return None


def _picture(footage: Footage, t_ms: int) -> NDArray[Any] | None:
    stretch = Segment(index=0, start_ms=t_ms, end_ms=t_ms + _STRETCH_MS)
    try:
        frame = next(frames(footage.path, stretch), None)
    except FootageError:  # what cannot be decoded is told by the one who audits it
        return None
    return None if frame is None else frame.bgr
