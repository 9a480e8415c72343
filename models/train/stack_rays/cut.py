"""Cuts sides of stacks from batches of pictures, as ``models.train.chip_crops`` does one by one."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import Any, Final

import torch
from torch import Tensor
from torch.nn import functional

from models.backdrop import LIKE
from models.cheque_size import CHIP_DIAMETER_MM, CHIP_HEIGHT_MM, CHIP_RADIUS_MM, HIGHEST_STACK
from models.chip_geometry import (
    CHIPS_BELOW,
    ROWS_PER_CHIP,
    STEPS,
    STEPS_PER_CHIP,
    STRIP_COLUMNS,
    STRIP_REACH,
    STRIP_ROWS,
)
from models.train.stack_rays.tables import Camera, Lot, Tables
from models.train.stack_rays.taken import along

_BOX_ERRORS: Final = (0.01, 0.025, 0.06)
_BOX_SHARES: Final = (0.45, 0.35, 0.2)
_WRONG_BOXES: Final = 0.5
_OUTSIDE: Final = 24  # points of a rim's outline
_STEEPEST_TAN: Final = 5.0
_FINEST: Final = 4
_SQUARE: Final = 1.12
_LEANING: Final = 0.45
_BLUR_MM: Final = 3.0
_KNOWN: Final = 0.8
_TINT: Final = 4.0
_SHADE: Final = (0.5, 1.02)
_BLACK: Final = 16.0
_DARK: Final = 4.0


@dataclass(slots=True, kw_only=True)
class Place:
    """Where stacks stand, as their boxes say (``models.chip_geometry.Placement``), a batch of them."""

    base: Tensor
    away: Tensor
    right: Tensor
    px_per_edge: Tensor
    px_per_mm: Tensor
    chips_hint: Tensor


def outlines(tables: Tables) -> Tensor:
    """Return points (n, m, 2) in pixels on the rims of the first stacks' chips."""
    camera, counts = tables.camera, tables.box_counts
    around = torch.linspace(0, 2 * math.pi, _OUTSIDE + 1, device=counts.device)[:-1]
    circle = torch.stack([around.cos(), around.sin()], dim=1) * CHIP_RADIUS_MM
    levels = torch.minimum(torch.arange(HIGHEST_STACK, device=counts.device)[None], counts[:, None] - 1)
    places = tables.places[:, 0].gather(1, levels[..., None].expand(-1, -1, 2)).double()
    rims = []
    for side in (0, 1):
        z = ((levels + side) * CHIP_HEIGHT_MM)[..., None, None].expand(-1, -1, _OUTSIDE, 1)
        rims.append(torch.cat([places[:, :, None] + circle, z], dim=3).flatten(1, 2))
    return camera.to_pixels(torch.cat(rims, dim=1))


def boxes(outline: Tensor, camera: Camera, px_per_edge: Tensor, lot: Lot) -> Tensor:
    """Return boxes (n, 4, 2) as imprecise as a detector's around outlines (n, m, 2)."""
    turn = torch.where(lot.happens(0.27), 0.0, camera.roll.float()).double()
    right = torch.stack([turn.cos(), turn.sin()], dim=1)
    down = torch.stack([-turn.sin(), turn.cos()], dim=1)
    x, y = (outline * right[:, None]).sum(dim=2), (outline * down[:, None]).sum(dim=2)
    error = torch.tensor(_BOX_ERRORS, device=lot.device)[
        torch.multinomial(torch.tensor(_BOX_SHARES, device=lot.device), lot.number, replacement=True,
                          generator=lot.generator)
    ]  # fmt: skip
    off = (lot.normal(1.0, 4) * error[:, None]).clamp(-0.15, 0.15).double()
    left, top, wide, high = x.amin(dim=1), y.amin(dim=1), x.amax(dim=1) - x.amin(dim=1), y.amax(dim=1) - y.amin(dim=1)
    more = _whole_chips(px_per_edge, high, lot)
    first, last = left + wide * off[:, 0], left + wide * (1 + off[:, 1])
    upper, lower = top + high * off[:, 2], top + high * (1 + off[:, 3])
    at_foot = lot.happens(0.75)
    lower, upper = torch.where(at_foot, lower + more, lower), torch.where(at_foot, upper, upper - more)
    corners = [(first, upper), (last, upper), (last, lower), (first, lower)]
    return torch.stack([right * a[:, None] + down * b[:, None] for a, b in corners], dim=1)


