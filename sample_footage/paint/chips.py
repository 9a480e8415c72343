"""Chips: cylinders met by the camera's rays, with rims, edge spots and inlays, each turned and shifted a little."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from audit.money import format_money
from audit.table import CHIP_VALUES
from sample_footage.coverage import pile_outline_mm
from sample_footage.geometry import Camera, Floats
from sample_footage.layout import CHIP_H, CHIP_R, Place
from sample_footage.paint.canvas import Light, Patch, Reals, soft_mask
from sample_footage.paint.look import Bgr, Look

_OVER: Final = 3
_JITTER_MM: Final = 0.8
_LAMP: Final = np.array((0.12, 0.30, 0.95)) / np.linalg.norm((0.12, 0.30, 0.95))
_COLOURS: Final[dict[str, tuple[Bgr, Bgr]]] = {
    # body and edge spots, BGR
    "blue": ((150, 86, 40), (226, 226, 220)),
    "white": ((214, 218, 218), (170, 96, 52)),
    "pink": ((168, 138, 226), (226, 228, 226)),
    "red": ((46, 40, 178), (222, 226, 226)),
    "green": ((72, 112, 30), (212, 222, 226)),
    "black": ((56, 53, 53), (216, 220, 222)),
    "purple": ((128, 54, 96), (220, 218, 222)),
    "orange": ((40, 112, 226), (60, 52, 48)),
    "grey": ((138, 138, 136), (60, 60, 170)),
    "teal": ((136, 128, 30), (60, 190, 226)),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Chip:
    """One chip of a pile: colour, small shift and turn."""

    colour: str
    x: float
    y: float
    turn: float
    tint: float


def chips_of(stack: tuple[str, ...], place: Place, *, seed: int) -> list[Chip]:
    """Return the pile's chips bottom to top, each shifted by under a millimetre and turned at random."""
    rng = np.random.default_rng(seed)
    shifts = np.clip(rng.normal(0, _JITTER_MM / 2, (len(stack), 2)), -_JITTER_MM, _JITTER_MM)
    turns, tints = rng.uniform(0, 2 * np.pi, len(stack)), rng.uniform(0.93, 1.06, len(stack))
    return [
        Chip(colour=colour, x=place.x + dx, y=place.y + dy, turn=float(turn), tint=float(tint))
        for colour, (dx, dy), turn, tint in zip(stack, shifts, turns, tints, strict=True)
    ]


def face_texture(colour: str) -> Reals:
    """Return the inlay of a chip's face (128, 128, 3) with its value, for the inner part of the disc."""
    body, _ = _COLOURS[colour]
    pale = tuple(0.25 * c + 0.75 * 226 for c in body)
    art = np.full((128, 128, 3), body, np.uint8)
    cv2.circle(img=art, center=(64, 64), radius=60, color=pale, thickness=-1, lineType=cv2.LINE_AA)
    cv2.circle(img=art, center=(64, 64), radius=52, color=body, thickness=2, lineType=cv2.LINE_AA)
    size = {1: 1.9, 2: 1.5, 3: 1.1, 4: 0.8, 5: 0.8}
    print_value(art, colour, font=cv2.FONT_HERSHEY_DUPLEX, sizes=size, ink=(40, 40, 44))
    return art.astype(np.float32)


