"""Composed pictures that stay on the device, and the crops that the detector learns from them."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from models.kinds import KINDS
from models.train.compose import PICTURE_PX
from models.train.compose_shards import Sample, read_shard
from models.train.detector_crops import FILL, Cuts, Floats, backward, card_lengths, forward, labelled, mirrors_and_turns

_CARD, _BACK, _DIE, _CUP = (KINDS.index(kind) for kind in ("card", "card_back", "die", "dice_cup"))
_LEAST_CARD: Final = 0.08  # of a picture's width: pictures with shorter cards are left out
_CARD_PX: Final = (36.0, 120.0)  # how long cards are in a crop
_LEAST_PX: Final = 110 / 192  # of the picture in a pixel of the crop
_AROUND: Final = 0.06  # of the crops have grey around the picture
_ABOUT_AN_OBJECT: Final = 0.85
_WEIGHTS: Final = {_CUP: 2.5, _DIE: 1.5, _BACK: 1.5}  # of pictures with what is rare
_SEEN_BEFORE: Final = 6.0  # times a picture has to be seen to be asked for half as often as at first


class ShardsError(ValueError):
    """Shards that the detector cannot learn from."""


class Shards:
    """The pictures of a folder's shards, and of those that are still being written."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: set[Path] = set()
        self._waiting: deque[Sample] = deque()

    def take(self, most: int, *, again: bool) -> list[Sample]:
        """Return so many pictures that were not taken yet, or as there are; then, if ``again``, from the first on.

        Pictures with tiny cards are left out.
        """
        while len(self._waiting) < most and (path := self._next(again=again)):
            self._waiting += [sample for sample in read_shard(path) if shows_no_tiny_card(sample[1])]
        return [self._waiting.popleft() for _ in range(min(most, len(self._waiting)))]

    def _next(self, *, again: bool) -> Path | None:
        there = sorted(self._folder.glob("train-*.npz"))
        new = [path for path in there if path not in self._read]
        if not new and again:
            self._read.clear()
            new = there
        self._read |= set(new[:1])
        return new[0] if new else None


def shows_no_tiny_card(rows: NDArray[np.float32]) -> bool:
    """Say whether every card among label rows is long enough to be read."""
    cards = rows[rows[:, 0] == _CARD]
    return not len(cards) or bool(cards[:, 3:5].max(axis=1).min() >= _LEAST_CARD)


