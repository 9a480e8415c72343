"""Where points of the felt are seen in the picture, in plain Python, for what needs no recognition.

``models.camera`` is the full camera; this gives the same places for points on the felt. Of a camera that is given by
point pairs it takes those on the felt, and the picture as undistorted.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Final

from audit.table import CameraSpec, Point, Zone

_STEPS: Final = 8
_FLAT_MM: Final = 1e-6
_LEAST_POINTS: Final = 4
_CARD_MM: Final = (63.0, 88.0)
_DIE_MM: Final = 16.0
_CHIP_MM: Final = (39.0, 3.3)

_Projection = Callable[[Point, float], Point | None]
"""From a point on the felt and the height above it to the picture."""


def outline_px(spec: CameraSpec, zone: Zone) -> tuple[Point, ...] | None:
    """Return a zone's outline in pixels, its sides bent as the lens bends them; None if a corner lies out of view.

    Out of view is behind the camera; what lies outside the picture has pixels outside it.
    """
    corners = zone.polygon_mm
    points = [
        (a[0] + (b[0] - a[0]) * i / _STEPS, a[1] + (b[1] - a[1]) * i / _STEPS)
        for a, b in zip(corners, corners[1:] + corners[:1], strict=True)
        for i in range(_STEPS)
    ]
    return to_pixels(spec, points)


def to_pixels(spec: CameraSpec, points_mm: Iterable[Point], *, height_mm: float = 0.0) -> tuple[Point, ...] | None:
    """Return where points on the felt, or above it, are seen; None if one is not, or the camera is not known enough.

    A camera that is given by point pairs knows no heights: it gives the places on the felt below.
    """
    place = _projection(spec)
    if place is None:
        return None
    pixels = [place(point, height_mm) for point in points_mm]
    return None if None in pixels else tuple(pixel for pixel in pixels if pixel is not None)


def object_px(
    spec: CameraSpec | None, kind: str, xy_mm: Point, angle_deg: float | None, chips: int
) -> list[list[float]] | None:
    """Return the four corners in the picture of a card, a die or a pile of so many chips; None if not known.

    A card's are those of the card, a die's or pile's those of the upright box around it.
    """
    if spec is None:
        return None
    if kind == "card":
        width, height = _CARD_MM
        found = to_pixels(spec, _turned(xy_mm, width / 2, height / 2, angle_deg or 0.0))
        return None if found is None else [[round(u, 1), round(v, 1)] for u, v in found]
    half, high = (_DIE_MM / 2, _DIE_MM) if kind == "die" else (_CHIP_MM[0] / 2, _CHIP_MM[1] * chips)
    around = [
        (xy_mm[0] + half * math.cos(t), xy_mm[1] + half * math.sin(t)) for t in (i * math.pi / 8 for i in range(16))
    ]
    foot, top = to_pixels(spec, around), to_pixels(spec, around, height_mm=high)
    if foot is None or top is None:
        return None
    us, vs = zip(*foot, *top, strict=True)
    left, upper, right, lower = (round(value, 1) for value in (min(us), min(vs), max(us), max(vs)))
    return [[left, upper], [right, upper], [right, lower], [left, lower]]


def _turned(middle: Point, a: float, b: float, angle_deg: float) -> tuple[Point, ...]:
    turn = math.radians(angle_deg)
    corners = ((-a, -b), (a, -b), (a, b), (-a, b))
    cos, sin = math.cos(turn), math.sin(turn)
    return tuple((middle[0] + x * cos - y * sin, middle[1] + x * sin + y * cos) for x, y in corners)


@lru_cache(maxsize=64)
def _projection(spec: CameraSpec) -> _Projection | None:
    return _by_model(spec) if spec.matrix is not None else _by_points(spec)


def _by_model(spec: CameraSpec) -> _Projection:
    matrix, rotation, translation = spec.matrix or (), spec.rotation or (), spec.translation or ()
    k1, k2, p1, p2, k3, k4, k5, k6 = (*(spec.distortion or ()), *[0.0] * 8)[:8]

    def place(point: Point, height: float) -> Point | None:
        x, y, z = (
            row[0] * point[0] + row[1] * point[1] + row[2] * height + t
            for row, t in zip(rotation, translation, strict=True)
        )
        if z <= 0:
            return None
        x, y = x / z, y / z
        r2 = x * x + y * y
        bent = (1 + r2 * (k1 + r2 * (k2 + r2 * k3))) / (1 + r2 * (k4 + r2 * (k5 + r2 * k6)))
        u = x * bent + 2 * p1 * x * y + p2 * (r2 + 2 * x * x)
        v = y * bent + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y
        return (
            matrix[0][0] * u + matrix[0][1] * v + matrix[0][2],
            matrix[1][0] * u + matrix[1][1] * v + matrix[1][2],
        )

    return place


def _by_points(spec: CameraSpec) -> _Projection | None:
    """Return the plane-to-plane map that fits the points on the felt best; None if too few lie there."""
    pairs = [
        ((mm[0], mm[1]), px)
        for mm, px in zip(spec.points_mm, spec.points_px, strict=True)
        if len(mm) == 2 or abs(mm[2]) < _FLAT_MM  # noqa: PLR2004 - x and y
    ]
    if len(pairs) < _LEAST_POINTS:
        return None
    size, width = max(max(abs(mm[0]), abs(mm[1])) for mm, _ in pairs) or 1.0, float(max(spec.image_size))
    rows: list[list[float]] = []
    for mm, px in pairs:
        x, y, u, v = mm[0] / size, mm[1] / size, px[0] / width, px[1] / width
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y, u], [0, 0, 0, x, y, 1, -v * x, -v * y, v]]
    h = _least_squares(rows)
    if h is None:
        return None

    def place(point: Point, _: float) -> Point | None:
        x, y = point[0] / size, point[1] / size
        depth = h[6] * x + h[7] * y + 1
        if depth <= 0:
            return None
        return width * (h[0] * x + h[1] * y + h[2]) / depth, width * (h[3] * x + h[4] * y + h[5]) / depth

    return place


def _least_squares(rows: Sequence[Sequence[float]]) -> list[float] | None:
    """Return the unknowns of equations (coefficients, then the value) by least squares; None if one stays open."""
    n = len(rows[0]) - 1
    system = [[sum(row[i] * row[j] for row in rows) for j in range(n + 1)] for i in range(n)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(system[r][i]))
        if abs(system[pivot][i]) < 1e-12:  # noqa: PLR2004 - points on one line
            return None
        system[i], system[pivot] = system[pivot], system[i]
        for r in range(n):
            if r != i:
                factor = system[r][i] / system[i][i]
                system[r] = [a - factor * b for a, b in zip(system[r], system[i], strict=True)]
    return [system[i][n] / system[i][i] for i in range(n)]
