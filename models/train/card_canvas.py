"""Pictures of cards among others, made on a device in whole batches: what ``models.train.card_scene`` draws, quicker.

All pictures of a batch show cards of about one size, and lie in squares that are just large enough.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import pi
from random import Random
from typing import Any, Final

import torch
from torch import Tensor

from models.train.card_bank import BACK, Bank, Cards
from models.train.card_camera import blurred, photographed, smooth_noise
from models.train.card_crops import NONE_RANK
from models.train.card_cuts import Canvas
from models.train.card_plane import (
    HEIGHT_MM,
    UNIT,
    constant,
    looked_up,
    moved,
    onto_card,
    pixels,
    product,
    uniform,
    views,
)

SIZES: Final = ((22, 32), (32, 46), (46, 66), (66, 94), (94, 134), (134, 186))
"""Lengths of upright cards, px, from … to, of the batches."""
SIZE_SHARES: Final = (0.06, 0.14, 0.23, 0.25, 0.2, 0.12)
_FELTS: Final = ((40, 95, 25), (60, 115, 35), (110, 60, 20), (140, 80, 30), (35, 25, 120), (60, 30, 70), (30, 30, 30))
_SKINS: Final = ((150, 180, 225), (110, 145, 200), (70, 100, 155), (40, 60, 100), (130, 160, 215))
_BACKS: Final = 0.05  # of the cards read, and of those around
_SLOTS: Final = ((-2, False), (-1, False), (1, True), (2, True))  # steps from the card; whether over it
_ALONE, _HAND, _FAN, _SIDEWAYS, _STREWN, _BESIDE = range(6)
_KINDS: Final = (0.2, 0.38, 0.12, 0.08, 0.12, 0.1)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    """How the cards (n, …) of a batch lie around those that are read."""

    kind: Tensor
    step: Tensor
    twist: Tensor
    angle: Tensor
    width: Tensor
    below: Tensor
    above: Tensor


def picture_side(longest: float) -> int:
    """Return the side of squares, px, in which a card of so many px can lie in any way."""
    return (int(longest * 1.28) // 16 + 1) * 16


def canvases(bank: Bank, size: int, chance: Random) -> Canvas:
    """Return pictures of so many cards of a bank's decks."""
    low, high = chance.choices(SIZES, weights=SIZE_SHARES)[0]
    side = picture_side(high)
    level = 0 if high > 90 else 1 if high > 44 else 2
    card_px = torch.exp(torch.rand(size, device=bank.device) * torch.log(torch.tensor(high / low))) * low
    cards = bank.chosen(size)
    back = uniform(card_px, 0, 1) < _BACKS
    cards = Cards(cards.deck, torch.where(back, BACK, cards.face))
    view = views(card_px, side)
    table = moved(torch.linalg.inv(view), pixels(side, side, card_px).expand(size, -1, -1))
    group = _grouped(bank, cards)
    scene = _Scene(bank, cards, group, table, (low * high) ** 0.5 / HEIGHT_MM, level)
    ground = _ground(card_px, side)
    picture, seen = scene.painted(ground, chance)
    picture, seen = _obstructed(picture, seen, card_px / HEIGHT_MM)
    to_mm = torch.linalg.inv(onto_card(torch.zeros(size, 2, device=bank.device), group.angle, group.width))
    corners = constant(UNIT, view.device).expand(size, -1, -1)
    rank = torch.where(back, NONE_RANK, cards.rank)
    return Canvas(
        picture=photographed(picture, chance),
        quad=moved(product(view, to_mm), corners),
        rank=rank[:, None].repeat(1, 3),
        suit=cards.suit[:, None].repeat(1, 3),
        seen=seen,
        ink=bank.ink(cards),
        alone=group.kind == _ALONE,
    )


def _grouped(bank: Bank, cards: Cards) -> _Group:
    """Draw how other cards lie: a hand dealt in steps, a fan, one sideways, strewn about, beside, or none."""
    many, device = len(cards.deck), bank.device
    width = bank.widths(cards.deck)
    kind = torch.multinomial(constant(_KINDS, width.device), many, replacement=True)
    signs = torch.randn(many, 3, device=device).sign()
    step = torch.stack([signs[:, 0] * uniform(width, 6, 30), signs[:, 1] * uniform(width, 4, 45)], dim=1)
    flat = (uniform(width, 0, 1) < 0.2)[:, None]
    step = torch.where(flat, step * torch.where(signs[:, 2:] > 0, 1, 0.1).repeat(1, 2), step)
    step = torch.where(flat & (signs[:, 2:] > 0), step * constant((1.0, 0.1), width.device), step)
    return _Group(
        kind=kind,
        step=step,
        twist=signs[:, 2] * uniform(width, 0.12, 0.45),
        angle=uniform(width, 0, 2 * pi),
        width=width,
        below=torch.randint(0, 4, (many,), device=device),
        above=torch.randint(0, 3, (many,), device=device),
    )


