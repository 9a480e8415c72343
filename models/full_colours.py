"""Footage of faded colours is given back what the camera took from them, before anything looks at it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.colourless import LEAST_CHROMA, chroma
from models.frames import Frame, Pixels, SmallPicture

_FADED: Final = 48.0  # levels at the most colourful two of a thousand places; tables show 60 and more
_FULL: Final = 60.0
_MOST: Final = 3.0
_LOOK_MS: Final = 2_000
# What the colour differences of BT.709 add to a brightness, for blue, green and red.
_BLUE: Final = np.array([1.8556, -0.1873, 0.0], dtype=np.float32)
_RED: Final = np.array([0.0, -0.4681, 1.5748], dtype=np.float32)
_LUMA: Final = np.array([[0.0722, 0.7152, 0.2126]], dtype=np.float32)


@dataclass(frozen=True, kw_only=True, eq=False)
class VividFrame(Frame):
    """A frame with colours ``gain`` times as strong, its brightness as it is."""

    shown: Frame = field(repr=False)
    gain: float

    @cached_property
    def luma(self) -> Pixels:
        """The brightness of the whole frame (h, w)."""
        return self.shown.luma

    @cached_property
    def colours(self) -> tuple[Pixels, Pixels]:
        """The blue and the red colour difference (h / 2, w / 2)."""
        blue, red = self.shown.colours
        return _stronger(blue, self.gain), _stronger(red, self.gain)

    @cached_property
    def bgr(self) -> Pixels:
        """The whole frame (h, w, 3), blue first."""
        own = np.eye(3, dtype=np.float32) * self.gain + (1 - self.gain) * np.repeat(_LUMA, 3, axis=0)
        return np.asarray(cv2.transform(self.shown.bgr, own), dtype=np.uint8)

    @cached_property
    def small(self) -> SmallPicture:
        """The frame at 480 pixels in width."""
        small = self.shown.small
        return replace(small, blue=_stronger(small.blue, self.gain), red=_stronger(small.red, self.gain))


class FullColours:
    """Strengthens the colours of all frames alike, by what the first with any lacks, until one lacks none."""

    def __init__(self) -> None:
        self._gain: float | None = None
        self._look_ms = 0

    def vivid(self, frame: Frame) -> Frame:
        """Return the frame with full colours; as it is, if they are, or if there are none to strengthen."""
        if self._gain != 1 and frame.t_ms >= self._look_ms:
            self._look_ms, lacking = frame.t_ms + _LOOK_MS, _lacking(frame.small)
            self._gain = lacking if self._gain is None or lacking == 1 else self._gain
        if self._gain is None or self._gain == 1:
            return frame
        return VividFrame(t_ms=frame.t_ms, source=frame.source, shown=frame, gain=self._gain)


def _lacking(small: SmallPicture) -> float | None:
    """By how much the colours of a picture are too weak, None if it has none."""
    blue, red = (plane.astype(np.float32)[..., None] - 128 for plane in (small.blue, small.red))
    level = chroma(blue * _BLUE + red * _RED)
    if level < LEAST_CHROMA:
        return None
    return min(_FULL / level, _MOST) if level < _FADED else 1.0


def _stronger(plane: NDArray[Any], gain: float) -> Pixels:
    levels = np.clip((np.arange(256) - 128) * gain + 128.5, 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(plane, levels), dtype=np.uint8)
