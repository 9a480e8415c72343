"""Small pictures of stacks on a felt, with neighbours, hands, cards and print, as a table camera would show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from models.cheque_size import CHIP_DIAMETER_MM, CHIP_HEIGHT_MM, HIGHEST_STACK
from models.chip_geometry import COLOURS, Floats, FootCamera
from models.train.chip_styles import OWN_STYLES, ChipStyle, random_set
from models.train.chip_tables import ChipTable, lay_card, print_places
from models.train.chips import Light, Points, draw_stack, paste

_FELTS: Final = ((60, 95, 35), (110, 55, 25), (40, 35, 115), (70, 70, 75), (25, 25, 28), (85, 90, 30), (90, 140, 190))
_TALLEST_SCENE: Final = 900
_AT_TABLE: Final = 0.75
_QUALITY: Final = (35, 97)
_LOW_QUALITY: Final = (12, 36)
_LOW_BIT_RATE: Final = 0.15


class StackCamera(Protocol):
    """What training asks of a camera that looks at the foot of a stack; see ``FootCamera``."""

    @property
    def sine(self) -> float:
        """Of the elevation."""

    @property
    def px_per_mm(self) -> float:
        """Scale at the foot, across the view."""

    @property
    def roll(self) -> float:
        """How far the vertical leans clockwise, in radians."""

    def to_pixels(self, points_mm: Floats) -> Floats:
        """Map points (n, 3) to pixels (n, 2)."""

    def to_felt(self, points_px: Floats) -> Floats:
        """Map pixels (n, 2) to points of the felt (n, 2)."""

    def misjudged(self, rng: np.random.Generator) -> StackCamera:
        """Return the camera with the errors of a calibration."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnView(FootCamera):
    """The camera of a drawn stack."""

    def misjudged(self, rng: np.random.Generator) -> DrawnView:
        """Return the camera with the errors of a calibration."""
        elevation = np.arcsin(self.sine) + np.radians(rng.normal(0, 0.4))
        return replace(
            self,
            sine=float(np.sin(elevation)),
            cosine=float(np.cos(elevation)),
            px_per_mm=self.px_per_mm * float(np.exp(rng.normal(0, 0.006))),
            roll=self.roll + np.radians(rng.normal(0, 0.7)),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenStack:
    """A stack of a scene: its colours bottom to top, where it stands, its outline, and how much of it shows.

    ``aside_mm``: how far right and away (n, 2) of the lowest chip each lies; None: hardly.
    """

    colours: tuple[str, ...]
    camera: StackCamera
    outline: Points
    visible: float
    px_per_edge: float
    aside_mm: Floats | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipScene:
    """A picture with its stacks, and the same place without them.

    ``squeezed``: height and width no longer have one scale; the bare picture is not squeezed.
    """

    frame_bgr: NDArray[np.uint8]
    bare_bgr: NDArray[np.uint8]
    stacks: tuple[SeenStack, ...]
    squeezed: bool


def random_scene(
    rng: np.random.Generator, *, families: tuple[str, ...], squeeze: bool = False, at_table: float = _AT_TABLE
) -> ChipScene:
    """Return a scene of one to four stacks of chips of the given edge-spot families.

    The share ``at_table`` of the scenes is as tables are; the others may be anything.
    """
    camera, size = _random_view(rng)
    table = ChipTable.random(rng) if rng.random() < at_table else None
    lamps = None if table is None else Light.above_table(rng)
    bare = felt_picture(size, rng) if table is None else table.felt_picture(size, rng)
    if table is not None and rng.random() < 0.75:
        print_places(bare, camera, rng)
    frame = bare.copy()
    if table is not None and rng.random() < 0.2:
        lay_card(frame, camera, rng)
    owner = np.zeros(size, np.int16)
    own = OWN_STYLES if table is not None else 0.0
    sets = [random_set(rng, families=families, own=own) for _ in range(2 if table is None else 1)]
    stacks: list[SeenStack] = []
    for place in sorted(_places(rng), key=lambda place: -place[1]):
        colours = random_colours(rng) if table is None else table.wager(rng)
        chips = sets[0] if rng.random() < 0.8 else sets[-1]
        stack = (colours, [chips[colour] for colour in colours], lamps)
        stacks.append(_put_stack(frame, owner, camera, place, rng, stack=stack, ident=len(stacks) + 1))
    _cover(frame, owner, camera, rng)
    stacks = [replace(stack, visible=_visible(owner, ident + 1, stack)) for ident, stack in enumerate(stacks)]
    (frame, bare), stacks = _turned((frame, bare), stacks, rng)
    if squeeze:
        frame, stacks = _squeezed(frame, stacks, rng)
    light = int(rng.integers(2**31))
    frame, bare = (_recorded(_lit(seen, np.random.default_rng(light)), rng) for seen in (frame, bare))
    return ChipScene(frame_bgr=frame, bare_bgr=bare, stacks=tuple(stacks), squeezed=squeeze)


def random_colours(rng: np.random.Generator) -> tuple[str, ...]:
    """Return the colours of a likely wager or payment, bottom to top: mostly one colour, or high under low."""
    count = int(rng.integers(1, 9)) if rng.random() < 0.55 else int(rng.integers(1, HIGHEST_STACK + 1))
    names = [*COLOURS, "other"] if rng.random() < 0.12 else list(COLOURS)
    kind = rng.random()
    if kind < 0.5:
        return (str(rng.choice(names)),) * count
    few = [str(name) for name in rng.choice(names, int(rng.integers(2, 5)), replace=False)]
    if kind < 0.84:
        return tuple(sorted((str(name) for name in rng.choice(few, count)), key=names.index, reverse=True))
    if kind < 0.92:
        return tuple(few[index % len(few)] for index in range(count))
    return tuple(str(name) for name in rng.choice(names, count))


def as_filmed(frame_bgr: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Return the picture after lamps, lens, sensor and compression."""
    return _recorded(_lit(frame_bgr, rng), rng)


def as_taken(frame_bgr: NDArray[np.uint8], light: np.random.Generator, rng: np.random.Generator) -> NDArray[np.uint8]:
    """The same for a picture that has its lamps already: ``light`` is of the place, ``rng`` of this one recording."""
    return _recorded(_developed(frame_bgr, light), rng)


def _lit(frame_bgr: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    frame: NDArray[Any] = frame_bgr
    if rng.random() < 0.35:
        frame = _uneven(frame, rng)
    return _developed(frame, rng)


def _developed(frame: NDArray[Any], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Exposure and sharpness."""
    frame = _toned(frame, rng)
    blur = abs(rng.normal(0, 0.7)) if rng.random() < 0.9 else rng.uniform(0.8, 1.8)
    if blur > 0.25:
        frame = cv2.GaussianBlur(frame, ksize=(0, 0), sigmaX=blur, sigmaY=blur * rng.uniform(0.7, 1.3))
    if rng.random() < 0.35:
        soft = cv2.GaussianBlur(frame, ksize=(0, 0), sigmaX=rng.uniform(0.8, 2.5))
        gain = rng.uniform(0.2, 1.5)
        frame = cv2.addWeighted(frame, 1 + gain, soft, -gain, 0)
    return np.asarray(frame, dtype=np.uint8)


def _recorded(frame_bgr: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    frame = _noisy(frame_bgr, rng)
    if rng.random() < 0.5:
        frame = _thin_chroma(frame)
    if rng.random() < 0.7:
        bounds = _LOW_QUALITY if rng.random() < _LOW_BIT_RATE else _QUALITY
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(*bounds))]
        frame = np.asarray(cv2.imdecode(cv2.imencode(".jpg", frame, params=quality)[1], flags=cv2.IMREAD_COLOR))
    return np.asarray(frame, dtype=np.uint8)


def _random_view(rng: np.random.Generator) -> tuple[DrawnView, tuple[int, int]]:
    """A camera and the size (rows, columns) of a picture that holds a stack of twenty at its foot."""
    usual = rng.random() < 0.92
    elevation = np.radians(
        rng.triangular(24, 42, 72) if usual else rng.choice([rng.uniform(12, 25), rng.uniform(70, 84)])
    )
    edge_px = np.exp(rng.uniform(np.log(1.3), np.log(8.0)))
    scale = float(np.clip(edge_px / (CHIP_HEIGHT_MM * np.cos(elevation)), 0.5, 4.5))
    sine, cosine = float(np.sin(elevation)), float(np.cos(elevation))
    high = HIGHEST_STACK * CHIP_HEIGHT_MM * cosine * scale
    disc = CHIP_DIAMETER_MM * scale
    above, below, aside = high + disc * (sine + 0.4), disc * (0.5 * sine + 0.45), disc * 1.55
    rows, columns = int(min(above + below, _TALLEST_SCENE)), int(2 * aside)
    foot = np.array([columns / 2, rows - below])
    camera = DrawnView(
        foot_px=foot, px_per_mm=scale, sine=sine, cosine=cosine, distance_mm=float(rng.uniform(700, 3500))
    )
    return camera, (rows, columns)


def _places(rng: np.random.Generator) -> list[tuple[float, float]]:
    """Right and away (mm) of the stacks; the first stands in the middle, none touches another."""
    places = [(0.0, 0.0)]
    for _ in range(int(rng.choice(4, p=[0.35, 0.35, 0.2, 0.1]))):
        around = rng.uniform(0, 2 * np.pi)
        reach = rng.uniform(40, 46) if rng.random() < 0.55 else rng.uniform(46, 80)
        place = (reach * np.cos(around), reach * np.sin(around))
        if all(np.hypot(place[0] - x, place[1] - y) > CHIP_DIAMETER_MM + 0.5 for x, y in places):
            places.append(place)
    return places


def _put_stack(
    frame: NDArray[np.uint8],
    owner: NDArray[np.int16],
    camera: DrawnView,
    place: tuple[float, float],
    rng: np.random.Generator,
    *,
    stack: tuple[tuple[str, ...], list[ChipStyle], Light | None],
    ident: int,
) -> SeenStack:
    foot = camera.to_pixels(np.array([[*place, 0.0]]))[0]
    nearer = camera.distance_mm / (camera.distance_mm + place[1] * camera.cosine)
    here = replace(camera, foot_px=foot, px_per_mm=camera.px_per_mm * nearer, distance_mm=camera.distance_mm / nearer)
    colours, styles, lamps = stack
    sprite = draw_stack(
        colours,
        styles,
        elevation_deg=float(np.degrees(np.arcsin(here.sine))),
        px_per_mm=here.px_per_mm,
        rng=rng,
        distance_mm=here.distance_mm,
        light=lamps,
    )
    shift = paste(frame, sprite, (float(foot[0]), float(foot[1])))
    solid = replace(sprite, bgra=np.dstack([np.full((*sprite.shade.shape, 3), 255, np.uint8), sprite.bgra[..., 3]]))
    drawn = np.zeros((*owner.shape, 3), np.uint8)
    paste(drawn, solid, (float(foot[0]), float(foot[1])))
    owner[drawn[..., 0] > 127] = ident
    return SeenStack(
        colours=colours,
        camera=replace(here, foot_px=sprite.base_xy + shift),
        outline=sprite.outline + shift,
        visible=1.0,
        px_per_edge=sprite.px_per_edge,
    )


def _visible(owner: NDArray[np.int16], ident: int, stack: SeenStack) -> float:
    """The share of a stack's outline that shows and lies in the picture."""
    area = cv2.contourArea(stack.outline.astype(np.float32))
    return float(np.count_nonzero(owner == ident)) / max(area, 1.0)


def felt_picture(size: tuple[int, int], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Return a felt (rows, columns) of any colour, often with print and cards."""
    base = np.array(_FELTS[int(rng.integers(len(_FELTS)))]) * rng.uniform(0.5, 1.7) + rng.uniform(-15, 15, 3)
    if rng.random() < 0.15:
        base = rng.uniform(10, 235, 3)
    grain = rng.normal(0, rng.uniform(1, 9), (size[0] // 2 + 1, size[1] // 2 + 1)).astype(np.float32)
    grain = cv2.resize(grain, dsize=(size[1], size[0]), interpolation=cv2.INTER_LINEAR)
    felt: NDArray[np.uint8] = (base[None, None] + grain[..., None]).clip(0, 255).astype(np.uint8)
    for _ in range(int(rng.integers(0, 7))):
        _print_mark(felt, rng)
    return felt


def _print_mark(felt: NDArray[np.uint8], rng: np.random.Generator) -> None:
    """A line, ring, word or card on the felt."""
    height, width = felt.shape[:2]
    ink = [
        float(v)
        for v in rng.choice(np.array([[230, 230, 230], [60, 200, 230], [20, 20, 20], [200, 120, 40], [40, 40, 200]]))
    ]
    at = (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
    thick = max(1, int(rng.uniform(0.005, 0.03) * width))
    match int(rng.integers(4)):
        case 0:
            to = (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
            cv2.line(felt, at, to, ink, thickness=thick, lineType=cv2.LINE_AA)
        case 1:
            axes = (int(width * rng.uniform(0.1, 0.5)), int(width * rng.uniform(0.06, 0.5)))
            cv2.ellipse(felt, (at, (2 * axes[0], 2 * axes[1]), 0.0), ink, thickness=thick if rng.random() < 0.7 else -1)
        case 2:
            word = str(rng.choice(["PAYS 3 TO 2", "INSURANCE", "BLACKJACK", "21", "2 TO 1"]))
            scale = width / 260 * rng.uniform(0.4, 1.6)
            cv2.putText(
                felt, word, org=at, fontFace=cv2.FONT_HERSHEY_DUPLEX, fontScale=scale, color=ink, thickness=thick
            )
        case _:
            box = (at, (width * 0.5, width * 0.36), float(rng.uniform(0, 180)))
            cv2.fillPoly(felt, pts=[cv2.boxPoints(box).astype(np.int32)], color=(235.0, 238.0, 240.0))


def _cover(frame: NDArray[np.uint8], owner: NDArray[np.int16], camera: DrawnView, rng: np.random.Generator) -> None:
    """Sometimes fingers, a card or a sleeve in front of a part."""
    if rng.random() > 0.14:
        return
    disc = CHIP_DIAMETER_MM * camera.px_per_mm
    at = camera.foot_px + rng.uniform(-0.9, 0.9, 2) * disc
    skin = np.array(rng.choice([[130, 160, 215], [90, 120, 180], [60, 80, 120], [30, 25, 25], [235, 235, 235]]))
    around = rng.uniform(0, 2 * np.pi)
    for _ in range(int(rng.integers(1, 4))):
        end = at + np.array([np.cos(around), np.sin(around)]) * disc * 3
        colour = [float(v) for v in skin + rng.uniform(-12, 12, 3)]
        thick = max(2, int(disc * rng.uniform(0.2, 0.45)))
        for layer, value in ((frame, colour), (owner, 99)):
            cv2.line(layer, at.astype(int).tolist(), end.astype(int).tolist(), value, thickness=thick)
        at = at + rng.uniform(-0.4, 0.4, 2) * disc


def _moved(stacks: Sequence[SeenStack], matrix: NDArray[np.float64], *, roll: float) -> list[SeenStack]:
    moved = []
    for stack in stacks:
        camera = cast("DrawnView", stack.camera)
        foot = camera.foot_px @ matrix[:, :2].T + matrix[:, 2]
        outline = stack.outline @ matrix[:, :2].T + matrix[:, 2]
        moved.append(replace(stack, outline=outline, camera=replace(camera, foot_px=foot, roll=camera.roll + roll)))
    return moved


def _turned(
    pictures: tuple[NDArray[np.uint8], NDArray[np.uint8]], stacks: list[SeenStack], rng: np.random.Generator
) -> tuple[tuple[NDArray[np.uint8], ...], list[SeenStack]]:
    if rng.random() > 0.4:
        return pictures, stacks
    roll = rng.normal(0, 0.16)
    height, width = pictures[0].shape[:2]
    matrix = cv2.getRotationMatrix2D(center=(width / 2, height / 2), angle=-float(np.degrees(roll)), scale=1.0)
    turned = tuple(
        np.asarray(cv2.warpAffine(one, matrix, dsize=(width, height), borderMode=cv2.BORDER_REPLICATE), dtype=np.uint8)
        for one in pictures
    )
    return turned, _moved(stacks, matrix, roll=roll)


def _squeezed(
    frame: NDArray[np.uint8], stacks: list[SeenStack], rng: np.random.Generator
) -> tuple[NDArray[np.uint8], list[SeenStack]]:
    """Widen or narrow the picture, as some data sets do."""
    factor = float(np.exp(rng.normal(0, 0.16)))
    width = int(frame.shape[1] * factor)
    matrix = np.array([[width / frame.shape[1], 0.0, 0.0], [0.0, 1.0, 0.0]])
    frame = cv2.resize(frame, dsize=(width, frame.shape[0]), interpolation=cv2.INTER_AREA)
    return frame, _moved(stacks, matrix, roll=0.0)


def _uneven(frame: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    height, width = frame.shape[:2]
    corners = rng.uniform(0.6, 1.2, (2, 2)).astype(np.float32)
    light = cv2.resize(corners, dsize=(width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray((frame * light[..., None]).clip(0, 255).astype(np.uint8))


def _toned(frame: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Exposure, contrast, white balance and saturation."""
    strong = rng.random() < 0.12
    balance = np.exp(rng.normal(0, 0.14 if strong else 0.06, 3))
    gain, gamma, lift = np.exp(rng.normal(0, 0.18)), np.exp(rng.normal(0, 0.18)), rng.uniform(0, 18)
    level = np.arange(256) / 255
    table = np.stack([(level**gamma * gain * share * (255 - lift) + lift).clip(0, 255) for share in balance], axis=1)
    frame = cv2.LUT(frame, lut=table.astype(np.uint8)[None])
    keep = float(np.exp(rng.normal(0, 0.18)))
    mix = keep * np.eye(3) + (1 - keep) * np.array([[0.114, 0.587, 0.299]] * 3)
    return np.asarray(cv2.transform(frame, m=mix.astype(np.float32)), dtype=np.uint8)


def _noisy(frame: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    tile = rng.normal(0, abs(rng.normal(0, 5)), (96, 96, 3))
    tile = tile * 0.5 + tile.mean(axis=2, keepdims=True) * 0.9
    repeats = (frame.shape[0] // 96 + 1, frame.shape[1] // 96 + 1, 1)
    noise = np.tile(tile.round().astype(np.int16), repeats)[: frame.shape[0], : frame.shape[1]]
    return np.asarray((frame + noise).clip(0, 255).astype(np.uint8))


def _thin_chroma(frame: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Colour at half the resolution, as video stores it."""
    height, width = frame.shape[:2]
    parts = cv2.cvtColor(frame, code=cv2.COLOR_BGR2YCrCb)
    small = cv2.resize(parts[..., 1:], dsize=(width // 2 + 1, height // 2 + 1), interpolation=cv2.INTER_AREA)
    parts[..., 1:] = cv2.resize(small, dsize=(width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.cvtColor(parts, code=cv2.COLOR_YCrCb2BGR), dtype=np.uint8)
