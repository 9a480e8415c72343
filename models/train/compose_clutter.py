"""Things that are none of the detector's kinds: paper, phones, glasses, pens, keyboards, coasters."""

from __future__ import annotations

import math

import cv2
import numpy as np

from models.train.compose_canvas import Points, Stage
from models.train.compose_solids import draw_box, ring, tone
from models.train.compose_surface import random_colour
from models.train.scene import spin


def _sheet(stage: Stage, xy_mm: Points) -> None:
    """A sheet, bill, coaster or phone with a frame or lines of print."""
    canvas, camera, rng = stage
    size = rng.uniform([25, 60], [220, 300])
    corners = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * size / 2
    turn = spin(rng.uniform(0, 2 * math.pi))

    def seen(points: Points) -> Points:
        flat = points @ turn.T + xy_mm
        return camera.project(np.column_stack([flat, np.zeros(len(flat))]))

    colour = random_colour(rng, (225, 228, 230), 20) if rng.random() < 0.5 else random_colour(rng)
    canvas.shade(seen(corners) + 2, 0.3, 2)
    canvas.polygon(seen(corners), tone(colour, 1.0), 0)
    ink = tone(random_colour(rng), 1.0)
    if rng.random() < 0.4:
        canvas.polygon(seen(corners * 0.86), ink, 0)
    else:
        for row in np.arange(-0.42, 0.42, rng.uniform(0.06, 0.2)):
            line = (
                np.array([[-0.42, row], [rng.uniform(-0.1, 0.42), row], [0.1, row + 0.02], [-0.42, row + 0.02]]) * size
            )
            canvas.polygon(seen(line), ink, 0)


def _glass(stage: Stage, xy_mm: Points) -> None:
    """A glass, cup, ashtray or lid: circles in circles."""
    canvas, camera, rng = stage
    radius, height = rng.uniform(25, 60), rng.uniform(0, 120)
    for share in np.linspace(1, 0.3, int(rng.integers(1, 5))):
        canvas.polygon(camera.project(ring(xy_mm, radius * share, height * share)), tone(random_colour(rng), 1.0), 0)


def _stick(stage: Stage, xy_mm: Points) -> None:
    """A pen, a cable or a chair's leg."""
    canvas, camera, rng = stage
    start = camera.project(np.array([[xy_mm[0], xy_mm[1], 0.0]]))[0]
    end = start + rng.normal(0, canvas.size * 0.3, 2)
    thick = max(1, int(camera.px_per_mm * rng.uniform(3, 14)))
    cv2.line(
        canvas.image, [int(v) for v in start], [int(v) for v in end], tone(random_colour(rng), 1.0), thick, cv2.LINE_AA
    )


def _keys(stage: Stage, xy_mm: Points) -> None:
    """A keyboard, a calculator, tiles: a block of small bright or dark squares."""
    canvas, camera, rng = stage
    turn, pitch, colour = spin(rng.uniform(0, 2 * math.pi)), rng.uniform(14, 40), tone(random_colour(rng), 1.0)
    key = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * pitch * rng.uniform(0.35, 0.48)
    for row in range(int(rng.integers(2, 6))):
        for column in range(int(rng.integers(3, 9))):
            flat = (key + np.array([column, row]) * pitch) @ turn.T + xy_mm
            canvas.polygon(camera.project(np.column_stack([flat, np.zeros(4)])), colour, 0)


def draw_clutter(stage: Stage, count: int) -> None:
    """Draw ``count`` things that carry no label."""
    canvas, camera, rng = stage
    reach = canvas.size / camera.px_per_mm * 0.6
    for _ in range(count):
        place, kind = rng.uniform(-reach, reach, 2), rng.integers(7)
        if kind <= 2:
            _sheet(stage, place)
        elif kind == 3:
            _glass(stage, place)
        elif kind == 4:
            _stick(stage, place)
        elif kind == 5:
            _keys(stage, place)
        else:
            draw_box(
                stage,
                place,
                (rng.uniform(40, 200), rng.uniform(40, 200), rng.uniform(5, 40)),
                rng.uniform(0, 6.3),
            )
