"""Tables with stacks of chips and a camera above them, drawn by lot in whole batches.

Lengths are millimetres around the foot of the first stack, which is the one that is looked at: x right in the camera's
view, y away, z up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor

from models.cheque_size import CHIP_DIAMETER_MM, CHIP_HEIGHT_MM, CHIP_RADIUS_MM, HIGHEST_STACK
from models.chip_geometry import CHIPS_BELOW
from models.train.chip_styles import HUES
from models.train.stack_rays.designs import BASE, DARK, DOTS, INK, OTHER_SPOT, PALE, SPOT, TINTS
from models.train.stack_rays.wagers import KINDS, NEIGHBOURS

STACKS: Final = 1 + NEIGHBOURS
LAMPS: Final = 4
CAPSULES: Final = 3
_EDGE_PX: Final = (1.6, 6.0)
_USUAL_EDGE_PX: Final = (2.4, 4.0)  # of over half of the cameras
_LEAST_PX_PER_MM: Final = 0.7
_SIGMAS: Final = (0.15, 0.3, 0.6, 0.9, 1.4, 1.9)
_FLAT: Final = 0.35  # of the rooms have sides about as bright as faces
_CUT: Final = 0.4  # of the tables have chips whose rims are cut off
_GLINTS: Final = 0.3  # of the tables have chips whose rims shine
_RINGS: Final = 0.45  # of the tables have chips with rims in a tone of their own, on faces and sides
_DARK_RINGS: Final = 0.6  # of these are darker
_SLIPPED: Final = 0.2  # of the tables have chips with the spots of faces turned against those of sides
_UNEVEN: Final = 0.35  # of the tables have joints that are not alike
_SLID: Final = 0.35  # of the stacks have chips that slid aside together
_ALIGNED: Final = 0.2  # of the stacks have edge spots more or less above each other
_NOTHING: Final = 0.04  # of the places that are looked at are bare
_NEIGHBOUR_MM: Final = CHIP_DIAMETER_MM + 0.3


@dataclass(frozen=True, slots=True)
class Canvas:
    """A size of pictures, sides of sixteens, and up to which scale it holds the strip of a stack."""

    rows: int
    columns: int
    px_per_mm: float


SMALL: Final = Canvas(176, 128, 1.9)
LARGE: Final = Canvas(256, 224, 4.0)


@dataclass(slots=True, kw_only=True)
class Camera:
    """Cameras that look at feet of stacks, as ``models.chip_geometry.FootCamera``, a batch of them: all (n,)."""

    foot: Tensor
    px_per_mm: Tensor
    sine: Tensor
    cosine: Tensor
    roll: Tensor
    distance: Tensor

    def to_pixels(self, points: Tensor) -> Tensor:
        """Map points (n, …, 3) to pixels (n, …, 2)."""
        to = points.dim() - 2
        scale, sine, cosine, distance = (
            _spread(value, to) for value in (self.px_per_mm, self.sine, self.cosine, self.distance)
        )
        x, away, z = points.unbind(dim=-1)
        scale = scale * distance / (distance + away * cosine - z * sine)
        x, y = x * scale, -(z * cosine + away * sine) * scale
        cos, sin = _spread(self.roll.cos(), to), _spread(self.roll.sin(), to)
        foot = self.foot.view(-1, *[1] * to, 2)
        return torch.stack([cos * x - sin * y, sin * x + cos * y], dim=-1) + foot

    def to_felt(self, pixels: Tensor) -> Tensor:
        """Map pixels (n, 2) to points of the felt (n, 2)."""
        off = pixels - self.foot
        cos, sin = self.roll.cos(), self.roll.sin()
        across = (cos * off[:, 0] + sin * off[:, 1]) / self.px_per_mm
        down = (-sin * off[:, 0] + cos * off[:, 1]) / self.px_per_mm
        away = -down * self.distance / (self.sine * self.distance + down * self.cosine)
        return torch.stack([across * (1 + away * self.cosine / self.distance), away], dim=1)


def _spread(values: Tensor, to: int) -> Tensor:
    return values.view(-1, *[1] * to)


@dataclass(slots=True, kw_only=True)
class Tables:
    """A batch of tables, seen in pictures of one size.

    ``colours`` (n, STACKS, HIGHEST_STACK) from 0 and ``counts`` (n, STACKS) say what lies there, 0 chips for no
    stack; ``box_counts`` (n,) how many the first stack would have where it is missing, for a box on bare felt;
    ``places`` (n, STACKS, HIGHEST_STACK, 2), ``turns`` (n, STACKS, HIGHEST_STACK) in degrees; ``designs`` and ``tints``
    (n, KINDS, …) of the chips; ``scene`` (n, …), the rest, as the kernel has it.
    """

    canvas: Canvas
    camera: Camera
    colours: Tensor
    counts: Tensor
    box_counts: Tensor
    places: Tensor
    turns: Tensor
    designs: Tensor
    tints: Tensor
    scene: Tensor


class Lot:
    """Numbers by lot on a device, n of them at a time."""

    def __init__(self, number: int, generator: torch.Generator) -> None:
        self.number, self.generator, self.device = number, generator, generator.device

    def uniform(self, low: float = 0.0, high: float = 1.0, *shape: int) -> Tensor:
        """Return (n, …) between two bounds."""
        drawn = torch.rand(self.number, *shape, generator=self.generator, device=self.device)
        return low + (high - low) * drawn

    def normal(self, sigma: float = 1.0, *shape: int) -> Tensor:
        """Return (n, …) around zero."""
        return sigma * torch.randn(self.number, *shape, generator=self.generator, device=self.device)

    def happens(self, share: float, *shape: int) -> Tensor:
        """Return (n, …) that are true so often."""
        return self.uniform(0.0, 1.0, *shape) < share

    def one_of(self, number: int, *shape: int) -> Tensor:
        """Return (n, …) of 0 … number - 1."""
        return torch.randint(number, (self.number, *shape), generator=self.generator, device=self.device)

    def triangular(self, low: float, mode: float, high: float) -> Tensor:
        """Return (n,) of a triangular distribution."""
        share, cut = self.uniform(), (mode - low) / (high - low)
        rising = low + (share * (high - low) * (mode - low)).sqrt()
        falling = high - ((1 - share) * (high - low) * (high - mode)).sqrt()
        return torch.where(share < cut, rising, falling)


def random_tables(lot: Lot, canvas: Canvas, wagers: tuple[Tensor, Tensor, Tensor], designs: int) -> Tables:
    """Return tables with these felts, colours and counts (``Wagers``), and chips of so many designs."""
    felts, colours, counts = wagers
    camera = _camera(lot, canvas)
    places, there = _places(lot)
    counts = torch.where(there, counts, 0)
    box_counts = counts[:, 0]
    counts = torch.cat([torch.where(lot.happens(_NOTHING), 0, counts[:, 0])[:, None], counts[:, 1:]], dim=1)
    aside = _aside(lot, counts)
    shared = lot.one_of(designs)[:, None].expand(-1, len(KINDS))
    own = lot.one_of(designs, len(KINDS))
    tables = Tables(
        canvas=canvas,
        camera=camera,
        colours=colours,
        counts=counts,
        box_counts=box_counts,
        places=places[:, :, None] + aside,
        turns=_turns(lot),
        designs=torch.where(lot.happens(0.5)[:, None], own, shared),
        tints=_tints(lot),
        scene=torch.empty(0),
    )
    tables.scene = _scene(lot, tables, felts)
    return tables


def _camera(lot: Lot, canvas: Canvas) -> Camera:
    usual = lot.triangular(28, 50, 74)
    rare = torch.where(lot.happens(0.5), lot.uniform(15, 30), lot.uniform(70, 82))
    elevation = torch.deg2rad(torch.where(lot.happens(0.9), usual, rare))
    sine, cosine = elevation.sin(), elevation.cos()
    edge_px = torch.exp(lot.uniform(math.log(_EDGE_PX[0]), math.log(_EDGE_PX[1])))
    edge_px = torch.where(lot.happens(0.55), lot.uniform(*_USUAL_EDGE_PX), edge_px)
    scale = (edge_px / (CHIP_HEIGHT_MM * cosine)).clamp(_LEAST_PX_PER_MM, canvas.px_per_mm)
    below = CHIPS_BELOW * CHIP_HEIGHT_MM * scale * cosine + CHIP_RADIUS_MM * scale * sine
    foot = torch.stack([canvas.columns / 2 + lot.uniform(-1, 1), canvas.rows - 8 - below + lot.uniform(-1, 1)], dim=1)
    roll = torch.where(lot.happens(0.6), lot.normal(0.16), lot.normal(0.03)).clamp(-0.45, 0.45)
    return Camera(foot=foot, px_per_mm=scale, sine=sine, cosine=cosine, roll=roll, distance=lot.uniform(900, 3500))


def _places(lot: Lot) -> tuple[Tensor, Tensor]:
    """Where the stacks stand (n, STACKS, 2), the first in the middle, and which there are (n, STACKS)."""
    wanted = torch.multinomial(
        torch.tensor([0.3, 0.4, 0.2, 0.1], device=lot.device), lot.number, replacement=True, generator=lot.generator
    )
    around = lot.uniform(0, 2 * math.pi, NEIGHBOURS)
    near = torch.where(lot.happens(0.6, NEIGHBOURS), lot.uniform(39.4, 50, NEIGHBOURS), lot.uniform(50, 80, NEIGHBOURS))
    places = torch.cat([torch.zeros_like(near[:, :1, None]).expand(-1, -1, 2),
                        torch.stack([around.cos() * near, around.sin() * near], dim=2)], dim=1)  # fmt: skip
    there = torch.arange(STACKS, device=lot.device)[None] <= wanted[:, None]
    for k in range(2, STACKS):
        apart = (places[:, k, None] - places[:, :k]).norm(dim=2)
        there[:, k] &= ((apart > _NEIGHBOUR_MM) | ~there[:, :k]).all(dim=1)
    return places, there


def _aside(lot: Lot, counts: Tensor) -> Tensor:
    """How far aside (n, STACKS, HIGHEST_STACK, 2) of the lowest the chips of stacks of so many (n, STACKS) lie."""
    shape = (STACKS, HIGHEST_STACK, 2)
    sigmas = torch.tensor(_SIGMAS, device=lot.device)[lot.one_of(len(_SIGMAS), STACKS)] * lot.uniform(0.6, 1.4, STACKS)
    steps = lot.normal(1.0, *shape) * sigmas[..., None, None]
    walks = (steps * 0.5).cumsum(dim=2)
    steps = torch.where(lot.happens(0.4, STACKS)[..., None, None], walks, steps)
    levels = torch.arange(HIGHEST_STACK, device=lot.device)
    lean = torch.where(
        lot.happens(0.5, STACKS)[..., None], lot.normal(0.12, STACKS, 2), torch.zeros(2, device=lot.device)
    )
    steps = steps + lean[:, :, None] * levels[:, None]
    first = 1 + (lot.uniform(0, 1, STACKS) * (counts - 1)).long().clamp(min=0)
    again = (levels[None, None] >= first[..., None]) & lot.happens(_SLID, STACKS)[..., None]
    steps = steps + torch.where(again[..., None], lot.normal(2.0, STACKS, 1, 2), torch.zeros_like(steps))
    return steps - steps[:, :, :1]


def _turns(lot: Lot) -> Tensor:
    """By how many degrees (n, STACKS, HIGHEST_STACK) the chips are turned."""
    turns = lot.uniform(0.0, 360.0, STACKS, HIGHEST_STACK)
    off = lot.normal(1.0, STACKS, HIGHEST_STACK) * lot.uniform(0.0, 12.0, STACKS)[..., None]
    return torch.where(lot.happens(_ALIGNED, STACKS)[..., None], turns[..., :1] + off, turns) % 360


def _tints(lot: Lot) -> Tensor:
    """The tints (n, KINDS, TINTS, 3) of every chip, B, G, R in 0..255."""
    kinds = torch.arange(len(KINDS), device=lot.device).expand(lot.number, -1)
    tints = torch.zeros(lot.number, len(KINDS), TINTS, 3, device=lot.device)
    base = tints[:, :, BASE] = tint_of(lot, kinds)
    for number in (SPOT, OTHER_SPOT):
        tints[:, :, number] = _standing_out(lot, kinds, base)
    share = lot.uniform(0, 1, len(KINDS))[..., None]
    tints[:, :, PALE] = torch.tensor([230.0, 240.0, 245.0], device=lot.device) * share + base * (1 - share)
    tints[:, :, DARK] = 0.8 * base
    tints[:, :, INK] = torch.where(base.mean(dim=2, keepdim=True) > 110, 20.0, 235.0)
    for number in DOTS:
        tints[:, :, number] = lot.uniform(0, 255, len(KINDS), 3)
    return tints


def _standing_out(lot: Lot, kinds: Tensor, base: Tensor) -> Tensor:
    """Colours of spots that differ from their chips' colour."""
    spot = 255 - base
    done = torch.zeros_like(kinds, dtype=torch.bool)
    white = KINDS.index("white")
    for _ in range(6):
        named = torch.where(lot.happens(0.45, len(KINDS)) & (kinds != white), white, lot.one_of(len(KINDS), len(KINDS)))
        tried = tint_of(lot, named)
        good = ~done & (named != kinds) & ((tried - base).abs().amax(dim=2) > 60)
        spot, done = torch.where(good[..., None], tried, spot), done | good
    return spot


