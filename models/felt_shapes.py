"""Cards of 63 x 88 mm and piles of chips of 39 mm, as they hide the felt from the camera.

In the view from above at one pixel a millimetre a pile that is h high hides the felt between its foot and the circle
into which its top is projected.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from models.camera import Floats
from models.cheque_size import CHIP_HEIGHT_MM, CHIP_RADIUS_MM
from models.motion import Mask
from models.outline import Outline
from models.sighting import card_corners_mm

_CIRCLE: Final = np.stack([np.cos(np.linspace(0, 2 * np.pi, 40)), np.sin(np.linspace(0, 2 * np.pi, 40))], axis=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A card or a pile that would explain what stands out.

    ``angle_deg`` for a card, ``chips`` and ``outline`` for a pile. ``explained``: share of the shape that stands out
    and that nothing else explains; ``spilt``: share of it over bare felt. ``inlay``: a disc of a cheque's inlay's size.
    """

    kind: str
    xy_mm: tuple[float, float]
    angle_deg: float = 0.0
    chips: int = 0
    explained: float = 0.0
    spilt: float = 0.0
    inlay: bool = False
    outline: Outline | None = None


def outline_mm(shape: Shape, centre_mm: Floats) -> Floats:
    """Return the felt (n, 2) that the shape hides from a camera at ``centre_mm`` (3,)."""
    if shape.kind == "card":
        return card_corners_mm(shape.xy_mm, shape.angle_deg)
    return pile_outline_mm(shape.xy_mm, shape.chips, centre_mm)


def pile_outline_mm(xy_mm: tuple[float, float], chips: int, centre_mm: Floats) -> Floats:
    """Return the felt (n, 2) that a pile hides: the hull of its foot and its projected top."""
    foot = _CIRCLE * CHIP_RADIUS_MM + np.asarray(xy_mm)
    stretch = centre_mm[2] / max(1.0, centre_mm[2] - chips * CHIP_HEIGHT_MM)
    top = centre_mm[:2] + (foot - centre_mm[:2]) * stretch
    hull = cv2.convexHull(np.vstack([foot, top]).astype(np.float32))
    return np.asarray(hull, dtype=np.float64).reshape(-1, 2)


def filled(outline_px: Floats, shape: tuple[int, ...]) -> Mask:
    """Return a mask of so many rows and columns, set within an outline (n, 2)."""
    mask: Mask = np.zeros(shape[:2], dtype=np.uint8)
    points = np.round(outline_px * 16).astype(np.int32)
    cv2.fillPoly(mask, pts=[points], color=255, shift=4)
    return mask
