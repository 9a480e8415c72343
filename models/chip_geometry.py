"""Chips of the trade, and where a stack of them stands in a picture.

A stack is a cylinder on the felt. Its side, seen in any camera, is unrolled into a strip with the felt below and the
sky above: one chip is always ``ROWS_PER_CHIP`` rows, whatever the camera. Heights are millimetres over the felt.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from models.backdrop import LIKE
from models.cheque_size import CHIP_DIAMETER_MM, CHIP_HEIGHT_MM, CHIP_RADIUS_MM, HIGHEST_STACK

COLOURS: Final = ("blue", "white", "pink", "red", "green", "black", "purple", "orange", "grey", "teal")
"""The manual's colours, by rising value."""

ROWS_PER_CHIP: Final = 8
STRIP_COLUMNS: Final = 32
STRIP_ROWS: Final = 27 * ROWS_PER_CHIP
STRIP_REACH: Final = 1.15
"""Half the strip's width, in chip radii."""
CHIPS_BELOW: Final = 2.5
"""How far the strip reaches below the expected foot, in chips."""
TOP_PX: Final = 48
STEPS: Final = STRIP_ROWS // 2
"""Positions at which the strip reader answers, bottom to top."""
STEPS_PER_CHIP: Final = ROWS_PER_CHIP // 2
_STEEPEST_TAN: Final = 5.0
_LEVELS: Final = 10
_SHORTEST_PX: Final = 1e-3
_SQUARE: Final = 1.15
_LEANING_BOX: Final = 0.45

Floats = NDArray[np.float64]


class SeesPoints(Protocol):
    """What is asked of a camera: the pixels (n, 2) of points (n, 3) in millimetres, and the felt under pixels."""

    def to_pixels(self, points_mm: Floats) -> Floats:
        """Map points (n, 3) to pixels (n, 2)."""

    def to_felt(self, points_px: Floats) -> Floats:
        """Map pixels (n, 2) to points of the felt (n, 2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FootCamera:
    """A pinhole camera that looks at one foot of a stack: origin there, x right in the view, y away, z up.

    ``sine`` and ``cosine`` are of the elevation, but need not belong together where a picture has been squeezed.
    ``roll`` turns clockwise, in radians.
    """

    foot_px: Floats
    px_per_mm: float
    sine: float
    cosine: float
    roll: float = 0.0
    distance_mm: float = 1500.0

    def to_pixels(self, points_mm: Floats) -> Floats:
        """Map points (n, 3) to pixels (n, 2)."""
        x, away, z = points_mm.T
        scale = self.px_per_mm * self.distance_mm / (self.distance_mm + away * self.cosine - z * self.sine)
        return self._turned(x * scale, -(z * self.cosine + away * self.sine) * scale)

    def to_felt(self, points_px: Floats) -> Floats:
        """Map pixels (n, 2) to points of the felt (n, 2)."""
        cos, sin = np.cos(self.roll), np.sin(self.roll)
        across, down = ((points_px - self.foot_px) @ np.array([[cos, -sin], [sin, cos]])).T / self.px_per_mm
        away = -down * self.distance_mm / (self.sine * self.distance_mm + down * self.cosine)
        return np.stack([across * (1 + away * self.cosine / self.distance_mm), away], axis=1)

    def _turned(self, x: Floats, y: Floats) -> Floats:
        cos, sin = np.cos(self.roll), np.sin(self.roll)
        return np.stack([cos * x - sin * y, sin * x + cos * y], axis=1) + self.foot_px


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """Where a stack stands, as its box says.

    ``base_mm``: centre of the bottom circle (2,); ``away`` and ``right``: unit vectors on the felt (2,), seen from
    the camera; ``tangent``: of the elevation; ``chips_hint``: how many chips high the box is; ``calibrated``: False
    where the camera was guessed from the box.
    """

    base_mm: Floats
    away: Floats
    right: Floats
    tangent: float
    px_per_edge: float
    px_per_mm: float
    chips_hint: float
    calibrated: bool

    def side_points(self, columns: Floats, heights_mm: Floats) -> Floats:
        """Points (heights, columns, 3) of the cylinder's visible side; columns in radii, beyond 1 they go on flat."""
        towards = np.sqrt(np.clip(1 - columns**2, 0, 1))
        ground = CHIP_RADIUS_MM * (columns[:, None] * self.right - towards[:, None] * self.away) + self.base_mm
        points = np.empty((len(heights_mm), len(columns), 3))
        points[..., :2] = ground
        points[..., 2] = heights_mm[:, None]
        return points


