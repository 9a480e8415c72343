"""Whether there is felt under the foot of a pile, and so no further cheque: what the bare felt of the place says.

At the foot of a pile its shadow looks like one more dark cheque, and print in the shadow like that cheque's spots. But
felt in a shadow is still felt, print and all, while a cheque, even one of the felt's colour, has spots at its edge that
the felt does not have. What is no felt tells little: it may be a cheque, print a little aside, or another pile.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.backdrop import LIKE, UNLIKE_GAIN
from models.chip_bands import ASIDE
from models.chip_geometry import CHIPS_BELOW, ROWS_PER_CHIP, STRIP_COLUMNS

_FOOT: Final = int(CHIPS_BELOW * ROWS_PER_CHIP)
_UNDER: Final = slice(_FOOT - ROWS_PER_CHIP + 1, _FOOT - 2)
"""Rows of the cheque that may lie under the foot; near its edges it is blurred with what is above and below."""
_LOWEST: Final = slice(_FOOT + 1, _FOOT + ROWS_PER_CHIP - 2)
_SPOT: Final = 3  # columns that a spot is wide
_KNOWN: Final = 0.9
_BRIGHT: Final = 40.0  # a cheque that is all so unlike the felt; its colour runs over what is below
_MAY_BE: Final = {True: 32.0, False: 18.0}  # felt hardly ever is so unlike itself, under a bright cheque or another one
_STEP: Final = 6.0
_MOST: Final = 4.0
_NO_FELT: Final = 50.0
_STEP_AGAINST: Final = 13.0
_MOST_AGAINST: Final = 1.2


def felt_below(codes: NDArray[np.uint8]) -> float:
    """Return how much speaks for felt under the foot, as a log likelihood ratio; 0 where nothing is known.

    Args:
        codes: how the strip of a pile's side (STRIP_ROWS, STRIP_COLUMNS, 3) looks against its bare felt, see
            ``models.backdrop.against``.
    """
    inner = codes[:, ASIDE : STRIP_COLUMNS - ASIDE].astype(np.float64)
    if inner[_UNDER, :, 2].mean() < _KNOWN * 255:
        return 0.0
    unlike = np.abs(inner[..., 0] - LIKE) / UNLIKE_GAIN
    spots = float(np.sort(unlike[_UNDER].mean(axis=0))[-_SPOT])
    is_bright = bool(np.median(unlike[_LOWEST].mean(axis=0)) >= _BRIGHT)
    against = np.clip((spots - _NO_FELT) / _STEP_AGAINST, 0.0, _MOST_AGAINST)
    return float(np.clip((_MAY_BE[is_bright] - spots) / _STEP, 0.0, _MOST) - against)
