"""A layout is printed alike at every seat: what is flat and looks like the empty spots of its bet is an empty spot.

Printed discs of a cheque's colour and size were read as cheques, in pairs and threes too. Elsewhere on the table the
same disc lies bare, or is known to; and no cheque with a pattern is as flat as print is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from audit.table import TableProfile, Zone
from models.camera import Floats
from models.felt_view import ONE_OF, FeltView, MmBox, Reals
from models.motion import Mask
from models.sighting import Sighting
from models.view_parts import square

_EDGE_MM: Final = 9
_LUMA: Final = 14.0
_COLOUR: Final = 7.0
_FLAT: Final = 0.6  # of a thing's place: printed discs have 0.63 and more, with a word, piles on spots up to 0.57
_TWINS: Final = 2
_TOLD: Final = 0.5  # of a spot: its bare felt is known, or nothing hides it
_DISC_MM2: Final = 600  # half a cheque's face; the rest is a word, or a number


class _Flat(NamedTuple):
    """Something of one colour on a spot, and that colour (brightness and colour differences)."""

    thing: Sighting
    spot: str
    colour: Floats


class SpotTwins:
    """Knows the spots of each kind of bet at a table."""

    def __init__(self, profile: TableProfile, felt: FeltView) -> None:
        self._felt = felt
        self._spots = [zone for zone in profile.zones if zone.bet is not None]

    def prints(self, found: Sequence[Sighting], others: Sequence[Sighting], seen: Reals, box: MmBox) -> list[Sighting]:
        """Return what seems to be cheques and looks, now or once, as empty spots of its bet do at other seats.

        What is as flat on every spot of a bet is print, too, if it is found all at once.

        Args:
            found: what seems to lie there.
            others: what else lies, or may lie, where it may hide a spot.
            seen: the view from above (h, w, 3) of the box.
            box: the part of the view.
        """
        flat: list[_Flat] = []
        felt = np.median(seen.reshape(-1, 3)[::ONE_OF], axis=0, keepdims=True)
        for one in found:
            spot = self._spot(one)
            colour = None if spot is None else _flat_colour(seen, self._felt.hidden_by([one], box))
            if spot is not None and colour is not None and not _are_like(felt, colour).any():
                flat.append(_Flat(one, spot.name, colour))
        return [one.thing for one in flat if self._has_twins(one, flat, [*found, *others], seen, box)]

    def _spot(self, one: Sighting) -> Zone | None:
        if one.kind != "chips" or one.xy_mm is None:
            return None
        return next((zone for zone in self._spots if zone.holds(one.xy_mm)), None)

    def _has_twins(
        self, one: _Flat, flat: Sequence[_Flat], things: Sequence[Sighting], seen: Reals, box: MmBox
    ) -> bool:
        twins = [zone for zone in self._spots if zone.name != one.spot and _kind(zone.name) == _kind(one.spot)]
        alike: list[bool] = []
        for zone in twins:
            found = [other.colour for other in flat if other.spot == zone.name]
            shows = self._shows(zone, one.colour, things, seen, box)
            if found:
                alike.append(bool(_are_like(np.array(found), one.colour).any()))
            elif shows is not None:
                alike.append(shows)
        return sum(alike) >= min(_TWINS, len(alike)) > 0

    def _shows(self, spot: Zone, colour: Floats, things: Sequence[Sighting], seen: Reals, box: MmBox) -> bool | None:
        """Whether an empty spot is of that colour: as its bare felt is known, else as it is seen; None if untold."""
        whole = (0, 0, self._felt.shape[1], self._felt.shape[0])
        bare, known = self._felt.known_bare(whole)
        inside = self._felt.masked_mm([spot.polygon_mm], whole) > 0
        told = inside & known
        if told.sum() >= _TOLD * inside.sum():
            return int(_are_like(bare[told], colour).sum()) >= _DISC_MM2
        x0, y0, x1, y1 = box
        told = inside[y0:y1, x0:x1] & (self._felt.hidden_by(things, box) == 0)
        if told.sum() < _TOLD * inside.sum():
            return None
        return int(_are_like(seen[told], colour).sum()) >= _DISC_MM2


def _kind(spot: str) -> str:
    """The kind of bet of a spot: the numbers of one bet are printed alike."""
    return spot.partition(".")[2].rstrip("0123456789")


def _flat_colour(seen: Reals, place: Mask) -> Floats | None:
    """The colour of most of a place (brightness and colour differences), None if it has several."""
    part = seen[cv2.erode(place, square(_EDGE_MM)) > 0]
    if not len(part):
        return None
    middle = np.asarray(np.median(part, axis=0), dtype=np.float64)
    return middle if float(_are_like(part, middle).mean()) >= _FLAT else None


def _are_like(points: Floats | Reals, other: Floats) -> NDArray[np.bool_]:
    """Whether colours (n, 3) are like another one."""
    gap = np.abs(points - other)
    alike: NDArray[np.bool_] = (gap[:, 0] <= _LUMA) & (gap[:, 1:] <= _COLOUR).all(axis=1)
    return alike
