"""Whether the camera shows the table at all: dark, blocked, frozen, moved, or another view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from models.frames import SmallPicture
from models.motion import Mask

_DARK_LEVEL: Final = 28.0  # mean brightness; 16 is black
_DARK_SHARE: Final = 0.3  # of the light there was
_FLAT_SHARE: Final = 0.3  # of the usual spread of brightness: a covered lens shows one surface
_FROZEN_MS: Final = 8_000
_RESTLESS: Final = 0.05  # a camera of which more frames than this equal the one before tells nothing by being still
_LEAST_FRAMES: Final = 50
_OTHER_SHARE: Final = 0.75


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """A stretch that is over, in which the table could not be seen."""

    first_ms: int
    reason: str


class LostViewWatch:
    """Watches the whole picture for reasons to say nothing."""

    def __init__(self) -> None:
        self._trouble: str | None = None
        self._since_ms = 0
        self._light = 0.0
        self._texture = 0.0
        self._before: Mask | None = None
        self._changed_ms = 0
        self._frames = 0
        self._equal = 0
        self._run = 0

    @property
    def is_lost(self) -> bool:
        """Whether the table cannot be seen now."""
        return self._trouble is not None

    def see(self, t_ms: int, small: SmallPicture, *, changed: Mask, known: Mask, moved: bool = False) -> Lost | None:
        """Take in the next picture; return the stretch of a lost view when it ends.

        ``moved``: the camera looks elsewhere, and where is not known.
        """
        reason = self._reason(t_ms, small, changed, known, moved=moved)
        if reason is not None and self._trouble is None:
            self._trouble, self._since_ms = reason, t_ms if reason != "frozen" else self._changed_ms
        if reason is None and self._trouble is not None:
            ended = Lost(first_ms=self._since_ms, reason=self._trouble)
            self._trouble = None
            return ended
        return None

    def pending(self) -> Lost | None:
        """Return the stretch that lasts until the end, if the view is lost now."""
        return None if self._trouble is None else Lost(first_ms=self._since_ms, reason=self._trouble)

    def _reason(self, t_ms: int, small: SmallPicture, changed: Mask, known: Mask, *, moved: bool) -> str | None:
        luma = small.luma[::4, ::4]
        mean, deviation = float(luma.mean()), float(luma.std())
        frozen = self._is_frozen(t_ms, small.luma)
        if mean < _DARK_LEVEL or mean < _DARK_SHARE * self._light:
            return "dark"
        if frozen:
            return "frozen"
        flat = deviation < _FLAT_SHARE * self._texture
        if moved:
            return "blocked" if flat else "moved"
        if flat and self._trouble == "blocked":  # nothing is known any more that could look otherwise
            return "blocked"
        seen = cv2.countNonZero(known)
        differs = cv2.countNonZero(cv2.bitwise_and(changed, known))
        if seen > known.size / 2 and differs > _OTHER_SHARE * seen:
            return "blocked" if flat else "cut"
        self._texture += 0.01 * (deviation - self._texture) if self._light else deviation
        self._light += 0.01 * (mean - self._light) if self._light else mean
        return None

    def _is_frozen(self, t_ms: int, luma: Mask) -> bool:
        """A camera with noise that suddenly repeats one picture for long; one that often repeats it tells nothing."""
        equal = self._before is not None and bool(np.array_equal(luma, self._before))
        self._before = luma
        if not equal:
            self._equal += self._run if self._run < _LEAST_FRAMES else 0
            self._run, self._changed_ms = 0, t_ms
        self._run += equal
        self._frames += not equal
        noisy = self._frames > _LEAST_FRAMES and self._equal < _RESTLESS * self._frames
        return noisy and t_ms - self._changed_ms > _FROZEN_MS