def _whole_chips(px_per_edge: Tensor, high: Tensor, lot: Lot) -> Tensor:
    """By how many pixels (n,) boxes get higher that are whole chips off; 0 for most."""
    chances = torch.tensor([0.06, 0.14, 0.3, 0.3, 0.14, 0.06], device=lot.device)
    drawn = torch.multinomial(chances, lot.number, replacement=True, generator=lot.generator)
    chips = torch.tensor([-3.0, -2.0, -1.0, 1.0, 2.0, 3.0], device=lot.device, dtype=torch.float64)[drawn]
    off = torch.minimum(torch.maximum(px_per_edge * chips, -0.6 * high), 1.5 * high)
    return torch.where(lot.happens(_WRONG_BOXES), off, 0.0)


def misjudged(camera: Camera, lot: Lot) -> Camera:
    """Return the cameras with the errors of a calibration, in double precision."""
    elevation = torch.asin(camera.sine.double()) + torch.deg2rad(lot.normal(0.4).double())
    return Camera(
        foot=camera.foot.double(), px_per_mm=camera.px_per_mm.double() * torch.exp(lot.normal(0.006).double()),
        sine=elevation.sin(), cosine=elevation.cos(), distance=camera.distance.double(),
        roll=camera.roll.double() + torch.deg2rad(lot.normal(0.7).double()),
    )  # fmt: skip


def place_stacks(box: Tensor, camera: Camera) -> Place:
    """Return where the stacks in boxes (n, 4, 2) stand; see ``models.chip_geometry.place_stack``."""
    base = camera.to_felt(box.mean(dim=1))
    up = _unit(_per_mm(base, camera)[:, :, 2])
    middle, half_height = _extent(box, up)
    front = middle - up * half_height[:, None]
    away = _away(camera.to_felt(front), camera)
    base = camera.to_felt(front) + away * CHIP_RADIUS_MM
    away = _away(base, camera)
    right = torch.stack([away[:, 1], -away[:, 0]], dim=1)
    levels = torch.tensor([0.0, HIGHEST_STACK * CHIP_HEIGHT_MM], device=box.device, dtype=torch.float64)
    far = _at_heights(base + away * CHIP_RADIUS_MM, levels)
    reach = ((camera.to_pixels(far) - front[:, None]) * up[:, None]).sum(dim=2)
    per_mm = ((reach[:, 1] - reach[:, 0]) / levels[1]).clamp(min=1e-3)
    per = _per_mm(base, camera)
    return Place(
        base=base, away=away, right=right, px_per_edge=per[:, :, 2].norm(dim=1) * CHIP_HEIGHT_MM,
        px_per_mm=(per[:, :, :2] @ right[..., None])[..., 0].norm(dim=1),
        chips_hint=((2 * half_height - reach[:, 0]) / per_mm / CHIP_HEIGHT_MM).clamp(0.5, 24.0),
    )  # fmt: skip


def guessed(box: Tensor, sine: Tensor) -> tuple[Camera, Place]:
    """Return cameras and places of which boxes (n, 4, 2) and flatness tell alone; see ``models.chip_geometry``."""
    up = _upright(box)
    middle, half_height = _extent(box, up)
    half_width = _extent(box, torch.stack([-up[:, 1], up[:, 0]], dim=1))[1]
    scale, sine = half_width / CHIP_RADIUS_MM, sine.clamp(0.15, 0.985)
    cosine = (1 - sine**2).sqrt()
    camera = Camera(
        foot=middle - up * (half_height - sine * half_width)[:, None], px_per_mm=scale, sine=sine, cosine=cosine,
        roll=torch.atan2(up[:, 0], -up[:, 1]), distance=torch.full_like(scale, 1e6),
    )  # fmt: skip
    ahead = torch.tensor([0.0, 1.0], device=box.device, dtype=box.dtype).expand(len(box), 2)
    edge = cosine * scale * CHIP_HEIGHT_MM
    place = Place(
        base=torch.zeros_like(ahead), away=ahead, right=ahead.flip(1), px_per_edge=edge, px_per_mm=scale,
        chips_hint=((2 * half_height - 2 * sine * half_width) / edge).clamp(0.5, 24.0),
    )  # fmt: skip
    return camera, place


