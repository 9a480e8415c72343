"""Throws of real-looking dice: on any surface, apart or touching, before a table camera or one held above them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.chip_geometry import Floats, FootCamera
from models.train.chip_scenes import as_filmed, felt_picture
from models.train.dice import DrawnDie
from models.train.dice_looks import random_look
from models.train.dice_solid import Lamp, SolidDie, draw_solid, random_lamp, random_solid

_SEEN: Final = 0.8  # of a die, so that its face can be asked for
_SIDES_PX: Final = (11.0, 64.0)
_ROUND: Final = 40  # tries to lay one more die
_WOOD: Final = ((120, 170, 215), (70, 115, 170), (35, 60, 100), (60, 95, 130))


@dataclass(frozen=True, slots=True, kw_only=True)
class Throw:
    """A picture of dice, those of them that can be read, and whether the camera was held anyhow above them."""

    frame_bgr: NDArray[np.uint8]
    dice: tuple[DrawnDie, ...]
    held: bool


def random_throw(rng: np.random.Generator) -> Throw:
    """Return one to four dice, as filmed or photographed."""
    held = bool(rng.random() < 0.5)
    side_px = float(np.exp(rng.uniform(*np.log(_SIDES_PX))))
    side_mm = float(rng.uniform(12, 20))
    size = int(side_px * 5)
    camera = _camera(rng, held=held, px_per_mm=side_px / side_mm, size=size)
    frame = surface((size, size), rng)
    lamp = random_lamp(rng)
    solids = _lying(rng, side_mm)
    for die in solids:
        shadow(frame, camera, die, lamp, rng)
    drawn, covers = [], []
    for die in sorted(solids, key=lambda one: -one.place[1]):
        outline, covered = draw_solid(frame, camera, die, lamp)
        covers.append(covered)
        drawn.append(DrawnDie(value=die.faces[5], colour=die.look.colour, outline=outline, roll=camera.roll))
    if rng.random() < 0.12:
        _glare(frame, rng)
    seen = tuple(
        one
        for number, one in enumerate(drawn)
        if covers_enough(covers, number) and one.outline.min() > 0 and one.outline.max() < size
    )
    return Throw(frame_bgr=as_filmed(frame, rng), dice=seen, held=held)


def _camera(rng: np.random.Generator, *, held: bool, px_per_mm: float, size: int) -> FootCamera:
    """A camera over the table, upright; or held above the dice, which it may see from any side.

    Upside down a die seen from aside would look like one that is seen upright from lower down with another face on
    top; so a camera that is not upright looks from higher.
    """
    roll = float(rng.uniform(-np.pi, np.pi)) if held else float(rng.normal(0, 0.12))
    lowest = 32.0 if not held else (45.0 if np.cos(roll) > 0.3 else 60.0)
    elevation = np.radians(rng.uniform(lowest, 90))
    return FootCamera(
        foot_px=np.array([size / 2, size / 2]) + rng.uniform(-0.1, 0.1, 2) * size / 2,
        px_per_mm=px_per_mm,
        sine=float(np.sin(elevation)),
        cosine=float(np.cos(elevation)),
        roll=roll,
        distance_mm=float(rng.uniform(140, 900) if held else rng.uniform(350, 2500)),
    )


def _lying(rng: np.random.Generator, side_mm: float) -> list[SolidDie]:
    """Dice of one throw: one in the middle, others around it, now and then of another look and size, or touching."""
    look = random_look(rng)
    dice = [random_solid(rng, look, place=(0.0, 0.0), turn=float(rng.uniform(0, 2 * np.pi)), side_mm=side_mm)]
    wanted = int(rng.choice([1, 2, 3, 4], p=[0.35, 0.3, 0.2, 0.15]))
    for _ in range(_ROUND):
        if len(dice) == wanted:
            break
        other = look if rng.random() < 0.6 else random_look(rng)
        size = side_mm * (float(rng.uniform(0.75, 1.3)) if rng.random() < 0.25 else 1.0)
        beside = dice[int(rng.integers(len(dice)))]
        turn = beside.turn if rng.random() < 0.2 else float(rng.uniform(0, 2 * np.pi))
        around = float(beside.turn + np.pi / 2 * rng.integers(4) if rng.random() < 0.4 else rng.uniform(0, 2 * np.pi))
        apart = 1.0 + (rng.uniform(0, 0.06) if rng.random() < 0.5 else rng.uniform(0.05, 0.9))
        reach = apart * (_reach(beside.side_mm, beside.turn - around) + _reach(size, turn - around))
        place = (beside.place[0] + reach * np.cos(around), beside.place[1] + reach * np.sin(around))
        if all(_are_apart((place, size), die) for die in dice if die is not beside):
            dice.append(random_solid(rng, other, place=(float(place[0]), float(place[1])), turn=turn, side_mm=size))
    return dice


def _reach(side: float, turn: float) -> float:
    """How far a square reaches from its middle in a direction."""
    return float(side / 2 * (abs(np.cos(turn)) + abs(np.sin(turn))))


def _are_apart(new: tuple[tuple[float, float], float], die: SolidDie) -> bool:
    return bool(np.hypot(new[0][0] - die.place[0], new[0][1] - die.place[1]) > (new[1] + die.side_mm) * 0.7)


def covers_enough(covers: list[NDArray[np.bool_]], number: int) -> bool:
    """Return whether enough of a die is left to see by those drawn after it; ``covers`` are in the order of drawing."""
    own = covers[number]
    hidden = np.zeros_like(own)
    for other in covers[number + 1 :]:
        hidden |= other
    return bool((own & ~hidden).sum() > _SEEN * own.sum())


def shadow(frame: NDArray[np.uint8], camera: FootCamera, die: SolidDie, lamp: Lamp, rng: np.random.Generator) -> None:
    """Draw dark felt on the side away from the lamp, and where the die stands."""
    corners = die.corners_mm
    thrown = corners.copy()
    thrown[4:, :2] -= lamp.towards[:2] / lamp.towards[2] * die.side_mm
    thrown[:, 2] = 0
    px = die.side_mm * camera.px_per_mm
    for points, strength in ((thrown, lamp.direct), (corners[:4], rng.uniform(0.1, 0.5))):
        dark = np.zeros(frame.shape[:2], np.uint8)
        cv2.fillConvexPoly(dark, points=cv2.convexHull(np.round(camera.to_pixels(points)).astype(np.int32)), color=255)
        soft = cv2.GaussianBlur(dark, ksize=(0, 0), sigmaX=max(0.7, px * rng.uniform(0.02, 0.15)))
        frame[:] = frame * (1 - soft[..., None] / np.float32(255 * 1.15) * np.float32(strength))


def surface(size: tuple[int, int], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Return felt with print, a wooden table, cloth or paper (rows, columns)."""
    kind = rng.random()
    if kind < 0.45:
        return felt_picture(size, rng)
    if kind < 0.65:
        tone = np.array(_WOOD[int(rng.integers(len(_WOOD)))]) * rng.uniform(0.6, 1.2)
        cells, rough = (int(rng.integers(2, 5)), int(rng.integers(15, 60))), rng.uniform(8, 40)
    elif kind < 0.85:
        tone, rough = np.array([1.0, 1.0, 1.0]) * rng.uniform(5, 130) + rng.uniform(-10, 10, 3), rng.uniform(4, 45)
        cells = (int(size[0] * rng.uniform(0.15, 0.8)) + 2, int(size[1] * rng.uniform(0.15, 0.8)) + 2)
    else:
        tone, cells, rough = np.full(3, rng.uniform(150, 245)) + rng.uniform(-12, 12, 3), (3, 3), rng.uniform(2, 20)
    noise = rng.normal(0, 1, cells[::-1] if rng.random() < 0.5 else cells).astype(np.float32)
    grain = cv2.resize(noise, dsize=size[::-1], interpolation=cv2.INTER_CUBIC) * rough
    return np.asarray((tone + grain[..., None]).clip(0, 255), np.uint8)


