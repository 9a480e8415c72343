"""Photographs of cards that stay on the device, and the crops that the detector learns from them.

A folder holds the photographs that ``photographed_cards.csv`` names. Its quadrangles are drawn by hand around whole
cards, or are a contour that was found; where a card reaches out of its photograph, or lies under another, they say
where its corners would be. Half of the photographs can be kept out, so that they can measure a network that begins
(``--start-from``) with weights from before any photograph: what is shipped has learnt from both halves.
"""

from __future__ import annotations

import csv
import math
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from models.kinds import KINDS
from models.train.card_photo_scores import kept_out
from models.train.detector_crops import FILL, Cuts, Floats, backward, card_lengths, forward, labelled, mirrors_and_turns

QUADS: Final = Path(__file__).parent / "photographed_cards.csv"
_CARD, _CHIPS = KINDS.index("card"), KINDS.index("chips")
_SIDES_PX: Final = (960, 480, 240, 120)  # of the squares in which photographs lie
_CHIPS_UNLABELLED: Final = "mb_"  # photographs of tables with chips, named so
_STRETCH: Final = 1.9  # most times as long or as short on one side: many photographs were squeezed into a square
_CARD_PX: Final = (34.0, 150.0)  # how long cards are in a crop
_WHOLE: Final = 0.2  # of the crops show the whole photograph
_FINER: Final = 1.2  # times as fine as the crop are pictures at least

Quads = Mapping[str, list[NDArray[np.float32]]]


def quadrangles(path: Path = QUADS) -> Quads:
    """Return by file the corners (4, 2) of its cards, in pixels of the photograph."""
    found: dict[str, list[NDArray[np.float32]]] = defaultdict(list)
    with path.open(encoding="utf-8", newline="") as stream:
        for file, *corners in list(csv.reader(stream))[1:]:
            found[file].append(np.array(corners, np.float32).reshape(4, 2))
    return found


