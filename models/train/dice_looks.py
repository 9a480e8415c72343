"""How real dice look: of plastic, wood, metal or clear, speckled or marbled, with painted, drilled or ring pips."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.chip_geometry import Floats

TEXTURE_PX: Final = 64
_WHITE: Final = ((245, 246, 248), (225, 238, 242), (200, 226, 238), (150, 196, 222), (235, 232, 225))
_TONES: Final[dict[str, tuple[tuple[int, int, int], ...]]] = {  # BGR
    "white": _WHITE,
    "red": ((35, 30, 200), (30, 25, 150), (50, 45, 225)),
    "black": ((30, 30, 32), (55, 50, 50), (18, 16, 16)),
    "blue": ((190, 90, 40), (140, 60, 25), (220, 150, 70)),
    "green": ((70, 150, 50), (60, 110, 30), (110, 180, 90)),
    "yellow": ((40, 190, 235), (60, 215, 245), (30, 150, 225)),
}
_COLOURS: Final = ("white", "red", "black", "blue", "green", "yellow")
_SHARES: Final = (0.42, 0.15, 0.15, 0.1, 0.09, 0.09)
_WOODS: Final = ((120, 170, 210), (70, 120, 175), (45, 75, 120), (90, 140, 190))
_METALS: Final = ((165, 170, 172), (80, 150, 190), (70, 100, 150), (110, 112, 115))
_OTHERS: Final = ((30, 110, 240), (150, 50, 130), (170, 120, 235), (140, 140, 60), (120, 120, 120))
_BRIGHT_INKS: Final = ((245, 246, 248), (225, 235, 240), (110, 200, 235), (190, 195, 200))
_DARK_INKS: Final = ((18, 18, 20), (40, 36, 36), (160, 60, 30), (35, 30, 180), (40, 60, 90), (60, 110, 30))
_DARK_SHARES: Final = (0.5, 0.15, 0.1, 0.13, 0.07, 0.05)


@dataclass(frozen=True, slots=True, kw_only=True)
class DieLook:
    """How a die looks.

    ``tones`` (2, 3): the body's two colours, mixed by ``texture`` (TEXTURE_PX, TEXTURE_PX), 0 to 1. ``inks`` (6, 3) and
    ``pips`` (6,): colour and radius of the pips of each value, in half sides; ``reach``: how far from a face's middle
    the outer ones are; ``hollow``: how deep they are drilled; ``ring``: which part of a pip's radius is of the body's
    colour. ``rounding``: radius of the edges; ``ball``: of the ball that takes the corners off. ``gloss``, ``metal``
    and ``clear`` lie between 0 and 1. ``colour``: None if none of the reader's names fits.
    """

    colour: str | None
    tones: Floats
    texture: NDArray[np.float32]
    inks: Floats
    pips: Floats
    reach: float
    hollow: float
    ring: float
    rounding: float
    ball: float
    gloss: float
    metal: float
    clear: float


def random_look(rng: np.random.Generator) -> DieLook:
    """Return a die of any material."""
    kind = str(
        rng.choice(["plain", "speckled", "marbled", "clear", "wood", "metal"], p=[0.5, 0.1, 0.12, 0.1, 0.1, 0.08])
    )
    colour, tones = _body(kind, rng)
    rounded, reach = rng.random() < 0.65, float(rng.uniform(0.34, 0.6))
    return DieLook(
        colour=colour,
        tones=tones,
        texture=_texture(kind, rng),
        inks=_inks(float(tones[0].mean()), kind, rng),
        pips=_pip_sizes(rng, reach),
        reach=reach,
        hollow=float(rng.choice([0.0, rng.uniform(0.3, 1.4)], p=[0.4, 0.6])),
        ring=float(rng.uniform(0.35, 0.7)) if rng.random() < 0.06 else 0.0,
        rounding=float(rng.uniform(0.12, 0.45) if rounded else rng.uniform(0.02, 0.12)),
        ball=float(rng.uniform(1.3, 1.55)) if rounded and rng.random() < 0.5 else 2.0,
        gloss=float(rng.uniform(0.0, 0.9)) * (0.3 if kind == "wood" else 1.0),
        metal=float(rng.uniform(0.5, 1.0)) if kind == "metal" else 0.0,
        clear=float(rng.uniform(0.15, 0.6)) if kind == "clear" else 0.0,
    )


def _body(kind: str, rng: np.random.Generator) -> tuple[str | None, Floats]:
    colour = None
    if kind == "wood":
        first = _WOODS[int(rng.integers(len(_WOODS)))]
    elif kind == "metal":
        first = _METALS[int(rng.integers(len(_METALS)))]
    elif rng.random() < 0.08:
        first = _OTHERS[int(rng.integers(len(_OTHERS)))]
    else:
        colour = str(rng.choice(_COLOURS, p=_SHARES))
        first = _TONES[colour][int(rng.integers(len(_TONES[colour])))]
    tone = np.array(first) + rng.uniform(-14, 14, 3)
    if kind == "speckled":
        second = rng.uniform(0, 255, 3) if rng.random() < 0.5 else np.full(3, 245.0 if tone.mean() < 110 else 25.0)
    else:
        second = tone * rng.uniform(0.55, 0.85) if rng.random() < 0.6 else tone + (255 - tone) * rng.uniform(0.15, 0.6)
    return colour, np.stack([tone, second]).clip(0, 255)


def _inks(body: float, kind: str, rng: np.random.Generator) -> Floats:
    """Colours of the pips of one to six: mostly one, now and then another for the one, the four or three faces."""
    inks = np.array(_BRIGHT_INKS, float)
    shares = np.array([0.6, 0.2, 0.12, 0.08])
    if body > (120 if kind != "metal" else 90):
        inks, shares = np.array(_DARK_INKS, float), np.array(_DARK_SHARES)
    first, other = (inks[int(rng.choice(len(inks), p=shares))] for _ in range(2))
    told = np.tile(first, (6, 1))
    style = rng.random()
    if style < 0.08 and body > 120:
        told[0] = (40.0, 35.0, 200.0)
        told[3] = told[0] if rng.random() < 0.5 else told[3]
    elif style < 0.16:
        told[list(rng.permutation(6)[:3])] = other
    return (told + rng.uniform(-10, 10, 3)).clip(0, 255)


def _pip_sizes(rng: np.random.Generator, reach: float) -> Floats:
    size = min(rng.uniform(0.12, 0.26), 0.46 * reach)
    sizes = np.full(6, size)
    if rng.random() < 0.2:
        sizes[0] = min(size * rng.uniform(1.3, 2.0), 0.4)
    if rng.random() < 0.1:
        sizes[1] *= 1.2
    return np.asarray(sizes, np.float64)


def _texture(kind: str, rng: np.random.Generator) -> NDArray[np.float32]:
    match kind:
        case "speckled":
            fine = _noise(rng, (48, 48) if rng.random() < 0.5 else (24, 24))
            return np.asarray(np.clip((fine - rng.uniform(0.55, 0.75)) * 12, 0, 1), np.float32)
        case "marbled":
            wide = _noise(rng, (5, 5)) + 0.4 * _noise(rng, (11, 11))
            return np.asarray(0.5 + 0.5 * np.sin(wide * rng.uniform(4, 16)), np.float32)
        case "wood":
            grain = _noise(rng, (3, int(rng.integers(10, 40)))) + 0.3 * _noise(rng, (2, 60))
            return np.asarray(np.clip(grain * rng.uniform(0.3, 1.0), 0, 1), np.float32)
        case _:
            return np.zeros((TEXTURE_PX, TEXTURE_PX), np.float32)


def _noise(rng: np.random.Generator, cells: tuple[int, int]) -> NDArray[np.float32]:
    coarse = rng.random(cells, dtype=np.float32)
    smooth = cv2.resize(coarse, dsize=(TEXTURE_PX, TEXTURE_PX), interpolation=cv2.INTER_CUBIC)
    return np.asarray(smooth, np.float32)
