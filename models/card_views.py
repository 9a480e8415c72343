"""Upright views of one card: the pictures that the card networks look at.

A card's quad is (4, 2) px: top-left, top-right, bottom-right, bottom-left of the card held upright, so that the first
edge is a short one; turning the card by half rolls the corners by two. It is amodal: the whole card, also where it is
covered.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

WHOLE_WH: Final = (64, 96)
CORNER_WH: Final = (48, 72)
REFINE_WH: Final = (96, 96)

_WORTH_SHRINKING: Final = 0.7
_UNIT: Final = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)
WHOLE_REGION: Final = (-0.04, -0.03, 1.04, 1.03)  # left, top, right, bottom in shares of the card
CORNER_REGION: Final = (-0.04, -0.03, 0.36, 0.41)
INDEX_AT: Final = (0.10, 0.14)  # the middle of a printed index, in shares of the card
REFINE_BOX: Final = (22.0, 14.0, 74.0, 82.0)  # where the approximate card lies in the picture for the corner network

Points = NDArray[np.float64]
Bgr = NDArray[np.uint8]


def turned(quad_px: Points) -> Points:
    """Return the quad of the same card held the other way up."""
    return np.roll(quad_px, shift=2, axis=0)


def whole_view(frame_bgr: Bgr, quad_px: Points) -> Bgr:
    """Return the whole card, 64 by 96 px, with a little of what is around it."""
    return _region_view(frame_bgr, quad_px, WHOLE_REGION, WHOLE_WH)


def corner_view(frame_bgr: Bgr, quad_px: Points) -> Bgr:
    """Return the top-left corner with its index, 48 by 72 px."""
    return _region_view(frame_bgr, quad_px, CORNER_REGION, CORNER_WH)


def refine_view(frame_bgr: Bgr, quad_px: Points) -> tuple[Bgr, Points]:
    """Return the surroundings of an approximate quad, and the homography from that picture to the frame."""
    left, top, right, bottom = REFINE_BOX
    box = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float64)
    return _warp(frame_bgr, box, quad_px, REFINE_WH)


def _region_view(frame_bgr: Bgr, quad_px: Points, region: tuple[float, ...], size_wh: tuple[int, int]) -> Bgr:
    left, top, right, bottom = region
    scale = np.array(size_wh) / np.array([right - left, bottom - top])
    return _warp(frame_bgr, (_UNIT - np.array([left, top])) * scale, quad_px, size_wh)[0]


def _warp(frame_bgr: Bgr, view_points: Points, frame_points: Points, size_wh: tuple[int, int]) -> tuple[Bgr, Points]:
    """Return the view in which ``frame_points`` lie at ``view_points``, free of aliasing, and the map to the frame."""
    to_frame = np.asarray(
        cv2.getPerspectiveTransform(view_points.astype(np.float32), frame_points.astype(np.float32)), np.float64
    )
    width, height = size_wh
    outline = cv2.perspectiveTransform(
        np.array([[[0, 0], [width, 0], [width, height], [0, height]]], np.float64), to_frame
    )[0]
    part, offset, shrink = _source(frame_bgr, outline, size_wh)
    to_part = (
        np.diag([shrink, shrink, 1.0]) @ np.array([[1, 0, -offset[0]], [0, 1, -offset[1]], [0, 0, 1.0]]) @ to_frame
    )
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    view = cv2.warpPerspective(part, to_part, size_wh, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(view, np.uint8), to_frame


def _source(frame_bgr: Bgr, outline: Points, size_wh: tuple[int, int]) -> tuple[Bgr, tuple[int, int], float]:
    """Return the part of the frame under the outline, shrunk if the view is coarser; its offset and the shrinking."""
    frame_height, frame_width = frame_bgr.shape[:2]
    low = np.clip(np.floor(outline.min(axis=0)) - 2, 0, [frame_width - 2, frame_height - 2]).astype(int)
    high = np.clip(np.ceil(outline.max(axis=0)) + 3, low + 2, [frame_width, frame_height]).astype(int)
    part = frame_bgr[low[1] : high[1], low[0] : high[0]]
    edges = np.linalg.norm(outline - np.roll(outline, shift=-1, axis=0), axis=1)
    wide, tall = max(edges[0], edges[2]) / size_wh[0], max(edges[1], edges[3]) / size_wh[1]
    shrink = 1.0 / max(1.0, min(wide, tall))
    if shrink < _WORTH_SHRINKING:
        size = [max(1, round(side * shrink)) for side in part.shape[1::-1]]
        part = np.asarray(cv2.resize(part, dsize=size, interpolation=cv2.INTER_AREA), np.uint8)
        return part, (int(low[0]), int(low[1])), shrink
    return part, (int(low[0]), int(low[1])), 1.0
