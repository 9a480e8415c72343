"""A camera that trembles: every picture is put back to where the camera mostly looks.

Fans and footsteps move a camera by less than a pixel from one picture to the next. Nothing seems to lie still then: all
rims change all the while. How far a picture lies beside the first one is told by its gradients, in parts, so that what
moves over the table counts for nothing.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.camera import Floats
from models.camera_drift import SteadyFrame
from models.frames import SMALL_WIDTH, Frame, Pixels, SmallPicture, reduced

_EVERY: Final = 20  # pictures of a camera that holds still, of which one is asked
_AT_FIRST: Final = 40  # pictures all of which are asked, as they are where one lay off
_REMEMBERED: Final = 16
_TREMBLES_PX: Final = 0.12  # of the small picture: from the mean place, mostly; cameras at rest have 0.02
_STEP_PX: Final = 0.05  # from one picture asked to the next, mostly; one that was pushed once lies still
_MOST_PX: Final = 0.8  # farther off it was pushed, or something else stands before it
_MOST_LOST: Final = 24  # pictures in a row that cannot be told: what it shows now is what counts
_CELLS: Final = (8, 6)
_LEAST_TOLD: Final = 12  # parts of the picture
_LEAST_ALIKE: Final = 0.4  # half of the parts at least; another view shows 0.1, arms over the table leave 0.6
_FLAT: Final = 60.0  # steepness of a part that tells nothing

Reals = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True, eq=False)
class _StillFrame(SteadyFrame):
    """A frame put back by a part of a pixel; made small after that, not before, so that rims stay as they are."""

    @cached_property
    def small(self) -> SmallPicture:
        """The frame at 480 pixels in width."""
        luma, (blue, red) = self.luma, self.colours
        high = round(luma.shape[0] * SMALL_WIDTH / luma.shape[1])
        luma, blue, red = (reduced(plane, (SMALL_WIDTH, high)) for plane in (luma, blue, red))
        return SmallPicture(luma=luma, blue=blue, red=red)


class _Reference:
    """A picture (h, w) that the others are held against, with its gradients."""

    def __init__(self, luma: Pixels) -> None:
        self.fine = _fine(luma)
        across, down = (cv2.Sobel(self.fine, cv2.CV_32F, dx, 1 - dx, ksize=3, scale=1 / 8) for dx in (1, 0))
        self._across, self._down = np.asarray(across, dtype=np.float32), np.asarray(down, dtype=np.float32)
        self._energy = _sums(self.fine * self.fine)
        self._steep = _sums(across * across), _sums(across * down), _sums(down * down)

    def place_of(self, luma: Pixels) -> Floats | None:
        """Return how far, in pixels (x, y), what a picture shows lies from where this one does; None if untold."""
        fine = _fine(luma)
        gap = self.fine - fine
        (xx, xy, yy), x, y = self._steep, _sums(gap * self._across), _sums(gap * self._down)
        whole = xx * yy - xy * xy
        told = (np.minimum(xx, yy) > _FLAT) & (whole > 0)
        if int(told.sum()) < _LEAST_TOLD:
            return None
        ways = np.stack([yy * x - xy * y, xx * y - xy * x])[:, told] / whole[told]
        place = np.asarray(np.median(ways, axis=1), dtype=np.float64)
        alike = _sums(fine * self.fine) / np.sqrt(np.maximum(self._energy * _sums(fine * fine), 1.0))
        is_same = float(np.median(alike[told])) >= _LEAST_ALIKE
        return place if is_same and float(np.linalg.norm(place)) <= _MOST_PX else None


@dataclass(slots=True, eq=False)
class _Told:
    """What pictures have told since one was taken as the reference: where the last ones lay, and lie on the whole.

    ``lost``: how many in a row told nothing.
    """

    reference: _Reference | None = None
    places: deque[Floats] = field(default_factory=lambda: deque(maxlen=_REMEMBERED))
    middle: Floats | None = None
    lost: int = 0


class StillView:
    """Tells whether a camera trembles, and takes that out of its frames."""

    def __init__(self) -> None:
        self._closely = _AT_FIRST
        self._passed = 0
        self._told = _Told()

    @property
    def trembles(self) -> bool:
        """Whether the camera trembles now."""
        return self._told.middle is not None

    def still(self, frame: Frame) -> Frame:
        """Return the frame as a camera would see it that holds still; one that does is returned as it is."""
        if not self._is_due():
            return frame
        luma, told = frame.small.luma, self._told
        if told.reference is None or told.reference.fine.shape != luma.shape or told.lost >= _MOST_LOST:
            self._told = _Told(reference=_Reference(luma))
            return frame
        place = told.reference.place_of(luma)
        if place is None:
            told.lost += 1
            return frame
        told.lost = 0
        told.places.append(place)
        if float(np.linalg.norm(place - np.median(told.places, axis=0))) >= _TREMBLES_PX:
            self._closely = _AT_FIRST
        _decide(told)
        return frame if told.middle is None else _moved(frame, place - told.middle)

    def _is_due(self) -> bool:
        """Whether the next picture is asked: all for a while, then a few, until one lies off."""
        self._closely, self._passed = max(self._closely - 1, 0), self._passed + 1
        if not self.trembles and not self._closely and self._passed < _EVERY:
            return False
        self._passed = 0
        return True


def _decide(told: _Told) -> None:
    """Take the camera for trembling, or for still again, by where the last pictures lay."""
    if len(told.places) < _REMEMBERED:
        return
    places = np.array(told.places)
    off = float(np.median(np.linalg.norm(places - np.median(places, axis=0), axis=1)))
    step = float(np.median(np.linalg.norm(np.diff(places, axis=0), axis=1)))
    if off < _TREMBLES_PX / 2:
        told.middle = None
    elif told.middle is None and off >= _TREMBLES_PX and step >= _STEP_PX:
        told.middle = np.asarray(places.mean(axis=0), dtype=np.float64)


def _moved(frame: Frame, by_px: Floats) -> Frame:
    """Return the frame put back by so many pixels of its small picture."""
    warp = np.eye(3)
    warp[:2, 2] = by_px * frame.source.width / SMALL_WIDTH
    return _StillFrame(t_ms=frame.t_ms, source=frame.source, warp=warp)


def _fine(luma: Pixels) -> Reals:
    """Return what of a picture is no shade: its lamps may change."""
    smooth = cv2.GaussianBlur(luma, ksize=(3, 3), sigmaX=0).astype(np.float32)
    return np.asarray(smooth - cv2.boxFilter(smooth, ddepth=cv2.CV_32F, ksize=(15, 15)), dtype=np.float32)


def _sums(plane: Reals) -> Floats:
    """Return the sums over the parts of a picture."""
    means = cv2.resize(plane, dsize=_CELLS, interpolation=cv2.INTER_AREA)
    return np.asarray(means, dtype=np.float64) * plane.size / (_CELLS[0] * _CELLS[1])
