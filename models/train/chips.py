"""Stacks of chips, drawn in the perspective of a camera above the table.

A stack is drawn chip by chip, bottom to top, as a sprite with transparency, for a camera that looks down at
``elevation_deg`` (90 is straight from above) and sees ``px_per_mm`` at the foot of the stack. "Up" is the sprite's
-y; ``turned`` turns it for a camera in which the vertical leans.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.cheque_size import CHIP_DIAMETER_MM, CHIP_HEIGHT_MM, CHIP_RADIUS_MM
from models.train.chip_styles import EDGE_ROWS, FACE_PX, ChipStyle, Paint

Points = NDArray[np.float64]
_FOOT_MM: Final = 5.0  # how far up a side the dark of its foot reaches
_FEW_PX: Final = 5.0  # edges finer than this are drawn larger and reduced


@dataclass(frozen=True, slots=True, kw_only=True)
class StackSprite:
    """A drawn stack. Points are (n, 2) in sprite pixels, x right, y down.

    ``bgra``: straight (not premultiplied) alpha. ``shade``: what the shadow leaves of the light on the felt, 0..1,
    same size. ``base_xy``: centre of the bottom circle. ``top``: outline of the uppermost face, ``outline``: convex
    outline of the whole stack. ``middles_y``: height in the sprite of the front of each chip's edge, bottom to top.
    """

    bgra: NDArray[np.uint8]
    shade: NDArray[np.float32]
    base_xy: Points
    top: Points
    outline: Points
    colours: tuple[str, ...]
    middles: Points
    px_per_edge: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _View:
    """Weak perspective around the foot of the stack: scale grows towards the camera."""

    sin: float
    cos: float
    scale: float
    distance_mm: float
    origin: Points

    def at(self, x_mm: float, away_mm: float, z_mm: float) -> tuple[float, float, float]:
        """Pixel x, y and px per mm of a point right of, behind and above the foot's centre."""
        scale = self.scale * self.distance_mm / (self.distance_mm + away_mm * self.cos - z_mm * self.sin)
        x = self.origin[0] + x_mm * scale
        return x, self.origin[1] - (z_mm * self.cos + away_mm * self.sin) * scale, scale


def draw_stack(
    colours: Sequence[str],
    style: ChipStyle | Sequence[ChipStyle],
    *,
    elevation_deg: float,
    px_per_mm: float,
    rng: np.random.Generator,
    distance_mm: float = 1500.0,
    lean_deg: float | None = None,
    jitter_mm: float | None = None,
    light: Light | None = None,
) -> StackSprite:
    """Return a drawn stack of one or more chips, colours bottom to top.

    Args:
        colours: names of ``COLOURS``, or "other".
        style: the chips' design, or one per chip.
        elevation_deg: how steeply the camera looks down, 15 to 90.
        px_per_mm: scale at the foot, across the view.
        rng: the only source of chance.
        distance_mm: from the camera; small means strong perspective.
        lean_deg: how far the stack leans, in a random direction; None draws a likely one.
        jitter_mm: how carelessly chips are put on each other (one sigma); None draws one.
        light: how the place is lit; None draws one.
    """
    styles = [style] * len(colours) if isinstance(style, ChipStyle) else list(style)
    tilt = np.radians(elevation_deg)
    edge_px = CHIP_HEIGHT_MM * np.cos(tilt) * px_per_mm
    finer = int(np.clip(np.ceil(_FEW_PX / max(edge_px, 1.0)), 2 if px_per_mm < 3 else 1, 4))
    offsets = chip_offsets(len(colours), rng, lean_deg=lean_deg, jitter_mm=jitter_mm)
    view, size = _frame(offsets, tilt=float(tilt), scale=px_per_mm * finer, distance_mm=distance_mm, grid=finer)
    on = _Surface(canvas=np.zeros((*size, 3), np.float32), mask=np.zeros(size, np.uint8), view=view)
    light = Light.random(rng) if light is None else light
    for index, (colour, one) in enumerate(zip(colours, styles, strict=True)):
        last, turn = index == len(colours) - 1, rng.uniform(0, 360)
        _draw_chip(on, one.paint(colour), offsets[index], index, light=light, turn=turn, last=last)
    gloss = light.gloss * styles[-1].gloss
    if gloss > 0.02:
        _glint(on, offsets[-1], len(colours), strength=gloss, rng=rng)
    bgra = _reduced(on.canvas, on.mask, finer)
    shade = _shade(view, offsets, size, finer, rng)
    return _sprite(bgra, shade, view, offsets, colours=tuple(colours), finer=finer)


