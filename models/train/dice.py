"""Dice on a felt, drawn in the perspective of a camera above the table, with their truth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.chip_geometry import Floats, FootCamera
from models.dice_reader import DICE_COLOURS
from models.train.chip_scenes import as_filmed, felt_picture

_FACE_PX: Final = 64
PLACES: Final[dict[int, tuple[tuple[int, int], ...]]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (0, -1), (1, -1), (-1, 1), (0, 1), (1, 1)),
}
"""Where the pips of a face are: across and down, from its middle."""
_BODIES: Final[dict[str, tuple[tuple[int, int, int], ...]]] = {  # BGR tones
    "white": ((240, 242, 245), (215, 230, 238), (200, 222, 235), (150, 200, 225)),
    "red": ((35, 30, 200), (30, 25, 150), (60, 50, 220), (40, 40, 120)),
    "black": ((30, 30, 32), (55, 50, 50), (20, 18, 18)),
    "blue": ((190, 90, 40), (140, 60, 25), (220, 150, 70)),
    "green": ((70, 150, 50), (60, 110, 30), (110, 180, 90)),
    "yellow": ((40, 190, 235), (60, 215, 245), (30, 150, 225)),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnDie:
    """A die in a picture: its top face, colour (None: without a name), whole outline (n, 2), the picture's vertical."""

    value: int
    colour: str | None
    outline: Floats
    roll: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceDesign:
    """How dice look: tones (3,) of body and pips, sizes in shares of a side, how clear and how rounded they are."""

    body: Floats
    pip: Floats
    red_one: bool
    pip_size: float
    inset: float
    clear: float
    rounding: float
    side_mm: float
    colour: str


def dice_picture(rng: np.random.Generator) -> tuple[NDArray[np.uint8], list[DrawnDie]]:
    """Return a small picture of one to three dice, as filmed."""
    elevation = np.radians(rng.uniform(32, 90))
    side_px = float(np.exp(rng.uniform(np.log(11), np.log(60))))
    design = random_design(rng)
    scale, size = side_px / design.side_mm, int(side_px * 6)
    camera = FootCamera(
        foot_px=np.array([size / 2, size / 2]) + rng.uniform(-0.3, 0.3, 2) * side_px,
        px_per_mm=scale,
        sine=float(np.sin(elevation)),
        cosine=float(np.cos(elevation)),
        roll=float(rng.normal(0, 0.12)),
        distance_mm=float(rng.uniform(350, 2500)),
    )
    frame = felt_picture((size, size), rng)
    dice = []
    for place in sorted(_places(rng, design.side_mm), key=lambda at: -at[1]):
        own = design if rng.random() < 0.7 else random_design(rng)
        dice.append(draw_die(frame, camera, np.array(place), own, rng))
    return as_filmed(frame, rng), dice


def _places(rng: np.random.Generator, side_mm: float) -> list[tuple[float, float]]:
    places = [(0.0, 0.0)]
    for _ in range(int(rng.choice(3, p=[0.4, 0.35, 0.25]))):
        around, reach = rng.uniform(0, 2 * np.pi), side_mm * rng.uniform(1.15, 2.2)
        place = (float(reach * np.cos(around)), float(reach * np.sin(around)))
        if all(np.hypot(place[0] - x, place[1] - y) > 1.12 * side_mm for x, y in places):
            places.append(place)
    return places


def random_design(rng: np.random.Generator) -> DiceDesign:
    """Return dice of any colour, opaque or clear."""
    colour = str(rng.choice(DICE_COLOURS))
    tones = _BODIES[colour]
    body = np.array(tones[int(rng.integers(len(tones)))]) + rng.uniform(-14, 14, 3)
    dark_pips = body.mean() > 130 or (colour == "yellow" and rng.random() < 0.8)
    pip = np.array([25.0, 25.0, 28.0]) if dark_pips else np.array([235.0, 240.0, 242.0])
    if dark_pips and rng.random() < 0.15:
        pip = np.array([[40.0, 30.0, 190.0], [170.0, 60.0, 30.0]][int(rng.integers(2))])
    return DiceDesign(
        body=body.clip(0, 255),
        pip=pip,
        red_one=dark_pips and rng.random() < 0.2,
        pip_size=float(rng.uniform(0.07, 0.125)),
        inset=float(rng.uniform(0.22, 0.28)),
        clear=float(rng.uniform(0.1, 0.45)) if rng.random() < 0.3 and colour != "black" else 0.0,
        rounding=float(rng.choice([0.03, 0.08, 0.16, 0.24])),
        side_mm=float(rng.uniform(12, 20)),
        colour=colour,
    )


