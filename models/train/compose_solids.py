"""Dice, dice cups and boxes for composed pictures, drawn from their geometry."""

from __future__ import annotations

import math
from functools import cache
from typing import Final

import cv2
import numpy as np

from models.train.compose_canvas import Image, Points, Stage
from models.train.compose_surface import random_colour
from models.train.scene_camera import SceneCamera

DIE_STYLES: Final = 8
_ROUND: Final = 28
_PIPS: Final = {1: "c", 2: "ai", 3: "aci", 4: "agmi", 5: "agcmi", 6: "adgmfi"}
_PLACES: Final = {
    "a": (0.25, 0.25), "d": (0.25, 0.5), "g": (0.25, 0.75), "m": (0.75, 0.25), "f": (0.75, 0.5), "i": (0.75, 0.75),
    "c": (0.5, 0.5),
}  # fmt: skip
_BODIES: Final = (
    (235, 240, 242), (35, 30, 200), (30, 30, 32), (190, 90, 40), (70, 160, 50), (200, 215, 235), (60, 60, 150),
    (40, 190, 230),
)  # fmt: skip
_CUPS: Final = ((28, 28, 30), (30, 50, 90), (25, 25, 120), (60, 30, 20), (200, 200, 200))
_BOXES: Final = ((25, 25, 28), (200, 205, 210), (40, 60, 110), (40, 30, 150), (160, 150, 140))


def ring(centre: Points, radius_mm: float, height_mm: float, count: int = _ROUND, start: float = 0.0) -> Points:
    """Return points (count, 3) of a level circle."""
    turn = start + np.arange(count) * (2 * math.pi / count)
    x, y = centre[0] + radius_mm * np.cos(turn), centre[1] + radius_mm * np.sin(turn)
    return np.column_stack([x, y, np.full(count, height_mm)])


def hull(points: Points) -> Points:
    """Return the convex outline of points (n, 2)."""
    return np.asarray(cv2.convexHull(points.astype(np.float32)), np.float64).reshape(-1, 2)


def box_along(points: Points, axis: Points) -> Points:
    """Return the smallest rectangle (4, 2) around points with a side along ``axis``."""
    length = float(np.hypot(*axis))
    u = np.asarray(axis) / length if length > 1e-6 else np.array([0.0, -1.0])
    v = np.array([-u[1], u[0]])
    along, across = points @ u, points @ v
    far, near, left, right = along.max(), along.min(), across.min(), across.max()
    return np.array([u * a + v * b for a, b in ((far, left), (far, right), (near, right), (near, left))])


def tone(colour: Points, gain: float) -> tuple[float, float, float]:
    """Return a BGR colour made lighter or darker."""
    shown = np.clip(np.asarray(colour, np.float64) * gain, 0, 255)
    return float(shown[0]), float(shown[1]), float(shown[2])


@cache
def _die_face(value: int, style: int) -> Image:
    """Return one face of a die (48, 48, 3); ``style`` chooses body and pip colours."""
    body = _BODIES[style]
    pip = (240, 240, 240) if sum(body) < 450 else (25, 25, 25)
    face = np.full((48, 48, 3), body, np.uint8)
    cv2.rectangle(face, (0, 0), (47, 47), tuple(v * 0.8 for v in body), 2)
    for place in _PIPS[value]:
        x, y = _PLACES[place]
        cv2.circle(face, (round(x * 48), round(y * 48)), 5, pip, -1, cv2.LINE_AA)
    return face