def tint_of(lot: Lot, kinds: Tensor) -> Tensor:
    """Return one of the tones (n, k, 3; B, G, R in 0..255) that casinos use for colours (n, k)."""
    ranges = _hues().to(lot.device)  # (KINDS, 3, 3, 2)
    chosen = ranges[kinds, lot.one_of(ranges.shape[1], kinds.shape[1])]
    hue, saturation, value = (
        chosen[..., 0] + (chosen[..., 1] - chosen[..., 0]) * lot.uniform(0, 1, kinds.shape[1], 3)
    ).unbind(dim=2)
    sector = torch.stack([torch.full_like(hue, offset) for offset in (1.0, 3.0, 5.0)], dim=2) + hue[..., None] / 60
    share = torch.minimum(sector % 6, 4 - sector % 6).clamp(0, 1)  # of blue, green, red
    return 255 * value[..., None] * (1 - saturation[..., None] * share)


def _hues() -> Tensor:
    """Ranges (KINDS, 3, 3, 2) of hue in degrees, saturation and value."""
    return torch.tensor([[HUES[kind][k % len(HUES[kind])] for k in range(6)] for kind in KINDS], dtype=torch.float32)


def _scene(lot: Lot, tables: Tables, felts: Tensor) -> Tensor:
    """All that the kernel is told of a table besides its stacks; in the order of its ``Scene``."""
    camera = tables.camera
    zero = torch.zeros(lot.number, 1, device=lot.device)
    parts: list[Tensor] = [
        camera.foot, camera.px_per_mm, camera.sine, camera.cosine, camera.distance,
        camera.roll.cos(), camera.roll.sin(),
        *_room(lot), *_rims(lot), *_felt(lot, felts), *_cover(lot, camera, tables.box_counts), *_bounds(tables),
        torch.where(lot.happens(0.4)[:, None], lot.normal(0.2, 2).clamp(-0.5, 0.5), zero),
    ]  # fmt: skip
    return (
        torch.cat([part.flatten(1) if part.dim() > 1 else part[:, None] for part in parts], dim=1).float().contiguous()
    )


