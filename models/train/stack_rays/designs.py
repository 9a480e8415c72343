"""Designs of chips without colours: which of a few tints each place of an edge and of a face has.

A design has an edge (EDGE_ROWS, 360) and a face (FACE_PX, FACE_PX), as ``models.train.chip_styles`` paints them, but of
numbers of tints, which every picture chooses anew (``models.train.stack_rays.tables``). On edges ``MIXED`` is added
where a moulded line lets some of the second spots' colour through.
"""

from __future__ import annotations

from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train.chip_styles import EDGE_ROWS, FACE_PX, random_style
from models.train.chip_styles import segments as styled_segments

BASE: Final = 0
SPOT: Final = 1
OTHER_SPOT: Final = 2
PALE: Final = 3
DARK: Final = 4
INK: Final = 5
DOTS: Final = (6, 7, 8, 9)
SPOTS: Final = (SPOT, OTHER_SPOT, DOTS[0])
TINTS: Final = 16
MIXED: Final = 16

Numbers = NDArray[np.uint8]
Marks = list[tuple[float, float, int, float, float]]
_FREE: Final = 0.3  # of the designs have edge spots of no family
_THREE_TINTS: Final = 0.4  # of these have spots of two or three tints that touch
_OVAL: Final = 0.2  # of the printed middles are ovals that reach from rim to rim
_WORDS: Final = ("1", "5", "25", "100", "500", "1000", "CASINO", "$5", "A", "ROYAL")


def designs(seed: int, number: int, *, families: tuple[str, ...], free: float = _FREE) -> tuple[Numbers, Numbers]:
    """Return edges (number, EDGE_ROWS, 360) and faces (number, FACE_PX, FACE_PX)."""
    rng = np.random.default_rng(seed)
    edges, faces = np.empty((number, EDGE_ROWS, 360), np.uint8), np.empty((number, FACE_PX, FACE_PX), np.uint8)
    for edge, face in zip(edges, faces, strict=True):
        marks = _free_marks(rng) if rng.random() < free else _family_marks(rng, families)
        edge[:] = _edge(marks, rng)
        face[:] = _face(marks, rng)
    return edges, faces


def _family_marks(rng: np.random.Generator, families: tuple[str, ...]) -> Marks:
    return styled_segments(random_style(rng, families=families), rng)


def _free_marks(rng: np.random.Generator) -> Marks:
    """The same few marks, of any width and height, again and again around the rim."""
    pitch = 360 / int(rng.integers(3, 17))
    if rng.random() < _THREE_TINTS:
        return _three_beside_each_other(rng)
    some: Marks = []
    for _ in range(int(rng.integers(1, 4))):
        first, wide = rng.uniform(0, 1), rng.uniform(0.04, 0.45)
        rows = (0.0, 1.0) if rng.random() < 0.75 else tuple(np.sort(rng.uniform(0, 1, 2)))
        some.append((first * pitch, (first + wide) * pitch, int(rng.integers(2)), float(rows[0]), float(rows[1])))
    turns = np.arange(0.0, 359.9, pitch)
    return [(turn + first, turn + last, tint, low, high) for turn in turns for first, last, tint, low, high in some]


def _three_beside_each_other(rng: np.random.Generator) -> Marks:
    """Spots of two or three tints that touch, as wide as each other or nearly, again and again around the rim."""
    pitch = 360 / int(rng.integers(2, 7))
    tints = [int(tint) for tint in rng.permutation(len(SPOTS))[: int(rng.integers(2, 4))]]
    tints = [*tints, tints[0]] if len(tints) == 2 and rng.random() < 0.5 else tints
    ends = np.cumsum(rng.uniform(0.7, 1.3, len(tints)))
    ends *= pitch * rng.uniform(0.3, 0.8) / ends[-1]
    starts = np.concatenate([[0.0], ends[:-1]])
    return [
        (turn + first, turn + last, tint, 0.0, 1.0)
        for turn in np.arange(0.0, 359.9, pitch)
        for first, last, tint in zip(starts.tolist(), ends.tolist(), tints, strict=True)
    ]


