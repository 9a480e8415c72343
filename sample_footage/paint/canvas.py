"""Blending patches into a picture, and the light that falls on the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sample_footage.geometry import Camera
from sample_footage.paint.look import Look

Picture = NDArray[np.uint8]
Reals = NDArray[Any]
"""Single precision throughout: pictures are large."""


@dataclass(frozen=True, slots=True)
class Patch:
    """A piece of picture: colour times coverage (h, w, 3), coverage (h, w) from 0 to 1, and its upper left corner."""

    colour: Reals
    cover: Reals
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Light:
    """What falls on the table, per pixel: ``level`` multiplies, ``glare`` adds (0 to 255)."""

    level: Reals
    glare: Reals

    @classmethod
    def over(cls, camera: Camera, look: Look) -> Light:
        """Return the light of one lamp above the table, seen by that camera."""
        width, height = camera.size
        step = 8
        xs, ys = np.meshgrid(np.arange(0, width + step, step), np.arange(0, height + step, step))
        felt = camera.to_plane(np.stack([xs.ravel(), ys.ravel()], axis=1).astype(np.float64))
        far = np.hypot(felt[:, 0] - look.lamp_mm[0], felt[:, 1] - look.lamp_mm[1]).reshape(xs.shape)
        lamp = 0.66 + 0.44 * np.exp(-((far / 620.0) ** 2))
        off = np.hypot(xs / width - 0.5, (ys / height - 0.5) * 0.7)
        level = lamp * (1.0 - 0.34 * np.clip(off - 0.16, 0, None) ** 1.3)
        patch = np.hypot((felt[:, 0] - 150.0) / 1.5, felt[:, 1] - 60.0).reshape(xs.shape)
        glare = 15.0 * np.exp(-((patch / 150.0) ** 2)) + 6.0 * np.exp(-((patch / 330.0) ** 2))
        return cls(level=_enlarged(level, step, camera.size), glare=_enlarged(glare, step, camera.size))

    def at(self, x: float, y: float) -> float:
        """Return the level at a pixel."""
        height, width = self.level.shape
        return float(self.level[min(height - 1, max(0, int(y))), min(width - 1, max(0, int(x)))])


def _enlarged(coarse: NDArray[Any], step: int, size: tuple[int, int]) -> Reals:
    full = cv2.resize(
        src=coarse.astype(np.float32),
        dsize=(coarse.shape[1] * step, coarse.shape[0] * step),
        interpolation=cv2.INTER_LINEAR,
    )
    cut: Reals = np.ascontiguousarray(full[: size[1], : size[0]])
    return cut


def blend(picture: Picture, patch: Patch) -> None:
    """Lay the patch over the picture, where it lies inside."""
    window = _window(picture, patch)
    if window is None:
        return
    (rows, columns), (own_rows, own_columns) = window
    under = picture[rows, columns]
    cover = patch.cover[own_rows, own_columns, None]
    mixed = patch.colour[own_rows, own_columns] + under * (1.0 - cover)
    np.clip(mixed, 0, 255, out=mixed)
    picture[rows, columns] = mixed.astype(np.uint8)


def shade(picture: Picture, patch: Patch) -> None:
    """Darken the picture under the patch's coverage; its colour is not used."""
    window = _window(picture, patch)
    if window is None:
        return
    (rows, columns), (own_rows, own_columns) = window
    keep = 1.0 - patch.cover[own_rows, own_columns, None]
    picture[rows, columns] = (picture[rows, columns] * keep).astype(np.uint8)


Slices = tuple[slice, slice]


def _window(picture: Picture, patch: Patch) -> tuple[Slices, Slices] | None:
    height, width = patch.cover.shape
    x0, y0 = max(0, patch.x), max(0, patch.y)
    x1, y1 = min(picture.shape[1], patch.x + width), min(picture.shape[0], patch.y + height)
    if x0 >= x1 or y0 >= y1:
        return None
    own = (slice(y0 - patch.y, y1 - patch.y), slice(x0 - patch.x, x1 - patch.x))
    return (slice(y0, y1), slice(x0, x1)), own


def soft_mask(polygons_px: list[NDArray[Any]], *, blur_px: float, strength: float) -> Patch:
    """Return a blurred dark patch covering the polygons: a soft shadow."""
    everything = np.vstack(polygons_px)
    pad = round(3 * blur_px) + 2
    x0, y0 = (int(v) - pad for v in np.floor(everything.min(axis=0)))
    x1, y1 = (int(v) + pad for v in np.ceil(everything.max(axis=0)))
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    for polygon in polygons_px:
        points = np.round((polygon - [x0, y0]) * 16).astype(np.int32)
        cv2.fillPoly(img=mask, pts=[points], color=255, lineType=cv2.LINE_AA, shift=4)
    cover = cv2.GaussianBlur(src=mask.astype(np.float32), ksize=(0, 0), sigmaX=blur_px) * (strength / 255)
    return Patch(colour=np.zeros((*cover.shape, 3), np.float32), cover=cover, x=x0, y=y0)


def smeared(patch: Patch, way_px: tuple[float, float]) -> Patch:
    """Return the patch as an open shutter sees it while it moves by that way."""
    steps = min(11, int(np.hypot(*way_px) / 2.8))
    if steps < 2:
        return patch
    dx, dy = way_px
    pad = int(np.ceil(max(abs(dx), abs(dy)) / 2)) + 1
    height, width = patch.cover.shape
    colour = np.zeros((height + 2 * pad, width + 2 * pad, 3), np.float32)
    cover = np.zeros((height + 2 * pad, width + 2 * pad), np.float32)
    for part in np.linspace(-0.5, 0.5, steps):
        x, y = pad + round(dx * part), pad + round(dy * part)
        colour[y : y + height, x : x + width] += patch.colour
        cover[y : y + height, x : x + width] += patch.cover
    return Patch(colour=colour / steps, cover=cover / steps, x=patch.x - pad, y=patch.y - pad)


def filled(polygon_px: NDArray[Any], bgr: tuple[float, float, float], *, opacity: float = 1.0) -> Patch:
    """Return a patch that fills the polygon evenly, with smooth edges."""
    x0, y0 = (int(v) - 1 for v in np.floor(polygon_px.min(axis=0)))
    x1, y1 = (int(v) + 2 for v in np.ceil(polygon_px.max(axis=0)))
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    points = np.round((polygon_px - [x0, y0]) * 16).astype(np.int32)
    cv2.fillPoly(img=mask, pts=[points], color=255, lineType=cv2.LINE_AA, shift=4)
    cover = mask.astype(np.float32) * (opacity / 255)
    colour = cover[..., None] * np.array(bgr, np.float32)
    return Patch(colour=colour.astype(np.float32), cover=cover, x=x0, y=y0)
