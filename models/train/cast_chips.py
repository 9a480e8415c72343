"""Stacks of chips met by rays: every chip a cylinder of its own, turned and laid aside, lit by the lamps of a room.

What is drawn (``models.train.chips``) has the same outlines but flat shades; here the edges of a chip are rounded, what
is laid aside shows a crescent of the face below and throws its shadow on it, and sides darken towards the felt.
Lengths are millimetres around the foot of the scene's camera: x right in its view, y away, z up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.cheque_size import CHIP_HEIGHT_MM, CHIP_RADIUS_MM
from models.chip_geometry import Floats, FootCamera
from models.train.chip_styles import EDGE_ROWS, FACE_PX, Paint

Reals = NDArray[np.float32]
_FOOT_MM: Final = 4.5  # how far up a side the dark of the felt reaches
_SEAMLESS: Final = 0.2  # of the rooms hardly show where one chip ends and the next begins
_RING: Final = np.stack([np.cos(np.linspace(0, 2 * np.pi, 40)), np.sin(np.linspace(0, 2 * np.pi, 40))], axis=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """The light over a table.

    ``lamps`` (n, 3): directions to them, ``powers`` (n,); ``sky``: light from all above, ``bounce``: from the felt.
    ``bevel``: rounded share of a chip's height at each rim; ``groove`` and ``groove_width``: how dark the line between
    two chips is, and how wide in shares of the height; ``foot``: how dark the lowest chips are; ``gloss``: what shines.
    ``gamma``: how a shade becomes a share of the colour as video stores it.
    """

    lamps: Floats
    powers: Floats
    sky: float
    bounce: float
    bevel: float
    groove: float
    groove_width: float
    foot: float
    gloss: float
    gamma: float

    @classmethod
    def random(cls, rng: np.random.Generator) -> Room:
        """Return the light of one to four lamps above a table."""
        count, seams = int(rng.integers(1, 5)), rng.random() > _SEAMLESS
        high, around = np.radians(rng.uniform(35, 88, count)), rng.uniform(0, 2 * np.pi, count)
        lamps = np.stack([np.cos(high) * np.cos(around), np.cos(high) * np.sin(around), np.sin(high)], axis=1)
        return cls(
            lamps=lamps,
            powers=rng.dirichlet(np.ones(count)) * rng.uniform(0.3, 0.8),
            sky=rng.uniform(0.25, 0.7),
            bounce=rng.uniform(0.0, 0.35),
            bevel=rng.uniform(0.0, 0.22) if seams else 0.0,
            groove=rng.uniform(0.0, 0.7 if seams else 0.1),
            groove_width=rng.uniform(0.05, 0.16),
            foot=rng.uniform(0.0, 0.6),
            gloss=rng.uniform(0.0, 0.3) if rng.random() < 0.5 else 0.0,
            gamma=float(rng.choice([1.0, 0.7, 0.5])),
        )

    def shade(self, normals: Reals) -> Reals:
        """Return how bright surfaces with these normals (..., 3) are; one that lies flat is about 1."""
        lit = self._raw(normals) / self._raw(np.array([0.0, 0.0, 1.0], np.float32))
        return np.asarray(np.clip(lit, 0, 1.6) ** self.gamma, dtype=np.float32)

    def _raw(self, normals: Reals) -> Reals:
        up = normals[..., 2]
        raw = self.sky * (0.5 + 0.5 * up) + self.bounce * (0.5 - 0.5 * up)
        for lamp, power in zip(self.lamps.astype(np.float32), self.powers, strict=True):
            raw = raw + np.float32(power) * np.clip(normals @ lamp, 0, None)
        return np.asarray(raw, dtype=np.float32)


@dataclass(frozen=True, slots=True, kw_only=True)
class CastStack:
    """A stack to be met by rays: paints bottom to top, where each chip's middle is (n, 2), how each is turned."""

    paints: Sequence[Paint]
    places_mm: Floats
    turns: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Rays:
    """The rays of a picture's points, ``finer`` of them a pixel each way: in mm at the camera's foot.

    ``across`` (columns,) and ``up`` (rows,): where they pass the foot.
    """

    camera: FootCamera
    across: Reals
    up: Reals

    @classmethod
    def of(cls, camera: FootCamera, size: tuple[int, int], finer: int) -> Rays:
        """Return the rays of a picture of ``size`` (rows, columns)."""
        rows, columns = ((np.arange(n * finer) + 0.5) / finer - 0.5 for n in size)
        across = (columns - camera.foot_px[0]) / camera.px_per_mm
        up = -(rows - camera.foot_px[1]) / camera.px_per_mm
        return cls(camera=camera, across=across.astype(np.float32), up=up.astype(np.float32))

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.up), len(self.across)

    def at(self, rows: Any, columns: Any, z: float) -> tuple[Reals, Reals]:
        """Return right and away (mm) of where the rays of rows and columns, alike in shape, meet the height z."""
        camera, up = self.camera, self.up[rows]
        far, sine, cosine = np.float32(camera.distance_mm), np.float32(camera.sine), np.float32(camera.cosine)
        away = (up * (far - np.float32(z) * sine) - far * np.float32(z) * cosine) / (far * sine - up * cosine)
        right = self.across[columns] * ((far + away * cosine - np.float32(z) * sine) / far)
        return np.asarray(right), np.asarray(away)


