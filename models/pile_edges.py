"""Fits the outline of a pile to what the full picture shows: foot and height to a part of a chip.

What stands out from the felt is swollen by blur and contact shadow. The outline itself is sharp: the colour on its
inner side differs from that on its outer side, and where the bare felt is known, the outer side is felt, in whatever
shade, and the inner side is not. That also tells an outline from printed lines.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.camera import Camera, Floats
from models.cheque_size import CHIP_HEIGHT_MM, CHIP_RADIUS_MM, HIGHEST_STACK
from models.felt_view import FeltView, Reals
from models.frames import Frame, Pixels
from models.motion import Mask

_POINTS: Final = 160
_BORDER_PX: Final = 2.0  # a pile so near to it goes on beyond
_REACH_PX: Final = 1.5
_MOST_CONTRAST: Final = 100.0
_COLOUR_SHARE: Final = 0.5
_ALONG_MM: Final = (-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0)
_ACROSS_MM: Final = (-1.0, 0.0, 1.0)
_CHIPS: Final = (-1, 0, 1)
_STEP_REACH: Final = {"along_mm": 3.0, "across_mm": 1.0, "step_mm": 1.0}
_STEPS: Final = 3
_MARGIN_PX: Final = 12
_LEAST_SIDE_PX: Final = 8
_LEAST_TALL: Final = 6  # chips; two piles in one line of sight look like one that is at least so high
_SPLIT_GAIN: Final = 3.0
_SPLIT_STEPS: Final = 6
_HIDES: Final = 0.3  # of the outline of one that stood there a tall pile seems to hide
_STANDS: Final = 2.0  # of contrast that two piles may lack of which one stood there before
_LEAST_SHOWN: Final = 0.35  # of the outline of the pile behind
_ASIDE_MM: Final = (-3.0, 0.0, 3.0)  # what looks like one pile need not stand quite in one line of sight
_LOW: Final = ((1, 1), (1, 2), (2, 1), (2, 2))  # chips of such as look like one tall pile where they are side by side
_ASTRAY_MM: Final = (-18.0, -9.0, 0.0, 9.0, 18.0)
_APART_MM: Final = 34.0  # from middle to middle; nearer ones would stand in each other
_FELT: Final = 0
_KNOWN: Final = 1
_THEIRS: Final = 2
_LEAST_SEEN_PX: Final = 60
_ALIKE: Final = 14.0  # mean colours of red and red chips differ by less, of black and green ones by more
_LEAST_TOLD: Final = 0.3  # of an outline that is not before other piles
_FINE_MM: Final = 0.75
_COARSE_MM: Final = 1.5
_ALONG_REACH_MM: Final = 9.0
_ACROSS_REACH_MM: Final = 6.0
_LOOSE_MM: Final = 3.0
_LOWER: Final = 3
_HIGHER: Final = 3
_MOSTLY: Final = 0.5
_DOUBT: Final = 1.2  # a difference of contrast that counts e times, where the bare felt is known
_DOUBT_UNKNOWN: Final = 3.0
_SURPRISE: Final = 0.03
_RING: Final = np.stack([np.cos(np.linspace(0, 2 * np.pi, 64)), np.sin(np.linspace(0, 2 * np.pi, 64))], axis=1)

Fit = tuple[tuple[float, float], int]
"""The foot's middle in millimetres and the number of chips."""
Pair = tuple[Fit, Fit]
"""Two piles, the nearer one first."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PileView:
    """What the picture shows around a pile.

    ``colours`` (h, w, 3): Lab. ``felt`` (h, w, 3): how unlike the bare felt it is in any shade, 1 where that is known,
    1 where another pile of the same colours is seen, so that an edge tells nothing.
    """

    camera: Camera
    origin_px: tuple[int, int]
    colours: Reals
    felt: Reals
    _outlines: dict[Fit, tuple[Floats, Floats]] = field(default_factory=dict)
    _alongs: dict[Fit, tuple[Floats, Floats]] = field(default_factory=dict)

    @classmethod
    def around(
        cls, frame: Frame, camera: Camera, felt: FeltView, fit: Fit, beside: Sequence[Fit] = ()
    ) -> PileView | None:
        """Return the view with room for a pile a little off or higher than the one given; None outside the picture.

        ``beside``: the other piles that stand there; before those of the same colours an edge tells nothing.
        """
        box = _box(camera, fit, frame.bgr.shape)
        x0, y0, x1, y1 = box
        if x1 - x0 < _LEAST_SIDE_PX or y1 - y0 < _LEAST_SIDE_PX:
            return None
        lab = cv2.cvtColor(np.ascontiguousarray(frame.bgr[y0:y1, x0:x1]), code=cv2.COLOR_BGR2LAB)
        colours = cv2.GaussianBlur(lab, ksize=(3, 3), sigmaX=0).astype(np.float32)
        unlike, known = felt.unlike(frame, box)
        own, *others = (_filled(_outline(camera, one)[0] - (x0, y0), known.shape) for one in (fit, *beside))
        theirs = np.zeros(known.shape, dtype=np.uint8)
        for other in others:
            theirs |= other if _are_alike(colours, own, other) else 0
        against = np.dstack([np.minimum(unlike, _MOST_CONTRAST), known, theirs]).astype(np.float32)
        return cls(camera=camera, origin_px=(x0, y0), colours=colours, felt=against)

    def contrast(self, fit: Fit) -> float:
        """Return the mean contrast across a pile's outline."""
        return float(_mean(self._along(fit)[0]))

    def outline(self, fit: Fit) -> tuple[Floats, Floats]:
        """Return points (n, 2) along a pile's outline, evenly spaced, and their outward directions (n, 2)."""
        if fit not in self._outlines:
            self._outlines[fit] = _outline(self.camera, fit)
        return self._outlines[fit]

    def best_near(self, fit: Fit, *, along_mm: float, across_mm: float, step_mm: float) -> tuple[float, Fit]:
        """Return the highest mean contrast of piles as high as this one that stand near, and that pile.

        Nearby the outline keeps its shape, so that it is only moved.
        """
        points, outward = self.outline(fit)
        axes = _directions(self.camera, fit[0])
        moved = [np.array([*(fit[0] + step), 0.0]) for step in (np.zeros(2), *axes)]
        here, *steps = self.camera.to_pixels(np.array(moved))
        ways = [np.arange(-reach, reach + step_mm / 2, step_mm) for reach in (along_mm, across_mm)]
        shifts = np.array(list(product(*ways)))
        every = points[None] + (shifts @ (np.array(steps) - here))[:, None]
        contrasts = _mean(self._contrasts(every, outward)[0])
        best = int(contrasts.argmax())
        place = np.asarray(fit[0]) + shifts[best] @ np.array(axes)
        return float(contrasts[best]), ((float(place[0]), float(place[1])), fit[1])

    def contrast_of_two(self, front: Fit, back: Fit) -> float:
        """Return the mean contrast across the outlines of two piles, one partly behind the other."""
        near, far = self.outline(front), self.outline(back)
        seen, before_felt = ~_within(far[0], near[0]), ~_within(near[0], far[0])
        (against_felt, against_other), (behind, _) = self._along(front), self._along(back)
        parts = [against_felt[before_felt], against_other[~before_felt], behind[seen]]
        return float(_mean(np.concatenate(parts)))

    def _along(self, fit: Fit) -> tuple[Floats, Floats]:
        """Contrasts along a pile's outline, see ``_contrasts``."""
        if fit not in self._alongs:
            self._alongs[fit] = self._contrasts(*self.outline(fit))
        return self._alongs[fit]

    def _contrasts(self, points: Floats, outward: Floats) -> tuple[Floats, Floats]:
        """Contrasts (…, n) of the inner to the outer side at points (…, n, 2) of an outline.

        The first if the outer side is felt, the second whatever it is; not a number before another pile.
        """
        local, reach = points - self.origin_px, outward * _REACH_PX
        both = np.stack([local - reach, local + reach]).astype(np.float32).reshape(2, -1, 2)
        (inner, outer), (inner_felt, outer_felt) = (
            cv2.remap(part, both, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            for part in (self.colours, self.felt)
        )
        gap = np.subtract(inner, outer, dtype=np.float64)
        colour = np.minimum(np.sqrt(gap[:, 0] ** 2 + gap[:, 1] ** 2 + gap[:, 2] ** 2), _MOST_CONTRAST)
        colour[outer_felt[:, _THEIRS] > _MOSTLY] = np.nan
        known = np.minimum(inner_felt[:, _KNOWN], outer_felt[:, _KNOWN]) > 0.99  # noqa: PLR2004
        better = _COLOUR_SHARE * colour + inner_felt[:, _FELT].astype(np.float64) - outer_felt[:, _FELT]
        against_felt = np.where(known, better, colour)  # not a number stays none in a sum
        return against_felt.reshape(points.shape[:-1]), colour.reshape(points.shape[:-1])


def _filled(outline: Floats, shape: tuple[int, ...]) -> Mask:
    mask: Mask = np.zeros(shape, dtype=np.uint8)
    cv2.fillPoly(mask, pts=[np.round(outline).astype(np.int32)], color=1)
    return mask


def _are_alike(colours: Reals, own: Mask, other: Mask) -> bool:
    """Whether two parts of a picture have about the same colours; what is in both belongs to the first."""
    alone = (other > 0) & (own == 0)
    if int(alone.sum()) < _LEAST_SEEN_PX or not own.any():
        return False
    return float(np.linalg.norm(colours[own > 0].mean(axis=0) - colours[alone].mean(axis=0))) < _ALIKE


def _mean(contrasts: Floats) -> Floats:
    """The mean along the last axis of what is a number; 0 if that is too little."""
    told = np.isfinite(contrasts)
    total = np.where(told, contrasts, 0.0).sum(axis=-1) / np.maximum(told.sum(axis=-1), 1)
    return np.asarray(np.where(told.mean(axis=-1) >= _LEAST_TOLD, total, 0.0))


def fit_pile(view: PileView, start: Fit, *, most: int = HIGHEST_STACK) -> Fit:
    """Return the foot and the number of chips, ``most`` at most, whose outline fits best, anywhere near ``start``."""
    fits = [fit for fit in _of_other_heights(view.camera, start) if fit[1] <= most] or [start]
    reach = {"along_mm": _ALONG_REACH_MM, "across_mm": _ACROSS_REACH_MM, "step_mm": _COARSE_MM}
    return _moved(view, *max(view.best_near(fit, **reach) for fit in fits), most=most)


def _moved(view: PileView, contrast: float, best: Fit, *, most: int) -> Fit:
    """The fit to which steps lead, each to the best pile near the last that is as high, or a chip higher or lower."""
    for _ in range(_STEPS):
        place, chips = best
        heights = [chips + more for more in _CHIPS if 1 <= chips + more <= most]
        near = [view.best_near((place, height), **_STEP_REACH) for height in heights]
        better, fit = max(near)
        if better <= contrast:
            break
        contrast, best = better, fit
    return best


def _of_other_heights(camera: Camera, fit: Fit) -> list[Fit]:
    """Piles a little lower and higher than one, each between the same foot and the same top."""
    return [_as_high(camera, fit, number)[1] for number in _numbers(fit)]


def _numbers(fit: Fit) -> range:
    """The numbers of chips that a pile may have instead."""
    return range(max(1, fit[1] - _LOWER), min(HIGHEST_STACK, fit[1] + _HIGHER) + 1)


def _as_high(camera: Camera, fit: Fit, number: int) -> tuple[Fit, Fit, Fit]:
    """A pile with another number of chips: on the same foot, in between, and with the same top."""
    (x, y), _ = fit
    (u, v), _ = higher = under_the_top(camera, fit, number)
    return ((x, y), number), (((x + u) / 2, (y + v) / 2), number), higher


def under_the_top(camera: Camera, fit: Fit, number: int) -> Fit:
    """Return the pile of so many chips that has its uppermost face where another one has."""
    (x, y), chips = fit
    u, v, _ = along_sight(camera, np.array([x, y, chips * CHIP_HEIGHT_MM]), number * CHIP_HEIGHT_MM)
    return (float(u), float(v)), number


def height_chances(view: PileView, fit: Fit) -> dict[int, float]:
    """Return how likely each number of chips is, by how sharp the best outline of a pile so high is.

    Args:
        view: What the picture shows.
        fit: Where the pile stands and how high it seems.
    """
    scores: dict[int, float] = {}
    for other in _of_other_heights(view.camera, fit):
        apart = float(np.hypot(other[0][0] - fit[0][0], other[0][1] - fit[0][1]))
        reach = {"along_mm": apart + _LOOSE_MM, "across_mm": _LOOSE_MM / 2, "step_mm": _FINE_MM}
        scores[other[1]], _ = view.best_near(other, **reach)
    return _chances(view, scores)


def heights_of_two(view: PileView, front: Fit, back: Fit) -> tuple[dict[int, float], dict[int, float]]:
    """Return the same for two piles in one line of sight, the nearer one first."""
    near, far = (
        {number: max(map(score, _as_high(view.camera, fit, number))) for number in _numbers(fit)}
        for fit, score in (
            (front, partial(view.contrast_of_two, back=back)),
            (back, partial(view.contrast_of_two, front)),
        )
    )
    return _chances(view, near), _chances(view, far)


def _chances(view: PileView, scores: Mapping[int, float]) -> dict[int, float]:
    """From the contrasts of outlines to the chances of the numbers of chips that they belong to."""
    doubt = _DOUBT if float(view.felt[..., 1].mean()) >= _MOSTLY else _DOUBT_UNKNOWN
    best = max(scores.values())
    weights = {number: np.exp((score - best) / doubt) for number, score in scores.items()}
    total = sum(weights.values())
    return {number: float((1 - _SURPRISE) * weight / total) for number, weight in weights.items()}


def split_pile(view: PileView, tall: Fit, *others: Fit) -> Pair | None:
    """Return two piles, the nearer one first, if they explain better what a tall one was taken for; else None.

    ``others``: where else and how high else the tall one may stand.
    """
    if min(tall[1], *(chips for _, chips in others), _LEAST_TALL) < _LEAST_TALL:
        return None
    pairs = {pair: contrast for start in {tall, *others} for pair, contrast in _pairs(view, start).items()}
    low = [max(pairs_so, key=lambda pair: pairs[pair]) for number in _LOW if (pairs_so := _numbered(pairs, number))]
    astray = [other for pair in low if (other := _best_aside(view, pair)) is not None]
    straight = sorted(filter(_are_apart, pairs), key=lambda pair: -pairs[pair])
    likely = [*straight[:1], *astray]
    if not likely:
        return None
    best = _climbed_pair(view, max(likely, key=lambda pair: view.contrast_of_two(*pair)))
    better = view.contrast_of_two(*best) >= view.contrast(tall) + _SPLIT_GAIN
    return best if better and _are_apart(best) and _shows(view, *best) else None


def before_standing(view: PileView, tall: Fit, standing: Sequence[Fit]) -> tuple[Fit, Fit] | None:
    """Return a pile before one that stood there before, if they explain what a tall one was taken for as well; or None.

    ``standing``: piles of which something was seen to look as before.
    """
    points, _ = view.outline(tall)
    pairs = [
        (_climbed(view.camera, (tall[0], chips), partial(view.contrast_of_two, back=back)), back)
        for back in standing
        if tall[1] >= _LEAST_TALL and _within(view.outline(back)[0], points).mean() >= _HIDES
        for chips in range(1, tall[1])
    ]
    pairs = [pair for pair in pairs if _shows(view, *pair)]
    best = max(pairs, key=lambda pair: view.contrast_of_two(*pair), default=None)
    return best if best is not None and view.contrast_of_two(*best) + _STANDS >= view.contrast(tall) else None


def _shows(view: PileView, front: Fit, back: Fit) -> bool:
    """Whether enough is seen of a pile behind another to say that it is there."""
    near, _ = view.outline(front)
    far, _ = view.outline(back)
    return bool(1 - _within(far, near).mean() >= _LEAST_SHOWN)


def _pairs(view: PileView, tall: Fit) -> dict[Pair, float]:
    """Two piles on the tall one's foot and under its top, with how well they explain it."""
    xy, chips = tall
    _, across = _directions(view.camera, xy)
    pairs: dict[Pair, float] = {}
    for near, aside in product(range(1, chips), _ASIDE_MM):
        for far in range(1, chips - near + 1):
            behind = along_sight(view.camera, np.array([*xy, chips * CHIP_HEIGHT_MM]), far * CHIP_HEIGHT_MM)[:2]
            place = behind + across * aside
            pair = ((xy, near), ((float(place[0]), float(place[1])), far))
            pairs[pair] = view.contrast_of_two(*pair)
    return pairs


def _are_apart(pair: Pair) -> bool:
    (one, _), (other, _) = pair
    return math.hypot(one[0] - other[0], one[1] - other[1]) >= _APART_MM


def _numbered(pairs: Iterable[Pair], numbers: tuple[int, int]) -> list[Pair]:
    """The pairs with these numbers of chips."""
    return [pair for pair in pairs if (pair[0][1], pair[1][1]) == numbers]


def _best_aside(view: PileView, pair: Pair) -> Pair | None:
    """The pair with the one behind where they explain best what is seen: two side by side look like one, too."""
    front, ((x, y), chips) = pair
    away, across = _directions(view.camera, front[0])
    places = [np.array([x, y]) + away * along + across * aside for along, aside in product(_ASTRAY_MM, _ASTRAY_MM)]
    apart = [place for place in places if np.hypot(*(place - front[0])) >= _APART_MM]
    pairs = [(front, ((float(place[0]), float(place[1])), chips)) for place in apart]
    return max(pairs, key=lambda one: view.contrast_of_two(*one), default=None)


def _climbed_pair(view: PileView, pair: Pair) -> Pair:
    for _ in range(_SPLIT_STEPS):
        before = front, back = pair
        front = _climbed(view.camera, front, partial(view.contrast_of_two, back=back))
        pair = front, _climbed(view.camera, back, partial(view.contrast_of_two, front))
        if pair == before:
            break
    return pair


def is_cut_off(outline_px: Floats, picture: Pixels) -> bool:
    """Return whether a pile reaches the border of its picture: how far it goes on beyond is not seen."""
    rows, columns = picture.shape[:2]
    low, high = outline_px.min(axis=0), outline_px.max(axis=0)
    return bool(low.min() < _BORDER_PX or columns - 1 - high[0] < _BORDER_PX or rows - 1 - high[1] < _BORDER_PX)


def along_sight(camera: Camera, point_mm: Floats, z_mm: float) -> Floats:
    """Return the point (3,) at a height that is seen where another is."""
    sight = point_mm - camera.centre_mm
    return np.asarray(point_mm + sight * (z_mm - point_mm[2]) / sight[2], dtype=np.float64)


def under_its_top(camera: Camera, xy_mm: tuple[float, float], chips: float, instead: int) -> Floats:
    """Return where (2,) a pile of other chips stands whose top is seen where that of the one at a place is."""
    top = np.array([*xy_mm, chips * CHIP_HEIGHT_MM])
    return along_sight(camera, top, instead * CHIP_HEIGHT_MM)[:2]


def _climbed(camera: Camera, start: Fit, score: Callable[[Fit], float]) -> Fit:
    """The fit one step away, or the start itself, that scores highest."""
    away, across = _directions(camera, start[0])
    (x, y), chips = start
    tried = {start: score(start)}
    for along, side, more in product(_ALONG_MM, _ACROSS_MM, _CHIPS):
        step = away * along + across * side
        fit = ((round(x + float(step[0]), 2), round(y + float(step[1]), 2)), chips + more)
        if fit not in tried and 1 <= fit[1] <= HIGHEST_STACK:
            tried[fit] = score(fit)
    return max(tried, key=lambda fit: tried[fit])


def _directions(camera: Camera, xy_mm: tuple[float, float]) -> tuple[Floats, Floats]:
    """Unit vectors on the felt, away from the camera and across its sight."""
    away = np.asarray(xy_mm) - camera.centre_mm[:2]
    away = away / max(1e-6, float(np.linalg.norm(away)))
    return away, np.array([-away[1], away[0]])


def hull_px(camera: Camera, fit: Fit) -> Floats:
    """Return the convex outline (n, 2) of a pile in the picture."""
    (x, y), chips = fit
    rings = np.zeros((2, len(_RING), 3))
    rings[..., :2] = _RING * CHIP_RADIUS_MM + (x, y)
    rings[1, :, 2] = chips * CHIP_HEIGHT_MM
    hull = cv2.convexHull(camera.to_pixels(rings.reshape(-1, 3)).astype(np.float32))
    return np.asarray(hull.reshape(-1, 2), dtype=np.float64)


def _outline(camera: Camera, fit: Fit) -> tuple[Floats, Floats]:
    """Points (n, 2) along the pile's outline in the picture, evenly spaced, and their outward directions."""
    hull = hull_px(camera, fit)
    closed = np.vstack([hull, hull[:1]])
    lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(closed, axis=0), axis=1))])
    at = np.linspace(0, lengths[-1], _POINTS, endpoint=False)
    points = np.stack([np.interp(at, lengths, closed[:, axis]) for axis in (0, 1)], axis=1)
    around = np.concatenate([points[-1:], points, points[:1]])
    tangent = around[2:] - around[:-2]
    tangent /= np.maximum(np.linalg.norm(tangent, axis=1, keepdims=True), 1e-9)
    normal = np.stack([tangent[:, 1], -tangent[:, 0]], axis=1)
    outward = normal * np.sign(((points - points.mean(axis=0)) * normal).sum(axis=1))[:, None]
    return points, outward


