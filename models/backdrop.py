"""How a place looks compared with the bare felt behind it: what a reader of stacks is told besides the picture.

A green cheque on green felt, and a black one in its own shadow, differ little from what is behind them in the picture
but do differ from what was seen there while the place was empty.
"""

from __future__ import annotations

from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float32]

LIKE: Final = 128
"""Code of what looks exactly like its felt, and of what nothing is known of."""
UNLIKE_GAIN: Final = 2.0
"""Codes for each step that something is unlike its felt."""
_TINT: Final = 4.0  # a difference of colour counts more than one of brightness
_SHADE: Final = (0.5, 1.02)
_BLACK: Final = 16.0
_LIGHT_GAIN: Final = 80.0
_DARK: Final = 4.0


class Backdrop(Protocol):
    """The bare felt behind a picture."""

    def __call__(self, where_px: Reals) -> NDArray[np.uint8]:
        """Return codes (h, w, 3) for points of the picture (h, w, 2), see ``against``."""


def against(seen: Reals, bare: Reals, known: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Return how places (h, w) look compared with their bare felt, as codes (h, w, 3).

    Codes: how far they are from it in any shade (``LIKE``: not at all), how much lighter or darker they are (``LIKE``:
    as light), 255 where the bare felt is known.

    Args:
        seen: brightness and the two colour differences (h, w, 3), as video stores them.
        bare: the same of the bare felt.
        known: where it is known.
    """
    light = np.maximum(seen[..., 0] - _BLACK, 0) + _DARK
    lighter = np.log(light / (np.maximum(bare[..., 0] - _BLACK, 0) + _DARK)) * _LIGHT_GAIN
    codes = np.empty(seen.shape, dtype=np.float32)
    codes[..., 0] = from_shade(seen, bare) * UNLIKE_GAIN * known + LIKE
    codes[..., 1] = lighter * known + LIKE
    codes[..., 2] = known * np.float32(255)
    return np.asarray(np.rint(codes.clip(0, 255)), dtype=np.uint8)


def from_shade(seen: Reals, bare: Reals) -> Reals:
    """Return how far places (h, w) are from their felt under the light that suits them best."""
    bright, dark = seen[..., 0] - _BLACK, bare[..., 0] - _BLACK
    light = np.clip(bright / np.maximum(dark, _DARK), *_SHADE)
    gap = bright - light * dark
    blue, red = ((seen[..., plane] - 128) - light * (bare[..., plane] - 128) for plane in (1, 2))
    return np.asarray(np.sqrt(gap**2 + _TINT * (blue**2 + red**2)), dtype=np.float32)
