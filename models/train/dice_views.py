"""Views of drawn dice as the reader gets them, with what they show."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.dice_reader import DICE_COLOURS, die_view
from models.train.chip_crops import detector_box
from models.train.dice import dice_picture
from models.train.dice_others import no_die
from models.train.dice_table import table_throw
from models.train.dice_throws import Throw, held_box, random_throw

_NO_DIE: Final = 0.4  # of the throws: as many other things
Arrays = dict[str, NDArray[Any]]
"""``view`` (n, DIE_PX, DIE_PX, 3) of 8 bits, ``value`` (n,), 0 for no die, and ``colour`` (n,), -1 for none told."""


def flat_views(rng: np.random.Generator, count: int) -> Arrays:
    """Draw views of flat dice."""
    views: list[NDArray[np.uint8]] = []
    values, colours = [], []
    while len(views) < count:
        frame, dice = dice_picture(rng)
        for die in dice:
            up = np.array([np.sin(die.roll), -np.cos(die.roll)]) if rng.random() < 0.6 else np.array([0.0, -1.0])
            views.append(die_view(frame, detector_box(die.outline, die.roll, rng), up))
            values.append(die.value)
            colours.append(DICE_COLOURS.index(die.colour))
        if rng.random() < 0.15:
            corner = rng.uniform(0, frame.shape[0] * 0.2, (2,))
            side = rng.uniform(0.1, 0.25) * frame.shape[0]
            blank = np.array([[0, 0], [side, 0], [side, side], [0, side]]) + corner
            hidden = frame.copy()
            hidden[:] = cv2.resize(frame[: frame.shape[0] // 5], dsize=frame.shape[1::-1])
            views.append(die_view(hidden, blank, np.array([0.0, -1.0])))
            values.append(0)
            colours.append(-1)
    return {"view": np.stack(views), "value": np.array(values), "colour": np.array(colours)}


def solid_views(rng: np.random.Generator, count: int) -> Arrays:
    """Draw views of solid dice, two of each, and of what is none."""
    return _thrown_views(rng, count, random_throw, _NO_DIE)


def table_views(rng: np.random.Generator, count: int) -> Arrays:
    """Draw views of dice as the camera of a table sees them, two of each, and of a little that is none."""
    return _thrown_views(rng, count, table_throw, _NO_DIE / 4)


def _thrown_views(
    rng: np.random.Generator, count: int, throws: Callable[[np.random.Generator], Throw], no_dice: float
) -> Arrays:
    rows: list[tuple[NDArray[np.uint8], int, int]] = []
    while len(rows) < count:
        throw = throws(rng)
        for die, _ in product(throw.dice, range(2)):
            box = held_box(die.outline, rng) if throw.held else detector_box(die.outline, die.roll, rng)
            upright = throw.held or rng.random() < 0.4
            up = np.array([0.0, -1.0]) if upright else np.array([np.sin(die.roll), -np.cos(die.roll)])
            colour = -1 if die.colour is None else DICE_COLOURS.index(die.colour)
            rows.append((die_view(throw.frame_bgr, box, up), die.value, colour))
        if rng.random() < no_dice:
            frame, box = no_die(rng)
            rows.append((die_view(frame, box, np.array([0.0, -1.0])), 0, -1))
    views, values, colours = zip(*rows, strict=True)
    return {"view": np.stack(views), "value": np.array(values), "colour": np.array(colours)}
