"""Finds dice where dice may lie: in a part of the picture, at the scale at which a die is about 22 pixels wide.

A table camera shows dice as a few pixels among print, cups and hands; the detector of everything takes them for chips.
This network knows dice alone and sees them at one scale, since a profile's camera, or trying several scales, tells it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.chip_geometry import Floats
from models.sighting import Box
from models.trained import DICE_WEIGHTS, SUMS, check_files, compiled, read_manifest

DIE_MM: Final = 17.0
DIE_PX: Final = 22.0
"""How long a die's edge is in the network's input."""
STRIDE: Final = 4
WINDOW: Final = 160
LEAST: Final = 0.4
_FILES: Final = ("finder.xml", "finder.bin")
_OVERLAP: Final = 48
_SAME_PX: Final = 0.55 * DIE_PX  # two dice cannot be so near each other


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundDie:
    """A die: the upright box (4, 2) around the whole of it in pixels of the picture, and how sure that is."""

    polygon_px: Floats
    confidence: float


class DiceFinder:
    """Finds dice with the trained network; one instance per process.

    Raises:
        WeightsError: if a weight file is missing or differs from its SHA-256.
    """

    def __init__(self, weights: Path = DICE_WEIGHTS) -> None:
        check_files(weights, _FILES, read_manifest(weights / SUMS, made_by="models.train.dice_finder"))
        self._weights = weights

    @cached_property
    def _network(self) -> Any:
        return compiled(self._weights / "finder.xml")

    def find(self, frame_bgr: NDArray[np.uint8], region: Box, die_px: float) -> list[FoundDie]:
        """Return the dice whose middle lies in a region, the surest first.

        Args:
            frame_bgr: the whole picture.
            region: x0, y0, x1, y1 in pixels.
            die_px: how long a die's edge is there.
        """
        scale = DIE_PX / max(die_px, 1.0)
        x0, y0, x1, y1 = region
        columns, rows = (max(1, round(side * scale)) for side in (x1 - x0, y1 - y0))
        matrix = np.array([[1 / scale, 0, x0 + 0.5 / scale - 0.5], [0, 1 / scale, y0 + 0.5 / scale - 0.5]])
        soft = frame_bgr if scale >= 1 else cv2.GaussianBlur(frame_bgr, ksize=(0, 0), sigmaX=0.4 / scale)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        size = (max(columns, WINDOW), max(rows, WINDOW))
        view = cv2.warpAffine(soft, matrix, dsize=size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
        found = _apart([row for start in _windows(size) for row in self._in_window(view, start)])
        inside = [row for row in found if row[0] <= columns and row[1] <= rows]
        return [_as_die(row, scale, (x0, y0)) for row in inside]

    def _in_window(self, view: NDArray[np.uint8], start: tuple[int, int]) -> list[Floats]:
        """Rows (x, y, left, top, right, bottom, confidence) in pixels of the view; the sides are distances."""
        x, y = start
        part = np.ascontiguousarray(view[y : y + WINDOW, x : x + WINDOW].transpose(2, 0, 1)[None], dtype=np.float32)
        (answer,) = self._network([part]).values()
        chances = 1 / (1 + np.exp(-answer[0, 0].astype(np.float64)))
        peaks = (chances >= LEAST) & (chances >= cv2.dilate(chances, np.ones((3, 3))))
        rows = []
        for row, column in zip(*np.nonzero(peaks), strict=True):
            sides = answer[0, 1:, row, column].astype(np.float64) * DIE_PX
            middle = [x + (column + 0.5) * STRIDE, y + (row + 0.5) * STRIDE]
            rows.append(np.array([*middle, *sides, chances[row, column]]))
        return rows


def _windows(size: tuple[int, int]) -> list[tuple[int, int]]:
    """Upper left corners of the windows that cover a view."""
    columns, rows = (
        sorted({min(start, side - WINDOW) for start in range(0, max(1, side - _OVERLAP), WINDOW - _OVERLAP)})
        for side in size
    )
    return list(product(columns, rows))


def _apart(rows: list[Floats]) -> list[Floats]:
    """The surest of rows whose boxes' middles lie nearly in one place."""
    kept: list[Floats] = []
    for row in sorted(rows, key=lambda one: -one[6]):
        if all(np.hypot(*(_middle(row) - _middle(other))) >= _SAME_PX for other in kept):
            kept.append(row)
    return kept


def _middle(row: Floats) -> Floats:
    return np.array([row[0] + (row[4] - row[2]) / 2, row[1] + (row[5] - row[3]) / 2])


def _as_die(row: Floats, scale: float, origin: tuple[float, float]) -> FoundDie:
    x, y, left, top, right, bottom, confidence = row
    corners = np.array([[x - left, y - top], [x + right, y - top], [x + right, y + bottom], [x - left, y + bottom]])
    return FoundDie(polygon_px=corners / scale + np.asarray(origin), confidence=float(confidence))
