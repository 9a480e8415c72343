"""Dice as the camera of a table sees them: plain ones of the trade, small, on felt or a dish, filmed well or badly."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.chip_geometry import FootCamera
from models.train.chip_scenes import as_filmed, felt_picture
from models.train.dice import DrawnDie, draw_die, random_design
from models.train.dice_looks import DieLook, random_look
from models.train.dice_scenes import dish, lying_apart
from models.train.dice_solid import draw_solid, random_lamp, random_solid
from models.train.dice_throws import Throw, covers_enough, shadow

_COLOURS: Final = ("white", "red", "green", "blue")
_OTHERS: Final = ("black", "yellow")
_SIDES_PX: Final = (13.0, 32.0)
"""Edges of dice whose boxes are 18 to some 45 px wide."""
_ALIKE: Final = 0.8
_SOLID: Final = 0.7
_ON_A_DISH: Final = 0.6
_CLEAN: Final = 0.45


def table_throw(rng: np.random.Generator) -> Throw:
    """Return one to four dice of one size before a table camera; of one colour or of several."""
    side_mm = float(rng.uniform(16, 19))
    side_px = float(np.exp(rng.uniform(*np.log(_SIDES_PX))))
    size = int(side_px * 7)
    camera = _camera(rng, side_px / side_mm, size)
    frame = felt_picture((size, size), rng)
    if rng.random() < _ON_A_DISH:
        height = float(rng.uniform(2, 16))
        dish(frame, camera, height, rng)
        camera = replace(camera, foot_px=camera.to_pixels(np.array([[0.0, 0.0, height]]))[0])
    places = lying_apart(rng, wanted=int(rng.integers(1, 5)), side_mm=side_mm, reach=side_mm * rng.uniform(0.9, 1.8))
    lie = sorted(places, key=lambda at: -at[1])
    drawn = _solid if rng.random() < _SOLID else _flat
    dice = drawn(frame, camera, lie, side_mm, rng)
    seen = tuple(one for one in dice if one.outline.min() > 0 and one.outline.max() < size)
    return Throw(
        frame_bgr=_clean(frame, rng) if rng.random() < _CLEAN else as_filmed(frame, rng), dice=seen, held=False
    )


def _camera(rng: np.random.Generator, px_per_mm: float, size: int) -> FootCamera:
    elevation = np.radians(rng.uniform(42, 74))
    return FootCamera(
        foot_px=np.array([size / 2, size / 2]) + rng.uniform(-0.05, 0.05, 2) * size,
        px_per_mm=px_per_mm,
        sine=float(np.sin(elevation)),
        cosine=float(np.cos(elevation)),
        roll=float(rng.normal(0, 0.12)),
        distance_mm=float(rng.uniform(1200, 2800)),
    )


def plain_look(rng: np.random.Generator) -> DieLook:
    """Return an opaque die of one colour; sharp, or with rounded edges or corners."""
    names = _COLOURS if rng.random() < 0.88 else _OTHERS
    colour = str(rng.choice(names))
    while True:
        look = random_look(rng)
        if look.colour == colour and not look.clear and not look.texture.any():
            break
    sharp = rng.random() < 0.45
    return replace(
        look,
        rounding=float(rng.uniform(0.01, 0.1) if sharp else rng.uniform(0.1, 0.4)),
        ball=2.0 if sharp or rng.random() < 0.6 else float(rng.uniform(1.4, 1.6)),
        gloss=look.gloss * float(rng.uniform(0, 1)),
        ring=0.0,
        reach=max(look.reach, float(rng.uniform(0.42, 0.58))),
    )


def _solid(
    frame: NDArray[np.uint8],
    camera: FootCamera,
    lie: list[tuple[float, float]],
    side_mm: float,
    rng: np.random.Generator,
) -> list[DrawnDie]:
    look, lamp = plain_look(rng), random_lamp(rng)
    lamp = replace(lamp, gain=float(rng.uniform(0.75, 1.25)))
    looks = [look if rng.random() < _ALIKE else plain_look(rng) for _ in lie]
    solids = [
        random_solid(rng, one, place=place, turn=float(rng.uniform(0, 2 * np.pi)), side_mm=side_mm)
        for one, place in zip(looks, lie, strict=True)
    ]
    for die in solids:
        shadow(frame, camera, die, lamp, rng)
    covers, dice = [], []
    for die in solids:
        outline, covered = draw_solid(frame, camera, die, lamp)
        covers.append(covered)
        dice.append(DrawnDie(value=die.faces[5], colour=die.look.colour, outline=outline, roll=camera.roll))
    return [die for number, die in enumerate(dice) if covers_enough(covers, number)]


def _flat(
    frame: NDArray[np.uint8],
    camera: FootCamera,
    lie: list[tuple[float, float]],
    side_mm: float,
    rng: np.random.Generator,
) -> list[DrawnDie]:
    first = replace(random_design(rng), side_mm=side_mm, clear=0.0)
    dice = []
    for place in lie:
        design = first if rng.random() < _ALIKE else replace(random_design(rng), side_mm=side_mm, clear=0.0)
        dice.append(draw_die(frame, camera, np.array(place), design, rng))
    return dice


def _clean(frame_bgr: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """The picture as good footage shows it: sharp, hardly any noise, compressed a little."""
    frame = frame_bgr
    if rng.random() < 0.7:
        frame = np.asarray(cv2.GaussianBlur(frame, ksize=(0, 0), sigmaX=rng.uniform(0.25, 0.7)), np.uint8)
    if rng.random() < 0.5:
        grain = rng.normal(0, rng.uniform(0.5, 2.5), frame.shape)
        frame = np.asarray((frame + grain).clip(0, 255), np.uint8)
    if rng.random() < 0.6:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(75, 98))]
        frame = np.asarray(cv2.imdecode(cv2.imencode(".jpg", frame, params=quality)[1], flags=cv2.IMREAD_COLOR))
    return np.asarray(frame, np.uint8)
