"""The table itself: felt with its print, the padded rail, the dealer's edge."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from sample_footage.geometry import Camera, Floats
from sample_footage.layout import ARC_CENTRE_Y, EDGE_RADIUS
from sample_footage.paint.canvas import Light, Picture, Reals
from sample_footage.paint.look import Look

_ART: Final = Path(__file__).parents[1] / "art"
_PRINT_ORIGIN: Final = (-700.0, -330.0)
_PRINT_PX_PER_MM: Final = 2.0
_DEALER_EDGE_Y: Final = -196.0


def table_picture(camera: Camera, look: Look, light: Light, *, seed: int, sheet: str = "print.png") -> Picture:
    """Return the empty table as the camera sees it, without furniture; ``sheet`` is the felt's print."""
    width, height = camera.size
    xs, ys = np.meshgrid(np.arange(width), np.arange(height))
    felt_mm = camera.to_plane(np.stack([xs.ravel(), ys.ravel()], axis=1).astype(np.float64))
    plane = felt_mm.reshape(height, width, 2)
    colour = _felt(plane, look, seed)
    _ink(colour, plane, look, sheet)
    _rail(colour, plane, look)
    _dealer_edge(colour, plane)
    lit = colour * light.level[..., None] + light.glare[..., None]
    picture: Picture = np.clip(lit, 0, 255).astype(np.uint8)
    return picture


def _felt(plane: Floats, look: Look, seed: int) -> Reals:
    fibre = _remapped(_fibres(seed), plane, origin=(-800.0, -700.0), px_per_mm=1.6)
    worn = _remapped(_clouds(seed + 1), plane, origin=(-1000.0, -900.0), px_per_mm=0.2)
    level = 1.0 + 0.055 * fibre + 0.05 * worn
    colour: Reals = (level[..., None] * np.array(look.felt, np.float32)).astype(np.float32)
    return colour


def _fibres(seed: int) -> Reals:
    """Short hairs in every direction, zero mean, unit spread."""
    rng = np.random.default_rng(seed)
    sheet = np.zeros((2400, 2600), np.float32)
    for turn in range(6):
        noise = rng.standard_normal(sheet.shape, dtype=np.float32)
        sheet += cv2.filter2D(src=noise, ddepth=-1, kernel=_streak(9, turn * 30.0))
    normed: Reals = sheet / sheet.std()
    return normed


def _streak(length: int, degrees: float) -> Reals:
    kernel = np.zeros((length, length), np.float32)
    middle, a = length // 2, np.radians(degrees)
    dx, dy = np.cos(a) * middle, np.sin(a) * middle
    ends = [(round(middle - dx), round(middle - dy)), (round(middle + dx), round(middle + dy))]
    cv2.line(img=kernel, pt1=ends[0], pt2=ends[1], color=1.0, thickness=1, lineType=cv2.LINE_8)
    streak: Reals = kernel / kernel.sum()
    return streak


def _clouds(seed: int) -> Reals:
    rng = np.random.default_rng(seed)
    noise = rng.standard_normal((400, 400), dtype=np.float32)
    cloud = cv2.GaussianBlur(src=noise, ksize=(0, 0), sigmaX=9.0)
    normed: Reals = cloud / cloud.std()
    return normed


def _remapped(sheet: Reals, plane: Floats, *, origin: tuple[float, float], px_per_mm: float) -> Reals:
    across = ((plane[..., 0] - origin[0]) * px_per_mm).astype(np.float32)
    down = ((plane[..., 1] - origin[1]) * px_per_mm).astype(np.float32)
    seen: Reals = cv2.remap(
        src=sheet, map1=across, map2=down, interpolation=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    return seen


def _ink(colour: Reals, plane: Floats, look: Look, name: str) -> None:
    sheet = cv2.imread(str(_ART / name), cv2.IMREAD_COLOR)
    soft = cv2.GaussianBlur(src=np.asarray(sheet), ksize=(0, 0), sigmaX=0.7)
    across = ((-plane[..., 0] - _PRINT_ORIGIN[0]) * _PRINT_PX_PER_MM).astype(np.float32)
    down = ((plane[..., 1] - _PRINT_ORIGIN[1]) * _PRINT_PX_PER_MM).astype(np.float32)
    seen = cv2.remap(src=soft, map1=across, map2=down, interpolation=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    weave = colour.mean(axis=2, keepdims=True) / np.mean(look.felt)
    for channel, ink in ((2, look.ink), (1, look.gold), (0, look.red)):
        cover = seen[..., channel : channel + 1].astype(np.float32) * (0.86 / 255)
        colour *= 1.0 - cover
        colour += cover * np.array(ink, np.float32) * weave


def _rail(colour: Reals, plane: Floats, look: Look) -> None:
    """A padded leather rail around the players' side, with a dark seam where it meets the felt."""
    out = (np.hypot(plane[..., 0], plane[..., 1] - ARC_CENTRE_Y) - EDGE_RADIUS).astype(np.float32)
    on = np.clip(out / 1.6 + 0.5, 0, 1)[..., None]
    bulge = np.clip(out / 120.0, 0, 1)
    shine = 0.55 + 0.75 * np.sin(np.pi * bulge) ** 2 + 0.9 * np.exp(-(((bulge - 0.36) / 0.1) ** 2))
    stitch = np.exp(-(((out - 12.0) / 1.6) ** 2)) * 0.45
    leather = np.array(look.rail, np.float32) * (shine - stitch)[..., None]
    seam = 1.0 - 0.62 * np.exp(-np.abs(np.minimum(out, 0.0)) / 9.0)
    colour *= np.where(out < 0, seam, 1.0)[..., None]
    colour *= 1.0 - on
    colour += on * leather


def _dealer_edge(colour: Reals, plane: Floats) -> None:
    """A wooden strip along the dealer's side, and the dark beyond it."""
    past = (_DEALER_EDGE_Y - plane[..., 1]).astype(np.float32)
    grain = 1.0 + 0.1 * np.sin(plane[..., 0] / 9.0 + 2.0 * np.sin(plane[..., 1] / 5.0)).astype(np.float32)
    wood = grain[..., None] * np.array((38.0, 62.0, 104.0), np.float32)
    on = np.clip(past + 0.5, 0, 1)[..., None]
    colour *= 1.0 - on
    colour += on * wood
    gone: NDArray[np.float32] = np.clip((past - 34.0) / 3.0, 0, 1)[..., None]
    colour *= 1.0 - gone
    colour += gone * np.array((20.0, 19.0, 18.0), np.float32)