def box_extent(polygon_px: Floats, up: Floats) -> tuple[Floats, float, float]:
    """Return the centre, half height along ``up`` and half width of a four-cornered box.

    The extent is that of the ellipse in the box, so that a box turned around a single chip measures the chip.
    """
    centre = polygon_px.mean(axis=0)
    first = (polygon_px[0] + polygon_px[1] - polygon_px[2] - polygon_px[3]) / 4
    second = (polygon_px[1] + polygon_px[2] - polygon_px[3] - polygon_px[0]) / 4
    right = np.array([-up[1], up[0]])
    return centre, float(np.hypot(first @ up, second @ up)), float(np.hypot(first @ right, second @ right))


def place_stack(polygon_px: Floats, camera: SeesPoints) -> Placement:
    """Return where the stack in a box (4, 2) stands, for a calibrated camera."""
    centre = polygon_px.mean(axis=0)
    base = camera.to_felt(centre[None])[0]
    away, right, tangent, jacobian = _view_at(base, camera)
    up = _unit(jacobian[:, 2], otherwise=np.array([0.0, -1.0]))
    middle, half_height, _ = box_extent(polygon_px, up)
    front_px = middle - up * half_height
    base = camera.to_felt(front_px[None])[0] + away * CHIP_RADIUS_MM
    away, right, tangent, jacobian = _view_at(base, camera)
    far = base + away * CHIP_RADIUS_MM
    levels = np.array([0.0, HIGHEST_STACK * CHIP_HEIGHT_MM])
    reach = (camera.to_pixels(np.array([[*far, z] for z in levels])) - front_px) @ up
    per_mm = max(float(reach[1] - reach[0]) / levels[1], 1e-3)
    return Placement(
        base_mm=base,
        away=away,
        right=right,
        tangent=tangent,
        px_per_edge=float(np.linalg.norm(jacobian[:, 2])) * CHIP_HEIGHT_MM,
        px_per_mm=float(np.linalg.norm(jacobian[:, :2] @ right)),
        chips_hint=float(np.clip((2 * half_height - reach[0]) / per_mm / CHIP_HEIGHT_MM, 0.5, 24.0)),
        calibrated=True,
    )


def guess_camera(polygon_px: Floats, sine: float) -> tuple[FootCamera, Placement]:
    """Return the camera and the place of a stack that only its box (4, 2) and its top's flatness tell of.

    Args:
        polygon_px: the box; its sides nearest to the vertical are taken as upright.
        sine: short by long axis of the uppermost face.
    """
    up = _upright(polygon_px)
    middle, half_height, half_width = box_extent(polygon_px, up)
    scale = half_width / CHIP_RADIUS_MM
    sine = float(np.clip(sine, 0.15, 0.985))
    cosine = float(np.sqrt(1 - sine**2))
    foot = middle - up * (half_height - sine * half_width)
    camera = FootCamera(
        foot_px=foot, px_per_mm=scale, sine=sine, cosine=cosine, roll=float(np.arctan2(up[0], -up[1])), distance_mm=1e6
    )
    height_px = 2 * half_height - 2 * sine * half_width
    placement = Placement(
        base_mm=np.zeros(2),
        away=np.array([0.0, 1.0]),
        right=np.array([1.0, 0.0]),
        tangent=min(sine / cosine, _STEEPEST_TAN),
        px_per_edge=cosine * scale * CHIP_HEIGHT_MM,
        px_per_mm=scale,
        chips_hint=float(np.clip(height_px / (cosine * scale * CHIP_HEIGHT_MM), 0.5, 24.0)),
        calibrated=False,
    )
    return camera, placement