def _room(lot: Lot) -> list[Tensor]:
    count, seams = 1 + lot.one_of(LAMPS), lot.happens(0.8)
    high, around = torch.deg2rad(lot.uniform(35, 88, LAMPS)), lot.uniform(0, 2 * math.pi, LAMPS)
    lamps = torch.stack([high.cos() * around.cos(), high.cos() * around.sin(), high.sin()], dim=2)
    there = torch.arange(LAMPS, device=lot.device)[None] < count[:, None]
    powers = -lot.uniform(1e-6, 1, LAMPS).log() * there
    powers = powers / powers.sum(dim=1, keepdim=True).clamp(min=1e-6) * lot.uniform(0.25, 0.9)[:, None]
    gamma = torch.tensor([1.0, 0.7, 0.5], device=lot.device)[lot.one_of(3)]
    gamma = torch.where(lot.happens(_FLAT), lot.uniform(0.0, 0.4), gamma)
    none = torch.zeros(lot.number, device=lot.device)
    return [
        lamps, powers, lot.uniform(0.0, 0.5) * lot.happens(0.8),
        lot.uniform(0.2, 0.7),  # sky
        lot.uniform(0.0, 0.35),  # bounce
        torch.where(seams, lot.uniform(0.0, 0.32), none),  # bevel
        torch.where(lot.happens(_CUT), lot.uniform(0.1, 0.9), none),  # chamfer
        torch.where(seams, lot.uniform(0.0, 0.85), lot.uniform(0.0, 0.1)),  # groove
        torch.where(lot.happens(0.4), lot.uniform(0.14, 0.35), lot.uniform(0.05, 0.16)),  # as wide
        torch.where(lot.happens(0.25), lot.uniform(0.5, 0.9), lot.uniform(0.0, 0.6)),  # foot
        torch.where(lot.happens(0.5), lot.uniform(0.0, 0.3), none),  # gloss
        gamma,
        torch.where(lot.happens(0.2), lot.uniform(0.6, 0.92), lot.uniform(0.1, 0.7)), lot.uniform(1.0, 10.0),  # near
    ]  # fmt: skip