def _within(points: Floats, outline: Floats) -> NDArray[np.bool_]:
    """Which points (n, 2) lie inside a convex outline."""
    sides = np.roll(outline, -1, axis=0) - outline
    normals = np.stack([sides[:, 1], -sides[:, 0]])
    turns = points @ normals - (outline * normals.T).sum(axis=1)
    return np.asarray((turns > 0).all(axis=1) | (turns < 0).all(axis=1), dtype=np.bool_)


def _box(camera: Camera, fit: Fit, shape: tuple[int, ...]) -> tuple[int, int, int, int]:
    points, _ = _outline(camera, (fit[0], min(fit[1] + 2, HIGHEST_STACK)))
    (x0, y0), (x1, y1) = points.min(axis=0) - _MARGIN_PX, points.max(axis=0) + _MARGIN_PX
    return max(0, int(x0)), max(0, int(y0)), min(shape[1], int(x1)), min(shape[0], int(y1))


def pile_box_px(camera: Camera, xy_mm: tuple[float, float], chips: int) -> Floats:
    """Return the rectangle (4, 2) around a pile as the camera sees it, its sides along the upright."""
    turn = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    ring = np.stack([np.cos(turn), np.sin(turn)], axis=1) * CHIP_RADIUS_MM + np.asarray(xy_mm)
    height = chips * CHIP_HEIGHT_MM
    rings = [np.column_stack([ring, np.full(len(ring), z)]) for z in (0.0, height)]
    points = camera.to_pixels(np.vstack(rings))
    foot, above = camera.to_pixels([(*xy_mm, 0.0), (*xy_mm, 30.0)])
    up = (above - foot) / max(1e-6, float(np.linalg.norm(above - foot)))
    right = np.array([-up[1], up[0]])
    along, across = points @ up, points @ right
    corners = [(along.max(), across.min()), (along.max(), across.max())]
    corners += [(along.min(), across.max()), (along.min(), across.min())]
    return np.array([a * up + b * right for a, b in corners])