def cast_stack(canvas: Reals, owner: NDArray[np.int16], rays: Rays, stack: CastStack, *, room: Room, finer: int,
               ident: int) -> None:  # fmt: skip
    """Paint what of a stack no nearer one hides onto a canvas (rows, columns, 3), uppermost chip first."""
    for level in reversed(range(len(stack.paints))):
        chip = _Chip(
            place=stack.places_mm[level],
            level=level,
            turn=float(stack.turns[level]),
            paint=stack.paints[level],
            above=stack.places_mm[level + 1] if level + 1 < len(stack.paints) else None,
        )
        part = _window(rays.camera, chip, finer, owner.shape)
        if part is not None:
            _cast_chip(canvas, owner, rays, part, chip, room=room, ident=ident)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Chip:
    place: Floats
    level: int
    turn: float
    paint: Paint
    above: Floats | None

    @property
    def low(self) -> float:
        return self.level * CHIP_HEIGHT_MM

    @property
    def high(self) -> float:
        return self.low + CHIP_HEIGHT_MM


def _window(camera: FootCamera, chip: _Chip, finer: int, shape: tuple[int, ...]) -> tuple[slice, slice] | None:
    ring = chip.place + _RING * CHIP_RADIUS_MM * 1.02
    points = np.concatenate([np.column_stack([ring, np.full(len(ring), z)]) for z in (chip.low, chip.high)])
    seen = (camera.to_pixels(points) + 0.5) * finer
    first = np.floor(seen.min(axis=0)).astype(int).clip(0)
    last = np.minimum(np.ceil(seen.max(axis=0)).astype(int) + 1, [shape[1], shape[0]])
    if (last <= first).any():
        return None
    return slice(first[1], last[1]), slice(first[0], last[0])


def _cast_chip(canvas: Reals, owner: NDArray[np.int16], rays: Rays, part: tuple[slice, slice], chip: _Chip,
               *, room: Room, ident: int) -> None:  # fmt: skip
    rows, columns = np.nonzero(owner[part] == 0)
    rows, columns = rows + part[0].start, columns + part[1].start
    x, y = np.float32(chip.place[0]), np.float32(chip.place[1])
    high = rays.at(rows, columns, chip.high)
    out = np.column_stack([high[0] - x, high[1] - y])
    on_top = np.einsum("ij,ij->i", out, out) <= CHIP_RADIUS_MM**2
    canvas[rows[on_top], columns[on_top]] = _face(out[on_top], chip, room)
    owner[rows[on_top], columns[on_top]] = ident
    rows, columns, out = rows[~on_top], columns[~on_top], out[~on_top]
    low = rays.at(rows, columns, chip.low)
    slope = (out - np.column_stack([low[0] - x, low[1] - y])) / np.float32(CHIP_HEIGHT_MM)
    a, b = np.einsum("ij,ij->i", slope, slope), np.einsum("ij,ij->i", out, slope)
    inner = b**2 - a * (np.einsum("ij,ij->i", out, out) - np.float32(CHIP_RADIUS_MM**2))
    down = (-b + np.sqrt(np.clip(inner, 0, None))) / np.maximum(a, np.float32(1e-9))  # from the upper rim, in z
    met = (inner > 0) & (down <= 0) & (down >= -CHIP_HEIGHT_MM)
    rows, columns, down = rows[met], columns[met], down[met]
    canvas[rows, columns] = _side(out[met] + slope[met] * down[:, None], chip.high + down, chip, room)
    owner[rows, columns] = ident