def draw_die(stage: Stage, xy_mm: Points, side_mm: float, style: int, ident: int) -> Points:
    """Draw a die and return its whole outline (n, 2) in the picture."""
    canvas, camera, rng = stage
    turns = rng.uniform(0, math.pi / 2) + np.arange(4) * math.pi / 2
    feet = xy_mm + np.column_stack([np.cos(turns), np.sin(turns)]) * side_mm / math.sqrt(2)
    low = camera.project(np.column_stack([feet, np.zeros(4)]))
    high = camera.project(np.column_stack([feet, np.full(4, side_mm)]))
    outline = hull(np.vstack([low, high]))
    thrown = low + rng.normal(0, 0.25, 2) * side_mm * camera.px_per_mm
    canvas.shade(hull(np.vstack([low, thrown])), rng.uniform(0.2, 0.6), 1 + camera.px_per_mm * 2)
    canvas.polygon(outline, tone(np.asarray(_BODIES[style], np.float64), 0.8), ident)
    opaque = np.full((48, 48, 1), 255, np.uint8)
    values = rng.permutation(6) + 1
    sides = [np.array([high[k], high[(k + 1) % 4], low[(k + 1) % 4], low[k]]) for k in range(4)]
    seen = [(high, 1.0)] + [(side, float(rng.uniform(0.5, 0.9))) for side in sides if _faces_camera(side, high)]
    for (quad, gain), value in zip(seen, values, strict=False):
        canvas.warp(np.dstack([_die_face(int(value), style), opaque]), quad, ident, gain)
    return outline


def _faces_camera(side: Points, high: Points) -> bool:
    """Say whether a side is turned to the camera: the middle of its lower edge lies outside the top face."""
    middle = (side[2] + side[3]) / 2
    return bool(cv2.pointPolygonTest(high.astype(np.float32), (float(middle[0]), float(middle[1])), False) < 0)  # noqa: FBT003


def draw_cup(stage: Stage, xy_mm: Points, ident: int) -> Points:
    """Draw a dice cup, open or closed, and return its whole outline (n, 2) in the picture."""
    canvas, camera, rng = stage
    radius, height = rng.uniform(32, 50), rng.uniform(50, 110)
    top_radius = radius * rng.uniform(0.85, 1.25)
    colour = random_colour(rng, _CUPS[rng.integers(len(_CUPS))], 12)

    def outline(share: float) -> Points:
        low, high = ring(xy_mm, radius * share, 0), ring(xy_mm, top_radius * share, height)
        return hull(camera.project(np.vstack([low, high])))

    foot = camera.project(ring(xy_mm, radius, 0))
    canvas.shade(hull(np.vstack([foot, foot + rng.normal(0, 12, 2)])), 0.4, 2 + camera.px_per_mm * 5)
    for share in (1.0, 0.75, 0.5):  # lighter towards the middle, as a cylinder is
        canvas.polygon(outline(share), tone(colour, 1.25 - 0.4 * share), ident)
    canvas.polygon(camera.project(ring(xy_mm, top_radius, height)), tone(colour, 1.3), ident)
    if rng.random() < 0.6:
        canvas.polygon(camera.project(ring(xy_mm, top_radius * 0.88, height)), tone(colour, 0.35), ident)
    else:
        canvas.polygon(camera.project(ring(xy_mm, top_radius * 0.3, height + 8)), tone(colour, 0.8), ident)
    return outline(1.0)


def box_outline(camera: SceneCamera, xy_mm: Points, size_mm: tuple[float, ...], turn: float) -> tuple[Points, Points]:
    """Return the picture corners (4, 2) of a box's foot and of its lid."""
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(size_mm[:2]) / 2
    cos, sin = math.cos(turn), math.sin(turn)
    feet = half @ np.array([[cos, sin], [-sin, cos]]) + xy_mm
    low = camera.project(np.column_stack([feet, np.zeros(4)]))
    return low, camera.project(np.column_stack([feet, np.full(4, size_mm[2])]))


def draw_box(stage: Stage, xy_mm: Points, size_mm: tuple[float, ...], turn: float) -> Points:
    """Draw a shoe, a discard holder or any other box, all background; return the corners of its lid (4, 2)."""
    canvas, camera, rng = stage
    low, high = box_outline(camera, xy_mm, size_mm, turn)
    colour = random_colour(rng, _BOXES[rng.integers(len(_BOXES))], 15)
    canvas.shade(hull(np.vstack([low, low + rng.normal(0, 8, 2)])), 0.4, 2 + camera.px_per_mm * 5)
    canvas.polygon(hull(np.vstack([low, high])), tone(colour, 0.7), 0)
    for k in range(4):
        side = np.array([high[k], high[(k + 1) % 4], low[(k + 1) % 4], low[k]])
        if _faces_camera(side, high):
            canvas.polygon(side, tone(colour, float(rng.uniform(0.5, 0.9))), 0)
    canvas.polygon(high, tone(colour, 1.1), 0)
    return high