def _face(value: int, design: DiceDesign, rng: np.random.Generator) -> NDArray[np.uint8]:
    """One face as BGRA with rounded corners; two, three and six lie either way."""
    face = np.zeros((_FACE_PX, _FACE_PX, 4), np.uint8)
    radius = int(design.rounding * 0.8 * _FACE_PX)
    body = (*(float(v) for v in design.body), 255.0)
    cv2.rectangle(face, (radius, radius), (_FACE_PX - 1 - radius, _FACE_PX - 1 - radius), body, thickness=-1)
    if radius:
        cv2.rectangle(
            face, (radius, radius), (_FACE_PX - 1 - radius, _FACE_PX - 1 - radius), body, thickness=2 * radius
        )
    turn = rng.random() < 0.5
    big = 1.9 if value == 1 and rng.random() < 0.2 else 1.0
    ink = np.array([40.0, 35.0, 200.0]) if design.red_one and value in (1, 4) else design.pip
    for across, down in PLACES[value]:
        x, y = (down, -across) if turn else (across, down)
        middle = tuple(round((0.5 + step * (0.5 - design.inset)) * _FACE_PX) for step in (x, y))
        size = max(2, round(design.pip_size * big * _FACE_PX))
        cv2.circle(face, middle, size, (*(float(v) for v in ink), 255.0), thickness=-1, lineType=cv2.LINE_AA)
    return face


def draw_die(
    frame: NDArray[np.uint8], camera: FootCamera, place: Floats, design: DiceDesign, rng: np.random.Generator
) -> DrawnDie:
    """Draw a die at a place (right, away) in millimetres, turned anyhow."""
    turns = rng.uniform(0, np.pi / 2) + np.arange(4) * np.pi / 2
    feet = place + np.column_stack([np.cos(turns), np.sin(turns)]) * design.side_mm / np.sqrt(2)
    low = camera.to_pixels(np.column_stack([feet, np.zeros(4)]))
    high = camera.to_pixels(np.column_stack([feet, np.full(4, design.side_mm)]))
    outline = cv2.convexHull(np.vstack([low, high]).astype(np.float32))[:, 0].astype(np.float64)
    px = design.side_mm * camera.px_per_mm
    _shadow(frame, low + rng.normal(0, 0.2, 2) * px, px, rng)
    lit = rng.uniform(0.9, 1.08)
    _rounded(frame, outline, design.body * lit * rng.uniform(0.6, 0.85), int(design.rounding * px * 0.7))
    value = int(rng.integers(1, 7))
    sides = [int(v) for v in rng.permutation([v for v in range(1, 7) if v not in (value, 7 - value)])]
    towards = np.array([0.0, 1.0])
    for index in range(4):
        quad = np.array([high[index], high[(index + 1) % 4], low[(index + 1) % 4], low[index]])
        outward = (feet[index] + feet[(index + 1) % 4]) / 2 - place
        if outward @ towards < 0 and abs(camera.cosine) > 0.05:
            _lay(frame, _face(sides[index], design, rng), quad, rng.uniform(0.45, 0.9) * lit, design.clear)
    _lay(frame, _face(value, design, rng), high, lit, design.clear)
    if design.clear:
        _lay(frame, _face(int(rng.integers(1, 7)), design, rng), high, lit, 1 - 0.25 * design.clear)
    return DrawnDie(value=value, colour=design.colour, outline=outline, roll=camera.roll)


def _shadow(frame: NDArray[np.uint8], feet: Floats, px: float, rng: np.random.Generator) -> None:
    dark = np.zeros(frame.shape[:2], np.uint8)
    cv2.fillPoly(dark, pts=[cv2.convexHull(feet.astype(np.int32))], color=255)
    soft = cv2.GaussianBlur(dark, ksize=(0, 0), sigmaX=max(1.0, px * rng.uniform(0.04, 0.15)))
    frame[:] = frame * (1 - soft[..., None] / 255 * rng.uniform(0.1, 0.6))


def _rounded(frame: NDArray[np.uint8], outline: Floats, colour: Floats, radius: int) -> None:
    """Fill an outline, its corners rounded."""
    middle = outline.mean(axis=0)
    reach = np.linalg.norm(outline - middle, axis=1, keepdims=True)
    inner = (middle + (outline - middle) * (1 - radius / np.maximum(reach, 1))).astype(np.int32)
    shade = [float(v) for v in colour]
    cv2.fillConvexPoly(frame, points=inner, color=shade)
    if radius:
        cv2.polylines(frame, pts=[inner], isClosed=True, color=shade, thickness=max(1, int(1.6 * radius)))


def _lay(frame: NDArray[np.uint8], face: NDArray[np.uint8], quad: Floats, gain: float, clear: float) -> None:
    """Put a face on the picture, ``clear`` of it see-through."""
    corners = np.array([[0, 0], [_FACE_PX, 0], [_FACE_PX, _FACE_PX], [0, _FACE_PX]], np.float32) - 0.5
    matrix: Any = cv2.getPerspectiveTransform(corners, quad.astype(np.float32))
    left, top = np.maximum(quad.min(axis=0).astype(int) - 1, 0)
    right, bottom = np.minimum(quad.max(axis=0).astype(int) + 2, (frame.shape[1], frame.shape[0]))
    if right <= left or bottom <= top:
        return
    shift = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1]], float)
    size = (int(right - left), int(bottom - top))
    flags = cv2.INTER_AREA if size[0] < _FACE_PX else cv2.INTER_LINEAR
    seen = cv2.warpPerspective(face, shift @ matrix, dsize=size, flags=flags).astype(np.float32)
    alpha = seen[..., 3:] / 255 * (1 - clear)
    part = frame[top:bottom, left:right]
    part[:] = (part * (1 - alpha) + (seen[..., :3] * gain).clip(0, 255) * alpha).astype(np.uint8)
