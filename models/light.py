"""Light that flickers, pulses or steps is taken out of the frames, so that only the table itself can change.

Lamps on mains current and rolling shutters light whole rows of a picture alike: each row's gain against the table's
known look is what most of its pixels agree on. Arms and shadows, which are local, do not count. A camera that moves
its black or its white as well is put back by what most shades agree on (``models.tones``).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.frames import Frame, Pixels, SmallPicture
from models.tones import Cast, Shades, Tone

Reals = NDArray[np.float32]

_STEADY: Final = 0.025  # light that differs less is left as it is
_STEADY_AGAIN: Final = 0.004  # while it flickers: left as it is, bright things would move from picture to picture
_FLICKERS_MS: Final = 5_000  # so long after a light that differed
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
_WHITE: Final = 235  # the brightest that most video stores
_FULL_WHITE: Final = 255
_NEARLY_WHITE: Final = 9  # levels
_DOUBT: Final = 0.03  # rows are held against felt, of which a level is one or two in a hundred of its light
_AROUND: Final = np.ones((5, 5), dtype=np.uint8)  # small pixels of which a part is as bright, too
_BLACK_MOVED: Final = 2.5  # levels; what moves less is a gain
_LASTS: Final = 4  # frames in a row: flickering lamps seem to move black or white for one or two
_RANGE_OF_BGR: Final = 255 / 219  # levels of a picture for one of its brightness
# What a level of the blue and of the red colour difference adds to blue, green and red (BT.709).
_BGR_OF_BLUE: Final = (2.112, -0.213, 0.0)
_BGR_OF_RED: Final = (0.0, -0.533, 1.793)
_AS_IT_IS: Final = Tone(steep=1.0, level=0.0)
_NONE: Final = 1e6


@dataclass(frozen=True, kw_only=True, eq=False)
class EvenFrame(Frame):
    """A frame in the light there was before.

    ``gain`` (h,) is by how much each small row is brighter now, once ``tone`` has put the whole frame back;
    ``cast`` are the colours that it has since then. ``white``: the brightest that there is.
    """

    shown: Frame = field(repr=False)
    gain: Reals = field(repr=False)
    white: int = _WHITE
    tone: Tone = _AS_IT_IS
    cast: Cast | None = None

    @cached_property
    def luma(self) -> Pixels:
        """The brightness of the whole frame (h, w)."""
        return self._relit(self.shown.luma, _BLACK, black_moved(self.tone))

    @cached_property
    def colours(self) -> tuple[Pixels, Pixels]:
        """The blue and the red colour difference (h / 2, w / 2)."""
        blue, red = self.shown.colours
        return self._uncast(self._relit(blue, 128.0), self._relit(red, 128.0), self.luma[::2, ::2])

    @cached_property
    def bgr(self) -> Pixels:
        """The whole frame (h, w, 3), blue first."""
        lit = self._relit(self.shown.bgr, 0.0, black_moved(self.tone) * _RANGE_OF_BGR)
        if self.cast is None:
            return lit
        blue, red = (line.level + line.steep * self.luma.astype(np.float32) for line in self.cast)
        added = np.stack([_BGR_OF_BLUE[k] * blue + _BGR_OF_RED[k] * red for k in range(3)], axis=2)
        return np.asarray(np.clip(lit - added + 0.5, 0, 255), dtype=np.uint8)

    @cached_property
    def small(self) -> SmallPicture:
        """The frame at 480 pixels in width."""
        small = self.shown.small
        luma = self._relit(small.luma, _BLACK, black_moved(self.tone))
        blue, red = self._uncast(self._relit(small.blue, 128.0), self._relit(small.red, 128.0), luma)
        luma, glare = np.minimum(luma, self.white), self._glare(small.luma)
        return SmallPicture(luma=luma, blue=blue, red=red, glare=glare, doubt=_DOUBT)

    def _glare(self, luma: Pixels) -> Pixels | None:
        """Return what of a picture (h, w) is as bright as the camera can show."""
        glaring = luma > self.white - _NEARLY_WHITE
        if not glaring.any():
            return None
        return np.asarray(cv2.dilate(np.uint8(255) * glaring, _AROUND), dtype=np.uint8)

    def _uncast(self, blue: Pixels, red: Pixels, luma: Pixels) -> tuple[Pixels, Pixels]:
        """Return colour differences (h, w) as they were before; ``luma``: the brightness there."""
        if self.cast is None:
            return blue, red
        bright = luma[: blue.shape[0], : blue.shape[1]].astype(np.float32)
        planes = (
            plane - (line.level + line.steep * bright) for plane, line in zip((blue, red), self.cast, strict=True)
        )
        one, other = (np.asarray(np.clip(plane + 0.5, 0, 255), dtype=np.uint8) for plane in planes)
        return one, other

    def _relit(self, plane: Pixels, black: float, lifted: float = 0.0) -> Pixels:
        """Return a picture (h, w) or (h, w, 3) in the known light; ``black``: its value of black, which is lifted."""
        rows = cv2.resize(1 / self.gain[:, None], dsize=(1, plane.shape[0]), interpolation=cv2.INTER_LINEAR)
        factor = rows if plane.ndim == 2 else rows[..., None]  # noqa: PLR2004 - one plane, or three
        lit = (plane.astype(np.float32) - black) * (factor * self.tone.steep) + (black + lifted * factor)
        return np.asarray(np.clip(lit + 0.5, 0, 255), dtype=np.uint8)


@dataclass(frozen=True, kw_only=True, eq=False)
class _Known:
    """The look of the table that pictures are held against."""

    rows: KnownRows
    shades: Shades
    white: int


class SteadyLight:
    """Holds every frame against the light of those before it."""

    def __init__(self) -> None:
        self._known: _Known | None = None
        self._told_ms = 0
        self._flickers_until = -1
        self._black_run = self._cast_run = 0

    def even(self, frame: Frame) -> Frame:
        """Return the frame in the light there was at first; as it is, where nothing can be told."""
        luma, t_ms = frame.small.luma, int(frame.t_ms)
        known = self._known
        if known is None or known.rows.shape != luma.shape or t_ms - self._told_ms > _PATIENCE_MS:
            white = _FULL_WHITE if luma.max() > _WHITE + _NEARLY_WHITE else _WHITE
            self._known = _Known(rows=KnownRows(luma.astype(np.float32)), shades=Shades(frame.small), white=white)
            self._told_ms = t_ms
            return frame
        gain, tone = known.rows.gains(luma), _AS_IT_IS
        if gain is None or _is_uneven(gain):
            gain, tone = self._put_back(known, luma, gain)
        if gain is None:
            return frame
        self._told_ms = t_ms
        even = frame
        if _is_uneven(gain):
            self._flickers_until = t_ms + _FLICKERS_MS
        steady = _STEADY_AGAIN if t_ms <= self._flickers_until else _STEADY
        if tone is not _AS_IT_IS or _is_uneven(gain, steady):
            even = EvenFrame(t_ms=frame.t_ms, source=frame.source, shown=frame, gain=gain, white=known.white, tone=tone)
        cast = known.shades.cast(even.small)
        self._cast_run = 0 if cast is None else self._cast_run + 1
        if cast is None or self._cast_run < _LASTS:
            return even
        gain = gain if isinstance(even, EvenFrame) else np.ones(len(luma), dtype=np.float32)
        return EvenFrame(
            t_ms=frame.t_ms, source=frame.source, shown=frame, gain=gain, white=known.white, tone=tone, cast=cast
        )

    def _put_back(self, known: _Known, luma: Pixels, gain: Reals | None) -> tuple[Reals | None, Tone]:
        """Return the rows' gains once the camera's own tone is put back, and that tone."""
        tone = known.shades.tone(luma)
        self._black_run = 0 if tone is None or abs(black_moved(tone)) <= _BLACK_MOVED else self._black_run + 1
        if tone is None or self._black_run < _LASTS:
            return gain, _AS_IT_IS
        back = known.rows.gains(np.clip(tone.level + tone.steep * luma.astype(np.float32), 0, 255))
        return np.ones(len(luma), dtype=np.float32) if back is None else back, tone


def black_moved(tone: Tone) -> float:
    """Return by how many levels a tone moves black."""
    return tone.level + (tone.steep - 1) * _BLACK


def _is_uneven(gain: Reals, steady: float = _STEADY) -> bool:
    return float(np.mean(np.abs(gain - 1) >= steady)) >= _UNEVEN_SHARE


class KnownRows:
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

    def gains(self, luma: Pixels | Reals) -> Reals | None:
        """Return by how much each row of a picture (h, w) is brighter than its known look; None if none can tell.

        Rows in which less than half agree, for something large stands before them, take the gain of their neighbours.
        """
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
