"""What networks for chips learn from, as other cameras would have taken it: whole batches, where they lie."""

from __future__ import annotations

from typing import Final

import torch
from torch import Tensor
from torch.nn import functional

_SOFT: Final = 0.3  # of the stacks are a little softer, or sharper


def varied_sides(sides: Tensor) -> Tensor:
    """Return near and far sides (n, 10, rows, columns) of 0..255 taken anew, some mirrored; the codes stay."""
    seen = _mirrored(sides.float())
    views = torch.stack([seen[:, :3], seen[:, 5:8]], dim=1)
    colour = torch.exp(0.15 * _normal(views))
    near, far = _taken_anew(views, steep=0.12, colour=colour).unbind(dim=1)
    joined = torch.cat([near, seen[:, 3:5], far, seen[:, 8:10]], dim=1)
    return joined.contiguous(memory_format=torch.channels_last)


def varied_tops(tops: Tensor) -> Tensor:
    """Return top views (n, 3, TOP_PX, TOP_PX) of 0..255 taken anew, some mirrored."""
    views = _mirrored(tops.float())[:, None]
    colour = 0.8 + 0.5 * _uniform(views)
    return _taken_anew(views, steep=0.2, colour=colour)[:, 0]


def _mirrored(pictures: Tensor) -> Tensor:
    half = torch.rand(len(pictures), 1, 1, 1, device=pictures.device) < 0.5
    return torch.where(half, pictures.flip(3), pictures)


def _taken_anew(views: Tensor, *, steep: float, colour: Tensor) -> Tensor:
    """Views (n, k, 3, h, w) in another sharpness, tone, tint and noise, the k views of one stack alike.

    ``steep`` is how much tones get steeper or flatter (one sigma), ``colour`` (n, 1, 1, 1, 1) how colourful they get.
    """
    soft = functional.avg_pool2d(views.flatten(0, 1), 3, stride=1, padding=1, count_include_pad=False)
    share = torch.where(_uniform(views) < _SOFT, 1.4 * _uniform(views) - 0.4, 0.0)
    seen = views + share * (soft.view_as(views) - views)
    seen = 255 * (seen.clamp(1, 255) / 255) ** torch.exp(steep * _normal(views))
    grey = seen.mean(dim=2, keepdim=True)
    seen = grey + colour * (seen - grey)
    tint = 0.035 * torch.randn(len(views), 1, 3, 1, 1, device=views.device)
    seen = seen * torch.exp(0.08 * _normal(views) + tint)
    return (seen + torch.randn_like(seen) * 4 * _uniform(views)).clamp(0, 255)


def _uniform(views: Tensor) -> Tensor:
    return torch.rand(len(views), 1, 1, 1, 1, device=views.device)


def _normal(views: Tensor) -> Tensor:
    return torch.randn(len(views), 1, 1, 1, 1, device=views.device)
