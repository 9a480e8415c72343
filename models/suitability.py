"""What a camera over a table is good enough for, zone by zone."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

import cv2
import numpy as np

from audit.table import TableProfile, Zone
from models.camera import Camera
from models.cheque_size import HIGHEST_STACK

INDEX_READABLE_PX: Final = 9.0  # a rank of fewer pixels is a guess
INDEX_GOOD_PX: Final = 12.0
EDGE_COUNTABLE_PX: Final = 3.0  # stacks are meant to be counted exactly from here on
EDGE_COLOURS_PX: Final = 2.0
WIDEST_MM: Final = 4_000.0  # of all zones together: no table is wider, and every square millimetre is kept in mind
_HALF_CHIP: Final = 0.5
_CARD_BETS: Final = ("cards", "card1", "card2")
_OUT_SHARE: Final = 0.01
_RIM_MM: Final = 4.0  # of a zone beyond the picture: what stands there is seen nearly whole
_CROSS_SHARE: Final = 0.02


class SuitabilityError(ValueError):
    """A profile whose zones the camera cannot show; the message names the zone, expected and found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneView:
    """How the camera sees one zone: worst over its corners and middle."""

    name: str
    index_px: float
    chip_edge_px: float
    elevation_deg: float
    outside_share: float
    holds_cards: bool
    holds_bets: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Suitability:
    """The verdict on a camera: what each zone looks like, which checks that allows, what is wrong."""

    zones: tuple[ZoneView, ...]
    checks: dict[str, str]
    problems: tuple[str, ...]


def assess(profile: TableProfile, camera: Camera) -> Suitability:
    """Return what the camera of a profile can and cannot support."""
    views = tuple(_view(zone, camera) for zone in profile.zones)
    problems = [
        f"zone {name}: expected it inside the picture, found {share:.0%} of it outside"
        for name, share in zones_outside(profile, camera).items()
    ]
    problems += [
        f"zones {one.name} and {other.name}: expected them apart, found an overlap of {share:.0%} of the smaller"
        for one, other, share in _overlaps(profile)
    ]
    return Suitability(zones=views, checks=_checks(views, camera), problems=tuple(problems))


def zones_outside(profile: TableProfile, camera: Camera) -> dict[str, float]:
    """Return the zones of cards and bets that the picture does not show wholly, with the share that is outside."""
    return {view.name: view.outside_share for view in _played_on(profile, camera) if view.outside_share > _OUT_SHARE}


def zones_not_seen(profile: TableProfile, camera: Camera) -> frozenset[str]:
    """Return those of them that reach so far beyond the picture that something may stand or lie there unseen."""
    outside = zones_outside(profile, camera)
    zones = [zone for zone in profile.zones if zone.name in outside]
    return frozenset(zone.name for zone in zones if outside[zone.name] == 1.0 or _beyond_mm(zone, camera) > _RIM_MM)


def require_inside(profile: TableProfile, camera: Camera) -> None:
    """Check that most zones of cards and bets lie in the picture; what happens in the others is told as not seen.

    Raises:
        SuitabilityError: naming the first that does not, if as many are outside as inside; or if they lie farther apart
            than a table is wide.
    """
    corners = np.array([point for zone in profile.zones for point in zone.polygon_mm])
    widest = float(np.ptp(corners, axis=0).max())
    if widest > WIDEST_MM:
        found = f"{widest / 1000:.1f} m from the first to the last"
        msg = f"{profile.table_id}: expected zones within {WIDEST_MM / 1000:.0f} m, found {found}"
        raise SuitabilityError(msg)
    outside = zones_outside(profile, camera)
    if outside and 2 * len(outside) >= len(_played_on(profile, camera)):
        name, share = next(iter(outside.items()))
        msg = (
            f"zone {name}: expected it inside the picture of {camera.size[0]}x{camera.size[1]},"
            f" found {share:.0%} of it outside"
        )
        raise SuitabilityError(msg)


def _played_on(profile: TableProfile, camera: Camera) -> list[ZoneView]:
    views = [_view(zone, camera) for zone in profile.zones]
    return [view for view in views if view.holds_cards or view.holds_bets]


