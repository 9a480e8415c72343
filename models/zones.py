"""The table's zones on the small picture: which are covered, and over which a hand is."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import cv2
import numpy as np

from audit.table import Point, TableProfile, Zone
from models.camera import Camera, Floats
from models.motion import Mask
from models.sighting import Box
from models.suitability import zones_not_seen

HAND_HEIGHT_MM: Final = 35.0
HAND_MM2: Final = 2500.0  # a hand's back or a forearm's width squared, seen from above
_FURNITURE: Final = ("rack", "shoe", "discard")
_FURNITURE_MM: Final = 70.0
_FEWEST_CORNERS: Final = 3
_OUTWARD_MM: Final = 330.0  # from a seat's bets to where its player's shoulder is
_DEALER_MM: Final = ((-350.0, -420.0), (0.0, -420.0), (350.0, -420.0))
_OUTSIDE_PX: Final = 30.0
_BORDER_PX: Final = 3.0  # small pixels
_AGAINST: Final = 2.0
_ROOM_MM: Final = 75.0
_ROOM_PX: Final = 100.0
_COVER_SHARE: Final = 0.025
_COVER_LEAST: Final = 10
_HIDES_SHARE: Final = 0.075  # of a zone: half a card where cards are dealt


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Side:
    """Where an arm comes from: the dealer, or the player of a seat."""

    name: str
    seat: int | None
    roots_mm: tuple[Point, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _ZoneMask:
    name: str
    box: tuple[int, int, int, int]
    mask: Mask
    area: int

    def share(self, mask: Mask) -> tuple[float, int]:
        x0, y0, x1, y1 = self.box
        pixels = cv2.countNonZero(cv2.bitwise_and(mask[y0:y1, x0:x1], self.mask))
        return (pixels / self.area if self.area else 0.0), pixels


class ZoneMap:
    """The zones of a profile as the camera sees them, at the small picture's size.

    Zones of cards and bets that reach so far out of the picture that something may lie there unseen are always covered.
    """

    def __init__(self, profile: TableProfile, camera: Camera, shape: tuple[int, int]) -> None:
        self.profile = profile
        self.camera = camera
        self.shape = shape
        self.scale = shape[1] / camera.size[0]
        self._flat = [self._zone_mask(zone, z_mm=0.0) for zone in profile.zones]
        self._lifted = [self._zone_mask(zone, z_mm=HAND_HEIGHT_MM) for zone in profile.zones]
        self._beyond = zones_not_seen(profile, camera)
        self.sides = _sides(profile)
        self._roots_mm = [np.asarray(side.roots_mm, dtype=np.float64) for side in self.sides]
        racks = [zone for zone in profile.zones if zone.name == "rack"]
        self._behind_mm = min((y for zone in racks for _, y in zone.polygon_mm), default=-math.inf)

    def is_behind_the_rack(self, xy_mm: tuple[float, float]) -> bool:
        """Return whether a point is where the dealer stands: what is white there is his cuffs."""
        return xy_mm[1] < self._behind_mm

    def is_near(self, name: str, xy_mm: tuple[float, float], *, stray_mm: float) -> bool:
        """Return whether a point is in a zone or so near to it; never if the table has no such zone."""
        zone = self.profile.zone(name)
        return zone is not None and within(xy_mm, [zone.polygon_mm], stray_mm=stray_mm)

    def furniture(self) -> Mask:
        """Return the parts whose content is not the table's: cheques in the rack, cards in the shoe."""
        mask: Mask = np.zeros(self.shape, dtype=np.uint8)
        for zone in self.profile.zones:
            if zone.name in _FURNITURE:
                levels = [self.camera.zone_px(zone, z_mm=height) for height in (0.0, _FURNITURE_MM)]
                hull = cv2.convexHull(np.vstack(levels).astype(np.float32))
                mask |= self.polygon_mask(np.asarray(hull, dtype=np.float64).reshape(-1, 2), grow_px=8)
        return mask

    @cached_property
    def hand_px(self) -> float:
        """How many small pixels a hand has."""
        side = self.camera.px_per_mm((0.0, 150.0)) * self.scale
        return HAND_MM2 * side * side

    def play(self) -> Mask:
        """Return where the zones are, and all between them."""
        levels = (0.0, _FURNITURE_MM)
        outlines = [self.camera.zone_px(zone, z_mm=height) for zone in self.profile.zones for height in levels]
        hull = cv2.convexHull(np.vstack(outlines).astype(np.float32))
        return self.polygon_mask(np.asarray(hull, dtype=np.float64).reshape(-1, 2), grow_px=8)

    def covered(self, active: Mask, resting: Callable[[], Mask] | None = None) -> frozenset[str]:
        """Return the zones in which something stands between the camera and the felt.

        Of what has rested for long, ``resting``, a part that hides no card and no cheque counts as nothing: the cover
        of a cup that was put down beside a seat's cards hid the edge of their zone, and no card that came was sure.
        """
        now = [zone for zone in self._flat if _covers(zone, active)]
        if now and resting is not None:
            passing = np.asarray(cv2.bitwise_and(active, cv2.bitwise_not(resting())))
            now = [zone for zone in now if _covers(zone, passing) or _hides(zone, active)]
        return self._beyond.union(zone.name for zone in now)

    def surroundings(self, mask: Mask) -> Box:
        """Return the full-frame box around a place of the small picture, with room for a whole card on every side."""
        x, y, w, h = cv2.boundingRect(mask)
        scale = 1 / self.scale
        centre = self.camera.to_felt([((x + w / 2) * scale, (y + h / 2) * scale)])[0]
        room = _ROOM_MM * self.camera.px_per_mm(centre) if np.isfinite(centre).all() else _ROOM_PX
        width, height = self.camera.size
        return (
            max(0, int(x * scale - room)),
            max(0, int(y * scale - room)),
            min(width, int((x + w) * scale + room)),
            min(height, int((y + h) * scale + room)),
        )

    def under_hand(self, arm: Mask) -> frozenset[str]:
        """Return the zones over which an arm is, if its hand is a little above the felt."""
        return frozenset(zone.name for zone in self._lifted if _covers(zone, arm))

    def zones_at(self, xy_mm: tuple[float, float]) -> tuple[str, ...]:
        """Return the names of the zones that hold a point."""
        return tuple(zone.name for zone in self.profile.zones_at(xy_mm))

    def outlines_px(self, mask: Mask) -> list[Floats]:
        """Return the outlines (n, 2), in pixels of the full frame, of a small mask's parts."""
        contours, _ = cv2.findContours(mask, mode=cv2.RETR_EXTERNAL, method=cv2.CHAIN_APPROX_SIMPLE)
        shapes = [contour.reshape(-1, 2).astype(np.float64) for contour in contours]
        return [(shape + 0.5) / self.scale for shape in shapes if len(shape) >= _FEWEST_CORNERS]

    def polygon_mask(self, polygon_px: Floats, *, grow_px: float = 0.0) -> Mask:
        """Return the small mask of a polygon given in pixels of the full frame."""
        mask: Mask = np.zeros(self.shape, dtype=np.uint8)
        if len(polygon_px):
            points = np.round(np.asarray(polygon_px) * self.scale).astype(np.int32)
            cv2.fillPoly(mask, pts=[points], color=255)
            if grow_px > 0:
                width = max(1, round(2 * grow_px * self.scale))
                cv2.polylines(mask, pts=[points], isClosed=True, color=255, thickness=width)
        return mask

    def side_of(self, root_px: Floats) -> Side:
        """Return from whose side an arm comes that leaves the picture, or begins, at these full-frame pixels.

        An arm that leaves the picture goes on outside it: who would have to reach through the picture to get there is
        as unlikely as one who is farther away.
        """
        return self.nearest(self.distances(root_px))

    def nearest(self, distances_mm: Floats) -> Side:
        """Return the side whose mean distance is least, of distances (n, sides) as ``distances`` gives them."""
        known = distances_mm[np.isfinite(distances_mm[:, 0])]
        return self.sides[int(known.mean(axis=0).argmin())] if len(known) else self.sides[0]

    def distances(self, root_px: Floats) -> Floats:
        """Return how far each side is (n, sides) from full-frame pixels (n, 2), not a number off the felt's plane.

        It is farther as far as it lies against the way out of the picture there.
        """
        beyond = np.asarray(root_px) + _OUTSIDE_PX * self._outward(root_px)
        felt, outward = np.split(self.camera.to_felt(np.concatenate([root_px, beyond])), 2)
        apart = np.concatenate(self._roots_mm)[None, :, :] - felt[:, None, :]
        out = outward - felt
        out = out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-9)
        against = np.maximum(0.0, -(apart * out[:, None, :]).sum(axis=2))
        far = np.linalg.norm(apart, axis=2) + _AGAINST * against
        first = np.cumsum([0, *(len(roots) for roots in self._roots_mm[:-1])])
        return np.asarray(np.minimum.reduceat(far, first, axis=1), dtype=np.float64)

    def _outward(self, root_px: Floats) -> Floats:
        """The ways (n, 2) out of the picture, in pixels, of points at its border; nothing for points within it."""
        width, height = self.camera.size
        x, y = np.asarray(root_px, dtype=np.float64).T
        rim = _BORDER_PX / self.scale
        across = (x > width - rim).astype(np.float64) - (x < rim)
        down = (y > height - rim).astype(np.float64) - (y < rim)
        return np.column_stack([across, down])

    def _zone_mask(self, zone: Zone, *, z_mm: float) -> _ZoneMask:
        whole = self.polygon_mask(self.camera.zone_px(zone, z_mm=z_mm))
        x, y, w, h = cv2.boundingRect(whole)
        part = whole[y : y + h, x : x + w].copy()
        return _ZoneMask(name=zone.name, box=(x, y, x + w, y + h), mask=part, area=cv2.countNonZero(part))


