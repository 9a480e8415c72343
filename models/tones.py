"""How a picture's shades lie against those it had: a camera that sets its gain, its black or its white anew moves all.

What lies on the table or moves over it changes some shades only; so the line that most shades agree on is the camera's.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from models.frames import Pixels, SmallPicture

Reals = NDArray[np.float32]

_STEP: Final = 4
_SHADE: Final = 12  # levels that are one shade
_LEAST: Final = 60  # places of a shade
_MOST: Final = 400
_APART: Final = 40.0  # levels between the shades that give a line
_NEAR: Final = 3.0
_NEAR_COLOUR: Final = 1.5
_AGREE: Final = 0.7  # of the places
_LEAST_SHADES: Final = 4
_STEEP: Final = (0.65, 1.55)
_TINGED: Final = 1.2  # levels by which the most common shade's colours differ


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A straight line over brightness b: ``level`` + ``steep`` · b."""

    steep: float
    level: float


Tone = Line
"""The brightness that a picture of brightness b had before."""
Cast = tuple[Line, Line]
"""By how much the blue and the red colour difference of what has brightness b are larger than before."""


class Shades:
    """The shades of a known picture at 480 pixels in width, each at some places."""

    def __init__(self, known: SmallPicture) -> None:
        grid = known.luma[::_STEP, ::_STEP]
        lot = np.random.default_rng(0)
        shade = (grid.ravel() // _SHADE).astype(np.int64)
        places = [at for at in (np.flatnonzero(shade == one) for one in np.unique(shade)) if len(at) >= _LEAST]
        some = [lot.permutation(at)[:_MOST] for at in places]
        self._at = np.concatenate(some) if some else np.zeros(0, dtype=np.int64)
        self._ends = np.cumsum([len(at) for at in some])[:-1]
        self._weights = np.sqrt([len(at) for at in places])
        common = some[int(np.argmax(self._weights))] if some else np.zeros(0, dtype=np.int64)
        rows, columns = np.divmod(common, grid.shape[1])
        self._common = (_STEP * rows, _STEP * columns)
        self._common_blue, self._common_red = (
            plane[self._common].astype(np.int16) for plane in (known.blue, known.red)
        )
        self._before = self._medians(grid.ravel()[self._at])
        self._blue, self._red = (self._of(plane) for plane in (known.blue, known.red))

    def tone(self, luma: Pixels | Reals) -> Tone | None:
        """Return how a picture (h, w) of brightness lies against the known one.

        None if nothing can be told: too few shades, or no line that most of them agree on.
        """
        line = self._agreed(self._medians(self._of(luma)), self._before, near=_NEAR)
        return line if line is not None and _STEEP[0] < line.steep < _STEEP[1] else None

    def cast(self, small: SmallPicture) -> Cast | None:
        """Return how the colours of a picture lie against those of the known one, in the same light.

        None if the most common shade has the colours that it had, or if nothing can be told.
        """
        if not self._is_tinged(small):
            return None
        more = [self._of(now) - before for now, before in ((small.blue, self._blue), (small.red, self._red))]
        shades = self._medians(self._of(small.luma))
        lines = [self._agreed(shades, self._medians(one), near=_NEAR_COLOUR) for one in more]
        return None if lines[0] is None or lines[1] is None else (lines[0], lines[1])

    def _is_tinged(self, small: SmallPicture) -> bool:
        """Whether the most common shade has other colours than it had."""
        planes = ((small.blue, self._common_blue), (small.red, self._common_red))
        more = [now[self._common] - before for now, before in planes if len(before)]
        return any(abs(float(np.median(one))) >= _TINGED for one in more)

    def _agreed(self, shades: NDArray[Any], values: NDArray[Any], *, near: float) -> Line | None:
        """The line over brightness on which the values of most shades lie."""
        best, most = None, 0.0
        for one, other in combinations(range(len(shades)), 2):
            if abs(shades[one] - shades[other]) < _APART:
                continue
            steep = (values[one] - values[other]) / (shades[one] - shades[other])
            agreeing = np.abs(values - values[one] - steep * (shades - shades[one])) <= near
            agree = float(self._weights[agreeing].sum())
            if agree > most and agreeing.sum() >= _LEAST_SHADES:
                best, most = agreeing, agree
        if best is None or most < _AGREE * self._weights.sum():
            return None
        steep, level = np.polyfit(shades[best], values[best], 1, w=self._weights[best])
        return Line(steep=float(steep), level=float(level))

    def _of(self, plane: NDArray[Any]) -> NDArray[np.float64]:
        return plane[::_STEP, ::_STEP].ravel()[self._at].astype(np.float64)

    def _medians(self, values: NDArray[Any]) -> NDArray[np.float64]:
        return np.array([float(np.median(part)) for part in np.split(values, self._ends)] if len(values) else [])
