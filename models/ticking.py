"""Places beside the play that never come to rest: a clock written into the picture, a screen, a blinking lamp.

Such a place would be looked at again and again, would seem to be an arm at the picture's border, and would keep the
table from ever being at rest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np

from models.motion import Mask, Watcher, blobs, grown
from models.zones import ZoneMap

_EVERY_MS: Final = 200
_MEMORY_MS: Final = 10_000
_TICKS: Final = 0.12  # of the time: a digit that changes every second moves for a fifth of it
_RESTS: Final = 0.04
_AROUND_ARMS: Final = 6  # small pixels, in which their shadows and edges move
_LEAST: Final = np.ones((2, 2), dtype=np.uint8)  # less is noise
_AROUND: Final = cv2.getStructuringElement(cv2.MORPH_RECT, ksize=(17, 5))  # small pixels: the digits beside it


class Ticking:
    """Remembers for every small pixel how much of the last seconds something small moved there, apart from arms.

    What moves for a share of the time ticks until it has rested. Places of the play (zones, all between them, and what
    is known to lie on the table) never do.
    """

    def __init__(self, zones: ZoneMap) -> None:
        self._play, self._hand_px = zones.play(), zones.hand_px
        self._share = np.zeros(zones.shape, dtype=np.float32)
        self._ticks: Mask = np.zeros(zones.shape, dtype=np.uint8)
        self._seen_ms: int | None = None

    def tell(self, watcher: Watcher, arms: Mask, things: Callable[[tuple[int, int]], Mask]) -> None:
        """Have the watcher ignore what ticks, and heed again what has come to rest.

        ``arms``: where arms are; ``things`` gives where objects lie, for a picture's size.
        """
        before = watcher.t_ms if self._seen_ms is None else self._seen_ms
        passed = min(watcher.t_ms - before, _MEMORY_MS)
        if self._seen_ms is not None and passed < _EVERY_MS:
            return
        self._seen_ms = watcher.t_ms
        alone = self._alone(watcher.restless, grown(arms, _AROUND_ARMS))
        cv2.accumulateWeighted(src=alone, dst=self._share, alpha=passed / _MEMORY_MS)
        if not cv2.hasNonZero(alone) and not cv2.hasNonZero(self._ticks):
            watcher.ignore(None)
            return
        ticks = cv2.compare(self._share, 255 * _TICKS, cv2.CMP_GE)
        ticks |= cv2.bitwise_and(self._ticks, cv2.compare(self._share, 255 * _RESTS, cv2.CMP_GE))
        self._ticks = np.asarray(ticks, dtype=np.uint8)
        places = cv2.morphologyEx(self._ticks, op=cv2.MORPH_OPEN, kernel=_LEAST)
        if not cv2.hasNonZero(places):
            watcher.ignore(None)
            return
        spared = cv2.bitwise_or(self._play, things(self._play.shape))
        around = cv2.bitwise_and(cv2.dilate(places, _AROUND), cv2.bitwise_not(spared))
        watcher.ignore(np.asarray(around, dtype=np.uint8))

    def _alone(self, restless: Mask, arms: Mask) -> Mask:
        """What moves apart from arms and from the play, and is smaller than a hand."""
        alone: Mask = np.zeros(restless.shape, dtype=np.uint8)
        moved = np.asarray(cv2.bitwise_and(restless, cv2.bitwise_not(cv2.bitwise_or(arms, self._play))), dtype=np.uint8)
        beside = grown(arms, 1)
        for blob in blobs(moved, least=_LEAST.size):
            x0, y0, x1, y1 = blob.box
            if blob.area <= self._hand_px and not cv2.hasNonZero(cv2.bitwise_and(beside[y0:y1, x0:x1], blob.mask)):
                alone[y0:y1, x0:x1] |= blob.mask
        return alone

    def forget(self) -> None:
        """Begin anew: the view was lost."""
        self._seen_ms = None
        self._share[:] = 0
        self._ticks[:] = 0