def print_value(art: Any, colour: str, *, font: int, sizes: dict[int, float], ink: Bgr) -> None:
    """Print what a chip is worth into the middle of its face (n, n, 3); ``sizes`` by the number of signs."""
    text = format_money(CHIP_VALUES[colour]).removesuffix(".00").replace("2.50", "2.5")
    scale, middle = sizes[len(text)], len(art) // 2
    (width, height), _ = cv2.getTextSize(text=text, fontFace=font, fontScale=scale, thickness=3)
    cv2.putText(
        img=art,
        text=text,
        org=(middle - width // 2, middle + height // 2),
        fontFace=font,
        fontScale=scale,
        color=ink,
        thickness=3,
        lineType=cv2.LINE_AA,
    )


class ChipArt:
    """The chips of one casino."""

    def __init__(self, look: Look) -> None:
        self._look = look
        self._inlays = {colour: face_texture(colour) for colour in CHIP_VALUES}

    def rim(self, chip: Chip, angle: NDArray[Any]) -> NDArray[Any]:
        """Return the colour (n, 3) of the rim at angles around the chip: body, or an edge spot with pale flanks."""
        body, spot = (np.array(c, np.float32) for c in _COLOURS[chip.colour])
        part = ((angle - chip.turn) / (2 * np.pi) * self._look.spots) % 1.0
        inside = np.abs(part - 0.5) * 2 < self._look.spot_share
        core = np.abs(part - 0.5) * 2 < self._look.spot_share * 0.28
        colour = np.where(inside[:, None], spot, body)
        colour = np.where(core[:, None] & inside[:, None], body * 0.85 + 20, colour) * chip.tint
        return np.asarray(colour)

    def face(self, chip: Chip, u: NDArray[Any], v: NDArray[Any]) -> NDArray[Any]:
        """Return the colour (n, 3) of the upper face at offsets in millimetres from its middle."""
        far = np.hypot(u, v)
        colour = self.rim(chip, np.arctan2(v, u))
        body = np.array(_COLOURS[chip.colour][0], np.float32) * chip.tint
        colour = np.where((far < 14.2)[:, None], body * 0.9, colour)
        cos, sin = np.cos(chip.turn), np.sin(chip.turn)
        across = (u * cos + v * sin) / 12.0 * 60 + 64
        down = (-u * sin + v * cos) / 12.0 * -60 + 64
        inlay = self._inlays[chip.colour]
        picked = inlay[np.clip(down, 0, 127).astype(int), np.clip(across, 0, 127).astype(int)]
        colour = np.where((far < 12.0)[:, None], picked * chip.tint, colour)
        worn = np.clip((CHIP_R - far) / 0.9, 0, 1)[:, None]
        return np.asarray(colour * (0.82 + 0.18 * worn))


def pile_patch(art: ChipArt, chips: list[Chip], camera: Camera, light: Light, *, z_mm: float = 0.0) -> Patch:
    """Return a pile as seen, bottom to top, smooth at the edges."""
    middle = Place(chips[0].x, chips[0].y)
    outline = camera.project(pile_outline_mm(middle, len(chips), z_mm=z_mm))
    x0, y0 = (int(v) - 3 for v in np.floor(outline.min(axis=0)))
    x1, y1 = (int(v) + 4 for v in np.ceil(outline.max(axis=0)))
    width, height = (x1 - x0) * _OVER, (y1 - y0) * _OVER
    xs, ys = np.meshgrid(np.arange(width), np.arange(height))
    pixels = np.stack([xs.ravel(), ys.ravel()], axis=1) / _OVER + [x0, y0] - (_OVER - 1) / (2 * _OVER)
    rays = camera.rays(pixels)
    seen = np.zeros((len(rays), 4), np.float32)
    for level, chip in enumerate(chips):
        _draw_chip(art, chip, rays, camera.eye_mm, seen, z=z_mm + level * CHIP_H, beneath=level == 0)
    small = cv2.resize(src=seen.reshape(height, width, 4), dsize=(x1 - x0, y1 - y0), interpolation=cv2.INTER_AREA)
    level_of_light = light.at(*outline.mean(axis=0))
    return Patch(colour=small[..., :3] * level_of_light, cover=small[..., 3], x=x0, y=y0)


def _draw_chip(art: ChipArt, chip: Chip, rays: Floats, eye: Floats, seen: Reals, *, z: float, beneath: bool) -> None:
    """Paint one chip over those below it: its side where the rays meet the cylinder, its face where the top."""
    top = z + CHIP_H
    reach = (top - eye[2]) / rays[:, 2]
    u, v = eye[0] + rays[:, 0] * reach - chip.x, eye[1] + rays[:, 1] * reach - chip.y
    on_face = u * u + v * v <= CHIP_R**2
    ox, oy = eye[0] - chip.x, eye[1] - chip.y
    a = rays[:, 0] ** 2 + rays[:, 1] ** 2
    b = ox * rays[:, 0] + oy * rays[:, 1]
    under_root = b * b - a * (ox * ox + oy * oy - CHIP_R**2)
    near = (-b - np.sqrt(np.maximum(under_root, 0.0))) / a
    height = eye[2] + rays[:, 2] * near - z
    on_side = (under_root > 0) & (height >= 0) & (height <= CHIP_H) & ~on_face
    seen[on_face, :3] = art.face(chip, u[on_face], v[on_face]) * 0.98
    seen[on_face, 3] = 1.0
    nx, ny = (ox + rays[:, 0] * near)[on_side] / CHIP_R, (oy + rays[:, 1] * near)[on_side] / CHIP_R
    part = height[on_side] / CHIP_H
    lit = 0.74 + 0.36 * np.clip(nx * _LAMP[0] + ny * _LAMP[1], 0, 1) / 0.33 * 0.6
    groove = 1.0 - 0.66 * np.exp(-((np.minimum(part, 1 - part) / 0.12) ** 2))
    sheen = 1.0 + 0.22 * np.exp(-(((part - 0.74) / 0.12) ** 2))
    gloom = 0.84 + 0.16 * np.clip(part * CHIP_H / 2.5, 0, 1) if beneath else 1.0
    colour = art.rim(chip, np.arctan2(ny, nx)) * (lit * groove * sheen * gloom)[:, None]
    seen[on_side, :3] = colour
    seen[on_side, 3] = 1.0


def pile_shadow(place: Place, chips: int, camera: Camera, *, z_mm: float = 0.0) -> Patch:
    """Return the soft shadow of a pile: dark at its foot, fading away from the lamp."""
    scale = camera.size[0] / 1920
    drop = Place(place.x - 0.05 * chips - 0.2 * z_mm, place.y - 0.12 * chips + 0.5 - 0.2 * z_mm)
    ring = pile_outline_mm(drop, 1)[:24, :2]
    wide = drop.x + (ring[:, 0] - drop.x) * 1.09, drop.y + (ring[:, 1] - drop.y) * 1.09
    outline = camera.project(np.stack(wide, axis=1))
    return soft_mask([outline], blur_px=(2.6 + 0.2 * z_mm) * scale, strength=0.5 / (1 + z_mm / 30))


def seed_of(key: str) -> int:
    """Return a number that belongs to a thing's key, the same in every run."""
    return zlib.crc32(key.encode())
