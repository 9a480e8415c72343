"""Where the detector looks: which parts of a picture, at which scale, go through the network."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

_SMALL: Final = 320
_LARGE: Final = 640
_OVERLAP: Final = 0.2
_BEST_CARD_PX: Final = 75.0
_COARSEST: Final = 192
_MARGIN: Final = 64  # around the coarsest look: a card that fills the picture has its rims there
_FILL: Final = (114, 114, 114)


Region = tuple[float, float, float, float]  # x0, y0, x1, y1 in pixels


@dataclass(frozen=True, kw_only=True)
class Window:
    """A rectangle of the picture, how much it is enlarged for the network, and the part of it whose objects count."""

    x0: float
    y0: float
    scale: float
    net_wh: tuple[int, int]
    keep: tuple[float, float, float, float]

    def cut(self, frame_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the window's picture (h, w, 3); grey where it reaches over the picture's edge."""
        width, height = self.net_wh
        x0, y0 = math.floor(self.x0), math.floor(self.y0)
        x1, y1 = math.ceil(self.x0 + width / self.scale), math.ceil(self.y0 + height / self.scale)
        left, top = max(0, x0), max(0, y0)
        part = frame_bgr[top : max(top, y1), left : max(left, x1)]
        if self.scale < 1:  # averaging keeps thin lines, such as a card's edge, when shrinking
            size = (max(1, round(part.shape[1] * self.scale)), max(1, round(part.shape[0] * self.scale)))
            part = cv2.resize(part, size, interpolation=cv2.INTER_AREA)
        zoom = max(1.0, self.scale)
        half = (zoom - 1) / 2  # coordinates count from a pixel's edge, warpAffine's from its middle
        left_px, top_px = (left - self.x0) * self.scale + half, (top - self.y0) * self.scale + half
        matrix = np.array([[zoom, 0, left_px], [0, zoom, top_px]], np.float64)
        laid = cv2.warpAffine(
            part, matrix, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=_FILL
        )
        return np.asarray(laid, np.uint8)

    def to_picture(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        """Map rows (n, 7) from network pixels to the picture, without those whose middle lies outside ``keep``."""
        rows = rows.copy()
        rows[:, :4] /= self.scale
        rows[:, 0] += self.x0
        rows[:, 1] += self.y0
        x, y = rows[:, 0], rows[:, 1]
        inside = (x >= self.keep[0]) & (y >= self.keep[1]) & (x <= self.keep[2]) & (y <= self.keep[3])
        return rows[inside]


def plan_whole(width: int, height: int) -> list[list[Window]]:
    """Return the passes over a whole picture, from coarse to fine; each pass is a list of windows.

    In the coarsest even a card that fills the picture is small, the finest has the picture's own resolution; steps
    between are about a factor of 2, since the network knows cards of 36 to 120 pixels.
    """
    coarsest = min(1.0, _COARSEST / max(width, height))
    steps = max(1, round(math.log2(1 / coarsest)))
    scales = [coarsest ** (1 - step / steps) for step in range(steps + 1)] if coarsest < 1 else [1.0]
    return [_tiles(width, height, scale, margin=0 if number else _MARGIN) for number, scale in enumerate(scales)]


def plan_regions(regions: Sequence[Region], width: int, height: int, card_px: float | None) -> list[Window]:
    """Return one window for each region, filled up with the picture around it."""
    windows = []
    for x0, y0, x1, y1 in regions:
        longest = max(x1 - x0, y1 - y0, 8.0)
        scale = _BEST_CARD_PX / card_px if card_px else min(1.5, _SMALL / longest)
        side = _SMALL if longest * scale <= _SMALL * 1.1 else _LARGE
        scale = min(scale, side / longest)
        reach = side / scale
        left = _inside((x0 + x1 - reach) / 2, reach, width)
        top = _inside((y0 + y1 - reach) / 2, reach, height)
        windows.append(Window(x0=left, y0=top, scale=scale, net_wh=(side, side), keep=(x0, y0, x1, y1)))
    return windows


def _inside(start: float, reach: float, size: int) -> float:
    """Push an interval back into the picture as far as it fits."""
    return start if reach >= size else min(max(start, 0.0), size - reach)


def _tiles(width: int, height: int, scale: float, *, margin: int = 0) -> list[Window]:
    """Return overlapping windows that cover the picture; what lies in two belongs to the nearer one.

    ``margin``: pixels of the network's input that are left free around a picture that fits into one window.
    """
    net = [min(_LARGE, 32 * math.ceil(size * scale / 32) + margin) for size in (width, height)]
    windows = []
    for top, low, high in _steps(height, net[1] / scale):
        for left, first, last in _steps(width, net[0] / scale):
            windows.append(Window(x0=left, y0=top, scale=scale, net_wh=(net[0], net[1]), keep=(first, low, last, high)))
    return windows


def _steps(size: int, reach: float) -> list[tuple[float, float, float]]:
    """Return (start, first, last) of the intervals that cover a length: they overlap, what counts of each does not."""
    if size <= reach:
        return [((size - reach) / 2, 0.0, float(size))]
    count = math.ceil((size - reach * _OVERLAP) / (reach * (1 - _OVERLAP)))
    starts = [k * (size - reach) / (count - 1) for k in range(count)]
    cuts = [0.0] + [(a + reach + b) / 2 for a, b in pairwise(starts)] + [float(size)]
    return [(start, cuts[k], cuts[k + 1]) for k, start in enumerate(starts)]
