"""The rack's tubes: cheques on edge, side by side, in every colour that the table pays with, under its own lamps.

A tube seen from above is like the side of a very high stack. It is cut into strips like that side, so that the same
network can say of which colour it is. What is learnt there is only how the table's colours look; nothing is counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.cheque_size import CHIP_DIAMETER_MM, CHIP_HEIGHT_MM, HIGHEST_STACK
from models.chip_bands import Bands, bands_of
from models.chip_decode import Floats, chip_colours
from models.chip_geometry import (
    CHIPS_BELOW,
    COLOURS,
    ROWS_PER_CHIP,
    STEPS,
    STEPS_PER_CHIP,
    STRIP_COLUMNS,
    STRIP_REACH,
    STRIP_ROWS,
    SeesPoints,
)

_TOPS_MM: Final = CHIP_DIAMETER_MM / 2  # of the tubes over the felt, more or less
_STRIP_MM: Final = STRIP_ROWS / ROWS_PER_CHIP * CHIP_HEIGHT_MM
_WIDTH_MM: Final = CHIP_DIAMETER_MM * STRIP_REACH
_APART_MM: Final = 10.5  # of the places across the rack that are looked at
_FURTHER_MM: Final = 36.0  # along a tube
_TUBE_MM: Final = 42.0  # from one to the next
_LEAST_PLACES: Final = 2
_TOLD: Final = 0.7  # of a step's colour
_LEAST_CHIPS: Final = 6
_HINTED: Final = 0.1  # of a strip
_SPOTTED: Final = (0.08, 0.6)  # deviation of the logarithms across a tube: an empty one has no edge spots, a hand has
# more than spots


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tube:
    """A tube of one colour.

    ``colour``: its number, from 1 as in an answer. ``bands``: what its chips look like (n, points, 3), see
    ``models.chip_bands.bands_of``.
    """

    colour: int
    bands: Bands


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RackColours:
    """The tubes whose colour is told beyond doubt, and the numbers of all colours that may be there."""

    tubes: tuple[Tube, ...] = ()
    hinted: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RackStrips:
    """Strips (n, STRIP_ROWS, STRIP_COLUMNS, 3) of a rack, how far across it (n,) each was cut, and a chip's edge."""

    strips: NDArray[np.uint8]
    across_mm: Floats
    px_per_edge: float


