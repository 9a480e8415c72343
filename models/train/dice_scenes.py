"""Places where dice lie, as a table camera shows them: on felt or on a dish, beside a cup, print and hands.

Also places without dice, and pictures of other things of the table, so that the finder knows what is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.chip_geometry import Floats, FootCamera
from models.dice_finder import DIE_PX, WINDOW
from models.train.chip_scenes import as_filmed, felt_picture, random_scene
from models.train.chip_styles import FAMILIES
from models.train.dice import DiceDesign, draw_die, random_design

_SKIN: Final = ((130, 160, 215), (90, 120, 180), (60, 80, 120), (30, 25, 25), (235, 235, 235))
_APART: Final = 1.12  # sides
_HIDDEN: Final = 0.4  # of its box: no longer to be found
_DICE: Final = (0.12, 0.2, 0.33, 0.25, 0.05, 0.05)
"""Shares of scenes with 0, 1, 2 … dice."""

Scene = tuple[NDArray[np.uint8], NDArray[np.float32]]
"""A picture (WINDOW, WINDOW, 3) and the boxes (n, 4) of its dice: x0, y0, x1, y1."""


def dice_scene(rng: np.random.Generator, others: Sequence[NDArray[np.uint8]] = ()) -> Scene:
    """Return a scene; now and then a part of one of the other pictures, in which there are no dice."""
    if others and rng.random() < 0.12:
        return as_filmed(_part(others[int(rng.integers(len(others)))], rng), rng), np.zeros((0, 4), np.float32)
    if rng.random() < 0.06:
        frame = random_scene(rng, families=FAMILIES).frame_bgr
        return _part(frame, rng), np.zeros((0, 4), np.float32)
    design = random_design(rng)
    camera = _camera(rng, design.side_mm)
    frame = felt_picture((WINDOW, WINDOW), rng)
    height = 0.0
    if rng.random() < 0.5:
        height = float(rng.uniform(2, 16))
        dish(frame, camera, height, rng)
    raised = replace(camera, foot_px=camera.to_pixels(np.array([[0.0, 0.0, height]]))[0])
    boxes = []
    for place in sorted(_places(rng, design.side_mm), key=lambda at: -at[1]):
        own = design if rng.random() < 0.6 else _like(random_design(rng), design)
        boxes.append(_box(draw_die(frame, raised, np.array(place), own, rng).outline))
    if rng.random() < 0.3:
        _cup(frame, camera, rng)
    hidden = np.zeros(frame.shape[:2], np.uint8)
    if rng.random() < 0.15:
        _hand(frame, hidden, rng)
    seen = [box for box in boxes if _is_seen(box, hidden)]
    return as_filmed(frame, rng), np.array(seen, np.float32).reshape(-1, 4)


def _camera(rng: np.random.Generator, side_mm: float) -> FootCamera:
    elevation = np.radians(rng.uniform(30, 88))
    return FootCamera(
        foot_px=np.array([WINDOW / 2, WINDOW / 2]) + rng.uniform(-35, 35, 2),
        px_per_mm=DIE_PX / side_mm * float(np.exp(rng.normal(0, 0.15))),
        sine=float(np.sin(elevation)),
        cosine=float(np.cos(elevation)),
        roll=float(rng.normal(0, 0.1)),
        distance_mm=float(rng.uniform(600, 2500)),
    )


def _places(rng: np.random.Generator, side_mm: float) -> list[tuple[float, float]]:
    wanted, reach = int(rng.choice(len(_DICE), p=_DICE)), side_mm * rng.uniform(1.3, 3.2)
    return lying_apart(rng, wanted=wanted, side_mm=side_mm, reach=reach)


def lying_apart(rng: np.random.Generator, *, wanted: int, side_mm: float, reach: float) -> list[tuple[float, float]]:
    """Return up to ``wanted`` places (right, away) of dice that do not touch, each no further out than ``reach``."""
    places: list[tuple[float, float]] = []
    for _ in range(40):
        if len(places) == wanted:
            break
        place = tuple(float(v) for v in rng.uniform(-reach, reach, 2))
        if all(np.hypot(place[0] - x, place[1] - y) > _APART * side_mm for x, y in places):
            places.append((place[0], place[1]))
    return places


def _like(design: DiceDesign, other: DiceDesign) -> DiceDesign:
    """A design in the size of another: dice that lie together are of one size."""
    return replace(design, side_mm=other.side_mm)


def _box(outline: Floats) -> list[float]:
    (x0, y0), (x1, y1) = outline.min(axis=0), outline.max(axis=0)
    return [float(x0), float(y0), float(x1), float(y1)]


def _is_seen(box: list[float], hidden: NDArray[np.uint8]) -> bool:
    """Whether a die's middle is in the picture and most of it is not hidden."""
    x0, y0, x1, y1 = (round(side) for side in box)
    inside = 2 < (x0 + x1) / 2 < WINDOW - 2 and 2 < (y0 + y1) / 2 < WINDOW - 2
    part = hidden[max(y0, 0) : max(y1, 0), max(x0, 0) : max(x1, 0)]
    return inside and part.size > 0 and float((part > 0).mean()) < _HIDDEN


