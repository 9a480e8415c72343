"""Card faces and backs at several sizes, ready to be laid on composed pictures."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from audit.cards import DECK
from models.train.compose_canvas import Image
from models.train.compose_surface import random_colour
from models.train.decks import Deck

_CARDS: Final = tuple(DECK)
HEIGHTS: Final = (252, 126, 63, 32)


class DeckArt:
    """The faces and the back of one deck, each made ready when it is first laid: BGRA, from large to small."""

    def __init__(self, deck: Deck) -> None:
        self._deck = deck
        self._made: dict[str, list[Image]] = {}

    def face(self, number: int) -> list[Image]:
        """Return one of the 52 faces in the sizes of ``HEIGHTS``."""
        return self._sizes(_CARDS[number])

    def back(self) -> list[Image]:
        """Return the back in the sizes of ``HEIGHTS``."""
        return self._sizes("back")

    def _sizes(self, name: str) -> list[Image]:
        if name not in self._made:
            self._made[name] = pyramid(self._deck.back() if name == "back" else self._deck.face(name))
        return self._made[name]


def pyramid(art_rgba: Image) -> list[Image]:
    """Return a face in the sizes of ``HEIGHTS``, BGRA."""
    width = round(HEIGHTS[0] * 63 / 88)
    large = cv2.resize(cv2.cvtColor(art_rgba, cv2.COLOR_RGBA2BGRA), (width, HEIGHTS[0]), interpolation=cv2.INTER_AREA)
    sizes = [np.asarray(large, np.uint8)]
    for height in HEIGHTS[1:]:
        sizes.append(
            np.asarray(cv2.resize(sizes[-1], (round(height * 63 / 88), height), interpolation=cv2.INTER_AREA), np.uint8)
        )
    return sizes


def _rounded(width: int, height: int, radius: int) -> Image:
    mask = np.zeros((height, width), np.uint8)
    cv2.rectangle(mask, (radius, 0), (width - radius - 1, height - 1), 255, -1)
    cv2.rectangle(mask, (0, radius), (width - 1, height - radius - 1), 255, -1)
    for x in (radius, width - radius - 1):
        for y in (radius, height - radius - 1):
            cv2.circle(mask, (x, y), radius, 255, -1, cv2.LINE_AA)
    return mask


def drawn_back(rng: np.random.Generator) -> Image:
    """Return a card back (RGBA) with a lattice, stripes, dots or one colour inside a border."""
    height, width = HEIGHTS[0], round(HEIGHTS[0] * 63 / 88)
    colour, other = random_colour(rng), random_colour(rng, (235, 235, 235) if rng.random() < 0.7 else None)
    down, across = np.mgrid[0:height, 0:width].astype(np.float32)
    period, kind = rng.uniform(5, 40), rng.integers(5)
    waves = (
        np.maximum(np.sin((across + down) / period * 6), np.sin((across - down) / period * 6)),
        np.sin(across / period * 6),
        np.sin(across / period * 6) * np.sin(down / period * 6),
        np.cos(np.hypot(across - width / 2, down - height / 2) / period * 6),
        np.full_like(across, -1),
    )
    blend = (waves[kind] > rng.uniform(-0.2, 0.9))[..., None]
    sheet = np.where(blend, other, colour)
    border = int(rng.choice([0, 8, 14, 20]))
    inside = np.zeros((height, width, 1), bool)
    inside[border : height - border, border : width - border] = True
    sheet = np.where(inside, sheet, other).astype(np.uint8)
    if rng.random() < 0.4:
        cv2.circle(
            sheet,
            (width // 2, height // 2),
            int(rng.uniform(15, 60)),
            [float(v) for v in random_colour(rng)],
            -1,
            cv2.LINE_AA,
        )
    return np.dstack([sheet, _rounded(width, height, 10)])


def blank_card(rng: np.random.Generator) -> Image:
    """Return a cut card: one plain strong colour, RGBA; it belongs to no class."""
    height, width = HEIGHTS[0], round(HEIGHTS[0] * 63 / 88)
    sheet = np.full((height, width, 3), random_colour(rng), np.uint8)
    return np.dstack([sheet, _rounded(width, height, 10)])