def _upright(box: Tensor) -> Tensor:
    """The directions (n, 2) of the boxes' sides nearest to the vertical; the vertical where that is not clear."""
    sides = torch.stack([box[:, 1] - box[:, 0], box[:, 2] - box[:, 1]], dim=1)
    lengths = sides.norm(dim=2)
    best = sides.gather(1, sides[..., 1].abs().argmax(dim=1)[:, None, None].expand(-1, 1, 2))[:, 0]
    up = -_unit(best) * best[:, 1:].sign()
    unclear = (lengths.amax(dim=1) < _SQUARE * lengths.amin(dim=1)) | (up[:, 0].abs() > _LEANING)
    return torch.where(unclear[:, None], torch.tensor([0.0, -1.0], device=box.device, dtype=box.dtype), up)


def either(first: Tensor, one: Camera | Place, other: Camera | Place) -> Any:
    """Return the cameras, or places, of ``one`` where ``first`` (n,) is true, else of ``other``."""
    parts = {
        field.name: torch.where(
            _as_wide(first, getattr(one, field.name)), getattr(one, field.name), getattr(other, field.name)
        )
        for field in fields(one)
    }
    return type(one)(**parts)


def _as_wide(chosen: Tensor, values: Tensor) -> Tensor:
    return chosen.view(-1, *[1] * (values.dim() - 1))


def _at_heights(ground: Tensor, heights: Tensor) -> Tensor:
    """Points (n, m, 3) of the felt's points (n, 2) raised to heights (m,)."""
    shape = (len(ground), len(heights))
    return torch.cat([ground[:, None].expand(*shape, 2), heights[None, :, None].expand(*shape, 1)], dim=2)


def _per_mm(base: Tensor, camera: Camera) -> Tensor:
    """Pixels per millimetre along x, y and z at points of the felt (n, 2, 3)."""
    step = 2.0
    here = functional.pad(base, (0, 1))[:, None]
    steps = step * torch.eye(3, device=base.device, dtype=base.dtype)[None]
    return (camera.to_pixels(here + steps) - camera.to_pixels(here - steps)).transpose(1, 2) / (2 * step)


def _away(base: Tensor, camera: Camera) -> Tensor:
    """Directions (n, 2) on the felt away from the camera."""
    per = _per_mm(base, camera)
    sight = torch.linalg.cross(per[:, 0], per[:, 1])
    sight = torch.where(sight[:, 2:] > 0, sight, -sight)
    return -_unit(sight[:, :2])


def _unit(vectors: Tensor) -> Tensor:
    return vectors / vectors.norm(dim=1, keepdim=True).clamp(min=1e-9)


def _extent(box: Tensor, up: Tensor) -> tuple[Tensor, Tensor]:
    """The centres (n, 2) and half heights (n,) of boxes along ``up``."""
    first = (box[:, 0] + box[:, 1] - box[:, 2] - box[:, 3]) / 4
    second = (box[:, 1] + box[:, 2] - box[:, 3] - box[:, 0]) / 4
    return box.mean(dim=1), torch.hypot((first * up).sum(dim=1), (second * up).sum(dim=1))