def _edge(marks: Marks, rng: np.random.Generator) -> Numbers:
    edge = np.full((EDGE_ROWS, 360), BASE, np.uint8)
    for first, last, tint, top, bottom in marks:
        columns = np.arange(int(first), max(int(last), int(first) + 2)) % 360
        edge[round(top * EDGE_ROWS) : round(bottom * EDGE_ROWS), columns] = SPOTS[tint]
    if rng.random() < 0.12:
        edge[EDGE_ROWS // 2 - 1 : EDGE_ROWS // 2 + 1] += MIXED
    return edge


def _face(marks: Marks, rng: np.random.Generator) -> Numbers:
    face: Any = np.full((FACE_PX, FACE_PX), BASE, np.uint8)
    half = FACE_PX // 2
    depth = float(rng.uniform(0.1, 0.32))
    for first, last, tint, _, _ in marks:
        _sector(face, (first, last), 1 - depth, SPOTS[tint])
    inner = 1 - depth - float(rng.uniform(0.02, 0.08))
    if marks and rng.random() < 0.85:
        cv2.circle(face, (half, half), int(half * (1 - depth)), BASE, thickness=-1)
    if rng.random() < 0.5:
        _ring(face, inner, rng)
    if rng.random() < 0.8:
        _inlay(face, inner, rng)
    return np.asarray(face, dtype=np.uint8)


def _sector(face: Any, degrees: tuple[float, float], inner: float, tint: int) -> None:
    half = FACE_PX / 2
    angles = np.radians(np.linspace(degrees[0], degrees[1], num=6))
    directions = np.stack([np.sin(angles), np.cos(angles)], axis=1)
    outline = np.concatenate([directions * half, directions[::-1] * half * inner]) + half
    cv2.fillPoly(face, pts=[outline.astype(np.int32)], color=tint)


def _ring(face: Any, radius: float, rng: np.random.Generator) -> None:
    half = FACE_PX // 2
    if rng.random() < 0.5:
        cv2.circle(face, (half, half), int(half * radius), SPOT, thickness=int(rng.integers(1, 4)))
        return
    count = int(rng.integers(12, 40))
    for angle in np.arange(count) * (2 * np.pi / count):
        spot = (int(half + np.sin(angle) * half * radius), int(half + np.cos(angle) * half * radius))
        cv2.circle(face, spot, int(rng.integers(1, 3)), SPOT, thickness=-1)


def _inlay(face: Any, inner: float, rng: np.random.Generator) -> None:
    """A printed middle, round or oval, with dots, a number or a word."""
    half = FACE_PX // 2
    tint = int(rng.choice([PALE, DARK, OTHER_SPOT, PALE]))
    if rng.random() < _OVAL:
        radius = _oval(face, tint, rng)
    else:
        radius = int(half * inner * rng.uniform(0.55, 0.98))
        cv2.circle(face, (half, half), radius, tint, thickness=-1)
        if rng.random() < 0.5:
            cv2.circle(face, (half, half), radius, SPOT, thickness=int(rng.integers(1, 4)))
    for _ in range(int(rng.integers(0, 9))):
        angle, reach = rng.uniform(0, 2 * np.pi), radius * rng.uniform(0.3, 0.8)
        spot = (int(half + np.sin(angle) * reach), int(half + np.cos(angle) * reach))
        cv2.circle(face, spot, int(rng.integers(1, 7)), int(rng.choice(DOTS)), thickness=-1)
    if rng.random() < 0.7:
        word = str(rng.choice(_WORDS))
        scale = radius / (14.0 + 9.0 * len(word))
        cv2.putText(
            face, text=word, org=(int(half - len(word) * 9.5 * scale), int(half + 11 * scale)),
            fontFace=cv2.FONT_HERSHEY_DUPLEX, fontScale=scale, color=INK, thickness=max(1, int(scale * 2.5)),
        )  # fmt: skip


def _oval(face: Any, tint: int, rng: np.random.Generator) -> int:
    """An oval from rim to rim, with lines around it; its smaller half axis."""
    half = FACE_PX // 2
    long, short = int(half * rng.uniform(0.86, 1.0)), int(half * rng.uniform(0.42, 0.7))
    turn = float(rng.choice([0.0, 90.0, rng.uniform(0, 180)]))
    for line in range(int(rng.integers(0, 3)), 0, -1):
        axes, ink = (long + 4 * line, short + 4 * line), SPOT if line % 2 else PALE
        cv2.ellipse(face, (half, half), axes, turn, 0, 360, ink, thickness=-1)
    cv2.ellipse(face, (half, half), (long, short), turn, 0, 360, tint, thickness=-1)
    return short
