"""Crops that the detector learns from: where each lies, what its labels are, and what it shows, made on the device."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

Floats = NDArray[np.float64]
Batch = dict[str, Tensor]

FILL: Final = 114.0
"""The grey around a picture."""
_PART_IN_CROP: Final = 0.3
_TURNED: Final = 0.25  # of the crops by quarters
_WITHIN: Final = np.stack(np.meshgrid(*(np.arange(-7, 9, 2) / 16,) * 2), axis=-1).reshape(-1, 2)
"""Places (64, 2) all over a rectangle, as shares of it from its middle."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cuts:
    """Crops (n) of pictures, each of which lies in the upper left of a square.

    ``pictures``: which (n,); ``maps`` (n, 2, 3): from pixels of the crop to shares of the square; ``level`` (n,): of
    which of the picture's sizes; ``spread`` (n,): how far apart, in pixels, the four places lie whose mean is a pixel;
    ``room`` (n, 2): how far right and down, in shares, the picture reaches; ``grey`` (n, 3): what is shown beyond;
    ``counted`` (n, kinds): 1 for kinds that have all their labels; ``rows`` (m, 6): kind, then centre, sides and angle
    of the objects as shares of the crop and radians; ``owners`` (m,): whose they are.
    """

    pictures: NDArray[np.int64]
    maps: NDArray[np.float32]
    level: NDArray[np.int64]
    spread: NDArray[np.float32]
    room: NDArray[np.float32]
    grey: NDArray[np.float32]
    counted: NDArray[np.float32]
    rows: NDArray[np.float32]
    owners: NDArray[np.int64]


def canonical(width: Floats, height: Floats, angle: Floats) -> tuple[Floats, Floats, Floats]:
    """Return rectangles turned by 45 degrees at most, their sides exchanged where need be: each is written one way."""
    quarters = np.round(angle / (math.pi / 2))
    swap = np.mod(quarters, 2) == 1
    return np.where(swap, height, width), np.where(swap, width, height), angle - quarters * (math.pi / 2)


def labelled(rows: Floats, owners: NDArray[np.int64]) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Return label rows (m, 6) written one way, without those whose middle and good part lie outside of the crop."""
    _, x, y, width, height, angle = rows.T
    written = np.column_stack([rows[:, :3], *canonical(width, height, angle)])
    u, v = _WITHIN[:, 0] * width[:, None], _WITHIN[:, 1] * height[:, None]
    cos, sin = np.cos(angle)[:, None], np.sin(angle)[:, None]
    share = _in_crop(x[:, None] + u * cos - v * sin, y[:, None] + u * sin + v * cos).mean(axis=1)
    kept = (share > _PART_IN_CROP) | _in_crop(x, y)
    return written[kept].astype(np.float32), owners[kept]


def _in_crop(x: Floats, y: Floats) -> NDArray[np.bool_]:
    return (x > 0) & (x < 1) & (y > 0) & (y < 1)


def card_lengths(shortest: float, longest: float, number: int, rng: np.random.Generator) -> Floats:
    """Return how long (n,) cards are to be in crops, in pixels: as often half as twice as long."""
    return np.exp(rng.uniform(math.log(shortest), math.log(longest), number))


def mirrors_and_turns(number: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Return which crops are mirrored (-1, else 1) and by how many quarters they are turned, in radians."""
    turn = np.where(rng.random(number) < _TURNED, rng.integers(1, 4, number), 0) * (math.pi / 2)
    return np.where(rng.random(number) < 0.5, -1.0, 1.0), turn


def forward(across: Floats, down: Floats, turn: Floats) -> Floats:
    """Return matrices (n, 2, 2) that stretch (a negative factor mirrors), then turn."""
    cos, sin = np.cos(turn), np.sin(turn)
    rows = [np.stack([cos * across, -sin * down], axis=-1), np.stack([sin * across, cos * down], axis=-1)]
    return np.stack(rows, axis=1)


def backward(matrices: Floats, focus: Floats, side: int) -> NDArray[np.float32]:
    """Return the way back (n, 2, 3) from pixels of crops, in whose middle ``focus`` (n, 2) lies, to the square."""
    back = np.linalg.inv(matrices)
    shift = focus - back @ np.full(2, side / 2)
    return np.concatenate([back, shift[:, :, None]], axis=2).astype(np.float32)


@torch.no_grad()  # type: ignore[untyped-decorator]
def shown(levels: Sequence[Tensor], cuts: Cuts, side: int) -> Tensor:
    """Return what crops show (n, 3, side, side), 0 to 255.

    Args:
        levels: all pictures (…, 3, px, px) of 8 bits in one size each, the largest first.
        cuts: where the crops lie.
        side: their size in pixels.
    """
    where = levels[0].device
    maps, spread, room, grey = (
        torch.from_numpy(value).to(where) for value in (cuts.maps, cuts.spread, cuts.room, cuts.grey)
    )
    places = _places(maps, spread, side)
    outside = ((places < 0) | (places > room[:, None, None])).any(dim=-1)[:, None]
    seen = torch.empty(len(maps), 3, 2 * side, 2 * side, device=where)
    for number, pictures in enumerate(levels):
        mine = np.flatnonzero(cuts.level == number)
        if len(mine):
            chosen = pictures[torch.from_numpy(cuts.pictures[mine]).to(where)].float()
            here = torch.from_numpy(mine).to(where)
            grid = places[here] * 2 - 1
            seen[here] = functional.grid_sample(chosen, grid, padding_mode="border", align_corners=False)
    return functional.avg_pool2d(torch.where(outside, grey[:, :, None, None], seen), 2)


def _places(maps: Tensor, spread: Tensor, side: int) -> Tensor:
    """Four places of the square, as shares, for every pixel (n, 2 side, 2 side, 2)."""
    line = torch.arange(2 * side, device=maps.device)
    sign = (line % 2).float() * 0.5 - 0.25
    place = (line // 2).float() + 0.5 + sign * spread[:, None]
    across, down = place[:, None, :, None], place[:, :, None, None]
    return across * maps[:, None, None, :, 0] + down * maps[:, None, None, :, 1] + maps[:, None, None, :, 2]


def joined(parts: Sequence[tuple[Sequence[Tensor], Cuts]], side: int) -> Batch:
    """Return one batch of crops of several sources, each with its pictures; see ``models.train.detector_loss``."""
    images = torch.cat([shown(levels, cuts, side) for levels, cuts in parts])
    firsts = np.cumsum([0, *(len(cuts.pictures) for _, cuts in parts)])
    rows = torch.from_numpy(np.concatenate([cuts.rows for _, cuts in parts]))
    owners = np.concatenate([cuts.owners + first for first, (_, cuts) in zip(firsts, parts, strict=False)])
    batch = {
        "cls": rows[:, :1],
        "bboxes": rows[:, 1:],
        "batch_idx": torch.from_numpy(owners.astype(np.float32)),
        "counted": torch.from_numpy(np.concatenate([cuts.counted for _, cuts in parts])),
    }
    return {"img": images} | {name: value.to(images.device) for name, value in batch.items()}
