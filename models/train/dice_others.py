"""What is no die and looks a little like one: chips from above, pips of cards, parts of dice."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.chip_geometry import Floats
from models.train.chip_scenes import as_filmed
from models.train.dice_throws import random_throw, surface

_DIAMOND: Final = ((0, -0.5), (0.4, 0), (0, 0.5), (-0.4, 0))
_HEART: Final = ((-0.45, -0.1), (0.45, -0.1), (0, 0.5))
"""Points of a pip in its size, the lobes of a heart left out."""


def no_die(rng: np.random.Generator) -> tuple[NDArray[np.uint8], Floats]:
    """Return a picture and a box (4, 2) in it that holds no whole die: a chip, pips of a card, part of a die."""
    kind = rng.random()
    if kind < 0.3:
        throw = random_throw(rng)
        if throw.dice:
            return throw.frame_bgr, _part_of(throw.dice[0].outline, rng)
    side = int(np.exp(rng.uniform(*np.log((14, 64)))))
    frame = surface((3 * side, 3 * side), rng)
    if kind < 0.6:
        _chip(frame, side, rng)
    elif kind < 0.85:
        _card(frame, side, rng)
    middle = 1.5 * side + rng.normal(0, 0.06, 2) * side
    half = 0.5 * side * rng.uniform(0.85, 1.2)
    return as_filmed(frame, rng), middle + half * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])


def _part_of(outline: Floats, rng: np.random.Generator) -> Floats:
    """A box as large as a pip or two, somewhere on a die."""
    low, high = outline.min(axis=0), outline.max(axis=0)
    half = float((high - low).max()) * rng.uniform(0.07, 0.14)
    middle = (low + high) / 2 + rng.uniform(-0.25, 0.25, 2) * (high - low)
    return np.asarray(middle + half * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]))


def _chip(frame: NDArray[np.uint8], side: int, rng: np.random.Generator) -> None:
    """A chip from above, which has round marks as dice have: edge spots, rings, an inlay with a number."""
    centre, radius = (int(1.5 * side), int(1.5 * side)), side / 2
    squeezed = rng.uniform(0.6, 1.0)
    tones = [[float(v) for v in rng.uniform(10, 250, 3)] for _ in range(4)]

    def disc(share: float, tone: list[float], thickness: int = -1) -> None:
        axes = (max(1, round(radius * share)), max(1, round(radius * share * squeezed)))
        cv2.ellipse(frame, centre, axes, 0, 0, 360, tone, thickness=thickness, lineType=cv2.LINE_AA)

    disc(1.0, tones[0])
    count = int(rng.integers(3, 9))
    for turn in rng.uniform(0, np.pi) + np.arange(count) * 2 * np.pi / count:
        at = (
            round(centre[0] + 0.85 * radius * np.cos(turn)),
            round(centre[1] + 0.85 * radius * squeezed * np.sin(turn)),
        )
        cv2.circle(frame, at, max(1, round(radius * 0.12)), tones[1], thickness=-1, lineType=cv2.LINE_AA)
    disc(float(rng.uniform(0.4, 0.7)), tones[2])
    if rng.random() < 0.5:
        disc(float(rng.uniform(0.1, 0.4)), tones[3], -1 if rng.random() < 0.6 else 1)
    else:
        text, where = str(rng.choice(["1", "5", "25", "100", "$"])), (centre[0] - side // 6, centre[1] + side // 8)
        font, thick = cv2.FONT_HERSHEY_DUPLEX, max(1, side // 30)
        cv2.putText(frame, text, org=where, fontFace=font, fontScale=side / 90, color=tones[3], thickness=thick)


def _card(frame: NDArray[np.uint8], side: int, rng: np.random.Generator) -> None:
    """Pips of a card: one or some in rows, of circles that meet, on white that fills the picture or ends in it."""
    edge = int(rng.uniform(-0.5, 0.9) * side)
    cv2.rectangle(frame, (edge, edge), (3 * side, 3 * side), (238.0, 240.0, 242.0), thickness=-1)
    ink = (30.0, 25.0, 190.0) if rng.random() < 0.5 else (25.0, 22.0, 22.0)
    size = side * rng.uniform(0.15, 0.6)
    step = size * rng.uniform(1.2, 2.2)
    across = (-1, 0, 1) if rng.random() < 0.5 else (0,)
    for column in across:
        for row in (-1, 0, 1) if rng.random() < 0.6 else (0,):
            at = (1.5 * side + column * step, 1.5 * side + row * step)
            _suit(frame, at, size, ink, diamond=bool(rng.random() < 0.3))


def _suit(
    frame: NDArray[np.uint8], at: tuple[float, float], size: float, ink: tuple[float, float, float], *, diamond: bool
) -> None:
    tip = _DIAMOND if diamond else _HEART
    points = np.round(np.array(at) + np.array(tip) * size).astype(np.int32)
    cv2.fillConvexPoly(frame, points=points, color=ink, lineType=cv2.LINE_AA)
    for lobe in () if diamond else (-0.22, 0.22):
        middle = (round(at[0] + lobe * size), round(at[1] - 0.2 * size))
        cv2.circle(frame, middle, max(1, round(0.25 * size)), ink, thickness=-1, lineType=cv2.LINE_AA)