def _ellipse(camera: FootCamera, radius: float, height: float, at: Floats | None = None) -> NDArray[np.int32]:
    turn = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    x, y = (0.0, 0.0) if at is None else (float(at[0]), float(at[1]))
    ring = np.column_stack([radius * np.cos(turn) + x, radius * np.sin(turn) + y, np.full(48, height)])
    return np.round(camera.to_pixels(ring)).astype(np.int32)


def dish(frame: NDArray[np.uint8], camera: FootCamera, height: float, rng: np.random.Generator) -> None:
    """Draw a flat dish of any colour, often with a rim."""
    radius = float(rng.uniform(38, 75))
    side = rng.uniform(10, 140, 3)
    levels = [_ellipse(camera, radius, level) for level in (0.0, height)]
    hull = cv2.convexHull(np.vstack(levels))
    cv2.fillConvexPoly(frame, points=hull, color=[float(v) for v in side], lineType=cv2.LINE_AA)
    floor = [float(v) for v in rng.uniform(5, 200, 3)]
    cv2.fillConvexPoly(frame, points=levels[1], color=floor, lineType=cv2.LINE_AA)
    if rng.random() < 0.6:
        rim = [float(v) for v in rng.uniform(20, 230, 3)]
        cv2.polylines(frame, [levels[1]], isClosed=True, color=rim, thickness=int(rng.integers(1, 5)))


def _cup(frame: NDArray[np.uint8], camera: FootCamera, rng: np.random.Generator) -> None:
    """A cup or cover, standing beside or over the dice's place."""
    radius, high = float(rng.uniform(32, 55)), float(rng.uniform(40, 95))
    around = rng.uniform(0, 2 * np.pi)
    at = np.array([np.cos(around), np.sin(around)]) * rng.uniform(2.0, 2.6) * radius
    tone, taper = rng.uniform(10, 190, 3), float(rng.uniform(0.0, 0.9))
    steps = 14
    for step in range(steps + 1):
        level = step / steps
        wide = radius * (1 - taper * level**3)
        colour = [float(v) for v in np.clip(tone * (0.55 + 0.6 * level), 0, 255)]
        cv2.fillConvexPoly(frame, points=_ellipse(camera, wide, level * high, at), color=colour, lineType=cv2.LINE_AA)
    if rng.random() < 0.4:
        knob = [float(v) for v in rng.uniform(60, 240, 3)]
        cv2.fillConvexPoly(frame, points=_ellipse(camera, radius * 0.2, high + 8, at), color=knob)


def _hand(frame: NDArray[np.uint8], hidden: NDArray[np.uint8], rng: np.random.Generator) -> None:
    """Fingers or a sleeve that come into the picture."""
    skin = np.array(_SKIN[int(rng.integers(len(_SKIN)))])
    end, around = rng.uniform(0, WINDOW, 2), rng.uniform(0, 2 * np.pi)
    root = end + np.array([np.cos(around), np.sin(around)]) * 200
    for _ in range(int(rng.integers(1, 4))):
        colour = [float(v) for v in skin + rng.uniform(-12, 12, 3)]
        shift, thick = rng.uniform(-14, 14, 2), int(rng.integers(8, 34))
        first, last = ([int(v) for v in point] for point in (end + shift, root))
        for layer, value in ((frame, colour), (hidden, [255.0])):
            cv2.line(layer, first, last, value, thickness=thick, lineType=cv2.LINE_AA)


def _part(picture: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """A part of a picture at a random scale."""
    height, width = picture.shape[:2]
    side = int(min(height, width) * rng.uniform(0.25, 1.0))
    x, y = (int(rng.integers(0, max(1, room - side + 1))) for room in (width, height))
    part = picture[y : y + side, x : x + side]
    return np.asarray(cv2.resize(part, dsize=(WINDOW, WINDOW), interpolation=cv2.INTER_AREA), dtype=np.uint8)