class Photographs:
    """Photographs on a device, each in a square and in four sizes."""

    def __init__(self, folder: Path, device: torch.device, *, cards: Quads, fold: int | None = None) -> None:
        """Read those that ``cards`` names, without the half ``fold``.

        Raises:
            SystemExit: if one is missing.
        """
        files = sorted(set(cards) - kept_out(cards, fold))
        squares, room = zip(*(_squared(folder / file) for file in files), strict=True)
        self._room = np.array([reach for reach, _ in room], np.float32)
        self._quads = [np.stack(cards[file]) * scale for file, (_, scale) in zip(files, room, strict=True)]
        edges = (np.linalg.norm(quads - np.roll(quads, 1, axis=1), axis=2) for quads in self._quads)
        self._length = np.array([float(np.median(one.max(axis=1))) for one in edges])
        self._counted = np.ones((len(files), len(KINDS)), np.float32)
        self._counted[:, _CHIPS] = [not file.startswith(_CHIPS_UNLABELLED) for file in files]
        self.levels = [_resized(squares, side).to(device) for side in _SIDES_PX]
        """All photographs (…, 3, px, px) of 8 bits in one size each, the largest first."""

    def __len__(self) -> int:
        return len(self._quads)

    def cuts(self, number: int, side: int, rng: np.random.Generator) -> Cuts:
        """Return so many crops, ``side`` px wide, most of them about some card, stretched and turned by chance."""
        chosen = rng.integers(0, len(self), number)
        mirror, turn = mirrors_and_turns(number, rng)
        turn = turn + _leaning(number, rng)
        scale, whole = self._scales(chosen, side, rng)
        stretch = np.exp(rng.uniform(-1, 1, number) * math.log(_STRETCH) / 2)
        matrices = forward(scale * stretch * mirror, scale / stretch, turn)
        focus = self._focus(chosen, side / scale, whole, rng)
        rows, owners = self._labels(chosen, matrices, focus, side)
        fine = _SIDES_PX[0] / (scale * np.minimum(stretch, 1 / stretch)) / _FINER  # pixels of the largest in one
        any_grey = rng.uniform(0, 255, (number, 3))
        return Cuts(
            pictures=chosen,
            maps=backward(matrices, focus, side),
            level=np.floor(np.log2(np.maximum(fine, 1))).clip(0, len(_SIDES_PX) - 1).astype(np.int64),
            spread=np.ones(number, np.float32),
            room=self._room[chosen],
            grey=np.where(rng.random((number, 1)) < 0.7, FILL, any_grey).astype(np.float32),
            counted=self._counted[chosen],
            rows=rows,
            owners=owners,
        )

    def _scales(
        self, chosen: NDArray[np.int64], side: int, rng: np.random.Generator
    ) -> tuple[Floats, NDArray[np.bool_]]:
        """Pixels of the crop in a square's side, and which crops show the whole photograph."""
        number, whole = len(chosen), rng.random(len(chosen)) < _WHOLE
        near = card_lengths(*_CARD_PX, number, rng) / self._length[chosen]
        far = side / self._room[chosen].max(axis=1) / rng.uniform(1.0, 1.8, number)
        return np.where(whole, far, near), whole

    def _focus(
        self, chosen: NDArray[np.int64], reach: Floats, whole: NDArray[np.bool_], rng: np.random.Generator
    ) -> Floats:
        """The middles (n, 2) of crops that reach so far, as shares of the squares; somewhat over half lie within."""
        number, room = len(chosen), self._room[chosen].astype(np.float64)
        centres = np.array([rng.choice(self._quads[photograph]).mean(axis=0) for photograph in chosen])
        about = np.where(rng.random((number, 1)) < 0.85, centres, rng.random((number, 2)) * room)
        focus = about + rng.uniform(-0.4, 0.4, (number, 2)) * reach[:, None]
        half = np.minimum(reach[:, None] / 2, room / 2)
        within = (rng.random(number) < 0.6) | whole
        return np.where(within[:, None], np.clip(focus, half, room - half), focus)

    def _labels(
        self, chosen: NDArray[np.int64], matrices: Floats, focus: Floats, side: int
    ) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """The smallest rectangles around the cards as they are seen in the crops."""
        rows, owners = [], []
        for owner, photograph in enumerate(chosen):
            for quad in self._quads[photograph]:
                moved = (quad - focus[owner]) @ matrices[owner].T / side + 0.5
                (x, y), (width, height), angle = cv2.minAreaRect(moved.astype(np.float32))
                rows.append((_CARD, x, y, width, height, math.radians(angle)))
                owners.append(owner)
        return labelled(np.array(rows, np.float64), np.array(owners, np.int64))


def _squared(path: Path) -> tuple[NDArray[np.uint8], tuple[tuple[float, float], float]]:
    """A photograph in a grey square, how far right and down it reaches, and its pixel; as shares of the square."""
    photograph = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if photograph is None:
        msg = f"{path}: expected a photograph that {QUADS.name} names, found none"
        raise SystemExit(msg)
    side = _SIDES_PX[0]
    scale = side / max(photograph.shape[:2])
    width, height = round(photograph.shape[1] * scale), round(photograph.shape[0] * scale)
    square = np.full((side, side, 3), int(FILL), np.uint8)
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    square[:height, :width] = cv2.resize(photograph, dsize=(width, height), interpolation=way)
    return square, ((width / side, height / side), scale / side)


def _resized(squares: tuple[NDArray[np.uint8], ...], side: int) -> torch.Tensor:
    small = np.stack([cv2.resize(square, dsize=(side, side), interpolation=cv2.INTER_AREA) for square in squares])
    return torch.from_numpy(small).permute(0, 3, 1, 2).contiguous()


def _leaning(number: int, rng: np.random.Generator) -> Floats:
    """Angles (n,): half of the crops lean a little, some lie anyhow."""
    kind = rng.random(number)
    little, anyhow = rng.normal(0, 0.12, number), rng.uniform(0, 2 * math.pi, number)
    return np.where(kind < 0.5, little, np.where(kind > 0.85, anyhow, 0.0))