def _view(zone: Zone, camera: Camera) -> ZoneView:
    points = [*zone.polygon_mm, zone.centre_mm]
    return ZoneView(
        name=zone.name,
        index_px=min(camera.index_px(point) for point in points),
        chip_edge_px=min(camera.chip_edge_px(point) for point in points),
        elevation_deg=camera.elevation_deg(zone.centre_mm),
        outside_share=_outside_share(zone, camera),
        holds_cards=zone.name.split(".")[-1] in _CARD_BETS,
        holds_bets=zone.bet is not None or zone.name == "insurance",
    )


def _outside_share(zone: Zone, camera: Camera) -> float:
    """Share of the zone's picture that lies beyond the frame; 1 if the camera looks away from it."""
    outline = camera.zone_px(zone).astype(np.float32)
    felt = camera.to_felt(outline)
    if not np.isfinite(felt).all() or np.abs(felt.mean(axis=0) - zone.centre_mm).max() > 50:  # noqa: PLR2004 - mm
        return 1.0
    width, height = camera.size
    frame = np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float32)
    hull = cv2.convexHull(outline)
    area = float(cv2.contourArea(hull))
    inside, _ = cv2.intersectConvexConvex(hull, frame)
    return 1.0 if area <= 0 else max(0.0, 1 - float(inside) / area)


def _beyond_mm(zone: Zone, camera: Camera) -> float:
    """How far a zone reaches beyond the picture, of which the camera sees some."""
    outline, edge = camera.zone_px(zone), np.array(camera.size)
    beyond_px = max(float((-outline).max()), float((outline - edge).max()))
    return beyond_px / camera.px_per_mm(zone.centre_mm)


def _overlaps(profile: TableProfile) -> list[tuple[Zone, Zone, float]]:
    """Pairs of zones of cards or bets of which a point may lie in both; insurance may cross others."""
    found = []
    for one, other in combinations([z for z in profile.zones if z.seat is not None and z.bet != "insurance"], 2):
        first, second = (cv2.convexHull(np.array(z.polygon_mm, dtype=np.float32)) for z in (one, other))
        common, _ = cv2.intersectConvexConvex(first, second)
        share = float(common) / max(1.0, min(cv2.contourArea(first), cv2.contourArea(second)))
        if share > _CROSS_SHARE:
            found.append((one, other, share))
    return found


def _checks(views: tuple[ZoneView, ...], camera: Camera) -> dict[str, str]:
    """Say for each group of checks whether the picture is fine enough: yes, doubtful or no, with the reason."""
    index = min((view.index_px for view in views if view.holds_cards), default=0.0)
    edge = min((view.chip_edge_px for view in views if view.holds_bets), default=0.0)
    cards = _verdict(index, no=INDEX_READABLE_PX, yes=INDEX_GOOD_PX, what="px per card index")
    chips = _verdict(edge, no=EDGE_COLOURS_PX, yes=EDGE_COUNTABLE_PX, what="px per chip edge")
    if not camera.heights_known:
        chips = "no: the camera's points leave its focal length open, so heights are not known"
    elif camera.height_error * HIGHEST_STACK > _HALF_CHIP:
        height = int(_HALF_CHIP / camera.height_error)
        chips += f"; heights are known to {camera.height_error:.0%}: exact counts of up to {height} chips"
    return {
        "cards, totals, draws": cards,
        "wagers, payments, takes": chips,
        "order of play, hands, late bets": "yes",
    }


def _verdict(value: float, *, no: float, yes: float, what: str) -> str:
    word = "yes" if value >= yes else "doubtful" if value >= no else "no"
    return f"{word}: {value:.1f} {what}, {yes:.0f} wanted, {no:.0f} needed"


def as_record(suitability: Suitability) -> dict[str, Any]:
    """Return the verdict as plain data."""
    return {
        "zones": {
            view.name: {
                "index_px": round(view.index_px, 1),
                "chip_edge_px": round(view.chip_edge_px, 2),
                "elevation_deg": round(view.elevation_deg, 1),
                "outside": round(view.outside_share, 3),
            }
            for view in suitability.zones
        },
        "checks": suitability.checks,
        "problems": list(suitability.problems),
    }
