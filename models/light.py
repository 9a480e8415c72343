"""Light that flickers, pulses or steps is taken out of the frames, so that only the table itself can change.

Lamps on mains current and rolling shutters light whole rows of a picture alike: each row's gain against the table's
known look is what most of its pixels agree on. Arms and shadows, which are local, do not count.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.frames import Frame, Pixels, SmallPicture

Reals = NDArray[np.float32]

_STEADY: Final = 0.025  # light that differs less is left as it is
_UNEVEN_SHARE: Final = 0.1  # of the rows
_RANGE: Final = (0.65, 1.5)  # beyond it the lamps have gone out, or the camera has changed
_LEAST_LUMA: Final = 45
_LEAST_SHARE: Final = 0.2  # of a row
_AGREED: Final = 0.12  # the narrowest range that holds half of a row's ratios
_LEAST_ROWS: Final = 0.3
_SMOOTH_ROWS: Final = 7.0
_STEP: Final = 5
_PATIENCE_MS: Final = 5_000  # a light in which nothing can be told for so long is the new one
_BLACK: Final = 16.0
_NONE: Final = 1e6


@dataclass(frozen=True, kw_only=True, eq=False)
class EvenFrame(Frame):
    """A frame in the light there was before; ``gain`` (h,) is by how much each small row is brighter now."""

    shown: Frame = field(repr=False)
    gain: Reals = field(repr=False)

    @cached_property
    def luma(self) -> Pixels:
        """The brightness of the whole frame (h, w)."""
        return _relit(self.shown.luma, self.gain, _BLACK)

    @cached_property
    def colours(self) -> tuple[Pixels, Pixels]:
        """The blue and the red colour difference (h / 2, w / 2)."""
        blue, red = self.shown.colours
        return _relit(blue, self.gain, 128.0), _relit(red, self.gain, 128.0)

    @cached_property
    def bgr(self) -> Pixels:
        """The whole frame (h, w, 3), blue first."""
        return _relit(self.shown.bgr, self.gain, 0.0)

    @cached_property
    def small(self) -> SmallPicture:
        """The frame at 480 pixels in width."""
        small = self.shown.small
        return SmallPicture(
            luma=_relit(small.luma, self.gain, _BLACK),
            blue=_relit(small.blue, self.gain, 128.0),
            red=_relit(small.red, self.gain, 128.0),
        )


class SteadyLight:
    """Holds every frame against the light of those before it."""

    def __init__(self) -> None:
        self._known: _KnownRows | None = None
        self._told_ms = 0

    def even(self, frame: Frame) -> Frame:
        """Return the frame in the light there was at first; as it is, where nothing can be told."""
        luma, t_ms = frame.small.luma, int(frame.t_ms)
        if self._known is None or self._known.shape != luma.shape or t_ms - self._told_ms > _PATIENCE_MS:
            self._known, self._told_ms = _KnownRows(luma.astype(np.float32)), t_ms
            return frame
        gain = self._known.gains(luma)
        if gain is None:
            return frame
        self._told_ms = t_ms
        if float(np.mean(np.abs(gain - 1) >= _STEADY)) < _UNEVEN_SHARE:
            return frame
        return EvenFrame(t_ms=frame.t_ms, source=frame.source, shown=frame, gain=gain)


def row_gains(luma: Pixels, known: Reals) -> Reals | None:
    """Return by how much each row of a small picture (h, w) is brighter than its known look; None if none can tell.

    Rows in which less than half agree, for something large stands before them, take the gain of their neighbours.
    """
    return _KnownRows(known).gains(luma)


class _KnownRows:
    """The known look of a table (h, w) as far as rows are held against it: every few columns, where it is not dark.

    Of the ratios of a row those from one of the first half to its one of ``_ends`` are half of what tells.
    """

    def __init__(self, known: Reals) -> None:
        self.shape = known.shape
        before = known[:, ::_STEP]
        self._told = before > _LEAST_LUMA
        self._light = np.maximum(before - _BLACK, 1)
        count = self._told.sum(axis=1)
        self._enough = count >= _LEAST_SHARE * before.shape[1]
        self._rows = np.arange(len(known))
        self._half = count // 2
        self._halves = before.shape[1] // 2
        ends = np.minimum(np.arange(self._halves) + self._half[:, None], before.shape[1] - 1)
        self._beyond = ends >= count[:, None]
        self._ends = ends + self._rows[:, None] * before.shape[1]

    def gains(self, luma: Pixels) -> Reals | None:
        """Return by how much each row of a picture (h, w) is brighter, see ``row_gains``."""
        rows = self._rows
        now = luma[:, ::_STEP].astype(np.float32)
        ratio = np.where(self._told, (now - _BLACK) / self._light, np.float32(_NONE))
        ratio.sort(axis=1)
        widths = ratio.ravel()[self._ends] - ratio[:, : self._halves]
        widths[self._beyond] = _NONE
        shortest = widths.argmin(axis=1)
        middle = (ratio[rows, shortest] + ratio[rows, shortest + self._half]) / 2
        alike = np.abs(ratio - middle[:, None]) < _AGREED / 2
        middle = (ratio * alike).sum(axis=1) / np.maximum(np.count_nonzero(alike, axis=1), 1)
        agreed = np.flatnonzero(self._enough & (widths[rows, shortest] < _AGREED))
        return _smoothed(rows, agreed, middle[agreed])


def _smoothed(rows: NDArray[np.int64], agreed: NDArray[np.int64], gains: NDArray[Any]) -> Reals | None:
    """The gain of every row, by those of the rows of which most agree; None if these are too few or far off."""
    if len(agreed) < _LEAST_ROWS * len(rows):
        return None
    gain = np.interp(rows, agreed, gains).astype(np.float32)
    smooth = cv2.GaussianBlur(gain[:, None], ksize=(0, 0), sigmaX=1.0, sigmaY=_SMOOTH_ROWS)[:, 0]
    if smooth.min() < _RANGE[0] or smooth.max() > _RANGE[1]:
        return None
    return np.asarray(smooth, dtype=np.float32)


def _relit(plane: Pixels, gain: Reals, black: float) -> Pixels:
    """Return a picture (h, w) or (h, w, 3) with every row divided by its gain about the value of black."""
    rows = cv2.resize(1 / gain[:, None], dsize=(1, plane.shape[0]), interpolation=cv2.INTER_LINEAR)
    factor = rows if plane.ndim == 2 else rows[..., None]  # noqa: PLR2004 - one plane, or three
    lit = (plane.astype(np.float32) - black) * factor + black
    return np.asarray(np.clip(lit + 0.5, 0, 255), dtype=np.uint8)
