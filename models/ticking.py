"""Places beside the play that never come to rest: a clock written into the picture, a screen, a blinking lamp.

Such a place would be looked at again and again, would seem to be an arm at the picture's border, and would keep the
table from ever being at rest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np

from models.motion import Mask, Watcher, grown
from models.zones import ZoneMap

_EVERY_MS: Final = 120
_MEMORY_MS: Final = 10_000
_TICKS: Final = 0.12  # of the time: a digit that changes every second moves for a fifth of it
_RESTS: Final = 0.04
_AROUND_ARMS: Final = 6  # small pixels, in which their shadows and edges move
_AROUND: Final = cv2.getStructuringElement(cv2.MORPH_RECT, ksize=(17, 5))  # small pixels: the digits beside it


class Ticking:
    """Remembers for every small pixel how much of the last seconds something moved there that was no arm.

    What moves for a share of the time ticks until it has rested. Places of the play (zones, and what is known to lie on
    the table) never do.
    """

    def __init__(self, zones: ZoneMap) -> None:
        self._play = zones.play()
        self._share = np.zeros(zones.shape, dtype=np.float32)
        self._ticks: Mask = np.zeros(zones.shape, dtype=np.uint8)
        self._seen_ms = 0

    def tell(self, watcher: Watcher, arms: Mask, things: Callable[[tuple[int, int]], Mask]) -> None:
        """Have the watcher ignore what ticks, and heed again what has come to rest.

        ``arms``: where arms are; ``things`` gives where objects lie, for a picture's size.
        """
        passed = min(watcher.t_ms - self._seen_ms, _MEMORY_MS)
        if passed < _EVERY_MS:
            return
        self._seen_ms = watcher.t_ms
        elsewhere = cv2.bitwise_not(cv2.bitwise_or(grown(arms, _AROUND_ARMS), self._play))
        cv2.accumulateWeighted(
            src=cv2.bitwise_and(watcher.restless, elsewhere), dst=self._share, alpha=passed / _MEMORY_MS
        )
        ticks = cv2.compare(self._share, 255 * _TICKS, cv2.CMP_GE)
        ticks |= cv2.bitwise_and(self._ticks, cv2.compare(self._share, 255 * _RESTS, cv2.CMP_GE))
        self._ticks = np.asarray(ticks, dtype=np.uint8)
        if not cv2.hasNonZero(self._ticks):
            watcher.ignore(None)
            return
        spared = cv2.bitwise_or(self._play, things(self._play.shape))
        around = cv2.bitwise_and(cv2.dilate(self._ticks, _AROUND), cv2.bitwise_not(spared))
        watcher.ignore(np.asarray(around, dtype=np.uint8))

    def forget(self) -> None:
        """Begin anew: the view was lost."""
        self._share[:] = 0
        self._ticks[:] = 0