def side_places(camera: SeesPoints, place: Placement) -> NDArray[np.float32]:
    """Return where the camera sees the points (rows, columns, 2) of a stack's side, finer than the strip will be."""
    finer = int(np.clip(round(place.px_per_mm * CHIP_DIAMETER_MM / STRIP_COLUMNS), 1, 4))
    count = STRIP_COLUMNS * finer
    columns = ((np.arange(count) + 0.5) / count * 2 - 1) * STRIP_REACH
    rows = (np.arange(STRIP_ROWS) + 0.5) / ROWS_PER_CHIP - CHIPS_BELOW
    levels = np.linspace(rows[0], rows[-1], num=_LEVELS)
    points = place.side_points(columns, levels * CHIP_HEIGHT_MM)
    seen = camera.to_pixels(points.reshape(-1, 3)).reshape(_LEVELS, count * 2)
    share = (rows - levels[0]) / (levels[1] - levels[0])
    low = np.minimum(share.astype(int), _LEVELS - 2)
    part = (share - low)[:, None]
    where = seen[low] * (1 - part) + seen[low + 1] * part
    return np.asarray(where.reshape(STRIP_ROWS, count, 2), dtype=np.float32)


def unrolled_side(frame_bgr: NDArray[np.uint8], where_px: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Return what a picture shows at ``side_places`` as a strip (STRIP_ROWS, STRIP_COLUMNS, 3); row 0 is lowest."""
    strip = cv2.remap(frame_bgr, where_px, None, interpolation=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return strip_of(np.asarray(strip, dtype=np.uint8))


def strip_of(fine: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return what was seen at ``side_places`` (rows, columns, 3) as a strip (STRIP_ROWS, STRIP_COLUMNS, 3)."""
    if fine.shape[1] == STRIP_COLUMNS:
        return fine
    size = (STRIP_COLUMNS, STRIP_ROWS)
    return np.asarray(cv2.resize(fine, dsize=size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def top_view(frame_bgr: NDArray[np.uint8], polygon_px: Floats, up: Floats) -> NDArray[np.uint8]:
    """Return the square (TOP_PX, TOP_PX, 3) that hangs from the upper side of a stack's box and is as wide as it."""
    middle, half_height, half_width = box_extent(polygon_px, up)
    right = np.array([-up[1], up[0]])
    side = 2 * half_width * _SQUARE
    corner = middle + up * (half_height + half_width * (_SQUARE - 1)) - right * side / 2
    finer = int(np.clip(round(side / TOP_PX), 1, 4))
    step = side / (TOP_PX * finer)
    matrix = np.column_stack([right * step, -up * step, corner + (right - up) * step / 2])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (TOP_PX * finer, TOP_PX * finer)
    view = cv2.warpAffine(frame_bgr, matrix, dsize=size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.resize(view, dsize=(TOP_PX, TOP_PX), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def upward(polygon_px: Floats, camera: SeesPoints | None) -> Floats:
    """Return the picture's direction (2,) of the vertical at a box."""
    if camera is None:
        return _upright(polygon_px)
    base = camera.to_felt(polygon_px.mean(axis=0)[None])[0]
    return _unit(_jacobian(base, camera)[:, 2], otherwise=np.array([0.0, -1.0]))


def _jacobian(base: Floats, camera: SeesPoints) -> Floats:
    """Pixels per millimetre along x, y and z at a point of the felt (2, 3)."""
    step = 2.0
    here = np.array([*base, 0.0])
    low, high = camera.to_pixels(here - step * np.eye(3)), camera.to_pixels(here + step * np.eye(3))
    return np.asarray((high - low).T / (2 * step), dtype=np.float64)


def _view_at(base: Floats, camera: SeesPoints) -> tuple[Floats, Floats, float, Floats]:
    """Away from the camera and right of it on the felt, tangent of the elevation, pixels per millimetre."""
    jacobian = _jacobian(base, camera)
    sight = np.cross(jacobian[0], jacobian[1])
    sight = sight if sight[2] > 0 else -sight
    flat = float(np.hypot(sight[0], sight[1]))
    towards = sight[:2] / flat if flat > 1e-9 * float(sight[2]) else np.array([0.0, 1.0])
    right = np.array([-towards[1], towards[0]])
    mirrored = float(np.linalg.det(jacobian[:, :2])) > 0
    right = -right if mirrored else right
    return -towards, right, min(float(sight[2]) / max(flat, 1e-9), _STEEPEST_TAN), jacobian


def _unit(vector: Floats, *, otherwise: Floats) -> Floats:
    length = float(np.linalg.norm(vector))
    return np.asarray(vector / length, dtype=np.float64) if length > _SHORTEST_PX else otherwise


def _upright(polygon_px: Floats) -> Floats:
    """The box's side nearest to the vertical; the vertical itself for a square box or one that leans much."""
    sides = (polygon_px[1] - polygon_px[0], polygon_px[2] - polygon_px[1])
    lengths = sorted(float(np.linalg.norm(side)) for side in sides)
    best = max(sides, key=lambda side: abs(float(side[1])))
    up = -best * np.sign(best[1]) / max(float(np.linalg.norm(best)), 1e-6)
    if lengths[1] < 1.12 * lengths[0] or abs(float(up[0])) > _LEANING_BOX:
        return np.array([0.0, -1.0])
    return np.asarray(up, dtype=np.float64)


def both_sides(strip: NDArray[np.uint8], codes: NDArray[np.uint8], tangent: float) -> NDArray[np.uint8]:
    """Return near and far side of a strip (rows, columns, 3) as channels (10, rows, columns), five of each.

    On the far side the far rim of the uppermost face is level, as the near rim is on the near side. Rows that the strip
    does not reach are grey there. Each side has its three colours and two codes against the bare felt, see
    ``models.backdrop.against`` for ``codes`` (rows, columns, 3).
    """
    near = np.concatenate([strip, codes[..., :2]], axis=2)
    columns = ((np.arange(STRIP_COLUMNS) + 0.5) / STRIP_COLUMNS * 2 - 1) * STRIP_REACH
    depth = 2 * CHIP_RADIUS_MM * np.sqrt(np.clip(1 - columns**2, 0, 1))
    shift = np.round(depth * tangent / CHIP_HEIGHT_MM * ROWS_PER_CHIP).astype(int)
    padded = np.concatenate([near, np.full((int(shift.max()) + 1, STRIP_COLUMNS, 5), 128, np.uint8)])
    far = padded[np.minimum(np.arange(STRIP_ROWS)[:, None] + shift, len(padded) - 1), np.arange(STRIP_COLUMNS)]
    return np.ascontiguousarray(np.concatenate([near, far], axis=2).transpose(2, 0, 1))


def side_facts(place: Placement, codes: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return what geometry tells the reader of a strip (5, STEPS).

    Rows: 1 where the box says that the stack is; height over the box's height; fineness of the edges; known camera;
    share of the row whose bare felt is known (the last of the ``codes``).
    """
    heights = (np.arange(STEPS) + 0.5) / STEPS_PER_CHIP - CHIPS_BELOW
    facts = np.empty((5, STEPS), np.float32)
    facts[0] = (heights > 0) & (heights < place.chips_hint)
    facts[1] = (heights / place.chips_hint).clip(-1, 3) / 2
    facts[2] = np.log(np.clip(place.px_per_edge, 0.3, 30)) / 2
    facts[3] = 1.0 if place.calibrated else -1.0
    facts[4] = codes[..., 2].reshape(STEPS, -1).mean(axis=1) / 255
    return facts


NOTHING_KNOWN: Final = np.full((STRIP_ROWS, STRIP_COLUMNS, 3), (LIKE, LIKE, 0), np.uint8)
"""The codes of a strip of which the bare felt is not known."""
