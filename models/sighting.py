"""One look at a picture: what lies there, each object with its candidate readings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from audit.states import StackCandidate
from models.camera import Camera, Floats
from models.frames import Pixels
from models.outline import Outline

CARD_WIDTH_MM: Final = 63.0
CARD_HEIGHT_MM: Final = 88.0
_CARD_MM: Final = np.array([(-31.5, 44.0), (31.5, 44.0), (31.5, -44.0), (-31.5, -44.0)])
_MISFIT_MM: Final = 14.0  # corners this far off a card's are no card that lies on the felt
Box = tuple[int, int, int, int]


class DetectionsLike(Protocol):
    """What a detector returns: polygons (n, 4, 2) in pixels, kinds and confidences, all of length n."""

    @property
    def polygons_px(self) -> NDArray[Any]: ...  # noqa: D102 - named in the class
    @property
    def kinds(self) -> Sequence[str]: ...  # noqa: D102
    @property
    def confidences(self) -> NDArray[Any]: ...  # noqa: D102


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sighting:
    """One object as one look saw it.

    ``polygon_px`` is in pixels of the full frame; ``xy_mm`` and ``angle_deg`` are None without a camera. ``faces`` are
    the probabilities of the cards or of a die's values; what is missing to 1 is "none of these". ``face`` is what the
    reader is sure of. ``stacks`` are a pile's readings, ``outline`` what its outline says of their number,
    ``unweighed`` the readings without that.
    """

    kind: str
    polygon_px: Floats
    confidence: float
    xy_mm: tuple[float, float] | None = None
    angle_deg: float | None = None
    faces: Mapping[str, float] = field(default_factory=dict)
    face: str | None = None
    stacks: tuple[StackCandidate, ...] = ()
    colour: str | None = None
    count: int | None = None
    outline: Outline | None = None
    unweighed: tuple[StackCandidate, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CardFit:
    """A whole card flat on the felt: centre and direction of its long side."""

    xy_mm: tuple[float, float]
    angle_deg: float


def fit_card(camera: Camera, quad_px: NDArray[Any]) -> CardFit | None:
    """Return the card of 63 x 88 mm that lies nearest to four corners (4, 2) in pixels; None if none does."""
    corners = camera.to_felt(quad_px)
    if corners.shape != (4, 2) or not np.isfinite(corners).all():
        return None
    centre = corners.mean(axis=0)
    fits = [_turned(corners - centre, np.roll(_CARD_MM, shift, axis=0)) for shift in range(2)]
    mirrored = [_turned(corners - centre, np.roll(_CARD_MM[::-1], shift, axis=0)) for shift in range(2)]
    misfit, angle = min(fits + mirrored)
    if misfit > _MISFIT_MM:
        return None
    return CardFit(xy_mm=(float(centre[0]), float(centre[1])), angle_deg=folded(angle))


def _turned(corners: Floats, card: Floats) -> tuple[float, float]:
    """Return root mean square distance and the angle that turns the card onto the corners best."""
    cosine = float((card * corners).sum())
    sine = float((card[:, 0] * corners[:, 1] - card[:, 1] * corners[:, 0]).sum())
    angle = math.atan2(sine, cosine)
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    misfit = float(np.sqrt(((card @ turn.T - corners) ** 2).sum(axis=1).mean()))
    return misfit, math.degrees(angle)


def folded(angle_deg: float) -> float:
    """Return the angle of an undirected line, in (-90, 90]."""
    turned = angle_deg % 180.0
    return turned - 180.0 if turned > 90.0 else turned  # noqa: PLR2004 - a right angle


def angle_gap(one_deg: float, other_deg: float) -> float:
    """Return the angle between two undirected lines, 0 to 90 degrees."""
    return abs(folded(one_deg - other_deg))


def card_corners_mm(xy_mm: tuple[float, float], angle_deg: float) -> Floats:
    """Return the corners (4, 2) of a card that lies there."""
    turn = math.radians(angle_deg)
    rotation = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    corners: Floats = _CARD_MM @ rotation.T + np.asarray(xy_mm)
    return corners


def covered_share(quad_px: Floats, other_px: Floats) -> float:
    """Return how much of a convex quadrangle (4, 2) another one covers, 0 to 1."""
    mine, theirs = (quad.astype(np.float32) for quad in (quad_px, other_px))
    shared, _ = cv2.intersectConvexConvex(mine, theirs)
    return float(shared / max(cv2.contourArea(mine), 1e-6))


def luma_crop(luma: Pixels, box: Box) -> Pixels:
    """Return a copy of the box (x0, y0, x1, y1) cut to the picture."""
    height, width = luma.shape
    x0, y0, x1, y1 = max(box[0], 0), max(box[1], 0), min(box[2], width), min(box[3], height)
    return luma[y0:y1, x0:x1].copy()
