"""What a table's own chips look like under its own lamps, learnt from the stacks that are read there.

One stack alone often leaves open whether its lowest chip is black or a green one in the dark at the felt. The other
stacks of the table know: they are of the same casino's chips, under the same lamps. Every chip that is read with some
certainty shows what its colour's edges look like, spots and shadows included; a chip in doubt is held against that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.chip_decode import Answer, Floats
from models.chip_geometry import COLOURS, STRIP_COLUMNS

Bands = NDArray[np.float32]
_KINDS: Final = len(COLOURS) + 1
"""The colours and "other", as in the columns of the networks' answers."""

_ASIDE: Final = 7  # columns at both ends of a band are seen too flat
_AVERAGED: Final = 2  # columns
_DARK: Final = 12.0  # added before the logarithm: below it there is noise only
_NEAR: Final = 0.2  # logarithms of colours so far apart are alike
_STRANGE: Final = 2e-4  # likeness of a spot that the colour has never shown
_SURE: Final = 0.6
_CLEAR: Final = 0.4  # a number of chips that is less likely teaches nothing
_FEW_CHIPS: Final = 2.5
_MOST_CHIPS: Final = 16  # of a colour are remembered
_STRANGER: Final = 1.0  # by so much a colour that the table has not shown yet is behind the likeliest,
_STRANGEST: Final = -8.0  # but never below this, which colours reach that the chip hardly is of: the median is -7.7
_TRUST: Final = 2.0  # points of a band; they are not independent of each other, nor of what the network saw
_MOST_STACKS: Final = 200
_OWN_MM: Final = 25.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shown:
    """One stack that was read: where, its chips' bands and how likely each is of each colour (n, _KINDS)."""

    place_mm: Floats
    bands: Bands
    chances: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Looks:
    """How colours look: points (m, 3) of bands, and their weights (m, _KINDS), which add up to 1 for a known colour."""

    points: Bands
    weights: NDArray[np.float32]

    @property
    def known(self) -> NDArray[np.bool_]:
        """Which colours (_KINDS,) were seen often enough."""
        return np.asarray(self.weights.any(axis=0))


class Palette:
    """Remembers the stacks of one table; the latest of every place."""

    def __init__(self) -> None:
        self._shown: list[_Shown] = []

    def learn(self, place_mm: Floats, bands: Bands, likely: Sequence[tuple[Answer, float]]) -> None:
        """Take note of a stack: of the chips of its likeliest number.

        Args:
            place_mm: where it stands (2,); what was known of this place is forgotten.
            bands: its chips' bands, see ``bands_of``.
            likely: its likely colours and their probabilities, best first; those of other numbers do not count.
        """
        chances = np.zeros((len(bands), _KINDS))
        for answer, p in likely:
            if len(answer) == len(bands):
                chances[np.arange(len(bands)), np.array(answer) - 1] += p
        chances[chances < _SURE * max(float(chances[0].sum()), _CLEAR)] = 0.0
        shown = _Shown(place_mm=place_mm, bands=bands, chances=chances)
        self._shown = [*self._elsewhere(place_mm), shown][-_MOST_STACKS:]

    def looks(self, place_mm: Floats) -> Looks | None:
        """Return how colours look on the stacks elsewhere; colours of which hardly a chip was seen are left out."""
        others = self._elsewhere(place_mm)
        if not others:
            return None
        bands = np.concatenate([one.bands for one in others])
        chances = np.concatenate([one.chances for one in others])
        chances[:, chances.sum(axis=0) < _FEW_CHIPS] = 0.0
        later = np.cumsum(chances[::-1] > 0, axis=0)[::-1]
        chances[later > _MOST_CHIPS] = 0.0
        chips = np.flatnonzero(chances.any(axis=1))
        if not len(chips):
            return None
        weights = np.repeat(chances[chips], bands.shape[1], axis=0)
        weights /= np.maximum(weights.sum(axis=0), 1e-9)
        return Looks(points=bands[chips].reshape(-1, 3), weights=weights.astype(np.float32))

    def _elsewhere(self, place_mm: Floats) -> list[_Shown]:
        return [one for one in self._shown if float(np.hypot(*(one.place_mm - place_mm))) > _OWN_MM]


class Witness:
    """A palette's word on one stack: on its strip (STRIP_ROWS, STRIP_COLUMNS, 3), at its place (2,) in millimetres."""

    def __init__(self, palette: Palette, strip: NDArray[np.uint8], place_mm: Floats) -> None:
        self._palette, self._strip, self._place_mm = palette, strip, place_mm
        self._looks = palette.looks(place_mm)
        self._bands: dict[int, Bands] = {}

    def __call__(self, middles: NDArray[np.int64]) -> Floats | None:
        """Return what speaks for each colour (n, colours) of chips with their middles at these steps; None: nothing."""
        bands = self._bands[len(middles)] = bands_of(self._strip, middles)
        return None if self._looks is None else likeness(bands, self._looks)

    def teach(self, likely: Sequence[tuple[Answer, float]]) -> None:
        """Let the palette learn from the answers that were found, with their probabilities, best first."""
        bands = self._bands.get(len(likely[0][0])) if likely else None
        if bands is not None:
            self._palette.learn(self._place_mm, bands, likely)


def bands_of(strip: NDArray[np.uint8], middles: NDArray[np.int64]) -> Bands:
    """Return the points (n, points, 3) of the chips with their middles at these steps, as logarithms of their colours.

    Args:
        strip: a stack's side, see ``models.chip_geometry.unrolled_side``.
        middles: steps (n,) of the strip, see ``models.chip_decode.Places``.
    """
    rows = np.clip(2 * np.asarray(middles)[:, None] + np.arange(-1, 3), 0, len(strip) - 1)
    seen = strip[rows, _ASIDE : STRIP_COLUMNS - _ASIDE].astype(np.float32).mean(axis=1)
    points = seen.reshape(len(rows), -1, _AVERAGED, 3).mean(axis=2)
    return np.asarray(np.log(points + _DARK), dtype=np.float32)


def likeness(bands: Bands, looks: Looks) -> Floats:
    """Return how well bands go with the looks of each colour (n, _KINDS), as log likelihoods up to a constant."""
    points, known = bands.reshape(-1, 3), looks.points
    apart = (points**2).sum(axis=1)[:, None] + (known**2).sum(axis=1) - 2 * points @ known.T
    alike = np.log(np.exp(apart / (-2 * _NEAR**2)) @ looks.weights + _STRANGE)
    told = _TRUST * alike.reshape(*bands.shape[:2], _KINDS).mean(axis=1).astype(np.float64)
    told[:, ~looks.known] = -np.inf
    unknown = np.maximum(told.max(axis=1, keepdims=True) - _STRANGER, _STRANGEST)
    return np.asarray(np.where(np.isfinite(told), told, unknown), dtype=np.float64)
