"""Dice as solids: rounded cubes of some material, seen ray by ray, lit by one lamp."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.chip_geometry import Floats, FootCamera
from models.train.dice import PLACES
from models.train.dice_looks import TEXTURE_PX, DieLook

_STEPS: Final = 30
_NEAR: Final = 0.003  # half sides: on the surface
_LEFT: Final = 1.01  # half sides: outside the cube again
_PARALLEL: Final = 1e-6
_FAR: Final = 9.0  # where a face has no further pip
_BENT: Final = 1.4  # refraction

Single = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lamp:
    """Light that falls on dice: where from (3,), how much from everywhere, from the lamp, and how sharp highlights are.

    ``gain`` is the exposure, the same for all dice of a picture; ``mirror`` (3,) is what metal reflects: waves of
    light along this direction.
    """

    towards: Single
    ambient: float
    direct: float
    sharp: float
    gain: float
    mirror: Single


@dataclass(frozen=True, slots=True, kw_only=True)
class SolidDie:
    """A die that lies on the felt: middle (right, away) in mm, turn in radians, edge in mm, the values of its faces.

    ``faces`` are those of -x, +x, -y, +y, below and above; ``flips`` says which of them lie the other way.
    """

    place: tuple[float, float]
    turn: float
    side_mm: float
    faces: tuple[int, ...]
    flips: tuple[bool, ...]
    look: DieLook

    @property
    def corners_mm(self) -> Floats:
        """The corners (8, 3), the four on the felt first."""
        turns = self.turn + np.pi / 4 + np.arange(4) * np.pi / 2
        feet = np.asarray(self.place) + np.column_stack([np.cos(turns), np.sin(turns)]) * self.side_mm / np.sqrt(2)
        levels = [np.column_stack([feet, np.full(4, level)]) for level in (0.0, self.side_mm)]
        return np.vstack(levels)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Hits:
    """Rays that meet a die, in its own half sides: where (n, 3), normals and rays (n, 3), the faces met (n,)."""

    at: Single
    normal: Single
    ray: Single
    face: NDArray[np.intp]


def random_lamp(rng: np.random.Generator) -> Lamp:
    """Return light of any kind, from soft to a lamp close by; now and then too much of it."""
    around, up = rng.uniform(0, 2 * np.pi), rng.uniform(0.35, 1.0)
    flat = np.sqrt(max(1 - up**2, 0))
    ambient = rng.uniform(0.35, 0.85)
    mirror = rng.normal(0, 1, 3)
    return Lamp(
        towards=np.array([flat * np.cos(around), flat * np.sin(around), up], np.float32),
        ambient=ambient,
        direct=rng.uniform(0.15, 1.1 - ambient),
        sharp=float(np.exp(rng.uniform(np.log(6), np.log(90)))),
        gain=rng.uniform(1.0, 1.7) if rng.random() < 0.35 else rng.uniform(0.55, 1.15),
        mirror=(mirror / np.linalg.norm(mirror) * rng.uniform(1.5, 5)).astype(np.float32),
    )


def random_solid(
    rng: np.random.Generator, look: DieLook, *, place: tuple[float, float], turn: float, side_mm: float
) -> SolidDie:
    """Return a die that shows any face; opposite faces sum to seven."""
    above = int(rng.integers(1, 7))
    first, second = (int(v) for v in rng.permutation([v for v in (1, 2, 3) if v not in (above, 7 - above)]))
    first, second = (v if rng.random() < 0.5 else 7 - v for v in (first, second))
    faces = (7 - first, first, 7 - second, second, 7 - above, above)
    flips = tuple(bool(v) for v in rng.random(6) < 0.5)
    return SolidDie(place=place, turn=turn, side_mm=side_mm, faces=faces, flips=flips, look=look)


def draw_solid(
    frame: NDArray[np.uint8], camera: FootCamera, die: SolidDie, lamp: Lamp
) -> tuple[Floats, NDArray[np.bool_]]:
    """Draw a die; return the outline (n, 2) of its cube and which pixels (h, w) of the picture it covers."""
    hull = cv2.convexHull(camera.to_pixels(die.corners_mm).astype(np.float32))[:, 0].astype(np.float64)
    covered = np.zeros(frame.shape[:2], bool)
    low = np.maximum(np.floor(hull.min(axis=0)).astype(int) - 1, 0)
    high = np.minimum(np.ceil(hull.max(axis=0)).astype(int) + 2, frame.shape[1::-1])
    if (high <= low).any():
        return hull, covered
    size = high - low
    finer = 2 if size.max() < 64 else 1
    part = frame[low[1] : high[1], low[0] : high[0]]
    columns, rows = (np.arange(n * finer, dtype=np.float32) for n in size)
    x, y = np.meshgrid((columns + 0.5) / finer - 0.5 + low[0], (rows + 0.5) / finer - 0.5 + low[1])
    behind = cv2.resize(part, dsize=(x.shape[1], x.shape[0]), interpolation=cv2.INTER_LINEAR).astype(np.float32)
    seen, hits = _traced(camera, die, np.column_stack([x.ravel(), y.ravel()]))
    picture, alpha = behind.reshape(-1, 3), np.zeros(x.size, np.float32)
    if len(hits.at):
        pixel = 2.0 / (die.side_mm * camera.px_per_mm * finer)
        picture[seen] = _coloured(die, hits, lamp, picture[seen], pixel)
        alpha[seen] = 1.0
    small = cv2.resize(picture.reshape(*x.shape, 3), dsize=(int(size[0]), int(size[1])), interpolation=cv2.INTER_AREA)
    share = cv2.resize(alpha.reshape(x.shape), dsize=(int(size[0]), int(size[1])), interpolation=cv2.INTER_AREA)
    part[:] = np.where(share[..., None] > 0, small.clip(0, 255), part).astype(np.uint8)
    covered[low[1] : high[1], low[0] : high[0]] = share > 0.5
    return hull, covered


def _traced(camera: FootCamera, die: SolidDie, pixels: Floats) -> tuple[NDArray[np.intp], _Hits]:
    """The rays of pixels (n, 2) that meet the die, and where."""
    start, rays = _rays(camera, die, pixels)
    seen, enters = _through_cube(start, rays)
    rays = rays[seen]
    at = start + rays * enters[:, None]
    active, gap = np.arange(len(seen)), np.full(len(seen), 1.0, np.float32)
    here, towards = at, rays
    for _ in range(_STEPS):
        near = _distance(here, die.look)
        here = here + towards * near[:, None]
        at[active], gap[active] = here, near
        on = (near > _NEAR) & (np.abs(here).max(axis=1) < _LEFT)
        active, here, towards = active[on], here[on], towards[on]
        if not len(active):
            break
    met = gap <= _NEAR
    at, rays = at[met], rays[met]
    normal = _normals(at, die.look)
    axis = np.abs(at).argmax(axis=1)
    face = 2 * axis + (np.take_along_axis(at, axis[:, None], axis=1)[:, 0] > 0)
    return seen[met], _Hits(at=at, normal=normal, ray=rays, face=face)


def _through_cube(start: Single, rays: Single) -> tuple[NDArray[np.intp], Single]:
    """The rays that meet the cube around a die, which has no edge rounded yet, and how far along they enter it."""
    along = np.where(np.abs(rays) < _PARALLEL, np.float32(_PARALLEL), rays)
    first, second = (-1 - start) / along, (1 - start) / along
    enters, leaves = np.minimum(first, second).max(axis=1), np.maximum(first, second).min(axis=1)
    seen = np.flatnonzero(enters < leaves)
    return seen, enters[seen]


def _rays(camera: FootCamera, die: SolidDie, pixels: Floats) -> tuple[Single, Single]:
    """The camera (3,) and the unit rays (n, 3) of pixels, in the die's half sides."""
    cos, sin = np.cos(camera.roll), np.sin(camera.roll)
    across, down = ((pixels - camera.foot_px) @ np.array([[cos, -sin], [sin, cos]])).T
    right, up = (v / (camera.px_per_mm * camera.distance_mm) for v in (across, -down))
    rays = np.column_stack([right, up * camera.sine + camera.cosine, up * camera.cosine - camera.sine])
    rays /= np.linalg.norm(rays, axis=1, keepdims=True)
    eye = np.array([0.0, -camera.cosine, camera.sine]) * camera.distance_mm
    half = die.side_mm / 2
    turn = _turned(die.turn)
    start = (eye - np.array([*die.place, half])) / half
    return (start @ turn).astype(np.float32), (rays @ turn).astype(np.float32)


