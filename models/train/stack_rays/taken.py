"""Pictures as a table's camera takes and stores them, in whole batches: tones, sharpness, noise, compression."""

from __future__ import annotations

import math
from typing import Final

import torch
from torch import Tensor
from torch.nn import functional

from models.train.stack_rays.kernel import run
from models.train.stack_rays.tables import Lot

_WIDEST: Final = 9  # taps of a softening
_LUMA: Final = (0.114, 0.587, 0.299)
_QUALITY: Final = (35, 97)
_LOW_QUALITY: Final = (10, 36)
_LOW_BIT_RATE: Final = 0.45
_EVEN: Final = 0.6  # of these are stored with even steps, as H.264 does
_EVEN_STEPS: Final = (12.0, 60.0)
_DEAD_ZONE: Final = (0.17, 0.5)  # what is added before a step is rounded down
_DIM: Final = 0.12  # of the recordings are of a dim room
_BLEEDING: Final = 0.2  # of the recordings have colours that run much farther than brightness
_COARSE_LUMA: Final = (
    (16, 11, 10, 16, 24, 40, 51, 61), (12, 12, 14, 19, 26, 58, 60, 55), (14, 13, 16, 24, 40, 57, 69, 56),
    (14, 17, 22, 29, 51, 87, 80, 62), (18, 22, 37, 56, 68, 109, 103, 77), (24, 35, 55, 64, 81, 104, 113, 92),
    (49, 64, 78, 87, 103, 121, 120, 101), (72, 92, 95, 98, 112, 100, 103, 99),
)  # fmt: skip
_COARSE_CHROMA: Final = (
    (17, 18, 24, 47, 99, 99, 99, 99), (18, 21, 26, 66, 99, 99, 99, 99), (24, 26, 56, 99, 99, 99, 99, 99),
    (47, 66, 99, 99, 99, 99, 99, 99), *((99,) * 8,) * 4,
)  # fmt: skip
"""Steps of JPEG's tables (ITU T.81, annex K)."""


def taken(seen: Tensor, bare: Tensor, lot: Lot) -> tuple[Tensor, Tensor]:
    """Return both pictures (n, 3, rows, columns; B, G, R) in whole numbers of 0..255, developed alike.

    Args:
        seen: as painted (n, rows, columns, 3), sides of sixteens.
        bare: the same.
        lot: the only source of chance.
    """
    both = torch.cat([seen, bare]).permute(0, 3, 1, 2).contiguous()
    both = _developed(both, lot)
    parts = [_recorded(part, lot) for part in both.chunk(2)]
    return parts[0], parts[1]


def _developed(both: Tensor, lot: Lot) -> Tensor:
    """Exposure, contrast, white balance, saturation and sharpness, the same for both halves."""
    strong = torch.where(lot.happens(0.12), 0.14, 0.06)[:, None]
    balance = torch.exp(lot.normal(1.0, 3) * strong)
    gain, gamma, lift = torch.exp(lot.normal(0.15)), torch.exp(lot.normal(0.15)), lot.uniform(0, 18)
    gain = torch.where(lot.happens(_DIM), lot.uniform(0.4, 0.85), gain)
    balance, gain, gamma, lift = (_twice(part) for part in (balance, gain, gamma, lift))
    level = both.clamp(0, 255) / 255
    scale = (gain[:, None] * balance * (255 - lift)[:, None])[..., None, None]
    both = (level.clamp(min=1e-4) ** gamma[:, None, None, None] * scale + lift[:, None, None, None]).clamp(0, 255)
    keep = _twice(torch.exp(lot.normal(0.18)))[:, None, None, None]
    grey = _grey(both)
    both = (grey + keep * (both - grey)).clamp(0, 255)
    blur = torch.where(lot.happens(0.92), lot.normal(0.6).abs(), lot.uniform(0.8, 1.6))
    blur = torch.where(blur > 0.25, blur, 0.0)
    both = softened(both, _twice(blur), _twice(blur * lot.uniform(0.7, 1.3)))
    sharp = _twice(torch.where(lot.happens(0.35), lot.uniform(0.1, 1.2), torch.zeros_like(blur)))
    wide = _twice(lot.uniform(0.8, 2.2))
    soft = softened(both, wide, wide)
    return (both + sharp[:, None, None, None] * (both - soft)).clamp(0, 255)


def _twice(values: Tensor) -> Tensor:
    return torch.cat([values, values])


def _grey(pictures: Tensor) -> Tensor:
    weights = torch.tensor(_LUMA, device=pictures.device)[:, None, None]
    return (pictures * weights).sum(dim=1, keepdim=True)


def softened(pictures: Tensor, across: Tensor, down: Tensor) -> Tensor:
    """Return pictures (n, c, rows, columns) softened with sigmas (n,) of their own, 0 for not."""
    taps = torch.arange(_WIDEST, device=pictures.device) - _WIDEST // 2
    for sigma, is_across in ((down, False), (across, True)):
        weights = torch.exp(-0.5 * (taps[None] / sigma.clamp(min=0.05)[:, None]) ** 2)
        weights = weights / weights.sum(dim=1, keepdim=True)
        pictures = along(pictures, weights, across=is_across)
    return pictures


