"""Pictures of wagers and payments as a table camera shows them, met by rays (``models.train.cast_chips``)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.cheque_size import CHIP_DIAMETER_MM, CHIP_HEIGHT_MM, CHIP_RADIUS_MM
from models.chip_geometry import Floats
from models.train.cast_chips import CastStack, Rays, Reals, Room, cast_stack, outline_of, shadow
from models.train.chip_scenes import ChipScene, DrawnView, SeenStack, as_taken
from models.train.chip_styles import OWN_STYLES, ChipStyle, random_set
from models.train.chip_tables import ChipTable, lay_card, print_places

_FINER: Final = 3
_LARGE_PX_PER_MM: Final = 3.0  # from there on two points a pixel do,
_COARSE: Final = 0.7  # and for so many of the smaller ones
_SIGMA: Final = (0.15, 0.3, 0.6, 0.9, 1.4)
_WALKS: Final = 0.4


def recordings(rng: np.random.Generator, *, families: tuple[str, ...], times: int) -> Iterator[ChipScene]:
    """Yield a scene so many times: the same stacks from the same place, in another light and recorded anew.

    It has one to four stacks of chips of the given edge-spot families, seen by a table's camera.
    """
    table, room = ChipTable.random(rng), Room.random(rng)
    chips = random_set(rng, families=families, own=OWN_STYLES)
    wagers = [(place, table.wager(rng)) for place in _places(rng)]
    stacks = [_stack(place, colours, chips, rng) for place, colours in wagers]
    camera, size = _view(rng, stacks)
    bare = table.felt_picture(size, rng)
    if rng.random() < 0.75:
        print_places(bare, camera, rng)
    frame = bare.copy()
    if rng.random() < 0.2:
        lay_card(frame, camera, rng)
    painted, owner = _painted(frame, camera, stacks, room, rng)
    seen = [
        _seen(stack, wager[1], camera, owner, ident + 1)
        for ident, (stack, wager) in enumerate(zip(stacks, wagers, strict=True))
    ]
    for _ in range(times):
        light = int(rng.integers(2**31))
        taken = [as_taken(one, np.random.default_rng(light), rng) for one in (painted, bare)]
        yield ChipScene(frame_bgr=taken[0], bare_bgr=taken[1], stacks=tuple(seen), squeezed=False)


def offsets_mm(count: int, rng: np.random.Generator) -> Floats:
    """Return how far aside (n, 2) of the lowest the chips of a stack lie: tidy, careless, leaning, put in two goes."""
    sigma = float(rng.choice(_SIGMA)) * rng.uniform(0.6, 1.4)
    steps = rng.normal(0, sigma, (count, 2))
    if rng.random() < _WALKS:  # each beside the one below, and no chip beyond the next one's rest
        steps = np.cumsum(steps * min(1.0, 2.2 / np.sqrt(count)), axis=0)
    lean = rng.normal(0, 0.12, 2) if rng.random() < 0.5 else np.zeros(2)
    steps = steps + lean * np.arange(count)[:, None]
    if count > 1 and rng.random() < 0.15:
        steps[int(rng.integers(1, count)) :] += rng.normal(0, 2.0, 2)
    return np.asarray(steps - steps[0])


def _places(rng: np.random.Generator) -> list[tuple[float, float]]:
    """Right and away (mm) of the stacks; the first stands in the middle, some nearly touch; nearest last."""
    places = [(0.0, 0.0)]
    for _ in range(int(rng.choice(4, p=[0.3, 0.4, 0.2, 0.1]))):
        around, reach = rng.uniform(0, 2 * np.pi), rng.uniform(39.5, 50) if rng.random() < 0.6 else rng.uniform(50, 80)
        place = (float(reach * np.cos(around)), float(reach * np.sin(around)))
        if all(np.hypot(place[0] - x, place[1] - y) > CHIP_DIAMETER_MM + 0.4 for x, y in places):
            places.append(place)
    return sorted(places, key=lambda place: -place[1])


def _stack(
    place: tuple[float, float], colours: tuple[str, ...], chips: dict[str, ChipStyle], rng: np.random.Generator
) -> CastStack:
    return CastStack(
        paints=[chips[colour].paint(colour) for colour in colours],
        places_mm=np.array(place) + offsets_mm(len(colours), rng),
        turns=rng.uniform(0, 360, len(colours)),
    )


def _view(rng: np.random.Generator, stacks: list[CastStack]) -> tuple[DrawnView, tuple[int, int]]:
    """A camera above a table and the size (rows, columns) of a picture that holds the stacks and room around them."""
    elevation = np.radians(rng.triangular(28, 50, 74))
    edge_px = float(np.exp(rng.uniform(np.log(1.6), np.log(5.5))))
    scale = float(np.clip(edge_px / (CHIP_HEIGHT_MM * np.cos(elevation)), 0.7, 4.0))
    camera = DrawnView(
        foot_px=np.zeros(2), px_per_mm=scale, sine=float(np.sin(elevation)), cosine=float(np.cos(elevation)),
        distance_mm=float(rng.uniform(900, 3500)),
    )  # fmt: skip
    outlines = np.concatenate([outline_of(camera, stack) for stack in stacks])
    room = CHIP_DIAMETER_MM * scale * np.array([0.4, 0.35])
    low, high = outlines.min(axis=0) - room, outlines.max(axis=0) + room
    size = int(np.ceil(high[1] - low[1])), int(np.ceil(high[0] - low[0]))
    return replace(camera, foot_px=-low), size


def _painted(
    frame: NDArray[np.uint8], camera: DrawnView, stacks: list[CastStack], room: Room, rng: np.random.Generator
) -> tuple[NDArray[np.uint8], NDArray[np.int16]]:
    """The picture with its stacks, and whose each pixel is (0: nobody's)."""
    finer = 2 if camera.px_per_mm >= _LARGE_PX_PER_MM or rng.random() < _COARSE else _FINER
    size = frame.shape[:2]
    rays = Rays.of(camera, (int(size[0]), int(size[1])), finer)
    fine = (size[1] * finer, size[0] * finer)
    felt = frame * shadow(Rays.of(camera, (int(size[0]), int(size[1])), 1), stacks, room, rng)[..., None]
    canvas: Reals = cv2.resize(felt, dsize=fine, interpolation=cv2.INTER_LINEAR)
    owner = np.zeros(canvas.shape[:2], np.int16)
    for ident, stack in reversed(list(enumerate(stacks, start=1))):  # the nearest first
        cast_stack(canvas, owner, rays, stack, room=room, finer=finer, ident=ident)
    small = cv2.resize(canvas.clip(0, 255), dsize=(size[1], size[0]), interpolation=cv2.INTER_AREA)
    return np.asarray(small.round(), dtype=np.uint8), owner[finer // 2 :: finer, finer // 2 :: finer]


def _seen(
    stack: CastStack, colours: tuple[str, ...], camera: DrawnView, owner: NDArray[np.int16], ident: int
) -> SeenStack:
    here = _seen_from(camera, stack.places_mm[0])
    outline = outline_of(camera, stack)
    share = float(np.count_nonzero(owner == ident)) / max(cv2.contourArea(outline.astype(np.float32)), 1.0)
    low, high = here.to_pixels(np.array([[0.0, -CHIP_RADIUS_MM, z] for z in (0.0, CHIP_HEIGHT_MM)]))
    return SeenStack(
        colours=colours, camera=here, outline=outline, visible=share,
        px_per_edge=float(np.linalg.norm(high - low)), aside_mm=stack.places_mm - stack.places_mm[0],
    )  # fmt: skip


def _seen_from(camera: DrawnView, place_mm: Floats) -> DrawnView:
    """The camera as it looks at another foot near its own."""
    foot = camera.to_pixels(np.array([[*place_mm, 0.0]]))[0]
    nearer = camera.distance_mm / (camera.distance_mm + float(place_mm[1]) * camera.cosine)
    return replace(camera, foot_px=foot, px_per_mm=camera.px_per_mm * nearer, distance_mm=camera.distance_mm / nearer)
