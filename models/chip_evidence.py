"""What speaks at every height of a strip for a stack's foot, its rim, a line between chips, and the chips' colours.

A few dozen measurements per step (steps of brightness and colour across rows, on the near and on the far side,
distance from the felt's colour, colours across the columns) go through two small networks of one hidden layer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.chip_geometry import SIDE_COLUMNS, STEPS, STRIP_ROWS

SHAPE_MEASURES: Final = 12
WINDOW: Final = (-3, -2, -1, 0, 1, 2, 3)
COLOUR_MEASURES: Final = 19
_MIDDLE: Final = slice(2, SIDE_COLUMNS - 2)
_FELT_ROWS: Final = 10

Floats = NDArray[np.float32]


def measures(sides: NDArray[np.uint8], facts: Floats) -> tuple[Floats, Floats]:
    """Return the measurements of shape (STEPS, …) and of colour (STEPS, COLOUR_MEASURES) of one strip.

    Args:
        sides: near and far side (6, STRIP_ROWS, SIDE_COLUMNS).
        facts: what geometry tells (4, STEPS).
    """
    seen = np.asarray(sides / np.float32(255), dtype=np.float32)
    near, far = seen[:3], seen[3:]
    felt = np.median(near[:, :_FELT_ROWS], axis=(1, 2)).astype(np.float32)
    rows = np.stack(
        [
            _steepness(near, 2),
            _steepness(near, 4),
            _steepness(far, 2),
            _steepness(far, 4),
            _darkness(near),
            np.median(np.abs(near - felt[:, None, None]).sum(axis=0)[:, _MIDDLE], axis=1),
            np.median(np.abs(far - felt[:, None, None]).sum(axis=0)[:, _MIDDLE], axis=1),
            np.median(near.mean(axis=0)[:, _MIDDLE], axis=1),
        ]
    )
    rows = np.concatenate([np.sqrt(rows[:4].clip(0, 3)), rows[4:]])
    steps = rows.reshape(len(rows), STEPS, 2)
    both = np.minimum(steps[1].max(axis=1), steps[3].max(axis=1))
    shape = np.concatenate([steps[:4].max(axis=2), steps[4:].mean(axis=2), both[None], facts[:3]])
    return _windows(shape), _colours(near, felt, facts)


def _steepness(side: Floats, reach: int) -> Floats:
    """Median over the columns of the change of colour across each row, between ``reach`` rows below and above."""
    sums = np.concatenate([np.zeros((3, 1, side.shape[2]), np.float32), np.cumsum(side, axis=1)], axis=1)
    at = np.arange(STRIP_ROWS)
    low, high = np.maximum(at - reach, 0), np.minimum(at + reach, STRIP_ROWS)
    below = (sums[:, at] - sums[:, low]) / np.maximum(at - low, 1)[:, None]
    above = (sums[:, high] - sums[:, at]) / (high - at)[:, None]
    change = np.abs(above - below).sum(axis=0)
    change[0] = 0
    return np.asarray(np.median(change[:, _MIDDLE], axis=1), dtype=np.float32)


def _darkness(side: Floats) -> Floats:
    """How much darker each row is than those three above and below, median over the columns."""
    level = side.mean(axis=0)
    padded = np.pad(level, ((3, 3), (0, 0)), mode="edge")
    dark = (padded[:-6] + padded[6:]) / 2 - level
    return np.asarray(np.median(dark[:, _MIDDLE], axis=1) * 4, dtype=np.float32)


def _colours(near: Floats, felt: Floats, facts: Floats) -> Floats:
    """Quantiles of the colour across the columns of each step, the felt's colour, and tones free of brightness."""
    pairs = near.transpose(1, 2, 0)[:, _MIDDLE].reshape(STEPS, -1, 3)
    wide = np.concatenate([np.roll(pairs, 1, axis=0), pairs], axis=1) if STEPS > 1 else pairs
    ordered = np.sort(wide, axis=1)
    low, middle, high = (ordered[:, int(share * ordered.shape[1])] for share in (0.2, 0.5, 0.8))
    tone = cv2.cvtColor(middle[None], code=cv2.COLOR_BGR2Lab)[0] / 100
    hue = middle / (middle.sum(axis=1, keepdims=True) + 0.1)
    ground = np.broadcast_to(felt, (STEPS, 3))
    return np.concatenate([low, middle, high, tone, hue, ground, facts[2:3].T], axis=1).astype(np.float32)


def _windows(shape: Floats) -> Floats:
    """The measurements of each step and its neighbours (STEPS, SHAPE_MEASURES * len(WINDOW))."""
    reach = max(WINDOW)
    padded = np.pad(shape, ((0, 0), (reach, reach)), mode="edge")
    parts = [padded[:, reach + shift : reach + shift + STEPS] for shift in WINDOW]
    return np.ascontiguousarray(np.concatenate(parts).T, dtype=np.float32)


def evidence(shape: Floats, colour: Floats, weights: Mapping[str, Any]) -> Floats:
    """Return the evidence (STEPS, …) for ``models.chip_decode`` from the measurements."""
    return np.concatenate([_network(shape, weights, "shape"), _network(colour, weights, "colour")], axis=1)


def _network(values: Floats, weights: Mapping[str, Any], name: str) -> Floats:
    level = (values - weights[f"{name}.mean"]) / weights[f"{name}.spread"]
    for layer in ("first", "second"):
        level = np.maximum(level @ weights[f"{name}.{layer}.weight"].T + weights[f"{name}.{layer}.bias"], 0)
    out = level @ weights[f"{name}.last.weight"].T + weights[f"{name}.last.bias"]
    return np.asarray(out, dtype=np.float32)
