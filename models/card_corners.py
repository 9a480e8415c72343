"""The exact corners of a card whose place is roughly known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.card_networks import Network
from models.card_views import REFINE_BOX, REFINE_WH, Bgr, Points, refine_view
from models.trained import CARD_WEIGHTS

_PASSES: Final = 2
_LEFT, _TOP, _RIGHT, _BOTTOM = REFINE_BOX
_NOMINAL: Final = np.array([[_LEFT, _TOP], [_RIGHT, _TOP], [_RIGHT, _BOTTOM], [_LEFT, _BOTTOM]])

SnapToFelt = Callable[[Points], Points | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class CardCorners:
    """A card's whole outline, also where it is covered.

    ``quad_px`` is (4, 2): top-left, top-right, bottom-right, bottom-left of the upright card, or of the card turned
    by half. ``error_share`` is the error to be expected of a corner, as a share of the card's height;
    ``face_probability`` says whether there is a card's face at all.
    """

    quad_px: Points
    error_share: float
    face_probability: float


class CornerRefiner:
    """Finds exact corners from rough boxes; holds one network."""

    def __init__(self, *, folder: Path = CARD_WEIGHTS) -> None:
        self._network = Network("refine", folder=folder)

    def refine(
        self, frame_bgr: Bgr, quads_px: NDArray[np.floating], *, snap_to_felt: SnapToFelt | None = None
    ) -> list[CardCorners]:
        """Return the corners of the cards that lie in rough boxes (n, 4, 2), corners in any order.

        ``snap_to_felt`` may replace a quad by the nearest one that a card on the felt can have, or return None.
        """
        quads = [upright_box(np.asarray(quad, np.float64)) for quad in quads_px]
        found: list[CardCorners] = []
        for _ in range(_PASSES):
            found = self._look(frame_bgr, quads)
            quads = [corners.quad_px for corners in found]
        return found if snap_to_felt is None else [_snapped(corners, snap_to_felt) for corners in found]

    def _look(self, frame_bgr: Bgr, quads: list[Points]) -> list[CardCorners]:
        views = [refine_view(frame_bgr, quad) for quad in quads]
        pictures = np.array([view for view, _ in views], np.uint8).reshape(-1, REFINE_WH[1], REFINE_WH[0], 3)
        outputs = self._network(pictures).astype(np.float64)
        return [_read_out(row, to_frame) for row, (_, to_frame) in zip(outputs, views, strict=True)]


def upright_box(box: Points) -> Points:
    """Return the oriented rectangle around four points, its corners clockwise and a short edge first."""
    corners = np.asarray(cv2.boxPoints(cv2.minAreaRect(box.astype(np.float32))), np.float64)
    if np.linalg.norm(corners[1] - corners[0]) > np.linalg.norm(corners[2] - corners[1]):
        return np.roll(corners, shift=-1, axis=0)
    return corners


def _read_out(row: NDArray[np.float64], to_frame: Points) -> CardCorners:
    """Return what one row of the network's output says."""
    in_view = _NOMINAL + row[:8].reshape(4, 2) * (_BOTTOM - _TOP)
    quad = cv2.perspectiveTransform(in_view[None], to_frame)[0]
    across = row[9] > 0
    return CardCorners(
        quad_px=np.roll(quad, shift=-1, axis=0) if across else np.asarray(quad, np.float64),
        error_share=float(np.exp(np.clip(row[8], -6, 1))),
        face_probability=float(1 / (1 + np.exp(-row[10]))),
    )


def _snapped(corners: CardCorners, snap_to_felt: SnapToFelt) -> CardCorners:
    quad = snap_to_felt(corners.quad_px)
    if quad is None:
        return corners
    return CardCorners(quad_px=quad, error_share=corners.error_share, face_probability=corners.face_probability)
