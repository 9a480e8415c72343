"""Places on the felt: whose card lies here, which bet stands here, and what may be hidden."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from audit.states import SeenObject, TableState
from audit.table import Point, TableProfile

CARD_WIDTH_MM: Final = 63.0
CARD_HEIGHT_MM: Final = 88.0
JITTER_MM: Final = 8.0
STILL_MM: Final = 2 * JITTER_MM  # two looks at a thing that lies still are no farther apart
SAME_PLACE_MM: Final = 20.0  # a pile that the dealer sets down where one stood
PAYS_WITHIN_MM: Final = 80.0
MOVED_MM: Final = 160.0
UPRIGHT_BELOW_DEG: Final = 30.0
SIDEWAYS_ABOVE_DEG: Final = 60.0

DEALER: Final = "dealer"
_REMEMBERED: Final = 50_000
_DIRECTIONS: Final = 8
_DEALER_ZONES: Final = frozenset({"dealer.cards", "dealer.card1", "dealer.card2", "ace_finder"})


@dataclass(frozen=True, eq=False)
class Places:
    """The zones of one table, asked by point. Answers are remembered per table."""

    profile: TableProfile
    _axes: dict[int, float] = field(default_factory=dict)
    _named: dict[Point, frozenset[str]] = field(default_factory=dict)

    def zones(self, point: Point) -> frozenset[str]:
        """Return the names of the zones that hold the point."""
        if point not in self._named:
            if len(self._named) > _REMEMBERED:
                self._named.clear()
            self._named[point] = frozenset(zone.name for zone in self.profile.zones_at(point))
        return self._named[point]

    def owner(self, point: Point) -> str | None:
        """Return whose card lies at the point: ``seat3``, ``dealer``, or None outside every zone for cards."""
        names = [name for name in sorted(self.zones(point)) if name in _DEALER_ZONES or name.endswith(".cards")]
        if len(names) > 1 and not _DEALER_ZONES.issuperset(names):
            names = [max(names, key=lambda name: self._depth(name, point))]
        if not names:
            return None
        return DEALER if not _DEALER_ZONES.isdisjoint(names) else names[0].removesuffix(".cards")

    def _depth(self, name: str, point: Point) -> float:
        """How deep a point lies in a zone, 1: at its middle. Where zones overlap a card belongs to the deepest."""
        outline = next(zone.polygon_mm for zone in self.profile.zones if zone.name == name)
        x, y = (sum(corner[axis] for corner in outline) / len(outline) for axis in (0, 1))
        return _inside_mm(outline, point) / max(_inside_mm(outline, (x, y)), 1e-9)

    def spots_around(self, point: Point) -> frozenset[str | None]:
        """Return the bet zones that may hold what is seen at the point, as far as places jitter; None for no bet's."""
        turns = (2 * math.pi * turn / _DIRECTIONS for turn in range(_DIRECTIONS))
        around = [(point[0] + JITTER_MM * math.cos(turn), point[1] + JITTER_MM * math.sin(turn)) for turn in turns]
        return frozenset(self.spot(one) for one in (point, *around))

    def spot(self, point: Point) -> str | None:
        """Return the name of the bet zone that holds the point, None outside every bet."""
        names = self.zones(point)
        for zone in self.profile.zones:
            if zone.name in names and (zone.bet is not None or zone.name == "insurance"):
                return zone.name
        return None

    def card_zones(self, owner: str | None) -> frozenset[str]:
        """Return the names of the zones in which an owner's cards lie."""
        if owner is None:
            return frozenset()
        return _DEALER_ZONES if owner == DEALER else frozenset({f"{owner}.cards"})

    def hidden(self, state: TableState, point: Point) -> bool:
        """Return whether the point could not be seen in that state."""
        return state.view != "ok" or not state.covered.isdisjoint(self.zones(point))

    def axis_deg(self, owner: str | None) -> float:
        """Return the direction in which an owner's upright cards point."""
        if owner is None or owner == DEALER:
            return 0.0
        seat = int(owner.removeprefix("seat"))
        if seat not in self._axes:
            self._axes[seat] = self.profile.seat_axis_deg(seat)
        return self._axes[seat]

    def along(self, owner: str | None, point: Point) -> Point:
        """Return the point in the owner's own frame: to the dealer's right, and away from the dealer."""
        turn = math.radians(self.axis_deg(owner))
        c, s = math.cos(turn), math.sin(turn)
        return (point[0] * c + point[1] * s, -point[0] * s + point[1] * c)

    def sideways(self, owner: str | None, item: SeenObject) -> bool | None:
        """Return whether the card lies across its owner's axis; None between 30 and 60 degrees, or if not seen."""
        if item.angle_deg is None:
            return None
        off = turned_apart(item.angle_deg, self.axis_deg(owner))
        if off < UPRIGHT_BELOW_DEG:
            return False
        return True if off > SIDEWAYS_ABOVE_DEG else None


def distance(one: Point, other: Point) -> float:
    """Return the distance of two points in millimetres."""
    return math.dist(one, other)


def lies_there(one: Placed, other: Placed) -> bool:
    """Return whether two things lie in one place, as far as places jitter from look to look (contracts/states.md)."""
    return distance(one.xy_mm, other.xy_mm) <= STILL_MM


def turned_apart(one_deg: float, other_deg: float) -> float:
    """Return by how many degrees, 90 at most, two cards' long sides lie turned against each other."""
    apart = abs(one_deg - other_deg) % 180.0
    return min(apart, 180.0 - apart)


class Placed(Protocol):
    """Anything with a place."""

    @property
    def xy_mm(self) -> Point:
        """Its centre on the felt."""
        ...


class Lying(Placed, Protocol):
    """Anything with the place and the angle of a card."""

    @property
    def angle_deg(self) -> float | None:
        """Direction of its long side, None if it was not seen."""
        ...


def gap_mm(one: Lying, other: Lying) -> float:
    """Return how far two cards are apart: the widest gap along any of their sides, negative if they overlap."""
    widest = -math.inf
    centre = (other.xy_mm[0] - one.xy_mm[0], other.xy_mm[1] - one.xy_mm[1])
    for angle in (one.angle_deg or 0.0, other.angle_deg or 0.0):
        for axis in (angle, angle + 90.0):
            x, y = math.cos(math.radians(axis)), math.sin(math.radians(axis))
            apart = abs(centre[0] * x + centre[1] * y)
            widest = max(widest, apart - _reach(one, axis) - _reach(other, axis))
    return widest


def _reach(item: Lying, axis_deg: float) -> float:
    off = math.radians(axis_deg - (item.angle_deg or 0.0))
    return abs(math.cos(off)) * CARD_WIDTH_MM / 2 + abs(math.sin(off)) * CARD_HEIGHT_MM / 2


def _inside_mm(outline: Sequence[Point], point: Point) -> float:
    """How far a point within an outline is from the nearest of its sides."""
    return min(_off_line(point, start, end) for start, end in zip(outline, (*outline[1:], outline[0]), strict=True))


def _off_line(point: Point, start: Point, end: Point) -> float:
    """How far a point lies from the line through two others."""
    along = (end[0] - start[0], end[1] - start[1])
    off = (point[0] - start[0], point[1] - start[1])
    return abs(along[0] * off[1] - along[1] * off[0]) / max(math.hypot(*along), 1e-9)


def away_mm(outline: Sequence[Point], point: Point) -> float:
    """Return how far a point lies from the box around an outline, along the table or across it; 0 within."""
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    across = max(min(xs) - point[0], 0.0, point[0] - max(xs))
    along = max(min(ys) - point[1], 0.0, point[1] - max(ys))
    return max(across, along)