def along(pictures: Tensor, weights: Tensor, *, across: bool) -> Tensor:
    """Return pictures (n, c, rows, columns) weighed along a side with weights (n, odd) of their own; borders repeat."""
    number, channels, rows, columns = pictures.shape
    out = torch.empty_like(pictures, memory_format=torch.contiguous_format)
    numbers = (number * channels, channels, rows, columns, weights.shape[1], int(across))
    run("weigh", [pictures, weights.float(), out], numbers, points=pictures.numel())
    return out


def _recorded(pictures: Tensor, lot: Lot) -> Tensor:
    """Noise, coarse colours, compression."""
    sigma = lot.normal(4.0).abs()[:, None, None, None]
    size = pictures.shape[2:]
    own, shared = (lot.normal(1.0, channels, *size) for channels in (3, 1))
    pictures = (pictures + sigma * (0.5 * own + 0.52 * shared)).clamp(0, 255)
    parts = _luma_and_colour(pictures)
    colour = functional.avg_pool2d(parts[:, 1:], 2)
    bleeds = torch.where(lot.happens(_BLEEDING), lot.uniform(0.6, 2.6), torch.zeros(lot.number, device=lot.device))
    colour = softened(colour, bleeds, bleeds)
    quality = torch.where(lot.happens(_LOW_BIT_RATE), lot.uniform(*_LOW_QUALITY), lot.uniform(*_QUALITY))
    stored = lot.happens(0.75)[:, None, None, None]
    steps = _even_steps(lot, quality < _LOW_QUALITY[1])
    luma = _compressed(parts[:, :1], _COARSE_LUMA, quality, steps)
    compressed = _compressed(colour, _COARSE_CHROMA, quality, steps)
    luma, colour = torch.where(stored, luma, parts[:, :1]), torch.where(stored, compressed, colour)
    up = functional.interpolate(colour, scale_factor=2.0, mode="bilinear", align_corners=False)
    thin = stored | lot.happens(0.3)[:, None, None, None] | (bleeds > 0)[:, None, None, None]
    up = torch.where(thin, up, parts[:, 1:])
    return _blue_green_red(torch.cat([luma, up], dim=1)).clamp(0, 255).round()


def _luma_and_colour(pictures: Tensor) -> Tensor:
    """Brightness and both differences (blue, red), 128 for none."""
    luma = _grey(pictures)
    blue = 128 + 0.564 * (pictures[:, :1] - luma)
    red = 128 + 0.713 * (pictures[:, 2:] - luma)
    return torch.cat([luma, blue, red], dim=1)


def _blue_green_red(parts: Tensor) -> Tensor:
    luma, blue, red = parts[:, :1], parts[:, 1:2] - 128, parts[:, 2:] - 128
    return torch.cat([luma + blue / 0.564, luma - 0.344 * blue - 0.714 * red, luma + red / 0.713], dim=1)


def _even_steps(lot: Lot, low: Tensor) -> tuple[Tensor, Tensor]:
    """The step (n,) of those that are stored with even ones, 0 of the others, and what it is rounded with."""
    steps = torch.exp(lot.uniform(math.log(_EVEN_STEPS[0]), math.log(_EVEN_STEPS[1])))
    even = low & lot.happens(_EVEN)
    rounding = torch.where(even, lot.uniform(*_DEAD_ZONE), torch.full_like(steps, 0.5))
    return torch.where(even, steps, torch.zeros_like(steps)), rounding


def _compressed(
    planes: Tensor, table: tuple[tuple[int, ...], ...], quality: Tensor, even: tuple[Tensor, Tensor]
) -> Tensor:
    """Planes (n, c, rows, columns), sides of eights, as JPEG keeps them, or H.264, the edges of its blocks softened."""
    number, channels, rows, columns = planes.shape
    flat, rounding = even
    scale = torch.where(quality < 50, 5000 / quality, 200 - 2 * quality) / 100
    steps = (torch.tensor(table, device=planes.device)[None] * scale[:, None, None] + 0.5).floor().clamp(1, 255)
    cosines = _cosines(planes.device)
    blocks = (planes - 128).reshape(number, channels, rows // 8, 8, columns // 8, 8).transpose(3, 4)
    steps = torch.where(flat[:, None, None] > 0, flat[:, None, None], steps).view(number, 1, 1, 1, 64)
    parts = blocks.reshape(*blocks.shape[:4], 64) @ cosines.T / steps
    kept = parts.sign() * (parts.abs() + rounding.view(number, 1, 1, 1, 1)).floor() * steps @ cosines
    stored = kept.view(blocks.shape).transpose(3, 4).reshape(planes.shape) + 128
    sigma = torch.where(flat > 0, 0.35 + flat / 90, torch.zeros_like(flat))
    soft = softened(stored, sigma, sigma)
    return torch.where((flat > 0)[:, None, None, None] & _edges(rows, columns, planes.device), soft, stored)


def _edges(rows: int, columns: int, device: torch.device) -> Tensor:
    """Where blocks meet (rows, columns)."""
    down, across = (torch.arange(size, device=device) % 8 for size in (rows, columns))
    return ((down == 0) | (down == 7))[:, None] | ((across == 0) | (across == 7))[None]


def _cosines(device: torch.device) -> Tensor:
    """What a flat block of 8 x 8 is multiplied with (64, 64)."""
    k = torch.arange(8, device=device)
    rows = torch.cos((2 * k[None] + 1) * k[:, None] * math.pi / 16) / 2
    rows[0] /= math.sqrt(2)
    return torch.kron(rows, rows)
