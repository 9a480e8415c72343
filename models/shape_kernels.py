"""Filters that find cards and piles in a coarse view from above: how much of a place a shape would cover."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.camera import Floats
from models.sighting import card_corners_mm

Reals = NDArray[np.float32]

COARSE_MM: Final = 3
"""Millimetres per pixel of the search."""


@lru_cache(maxsize=64)
def card_kernels(angle: int) -> tuple[Reals, Reals]:
    """Return the filters of a card's area and of its rim, one pixel wide."""
    filled = kernel_of(card_corners_mm((0.0, 0.0), float(angle)))[0]
    inner = cv2.erode(filled, np.ones((3, 3), np.uint8), borderType=cv2.BORDER_CONSTANT, borderValue=0.0)
    return filled, np.asarray(filled - inner, dtype=np.float32)


def kernel_of(outline: Floats) -> tuple[Reals, Floats]:
    """Return a filter of an outline around (0, 0), and where (0, 0) is from the filter's middle, in millimetres."""
    low, high = outline.min(axis=0), outline.max(axis=0)
    middle = (low + high) / 2
    size = np.ceil((high - low) / COARSE_MM / 2).astype(int) * 2 + 3
    fine = 4
    canvas = np.zeros((size[1] * fine, size[0] * fine), dtype=np.uint8)
    points = ((outline - middle) / COARSE_MM + size / 2) * fine
    cv2.fillPoly(canvas, pts=[np.round(points).astype(np.int32)], color=255)
    kernel = cv2.resize(canvas, dsize=(int(size[0]), int(size[1])), interpolation=cv2.INTER_AREA)
    return (kernel.astype(np.float32) / 255), -middle