def side_places(camera: Camera, place: Place) -> Tensor:
    """Return where the cameras see the points (n, STRIP_ROWS, STRIP_COLUMNS * 4, 2) of the stacks' sides."""
    finer = (place.px_per_mm * CHIP_DIAMETER_MM / STRIP_COLUMNS).round().clamp(1, _FINEST)
    finer = torch.where(finer == 3, 4.0, finer)  # quarters stand for thirds
    k = torch.arange(STRIP_COLUMNS * _FINEST, device=finer.device)
    part = (((k % _FINEST)[None] * finer[:, None] / _FINEST).floor() + 0.5) / finer[:, None]
    columns = (((k // _FINEST)[None] + part) / STRIP_COLUMNS * 2 - 1) * STRIP_REACH
    towards = (1 - columns**2).clamp(0, 1).sqrt()
    ground = CHIP_RADIUS_MM * (columns[..., None] * place.right[:, None] - towards[..., None] * place.away[:, None])
    ground = ground + place.base[:, None]
    rows = (torch.arange(STRIP_ROWS, device=finer.device, dtype=torch.float64) + 0.5) / ROWS_PER_CHIP - CHIPS_BELOW
    shape = (len(ground), STRIP_ROWS, ground.shape[1])
    heights = (rows * CHIP_HEIGHT_MM)[None, :, None, None]
    points = torch.cat([ground[:, None].expand(*shape, 2), heights.expand(*shape, 1)], dim=3)
    return camera.to_pixels(points).float()


def sampled(pictures: Tensor, where: Tensor) -> Tensor:
    """Return what pictures (n, c, rows, columns) show at places (n, h, w, 2), borders repeated: (n, c, h, w)."""
    size = torch.tensor([pictures.shape[3], pictures.shape[2]], device=where.device)
    grid = (2 * where + 1) / size - 1
    return functional.grid_sample(pictures, grid, mode="bilinear", padding_mode="border", align_corners=False)


def strips(seen: Tensor) -> Tensor:
    """Return sides (n, STRIP_ROWS, STRIP_COLUMNS, 3) of 8 bits from what was sampled at ``side_places``."""
    return functional.avg_pool2d(seen.round(), (1, _FINEST)).round().to(torch.uint8).permute(0, 2, 3, 1)


def codes(seen: Tensor, bare: Tensor, tables: Tables, *, where: Tensor, calibrated: Tensor, lot: Lot) -> Tensor:
    """Return how sides differ from the bare felt as a run has learnt it (n, STRIP_ROWS, STRIP_COLUMNS, 3).

    Args:
        seen: what was sampled at ``side_places``.
        bare: pictures of the bare felt (n, 3, rows, columns).
        tables: what was painted.
        where: see ``side_places``.
        calibrated: where the camera is known (n,); elsewhere nothing is known of the felt.
        lot: the only source of chance.
    """
    camera = tables.camera
    known = (calibrated & lot.happens(_KNOWN))[:, None, None].expand(where.shape[:3])
    centre = lot.uniform(0, 1, 2) * torch.tensor([tables.canvas.columns, tables.canvas.rows], device=lot.device)
    radius = lot.uniform(10, 45) * camera.px_per_mm * lot.happens(0.25)
    moved = (where + lot.normal(0.4, 2)[:, None, None]).float()
    known = known & ((moved - centre[:, None, None]).norm(dim=3) >= radius[:, None, None])
    side = _BLUR_MM * camera.px_per_mm
    felt = _as_video(sampled(_boxed(bare, side, side * camera.sine), moved))
    felt[:, 0] = 16 + (felt[:, 0] - 16) * torch.exp(lot.normal(0.02))[:, None, None]
    told = _against(_as_video(seen), felt, known)
    return functional.avg_pool2d(told, (1, _FINEST)).round().to(torch.uint8).permute(0, 2, 3, 1)


def _boxed(pictures: Tensor, wide: Tensor, high: Tensor) -> Tensor:
    """Pictures (n, c, rows, columns) softened by boxes of about these sides (n,)."""
    for side, across in ((high, False), (wide, True)):
        half = ((side - 1) / 2).clamp(min=0)
        taps = (torch.arange(13, device=pictures.device) - 6).abs()[None]
        weights = (half[:, None] + 0.5 - taps).clamp(0, 1)
        pictures = along(pictures, weights / weights.sum(dim=1, keepdim=True), across=across)
    return pictures


def _as_video(pictures: Tensor) -> Tensor:
    """Brightness and the two colour differences (n, 3, h, w) in video's range."""
    blue, green, red = pictures.unbind(dim=1)
    luma = 0.114 * blue + 0.587 * green + 0.299 * red
    parts = [
        16 + luma * (219 / 255),
        128 + 0.564 * (blue - luma) * (224 / 255),
        128 + 0.713 * (red - luma) * (224 / 255),
    ]
    return torch.stack(parts, dim=1)


def _against(seen: Tensor, bare: Tensor, known: Tensor) -> Tensor:
    """How places look compared with their bare felt (n, 3, h, w), see ``models.backdrop.against``."""
    over = (bare[:, 0] - _BLACK).clamp(min=_DARK)
    light = ((seen[:, 0] - _BLACK) / over).clamp(*_SHADE)
    gap = (seen[:, 0] - _BLACK) - light * (bare[:, 0] - _BLACK)
    tint = (seen[:, 1:] - 128) - light[:, None] * (bare[:, 1:] - 128)
    unlike = 2.0 * (gap**2 + _TINT * (tint**2).sum(dim=1)).sqrt()
    lighter = 80.0 * (((seen[:, 0] - _BLACK).clamp(min=0) + _DARK) / ((bare[:, 0] - _BLACK).clamp(min=0) + _DARK)).log()
    told = torch.stack([unlike, lighter], dim=1) * known[:, None] + LIKE
    return torch.cat([told.clamp(0, 255), 255.0 * known[:, None]], dim=1).round()


def facts(place: Place, told: Tensor, calibrated: Tensor) -> Tensor:
    """Return what geometry tells the reader (n, 5, STEPS), see ``models.chip_geometry.side_facts``."""
    heights = (torch.arange(STEPS, device=told.device) + 0.5)[None] / STEPS_PER_CHIP - CHIPS_BELOW
    hint = place.chips_hint[:, None]
    rows = [
        ((heights > 0) & (heights < hint)).double(),
        (heights / hint).clamp(-1, 3) / 2,
        (place.px_per_edge.clamp(0.3, 30).log() / 2)[:, None].expand(-1, STEPS),
        torch.where(calibrated, 1.0, -1.0)[:, None].double().expand(-1, STEPS),
        told[..., 2].view(len(told), STEPS, -1).double().mean(dim=2) / 255,
    ]
    return torch.stack(rows, dim=1).half()


def rims(tables: Tables, camera: Camera, place: Place) -> Tensor:
    """Return where strips show the rims of the true stacks' chips (n, HIGHEST_STACK + 1), in steps; 0 beyond them."""
    counts = tables.counts[:, 0]
    levels = torch.arange(HIGHEST_STACK + 1, device=counts.device)
    at = torch.minimum(levels[None], (counts[:, None] - 1).clamp(min=0))
    aside = tables.places[:, 0].gather(1, at[..., None].expand(-1, -1, 2)).double()
    near = aside - torch.tensor([0.0, CHIP_RADIUS_MM], device=aside.device)
    z = (levels * CHIP_HEIGHT_MM).double()[None, :, None].expand(len(near), -1, 1)
    true = _exact(tables.camera).to_pixels(torch.cat([near, z], dim=2))
    grid = torch.linspace(-6.0, 28.0, 137, device=near.device, dtype=torch.float64)
    middle = camera.to_pixels(_at_heights(place.base - CHIP_RADIUS_MM * place.away, grid * CHIP_HEIGHT_MM))
    along = (middle[:, -1] - middle[:, 0])[:, None]
    known, wanted = ((middle - middle[:, :1]) * along).sum(dim=2), ((true - middle[:, :1]) * along).sum(dim=2)
    upper = torch.searchsorted(known.contiguous(), wanted.contiguous()).clamp(1, len(grid) - 1)
    low, high = known.gather(1, upper - 1), known.gather(1, upper)
    share = ((wanted - low) / (high - low).clamp(min=1e-9)).clamp(0, 1)
    seen = grid[upper - 1] + share * (grid[1] - grid[0])
    return (
        torch.where(levels[None] <= counts[:, None], (seen + CHIPS_BELOW) * STEPS_PER_CHIP, 0.0) * (counts > 0)[:, None]
    )


def _exact(camera: Camera) -> Camera:
    return replace(
        camera, foot=camera.foot.double(), px_per_mm=camera.px_per_mm.double(), sine=camera.sine.double(),
        cosine=camera.cosine.double(), roll=camera.roll.double(), distance=camera.distance.double(),
    )  # fmt: skip