def _covers(zone: _ZoneMask, mask: Mask) -> bool:
    share, pixels = zone.share(mask)
    return pixels >= _COVER_LEAST and share >= _COVER_SHARE


def _hides(zone: _ZoneMask, mask: Mask) -> bool:
    return zone.share(mask)[0] >= _HIDES_SHARE


def _sides(profile: TableProfile) -> tuple[Side, ...]:
    sides = [Side(name="dealer", seat=None, roots_mm=_DEALER_MM)]
    for seat in profile.seats:
        places = [zone.centre_mm for zone in profile.zones if zone.seat == seat]
        bets = profile.places_of_bets_mm(seat) or places
        x, y = (sum(values) / len(bets) for values in zip(*bets, strict=True))
        axis = math.radians(profile.seat_axis_deg(seat))
        root = (x - _OUTWARD_MM * math.sin(axis), y + _OUTWARD_MM * math.cos(axis))
        sides.append(Side(name="player", seat=seat, roots_mm=(root,)))
    return tuple(sides)


def within(
    xy_mm: tuple[float, float], polygons_mm: Sequence[Sequence[tuple[float, float]]], *, stray_mm: float = 0.0
) -> bool:
    """Return whether a point lies in one of the polygons, or so near to one."""
    return any(
        cv2.pointPolygonTest(np.array(polygon, dtype=np.float32), xy_mm, measureDist=True) >= -stray_mm
        for polygon in polygons_mm
    )