def _rims(lot: Lot) -> list[Tensor]:
    """How the rims of chips look: lines that shine, rings in a tone of their own, and what sets joints and spots apart.

    A ring that is darker than face and side looks like one joint more, where the uppermost chip has it, too.
    """
    none = torch.zeros(lot.number, device=lot.device)
    tone = torch.where(lot.happens(_DARK_RINGS), lot.uniform(-0.6, -0.1), lot.uniform(0.05, 0.4))
    return [
        torch.where(lot.happens(_GLINTS), lot.uniform(0.02, 0.3), none),
        lot.uniform(0.1, 0.6),  # as wide, in millimetres
        lot.happens(0.2).float(),  # along the lower rims, too
        lot.happens(0.5).float(),  # without spots
        torch.where(lot.happens(_SLIPPED), lot.uniform(0.0, 360.0), none),
        torch.where(lot.happens(_UNEVEN), lot.uniform(0.3, 1.0), none),
        torch.where(lot.happens(_RINGS), tone, none),
        lot.uniform(0.15, 0.9), lot.uniform(0.2, 1.8),  # as wide on sides, on faces, in millimetres
        lot.happens(0.4).float(),  # along the lower rims, too
    ]  # fmt: skip


def _felt(lot: Lot, felts: Tensor) -> list[Tensor]:
    base = tint_of(lot, felts[:, None])[:, 0] * lot.uniform(0.6, 1.3)[:, None] + lot.uniform(-8, 8, 3)
    base = torch.where(lot.happens(0.06)[:, None], lot.uniform(10, 235, 3), base).clamp(4, 250)
    inks = torch.tensor(
        [[230, 230, 230], [60, 200, 230], [20, 20, 20], [40, 200, 240], [200, 230, 200], [200, 120, 40], [40, 40, 200]],
        dtype=torch.float32, device=lot.device,
    )  # fmt: skip
    kind = torch.tensor([0.0, 1.0, 1.0, 2.0, 3.0], device=lot.device)[lot.one_of(5)]
    reach = CHIP_DIAMETER_MM * lot.uniform(0.4, 1.6)
    centre = lot.normal(0.3 * CHIP_DIAMETER_MM, 2)
    away = lot.uniform(0, 2 * math.pi)
    beside = lot.uniform(50, 85)
    turn = lot.uniform(0, 2 * math.pi)
    return [
        base, kind, centre, reach * lot.uniform(0.7, 1.2), reach * lot.uniform(0.4, 1.2), lot.uniform(1.0, 5.0),
        inks[lot.one_of(len(inks))], lot.happens(0.2).float(), away.cos() * beside, away.sin() * beside,
        turn.cos(), turn.sin(), lot.uniform(200, 250)[:, None] + lot.uniform(-8, 8, 3),
    ]  # fmt: skip