def rack_strips(
    frame_bgr: NDArray[np.uint8], camera: SeesPoints, polygon_mm: Sequence[tuple[float, float]]
) -> RackStrips | None:
    """Return the strips of a rack; None where it is too short or not all of it is in the picture.

    Args:
        frame_bgr: the whole picture.
        camera: the calibrated camera.
        polygon_mm: the rack on the felt; tubes lie along its shorter side.
    """
    (x, y), (width, height), degrees = cv2.minAreaRect(np.asarray(polygon_mm, dtype=np.float32))
    turn = np.radians(degrees)
    across = np.array([np.cos(turn), np.sin(turn)])
    if width < height:
        width, height, across = height, width, np.array([-across[1], across[0]])
    along = np.array([-across[1], across[0]])
    if height < _STRIP_MM or width < _WIDTH_MM:
        return None
    free = width - _WIDTH_MM
    begins = np.linspace(-free / 2, free / 2, num=1 + int(np.ceil(free / _APART_MM)))
    room = (height - _STRIP_MM) / 2
    ends = np.linspace(-room, room, num=2 + int(2 * room // _FURTHER_MM))
    columns = ((np.arange(STRIP_COLUMNS) + 0.5) / STRIP_COLUMNS - 0.5) * _WIDTH_MM
    rows = ((np.arange(STRIP_ROWS) + 0.5) / STRIP_ROWS - 0.5) * _STRIP_MM
    strips, places, edges = [], [], []
    for begin in begins:
        for end in ends:
            flat = (begin + columns)[None, :, None] * across + (end + rows)[:, None, None] * along + np.array([x, y])
            points = np.concatenate([flat, np.full((*flat.shape[:2], 1), _TOPS_MM)], axis=2)
            seen = camera.to_pixels(points.reshape(-1, 3)).reshape(STRIP_ROWS, STRIP_COLUMNS, 2)
            if seen.min() < 0 or (seen.max(axis=(0, 1)) >= frame_bgr.shape[1::-1]).any():
                return None
            strips.append(cv2.remap(frame_bgr, seen.astype(np.float32), None, interpolation=cv2.INTER_LINEAR))
            places.append(begin)
            edges.append(np.linalg.norm(seen[-1] - seen[0], axis=1).mean() / (STRIP_ROWS - 1) * ROWS_PER_CHIP)
    strips_seen = np.stack(strips).astype(np.uint8)
    return RackStrips(strips=strips_seen, across_mm=np.array(places), px_per_edge=float(np.mean(edges)))


def tube_facts(px_per_edge: float) -> NDArray[np.float32]:
    """Return what geometry tells the reader of a tube's strip, see ``models.chip_geometry.side_facts``."""
    heights = (np.arange(STEPS) + 0.5) / STEPS_PER_CHIP - CHIPS_BELOW
    facts = np.zeros((5, STEPS), np.float32)
    facts[0] = 1.0
    facts[1] = (heights / HIGHEST_STACK).clip(-1, 3) / 2
    facts[2] = np.log(np.clip(px_per_edge, 0.3, 30)) / 2
    facts[3] = 1.0
    return facts


def told_of_rack(seen: RackStrips, told: Sequence[NDArray[np.float32]]) -> RackColours:
    """Return the tubes whose colour is told beyond doubt, and what other colours there may be.

    Args:
        seen: the strips.
        told: the network's evidence for each (STEPS, …), see ``models.chip_places``.
    """
    best: dict[float, Tube] = {}
    hinted: set[int] = set()
    for strip, place, evidence in zip(seen.strips, seen.across_mm, told, strict=True):
        chances = chip_colours(evidence)
        hinted |= {int(colour) + 1 for colour in np.flatnonzero(chances.mean(axis=0) >= _HINTED)}
        tube = _tube(strip, chances)
        if tube is not None and len(tube.bands) > len(best[place].bands if place in best else ()):
            best[float(place)] = tube
    found = [best[place] for group in _side_by_side(best) for place in _middles(group)]
    return RackColours(tubes=tuple(found), hinted=frozenset(hinted))


def _tube(strip: NDArray[np.uint8], chances: Floats) -> Tube | None:
    """What a strip (STRIP_ROWS, STRIP_COLUMNS, 3) shows of one colour without a gap; None: too little.

    Args:
        strip: a strip of a rack.
        chances: of the colours at each step (steps, colours).
    """
    bands = bands_of(strip, np.arange(len(chances)))
    chances, spots = _smoothed(chances), _smoothed(bands.std(axis=1)).mean(axis=1)
    sure = (chances.max(axis=1) >= _TOLD) & (spots >= _SPOTTED[0]) & (spots <= _SPOTTED[1])
    told = np.where(sure, chances.argmax(axis=1), -1)
    starts = np.flatnonzero(np.diff(told, prepend=-2))
    lengths = np.where(told[starts] >= 0, np.diff(starts, append=len(told)), 0)
    longest = int(lengths.argmax())
    first, colour = int(starts[longest]), int(told[starts[longest]])
    if colour >= len(COLOURS) or lengths[longest] < _LEAST_CHIPS * STEPS_PER_CHIP:
        return None
    return Tube(colour=colour + 1, bands=bands[first : first + lengths[longest] : STEPS_PER_CHIP])


def _smoothed(along: Floats) -> Floats:
    """Values (steps, n) as means over a little more than a chip."""
    return np.asarray(cv2.blur(along.astype(np.float64), (1, STEPS_PER_CHIP + 1)), dtype=np.float64)


def _side_by_side(best: Mapping[float, Tube]) -> list[list[float]]:
    """The places where the same colour is told one beside the other."""
    groups: list[list[float]] = []
    for place in sorted(best):
        last = groups[-1][-1] if groups else -np.inf
        if place - last <= _APART_MM + 1e-6 and best[last].colour == best[place].colour:
            groups[-1].append(place)
        else:
            groups.append([place])
    return [group for group in groups if len(group) >= _LEAST_PLACES]


def _middles(group: Sequence[float]) -> list[float]:
    """Where the middles of tubes are that lie side by side and are of one colour."""
    width = group[-1] - group[0] + _APART_MM
    count = max(1, round(width / _TUBE_MM))
    return [group[int((number + 0.5) / count * len(group))] for number in range(count)]
