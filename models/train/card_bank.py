"""The faces of many decks on a device, from which cards are drawn in whole batches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from audit.cards import DECK, RANKS, SUITS
from models.train.card_crops import FACE_HEIGHT
from models.train.decks import Deck

FACE_WH: Final = (144, FACE_HEIGHT)
BACK: Final = len(DECK)
INK_WH: Final = (14, 30)
"""The part of the card, 64 by 96 px, in which an index is printed: the uppermost left."""
_REAL: Final = 0.45  # of the cards are of decks that stay
_INK_STEP: Final = 40

Faces = dict[str, NDArray[np.generic]]
"""A deck as it is handed over: ``pictures`` (53, h, w, 4) RGBA of ``FACE_WH``, ``ink``, ``cards`` (52,), ``width``."""


def faces_of(deck: Deck) -> Faces:
    """Return a deck as a bank takes it up; ``width`` is a card's, as a share of its height."""
    height, width = deck.pictures.shape[1:3]
    pictures = [cv2.resize(np.ascontiguousarray(p), FACE_WH, interpolation=cv2.INTER_LINEAR) for p in deck.pictures]
    return {
        "pictures": np.stack(pictures).astype(np.uint8),
        "ink": np.stack([_ink(picture) for picture in deck.pictures]),
        "cards": np.array([card in deck.cards for card in DECK]),
        "width": np.array(width / height, np.float32),
    }


def _ink(face: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Where the index is printed, as ``models.train.card_scene`` says it of a whole face."""
    small = cv2.resize(np.ascontiguousarray(face), (64, 96), interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_RGBA2GRAY).astype(np.int16)
    printed = np.abs(grey - int(np.median(grey))) > _INK_STEP
    return np.asarray(printed[: INK_WH[1], : INK_WH[0]], np.bool_)


@dataclass(frozen=True, slots=True)
class Cards:
    """Chosen cards: numbers of decks (n,) and of faces (n,), and what is printed on these."""

    deck: Tensor
    face: Tensor

    @property
    def rank(self) -> Tensor:
        """Numbers (n,) in ``RANKS``; of a back there is none."""
        return _RANK.to(self.face.device)[self.face]

    @property
    def suit(self) -> Tensor:
        """Numbers (n,) in ``SUITS``."""
        return _SUIT.to(self.face.device)[self.face]


_RANK: Final = torch.tensor([*(RANKS.index(card[0]) for card in DECK), len(RANKS)])
_SUIT: Final = torch.tensor([*(SUITS.index(card[1]) for card in DECK), 0])


class Bank:
    """Decks on a device; the first ``kept`` stay, of the others the newest."""

    def __init__(self, capacity: int, *, kept: int, device: str) -> None:
        self.device, self.kept, self.count = device, kept, 0
        self._capacity = capacity
        wide, high = FACE_WH
        self._levels = [
            torch.zeros(capacity, BACK + 1, 4, high >> level, wide >> level, dtype=torch.uint8, device=device)
            for level in range(3)
        ]
        self._ink = torch.zeros(capacity, BACK + 1, INK_WH[1], INK_WH[0], dtype=torch.bool, device=device)
        self._cards = torch.zeros(capacity, BACK, device=device)
        self._width = torch.zeros(capacity, device=device)

    def add(self, faces: Faces) -> None:
        """Take up a deck, as ``faces_of`` gives it."""
        place = self.count
        if place >= self._capacity:
            place = self.kept + (place - self.kept) % (self._capacity - self.kept)
        pictures = torch.from_numpy(np.asarray(faces["pictures"])).to(self.device)[..., [2, 1, 0, 3]]
        level = pictures.permute(0, 3, 1, 2).float()
        for number, kept in enumerate(self._levels):
            level = level if number == 0 else torch.nn.functional.avg_pool2d(level, 2)
            kept[place] = level.round().to(torch.uint8)
        self._ink[place] = torch.from_numpy(np.asarray(faces["ink"])).to(self.device)
        self._cards[place] = torch.from_numpy(np.asarray(faces["cards"], np.float32)).to(self.device)
        self._width[place] = float(faces["width"])
        self.count += 1

    def chosen(self, size: int) -> Cards:
        """Return cards whose index is one that casinos print, nearly half of them of the decks that stay."""
        there = min(self.count, self._capacity)
        stay = torch.rand(size, device=self.device) < (_REAL if there > self.kept else 1.0)
        share = torch.rand(size, device=self.device)
        few = min(self.kept, there)
        deck = torch.where(stay, (share * few).long(), few + (share * (there - few)).long()).clamp(max=there - 1)
        return Cards(deck, self.faces(deck))

    def faces(self, deck: Tensor) -> Tensor:
        """Return the number of a face (n,) of each of the decks."""
        return torch.multinomial(self._cards[deck], 1)[:, 0]

    def pictures(self, cards: Cards, level: int) -> Tensor:
        """Return faces (n, 4, h, w), BGR and how opaque, 0 to 255; each level has half the size of that before."""
        return self._levels[level][cards.deck, cards.face].float()

    def ink(self, cards: Cards) -> Tensor:
        """Return where indices are printed (n, 30, 14)."""
        return self._ink[cards.deck, cards.face]

    def widths(self, deck: Tensor) -> Tensor:
        """Return how wide (n,) the cards of decks are, as shares of their height."""
        return self._width[deck]
