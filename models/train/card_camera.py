"""What a camera makes of pictures on a device: ``models.train.card_looks.photograph`` for whole batches.

Pictures are (n, 3, h, w) BGR, 0 to 255, both sides multiples of 16. What must be one for a batch, such as a kernel, is
drawn anew for each.
"""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi, sin
from random import Random
from typing import Final

import torch
from torch import Tensor
from torch.nn import functional

from models.train.card_plane import constant, uniform

_LUMA: Final = (0.114, 0.587, 0.299)
_QUANTA: Final = (
    (16, 11, 10, 16, 24, 40, 51, 61),
    (12, 12, 14, 19, 26, 58, 60, 55),
    (14, 13, 16, 24, 40, 57, 69, 56),
    (14, 17, 22, 29, 51, 87, 80, 62),
    (18, 22, 37, 56, 68, 109, 103, 77),
    (24, 35, 55, 64, 81, 104, 113, 92),
    (49, 64, 78, 87, 103, 121, 120, 101),
    (72, 92, 95, 98, 112, 100, 103, 99),
)  # ITU-T T.81, table K.1: luminance
_CHROMA: Final = (17, 18, 24, 47, 66, 99)  # the first of table K.2, as its diagonals run


def photographed(pictures: Tensor, chance: Random, *, gently: bool = False) -> Tensor:
    """Return the pictures after light, glare, lens, sensor and compression; ``gently`` for what was photographed."""
    lit = _light(pictures, 0.5 if gently else 1.0)
    if chance.random() < (0.15 if gently else 0.6):
        lit = _glare(lit, chance)
    seen = _lens(lit.clamp(0, 255), chance, softest=0.8 if gently else 1.3)
    seen = seen + torch.randn_like(seen) * _some(seen, 0.6) * (uniform(seen, 0, 1, len(seen), 1, 1, 1) ** 2 * 11)
    return _compressed(seen.clamp(0, 255), chance)


def _some(like: Tensor, share: float) -> Tensor:
    """1 for so many of the rows (n, 1, 1, 1), else 0."""
    return (uniform(like, 0, 1, len(like), 1, 1, 1) < share).float()


def smooth_noise(like: Tensor, cells: int, channels: int = 1) -> Tensor:
    """Return smooth noise (n, channels, h, w) of unit spread, so many grains wide."""
    small = torch.randn(len(like), channels, cells + 1, cells + 1, device=like.device)
    return functional.interpolate(small, size=like.shape[2:], mode="bicubic", align_corners=False)


def _ramps(like: Tensor) -> tuple[Tensor, Tensor]:
    """Shares -1 to 1 down (1, 1, h, 1) and across (1, 1, 1, w)."""
    high, wide = like.shape[2:]
    down = torch.linspace(-1, 1, high, device=like.device).view(1, 1, high, 1)
    return down, torch.linspace(-1, 1, wide, device=like.device).view(1, 1, 1, wide)


def _light(pictures: Tensor, strength: float) -> Tensor:
    shape = (len(pictures), 1, 1, 1)
    tint = 1 + (torch.randn(len(pictures), 3, 1, 1, device=pictures.device) * 0.07 * strength).clamp(-0.22, 0.22)
    gain = torch.exp(uniform(pictures, -0.55, 0.2, *shape) * strength)
    down, across = _ramps(pictures)
    first, second = (torch.randn(shape, device=pictures.device) * 0.15 * strength for _ in range(2))
    light = gain * (1 + first * across + second * down)
    edge = smooth_noise(pictures, 2) > torch.randn(shape, device=pictures.device) * 0.7
    light = light * torch.where(edge, 1.0, 1 - _some(pictures, 0.3 * strength) * uniform(pictures, 0.05, 0.6, *shape))
    gamma = torch.exp(torch.randn(shape, device=pictures.device) * 0.22 * strength)
    seen = 255 * ((pictures * light * tint) / 255).clamp(1e-3, 1.3) ** gamma
    pale = torch.where(
        _some(pictures, 0.07) > 0, uniform(pictures, 0, 0.3, *shape), uniform(pictures, 0.7, 1.15, *shape)
    )
    grey = seen.mean(dim=1, keepdim=True)
    seen = grey + pale * (seen - grey)
    return uniform(pictures, 0, 25 * strength, *shape) + seen * uniform(pictures, 0.85, 1.1, *shape)


def _glare(pictures: Tensor, chance: Random) -> Tensor:
    """Light spots on more than half of the pictures, soft ones or with an edge."""
    shape = (len(pictures), 1, 1, 1)
    down, across = _ramps(pictures)
    x, y = across - uniform(pictures, -1, 1, *shape), down - uniform(pictures, -1, 1, *shape)
    angle = uniform(pictures, 0, pi, *shape)
    along, aside = x * angle.cos() + y * angle.sin(), y * angle.cos() - x * angle.sin()
    far = (along / uniform(pictures, 0.1, 0.6, *shape)) ** 2 + (aside / uniform(pictures, 0.06, 0.4, *shape)) ** 2
    spot = torch.exp(-(far.clamp(max=50) ** chance.choice((0.5, 1.0, 2.5))))
    return pictures + spot * _some(pictures, 0.55) * uniform(pictures, 30, 220, *shape)


