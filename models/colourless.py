"""Pictures of weak colours, or of none: a black and white camera tells cards and dice, but not what chips are worth."""

from __future__ import annotations

from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

LEAST_CHROMA: Final = 12.0
"""Levels between a picture's most and least of blue, green and red at its most colourful two of a thousand places.

Black and white footage shows up to 3, that of tables 34 and more, also with a third of its colours left."""
_PLACES: Final = 240
_SHARE: Final = 99.8


def shows_colours(picture_bgr: NDArray[Any]) -> bool:
    """Whether a picture (h, w, 3) of 8 bits has colours at all."""
    step = max(1, max(picture_bgr.shape[:2]) // _PLACES)
    size = (max(1, picture_bgr.shape[1] // step), max(1, picture_bgr.shape[0] // step))
    places = cv2.resize(picture_bgr, dsize=size, interpolation=cv2.INTER_AREA).astype(np.int16)
    return chroma(places) >= LEAST_CHROMA


def chroma(places: NDArray[Any]) -> float:
    """Return how colourful the most colourful two of a thousand places (h, w, 3) are, in levels between channels."""
    return float(np.percentile(places.max(axis=2) - places.min(axis=2), _SHARE))