def _side(out: Reals, height: Reals, chip: _Chip, room: Room) -> Reals:
    """Colours (n, 3) of points of a chip's side, seen from its middle."""
    flat = out / np.float32(CHIP_RADIUS_MM)
    share = ((height - chip.low) / CHIP_HEIGHT_MM).clip(0, 0.999).astype(np.float32)
    columns = np.round(np.degrees(np.arctan2(flat[:, 0], -flat[:, 1])) - chip.turn).astype(int) % 360
    colour = chip.paint.edge[((1 - share) * EDGE_ROWS).astype(int).clip(0, EDGE_ROWS - 1), columns].astype(np.float32)
    bevel = np.float32(max(room.bevel, 1e-3))
    tilt = (share - (1 - bevel)).clip(0, None) / bevel - (bevel - share).clip(0, None) / bevel
    angle = tilt * np.float32(np.pi / 3)
    normals = np.column_stack([flat * np.cos(angle)[:, None], np.sin(angle)])
    edge = np.minimum(share, 1 - share if chip.above is not None else np.float32(1.0))
    shade = room.shade(normals) * (1 - room.groove * np.exp(-((edge / room.groove_width) ** 2)))
    shade *= 1 - room.foot * np.exp(-height / _FOOT_MM)
    if chip.above is not None:
        over = (flat @ (chip.above - chip.place).astype(np.float32)).clip(0, None)
        shade *= 1 - 0.45 * np.clip(1 - (1 - share) * CHIP_HEIGHT_MM / np.maximum(1.5 * over, 1e-3), 0, 1) * (over > 0)
    shine = room.gloss * 255 * np.exp(-(((flat @ room.lamps[0, :2].astype(np.float32)) - 0.9) ** 2) / 0.02)
    return np.asarray(colour * shade[:, None] + shine[:, None], dtype=np.float32)


def _face(out: Reals, chip: _Chip, room: Room) -> Reals:
    """Colours (n, 3) of points of a chip's face, seen from its middle; dark beside the chip that lies upon it."""
    angle = np.arctan2(out[:, 0], -out[:, 1]) - np.float32(np.radians(chip.turn))
    reach = np.hypot(out[:, 0], out[:, 1]) * np.float32((FACE_PX / 2 - 1.0) / CHIP_RADIUS_MM)
    half = FACE_PX / 2 - 0.5
    column, row = (np.round(half + turned * reach).astype(int) for turned in (np.sin(angle), np.cos(angle)))
    seen = chip.paint.face[row, column].astype(np.float32)
    colour = seen[:, :3] * (255 / np.maximum(seen[:, 3:], 1))
    if chip.above is None:
        return np.asarray(colour, dtype=np.float32)
    beside = np.hypot(*(out + (chip.place - chip.above).astype(np.float32)).T) - np.float32(CHIP_RADIUS_MM)
    return np.asarray(colour * (1 - (0.35 + 0.5 * room.groove) * np.exp(-beside.clip(0, None) / 1.2))[:, None])


def shadow(rays: Rays, stacks: Sequence[CastStack], room: Room, rng: np.random.Generator) -> Reals:
    """Return what the stacks leave of the light on the felt (rows, columns)."""
    rows, columns = np.indices(rays.size)
    felt = np.stack(rays.at(rows, columns, 0.0), axis=2)
    left = np.ones(rays.size, np.float32)
    near, reach, dark = rng.uniform(0.15, 0.7), rng.uniform(1.0, 6.0), rng.uniform(0.2, 0.8)
    soft = rng.uniform(2.0, 12.0)
    for stack in stacks:
        aside = felt - stack.places_mm[0].astype(np.float32)
        apart = np.hypot(aside[..., 0], aside[..., 1]) - np.float32(CHIP_RADIUS_MM)
        left *= 1 - near * np.exp(-apart.clip(0, None) / reach)
        for lamp, power in zip(room.lamps, room.powers, strict=True):
            fall = (-lamp[:2] / lamp[2] * len(stack.paints) * CHIP_HEIGHT_MM).astype(np.float32)
            along = (aside @ fall / max(float(fall @ fall), 1e-6)).clip(0, 1)
            rest = aside - along[..., None] * fall
            beside = np.hypot(rest[..., 0], rest[..., 1]) - CHIP_RADIUS_MM
            left *= 1 - dark * np.float32(power) * (0.5 - beside / soft).clip(0, 1)
    return left


def outline_of(camera: FootCamera, stack: CastStack) -> Floats:
    """Return the convex outline (n, 2) of a stack in pixels."""
    rings = []
    for level, place in enumerate(stack.places_mm):
        for z in (level, level + 1):
            ring = np.column_stack([place + _RING * CHIP_RADIUS_MM, np.full(len(_RING), z * CHIP_HEIGHT_MM)])
            rings.append(camera.to_pixels(ring))
    hull = cv2.convexHull(np.concatenate(rings).astype(np.float32))[:, 0]
    return np.asarray(hull, dtype=np.float64)
