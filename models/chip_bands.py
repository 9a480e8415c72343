"""What a chip's edge looks like in the strip of a stack's side or of a tube of the rack."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.chip_decode import Floats
from models.chip_geometry import STRIP_COLUMNS

Bands = NDArray[np.float32]
DARK: Final = 12.0
"""Added before the logarithm: below it there is noise only."""
ASIDE: Final = 7
"""Columns at both ends of a strip that are seen too flat."""
_AVERAGED: Final = 2  # columns


def bands_of(strip: NDArray[np.uint8], middles: NDArray[np.int64]) -> Bands:
    """Return the points (n, points, 3) of the chips with their middles at these steps, as logarithms of their colours.

    Args:
        strip: a stack's side, see ``models.chip_geometry.unrolled_side``.
        middles: steps (n,) of the strip, see ``models.chip_places.Lie``.
    """
    rows = np.clip(2 * np.asarray(middles)[:, None] + np.arange(-1, 3), 0, len(strip) - 1)
    seen = strip[rows, ASIDE : STRIP_COLUMNS - ASIDE].astype(np.float32).mean(axis=1)
    points = seen.reshape(len(rows), (STRIP_COLUMNS - 2 * ASIDE) // _AVERAGED, _AVERAGED, 3).mean(axis=2)
    return np.asarray(np.log(points + DARK), dtype=np.float32)


def row_means(strip: NDArray[np.uint8]) -> Floats:
    """Return the mean colour (steps, 3) of every step of a strip."""
    inner = strip[:, ASIDE : STRIP_COLUMNS - ASIDE].astype(np.float64)
    return np.asarray(inner.reshape(len(strip) // 2, -1, 3).mean(axis=1), dtype=np.float64)