@dataclass(frozen=True, slots=True)
class _Scene:
    bank: Bank
    cards: Cards
    group: _Group
    table: Tensor
    px_per_mm: float
    level: int

    def painted(self, ground: Tensor, chance: Random) -> tuple[Tensor, Tensor]:
        """Return the ground with all cards on it, and where (n, 1, h, w) nothing lies on the cards read."""
        picture, seen = ground, torch.ones_like(ground[:, :1])
        middle = torch.zeros(len(ground), 2, device=ground.device)
        own = onto_card(middle, self.group.angle, self.group.width)
        every = torch.arange(len(ground), device=ground.device)
        for step, over in (*_SLOTS[:2], (0, False), *_SLOTS[2:]):
            if step == 0:
                picture, _ = self._laid(picture, every, self.cards, own, chance)
                continue
            rows, cards, place = self._other(step, over=over)
            if len(rows):
                laid, mask = self._laid(picture[rows], rows, cards, place, chance)
                picture = picture.index_copy(0, rows, laid)
                if over:
                    seen = seen.index_copy(0, rows, seen[rows] * (1 - mask))
        return picture, seen

    def _laid(
        self, picture: Tensor, rows: Tensor, cards: Cards, place: Tensor, chance: Random
    ) -> tuple[Tensor, Tensor]:
        """Pictures with cards on them, and where these lie; worn ones, most with a shadow beside them."""
        high, wide = picture.shape[2:]
        face = self.bank.pictures(cards, self.level)
        scale = constant((face.shape[3], face.shape[2]), face.device)
        card = looked_up(face, moved(place, self.table[rows]) * scale - 0.5, high, wide, outside="zeros")
        mask = card[:, 3:] / 255
        shape = (len(rows), 3, 1, 1)
        fade = 1 - 0.35 * uniform(mask, 0, 1, len(rows), 1, 1, 1) ** 3
        tint = 1 - 0.1 * uniform(mask, 0, 1, *shape) * uniform(mask, 0, 1, len(rows), 1, 1, 1) ** 3
        worn = (255 * mask - (255 * mask - card[:, :3] * mask) * fade) * tint
        return self._shaded(picture, mask, chance) * (1 - mask) + worn, mask

    def _shaded(self, picture: Tensor, mask: Tensor, chance: Random) -> Tensor:
        scale = self.px_per_mm
        shift = [round(chance.uniform(-4, 4) * scale), round(chance.uniform(-2, 5) * scale)]
        soft = blurred(mask.roll(shift, dims=(3, 2)), min(6.0, max(0.6, scale * chance.uniform(0.5, 4))))
        dark = uniform(mask, 0.1, 0.6, len(mask), 1, 1, 1) * (uniform(mask, 0, 1, len(mask), 1, 1, 1) < 0.7)
        return picture * (1 - soft * dark)

    def _other(self, step: int, *, over: bool) -> tuple[Tensor, Cards, Tensor]:
        """Which pictures have a card so many steps away, which one, and its place."""
        group, beside = self.group, self.group.kind == _BESIDE
        there = (group.above if over else group.below) >= abs(step)
        there = torch.where(group.kind == _SIDEWAYS, (abs(step) == 1) & ((group.above > 0) == over), there)
        there = (beside & (abs(step) == 1)) | (there & ~beside)
        rows = torch.nonzero(there & (group.kind != _ALONE))[:, 0]
        deck = self.cards.deck[rows]
        face = torch.where(uniform(deck, 0, 1) < 2 * _BACKS, BACK, self.bank.faces(deck)) if len(rows) else deck
        offset, twist = self._offset(step)
        angle = group.angle + twist + torch.randn_like(twist) * 0.05
        cosine, sine = group.angle.cos(), group.angle.sin()
        turned = torch.stack(
            [cosine * offset[:, 0] - sine * offset[:, 1], sine * offset[:, 0] + cosine * offset[:, 1]], dim=1
        )
        return rows, Cards(deck, face), onto_card(turned[rows], angle[rows], group.width[rows])

    def _offset(self, step: int) -> tuple[Tensor, Tensor]:
        """Where the middles of cards lie, mm along and across those read, and how far they are turned."""
        group = self.group
        offset, none = group.step * step + torch.randn_like(group.step) * 2, torch.zeros_like(group.twist)
        fan = group.twist * step
        pivot = torch.stack([50 * fan.sin(), 50 * (1 - fan.cos())], dim=1)
        near = torch.stack([uniform(none, -25, 25), uniform(none, -45, 45)], dim=1)
        strewn = uniform(none, -60, 60, len(none), 2)
        aside = torch.stack([step * (group.width * HEIGHT_MM + uniform(none, 0, 20)), 10 * torch.randn_like(none)], 1)
        for kind, other in ((_FAN, pivot), (_SIDEWAYS, near), (_STREWN, strewn), (_BESIDE, aside)):
            offset = torch.where((group.kind == kind)[:, None], other, offset)
        twist = torch.where(group.kind == _FAN, fan, none)
        twist = torch.where(group.kind == _SIDEWAYS, none + pi / 2, twist)
        return offset, torch.where(group.kind == _STREWN, uniform(none, 0, 2 * pi), twist)


