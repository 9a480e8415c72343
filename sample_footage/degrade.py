"""What goes wrong with real footage, put upon good footage: things in the way, lost frames, bad light, a pushed camera.

Everything follows from the seed. What lies on the felt, and when, stays as it was: the truth of the footage holds.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

Planes = NDArray[np.uint8]
"""A frame as planar YUV 4:2:0 (h * 3 / 2, w)."""
Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

KINDS: Final = ("occlusion", "drops", "bitrate", "flicker", "bump")
_COARSE: Final = 4  # things in the way are out of focus: drawn at a quarter of the size
_COLOURS: Final = ((52, 46, 44), (92, 88, 84), (40, 52, 96), (150, 140, 132))
_SKIN: Final = (118, 150, 204)
_SHAKE_MS: Final = 900.0
_FOCAL_PER_WIDTH: Final = 1.9
_GAP_EVERY_MS: Final = 9_000.0
_PASSING_EVERY_MS: Final = 7_000.0


class DegradeError(ValueError):
    """A kind of degradation that there is none of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passing:
    """An arm or a head that comes into the picture and leaves it, in shares of the picture's width."""

    start_ms: float
    end_ms: float
    root: tuple[float, float]
    reach: tuple[float, float]
    thick: float
    colour: tuple[int, int, int]
    has_hand: bool

    def tip_at(self, t_ms: float) -> tuple[float, float] | None:
        """Return where its end is, None while it is not in the picture."""
        if not self.start_ms <= t_ms <= self.end_ms:
            return None
        way = 0.35 * (self.end_ms - self.start_ms)
        share = min(1.0, (t_ms - self.start_ms) / way, (self.end_ms - t_ms) / way)
        (x0, y0), (x1, y1) = self.root, self.reach
        return x0 + share * (x1 - x0), y0 + share * (y1 - y0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bump:
    """A push against the camera: it shakes for a moment and looks elsewhere from then on. Angles in degrees."""

    at_ms: float
    pan: float
    tilt: float
    roll: float

    def angles_at(self, t_ms: float) -> tuple[float, float, float]:
        """Return pan, tilt and roll at a moment."""
        if t_ms < self.at_ms:
            return 0.0, 0.0, 0.0
        past = (t_ms - self.at_ms) / _SHAKE_MS
        shake = math.exp(-4 * past) * math.sin(2 * math.pi * 7 * past) if past < 1.5 else 0.0
        return self.pan + 0.5 * shake, self.tilt - 0.7 * shake, self.roll + 0.3 * shake


@dataclass(slots=True, kw_only=True)
class Degradation:
    """What happens to footage of a size and length; the same for the same seed and kinds."""

    kinds: frozenset[str]
    seed: int
    size: tuple[int, int]
    length_ms: float
    focal_px: float | None = None
    bump: Bump | None = field(init=False, default=None)
    passings: tuple[Passing, ...] = field(init=False, default=())
    gaps: tuple[tuple[float, float], ...] = field(init=False, default=())

    def __post_init__(self) -> None:
        unknown = sorted(self.kinds - set(KINDS))
        if unknown:
            msg = f"expected kinds of degradation among {', '.join(KINDS)}, found {unknown[0]!r:.40}"
            raise DegradeError(msg)
        if "occlusion" in self.kinds:
            self.passings = tuple(_passings(np.random.default_rng((self.seed, 1)), self.length_ms, self.size))
        if "drops" in self.kinds:
            self.gaps = tuple(_gaps(np.random.default_rng((self.seed, 2)), self.length_ms))
        if "bump" in self.kinds:
            self.bump = _bump(np.random.default_rng((self.seed, 3)), self.length_ms)

    def applied(self, frames: Iterable[tuple[int, Planes]]) -> Iterator[tuple[int, Planes]]:
        """Yield those frames that are not lost, with their times, as the bad camera shows them."""
        for number, (t_ms, planes) in enumerate(frames):
            if self._keeps(t_ms, number):
                yield t_ms, self._shown(t_ms, number, planes)

    def moved(self, t_ms: float) -> Floats:
        """Return the homography from the good camera's pixels to the bad one's at a moment."""
        if self.bump is None:
            return np.eye(3)
        width, height = self.size
        focal = self.focal_px or _FOCAL_PER_WIDTH * width
        matrix = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]])
        pan, tilt, roll = (math.radians(angle) for angle in self.bump.angles_at(t_ms))
        rotation, _ = cv2.Rodrigues(np.array([tilt, pan, roll]))
        warp = matrix @ rotation @ np.linalg.inv(matrix)
        homography: Floats = warp / warp[2, 2]
        return homography

    def _keeps(self, t_ms: float, number: int) -> bool:
        if "drops" not in self.kinds or number == 0:
            return True
        lost = np.random.default_rng((self.seed, 4, number)).random() < 0.06
        return not lost and not any(first <= t_ms < last for first, last in self.gaps)

    def _shown(self, t_ms: float, number: int, planes: Planes) -> Planes:
        if not self.kinds & {"occlusion", "flicker", "bump"}:
            return planes
        picture: Picture = cv2.cvtColor(src=planes, code=cv2.COLOR_YUV2BGR_I420)
        if self.bump is not None and t_ms >= self.bump.at_ms:
            picture = np.asarray(
                cv2.warpPerspective(
                    src=picture,
                    M=self.moved(t_ms),
                    dsize=self.size,
                    flags=cv2.INTER_LINEAR,
                    borderMode=cv2.BORDER_REPLICATE,
                ),
                dtype=np.uint8,
            )
        for passing in self.passings:
            picture = _in_the_way(picture, passing, t_ms)
        if "flicker" in self.kinds:
            picture = _flickered(picture, t_ms, np.random.default_rng((self.seed, 5, number)))
        shown: Planes = cv2.cvtColor(src=picture, code=cv2.COLOR_BGR2YUV_I420)
        return shown


