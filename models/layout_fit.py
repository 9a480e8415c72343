"""Which printed spot of a picture is which mark of a table's layout, and the camera that follows.

Four pairs make a homography; those are tried in which the order of the points around is that of a view from above, and
the one that explains most marks is refined. Fewer than two pairs beyond four, or two ways that explain nearly as many,
are no answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from audit.table import CameraSpec, Point
from models.camera import Camera, CameraError, Floats, camera_from_spec
from models.print_finder import Spot

_QUAD: Final = 4
_LEAST_PAIRS: Final = 6
_LEAST_SHARE: Final = 0.6
_SURE_GIVEN: Final = 2  # points named by hand: one pair less will do
_MOST_SPOTS: Final = 26
_MOST_QUADS: Final = 6
_TRIED: Final = 12
_NEARLY_ALL: Final = 0.9
_SHARED: Final = 2  # marks that two sets of four may have in common
_REACH: Final = 0.3  # of a spot's extent: a mark projected this near is explained by it
_CLOSE: Final = 0.12
_WIDE_REACH: Final = 0.45
_CLOSE_PX: Final = 2.0
_FLAT: Final = 1e-8
_WIDTHS: Final = 0.004  # of the picture's width: the largest error of a fit


class LayoutError(ValueError):
    """A layout that cannot be found in a picture; the message says what was expected and found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A mark of the layout, or a point named by hand, and where it is seen."""

    name: str
    xy_mm: Point
    xy_px: Point


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """The pairs that the camera was solved from, and the camera."""

    pairs: tuple[Pair, ...]
    camera: Camera
    marks_seen: int


def place_layout(
    marks: Mapping[str, Point], spots: Sequence[Spot], given: Sequence[Pair], *, size: tuple[int, int]
) -> Placed:
    """Return the pairs of marks and spots, with the points given by hand among them, and the camera.

    Raises:
        LayoutError: if that cannot be told.
    """
    free = {name: place for name, place in marks.items() if name not in {pair.name for pair in given}}
    chosen = sorted(spots, key=lambda spot: -spot.extent_px)[:_MOST_SPOTS]
    if len(given) >= _QUAD:
        warp, _ = cv2.findHomography(*_ends(given), method=0)
        pairs = given if warp is None else [*given, *_explained(np.asarray(warp), free, chosen, reach=_CLOSE)]
        return _solved(pairs, given, size=size)
    ways = _ways(free, chosen, given, size=size)
    if not ways:
        msg = (
            f"expected at least {_LEAST_PAIRS} marks of the layout to be found in the picture, "
            f"found {len(spots)} printed spots that fit no view of its {len(marks)} marks: name points by hand"
        )
        raise LayoutError(msg)
    best = ways[0]
    rival = next((way for way in ways[1:] if _differs(way, best)), None)
    if rival is not None and len(rival.pairs) >= len(best.pairs) - 1:
        msg = (
            f"expected one view of the layout, found two that explain {len(best.pairs)} and {len(rival.pairs)} marks: "
            "name one more point by hand"
        )
        raise LayoutError(msg)
    return best


def _ways(
    free: Mapping[str, Point], spots: Sequence[Spot], given: Sequence[Pair], *, size: tuple[int, int]
) -> list[Placed]:
    """Return the cameras that explain most marks, best first."""
    scored: list[tuple[int, Floats]] = []
    for quad in _quads(free, given):
        warps = _hypotheses(quad, spots, given)
        counts = _counts(warps, free, spots)
        order = np.argsort(-counts, kind="stable")[: 4 * _TRIED]
        scored += [(int(counts[i]), warps[i]) for i in order]
        if len(order) and counts[order[0]] >= _NEARLY_ALL * len(free):
            break
    scored.sort(key=lambda one: -one[0])
    ways: list[Placed] = []
    for _, warp in scored[: 4 * _TRIED]:
        way = _refined(warp, free, spots, given, size=size)
        if way is not None and not any(way.pairs == other.pairs for other in ways):
            ways.append(way)
    return sorted(ways, key=lambda way: (-len(way.pairs), way.camera.reprojection_px or 0.0))


def _refined(
    warp: Floats, free: Mapping[str, Point], spots: Sequence[Spot], given: Sequence[Pair], *, size: tuple[int, int]
) -> Placed | None:
    least = _LEAST_PAIRS - (len(given) >= _SURE_GIVEN)
    pairs = [*given, *_explained(warp, free, spots, reach=_REACH)]
    for _ in range(2):
        if len(pairs) < least:
            return None
        better, _ = cv2.findHomography(*_ends(pairs), method=0)
        if better is None:
            return None
        pairs = [*given, *_explained(np.asarray(better), free, spots, reach=_CLOSE)]
    if len(pairs) < max(least, _LEAST_SHARE * (len(free) + len(given))):
        return None
    try:
        return _solved(pairs, given, size=size)
    except LayoutError:
        return None


def _solved(pairs: Sequence[Pair], given: Sequence[Pair], *, size: tuple[int, int]) -> Placed:
    spec = CameraSpec(
        image_size=size,
        points_mm=tuple((pair.xy_mm[0], pair.xy_mm[1]) for pair in pairs),
        points_px=tuple((round(pair.xy_px[0], 1), round(pair.xy_px[1], 1)) for pair in pairs),
    )
    try:
        camera = camera_from_spec(spec)
    except CameraError as error:
        raise LayoutError(str(error)) from None
    if (camera.reprojection_px or 0.0) > _WIDTHS * size[0]:
        msg = f"expected points as one camera sees them, found a misfit of {camera.reprojection_px:.1f} px"
        raise LayoutError(msg)
    return Placed(pairs=tuple(pairs), camera=camera, marks_seen=len(pairs) - len(given))


def _quads(free: Mapping[str, Point], given: Sequence[Pair]) -> list[tuple[Point, ...]]:
    """Return sets of marks that make four points with those given, the widest first, with little in common."""
    fixed = [pair.xy_mm for pair in given]
    sets = [tuple(one) for one in combinations(free.values(), _QUAD - len(fixed))]
    areas = [_area([*fixed, *one]) for one in sets]
    chosen: list[tuple[Point, ...]] = []
    for i in np.argsort([-area for area in areas], kind="stable"):
        wide = areas[i] > 0.2 * max(areas)
        if wide and all(len(set(sets[i]) & set(other)) < min(_SHARED + 1, len(sets[i])) for other in chosen):
            chosen.append(sets[i])
        if len(chosen) == _MOST_QUADS:
            break
    return chosen


def _area(points: Sequence[Point]) -> float:
    """Area of the smallest triangle among four points: none of them may lie nearly on a line."""
    corners = np.array(points)
    sides = [(corners[b] - corners[a], corners[c] - corners[a]) for a, b, c in combinations(range(len(corners)), 3)]
    return float(min(abs(u[0] * v[1] - u[1] * v[0]) for u, v in sides))


def _hypotheses(quad: Sequence[Point], spots: Sequence[Spot], given: Sequence[Pair]) -> Floats:
    """Return the homographies (k, 3, 3) from felt to pixels of every way to see the marks among the spots."""
    places = np.array([spot.xy_px for spot in spots], dtype=np.float64).reshape(-1, 2)
    indices = np.array(list(permutations(range(len(spots)), len(quad))), dtype=np.intp).reshape(-1, len(quad))
    fixed = np.array([pair.xy_px for pair in given], dtype=np.float64).reshape(1, -1, 2)
    seen = np.concatenate([np.repeat(fixed, len(indices), axis=0), places[indices]], axis=1)
    felt = np.array([*(pair.xy_mm for pair in given), *quad], dtype=np.float64)
    return _homographies(felt, seen[_same_way_round(felt, seen)])


def _same_way_round(felt: Floats, seen: Floats) -> NDArray[np.bool_]:
    """Which pictures of four points show each three of them turning as a view from above does: the other way round."""
    keep = np.ones(len(seen), dtype=np.bool_)
    for a, b, c in combinations(range(_QUAD), 3):
        (x0, y0), (x1, y1) = felt[b] - felt[a], felt[c] - felt[a]
        u, v = seen[:, b] - seen[:, a], seen[:, c] - seen[:, a]
        keep &= (u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]) * (x0 * y1 - y0 * x1) < 0
    return keep


def _homographies(felt: Floats, seen: Floats) -> Floats:
    """Solve four pairs for each of (k, 4, 2) pictures of the felt points (4, 2)."""
    rows: list[Any] = []
    zero, one = np.zeros(len(seen)), np.ones(len(seen))
    for i in range(_QUAD):
        x, y = felt[i] / 1000.0
        u, v = seen[:, i, 0], seen[:, i, 1]
        rows.append(np.stack([x * one, y * one, one, zero, zero, zero, -x * u, -y * u], axis=1))
        rows.append(np.stack([zero, zero, zero, x * one, y * one, one, -x * v, -y * v], axis=1))
    matrix = np.stack(rows, axis=1)
    right = seen.reshape(len(seen), 2 * _QUAD, 1)
    sound = np.abs(np.linalg.det(matrix)) > _FLAT if len(seen) else np.zeros(0, dtype=np.bool_)
    flat = np.linalg.solve(matrix[sound], right[sound])[..., 0]
    whole = np.concatenate([flat, np.ones((len(flat), 1))], axis=1).reshape(-1, 3, 3)
    warps: Floats = whole @ np.diag([1e-3, 1e-3, 1.0])
    return warps


def _counts(warps: Floats, free: Mapping[str, Point], spots: Sequence[Spot]) -> NDArray[np.intp]:
    """How many marks each homography puts upon a spot; 0 if a mark would lie behind the camera."""
    marks = np.array([(*place, 1.0) for place in free.values()])
    places = np.array([spot.xy_px for spot in spots], dtype=np.float64).reshape(-1, 2)
    reach = _REACH * np.array([spot.extent_px for spot in spots])
    counts = np.zeros(len(warps), dtype=np.intp)
    for part in np.array_split(np.arange(len(warps)), max(1, len(warps) // 4000)):
        seen = np.einsum("kij,mj->kmi", warps[part], marks)
        depth = seen[..., 2]
        before = np.all(depth > _FLAT, axis=1)
        points = seen[..., :2] / np.maximum(depth, _FLAT)[..., None]
        gaps = np.linalg.norm(points[:, :, None] - places, axis=3)
        counts[part] = np.where(before, np.sum(np.any(gaps < reach, axis=2), axis=1), 0)
    return counts


def explained_by(warp: Floats, marks: Mapping[str, Point], spots: Sequence[Spot]) -> list[Pair]:
    """Return the marks that a homography from felt to pixels puts near a spot, each with the nearest."""
    return _explained(warp, marks, spots, reach=_WIDE_REACH)


def _explained(warp: Floats, free: Mapping[str, Point], spots: Sequence[Spot], *, reach: float) -> list[Pair]:
    """Pair each mark with the nearest spot within reach; a spot explains one mark."""
    if not free or not spots:
        return []
    points = cv2.perspectiveTransform(np.array(list(free.values()), dtype=np.float64)[:, None], warp)[:, 0]
    gaps = np.linalg.norm(points[:, None] - np.array([spot.xy_px for spot in spots]), axis=2)
    within = np.maximum(reach * np.array([spot.extent_px for spot in spots]), _CLOSE_PX)
    pairs = []
    for row, (name, place) in enumerate(free.items()):
        column = int(gaps[row].argmin())
        if gaps[row, column] < within[column] and int(gaps[:, column].argmin()) == row:
            pairs.append(Pair(name=name, xy_mm=place, xy_px=spots[column].xy_px))
    return pairs


def _ends(pairs: Sequence[Pair]) -> tuple[Floats, Floats]:
    return np.array([pair.xy_mm for pair in pairs]), np.array([pair.xy_px for pair in pairs])


def _differs(one: Placed, other: Placed) -> bool:
    """Whether two ways see the table from elsewhere."""
    points = [pair.xy_mm for pair in other.pairs]
    gaps = np.linalg.norm(one.camera.to_pixels(points) - other.camera.to_pixels(points), axis=1)
    return float(gaps.max()) > _WIDTHS * one.camera.size[0]
