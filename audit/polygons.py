"""Outlines of zones as people and programs draw them: where they cross themselves, and loops too small to matter."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

_Corner = tuple[float, float]

_SMALL_MM: Final = 20.0
"""Strips drawn arc by arc turn back a little at their joints; a cheque is twice as wide."""


def crossing(corners: Sequence[_Corner]) -> tuple[int, int] | None:
    """Return two sides of a polygon that cross each other, each by the number of its first corner; None: none do."""
    sides = list(zip(corners, [*corners[1:], corners[0]], strict=True))
    pairs = ((i, j) for i in range(len(sides)) for j in range(i + 2, len(sides)) if (i, j) != (0, len(sides) - 1))
    return next((pair for pair in pairs if _cross(*sides[pair[0]], *sides[pair[1]])), None)


def without_small_loops(corners: Sequence[_Corner]) -> list[_Corner]:
    """Return a polygon without loops of a few millimetres: their corners are one, in their middle."""
    left = list(corners)
    while (pair := crossing(left)) is not None:
        loop = left[pair[0] + 1 : pair[1] + 1]
        if max(math.dist(one, other) for one in loop for other in loop) > _SMALL_MM or len(left) - len(loop) < 2:  # noqa: PLR2004
            return list(corners)
        middle = (sum(x for x, _ in loop) / len(loop), sum(y for _, y in loop) / len(loop))
        left[pair[0] + 1 : pair[1] + 1] = [middle]
    return left


def _cross(a: _Corner, b: _Corner, c: _Corner, d: _Corner) -> bool:
    def turn(p: _Corner, q: _Corner, r: _Corner) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0


def crossed_at(polygon: Sequence[_Corner], x: float) -> list[float]:
    """Return the y of every place at which an outline crosses the line of all points with this x, from both ends up."""
    return sorted(
        y0 + (y1 - y0) * (x - x0) / (x1 - x0)
        for (x0, y0), (x1, y1) in pairwise((*polygon, polygon[0]))
        if x0 != x1 and min(x0, x1) <= x <= max(x0, x1)
    )