def turned(sprite: StackSprite, roll_deg: float) -> StackSprite:
    """Return the sprite turned clockwise by ``roll_deg``, on a canvas that holds all of it."""
    height, width = sprite.shade.shape
    turn = cv2.getRotationMatrix2D(center=(width / 2, height / 2), angle=-roll_deg, scale=1.0)
    cos, sin = abs(turn[0, 0]), abs(turn[0, 1])
    size = int(np.ceil(width * cos + height * sin)), int(np.ceil(width * sin + height * cos))
    turn[:, 2] += (size[0] - width) / 2, (size[1] - height) / 2

    def moved(points: Points) -> Points:
        return np.asarray(points @ turn[:, :2].T + turn[:, 2], dtype=np.float64)

    return StackSprite(
        bgra=cv2.warpAffine(sprite.bgra, turn, dsize=size, flags=cv2.INTER_LINEAR),
        shade=cv2.warpAffine(sprite.shade, turn, dsize=size, flags=cv2.INTER_LINEAR, borderValue=1.0),
        base_xy=moved(sprite.base_xy), top=moved(sprite.top), outline=moved(sprite.outline),
        colours=sprite.colours, middles=moved(sprite.middles), px_per_edge=sprite.px_per_edge,
    )  # fmt: skip


def paste(image_bgr: NDArray[np.uint8], sprite: StackSprite, at_xy: tuple[float, float]) -> Points:
    """Draw the sprite in place, its foot's centre at ``at_xy`` (to the pixel); return the shift of its points."""
    shift = np.round(np.asarray(at_xy) - sprite.base_xy).astype(int)
    height, width = sprite.shade.shape
    left, top = max(0, int(shift[0])), max(0, int(shift[1]))
    right, bottom = min(image_bgr.shape[1], int(shift[0]) + width), min(image_bgr.shape[0], int(shift[1]) + height)
    if left < right and top < bottom:
        part = np.s_[top - shift[1] : bottom - shift[1], left - shift[0] : right - shift[0]]
        alpha = sprite.bgra[part][..., 3:].astype(np.float32) / 255
        ground = image_bgr[top:bottom, left:right] * sprite.shade[part][..., None]
        image_bgr[top:bottom, left:right] = ground * (1 - alpha) + sprite.bgra[part][..., :3] * alpha
    return shift.astype(np.float64)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Surface:
    """What is drawn on: colours and cover, and from where it is seen."""

    canvas: NDArray[np.float32]
    mask: NDArray[np.uint8]
    view: _View


@dataclass(frozen=True, slots=True, kw_only=True)
class Light:
    """How bright faces and edges are, from which side, and how dark the gaps between the chips and the foot are."""

    face: float
    edge: float
    side: float
    contrast: float
    gap: float
    gap_width: float
    gloss: float
    foot: float = 0.0

    @classmethod
    def random(cls, rng: np.random.Generator) -> Light:
        """Return any light."""
        return cls(
            face=rng.uniform(0.85, 1.08), edge=rng.uniform(0.5, 0.98), side=rng.uniform(-1.2, 1.2),
            contrast=rng.uniform(0.05, 0.55), gap=rng.uniform(0.12, 0.75), gap_width=rng.uniform(0.06, 0.2),
            gloss=rng.uniform(0, 1),
        )  # fmt: skip

    @classmethod
    def above_table(cls, rng: np.random.Generator) -> Light:
        """Return the light of lamps above a table: sides are darker than faces, and darkest at the felt."""
        return cls(
            face=rng.uniform(0.85, 1.05), edge=rng.uniform(0.35, 0.9), side=rng.uniform(-1.2, 1.2),
            contrast=rng.uniform(0.05, 0.5), gap=rng.uniform(0.05, 0.6), gap_width=rng.uniform(0.06, 0.2),
            gloss=rng.uniform(0, 0.7), foot=rng.uniform(0, 0.6),
        )  # fmt: skip


def chip_offsets(
    count: int, rng: np.random.Generator, *, lean_deg: float | None = None, jitter_mm: float | None = None
) -> Points:
    """Return how far right and away (n, 2) the chips' centres are from the lowest's, in mm; see ``draw_stack``."""
    lean = abs(rng.normal(0, 1.5)) if lean_deg is None and rng.random() < 0.85 else lean_deg
    lean = rng.uniform(2, 8) if lean is None else lean
    jitter = rng.choice([0.15, 0.4, 0.8]) * rng.uniform(0.5, 1.5) if jitter_mm is None else jitter_mm
    around = rng.uniform(0, 2 * np.pi)
    shift = np.tan(np.radians(lean)) * CHIP_HEIGHT_MM * np.arange(count)
    offsets = shift[:, None] * np.array([np.cos(around), np.sin(around)]) + rng.normal(0, jitter, (count, 2))
    if jitter_mm is None and count > 1 and rng.random() < 0.08:
        offsets[rng.integers(1, count) :] += rng.normal(0, 2.0, 2)
    return np.asarray(offsets - offsets[0])