def moved_truth(record: dict[str, Any], degradation: Degradation) -> dict[str, Any]:
    """Return the truth with its outlines where the bad camera sees them."""
    if degradation.bump is None:
        return record
    moments = []
    for moment in record["moments"]:
        warp = degradation.moved(moment["t_ms"][0])
        objects = [one | {"polygon_px": _warped(one["polygon_px"], warp)} for one in moment["objects"]]
        moments.append(moment | {"objects": objects})
    return record | {"moments": moments}


def _warped(polygon: list[list[float]], warp: Floats) -> list[list[float]]:
    points = cv2.perspectiveTransform(src=np.array([polygon], dtype=np.float64), m=warp)[0]
    warped: list[list[float]] = np.round(points, 1).tolist()
    return warped


def _passings(rng: np.random.Generator, length_ms: float, size: tuple[int, int]) -> Iterator[Passing]:
    high = size[1] / size[0]
    t_ms = float(rng.uniform(0.3, 1.0)) * _PASSING_EVERY_MS
    while t_ms < length_ms:
        lasts = float(rng.uniform(700, 3_500))
        across, is_arm = float(rng.uniform(0.1, 0.9)), bool(rng.random() < 0.7)
        reach = (float(np.clip(across + rng.normal(0, 0.12), 0.05, 0.95)), float(rng.uniform(0.3, 0.8)) * high)
        yield Passing(
            start_ms=t_ms,
            end_ms=t_ms + lasts,
            root=(across, 1.25 * high),
            reach=reach if is_arm else (across, 0.95 * high),
            thick=float(rng.uniform(0.03, 0.05)) if is_arm else float(rng.uniform(0.12, 0.2)),
            colour=_COLOURS[int(rng.integers(len(_COLOURS)))],
            has_hand=is_arm,
        )
        t_ms += lasts + float(rng.uniform(0.3, 1.7)) * _PASSING_EVERY_MS


def _gaps(rng: np.random.Generator, length_ms: float) -> Iterator[tuple[float, float]]:
    t_ms = float(rng.exponential(_GAP_EVERY_MS))
    while t_ms < length_ms:
        lasts = float(rng.uniform(150, 900))
        yield t_ms, t_ms + lasts
        t_ms += lasts + float(rng.exponential(_GAP_EVERY_MS))


def _bump(rng: np.random.Generator, length_ms: float) -> Bump:
    pan, tilt, roll = (rng.choice((-1.0, 1.0), 3) * rng.uniform(0.25, 0.6, 3)).tolist()
    return Bump(at_ms=length_ms * float(rng.uniform(0.45, 0.55)), pan=pan, tilt=tilt, roll=roll)


def _in_the_way(picture: Picture, passing: Passing, t_ms: float) -> Picture:
    tip = passing.tip_at(t_ms)
    if tip is None:
        return picture
    height, width = picture.shape[:2]
    small = (width // _COARSE, height // _COARSE)
    cover, colour = np.zeros(small[::-1], np.float32), np.full((*small[::-1], 3), passing.colour, np.float32)
    ends = [(round(x * small[0]), round(y * small[0])) for x, y in (passing.root, tip)]
    thick = max(2, round(2 * passing.thick * small[0]))
    cv2.line(img=cover, pt1=ends[0], pt2=ends[1], color=1.0, thickness=thick, lineType=cv2.LINE_AA)
    if passing.has_hand:
        cv2.circle(img=cover, center=ends[1], radius=round(0.65 * thick), color=1.0, thickness=-1)
        cv2.circle(img=colour, center=ends[1], radius=round(1.1 * thick), color=_SKIN, thickness=-1)
    cover = cv2.resize(src=cv2.GaussianBlur(src=cover, ksize=(0, 0), sigmaX=1.6), dsize=(width, height))
    colour = cv2.resize(src=cv2.GaussianBlur(src=colour, ksize=(0, 0), sigmaX=2.0), dsize=(width, height))
    mixed = picture + cover[..., None] * (colour - picture)
    return np.asarray(np.clip(mixed, 0, 255), dtype=np.uint8)


def _flickered(picture: Picture, t_ms: float, rng: np.random.Generator) -> Picture:
    """Light that pulses, bands that wander down the picture, and a step now and then."""
    rows = np.arange(picture.shape[0], dtype=np.float32) / picture.shape[0]
    bands = 0.045 * np.sin(2 * np.pi * (2.0 * rows + 0.0007 * t_ms))
    pulse = 0.035 * math.sin(2 * math.pi * 0.0031 * t_ms) + 0.015 * float(rng.normal())
    step = -0.1 if int(t_ms / 11_000) % 3 == 2 else 0.0
    level = (1.0 + bands + pulse + step).astype(np.float32)
    return np.asarray(np.clip(picture * level[:, None, None], 0, 255), dtype=np.uint8)
