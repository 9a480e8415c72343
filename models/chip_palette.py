"""What a table's own chips look like under its own lamps, learnt from the stacks that are read there.

One stack alone often leaves open whether its lowest chip is black or a green one in the dark at the felt. The other
stacks of the table know: they are of the same casino's chips, under the same lamps. Every chip that is read with some
certainty shows what its colour's edges look like, spots and shadows included; a chip in doubt is held against that.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.chip_bands import Bands, bands_of
from models.chip_decode import Answer, Floats
from models.chip_looks import KINDS, Looks, Rows, likeness
from models.rack_view import RackColours

_SURE: Final = 0.6
_CLEAR: Final = 0.4  # a number of chips that is less likely teaches nothing
_FEW_CHIPS: Final = 2.5
_MOST_CHIPS: Final = 16  # of a colour are remembered
_MOST_STACKS: Final = 200
_WHOLE_RACK: Final = 4  # colours
_SHARED: Final = 2  # colours that are known from stacks and from the rack
_OTHER_LIGHT: Final = 0.2  # by which they are darker or lighter, in logarithms
_ALIKE: Final = 0.3  # logarithms
_SAME_TINT: Final = 0.15
_OWN_MM: Final = 25.0
_CHIPS_COUNT: Final = 0.5
_ROWS_COUNT: Final = 0.2
"""How much it counts beside the network what single chips, and what the rows of whole stacks look like.

In true boxes of 1,614 stacks of thirteen sources 1,554 were coloured rightly with these, 11 wrongly with 0.9; 1,535 and
14 without a palette; 1,497 and 39 with twice and five times as much, as an earlier network needed it.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shown:
    """One stack that was read: where, its chips' bands and how likely each is of each colour (n, KINDS)."""

    place_mm: Floats
    bands: Bands
    chances: Floats


class Palette:
    """Remembers the stacks of one table; the latest of every place."""

    def __init__(self) -> None:
        self._shown: list[_Shown] = []
        self._rack: dict[int, list[Bands]] = {}
        self._lying: dict[int, Bands] = {}
        self._hinted: set[int] = set()

    def apart(self) -> Palette:
        """Return a palette that knows the same, and learns by itself."""
        return copy(self)

    def learn_rack(self, rack: RackColours) -> None:
        """Take note of what the rack shows."""
        self._hinted |= {colour - 1 for colour in rack.hinted}
        for tube in rack.tubes:
            self._rack.setdefault(tube.colour - 1, []).append(tube.bands[:_MOST_CHIPS])
        self._lying = {colour: _agreeing(tubes) for colour, tubes in self._rack.items()}

    def learn(self, place_mm: Floats, bands: Bands, likely: Sequence[tuple[Answer, float]]) -> None:
        """Take note of a stack: of the chips of its likeliest number.

        Args:
            place_mm: where it stands (2,); what was known of this place is forgotten.
            bands: its chips' bands, see ``bands_of``.
            likely: its likely colours and their probabilities, best first; those of other numbers do not count.
        """
        chances = np.zeros((len(bands), KINDS))
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
        bands, chances = self._with_rack(bands[chips], chances[chips])
        weights = np.repeat(chances, bands.shape[1], axis=0)
        weights /= np.maximum(weights.sum(axis=0), 1e-9)
        return Looks(points=bands.reshape(-1, 3), weights=weights.astype(np.float32), rack=self._in_rack())

    def _in_rack(self) -> NDArray[np.bool_]:
        if len(self._rack) < _WHOLE_RACK:
            return np.ones(KINDS, dtype=np.bool_)
        return np.array([colour in self._rack or colour in self._hinted for colour in range(KINDS)])

    def _with_rack(self, bands: Bands, chances: Floats) -> tuple[Bands, Floats]:
        """Chips (n, points, 3) and their colours (n, KINDS) with those of colours that only the rack has shown.

        What lies in the rack is lighter or darker than what stands on the felt, by as much as colours seen in both.
        """
        rack = self._lying
        seen = {colour: chances[:, colour] > 0 for colour in rack}
        both = [colour for colour in rack if seen[colour].any()]
        if len(both) < _SHARED:
            return bands, chances
        apart = [bands[seen[colour]].mean(axis=(0, 1)) - rack[colour].mean(axis=(0, 1)) for colour in both]
        shift = np.mean(apart, axis=0)
        if float(np.std(apart, axis=0).max()) > _OTHER_LIGHT:
            return bands, chances
        means = [bands[chances[:, colour] > 0].mean(axis=(0, 1)) for colour in np.flatnonzero(chances.any(axis=0))]
        for colour in set(rack) - set(both):
            lying = rack[colour] + shift
            if any(_is_the_same(lying.mean(axis=(0, 1)), mean) for mean in means):
                continue  # what stands on the felt says of which colour it is
            more = np.zeros((len(lying), KINDS))
            more[:, colour] = 1.0
            bands, chances = np.concatenate([bands, lying]), np.concatenate([chances, more])
        return np.asarray(bands, dtype=np.float32), chances

    def _elsewhere(self, place_mm: Floats) -> list[_Shown]:
        return [one for one in self._shown if float(np.hypot(*(one.place_mm - place_mm))) > _OWN_MM]


def _is_the_same(one: Floats, other: Floats) -> bool:
    """Whether two mean colours (3,), as logarithms, have the same tint and are about as light."""
    apart = np.abs(np.array(one) - np.array(other))
    tint = np.abs((one - one[1]) - (other - other[1]))
    return float(tint.max()) < _SAME_TINT and float(apart.mean()) < _ALIKE


def _agreeing(tubes: Sequence[Bands]) -> Bands:
    """The latest chips (n, points, 3) of those of a colour's tubes that look alike: a hand may have lain over one."""
    means = np.stack([tube.mean(axis=(0, 1)) for tube in tubes])
    apart = np.abs(means - np.median(means, axis=0)).max(axis=1)
    alike = [tube for tube, far in zip(tubes, apart, strict=True) if far <= _ALIKE]
    return np.concatenate(alike or list(tubes))[-_MOST_CHIPS:]


class Witness:
    """A palette's word on one stack: on its strip (STRIP_ROWS, STRIP_COLUMNS, 3), at its place (2,) in millimetres."""

    def __init__(self, palette: Palette, strip: NDArray[np.uint8], place_mm: Floats, px_per_edge: float) -> None:
        self._palette, self._strip, self._place_mm = palette, strip, place_mm
        self._looks = palette.looks(place_mm)
        self._rows = None if self._looks is None else Rows(strip, self._looks, px_per_edge)
        self._bands: dict[int, Bands] = {}

    def chips(self, middles: NDArray[np.int64]) -> Floats | None:
        """Return what speaks for each colour (n, KINDS) of chips with their middles at these steps; None: nothing."""
        bands = self._bands[len(middles)] = bands_of(self._strip, middles)
        return None if self._looks is None else _CHIPS_COUNT * likeness(bands, self._looks)

    def stacks(self, middles: NDArray[np.int64], answers: Sequence[Answer]) -> Floats | None:
        """Return what speaks for each of some stacks (n,) with their chips' middles at these steps; None: nothing."""
        return None if self._rows is None else _ROWS_COUNT * self._rows.fits(middles, answers)

    def teach(self, likely: Sequence[tuple[Answer, float]]) -> None:
        """Let the palette learn from the answers that were found, with their probabilities, best first."""
        bands = self._bands.get(len(likely[0][0])) if likely else None
        if bands is not None:
            self._palette.learn(self._place_mm, bands, likely)
