"""Table surfaces for composed pictures: felts, cloth, wood, carpets, and what casinos print on them."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from models.train.compose_canvas import Image
from models.train.scene_camera import SceneCamera

TEXTURE: Final = 512
_WORDS: Final = (
    "BLACKJACK PAYS 3 TO 2", "Dealer must draw to 16 and stand on all 17's", "INSURANCE PAYS 2 TO 1", "PAYS", "TIE",
    "BANKER", "PLAYER", "ANTE", "RAISE", "BASE", "DRAW", "MATCH", "SUPER 3", "CRAPS", "21", "BET", "WIN", "777", "A",
    "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2", "♠", "♥", "♦", "♣", "A♠", "K♥", "7♦", "10♣", "Q♠",
    "J♥", "2♣", "9♦", "1 to 1", "25", "50", "100", "MIN 10", "MAX 2000", "CASINO", "★", "$", "Royal",
    "Straight Flush 40 TO 1", "Dealer", "Limits", "1", "0", "LUCKY", "Dice", "3 TO 1",
)  # fmt: skip
_FONTS: Final = (
    "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf",
    "/usr/share/fonts/truetype/dejavu/DejaVuSerif-Bold.ttf",
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
)
_FELTS: Final = (
    (45, 90, 20), (60, 110, 30), (30, 60, 10), (120, 60, 20), (150, 80, 25), (90, 40, 15), (40, 20, 120),
    (30, 25, 150), (60, 30, 60), (35, 35, 35), (70, 70, 70), (90, 100, 20), (50, 80, 60), (80, 50, 90), (110, 90, 40),
)  # fmt: skip
_INKS: Final = ((230, 232, 235), (60, 190, 225), (90, 200, 240), (30, 30, 150), (25, 25, 28))
_WOODS: Final = ((40, 70, 110), (90, 130, 170), (25, 40, 65), (120, 160, 190), (60, 90, 150))
_PLAIN: Final = ((225, 228, 230), (190, 195, 200), (235, 225, 215), (130, 135, 140), (25, 25, 28), (170, 190, 205))


@cache
def _noise() -> NDArray[np.float32]:
    """Return layered noise (4, 1024, 1024), each layer of mean 0 and spread 1, from fine to coarse."""
    rng = np.random.default_rng(7)
    layers = []
    for cell in (1, 3, 12, 60):
        small = rng.normal(size=(math.ceil(1024 / cell),) * 2).astype(np.float32)
        layer = cv2.resize(small, (1024, 1024), interpolation=cv2.INTER_CUBIC)
        layers.append((layer - layer.mean()) / layer.std())
    return np.stack(layers)


@cache
def _words() -> tuple[Image, ...]:
    """Return the printed words as grey masks, in several fonts."""
    masks = []
    for number, word in enumerate(_WORDS):
        name = _FONTS[number % len(_FONTS)]
        font = ImageFont.truetype(name, 48) if Path(name).exists() else ImageFont.load_default(48)
        left, top, right, bottom = font.getbbox(word)
        sheet = Pillow.new("L", (int(right - left) + 8, int(bottom - top) + 8))
        ImageDraw.Draw(sheet).text((4 - left, 4 - top), word, font=font, fill=255)
        masks.append(np.asarray(sheet, np.uint8))
    return tuple(masks)


def noise_patch(rng: np.random.Generator, layer: int, size: int = TEXTURE) -> NDArray[np.float32]:
    """Return a random square of one noise layer (0 fine to 3 coarse)."""
    x, y = rng.integers(0, 1024 - size + 1, 2)
    return _noise()[layer, y : y + size, x : x + size]


def random_colour(
    rng: np.random.Generator, base: tuple[int, ...] | None = None, spread: float = 18.0
) -> NDArray[np.float64]:
    """Return a BGR colour near ``base``, or any colour."""
    if base is None:
        return rng.uniform(5, 250, 3)
    return np.asarray(np.clip(np.asarray(base) + rng.normal(0, spread, 3), 4, 250), np.float64)


def _cloth(rng: np.random.Generator) -> NDArray[np.float64]:
    colour = random_colour(rng, _FELTS[rng.integers(len(_FELTS))] if rng.random() < 0.8 else None)
    grain = noise_patch(rng, 0) * rng.uniform(1, 7) + noise_patch(rng, 1) * rng.uniform(0, 5)
    return np.asarray(colour + (grain + noise_patch(rng, 3) * rng.uniform(0, 5))[..., None], np.float64)


def _wood(rng: np.random.Generator) -> NDArray[np.float64]:
    colour = random_colour(rng, _WOODS[rng.integers(len(_WOODS))])
    rows = cv2.resize(noise_patch(rng, 2)[:, ::16].copy(), (TEXTURE, TEXTURE))
    fine = cv2.resize(noise_patch(rng, 0)[:, ::32].copy(), (TEXTURE, TEXTURE))
    return np.asarray(
        colour * (1 + (rows * rng.uniform(0.03, 0.25) + fine * rng.uniform(0, 0.08))[..., None]), np.float64
    )


def _rough(rng: np.random.Generator) -> NDArray[np.float64]:
    colour, other = random_colour(rng), random_colour(rng)
    blend = 1 / (1 + np.exp(-noise_patch(rng, int(rng.integers(0, 3))) * rng.uniform(0.5, 3)))
    return np.asarray(colour + (other - colour) * (blend * rng.uniform(0.2, 1.0))[..., None], np.float64)


def _knit(rng: np.random.Generator) -> NDArray[np.float64]:
    colour = random_colour(rng)
    across, down = np.meshgrid(np.arange(TEXTURE, dtype=np.float32), np.arange(TEXTURE, dtype=np.float32))
    period = rng.uniform(6, 40)
    wave = np.sin(across * (2 * math.pi / period) + noise_patch(rng, 3)) * np.sin(
        down * (2 * math.pi / period / rng.uniform(0.5, 1.5))
    )
    return np.asarray(
        colour * (1 + (wave * rng.uniform(0.05, 0.3) + noise_patch(rng, 1) * 0.04)[..., None]), np.float64
    )


def _plain(rng: np.random.Generator) -> NDArray[np.float64]:
    colour = random_colour(rng, _PLAIN[rng.integers(len(_PLAIN))], 12)
    return colour + (noise_patch(rng, 3) * rng.uniform(0, 5) + noise_patch(rng, 0) * rng.uniform(0, 3))[..., None]


def _print_word(rng: np.random.Generator, texture: Image) -> None:
    masks = _words()
    mask = masks[rng.integers(len(masks))]
    factor, angle = (
        math.exp(rng.uniform(math.log(0.25), math.log(1.8))),
        rng.choice([0, 0, 90, 180, rng.uniform(0, 360)]),
    )
    side = min(TEXTURE, int(math.hypot(*mask.shape) * factor) + 2)
    matrix = cv2.getRotationMatrix2D((mask.shape[1] / 2, mask.shape[0] / 2), float(angle), factor)
    matrix[:, 2] += np.array([side, side]) / 2 - (mask.shape[1] / 2, mask.shape[0] / 2)
    laid = cv2.warpAffine(mask, matrix, (side, side), flags=cv2.INTER_AREA)
    x, y = (int(v) for v in rng.integers(0, TEXTURE - side + 1, 2))
    colour = random_colour(rng) if rng.random() < 0.5 else random_colour(rng, _INKS[rng.integers(len(_INKS))])
    part = texture[y : y + side, x : x + side]
    texture[y : y + side, x : x + side] = np.where(laid[..., None] > 100, colour.astype(np.uint8), part)


def _print_shape(rng: np.random.Generator, texture: Image) -> None:
    colour = tuple(
        float(v) for v in (random_colour(rng) if rng.random() < 0.6 else random_colour(rng, (225, 225, 225), 15))
    )
    x, y = (int(v) for v in rng.uniform(0, TEXTURE, 2))
    size, line = int(rng.uniform(12, 130)), int(rng.choice([-1, 1, 2, 3, 6]))
    kind = rng.integers(6)
    if kind <= 1:
        cv2.circle(texture, (x, y), size // 2, colour, line, cv2.LINE_AA)
    elif kind == 2:
        axes = (size, int(size * rng.uniform(0.3, 1)))
        cv2.ellipse(
            texture,
            (x, y),
            axes,
            float(rng.uniform(0, 180)),
            0,
            float(rng.choice([360, 180, 90])),
            colour,
            line,
            cv2.LINE_AA,
        )
    elif kind <= 4:
        box = cv2.boxPoints(
            (
                (float(x), float(y)),
                (float(size), size * float(rng.choice([1.4, 0.7, 1, 2]))),
                float(rng.choice([0, 90, rng.uniform(0, 90)])),
            )
        )
        if line < 0:
            cv2.fillConvexPoly(texture, box.astype(np.int32), colour, cv2.LINE_AA)
        else:
            cv2.polylines(
                texture, [box.astype(np.int32)], isClosed=True, color=colour, thickness=line, lineType=cv2.LINE_AA
            )
    else:
        radius = int(rng.uniform(150, 900))
        cv2.circle(texture, (x, y - radius), radius, colour, abs(line) + int(rng.integers(0, 20)), cv2.LINE_AA)


def _print_rings(rng: np.random.Generator, texture: Image) -> None:
    """A betting place: one ring in another, about as large as a chip or a few times larger."""
    x, y = (int(v) for v in rng.uniform(0, TEXTURE, 2))
    colour = tuple(float(v) for v in random_colour(rng, _INKS[rng.integers(len(_INKS))]))
    size = int(rng.uniform(10, 60))
    tall = rng.uniform(0.7, 1.0)
    for share in (1.0, rng.uniform(0.75, 0.92), rng.uniform(0.2, 0.6))[: int(rng.integers(1, 4))]:
        axes = (max(1, int(size * share)), max(1, int(size * share * tall)))
        cv2.ellipse(texture, (x, y), axes, 0, 0, 360, colour, int(rng.integers(1, 3)), cv2.LINE_AA)


def _lay_rail(rng: np.random.Generator, texture: Image) -> None:
    """The padded or wooden edge of a table, rounded by light, with a floor beyond."""
    radius, inside = rng.uniform(300, 2000), rng.uniform(0.2, 0.8) * TEXTURE
    turn = rng.uniform(0, 2 * math.pi)
    middle = np.array([TEXTURE, TEXTURE]) / 2 + np.array([math.cos(turn), math.sin(turn)]) * (
        inside - TEXTURE / 2 - radius
    )
    down, across = np.mgrid[0:TEXTURE, 0:TEXTURE].astype(np.float32)
    beyond = (np.hypot(across - middle[0], down - middle[1]) - radius) / rng.uniform(15, 90)
    colour = random_colour(rng, _WOODS[rng.integers(len(_WOODS))] if rng.random() < 0.6 else (30, 30, 35))
    light = 0.5 + 0.9 * np.sin(np.clip(beyond, 0, 1) * math.pi)
    rail = np.clip(colour * light[..., None] + noise_patch(rng, 1)[..., None] * 4, 0, 255)
    floor = random_colour(rng, _PLAIN[rng.integers(len(_PLAIN))]) * rng.uniform(0.1, 1.0)
    texture[:] = np.where(beyond[..., None] < 0, texture, np.where(beyond[..., None] < 1, rail, floor)).astype(np.uint8)


_KINDS: Final = (_cloth, _cloth, _cloth, _cloth, _wood, _rough, _plain, _plain, _knit)


def random_surface(rng: np.random.Generator, camera: SceneCamera) -> Image:
    """Return a picture of an empty table seen by the camera."""
    kind = _KINDS[rng.integers(len(_KINDS))]
    texture = np.clip(kind(rng), 0, 255).astype(np.uint8)
    if rng.random() < 0.75:
        for _ in range(int(rng.integers(0, 10))):
            _print_shape(rng, texture)
        for _ in range(int(rng.integers(0, 12))):
            _print_word(rng, texture)
        for _ in range(int(rng.integers(0, 8))):
            _print_rings(rng, texture)
    if rng.random() < 0.15:
        _lay_rail(rng, texture)
    view_mm = camera.size / camera.px_per_mm
    cover = view_mm * rng.uniform(0.9, 1.8)
    spin = rng.uniform(0, 2 * math.pi)
    scale = cover / TEXTURE
    cos, sin = math.cos(spin) * scale, math.sin(spin) * scale
    to_mm = np.array(
        [[cos, sin, -(cos + sin) * TEXTURE / 2], [sin, -cos, -(sin - cos) * TEXTURE / 2], [0, 0, 1.0]]
    )  # y turned upwards
    return np.asarray(
        cv2.warpPerspective(
            texture,
            camera.ground() @ to_mm,
            (camera.size, camera.size),
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REFLECT,
        ),
        np.uint8,
    )
