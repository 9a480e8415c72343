"""Where cards lie on a table and in a picture of it, for whole batches on a device.

Homographies are (n, 3, 3) and map columns; points of pictures are px, the middle of the first pixel is the origin.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import torch
from torch import Tensor

HEIGHT_MM: Final = 88.0
UNIT: Final = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
"""Corners of a card in shares of it, clockwise from the upper left."""


@lru_cache(maxsize=512)
def constant(values: tuple[Any, ...], device: torch.device) -> Tensor:
    """Return numbers as a tensor that is not to be changed: they are copied to a device, which waits for it, once."""
    return torch.tensor(values, device=device, dtype=torch.float32)


def uniform(like: Tensor, low: float, high: float, *shape: int) -> Tensor:
    """Return chance numbers on the device of ``like``; by default one for each of its rows."""
    return torch.rand(*(shape or (len(like),)), device=like.device) * (high - low) + low


def views(card_px: Tensor, size: int) -> Tensor:
    """Return how cameras see the table (n, 3, 3), mm to px, so that a card of so many px lies in the middle.

    ``card_px`` (n,) is the length of an upright card seen from above, ``size`` the side of the picture.
    """
    steep = torch.rand_like(card_px) < 0.5
    elevation = torch.deg2rad(torch.where(steep, uniform(card_px, 50, 90), uniform(card_px, 25, 60)))
    sine, cosine = elevation.sin(), elevation.cos()
    distance = uniform(card_px, 350, 2500)
    scale, roll = card_px / HEIGHT_MM * distance, torch.randn_like(card_px) * 0.12
    view = torch.zeros(len(card_px), 3, 3, device=card_px.device)
    view[:, 0, 0], view[:, 0, 1] = scale * roll.cos(), -scale * sine * roll.sin()
    view[:, 1, 0], view[:, 1, 1] = scale * roll.sin(), scale * sine * roll.cos()
    view[:, 2, 1], view[:, 2, 2] = -cosine, distance
    shift = torch.eye(3, device=card_px.device).repeat(len(card_px), 1, 1)
    shift[:, :2, 2] = size / 2 + uniform(card_px, -4, 4, len(card_px), 2)
    return product(shift, view)


def onto_card(middle_mm: Tensor, angle: Tensor, width: Tensor) -> Tensor:
    """Return the maps (n, 3, 3) from mm of the table to shares of cards; ``width`` is a share of the height."""
    cosine, sine = angle.cos(), angle.sin()
    high = torch.full_like(angle, HEIGHT_MM)
    wide = width * HEIGHT_MM
    turn = torch.zeros(len(angle), 3, 3, device=angle.device)
    turn[:, 0, 0], turn[:, 0, 1] = cosine / wide, sine / wide
    turn[:, 1, 0], turn[:, 1, 1] = -sine / high, cosine / high
    turn[:, :2, 2] = 0.5 - product(turn[:, :2, :2], middle_mm[..., None])[..., 0]
    turn[:, 2, 2] = 1
    return turn


def product(first: Tensor, second: Tensor) -> Tensor:
    """Return the products of small matrices in full precision, whatever a device does by default."""
    return (first[..., :, :, None] * second[..., None, :, :]).sum(dim=-2)


def moved(homography: Tensor, points: Tensor) -> Tensor:
    """Return where points (n, k, 2) come to lie; those behind the camera far away."""
    x, y = points[..., :1], points[..., 1:]
    ahead = homography[:, None, :, 0] * x + homography[:, None, :, 1] * y + homography[:, None, :, 2]
    depth = ahead[..., 2:]
    return torch.where(depth > 1e-6, ahead[..., :2] / depth.clamp(min=1e-6), -99.0)


def pixels(high: int, wide: int, like: Tensor) -> Tensor:
    """Return the points (1, high × wide, 2) of all pixels of a picture, row by row."""
    rows, columns = torch.arange(high, device=like.device), torch.arange(wide, device=like.device)
    down, across = torch.meshgrid(rows, columns, indexing="ij")
    return torch.stack([across, down], dim=2).reshape(1, -1, 2).float()


def from_unit(quad: Tensor) -> Tensor:
    """Return the homographies (n, 3, 3) that lay the unit square onto quads (n, 4, 2)."""
    first, second, third, fourth = quad.unbind(dim=1)
    along, across, skew = second - third, fourth - third, first - second + third - fourth
    apart = along[:, 0] * across[:, 1] - along[:, 1] * across[:, 0]
    g = (skew[:, 0] * across[:, 1] - skew[:, 1] * across[:, 0]) / apart
    h = (along[:, 0] * skew[:, 1] - along[:, 1] * skew[:, 0]) / apart
    columns = [second - first + g[:, None] * second, fourth - first + h[:, None] * fourth, first]
    last = torch.stack([g, h, torch.ones_like(g)], dim=1)[:, None]
    return torch.cat([torch.stack(columns, dim=2), last], dim=1)


def looked_up(pictures: Tensor, points: Tensor, high: int, wide: int, *, outside: str = "border") -> Tensor:
    """Return the pictures (n, c, high, wide) seen at points (n, high × wide, 2) in px of ``pictures``."""
    size = constant((pictures.shape[3], pictures.shape[2]), points.device)
    grid = ((2 * points + 1) / size - 1).view(len(points), high, wide, 2)
    return torch.nn.functional.grid_sample(pictures, grid, padding_mode=outside, align_corners=False)