def _ground(like: Tensor, side: int) -> Tensor:
    """Felt, wood, carpet or paper (n, 3, side, side)."""
    many, device = len(like), like.device
    felts = constant(_FELTS, device)
    felt = felts[torch.randint(0, len(_FELTS), (many,), device=device)] * uniform(like, 0.5, 1.5, many, 1)
    base = torch.where(uniform(like, 0, 1, many, 1) < 0.6, felt, uniform(like, 10, 245, many, 3))[..., None, None]
    ground = base.repeat(1, 1, side, side)
    rough = torch.exp(uniform(like, 0.5, 3.5, many, 1, 1, 1))
    tones = uniform(like, 0.7, 1.1, many, 3, 1, 1)
    grain = smooth_noise(ground, max(2, side // 3)) * rough + smooth_noise(ground, 4) * uniform(
        like, 0, 14, many, 1, 1, 1
    )
    line = smooth_noise(ground, 3).abs() < uniform(like, -0.15, 0.1, many, 1, 1, 1)  # print: winding lines
    return torch.where(line, uniform(like, 0, 255, many, 3, 1, 1), ground + grain * tones).clamp(0, 255)


def _obstructed(picture: Tensor, seen: Tensor, px_per_mm: Tensor) -> tuple[Tensor, Tensor]:
    """Lay hands over one picture in eight, and chips over one in ten."""
    kind = uniform(px_per_mm, 0, 1)
    for rows, paint in ((torch.nonzero(kind < 0.12)[:, 0], _hand), (torch.nonzero(kind > 0.9)[:, 0], _chips)):
        if len(rows):
            colour, mask = paint(picture[rows], px_per_mm[rows])
            picture = picture.index_copy(0, rows, picture[rows] * (1 - mask) + colour * mask)
            seen = seen.index_copy(0, rows, seen[rows] * (mask < 0.5))
    return picture, seen


def _places(picture: Tensor) -> tuple[Tensor, Tensor]:
    """Rows and columns (1, 1, h, w) of pictures."""
    points = pixels(picture.shape[2], picture.shape[3], picture).view(1, *picture.shape[2:], 2)
    return points[..., 1][:, None], points[..., 0][:, None]


def _hand(picture: Tensor, px_per_mm: Tensor) -> tuple[Tensor, Tensor]:
    """Colour and mask of one to four fingers that reach into the picture."""
    many, side = len(picture), picture.shape[2]
    one: Any = (many, 1, 1, 1)
    y, x = _places(picture)
    angle = uniform(picture, 0, 2 * pi, *one)
    finger = px_per_mm.view(one) * uniform(picture, 14, 20, *one)
    x, y = x - uniform(picture, 0, side, *one), y - uniform(picture, 0, side, *one)
    along, across = x * angle.cos() + y * angle.sin(), y * angle.cos() - x * angle.sin()
    count = torch.randint(1, 5, one, device=picture.device)
    near = torch.full_like(along, 1e9)
    for place in range(4):
        tip = along - uniform(picture, -0.5, 0.5, *one) * finger
        far = (tip.clamp(min=0) ** 2 + (across - finger * 1.1 * place) ** 2).sqrt()
        near = torch.where(place < count, torch.minimum(near, far), near)
    mask = (finger / 2 - near + 0.5).clamp(0, 1)
    skins = constant(_SKINS, picture.device)
    skin = skins[torch.randint(0, len(_SKINS), (many,), device=picture.device)][..., None, None]
    skin = torch.where(uniform(picture, 0, 1, *one) < 0.8, skin, uniform(picture, 10, 240, many, 3, 1, 1))
    return (skin * (1 - 0.5 * (near / finger * 2).clamp(0, 1) ** 2)).clamp(0, 255), mask


def _chips(picture: Tensor, px_per_mm: Tensor) -> tuple[Tensor, Tensor]:
    """Colour and mask of a chip or a low stack of chips, seen from above or from a side."""
    many, side = len(picture), picture.shape[2]
    one: Any = (many, 1, 1, 1)
    y, x = _places(picture)
    radius, flat = px_per_mm.view(one) * 19.5, uniform(picture, 0.45, 1.0, *one)
    x, y = x - uniform(picture, 0, side, *one), y - uniform(picture, 0, side, *one)
    rise = px_per_mm.view(one) * 3.3 * torch.randint(0, 5, one, device=picture.device) * (1.2 - flat)
    lower = torch.minimum((y + rise).clamp(min=0), y)  # of a stack the side is the rim, drawn down
    body = (x**2 + ((y + rise - (lower - y).abs() - rise * (y > 0)) / flat) ** 2).sqrt()
    top = (x**2 + ((y + rise) / flat) ** 2).sqrt()
    mask = (radius - torch.minimum(body, top) + 0.5).clamp(0, 1)
    colour, spots = uniform(picture, 0, 255, many, 3, 1, 1), uniform(picture, 0, 255, many, 3, 1, 1)
    turn = torch.atan2((y + rise) / flat, x) * 6 + uniform(picture, 0, 2 * pi, *one)
    spotted = ((turn.sin() > 0.4) & (top > 0.7 * radius)) | (top < 0.55 * radius)
    return torch.where(spotted, spots, colour), mask