def _lens(pictures: Tensor, chance: Random, *, softest: float) -> Tensor:
    soft = blurred(pictures, chance.uniform(0.3, softest))
    seen = torch.lerp(pictures, soft, _some(pictures, 0.78))
    if chance.random() < 0.12:
        seen = _streaked(seen, chance)
    if chance.random() < 0.3:
        sharper = (seen + (seen - blurred(seen, 1.2)) * chance.uniform(0.3, 1.3)).clamp(0, 255)
        seen = torch.lerp(seen, sharper, _some(seen, 0.5))
    if chance.random() < 0.3:
        seen = torch.lerp(seen, _coarser(seen, chance.uniform(0.45, 0.95)), _some(seen, 0.7))
    return seen


def blurred(pictures: Tensor, sigma: float) -> Tensor:
    """Return pictures (n, c, h, w) blurred by a bell of so many px."""
    down, across = (_bells(side, sigma, pictures.device) for side in pictures.shape[2:])
    return down @ pictures @ across.T


def _bells(side: int, sigma: float, device: torch.device) -> Tensor:
    """A matrix (side, side) of bells, one a row; what would lie outside is as the last inside."""
    at = torch.arange(side, device=device, dtype=torch.float32)
    reach = max(1, round(3 * sigma))
    outer = torch.arange(-reach, side + reach, device=device, dtype=torch.float32)
    bells = torch.exp(-((outer[None] - at[:, None]) ** 2) / (2 * sigma**2))
    inner = bells[:, reach:-reach].clone()
    inner[:, 0] += bells[:, :reach].sum(dim=1)
    inner[:, -1] += bells[:, -reach:].sum(dim=1)
    return inner / inner.sum(dim=1, keepdim=True)


def _streaked(pictures: Tensor, chance: Random) -> Tensor:
    """Pictures during whose exposure something moved: the mean of some taken along a way."""
    angle, reach = chance.uniform(0, pi), chance.uniform(0.6, 2.4)
    taken = [_shifted(pictures, step * reach * cos(angle), step * reach * sin(angle)) for step in (-1, -0.5, 0.5, 1)]
    return torch.lerp(pictures, (pictures + sum(taken)) / (1 + len(taken)), _some(pictures, 0.6))


def _shifted(pictures: Tensor, across: float, down: float) -> Tensor:
    high, wide = pictures.shape[2:]
    way = torch.tensor([[1.0, 0.0, 2 * across / wide], [0.0, 1.0, 2 * down / high]], device=pictures.device)
    grid = functional.affine_grid(way.expand(len(pictures), 2, 3), list(pictures.shape), align_corners=False)
    return functional.grid_sample(pictures, grid, padding_mode="border", align_corners=False)


def _coarser(pictures: Tensor, share: float) -> Tensor:
    """Pictures that were made smaller, then larger again."""
    size = [max(8, round(side * share)) for side in pictures.shape[2:]]
    small = functional.interpolate(pictures, size=size, mode="bilinear", antialias=True)
    return functional.interpolate(small, size=pictures.shape[2:], mode="bilinear")


def _compressed(pictures: Tensor, chance: Random) -> Tensor:
    """Pictures after a codec, with its eight by eight cells and, mostly, half as much colour; one in four as it is."""
    weights = constant(_LUMA, pictures.device).view(1, 3, 1, 1)
    luma = (pictures * weights).sum(dim=1, keepdim=True)
    blue, red = pictures[:, :1] - luma, pictures[:, 2:] - luma
    quality = torch.exp(uniform(pictures, 2.9, 4.57, len(pictures), 1, 1, 1))
    scale = torch.where(quality < 50, 50 / quality, 2 - quality / 50).clamp(min=0.02)
    luma = _rounded(luma, _quanta(pictures.device, colour=False), scale)
    colour = torch.cat([blue * 0.564, red * 0.713], dim=1)
    halved = chance.random() < 0.75
    small = functional.avg_pool2d(colour, 2) if halved else colour
    small = _rounded(small, _quanta(pictures.device, colour=True), scale)
    colour = functional.interpolate(small, scale_factor=2.0, mode="bilinear") if halved else small
    blue, red = luma + colour[:, :1] / 0.564, luma + colour[:, 1:] / 0.713
    green = (luma - _LUMA[0] * blue - _LUMA[2] * red) / _LUMA[1]
    return torch.lerp(pictures, torch.cat([blue, green, red], dim=1).clamp(0, 255), _some(pictures, 0.75))


def _rounded(planes: Tensor, quanta: Tensor, scale: Tensor) -> Tensor:
    """Planes whose cells' frequencies are known to so many steps only."""
    high, wide = planes.shape[2:]
    down, across = _waves(high, planes.device), _waves(wide, planes.device)
    steps = (quanta * scale).clamp(min=1).repeat(1, 1, high // 8, wide // 8)
    spectrum = torch.round(down @ planes @ across.T / steps) * steps
    return down.T @ spectrum @ across


@lru_cache(maxsize=64)
def _waves(side: int, device: torch.device) -> Tensor:
    """The cosines of all cells of a side, one wave a row."""
    rows = [[cos((2 * x + 1) * u * pi / 16) * (0.5 if u else 0.125**0.5) for x in range(8)] for u in range(8)]
    return torch.block_diag(*[torch.tensor(rows, device=device)] * (side // 8))


@lru_cache(maxsize=4)
def _quanta(device: torch.device, *, colour: bool) -> Tensor:
    table = [[float(_CHROMA[min(5, u + v)]) for v in range(8)] for u in range(8)] if colour else _QUANTA
    return torch.tensor(table, device=device, dtype=torch.float32).view(1, 1, 8, 8)
