"""Dice of which something hides a part: a finger, the cup's edge, another die that leans over."""

from __future__ import annotations

from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

_SHARE: Final = 0.2
_FROM_ABOVE: Final = 0.65
_PATCH: Final = 24


def partly_hidden(views: NDArray[np.uint8], rng: np.random.Generator, *, share: float = _SHARE) -> NDArray[np.uint8]:
    """Return views (n, side, side, 3), in some of which a piece of another one covers the far edge or a side."""
    result = views.copy()
    for number in np.flatnonzero(rng.random(len(views)) < share):
        _cover(result[number], views[int(rng.integers(len(views)))], rng)
    return result


def _cover(view: NDArray[np.uint8], other: NDArray[np.uint8], rng: np.random.Generator) -> None:
    side = view.shape[0]
    low = (side - _PATCH) // 2
    patch = other[low : low + _PATCH, low : low + _PATCH]
    half = _PATCH / 2
    if rng.random() < _FROM_ABOVE:
        at = (rng.uniform(0.15, 0.85) * side, rng.uniform(0.13, 0.4) * side - half)
    else:
        edge = rng.choice([rng.uniform(0.1, 0.3) * side - half, rng.uniform(0.7, 0.9) * side + half])
        at = (float(edge), rng.uniform(0, side))
    matrix: Any = cv2.getRotationMatrix2D((half, half), float(rng.uniform(-20, 20)), float(rng.uniform(0.85, 1.2)))
    matrix[:, 2] += np.array(at) - half
    laid = cv2.warpAffine(patch, matrix, dsize=(side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    over = cv2.warpAffine(np.full((_PATCH, _PATCH), 255, np.uint8), matrix, dsize=(side, side))[..., None] / 255
    view[:] = (view * (1 - over) + laid * over).astype(np.uint8)
