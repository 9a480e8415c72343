"""Crops for the detector as other cameras would have taken them: whole batches, where they lie."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

import torch
from torch import Tensor
from torch.nn import functional

_AS_IT_IS: Final = 0.2  # of the pictures are in no other light
_WITHOUT_COLOUR: Final = 0.04
_COARSE, _SOFT, _SHARP, _NOISY, _FEW_BITS = 1 / 10, 1 / 3, 1 / 5, 2 / 5, 1 / 8
_REACH: Final = 5  # pixels that a blur reaches
_BLOCK: Final = 8


@torch.no_grad()  # type: ignore[untyped-decorator]
def varied(pictures: Tensor) -> Tensor:
    """Return pictures (n, 3, side, side) of 0..255 in other light, sharpness, noise and coding, as 0..1."""
    seen = _noisy(_resharpened(_coarser(_lit(pictures))))
    return (_coded_some(seen).clamp(0, 255) / 255).contiguous(memory_format=torch.channels_last)


def _uniform(pictures: Tensor, low: float, high: float) -> Tensor:
    """A number (n, 1, 1, 1) for each picture."""
    return torch.rand(len(pictures), 1, 1, 1, device=pictures.device) * (high - low) + low


def _some(pictures: Tensor, share: float) -> Tensor:
    """Which pictures (at least one) such a share is."""
    return torch.randperm(len(pictures), device=pictures.device)[: max(1, round(share * len(pictures)))]


def _lit(pictures: Tensor) -> Tensor:
    tint = 1 + 0.06 * torch.randn(len(pictures), 3, 1, 1, device=pictures.device)
    lit = pictures * torch.exp(_uniform(pictures, -0.42, 0.2)) * tint
    grey = lit.mean(dim=1, keepdim=True)
    colour = torch.where(_uniform(lit, 0, 1) < _WITHOUT_COLOUR, 0.0, _uniform(lit, 0.5, 1.45))
    lit = (grey + (lit - grey) * colour + _uniform(lit, -10, 14)).clamp(0, 255)
    lit = 255 * (lit / 255).clamp(min=1e-4) ** torch.exp(_uniform(lit, -0.3, 0.3))
    return torch.where(_uniform(lit, 0, 1) < _AS_IT_IS, pictures, lit)


def _coarser(pictures: Tensor) -> Tensor:
    """Pictures of which some were smaller once."""
    some, size = _some(pictures, _COARSE), pictures.shape[2:]
    share = 0.4 + 0.45 * float(torch.rand(()))
    smaller = [max(16, int(side * share)) for side in size]
    small = functional.interpolate(pictures[some], size=smaller, mode="bilinear", antialias=True, align_corners=False)
    large = functional.interpolate(small, size=size, mode="bilinear", align_corners=False)
    return pictures.index_copy(0, some, large)


def _resharpened(pictures: Tensor) -> Tensor:
    """Pictures of which some are softer, some sharper."""
    some = _some(pictures, _SOFT + _SHARP)
    before = pictures[some]
    soft = torch.arange(len(some), device=some.device)[:, None, None, None] < len(some) * _SOFT / (_SOFT + _SHARP)
    sigma = torch.where(soft, _uniform(before, 0.2, 1.6), _uniform(before, 0.6, 1.4))
    amount = torch.where(soft, 1.0, -_uniform(before, 0.2, 1.5))
    return pictures.index_copy(0, some, before + (_blurred(before, sigma) - before) * amount)


def _blurred(pictures: Tensor, sigma: Tensor) -> Tensor:
    """Pictures, each blurred by its own sigma (n, 1, 1, 1)."""
    taps = torch.arange(-_REACH, _REACH + 1, device=pictures.device).float()
    kernel = torch.exp(-(taps**2) / (2 * sigma**2))
    kernel = kernel / kernel.sum(dim=3, keepdim=True)
    seen = pictures
    for _ in range(2):  # down, then across
        padded, width = functional.pad(seen, (_REACH, _REACH, 0, 0), mode="replicate"), seen.shape[3]
        parts = (kernel[..., k : k + 1] * padded[..., k : k + width] for k in range(len(taps)))
        seen = _total(parts).transpose(2, 3)
    return seen


def _total(parts: Iterator[Tensor]) -> Tensor:
    total = next(parts)
    for part in parts:
        total += part
    return total


def _noisy(pictures: Tensor) -> Tensor:
    noise = torch.randn_like(pictures)
    noise = torch.where(_uniform(pictures, 0, 1) < 0.5, noise, noise[:, :1])
    return pictures + noise * torch.where(_uniform(pictures, 0, 1) < _NOISY, _uniform(pictures, 0.5, 8.0), 0.0)


def _coded_some(pictures: Tensor) -> Tensor:
    """Pictures of which some had few bits; a codec's blocks begin anywhere."""
    some, (height, width) = _some(pictures, _FEW_BITS), pictures.shape[2:]
    down, across = (int(value) for value in torch.randint(0, _BLOCK, (2,)))
    margin = (across, 2 * _BLOCK - across, down, 2 * _BLOCK - down)
    padded = functional.pad(pictures[some].clamp(0, 255), margin, mode="replicate")
    coded = _coded(padded, torch.exp(_uniform(padded, math.log(10), math.log(60))))
    return pictures.index_copy(0, some, coded[..., down : down + height, across : across + width])


def _coded(pictures: Tensor, step: Tensor) -> Tensor:
    """What a codec leaves: blocks of luma in steps (n, 1, 1, 1), coarser ones of colour."""
    blue_green_red = torch.tensor([0.114, 0.587, 0.299], device=pictures.device)[:, None, None]
    luma = (pictures * blue_green_red).sum(dim=1, keepdim=True)
    colour = _quantised(functional.avg_pool2d(pictures - luma, 2), step * 1.2)
    colour = functional.interpolate(colour, scale_factor=2, mode="bilinear", align_corners=False)
    return _quantised(luma - 128, step) + 128 + colour


def _quantised(part: Tensor, step: Tensor) -> Tensor:
    """A part (n, c, h, w) in blocks whose waves come in steps, finer for longer waves; small ones are left out."""
    number, channels, height, width = part.shape
    blocks = part.reshape(number, channels, height // _BLOCK, _BLOCK, width // _BLOCK, _BLOCK)
    cosines, waves = _cosines().to(part.device), torch.arange(_BLOCK, device=part.device)
    sizes = step[..., None, None] * (0.5 + 0.14 * (waves[:, None, None] + waves))
    strength = torch.einsum("ui,vj,bcyixj->bcyuxv", cosines, cosines, blocks) / sizes
    strength = torch.trunc(strength + 0.33 * strength.sign()) * sizes
    return torch.einsum("ui,vj,bcyuxv->bcyixj", cosines, cosines, strength).reshape(part.shape)


def _cosines() -> Tensor:
    """The waves (8, 8) of a block's line, a row each, of length 1."""
    waves, places = torch.arange(_BLOCK)[:, None], torch.arange(_BLOCK)
    rows = torch.cos((2 * places + 1) * waves * math.pi / (2 * _BLOCK))
    return rows / rows.norm(dim=1, keepdim=True)
