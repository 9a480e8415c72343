"""Hands and sleeves: smooth unions of capsules, met by the camera's rays once per grip and direction.

A hand is built about its fingertips: ``a`` points from the wrist to the fingertips, ``b`` to the right seen from above
(a right hand; a left one is mirrored), ``z`` up. The sprites are moved over the picture afterwards.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from sample_footage.coverage import arm_height
from sample_footage.geometry import Camera, Floats
from sample_footage.paint.canvas import Reals
from sample_footage.paint.look import Bgr

Joint = tuple[float, float, float]
_CUFF_AT: Final = -218.0
_LAMP: Final = np.array((0.16, 0.26, 0.95), np.float32) / np.float32(np.linalg.norm((0.16, 0.26, 0.95)))
_STEPS: Final = 40
_TILE: Final = 40
_FINGER_R: Final = ((9.0, 8.3, 7.6, 6.8), (9.2, 8.5, 7.8, 7.0), (9.0, 8.2, 7.5, 6.8), (8.2, 7.4, 6.6, 6.0))
_THUMB_R: Final = (14.0, 10.8, 9.6, 8.2)


@dataclass(frozen=True, slots=True, kw_only=True)
class HandShape:
    """Joints of a hand: four fingers of knuckle, middle, end and tip; a thumb; the wrist."""

    fingers: tuple[tuple[Joint, Joint, Joint, Joint], ...]
    thumb: tuple[Joint, Joint, Joint, Joint]
    wrist: Joint


SHAPES: Final[dict[str, HandShape]] = {
    "flat": HandShape(
        fingers=(
            ((-84, -27, 26), (-46, -31, 21), (-25, -33, 15), (-8, -34, 9)),
            ((-80, -9, 28), (-37, -10, 23), (-14, -10, 16), (4, -10, 9)),
            ((-83, 9, 27), (-43, 11, 22), (-21, 12, 15), (-3, 13, 9)),
            ((-92, 25, 24), (-62, 31, 19), (-45, 34, 14), (-30, 36, 9)),
        ),
        thumb=((-148, -22, 26), (-116, -46, 21), (-90, -59, 15), (-66, -63, 10)),
        wrist=(-178, 0, 30),
    ),
    "card": HandShape(
        fingers=(
            ((-72, -26, 40), (-36, -25, 38), (-12, -21, 22), (0, -18, 8)),
            ((-68, -8, 43), (-28, -7, 41), (-3, -5, 24), (8, -4, 8)),
            ((-71, 10, 41), (-33, 12, 38), (-8, 12, 22), (3, 12, 8)),
            ((-80, 26, 36), (-50, 31, 32), (-32, 31, 20), (-24, 29, 9)),
        ),
        thumb=((-132, -24, 34), (-100, -44, 30), (-70, -48, 20), (-46, -42, 8)),
        wrist=(-164, 2, 42),
    ),
    "pinch": HandShape(
        fingers=(
            ((-58, -22, 62), (-20, -20, 62), (8, -14, 44), (19, -11, 20)),
            ((-54, -4, 65), (-13, -2, 65), (14, 1, 45), (23, 2, 19)),
            ((-57, 14, 62), (-18, 16, 60), (8, 15, 42), (17, 13, 20)),
            ((-66, 30, 56), (-36, 34, 52), (-16, 31, 38), (-8, 27, 22)),
        ),
        thumb=((-118, -24, 52), (-86, -44, 46), (-52, -42, 32), (-26, -24, 16)),
        wrist=(-148, 4, 62),
    ),
    "point": HandShape(
        fingers=(
            ((-88, -24, 36), (-46, -20, 36), (-22, -10, 24), (-2, -2, 8)),
            ((-86, -6, 38), (-52, -3, 44), (-46, -1, 22), (-62, 0, 12)),
            ((-89, 12, 36), (-58, 15, 41), (-53, 15, 20), (-68, 15, 12)),
            ((-97, 27, 32), (-72, 31, 35), (-67, 30, 18), (-80, 28, 12)),
        ),
        thumb=((-150, -20, 30), (-120, -40, 28), (-92, -42, 24), (-68, -32, 22)),
        wrist=(-182, 2, 36),
    ),
}


@dataclass(frozen=True, slots=True)
class Sprite:
    """A drawn hand (h, w, 4) and its shadow; ``tip``: where its fingertips are; ``px_per_mm``, ``degrees`` as drawn."""

    pixels: Reals
    shadow: Reals
    tip: tuple[float, float]
    px_per_mm: float
    degrees: float


@dataclass(frozen=True, slots=True)
class _Solid:
    """Round cones: ends (n, 3), radii (n,), and how softly each flows into its neighbours."""

    start: Reals
    end: Reals
    r_start: Reals
    r_end: Reals
    softness: Reals

    def only(self, parts: NDArray[np.intp]) -> _Solid:
        """Return the solid of those parts alone."""
        return _Solid(self.start[parts], self.end[parts], self.r_start[parts], self.r_end[parts], self.softness[parts])


def _solid(shape: HandShape, length_mm: float) -> _Solid:
    rows: list[tuple[Joint, Joint, float, float]] = []
    for finger, radii in zip(shape.fingers, _FINGER_R, strict=True):
        rows += [(finger[i], finger[i + 1], radii[i], radii[i + 1]) for i in range(3)]
        palm_end = (shape.wrist[0] + 16, shape.wrist[1] + (finger[0][1] - shape.wrist[1]) * 0.45, shape.wrist[2])
        rows.append((palm_end, finger[0], 15.0, 11.5))
    thumb = shape.thumb
    rows += [(thumb[i], thumb[i + 1], _THUMB_R[i], _THUMB_R[i + 1]) for i in range(3)]
    rows.append(((shape.wrist[0] + 8, shape.wrist[1] - 12, shape.wrist[2] - 4), thumb[0], 16.0, 14.0))
    for side in (-9.0, 9.0):
        wrist = (shape.wrist[0], shape.wrist[1] + side, shape.wrist[2])
        rows.append((wrist, _arm_point(_CUFF_AT - 20, side * 1.4), 19.0, 25.0))
    rows.append((_arm_point(_CUFF_AT, 0), _arm_point(_CUFF_AT - 40, 0), 37.0, 39.0))
    rows.append((_arm_point(_CUFF_AT - 34, 0), _arm_point(_CUFF_AT - 200, 0), 41.0, 50.0))
    if length_mm > 480:
        rows.append((_arm_point(_CUFF_AT - 200, 0), _arm_point(-length_mm, 0), 50.0, 64.0))
    return _Solid(
        start=np.array([row[0] for row in rows], np.float32),
        end=np.array([row[1] for row in rows], np.float32),
        r_start=np.array([row[2] for row in rows], np.float32),
        r_end=np.array([row[3] for row in rows], np.float32),
        softness=np.array([3.0 if row[2] < 10.9 else 11.0 for row in rows], np.float32),
    )


def _nails(shape: HandShape) -> Reals:
    ends = [*shape.fingers, shape.thumb]
    return np.array([_nail(finger[2], finger[3]) for finger in ends], np.float32)


def _arm_point(a: float, b: float) -> Joint:
    return a, b, float(arm_height(-a))


def _nail(end: Joint, tip: Joint) -> Joint:
    ahead = np.array(tip, float) - np.array(end, float)
    ahead /= np.linalg.norm(ahead)
    side = np.cross(ahead, [0.0, 1.0, 0.0])
    up = side if side[2] > 0 else -side
    x, y, z = (float(v) for v in np.array(tip) + ahead * 1.5 + up * 6.2)
    return x, y, z


def _distance(solid: _Solid, points: Reals) -> Reals:
    """Return the distance of points (n, 3) from the hand, its parts flowing into each other."""
    total = np.full(len(points), 1e3, np.float32)
    for i in range(len(solid.start)):
        far, soft = _part_distance(solid, i, points), solid.softness[i]
        overlap = np.maximum(soft - np.abs(total - far), 0.0)
        np.minimum(total, far, out=total)
        total -= overlap * overlap / (4.0 * soft)
    return total


def _part_distance(solid: _Solid, i: int, points: Reals) -> Reals:
    axis = solid.end[i] - solid.start[i]
    off = points - solid.start[i]
    along = np.clip(off @ (axis / float(axis @ axis)), 0.0, 1.0)
    off -= along[:, None] * axis
    far: Reals = np.sqrt(np.einsum("ij,ij->i", off, off)) - (
        solid.r_start[i] + along * (solid.r_end[i] - solid.r_start[i])
    )
    return far


@dataclass(frozen=True, slots=True)
class _Frame:
    """The hand's own axes in felt coordinates: ``basis`` rows a, b, z; ``origin`` the fingertips."""

    basis: Reals
    origin: Reals

    def inward(self, points: Any) -> Reals:
        """Felt points (n, 3) to hand coordinates."""
        own: Reals = ((points - self.origin) @ self.basis.T).astype(np.float32)
        return own

    def outward(self, points: Any) -> Floats:
        """Hand points (n, 3) to felt coordinates."""
        felt: Floats = np.asarray(points @ self.basis + self.origin, dtype=np.float64)
        return felt


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Whose hand it is: skin, sleeve, how much of the arm can come into the picture, and whether it is a left hand."""

    skin: Bgr
    sleeve: Bgr
    length_mm: float
    mirrored: bool


def draw_hand(camera: Camera, person: Person, *, grip: str, tip_mm: tuple[float, float], towards_deg: float) -> Sprite:
    """Draw a hand whose fingertips touch the felt point, pointing in the direction (counter-clockwise from +y)."""
    shape = SHAPES[grip]
    solid = _solid(shape, person.length_mm)
    frame = _Frame(basis=_basis(towards_deg, mirrored=person.mirrored), origin=np.array([*tip_mm, 0.0], np.float32))
    outline = camera.project(frame.outward(np.vstack([solid.start, solid.end]))).reshape(2, -1, 2)
    scale = camera.px_per_mm(tip_mm)
    margin = np.maximum(solid.r_start, solid.r_end) * scale * 1.2 + 10
    around = margin[None, :, None] + 24 * scale
    x0, y0 = (int(v) for v in np.floor((outline - around).min(axis=(0, 1))))
    x1, y1 = (int(v) for v in np.ceil((outline + around).max(axis=(0, 1))))
    picture = np.zeros((y1 - y0, x1 - x0, 3), np.float32)
    alpha = np.zeros((y1 - y0, x1 - x0), np.float32)
    hits: list[Floats] = []
    painter = _Painter(camera=camera, frame=frame, person=person, nails=_nails(shape), scale=scale)
    for top in range(y0, y1, _TILE):
        for left in range(x0, x1, _TILE):
            middle = np.array([left + _TILE / 2, top + _TILE / 2])
            parts = np.flatnonzero(_gap_px(outline, middle) < margin + 16 * scale + _TILE * 0.71)
            if len(parts):
                window = (slice(top - y0, min(top + _TILE, y1) - y0), slice(left - x0, min(left + _TILE, x1) - x0))
                met = painter.paint(solid.only(parts), (left, top), picture[window], alpha[window])
                hits.append(frame.outward(met[::3]))
    tip = camera.project([tip_mm])[0] - [x0, y0]
    shadow = _shadow(camera, np.vstack(hits), (x0, y0, x1, y1), scale)
    return Sprite(
        np.dstack([picture, alpha]),
        shadow,
        (float(tip[0]), float(tip[1])),
        scale,
        pointing_deg(camera, tip_mm, towards_deg),
    )


def _basis(towards_deg: float, *, mirrored: bool) -> Reals:
    a = math.radians(towards_deg)
    right = np.array([math.cos(a), math.sin(a), 0.0])
    rows = [(-math.sin(a), math.cos(a), 0.0), -right if mirrored else right, (0.0, 0.0, 1.0)]
    basis: Reals = np.array(rows, np.float32)
    return basis


def pointing_deg(camera: Camera, tip_mm: tuple[float, float], towards_deg: float) -> float:
    """Return the direction in the picture of a hand that points so at that place, in degrees from right, downwards."""
    a = math.radians(towards_deg)
    tip, back = camera.project([tip_mm, (tip_mm[0] + 100 * math.sin(a), tip_mm[1] - 100 * math.cos(a))])
    return math.degrees(math.atan2(float(tip[1] - back[1]), float(tip[0] - back[0])))


def _gap_px(outline: Floats, middle: Floats) -> Floats:
    """Distances in the picture of a point from the middle lines of all parts."""
    start, axis = outline[0], outline[1] - outline[0]
    length = np.maximum((axis * axis).sum(axis=1), 1e-6)
    along = np.clip(((middle - start) * axis).sum(axis=1) / length, 0, 1)
    gap: Floats = np.linalg.norm(middle - start - axis * along[:, None], axis=1)
    return gap


@dataclass(frozen=True, slots=True, kw_only=True)
class _Painter:
    """Marches the rays of a tile to the parts of the hand near it and colours what they meet."""

    camera: Camera
    frame: _Frame
    person: Person
    nails: Reals
    scale: float

    def paint(self, solid: _Solid, corner: tuple[int, int], picture: Reals, alpha: Reals) -> Reals:
        """Paint one tile in place; return the points met, in hand coordinates."""
        height, width = alpha.shape
        ys, xs = np.mgrid[0:height, 0:width]
        rays = self.camera.rays(np.stack([xs.ravel() + corner[0], ys.ravel() + corner[1]], axis=1).astype(np.float64))
        ahead = (rays @ self.frame.basis.T.astype(np.float64)).astype(np.float32)
        eye = self.frame.inward(self.camera.eye_mm[None])[0]
        reach, closest = self._march(solid, eye, ahead)
        cover = np.clip(1.0 - closest * self.scale, 0, 1).astype(np.float32)
        met = cover > 0
        points: Reals = eye + ahead[met] * reach[met, None]
        if len(points):
            colour = np.zeros((height * width, 3), np.float32)
            colour[met] = self._shaded(solid, points) * cover[met, None]
            picture[:] = colour.reshape(height, width, 3)
            alpha[:] = cover.reshape(height, width)
        return points

    @staticmethod
    def _march(solid: _Solid, eye: Reals, ahead: Reals) -> tuple[Reals, Reals]:
        highest = float(max((solid.start[:, 2] + solid.r_start).max(), (solid.end[:, 2] + solid.r_end).max())) + 6.0
        reach = ((eye[2] - highest) / -ahead[:, 2]).astype(np.float32)
        closest, best = np.full(len(ahead), 1e3, np.float32), reach.copy()
        alive = np.arange(len(ahead))
        for _ in range(_STEPS):
            points = eye + ahead[alive] * reach[alive, None]
            gap = _distance(solid, points)
            nearer = gap < closest[alive]
            closest[alive[nearer]], best[alive[nearer]] = gap[nearer], reach[alive[nearer]]
            reach[alive] += gap
            alive = alive[(gap > 0.02) & (points[:, 2] > -8.0)]
            if not len(alive):
                break
        return best, closest

    def _shaded(self, solid: _Solid, points: Reals) -> Reals:
        """Colour the points met: lamp from above, soft light from everywhere that the hand itself leaves open."""
        stuff = np.where(points[:, 0] > _CUFF_AT + 8, 0, np.where(points[:, 0] > _CUFF_AT - 26, 2, 1))
        here = _distance(solid, points)
        steps = np.eye(3, dtype=np.float32) * 0.7
        normal = np.stack([_distance(solid, points + step) - here for step in steps], axis=1)
        folds = np.sin(points[:, 0] * 0.11 + 2.2 * np.sin(points[:, 1] * 0.05))
        normal[:, 0] += np.where(stuff == 1, 0.10 * folds, 0.0)
        normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-6)
        open_ = np.zeros(len(points), np.float32)
        for step in (5.0, 12.0, 22.0):
            open_ += np.clip(_distance(solid, points + normal * step) / step, 0, 1) / 3
        facing = normal @ (self.frame.basis @ _LAMP)
        lit = 0.14 + 0.32 * open_ + 0.60 * np.clip(facing * 0.8 + 0.2, 0, 1) * (0.4 + 0.6 * open_)
        gleam = np.clip(facing, 0, 1) ** 20 * np.where(stuff == 0, 12.0, 0.0)
        body = _stuff_colour(points, stuff, self.person, self.nails)
        warm = np.where(stuff == 0, 1.0 - open_, 0.0)[:, None] * np.array((-0.05, -0.02, 0.05), np.float32)
        shaded: Reals = (body * (lit[:, None] + warm) + gleam[:, None]).astype(np.float32)
        return np.clip(shaded, 0, 250).astype(np.float32)


def _stuff_colour(points: Reals, stuff: NDArray[np.intp], person: Person, nails: Reals) -> Reals:
    colour = np.tile(np.array(person.skin, np.float32), (len(points), 1))
    blotch = np.sin(points[:, 0] * 0.09) * np.sin(points[:, 1] * 0.12 + 1.0) * np.sin(points[:, 2] * 0.1)
    colour *= 1.0 + 0.06 * blotch[:, None]
    red = np.exp(-(np.clip(points[:, 0] + 20, -60, 0) ** 2) / 900)[:, None]
    colour *= 1.0 + red * np.array((-0.05, -0.05, 0.02), np.float32)
    for nail in nails:
        near = np.linalg.norm(points - nail, axis=1)
        on = np.clip((4.4 - near) / 1.6, 0, 1)[:, None] * 0.34
        colour = colour * (1 - on) + np.array((196, 200, 226), np.float32) * on
    colour = np.where((stuff == 1)[:, None], np.array(person.sleeve, np.float32), colour)
    cuff = np.array(person.sleeve, np.float32) * 0.16 + 10
    colour = np.where((stuff == 2)[:, None], cuff, colour)
    return colour.astype(np.float32)


def _shadow(camera: Camera, hits_mm: Floats, bounds: tuple[int, int, int, int], scale: float) -> Reals:
    """Drop the points met onto the felt along the lamp's light and blur them."""
    x0, y0, x1, y1 = bounds
    fallen = hits_mm[:, :2] - hits_mm[:, 2:] * (_LAMP[:2] / _LAMP[2])
    pixels = np.round(camera.project(fallen) - [x0, y0]).astype(int)
    inside = (pixels >= 0).all(axis=1) & (pixels < [x1 - x0, y1 - y0]).all(axis=1)
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    mask[pixels[inside, 1], pixels[inside, 0]] = 255
    kernel = np.ones((5, 5), np.uint8)
    solid = cv2.morphologyEx(src=mask, op=cv2.MORPH_CLOSE, kernel=kernel)
    shadow: Reals = cv2.GaussianBlur(src=solid.astype(np.float32), ksize=(0, 0), sigmaX=5.5 * scale) * (0.5 / 255)
    return shadow