def _frame(
    offsets: Points, *, tilt: float, scale: float, distance_mm: float, grid: int
) -> tuple[_View, tuple[int, int]]:
    """The view and the canvas (rows, columns; multiples of ``grid``) that hold the stack and its shadow."""
    view = _View(sin=np.sin(tilt), cos=np.cos(tilt), scale=scale, distance_mm=distance_mm, origin=np.zeros(2))
    reach, height = CHIP_RADIUS_MM * 1.25, len(offsets) * CHIP_HEIGHT_MM
    corners = [
        view.at(x + dx, away + dy, z)[:2]
        for x, away in (*offsets, offsets[0])
        for z in (0.0, height)
        for dx in (-reach, reach)
        for dy in (-reach, reach)
    ]
    low, high = np.min(corners, axis=0), np.max(corners, axis=0)
    margin = CHIP_RADIUS_MM * 0.5 * scale
    size = np.ceil((high - low + 2 * margin) / grid).astype(int) * grid
    view = _View(sin=view.sin, cos=view.cos, scale=scale, distance_mm=distance_mm, origin=margin - low)
    return view, (int(size[1]), int(size[0]))


def _draw_chip(
    on: _Surface, paint: Paint, offset: Points, index: int, *, light: Light, turn: float, last: bool
) -> None:
    view = on.view
    z = index * CHIP_HEIGHT_MM
    _, y_low, _ = view.at(offset[0], offset[1], z)
    x, y, scale = view.at(offset[0], offset[1], z + CHIP_HEIGHT_MM)
    radius = CHIP_RADIUS_MM * scale
    left, right = int(np.floor(x - radius)), int(np.ceil(x + radius)) + 1
    top, bottom = int(np.floor(y)) - 1, int(np.ceil(y_low + radius * view.sin)) + 2
    across = (np.arange(left, right) - x) / radius
    sink = np.sqrt(np.clip(1 - across**2, 0, 1)) * radius * view.sin
    height = max(y_low - y, 0.3)
    down = (np.arange(top, bottom)[:, None] - y - sink[None]) / height
    y_at, x_at = np.nonzero((np.abs(across) <= 1)[None] & (down >= -0.5 / height) & (down <= 1))
    theta = np.degrees(np.arcsin(across.clip(-1, 1)))
    columns = np.round(theta - turn).astype(int) % 360
    lit = light.edge * (1 - light.contrast * (0.5 - 0.5 * np.cos(np.radians(theta) - light.side)))
    deep = down[y_at, x_at].clip(0, 0.999)
    gap = np.exp(-((deep / light.gap_width) ** 2)) * 0.5 + np.exp(-(((1 - deep) / light.gap_width) ** 2))
    level = z + (1 - deep) * CHIP_HEIGHT_MM
    shade = lit[x_at] * (1 - light.gap * gap.clip(0, 1)) * (1 - light.foot * np.exp(-level / _FOOT_MM))
    on.canvas[top + y_at, left + x_at] = paint.edge[(deep * EDGE_ROWS).astype(int), columns[x_at]] * shade[:, None]
    on.mask[top + y_at, left + x_at] = 255
    if last:
        _draw_face(on, paint, (x, y), radius, turn=turn, brightness=light.face)
    else:
        _draw_rim(on, paint, (x, y), radius, brightness=light.face * 0.7)