def _turned(turn: float) -> Floats:
    """From the felt's directions to the die's own: what rows are multiplied with."""
    cos, sin = np.cos(turn), np.sin(turn)
    return np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])


def _distance(at: Single, look: DieLook) -> Single:
    x, y, z = np.abs(at).T - np.float32(1 - look.rounding)
    outside = np.sqrt(np.maximum(x, 0) ** 2 + np.maximum(y, 0) ** 2 + np.maximum(z, 0) ** 2)
    box = outside + np.minimum(np.maximum(np.maximum(x, y), z), 0) - np.float32(look.rounding)
    ball = np.sqrt(np.einsum("ij,ij->i", at, at)) - np.float32(look.ball)
    return np.asarray(np.maximum(box, ball), np.float32)


def _normals(at: Single, look: DieLook) -> Single:
    out = np.maximum(np.abs(at) - np.float32(1 - look.rounding), 1e-6) * np.sign(at)
    box = np.sqrt((out**2).sum(axis=1)) - look.rounding
    ball = np.sqrt((at**2).sum(axis=1)) - look.ball
    normal = np.where((box >= ball)[:, None], out, at)
    return np.asarray(normal / np.linalg.norm(normal, axis=1, keepdims=True), np.float32)


def _pip_at(die: SolidDie, at: Single, face: NDArray[np.intp]) -> tuple[Single, Single, NDArray[np.intp]]:
    """How far points are from their face's nearest pip, in its radius; that offset (n, 2); the value's row."""
    middles = np.full((6, 6, 2), _FAR, np.float32)
    for number, (value, flip) in enumerate(zip(die.faces, die.flips, strict=True)):
        for pip, (u, v) in enumerate(PLACES[value]):
            middles[number, pip] = np.array((v, -u) if flip else (u, v)) * die.look.reach
    values = np.array(die.faces)[face] - 1
    others = np.array([[1, 2], [0, 2], [0, 1]])[face // 2]
    on_face = np.take_along_axis(at, others, axis=1)
    offsets = on_face[:, None] - middles[face]
    nearest = (offsets**2).sum(axis=2).argmin(axis=1)
    offset = offsets[np.arange(len(at)), nearest] / die.look.pips[values].astype(np.float32)[:, None]
    return np.sqrt((offset**2).sum(axis=1)), offset, values


def _coloured(die: SolidDie, hits: _Hits, lamp: Lamp, behind: Single, pixel: float) -> Single:
    """The colours (n, 3) that the rays see; ``pixel``: its size in half sides."""
    look = die.look
    far, offset, values = _pip_at(die, hits.at, hits.face)
    soft = pixel / look.pips[values]
    ink = np.clip((1 - far) / soft + 0.5, 0, 1)
    if look.ring:
        ink = ink * np.clip((far - look.ring) / soft + 0.5, 0, 1)
    normal = _hollowed(hits, offset, np.where(far < 1, look.hollow, 0.0))
    body = _body_at(look, hits)
    if look.clear:
        body = _seen_through(die, hits, body, behind)
    painted = ink[:, None].astype(np.float32)
    base = body * (1 - painted) + look.inks[values].astype(np.float32) * painted
    metal = look.metal * (1 - look.metal * painted[:, 0])
    return _lit(base, normal, hits.ray, _as_seen(lamp, die.turn), gloss=look.gloss, metal=metal)


def _hollowed(hits: _Hits, offset: Single, hollow: NDArray[np.floating]) -> Single:
    """Normals within drilled pips: they lean towards the pip's middle."""
    others = np.array([[1, 2], [0, 2], [0, 1]])[hits.face // 2]
    normal = hits.normal.copy()
    for side in range(2):
        np.put_along_axis(
            normal,
            others[:, side : side + 1],
            np.take_along_axis(normal, others[:, side : side + 1], axis=1)
            - (offset[:, side] * hollow).astype(np.float32)[:, None],
            axis=1,
        )
    return np.asarray(normal / np.linalg.norm(normal, axis=1, keepdims=True), np.float32)


def _body_at(look: DieLook, hits: _Hits) -> Single:
    others = np.array([[1, 2], [0, 2], [0, 1]])[hits.face // 2]
    on_face = np.take_along_axis(hits.at, others, axis=1)
    places = ((on_face * 0.45 + 0.5) * TEXTURE_PX).astype(int) + 17 * hits.face[:, None]
    mixed = look.texture[places[:, 0] % TEXTURE_PX, places[:, 1] % TEXTURE_PX][:, None]
    first, second = look.tones.astype(np.float32)
    return np.asarray(first * (1 - mixed) + second * mixed, np.float32)


def _seen_through(die: SolidDie, hits: _Hits, body: Single, behind: Single) -> Single:
    """The body of a clear die: the felt below it and the pips of the faces behind shine through."""
    facing = (hits.ray * hits.normal).sum(axis=1, keepdims=True)
    bent = hits.ray / _BENT - hits.normal * (facing / _BENT + np.sqrt(1 - (1 - facing**2) / _BENT**2))
    safe = np.where(np.abs(bent) < 1e-4, 1e-4, bent)
    until = (np.sign(safe) - hits.at) / safe
    axis = until.argmin(axis=1)
    out = hits.at + bent * np.take_along_axis(until, axis[:, None], axis=1)
    face = 2 * axis + (np.take_along_axis(bent, axis[:, None], axis=1)[:, 0] > 0)
    far, _, values = _pip_at(die, out.astype(np.float32), face)
    through = (far < 1)[:, None]
    inside = np.where(through, die.look.inks[values] * 0.6 + body * 0.4, body * (0.35 + behind / 300))
    return np.asarray(body * (1 - die.look.clear) + inside * die.look.clear, np.float32)


def _as_seen(lamp: Lamp, turn: float) -> Lamp:
    """A lamp in a die's own directions."""
    towards, mirror = ((vector @ _turned(turn)).astype(np.float32) for vector in (lamp.towards, lamp.mirror))
    return replace(lamp, towards=towards, mirror=mirror)


def _lit(base: Single, normal: Single, ray: Single, lamp: Lamp, *, gloss: float, metal: Single) -> Single:
    light = lamp.ambient * (0.75 + 0.25 * normal[:, 2]) + lamp.direct * np.maximum(normal @ lamp.towards, 0)
    mirrored = ray - 2 * (ray * normal).sum(axis=1, keepdims=True) * normal
    waves = 0.5 + 0.5 * np.sin(2 * mirrored @ lamp.mirror)
    light = light * (1 - 0.7 * metal) + metal * waves
    half = lamp.towards - ray
    half /= np.maximum(np.linalg.norm(half, axis=1, keepdims=True), 1e-6)
    spark = gloss * np.maximum((half * normal).sum(axis=1), 0) ** lamp.sharp
    return np.asarray((base * light[:, None] + 230 * spark[:, None]) * lamp.gain, np.float32)
