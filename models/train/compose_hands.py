"""Hands, sleeves and gloves for composed pictures: rounded limbs with simple shading."""

from __future__ import annotations

import math
from typing import Final

import cv2
import numpy as np

from models.train.compose_canvas import Points, Stage
from models.train.compose_surface import noise_patch, random_colour

_SKINS: Final = (
    (170, 200, 235),
    (140, 175, 220),
    (110, 150, 205),
    (80, 115, 170),
    (55, 80, 125),
    (40, 55, 85),
    (150, 165, 225),
)
_GLOVES: Final = ((240, 240, 240), (25, 25, 28), (150, 90, 40))
_CLOTH: Final = (
    (240, 240, 240),
    (25, 25, 28),
    (40, 30, 120),
    (120, 60, 30),
    (60, 60, 60),
    (200, 170, 150),
    (70, 100, 40),
)
# Of each finger: its base on the palm, its usual direction in degrees from straight ahead, the lengths of its two parts
# and its radius, in mm.
_FINGERS: Final = (
    ((-32.0, 45.0), 50.0, (38.0, 30.0), 11.0),
    ((-27.0, 88.0), 8.0, (42.0, 34.0), 9.5),
    ((-9.0, 94.0), 1.0, (46.0, 38.0), 9.5),
    ((9.0, 91.0), -4.0, (42.0, 35.0), 9.0),
    ((25.0, 82.0), -12.0, (34.0, 28.0), 8.0),
)
_POSES: Final = {
    "open": (0.0, 14.0),
    "relaxed": (18.0, 8.0),
    "fist": (150.0, 3.0),
    "point": (150.0, 3.0),
    "pinch": (40.0, 5.0),
}

Limb = tuple[Points, float, float, Points]  # the two ends (2, 2), the radius at each, the colour


def _finger_limbs(rng: np.random.Generator, pose: str, skin: Points) -> list[Limb]:
    curl, jitter = _POSES[pose]
    limbs: list[Limb] = []
    for number, (base, heading, lengths, radius) in enumerate(_FINGERS):
        bend = 0.0 if pose == "point" and number == 1 else curl * rng.uniform(0.7, 1.2) * (0.5 if number == 0 else 1.0)
        turn = math.radians(heading + rng.normal(0, jitter))
        shrink = max(0.25, math.cos(math.radians(min(bend, 85.0))))
        start = np.array(base)
        for length, width in zip(lengths, (radius, radius * 0.88), strict=True):
            end = start + np.array([-math.sin(turn), math.cos(turn)]) * length * shrink
            limbs.append((np.stack([start, end]), width, width * 0.9, skin * rng.uniform(0.93, 1.05)))
            start, turn = end, turn + math.radians(rng.normal(0, jitter))
    return limbs


def _hand_limbs(rng: np.random.Generator) -> list[Limb]:
    """Return the parts of an arm and hand in millimetres, wrist at the origin and fingers towards +y."""
    skin = random_colour(rng, _SKINS[rng.integers(len(_SKINS))], 10).astype(np.float64)
    if rng.random() < 0.1:
        skin = random_colour(rng, _GLOVES[rng.integers(len(_GLOVES))], 8).astype(np.float64)
    sleeve = random_colour(rng, _CLOTH[rng.integers(len(_CLOTH))] if rng.random() < 0.8 else None).astype(np.float64)
    bare, bend = rng.uniform(10, 200) if rng.random() < 0.8 else 400.0, rng.normal(0, 0.25)
    along = np.array([math.sin(bend), -math.cos(bend)])
    limbs: list[Limb] = [(np.stack([along * 900, along * 0]), 46.0, 26.0, skin)]
    limbs.append((np.stack([along * 950, along * bare]), 60.0, 40.0 if bare > 60 else 36.0, sleeve))
    if rng.random() < 0.5:
        cuff = random_colour(rng, (238, 238, 238) if rng.random() < 0.6 else None).astype(np.float64)
        limbs.append((np.stack([along * (bare + 14), along * bare]), 41.0, 40.0, cuff))
    elif rng.random() < 0.3 and bare > 40:
        limbs.append(
            (np.stack([along * 22 + [-28, 0], along * 22 + [28, 0]]), 9.0, 9.0, random_colour(rng).astype(np.float64))
        )
    limbs.append((np.array([[-8.0, 25.0], [-14.0, 72.0]]), 27.0, 27.0, skin))
    limbs.append((np.array([[8.0, 22.0], [14.0, 70.0]]), 26.0, 24.0, skin * 0.98))
    return limbs + _finger_limbs(rng, str(rng.choice(list(_POSES))), skin)