def _draw_rim(on: _Surface, paint: Paint, at_xy: tuple[float, float], radius: float, *, brightness: float) -> None:
    """The face of a chip under others: a sickle at most shows, in the chip's own colour."""
    colour = [float(v) * brightness for v in paint.face[FACE_PX // 2, 3, :3]]
    box = (at_xy, (2 * radius, 2 * radius * on.view.sin), 0.0)
    cv2.ellipse(on.canvas, box, colour, thickness=-1)
    cv2.ellipse(on.mask, box, 255, thickness=-1)


def _draw_face(
    on: _Surface, paint: Paint, at_xy: tuple[float, float], radius: float, *, turn: float, brightness: float
) -> None:
    squash = on.view.sin
    half, angle = FACE_PX / 2, np.radians(turn)
    left, top = int(at_xy[0] - radius) - 1, int(at_xy[1] - radius * squash) - 1
    size = int(2 * radius) + 4, int(2 * radius * squash) + 4
    part, solid_part = (layer[top : top + size[1], left : left + size[0]] for layer in (on.canvas, on.mask))
    rotation = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    turn_squash = np.diag([radius / half, radius * squash / half]) @ rotation
    middle = np.array(at_xy) - (left, top) - turn_squash @ np.array([half - 0.5, half - 0.5])
    flags = cv2.INTER_AREA if radius < half / 2 else cv2.INTER_LINEAR
    face = cv2.warpAffine(paint.face, np.column_stack([turn_squash, middle]), dsize=size, flags=flags)
    solid = face[..., 3] > 127
    part[solid] = face[..., :3][solid] * (255 / face[..., 3:][solid].astype(np.float32)) * brightness
    solid_part[solid] = 255


def _glint(on: _Surface, offset: Points, count: int, *, strength: float, rng: np.random.Generator) -> None:
    """A lamp's soft reflection on the uppermost face."""
    x, y, scale = on.view.at(offset[0], offset[1], count * CHIP_HEIGHT_MM)
    radius = CHIP_RADIUS_MM * scale
    x, y = x + rng.uniform(-0.6, 0.6) * radius, y + rng.uniform(-0.6, 0.6) * radius * on.view.sin
    across = (np.arange(on.canvas.shape[1]) - x) / (radius * rng.uniform(0.3, 0.9))
    down = (np.arange(on.canvas.shape[0]) - y) / (radius * on.view.sin * rng.uniform(0.3, 0.9))
    spot = np.exp(-(across[None] ** 2) - down[:, None] ** 2) * (255 * strength)
    on.canvas[:] += (spot * (on.mask > 0))[..., None].astype(np.float32)


def _reduced(canvas: NDArray[np.float32], mask: NDArray[np.uint8], finer: int) -> NDArray[np.uint8]:
    size = canvas.shape[1] // finer, canvas.shape[0] // finer
    colour = cv2.resize(canvas, dsize=size, interpolation=cv2.INTER_AREA)
    alpha = cv2.resize(mask, dsize=size, interpolation=cv2.INTER_AREA)
    colour *= 255.0 / np.maximum(alpha, 1)[..., None]
    return np.dstack([colour.clip(0, 255).astype(np.uint8), alpha])


def _shade(
    view: _View, offsets: Points, size: tuple[int, int], finer: int, rng: np.random.Generator
) -> NDArray[np.float32]:
    """Contact shadow and the shadow that a lamp casts over the felt."""
    small = np.zeros((size[0] // finer, size[1] // finer), np.uint8)
    height = len(offsets) * CHIP_HEIGHT_MM
    cast = rng.uniform(-0.5, 0.5, 2) * min(height, CHIP_DIAMETER_MM)
    for share in np.linspace(0, 1, 4):
        x, y, scale = view.at(cast[0] * share, cast[1] * share, 0.0)
        axes = CHIP_RADIUS_MM * 1.06 * scale / finer
        cv2.ellipse(
            small, center=(round(x / finer), round(y / finer)), axes=(round(axes), max(1, round(axes * view.sin))),
            angle=0, startAngle=0, endAngle=360, color=255, thickness=-1,
        )  # fmt: skip
    blur = max(1.0, view.scale / finer * rng.uniform(1.0, 4.0))
    soft = cv2.GaussianBlur(small, ksize=(0, 0), sigmaX=blur).astype(np.float32) / 255
    return np.asarray(1 - soft * _taper(small.shape) * np.float32(rng.uniform(0.1, 0.65)), dtype=np.float32)


def _taper(shape: tuple[int, ...]) -> NDArray[np.float32]:
    """One inside, falling to zero at the border, so that no shadow ends in a line."""
    rows, columns = (np.minimum(np.arange(n), np.arange(n)[::-1]) / (0.12 * n) for n in shape)
    return np.asarray(np.minimum(rows.clip(0, 1)[:, None], columns.clip(0, 1)[None]), dtype=np.float32)


def _sprite(
    bgra: NDArray[np.uint8],
    shade: NDArray[np.float32],
    view: _View,
    offsets: Points,
    *,
    colours: tuple[str, ...],
    finer: int,
) -> StackSprite:
    around = np.linspace(0, 2 * np.pi, num=24, endpoint=False)
    circle = np.stack([np.cos(around), np.sin(around)], axis=1) * CHIP_RADIUS_MM

    def ring(index: int, z_mm: float) -> Points:
        x, y, scale = view.at(offsets[index][0], offsets[index][1], z_mm)
        return np.asarray((np.array([x, y]) + circle * np.array([scale, scale * view.sin])) / finer, dtype=np.float64)

    rings = [ring(index, (index + side) * CHIP_HEIGHT_MM) for index in range(len(colours)) for side in (0, 1)]
    hull = cv2.convexHull(np.concatenate(rings).astype(np.float32))[:, 0].astype(np.float64)
    middles = [
        view.at(x, away - CHIP_RADIUS_MM, (index + 0.5) * CHIP_HEIGHT_MM)[:2] for index, (x, away) in enumerate(offsets)
    ]
    return StackSprite(
        bgra=bgra, shade=shade, base_xy=np.array(view.at(0, 0, 0)[:2]) / finer, top=rings[-1], outline=hull,
        colours=colours, middles=np.array(middles) / finer, px_per_edge=CHIP_HEIGHT_MM * view.cos * view.scale / finer,
    )  # fmt: skip
