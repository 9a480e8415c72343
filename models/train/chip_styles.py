"""Designs of casino chips, drawn by the project: hues, edge spots, rings, inlays and print.

A design paints every colour: a face (square BGRA picture, the chip's rim touching its borders) and an edge strip
(the rim unrolled, 1 px per degree). Angle 0 points down in the face and runs counter-clockwise as seen from above.
"""

from __future__ import annotations

import colorsys
from dataclasses import dataclass, field
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

FACE_PX: Final = 144
EDGE_ROWS: Final = 12

FAMILIES: Final = (
    "spots", "dice", "ticks", "bars", "wide", "split", "none", "ceramic", "diamond", "striped", "quarters", "mixed",
    "between",
)  # fmt: skip
HELD_OUT_FAMILIES: Final = ("twin", "laced")
"""Edge-spot families that training never sees."""

OWN_STYLES: Final = 0.5
"""So many of the casinos give every value a pattern of edge spots of its own."""

Range = tuple[float, float]
HUES: Final[dict[str, tuple[tuple[Range, Range, Range], ...]]] = {
    # (hue in degrees, saturation, value) as casinos have them
    "blue": (((208, 236), (0.6, 0.98), (0.4, 0.85)), ((198, 218), (0.4, 0.7), (0.6, 0.95))),
    "white": (((30, 60), (0.0, 0.14), (0.85, 1.0)), ((200, 240), (0.0, 0.06), (0.85, 1.0))),
    "pink": (((325, 350), (0.25, 0.6), (0.82, 1.0)), ((348, 368), (0.25, 0.45), (0.85, 1.0))),
    "red": (((348, 368), (0.72, 0.97), (0.5, 0.88)),),
    "green": (((115, 158), (0.45, 0.95), (0.25, 0.62)), ((95, 130), (0.5, 0.8), (0.4, 0.65))),
    "black": (((0, 360), (0.0, 0.25), (0.05, 0.2)),),
    "purple": (((262, 300), (0.4, 0.85), (0.3, 0.65)), ((260, 290), (0.3, 0.5), (0.55, 0.75))),
    "orange": (((16, 34), (0.75, 1.0), (0.82, 1.0)),),
    "grey": (((0, 360), (0.0, 0.1), (0.38, 0.68)),),
    "teal": (((170, 190), (0.5, 0.98), (0.35, 0.7)), ((172, 186), (0.35, 0.6), (0.6, 0.85))),
    "other": (
        ((47, 60), (0.5, 1.0), (0.8, 1.0)),
        ((15, 35), (0.4, 0.7), (0.22, 0.42)),
        ((60, 85), (0.5, 0.9), (0.5, 0.9)),
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Paint:
    """One colour of a design: the face (BGRA) and the edge strip (rows from top to bottom, 360 columns, BGR)."""

    face: NDArray[np.uint8]
    edge: NDArray[np.uint8]


@dataclass(slots=True, kw_only=True)
class ChipStyle:
    """One design; colours are painted when first asked for, always the same for one seed."""

    family: str
    seed: int
    spots: int
    gloss: float
    _paints: dict[str, Paint] = field(default_factory=dict)

    def paint(self, colour: str) -> Paint:
        """Return the face and edge of a colour of the manual, or of "other" (yellow, brown, lime)."""
        if colour not in self._paints:
            order = sorted(HUES).index(colour)
            self._paints[colour] = _paint(self, colour, np.random.default_rng((self.seed, order)))
        return self._paints[colour]


def random_style(rng: np.random.Generator, *, families: tuple[str, ...] = FAMILIES) -> ChipStyle:
    """Return a random design of one of the families."""
    family = str(rng.choice(families))
    spots = int(rng.choice([3, 4, 6] if family in ("wide", "between") else [4, 6, 6, 8, 8, 10, 12]))
    return ChipStyle(family=family, seed=int(rng.integers(2**31)), spots=spots, gloss=float(rng.uniform(0, 0.5)))


def random_set(rng: np.random.Generator, *, families: tuple[str, ...], own: float) -> dict[str, ChipStyle]:
    """Return a design for every colour; with the chance ``own`` each has another, else all have the same."""
    shared = random_style(rng, families=families)
    differ = rng.random() < own
    return {colour: random_style(rng, families=families) if differ else shared for colour in sorted(HUES)}


def colour_bgr(colour: str, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return one of the tones (B, G, R in 0..255) that casinos use for a colour."""
    ranges = HUES[colour][int(rng.integers(len(HUES[colour])))]
    hue, saturation, value = (float(rng.uniform(*bounds)) for bounds in ranges)
    red, green, blue = colorsys.hsv_to_rgb(hue % 360 / 360, saturation, value)
    return np.array([blue, green, red]) * 255


def _spot_colour(colour: str, base: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """A colour that stands out from the base."""
    for _ in range(20):
        name = "white" if rng.random() < 0.45 and colour != "white" else str(rng.choice([*sorted(HUES)]))
        spot = colour_bgr(name, rng)
        if name != colour and np.abs(spot - base).max() > 60:
            return spot
    return 255 - base


def segments(style: ChipStyle, rng: np.random.Generator) -> list[tuple[float, float, int, float, float]]:
    """Return edge marks as (first degree, last degree, paint number, first row, last row), rows in 0..1."""
    family, count = style.family, style.spots
    pitch = 360 / count
    width = {
        "ticks": rng.uniform(3, 7), "wide": pitch * rng.uniform(0.3, 0.45), "quarters": pitch * rng.uniform(0.35, 0.46),
    }.get(family, pitch * rng.uniform(0.2, 0.4))  # fmt: skip
    marks: list[tuple[float, float, int, float, float]] = []
    for index in range(count):
        at, number = index * pitch, index % 2 if family == "mixed" else 0
        marks += _spot_marks(family, at, width, number)
    if family == "ceramic":
        marks = [(index * pitch, index * pitch + pitch * 0.5, 0, 0.3, 0.7) for index in range(count)]
    return [] if family == "none" else marks


def _spot_marks(family: str, at: float, width: float, number: int) -> list[tuple[float, float, int, float, float]]:
    parts: dict[str, list[tuple[float, float, int, float, float]]] = {
        # first and last share of the spot's width, paint number, first and last share of the chip's height
        "split": [(0, 0.5, 0, 0, 1), (0.5, 1, 1, 0, 1)],
        "twin": [(0, 0.36, 0, 0, 1), (0.64, 1, 0, 0, 1)],
        "laced": [(0, 1, 0, 0, 1), (0.35, 0.65, 1, 0, 1)],
        "bars": [(k / 5, (k + 0.55) / 5, 0, 0, 1) for k in range(5)],
        "striped": [(0, 1, 0, 0, 0.34), (0, 1, 0, 0.66, 1)],
        "diamond": [(0, 0.6, 0, 0.15, 0.85)],
        "between": [(0, 1, 0, 0, 1), (1.85, 2.15, 1, 0, 1)],  # narrow ones of another paint between the wide ones
    }
    return [
        (at + first * width, at + last * width, paint, top, bottom)
        for first, last, paint, top, bottom in parts.get(family, [(0, 1, number, 0, 1)])
    ]


def _paint(style: ChipStyle, colour: str, rng: np.random.Generator) -> Paint:
    design = np.random.default_rng(style.seed)  # the same shapes on every colour
    base = colour_bgr(colour, rng)
    spots = [_spot_colour(colour, base, rng) for _ in range(2)]
    marks = segments(style, design)
    edge = np.empty((EDGE_ROWS, 360, 3))
    edge[:] = base
    for first, last, number, top, bottom in marks:
        columns = np.arange(int(first), max(int(last), int(first) + 2)) % 360
        edge[round(top * EDGE_ROWS) : round(bottom * EDGE_ROWS), columns] = spots[number]
    if design.random() < 0.12:  # a moulded line around the rim
        edge[EDGE_ROWS // 2 - 1 : EDGE_ROWS // 2 + 1] = (
            edge[EDGE_ROWS // 2 - 1 : EDGE_ROWS // 2 + 1] * 0.6 + 0.4 * spots[1]
        )
    face = _face(style, base, spots, marks, design)
    return Paint(face=face, edge=edge.clip(0, 255).astype(np.uint8))


def _tuple(colour: NDArray[np.float64]) -> tuple[float, ...]:
    return (*(float(v) for v in colour), 255.0)


def _face(
    style: ChipStyle,
    base: NDArray[np.float64],
    spots: list[NDArray[np.float64]],
    marks: list[Any],
    design: np.random.Generator,
) -> NDArray[np.uint8]:
    size, middle = FACE_PX * 2, FACE_PX
    face = np.zeros((size, size, 4), np.uint8)
    cv2.circle(face, (middle, middle), middle - 1, _tuple(base), thickness=-1)
    depth = float(design.uniform(0.1, 0.32)) if style.family != "diamond" else 0.16
    for first, last, number, _, _ in marks:
        _sector(face, (first, last), 1 - depth, _tuple(spots[number]))
    inner = 1 - depth - float(design.uniform(0.02, 0.08))
    if marks and design.random() < 0.85:
        cv2.circle(face, (middle, middle), int(middle * (1 - depth)), _tuple(base), thickness=-1)
    if design.random() < 0.5:
        _ring(face, inner, design, _tuple(spots[0]))
    if design.random() < 0.8:
        _inlay(face, inner, base, spots, design)
    return np.asarray(cv2.resize(face, dsize=(FACE_PX, FACE_PX), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _sector(face: NDArray[np.uint8], degrees: tuple[float, float], inner: float, colour: tuple[float, ...]) -> None:
    middle = face.shape[0] / 2
    angles = np.radians(np.linspace(degrees[0], degrees[1], num=6))
    directions = np.stack([np.sin(angles), np.cos(angles)], axis=1)
    outline = np.concatenate([directions * (middle - 1), directions[::-1] * middle * inner]) + middle
    cv2.fillPoly(face, pts=[outline.astype(np.int32)], color=colour)


def _ring(face: NDArray[np.uint8], radius: float, design: np.random.Generator, colour: tuple[float, ...]) -> None:
    middle = face.shape[0] // 2
    if design.random() < 0.5:
        cv2.circle(face, (middle, middle), int(middle * radius), colour, thickness=int(design.integers(2, 6)))
        return
    count = int(design.integers(12, 40))
    for angle in np.arange(count) * (2 * np.pi / count):
        spot = (int(middle + np.sin(angle) * middle * radius), int(middle + np.cos(angle) * middle * radius))
        cv2.circle(face, spot, int(design.integers(2, 5)), colour, thickness=-1)


def _inlay(
    face: NDArray[np.uint8],
    inner: float,
    base: NDArray[np.float64],
    spots: list[NDArray[np.float64]],
    design: np.random.Generator,
) -> None:
    """A printed middle: often pale or a tint of the chip's colour, with a number, symbols or a picture."""
    middle = face.shape[0] // 2
    radius = int(middle * inner * design.uniform(0.55, 0.98))
    tint = float(design.uniform(0, 1))
    pale = np.array([230.0, 240.0, 245.0]) * tint + base * (1 - tint)
    fill = [pale, base * 0.8, spots[1], pale][int(design.integers(4))]
    cv2.circle(face, (middle, middle), radius, _tuple(fill), thickness=-1)
    if design.random() < 0.5:
        cv2.circle(face, (middle, middle), radius, _tuple(spots[0]), thickness=int(design.integers(2, 7)))
    ink = np.array([20.0, 20.0, 20.0]) if fill.mean() > 110 else np.array([235.0, 240.0, 240.0])
    for _ in range(int(design.integers(0, 9))):
        angle, reach = design.uniform(0, 2 * np.pi), radius * design.uniform(0.3, 0.8)
        spot = (int(middle + np.sin(angle) * reach), int(middle + np.cos(angle) * reach))
        cv2.circle(face, spot, int(design.integers(2, 12)), _tuple(design.uniform(0, 255, 3)), thickness=-1)
    if design.random() < 0.7:
        text = str(design.choice(["1", "5", "25", "100", "500", "1000", "CASINO", "$5", "A", "ROYAL"]))
        scale = radius / (14.0 + 9.0 * len(text))
        cv2.putText(
            face, text=text, org=(int(middle - len(text) * 9.5 * scale), int(middle + 11 * scale)),
            fontFace=cv2.FONT_HERSHEY_DUPLEX, fontScale=scale, color=_tuple(ink), thickness=max(1, int(scale * 2.5)),
        )  # fmt: skip