def _limb_outline(ends: Points, first: float, second: float) -> Points:
    """Return the outline of two discs and what lies between them."""
    turn = np.arange(14) * (2 * math.pi / 14)
    disc = np.column_stack([np.cos(turn), np.sin(turn)])
    both = np.vstack([ends[0] + disc * first, ends[1] + disc * second]).astype(np.float32)
    return np.asarray(cv2.convexHull(both), np.float64).reshape(-1, 2)


def draw_hand(stage: Stage, xy_mm: Points, ident: int) -> None:
    """Draw an arm whose fingers reach about a point of the felt; it hides what is under it."""
    canvas, camera, rng = stage
    scale = camera.scale_at(xy_mm) * rng.uniform(0.95, 1.25)
    target = camera.project(np.array([[xy_mm[0], xy_mm[1], 25.0]]))[0]
    turn, mirror, flat = rng.uniform(0, 2 * math.pi), float(rng.choice([-1, 1])), rng.uniform(0.65, 1.0)
    spin = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    place = np.diag([1.0, flat]) @ spin @ np.diag([mirror, 1.0]) * scale
    reach = np.array([0.0, rng.uniform(40, 170)])
    shadow = rng.normal(0, 14, 2) * scale
    parts = []
    for ends, first, second, colour in _hand_limbs(rng):
        outline = (_limb_outline(ends, first, second) - reach) @ place.T + target
        parts.append((outline, colour))
    window = canvas.window(np.vstack([outline for outline, _ in parts]), margin=4)
    if window is None or not canvas.within_reach(target):
        return
    for outline, _ in parts[:1] + parts[-8::2]:
        canvas.shade(outline + shadow, 0.18, 2 + scale * 6)
    _paint_limbs(stage, parts, window, scale, ident)


def _paint_limbs(
    stage: Stage,
    parts: list[tuple[Points, Points]],
    window: tuple[int, int, int, int],
    scale: float,
    ident: int,
) -> None:
    canvas, _, rng = stage
    x0, y0, x1, y1 = window
    colour, mask = canvas.image[y0:y1, x0:x1].copy(), np.zeros((y1 - y0, x1 - x0), np.uint8)
    line = max(1, round(scale * 1.6))
    for outline, tone in parts:
        where = [np.round((outline - (x0, y0)) * 16).astype(np.int32)]
        cv2.fillPoly(colour, where, tuple(float(v) for v in np.clip(tone, 0, 255)), cv2.LINE_AA, 4)
        cv2.polylines(
            colour,
            where,
            isClosed=True,
            color=tuple(float(v) for v in tone * 0.72),
            thickness=line,
            lineType=cv2.LINE_AA,
            shift=4,
        )
        cv2.fillPoly(mask, where, 255, cv2.LINE_AA, 4)
    soft = 2 * int(max(1, scale * 3)) + 1
    colour = cv2.blur(colour, (max(1, soft // 3), max(1, soft // 3)))
    round_off = cv2.blur(mask, (soft * 5, soft * 5)).astype(np.float32) * np.float32(1 / 255)
    light = (0.55 + 0.5 * round_off) * rng.uniform(0.8, 1.1)
    height, width = mask.shape
    if max(height, width) <= 512:
        light = light * (1 + noise_patch(rng, 1)[:height, :width] * 0.02)
    shaded = np.clip(colour.astype(np.float32) * light[..., None], 0, 255).astype(np.uint8)
    canvas.blend(window, shaded, mask, ident)
