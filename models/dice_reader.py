"""Reads dice: the top face and the colour, from a box around the whole die.

The picture is turned so that the vertical points up; then the top face is the uppermost one. A die is read only if it
is nearly certain.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.chip_decode import softmax
from models.chip_geometry import Floats, SeesPoints, upward
from models.trained import DICE_WEIGHTS, SUMS, check_files, compiled, read_manifest

DICE_COLOURS: Final = ("white", "red", "black", "blue", "green", "yellow")
DIE_PX: Final = 40
_FILES: Final = ("die.xml", "die.bin", "calibration.json")
_MARGIN: Final = 1.25
_MANY: Final = 64
_QUARTERS: Final = ((0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0))  # which way is up, the picture's first


@dataclass(frozen=True, slots=True, kw_only=True)
class DieReading:
    """What one box of a die shows.

    ``value``: 1 to 6, None if not certain. ``candidates``: calibrated probabilities of the faces, together at most 1;
    the rest is "no readable die". ``colour`` (None: not certain) with the probability of the likeliest one.
    """

    value: int | None
    candidates: Mapping[int, float]
    colour: str | None
    colour_p: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceLooks:
    """What boxes of dice show; each row is calibrated and sums to 1.

    ``upright``: faces (n, 7), the first one "no readable die"; ``turned``: the mean of them over the four quarter
    turns; ``colours`` (n, 6) as in ``DICE_COLOURS``.
    """

    upright: NDArray[np.float64]
    turned: NDArray[np.float64]
    colours: NDArray[np.float64]


class DiceReader:
    """Reads dice with the trained network; one instance per process.

    Raises:
        WeightsError: if a weight file is missing or differs from its SHA-256.
    """

    def __init__(self, weights: Path = DICE_WEIGHTS) -> None:
        check_files(weights, _FILES, read_manifest(weights / SUMS, made_by="models.train.dice_reader"))
        self._weights = weights
        self._calibration: Mapping[str, Any] = json.loads((weights / "calibration.json").read_text(encoding="utf-8"))

    def read(
        self, frame_bgr: NDArray[np.uint8], polygons_px: NDArray[Any], camera: SeesPoints | None = None
    ) -> list[DieReading]:
        """Return a reading for every box (n, 4, 2), in order; without a camera the picture's vertical is up."""
        boxes = np.asarray(polygons_px, dtype=np.float64).reshape(-1, 4, 2)
        readings: list[DieReading] = []
        for first in range(0, len(boxes), _MANY):
            some = boxes[first : first + _MANY]
            views = np.stack([die_view(frame_bgr, box, _up(box, camera)) for box in some])
            planes = np.ascontiguousarray(views.transpose(0, 3, 1, 2), dtype=np.float32)
            values, colours = self._network([planes]).values()
            readings += [self._reading(*one) for one in zip(values, colours, strict=True)]
        return readings

    def look(self, frame_bgr: NDArray[np.uint8], polygons_px: NDArray[Any]) -> DiceLooks:
        """Return what every box (n, 4, 2) shows upright and turned, in a picture of no known camera."""
        boxes = np.asarray(polygons_px, dtype=np.float64).reshape(-1, 4, 2)
        faces, colours = [], []
        for up in _QUARTERS:
            views = np.stack([die_view(frame_bgr, box, np.array(up)) for box in boxes])
            values, tones = self._network([np.ascontiguousarray(views.transpose(0, 3, 1, 2), np.float32)]).values()
            faces.append([softmax(row, temperature=self._calibration["temperature"]) for row in values])
            colours.append([softmax(row, temperature=self._calibration["colour_temperature"]) for row in tones])
        turns = np.array(faces)
        return DiceLooks(upright=turns[0], turned=turns.mean(axis=0), colours=np.array(colours[0]))

    @cached_property
    def _network(self) -> Any:
        return compiled(self._weights / "die.xml")

    def _reading(self, values: NDArray[np.float32], colours: NDArray[np.float32]) -> DieReading:
        rule = self._calibration
        faces = softmax(values, temperature=rule["temperature"])
        tones = softmax(colours, temperature=rule["colour_temperature"])
        best, tone = int(faces.argmax()), int(tones.argmax())
        return DieReading(
            value=best if best and faces[best] >= rule["read_at"] else None,
            candidates={face: float(faces[face]) for face in range(1, 7) if faces[face] > rule["least"]},
            colour=DICE_COLOURS[tone] if tones[tone] >= rule["colour_read_at"] else None,
            colour_p=float(tones[tone]),
        )


def die_view(frame_bgr: NDArray[np.uint8], polygon_px: Floats, up: Floats) -> NDArray[np.uint8]:
    """Return the square (DIE_PX, DIE_PX, 3) around a die's box, turned so that ``up`` points up."""
    low, high = polygon_px.min(axis=0), polygon_px.max(axis=0)
    sides = np.linalg.norm(np.diff(polygon_px, axis=0, append=polygon_px[:1]), axis=1)
    middle, side = (low + high) / 2, float(sides.max()) * _MARGIN
    right = np.array([-up[1], up[0]])
    finer = int(np.clip(round(side / DIE_PX), 1, 4))
    step = side / (DIE_PX * finer)
    corner = middle + (up - right) * side / 2
    matrix = np.column_stack([right * step, -up * step, corner + (right - up) * step / 2])
    view = cv2.warpAffine(
        frame_bgr,
        matrix,
        dsize=(DIE_PX * finer, DIE_PX * finer),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(cv2.resize(view, dsize=(DIE_PX, DIE_PX), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _up(polygon_px: Floats, camera: SeesPoints | None) -> Floats:
    """The vertical in the picture; a die's box says nothing of it, so the picture's where there is no camera."""
    return np.array([0.0, -1.0]) if camera is None else upward(polygon_px, camera)