def _glare(frame: NDArray[np.uint8], rng: np.random.Generator) -> None:
    """A lamp mirrored somewhere in the picture: its middle is washed out."""
    height, width = frame.shape[:2]
    spot = np.zeros((height, width), np.float32)
    middle = (int(rng.uniform(0.25, 0.75) * width), int(rng.uniform(0.25, 0.75) * height))
    axes = tuple(int(width * v) for v in rng.uniform(0.02, 0.14, 2))
    cv2.ellipse(spot, (middle, (2.0 * axes[0] + 2, 2.0 * axes[1] + 2), float(rng.uniform(0, 180))), 1.0, thickness=-1)
    soft = cv2.GaussianBlur(spot, ksize=(0, 0), sigmaX=width * rng.uniform(0.02, 0.08))[..., None]
    frame[:] = (frame + soft * rng.uniform(40, 170)).clip(0, 255)


def held_box(outline: Floats, rng: np.random.Generator) -> Floats:
    """Return a box (4, 2) around a die in a photograph: upright or turned, too large, too small, aside."""
    if rng.random() < 0.4:
        corners = cv2.boxPoints(cv2.minAreaRect(outline.astype(np.float32))).astype(np.float64)
    else:
        (x0, y0), (x1, y1) = outline.min(axis=0), outline.max(axis=0)
        corners = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
    middle = corners.mean(axis=0)
    side = float(np.ptp(outline, axis=0).max())
    grown = middle + (corners - middle) * float(np.exp(np.clip(rng.normal(0, 0.11), -0.25, 0.25)))
    return np.asarray(grown + rng.normal(0, rng.choice([0.02, 0.06]), 2) * side, np.float64)
