"""Chip piles and the chip rack for composed pictures, drawn from their geometry."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from models.train.compose_canvas import Points, Stage
from models.train.compose_solids import draw_box, hull, ring, tone
from models.train.compose_surface import random_colour

CHIP_RADIUS_MM: Final = 19.5
CHIP_COLOURS: Final = (
    (225, 228, 230), (40, 30, 190), (60, 130, 30), (30, 30, 34), (150, 40, 110), (40, 200, 235), (30, 110, 235),
    (160, 80, 25), (150, 130, 235), (60, 90, 130), (130, 130, 130), (210, 160, 90),
)  # fmt: skip
_WHITE: Final = (228, 232, 235)
_AS_FELT: Final = 0.12  # of the piles have the colour of what they stand on
_SEEN: Final = 0.1  # an edge spot is drawn if its direction is so far turned to the camera


@dataclass(frozen=True, kw_only=True)
class _Look:
    """What the chips of one pile have in common."""

    spots: int
    share: float
    turn: float
    twist: float
    inlay: float
    light: bool
    side: float
    thick: float
    plain: bool

    def spot_turns(self, spot: int, base_mm: float) -> Points:
        """Return where an edge spot begins, is in the middle and ends."""
        part = (spot + np.array([0.0, 0.5, 1.0]) * self.share) * (2 * math.pi / self.spots)
        return np.asarray(self.turn + base_mm * self.twist + part, np.float64)


@dataclass(frozen=True, kw_only=True)
class _Chip:
    """One chip of a pile."""

    centre_mm: Points
    base_mm: float
    colour: Points
    spot: Points


def _random_look(rng: np.random.Generator) -> _Look:
    return _Look(
        spots=int(rng.choice([3, 4, 6, 8])),
        share=rng.uniform(0.15, 0.55),
        turn=rng.uniform(0, 6.3),
        twist=float(rng.choice([0.0, 1.7])),
        inlay=rng.uniform(0.4, 0.7),
        light=bool(rng.random() < 0.7),
        side=rng.uniform(0.6, 1.0),
        thick=rng.uniform(3.0, 3.6),
        plain=bool(rng.random() < 0.15),
    )


def _arc(centre_mm: Points, radius_mm: float, turns: Points, height_mm: float) -> Points:
    x, y = centre_mm[0] + radius_mm * np.cos(turns), centre_mm[1] + radius_mm * np.sin(turns)
    return np.column_stack([x, y, np.full(len(turns), height_mm)])


def _draw_top(stage: Stage, chip: _Chip, look: _Look, ident: int) -> None:
    """Draw the face of the chip on top of a pile: edge spots, inlay and print."""
    canvas, camera, _ = stage
    radius, height, centre = CHIP_RADIUS_MM, chip.base_mm + look.thick, chip.centre_mm
    canvas.polygon(camera.project(ring(centre, radius, height)), tone(chip.colour, 1.0), ident)
    for k in range(look.spots):
        turns = look.spot_turns(k, 0.0)
        wedge = np.vstack([_arc(centre, radius, turns, height), _arc(centre, radius * 0.76, turns, height)[::-1]])
        canvas.polygon(camera.project(wedge), tone(chip.spot, 1.0), ident)
    middle = tone(chip.spot if look.light else chip.colour, 0.92)
    canvas.polygon(camera.project(ring(centre, radius * look.inlay, height)), middle, ident)
    if camera.px_per_mm * radius > 9:
        inner = tone(chip.colour, 0.85 if look.light else 1.12)
        canvas.polygon(camera.project(ring(centre, radius * look.inlay * 0.8, height, 12)), inner, ident)
        mark = ring(centre, radius * look.inlay * 0.45, height, look.spots + 2, look.turn)
        canvas.polygon(camera.project(mark), tone(chip.spot, 0.9), ident)


def _draw_side(stage: Stage, chip: _Chip, look: _Look, ident: int) -> None:
    canvas, camera, _ = stage
    low = ring(chip.centre_mm, CHIP_RADIUS_MM, chip.base_mm)
    high = ring(chip.centre_mm, CHIP_RADIUS_MM, chip.base_mm + look.thick)
    canvas.polygon(hull(camera.project(np.vstack([low, high]))), tone(chip.colour, 0.45), ident)
    seam_mm = chip.base_mm + look.thick * 0.18
    low[:, 2] = seam_mm
    canvas.polygon(hull(camera.project(np.vstack([low, high]))), tone(chip.colour, look.side), ident)
    eye = -np.asarray(camera.projection[2, :2])
    for k in range(look.spots):
        turns = look.spot_turns(k, chip.base_mm)
        if math.cos(turns[1]) * eye[0] + math.sin(turns[1]) * eye[1] > _SEEN * float(np.hypot(*eye)):
            edges = [_arc(chip.centre_mm, CHIP_RADIUS_MM, turns, z) for z in (seam_mm, chip.base_mm + look.thick)]
            canvas.polygon(camera.project(np.vstack([edges[0], edges[1][::-1]])), tone(chip.spot, look.side), ident)


def _spot_colour(number: int, colour: Points, look: _Look) -> Points:
    if look.plain:
        return colour
    other = CHIP_COLOURS[(number * 5 + 3) % len(CHIP_COLOURS)] if number % 3 == 0 else _WHITE
    return np.asarray(other, np.float64)


def _felt_under(stage: Stage, xy_mm: Points) -> Points | None:
    """Return the colour of what lies at a place of the table, if that lies in the picture."""
    canvas, camera, _ = stage
    x, y = np.round(camera.project(np.array([[xy_mm[0], xy_mm[1], 0.0]]))[0]).astype(int)
    if not (0 <= x < canvas.size and 0 <= y < canvas.size):
        return None
    part = canvas.image[max(0, y - 4) : y + 5, max(0, x - 4) : x + 5]
    return np.asarray(np.median(part.reshape(-1, 3), axis=0), np.float64)


def _round_off(stage: Stage, outline: Points, up: Points, ident: int) -> None:
    """Let light fall on the side of a pile from some direction: a cylinder is not equally bright all around."""
    canvas, _, rng = stage
    window = canvas.window(outline) if canvas.within_reach(outline) else None
    if window is None:
        return
    x0, y0, x1, y1 = window
    length = float(np.hypot(*up))
    across = np.array([-up[1], up[0]]) / length if length > 1 else np.array([1.0, 0.0])
    places = outline @ across
    middle, half = float(places.max() + places.min()) / 2, max(1.0, float(np.ptp(places)) / 2)
    x, y = np.arange(x0, x1, dtype=np.float32) * across[0], np.arange(y0, y1, dtype=np.float32) * across[1]
    turn = np.clip((x[None] + y[:, None] - np.float32(middle)) / np.float32(half), -1, 1)
    light = np.sqrt(np.clip(1 - (turn - np.float32(rng.uniform(-0.8, 0.8))) ** 2, 0, 1))
    gain = 1 + np.float32(rng.uniform(0.2, 0.7)) * (light - np.float32(rng.uniform(0.6, 0.95)))
    part = canvas.image[y0:y1, x0:x1]
    lit = np.clip(part * gain[..., None], 0, 255).astype(np.uint8)
    canvas.image[y0:y1, x0:x1] = np.where((canvas.ids[y0:y1, x0:x1] == ident)[..., None], lit, part)


def _soften(stage: Stage, outline: Points) -> None:
    """Blur a pile a little, as no lens shows drawn edges."""
    canvas, _, rng = stage
    window = canvas.window(outline, margin=4) if canvas.within_reach(outline) else None
    if window is None:
        return
    x0, y0, x1, y1 = window
    part = canvas.image[y0:y1, x0:x1]
    canvas.image[y0:y1, x0:x1] = cv2.GaussianBlur(part, ksize=(0, 0), sigmaX=float(rng.uniform(0.4, 1.2)))


def draw_pile(stage: Stage, xy_mm: Points, colours: list[int], ident: int) -> Points:
    """Draw a pile of chips and return its whole outline (n, 2) in the picture."""
    canvas, camera, rng = stage
    look = _random_look(rng)
    outline = [camera.project(ring(xy_mm, CHIP_RADIUS_MM, 0.0))]
    up = camera.up_at(xy_mm, look.thick * len(colours))
    shadow = camera.project(ring(xy_mm, CHIP_RADIUS_MM * 1.05, 0.0))
    push = rng.normal(0, 0.35, 2) * np.hypot(*up) + 1.5
    canvas.shade(hull(np.vstack([shadow, shadow + push])), rng.uniform(0.2, 0.6), 1 + camera.px_per_mm * 3)
    if rng.random() < 0.7:  # hardly any light comes to where it stands
        canvas.shade(hull(shadow), rng.uniform(0.2, 0.7), 1 + camera.px_per_mm * rng.uniform(0.5, 3))
    felt = _felt_under(stage, xy_mm) if rng.random() < _AS_FELT else None
    lean, messy = rng.normal(0, 0.25, 2), rng.choice([0.2, 0.6, 1.6])
    for level, number in enumerate(colours):
        colour = random_colour(rng, CHIP_COLOURS[number], 8)
        if felt is not None:
            colour = np.clip(felt + rng.normal(0, 8, 3), 4, 250)
        chip = _Chip(
            centre_mm=xy_mm + lean * level * 0.5 + rng.normal(0, messy, 2),
            base_mm=level * look.thick,
            colour=colour,
            spot=_spot_colour(number, colour, look),
        )
        _draw_side(stage, chip, look, ident)
        outline.append(camera.project(ring(chip.centre_mm, CHIP_RADIUS_MM, chip.base_mm + look.thick)))
    lit, soft = rng.random(2) < (0.6, 0.3)
    if lit:
        _round_off(stage, np.vstack(outline), up, ident)
    _draw_top(stage, chip, look, ident)
    if soft:
        _soften(stage, np.vstack(outline))
    return np.vstack(outline)


def draw_rack(stage: Stage, xy_mm: Points, turn: float) -> None:
    """Draw a chip rack: tubes of chips on their side, which are background."""
    canvas, camera, rng = stage
    tubes, length, pitch = int(rng.integers(4, 12)), rng.uniform(90, 230), 42.0
    lid = draw_box(stage, xy_mm, (tubes * pitch + 20, length + 20, 6.0), turn)
    across, down = (lid[1] - lid[0]) / (tubes * pitch + 20), (lid[3] - lid[0]) / (length + 20)
    thick = 3.4 if camera.px_per_mm > 0.5 else 6.8

    def bar(start: Points, first: float, last: float, colour: tuple[float, float, float]) -> None:
        left, right = start + across * 38 * first, start + across * 38 * last
        canvas.polygon(np.array([left, right, right + down * thick * 0.85, left + down * thick * 0.85]), colour, 0)

    for tube in range(tubes):
        colour, filled = random_colour(rng, CHIP_COLOURS[rng.integers(12)], 10), rng.uniform(0.1, 1.0) * length
        for step in np.arange(10, filled, thick):
            start = lid[0] + across * (12 + tube * pitch) + down * step
            bar(start, 0.0, 1.0, tone(colour, float(rng.uniform(0.6, 1.0))))
            spot = rng.uniform(0.1, 0.7)
            bar(start, spot, spot + 0.2, (225.0, 228.0, 230.0))
