"""What readers see of pictures on a device: the views of ``models.card_views`` in batches, and their truth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor

from models.card_views import CORNER_REGION, CORNER_WH, WHOLE_REGION, WHOLE_WH
from models.train.card_bank import INK_WH
from models.train.card_crops import IGNORED, NONE_RANK
from models.train.card_plane import constant, from_unit, looked_up, moved, pixels, uniform

Looks = dict[str, Tensor]
"""``whole`` (n, 96, 64, 3) and ``corners`` (n, 2, 72, 48, 3) of 8 bits, BGR; ``rank``, ``suit`` (n, 3); ``long_px``."""

_READABLE, _HIDDEN, _MOSTLY_SEEN = 0.8, 0.35, 0.9  # as models.train.card_crops
_MISPLACED: Final = 0.15  # of the cards that lie alone
_WORTH_SHRINKING: Final = 0.7


@dataclass(frozen=True, slots=True, kw_only=True)
class Canvas:
    """Pictures (n, 3, size, size) BGR 0 to 255 of one card each, as a camera took them.

    ``quad`` (n, 4, 2) px; ``rank`` and ``suit`` (n, 3) for the whole card and its two ends, if all is uncovered;
    ``seen`` (n, 1, size, size) is 1 where nothing lies on the card, ``ink`` (n, 30, 14) where its index is printed;
    ``alone`` (n,) says that no other card is near.
    """

    picture: Tensor
    quad: Tensor
    rank: Tensor
    suit: Tensor
    seen: Tensor
    ink: Tensor
    alone: Tensor


def looks(canvas: Canvas) -> Looks:
    """Return what the readers get to see of a batch: corners are as far off as those that were found."""
    misplaced = (uniform(canvas.quad, 0, 1) < _MISPLACED) & canvas.alone
    quad = torch.where(misplaced[:, None, None], _beside(canvas.quad), _jittered(canvas.quad))
    rank, suit = _labels(canvas, misplaced)
    over = uniform(quad, 0, 1) < 0.5
    quad = torch.where(over[:, None, None], turned(quad), quad)
    ends = torch.where(over[:, None], constant((0, 2, 1), quad.device), constant((0, 1, 2), quad.device)).long()
    corners = [_view(canvas.picture, end, CORNER_REGION, CORNER_WH) for end in (quad, turned(quad))]
    return {
        "whole": _view(canvas.picture, quad, WHOLE_REGION, WHOLE_WH),
        "corners": torch.stack(corners, dim=1),
        "rank": rank.gather(1, ends),
        "suit": suit.gather(1, ends),
        "long_px": (canvas.quad[:, 3] - canvas.quad[:, 0]).norm(dim=1),
    }


def turned(quad: Tensor) -> Tensor:
    """Return the quads (n, 4, 2) of the same cards held the other way up."""
    return quad.roll(2, dims=1)


def _jittered(quad: Tensor) -> Tensor:
    """Quads with the errors that remain after the corners have been found."""
    spreads = constant((0.008, 0.014, 0.026), quad.device)
    pick = torch.multinomial(constant((0.45, 0.4, 0.15), quad.device), len(quad), replacement=True)
    spread = (spreads[pick] * (quad[:, 3] - quad[:, 0]).norm(dim=1))[:, None, None] * 0.7
    return quad + spread * (torch.randn_like(quad[:, :1]) + torch.randn_like(quad))


def _beside(quad: Tensor) -> Tensor:
    """Quads that lie mostly beside the card, as from a detection of nothing."""
    along, across = (quad[:, 3] - quad[:, 0])[:, None], (quad[:, 1] - quad[:, 0])[:, None]
    side = uniform(quad, 0.5, 1.0, len(quad), 1, 1) * torch.randn(len(quad), 1, 1, device=quad.device).sign()
    other = uniform(quad, -0.6, 0.6, len(quad), 1, 1)
    lengthwise = uniform(quad, 0, 1, len(quad), 1, 1) < 0.5
    return quad + torch.where(lengthwise, side * along + other * across, side * across + other * along)


def _labels(canvas: Canvas, misplaced: Tensor) -> tuple[Tensor, Tensor]:
    """Rank and suit (n, 3) of the whole view and the two ends; ``IGNORED`` where it is undecided what can be read."""
    shares = torch.stack([_index_seen(canvas, end) for end in (canvas.quad, turned(canvas.quad))], dim=1)
    most = torch.where(_share_seen(canvas) >= _MOSTLY_SEEN, 1.0, shares.amax(dim=1))
    seen = torch.cat([most[:, None], shares], dim=1)
    known = canvas.rank
    rank = torch.where(seen >= _READABLE, known, IGNORED)
    rank = torch.where((seen < _HIDDEN) & (known != IGNORED), NONE_RANK, rank)
    rank = torch.where(misplaced[:, None] & (known != IGNORED), NONE_RANK, rank)
    rank = torch.where(known == NONE_RANK, NONE_RANK, rank)
    return rank, torch.where((rank == known) & (rank != NONE_RANK), canvas.suit, IGNORED)


def _index_seen(canvas: Canvas, quad: Tensor) -> Tensor:
    """Which share (n,) of the print of the upper left index is uncovered and inside the picture."""
    wide, high = INK_WH
    cells = pixels(high, wide, quad) / constant((64.0, 96.0), quad.device)
    uncovered = looked_up(canvas.seen, moved(from_unit(quad), cells), high, wide, outside="zeros")[:, 0] > 0.5
    ink = canvas.ink.float()
    return (uncovered * ink).sum(dim=(1, 2)) / ink.sum(dim=(1, 2)).clamp(min=1)


def _share_seen(canvas: Canvas) -> Tensor:
    """Which share (n,) of the card is uncovered."""
    cells = (pixels(24, 16, canvas.quad) + 0.5) / constant((16.0, 24.0), canvas.quad.device)
    seen = looked_up(canvas.seen, moved(from_unit(canvas.quad), cells), 24, 16, outside="zeros")
    return (seen > 0.5).float().mean(dim=(1, 2, 3))


def _view(pictures: Tensor, quad: Tensor, region: tuple[float, ...], size_wh: tuple[int, int]) -> Tensor:
    """Upright views (n, h, w, 3) of 8 bits; pictures finer than the view are made smaller first."""
    left, top, right, bottom = region
    wide, high = size_wh
    scale = constant(((right - left) / wide, (bottom - top) / high), quad.device)
    places = pixels(high, wide, quad) * scale + constant((left, top), quad.device)
    length = float((quad[:, 3] - quad[:, 0]).norm(dim=1).median()) * (bottom - top)
    shrink = 1 / max(1.0, length / high)
    if shrink < _WORTH_SHRINKING:
        size = max(2, round(pictures.shape[3] * shrink))
        quad = (quad + 0.5) * (size / pictures.shape[3]) - 0.5
        pictures = torch.nn.functional.interpolate(pictures, size=(size, size), mode="area")
    view = looked_up(pictures, moved(from_unit(quad), places), high, wide)
    return view.clamp(0, 255).round().to(torch.uint8).permute(0, 2, 3, 1).contiguous()
