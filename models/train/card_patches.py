"""Photographed cards with what lies around them, in one small file, and pictures of them made on a device.

``models.train.card_patch_packing`` cuts them out of photographs.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from audit.cards import RANKS, SUITS
from models.train.card_bank import INK_WH
from models.train.card_camera import photographed
from models.train.card_canvas import SIZE_SHARES, SIZES, picture_side
from models.train.card_crops import IGNORED
from models.train.card_cuts import Canvas
from models.train.card_plane import looked_up, moved, pixels, product, uniform

PATCH: Final = 288
_QUALITY: Final = 92

Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Patch:
    """A square (PATCH, PATCH, 3) BGR with a card's corners (4, 2), its code, and whether both its ends are labelled."""

    picture_bgr: NDArray[np.uint8]
    quad_px: Points
    card: str
    both_ends: bool


def pack(patches: Iterable[Patch], path: Path) -> None:
    """Write patches, pictures as JPEG."""
    kept = list(patches)
    options = [cv2.IMWRITE_JPEG_QUALITY, _QUALITY]
    jpeg = [np.asarray(cv2.imencode(".jpg", one.picture_bgr, options)[1], np.uint8).ravel() for one in kept]
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez(
        path,
        jpeg=np.concatenate(jpeg),
        ends=np.cumsum([len(one) for one in jpeg]),
        quads=np.stack([one.quad_px for one in kept]).astype(np.float32),
        cards=np.array([one.card for one in kept]),
        both=np.array([one.both_ends for one in kept]),
    )


def unpack(path: Path) -> list[Patch]:
    """Return the patches of a file that ``pack`` wrote."""
    with np.load(path) as file:
        jpeg = np.split(file["jpeg"], file["ends"][:-1])
        rows = zip(jpeg, file["quads"], file["cards"], file["both"], strict=True)
        return [
            Patch(np.asarray(cv2.imdecode(one, cv2.IMREAD_COLOR), np.uint8), np.array(quad), str(card), bool(both))
            for one, quad, card, both in rows
        ]


class Patches:
    """Photographed cards on a device."""

    def __init__(self, patches: list[Patch], *, device: str) -> None:
        pictures = torch.from_numpy(np.stack([one.picture_bgr for one in patches])).to(device).permute(0, 3, 1, 2)
        self._levels = [pictures.contiguous()]
        for _ in range(2):
            smaller = torch.nn.functional.avg_pool2d(self._levels[-1].float(), 2)
            self._levels.append(smaller.round().to(torch.uint8))
        self._quads = torch.from_numpy(np.stack([one.quad_px for one in patches])).float().to(device)
        other = [one.both_ends for one in patches]
        rank = [[RANKS.index(one.card[0])] * 3 for one in patches]
        suit = [[SUITS.index(one.card[1])] * 3 for one in patches]
        self._rank, self._suit = (_without_other(rows, other).to(device) for rows in (rank, suit))

    def canvases(self, size: int, chance: Random) -> Canvas:
        """Return pictures of so many of the cards, turned, made smaller and seen by another camera."""
        low, high = chance.choices(SIZES, weights=SIZE_SHARES)[0]
        side = picture_side(high)
        level = 0 if high > 110 else 1 if high > 55 else 2
        device = self._quads.device
        rows = torch.randint(0, len(self._quads), (size,), device=device)
        quad = self._quads[rows]
        length = (quad[:, 3] - quad[:, 0]).norm(dim=1)
        share = torch.minimum(uniform(length, low, high) / length, torch.ones_like(length))
        to_canvas = _turned_and_smaller(quad.mean(dim=1), share, side)
        seen_at = moved(torch.linalg.inv(to_canvas), pixels(side, side, quad).expand(size, -1, -1))
        pictures = self._levels[level][rows].float()
        picture = looked_up(pictures, (seen_at + 0.5) / 2**level - 0.5, side, side)
        return Canvas(
            picture=photographed(picture, chance, gently=True),
            quad=moved(to_canvas, quad),
            rank=self._rank[rows],
            suit=self._suit[rows],
            seen=torch.ones_like(picture[:, :1]),
            ink=torch.ones(size, INK_WH[1], INK_WH[0], dtype=torch.bool, device=device),
            alone=torch.zeros(size, dtype=torch.bool, device=device),
        )


def _without_other(rows: list[list[int]], both: list[bool]) -> Tensor:
    """Numbers (n, 3) for the whole card and both ends; ``IGNORED`` for an end without a label."""
    return torch.tensor([row if known else [*row[:2], IGNORED] for row, known in zip(rows, both, strict=True)])


def _turned_and_smaller(middle: Tensor, share: Tensor, side: int) -> Tensor:
    """Maps (n, 3, 3) that turn about a middle, squeeze a little, and put it into the middle of a square."""
    angle = uniform(share, 0, 2 * torch.pi)
    squeeze = torch.eye(2, device=share.device) + 0.04 * torch.randn(len(share), 2, 2, device=share.device)
    turn = torch.stack([torch.stack([angle.cos(), -angle.sin()], 1), torch.stack([angle.sin(), angle.cos()], 1)], 1)
    linear = product(turn, squeeze) * share[:, None, None]
    whole = torch.eye(3, device=share.device).repeat(len(share), 1, 1)
    whole[:, :2, :2] = linear
    whole[:, :2, 2] = side / 2 + uniform(share, -4, 4, len(share), 2) - product(linear, middle[..., None])[..., 0]
    return whole