class Pictures:
    """Composed pictures on a device; once it is full, a new one takes the place of the oldest."""

    def __init__(self, capacity: int, device: torch.device) -> None:
        self._images = torch.empty((capacity, 3, PICTURE_PX, PICTURE_PX), dtype=torch.uint8, device=device)
        self._rows: list[NDArray[np.float32]] = [np.zeros((0, 6), np.float32)] * capacity
        self._weight, self._seen = np.zeros(capacity), np.zeros(capacity)
        self.count = 0
        """How many pictures it has been given."""

    @property
    def full(self) -> bool:
        """Whether a new picture takes the place of another."""
        return self.count >= len(self._rows)

    @property
    def levels(self) -> list[torch.Tensor]:
        """The pictures (…, 3, PICTURE_PX, PICTURE_PX) of 8 bits, in the one size that there is."""
        return [self._images]

    def add(self, samples: Sequence[Sample]) -> None:
        """Take up pictures.

        Raises:
            ShardsError: if a picture is not of the size that is composed.
        """
        for jpeg, rows in samples:
            picture = cv2.imdecode(jpeg, cv2.IMREAD_COLOR)
            if picture is None or picture.shape != (PICTURE_PX, PICTURE_PX, 3):
                found = "none" if picture is None else f"one of {picture.shape[1]} by {picture.shape[0]}"
                msg = f"expected composed pictures of {PICTURE_PX} by {PICTURE_PX} pixels, found {found}"
                raise ShardsError(msg)
            place = self.count % len(self._rows)
            self._images[place] = torch.from_numpy(picture).to(self._images.device).permute(2, 0, 1)
            self._rows[place], self._seen[place] = rows, 0.0
            self._weight[place] = max((_WEIGHTS.get(int(kind), 1.0) for kind in rows[:, 0]), default=1.0)
            self.count += 1

    def cuts(self, number: int, side: int, rng: np.random.Generator) -> Cuts:
        """Return so many crops, ``side`` px wide, most of them about some object, mirrored and turned by chance."""
        chosen = self._chosen(number, rng)
        some = [self._rows[place] for place in chosen]
        mirror, turn = mirrors_and_turns(number, rng)
        focus, shown = _framed(some, side, rng)
        scale = side / shown
        matrices = forward(scale * mirror, scale, turn)
        rows, owners = np.concatenate(some).astype(np.float64), np.repeat(np.arange(number), [len(one) for one in some])
        moved = np.einsum("nij,nj->ni", matrices[owners], rows[:, 1:3] - focus[owners]) / side + 0.5
        sides, angle = rows[:, 3:5] / shown[owners, None], turn[owners] + mirror[owners] * rows[:, 5]
        kept, whose = labelled(np.column_stack([rows[:, 0], moved, sides, angle]), owners)
        # enlarged ones also without the mean of four places
        spread = np.where(shown * PICTURE_PX > side, 1.0, rng.choice([0.0, 0.5, 1.0], number))
        return Cuts(
            pictures=chosen,
            maps=backward(matrices, focus, side),
            level=np.zeros(number, np.int64),
            spread=spread.astype(np.float32),
            room=np.ones((number, 2), np.float32),
            grey=np.full((number, 3), FILL, np.float32),
            counted=np.ones((number, len(KINDS)), np.float32),
            rows=kept,
            owners=whose,
        )

    def _chosen(self, number: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Pictures with rare kinds, and those that were seldom seen, come more often."""
        there = min(self.count, len(self._rows))
        share = np.cumsum(self._weight[:there] / (_SEEN_BEFORE + self._seen[:there]))
        chosen = np.searchsorted(share, rng.random(number) * share[-1]).clip(0, there - 1)
        np.add.at(self._seen, chosen, 1)
        return np.asarray(chosen, np.int64)


def _framed(rows: Sequence[NDArray[np.float32]], side: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """The middles (n, 2) and sides (n,) of crops, as shares of their pictures."""
    number = len(rows)
    length = np.array([_card_length(one, rng) for one in rows])
    shown = side * length / card_lengths(*_CARD_PX, number, rng)
    shown = np.clip(shown, _LEAST_PX * side / PICTURE_PX, 1.0)
    about = np.array([_about(one, rng) for one in rows])
    half = shown[:, None] / 2
    focus = np.clip(about + rng.uniform(-0.4, 0.4, (number, 2)) * shown[:, None], half, 1 - half)
    beyond = rng.random(number) < _AROUND
    shown = np.where(beyond, rng.uniform(1.02, 1.6, number), shown)
    aside = rng.uniform(-0.5, 0.5, (number, 2)) * (shown - 1)[:, None]
    return np.where(beyond[:, None], 0.5 + aside, focus), shown


def _card_length(rows: NDArray[np.float32], rng: np.random.Generator) -> float:
    """How long cards are, as a share of the picture; by chance where there are none."""
    cards = rows[rows[:, 0] <= _BACK]
    return float(np.median(cards[:, 3:5].max(axis=1))) if len(cards) else rng.uniform(40, 120) / PICTURE_PX


def _about(rows: NDArray[np.float32], rng: np.random.Generator) -> Floats:
    """The middle of some object, or any place."""
    if len(rows) and rng.random() < _ABOUT_AN_OBJECT:
        return rows[rng.integers(len(rows)), 1:3].astype(np.float64)
    return rng.uniform(0, 1, 2)