def _cover(lot: Lot, camera: Camera, counts: Tensor) -> list[Tensor]:
    """Fingers or a sleeve before a part, and the shadow of an arm."""
    disc = CHIP_DIAMETER_MM * camera.px_per_mm
    skins = torch.tensor(
        [[130, 160, 215], [90, 120, 180], [60, 80, 120], [30, 25, 25], [235, 235, 235], [60, 40, 30]],
        dtype=torch.float32, device=lot.device,
    )  # fmt: skip
    high = counts * CHIP_HEIGHT_MM * camera.cosine * camera.px_per_mm
    middle = camera.foot - torch.stack([torch.zeros_like(high), high / 2], dim=1)
    reach = 0.9 * disc + high / 2
    start = (
        middle[:, None]
        + lot.uniform(-1.0, 1.0, 1, 2) * reach[:, None, None]
        + lot.uniform(-0.4, 0.4, CAPSULES, 2) * disc[:, None, None]
    )
    around = lot.uniform(0, 2 * math.pi)
    far = torch.stack([around.cos(), around.sin()], dim=1)[:, None] * 4 * disc[:, None, None]
    capsules = torch.cat([start, start + far, (lot.uniform(0.1, 0.3, CAPSULES) * disc[:, None])[..., None]], dim=2)
    there = torch.where(lot.happens(0.14), 1 + lot.one_of(CAPSULES), 0).float()
    falls = lot.uniform(0, 2 * math.pi)
    normal = torch.stack([falls.cos(), falls.sin()], dim=1)
    at = ((middle + lot.uniform(-1.0, 1.0, 2) * reach[:, None]) * normal).sum(dim=1)
    dark = torch.where(lot.happens(0.3), lot.uniform(0.1, 0.7), torch.zeros_like(at))
    wide = torch.exp(lot.uniform(math.log(0.6), math.log(15.0)))
    return [
        capsules, there, skins[lot.one_of(len(skins))] + lot.uniform(-12, 12, 3), dark, normal, at, wide
    ]  # fmt: skip


def _bounds(tables: Tables) -> list[Tensor]:
    """What the kernel asks first of a stack: how wide a circle holds all of its chips, and where that is."""
    there = torch.arange(HIGHEST_STACK, device=tables.counts.device) < tables.counts[..., None]
    weight = there[..., None] / tables.counts.clamp(min=1)[..., None, None]
    middle = (tables.places * weight).sum(dim=2)
    off = ((tables.places - middle[:, :, None]).norm(dim=3) * there).amax(dim=2)
    return [torch.zeros_like(off), off + CHIP_RADIUS_MM + 0.05, middle]
