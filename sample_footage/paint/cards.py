"""Cards: faces cut from the deck's sheet, a printed back, and their perspective on the felt."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from sample_footage.coverage import card_corners_mm
from sample_footage.geometry import Camera
from sample_footage.layout import CARD_CORNER, CARD_W, Place
from sample_footage.paint.canvas import Light, Patch, Reals, soft_mask
from sample_footage.paint.look import Look

_SHEET: Final = Path(__file__).parents[1] / "art" / "deck.png"
_FACE: Final = (210, 285)
_RANKS: Final = "AKQJT98765432"
_SUITS: Final = "shcd"
_PAPER: Final = np.array((226.0, 232.0, 234.0), np.float32)
CUT_CARD: Final = "cut card"
_PLASTIC: Final = (32.0, 190.0, 232.0)
_INK: Final = np.array((26.0, 24.0, 24.0), np.float32)
_OVER: Final = 2


class CardArt:
    """The faces and the back of one deck as textures (285, 210, 4): colour times coverage, and coverage."""

    def __init__(self, look: Look) -> None:
        sheet = np.asarray(cv2.imread(str(_SHEET), cv2.IMREAD_COLOR), dtype=np.float32)
        cover = _rounded()
        width, height = _FACE
        self._faces: dict[str, Reals] = {}
        for row, suit in enumerate(_SUITS):
            for column, rank in enumerate(_RANKS):
                face = sheet[row * height : (row + 1) * height, column * width : (column + 1) * width]
                printed = _INK + face / 255.0 * (_PAPER - _INK)
                self._faces[rank + suit] = _textured(printed, cover)
        self._back = _textured(_back(look), cover)
        width, height = _FACE
        self._faces[CUT_CARD] = _textured(np.full((height, width, 3), _PLASTIC, np.float32), cover)

    def texture(self, card: str | None) -> Reals:
        """Return the face of a card, the back for None."""
        return self._back if card is None else self._faces[card]


def _textured(colour: NDArray[Any], cover: Reals) -> Reals:
    alpha = cover[..., None]
    texture: Reals = np.concatenate([colour * alpha, alpha * 255.0], axis=2).astype(np.float32)
    return texture


def _rounded() -> Reals:
    width, height = _FACE
    radius = round(CARD_CORNER / CARD_W * width)
    mask = np.zeros((height, width), np.uint8)
    cv2.rectangle(img=mask, pt1=(0, radius), pt2=(width - 1, height - 1 - radius), color=255, thickness=-1)
    cv2.rectangle(img=mask, pt1=(radius, 0), pt2=(width - 1 - radius, height - 1), color=255, thickness=-1)
    for x in (radius, width - 1 - radius):
        for y in (radius, height - 1 - radius):
            cv2.circle(img=mask, center=(x, y), radius=radius, color=255, thickness=-1, lineType=cv2.LINE_AA)
    cover: Reals = mask.astype(np.float32) / 255
    return cover


def _back(look: Look) -> NDArray[Any]:
    """A white border around a lattice of diamonds."""
    width, height = _FACE
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    right, down = xs - width / 2, (ys - height / 2) * 0.8
    waves = np.cos((right + down) / 3.4) * np.cos((right - down) / 3.4)
    light = np.clip(0.5 + 1.6 * waves, 0, 1)[..., None]
    ink = np.array(look.back, np.float32)
    pattern = ink + (_PAPER - ink) * 0.55 * light
    edge = np.minimum(np.minimum(xs, width - 1 - xs), np.minimum(ys, height - 1 - ys))
    pattern = np.where(((edge > 15) & (edge < 19))[..., None], ink, pattern)
    return np.where((edge < 12)[..., None], _PAPER, pattern)


def card_patch(
    art: CardArt, card: str | None, place: Place, camera: Camera, light: Light, *, z_mm: float = 0.0, turn: float = 0.0
) -> Patch | None:
    """Return the card as seen; ``turn`` 0 to 1 narrows it while it is being turned over. None if edge-on."""
    narrow = abs(np.cos(np.pi * turn))
    if narrow < 0.06:
        return None
    corners = card_corners_mm(place, z_mm=z_mm)
    middle = corners.mean(axis=0)
    across = (corners[1] - corners[0]) / CARD_W
    offsets = (corners - middle) @ across
    corners = corners - np.outer(offsets, across) * (1.0 - narrow)
    quad = camera.project(corners)
    x0, y0 = (int(v) - 1 for v in np.floor(quad.min(axis=0)))
    x1, y1 = (int(v) + 2 for v in np.ceil(quad.max(axis=0)))
    width, height = _FACE
    source = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - 0.5
    target = ((quad - [x0, y0]) * _OVER + (_OVER - 1) / 2).astype(np.float32)
    warp = cv2.getPerspectiveTransform(src=source, dst=target[[2, 3, 0, 1]])  # upright for the players
    big = cv2.warpPerspective(
        src=art.texture(card), M=warp, dsize=((x1 - x0) * _OVER, (y1 - y0) * _OVER), flags=cv2.INTER_LINEAR
    )
    seen = cv2.resize(src=big, dsize=(x1 - x0, y1 - y0), interpolation=cv2.INTER_AREA)
    cover = seen[..., 3] / 255.0
    level = light.at(*quad.mean(axis=0))
    bright = seen[..., :3] * level + _glare(light, x0, y0, cover)[..., None]
    return Patch(colour=bright.astype(np.float32), cover=cover.astype(np.float32), x=x0, y=y0)


def _glare(light: Light, x0: int, y0: int, cover: Reals) -> Reals:
    height, width = light.glare.shape
    y, x = min(height - 1, max(0, y0 + cover.shape[0] // 2)), min(width - 1, max(0, x0 + cover.shape[1] // 2))
    tilt = np.linspace(1.5, 0.5, cover.shape[0], dtype=np.float32)[:, None]
    glare: Reals = cover * tilt * light.glare[y, x] * 1.1
    return glare


def card_shadow(place: Place, camera: Camera, *, z_mm: float = 0.0) -> Patch:
    """Return the soft shadow of a card that lies, or is carried at a height."""
    drop = Place(place.x + 0.8 - 0.25 * z_mm, place.y + 1.4 + 0.2 * z_mm, place.angle)
    scale = camera.size[0] / 1920
    blur = (2.0 + 0.25 * z_mm) * scale
    return soft_mask([camera.project(card_corners_mm(drop))], blur_px=blur, strength=0.42 / (1 + z_mm / 25))
