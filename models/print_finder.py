"""Rings and boxes printed on the felt, where bets stand and cards lie: found by the shape of their outlines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np

from models.camera import Floats
from models.frames import Pixels

_WIDTH: Final = 1280
_LEAST_SHARE: Final = 0.012  # of the picture's width: a spot's least extent
_MOST_SHARE: Final = 0.25
_ROUND_ERROR: Final = 0.045  # of a ring's mean radius
_FLATTEST: Final = 0.3
_ELLIPSE_POINTS: Final = 12
_CORNERS: Final = 4
_BOX_FILL: Final = 0.9
_SAME_SHARE: Final = 0.35  # of the smaller one's extent: rings within rings are one spot
_BLOCK: Final = 31


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A printed ring or box: its middle and its mean extent in pixels."""

    xy_px: tuple[float, float]
    extent_px: float
    kind: str


def printed_spots(bgr: Pixels) -> tuple[Spot, ...]:
    """Return the rings and boxes of a picture, each once, from left to right; chips may look like rings."""
    scale = min(1.0, _WIDTH / bgr.shape[1])
    small = cv2.resize(bgr, dsize=None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    found: list[Spot] = []
    for mask in _masks(cv2.cvtColor(small, code=cv2.COLOR_BGR2LAB)):
        contours, _ = cv2.findContours(mask, mode=cv2.RETR_LIST, method=cv2.CHAIN_APPROX_NONE)
        found += [spot for contour in contours if (spot := _spot(contour, small.shape[1])) is not None]
    alone = _apart(found)
    back = [
        Spot(
            xy_px=((spot.xy_px[0] + 0.5) / scale - 0.5, (spot.xy_px[1] + 0.5) / scale - 0.5),
            extent_px=spot.extent_px / scale,
            kind=spot.kind,
        )
        for spot in alone
    ]
    return tuple(sorted(back, key=lambda spot: spot.xy_px))


def _masks(lab: Pixels) -> list[Pixels]:
    """What is brighter, and what is otherwise coloured, than the felt around it."""
    masks = []
    for plane, floor in ((lab[..., 0], 6.0), (lab[..., 2], 3.0), (lab[..., 1], 3.0)):
        around = cv2.medianBlur(np.ascontiguousarray(plane), ksize=_BLOCK)
        above = cv2.subtract(plane, around)
        masks.append(np.where(above > floor * 1.5, np.uint8(255), np.uint8(0)))
    return masks


def _spot(contour: Any, width: int) -> Spot | None:
    _, _, w, h = cv2.boundingRect(contour)
    if not _LEAST_SHARE * width <= max(w, h) <= _MOST_SHARE * width or len(contour) < _ELLIPSE_POINTS:
        return None
    return _ring(contour) or _box(contour)


def _ring(contour: Any) -> Spot | None:
    (x, y), (a, b), turn = cv2.fitEllipseDirect(contour)
    if not a or not b or min(a, b) < _FLATTEST * max(a, b):
        return None
    angle = np.radians(turn)
    away = contour[:, 0].astype(np.float64) - (x, y)
    along = away @ np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    radii = np.hypot(along[:, 0] / (a / 2), along[:, 1] / (b / 2))
    seen = np.unique((np.degrees(np.arctan2(along[:, 1], along[:, 0])) // 15).astype(int))
    if float(np.sqrt(np.mean((radii - 1) ** 2))) > _ROUND_ERROR or len(seen) < 22:  # noqa: PLR2004 - of 24 directions
        return None
    return Spot(xy_px=(float(x), float(y)), extent_px=float(a + b) / 2, kind="ring")


def _box(contour: Any) -> Spot | None:
    hull = cv2.convexHull(contour)
    outline = cv2.approxPolyDP(hull, epsilon=0.04 * cv2.arcLength(hull, closed=True), closed=True)
    if len(outline) != _CORNERS or cv2.contourArea(contour) < _BOX_FILL * cv2.contourArea(outline):
        return None
    middle = _crossing(outline[:, 0].astype(np.float64))
    extent = float(np.sqrt(cv2.contourArea(outline)))
    return Spot(xy_px=(float(middle[0]), float(middle[1])), extent_px=extent, kind="box")


def _crossing(corners: Floats) -> Floats:
    """Where the diagonals cross: the middle of the box, also in perspective."""
    (a, b, c, d) = corners
    along, across, between = c - a, d - b, b - a
    share = (between[0] * across[1] - between[1] * across[0]) / (along[0] * across[1] - along[1] * across[0])
    middle: Floats = a + share * along
    return middle


def _apart(found: list[Spot]) -> list[Spot]:
    """Return spots with those within another left out: of rings in rings the outermost stays."""
    kept: list[Spot] = []
    for spot in sorted(found, key=lambda one: -one.extent_px):
        near = (np.hypot(spot.xy_px[0] - one.xy_px[0], spot.xy_px[1] - one.xy_px[1]) for one in kept)
        if all(gap > _SAME_SHARE * one.extent_px for gap, one in zip(near, kept, strict=True)):
            kept.append(spot)
    return kept
