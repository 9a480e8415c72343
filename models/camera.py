"""The camera of a table: felt millimetres to pixels and back, and what the picture is fine enough for.

Either the profile gives the full pinhole model with its distortion, or at least four felt points and where they are
seen; then square pixels and a principal point in the middle are assumed, and focal length and pose are solved.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from audit.table import CameraSpec, TableProfile, Zone
from models.cheque_size import CHIP_HEIGHT_MM

Floats = NDArray[np.float64]

INDEX_HEIGHT_MM: Final = 9.0  # rank letter of a standard index; jumbo ones are about twice as high
_FOCALS: Final = np.geomspace(0.35, 8.0, 60)  # of the picture's width: fisheye to long lens
_SOLVED_PX_PER_WIDTH: Final = 0.01  # a worse fit means that points were swapped or mistyped
_OPEN_PX: Final = 0.5  # fits that differ by less cannot be told apart in a picture
_OPEN_FOCALS: Final = 1.6  # longest over shortest focal length that fits: beyond it heights are guesses
_FLAT_MM: Final = 1e-6
_MANY_POINTS: Final = 512
_PLAIN_LENS: Final = 5  # terms of a lens' distortion; more are left to OpenCV


class CameraError(ValueError):
    """A camera that the given numbers do not describe; the message names the field, expected and found."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Camera:
    """A pinhole camera with lens distortion (OpenCV order), fixed over one table.

    ``reprojection_px`` is how far the given points lie from where the solved camera sees them, None for a full model.
    ``heights_known`` is False if the points leave the focal length open: places on the felt are right even then,
    heights above it are not. ``height_error`` is how far, as a share, heights may be off: the points are never exact,
    and other focal lengths fit nearly as well.
    """

    size: tuple[int, int]
    matrix: Floats
    distortion: Floats
    rotation: Floats
    translation: Floats
    reprojection_px: float | None = None
    heights_known: bool = True
    height_error: float = 0.0

    @cached_property
    def centre_mm(self) -> Floats:
        """Where the camera is, felt coordinates (3,)."""
        centre: Floats = -self.rotation.T @ self.translation
        return centre

    def to_pixels(self, points_mm: ArrayLike) -> Floats:
        """Map felt points (n, 3), or (n, 2) that lie on the felt, to pixels (n, 2)."""
        points = np.asarray(points_mm, dtype=np.float64)
        points = points.reshape(-1, points.shape[-1]) if points.size else points.reshape(0, 3)
        if points.shape[1] == 2:  # noqa: PLR2004 - x and y
            flat, points = points, np.zeros((len(points), 3))
            points[:, :2] = flat
        if not len(points):
            return np.empty((0, 2))
        if len(points) >= _MANY_POINTS and self.distortion.size <= _PLAIN_LENS:
            return self._projected(points)
        pixels, _ = cv2.projectPoints(points, self._rotation_vector, self.translation, self.matrix, self.distortion)
        return np.asarray(pixels, dtype=np.float64).reshape(-1, 2)

    def _projected(self, points_mm: Floats) -> Floats:
        """What ``cv2.projectPoints`` returns, without the derivatives that it works out for every point."""
        k1, k2, p1, p2, k3 = np.pad(self.distortion.ravel(), (0, _PLAIN_LENS - self.distortion.size))
        across, down, far = (self.rotation @ points_mm.T) + self.translation.reshape(3, 1)
        far[far == 0] = 1.0
        x, y = across / far, down / far
        r2, xy = x * x + y * y, 2 * x * y
        bent = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
        (fx, _, cx), (_, fy, cy) = self.matrix[:2]
        pixels = np.empty((len(points_mm), 2))
        pixels[:, 0] = fx * (x * bent + p1 * xy + p2 * (r2 + 2 * x * x)) + cx
        pixels[:, 1] = fy * (y * bent + p1 * (r2 + 2 * y * y) + p2 * xy) + cy
        return pixels

    def to_felt(self, points_px: ArrayLike, z_mm: float = 0.0) -> Floats:
        """Map pixels (n, 2) to the millimetres (n, 2) where their rays meet the height ``z_mm`` above the felt.

        A ray that never meets it (at or above the horizon) gives NaN.
        """
        points = np.asarray(points_px, dtype=np.float64).reshape(-1, 2)
        if not len(points):
            return np.empty((0, 2))
        flat = cv2.undistortPoints(points.reshape(-1, 1, 2), self.matrix, self.distortion).reshape(-1, 2)
        rays = flat @ self.rotation[:2] + self.rotation[2]
        centre = self.centre_mm
        meets = rays[:, 2] * (z_mm - centre[2]) > 0
        along = np.divide(z_mm - centre[2], rays[:, 2], out=np.full(len(rays), np.nan), where=meets)
        felt: Floats = centre[:2] + along[:, None] * rays[:, :2]
        return felt

    def px_per_mm(self, xy_mm: ArrayLike) -> float:
        """Pixels per millimetre at a point of the felt: the root of the area ratio."""
        x, y = np.asarray(xy_mm, dtype=np.float64)[:2]
        corners = self.to_pixels([(x, y), (x + 1, y), (x, y + 1)])
        across, along = corners[1] - corners[0], corners[2] - corners[0]
        return float(np.sqrt(abs(across[0] * along[1] - across[1] * along[0])))

    def chip_edge_px(self, xy_mm: ArrayLike, z_mm: float = 0.0) -> float:
        """Pixels between the lower and the upper rim of one chip that stands there."""
        x, y = np.asarray(xy_mm, dtype=np.float64)[:2]
        low, high = self.to_pixels([(x, y, z_mm), (x, y, z_mm + CHIP_HEIGHT_MM)])
        return float(np.linalg.norm(high - low))

    def index_px(self, xy_mm: ArrayLike) -> float:
        """Pixels of a standard card index's height there, along the direction in which the view is most oblique."""
        x, y = np.asarray(xy_mm, dtype=np.float64)[:2]
        corners = self.to_pixels([(x, y), (x + 1, y), (x, y + 1)])
        jacobian = np.column_stack([corners[1] - corners[0], corners[2] - corners[0]])
        return float(np.linalg.svd(jacobian, compute_uv=False)[-1] * INDEX_HEIGHT_MM)

    def elevation_deg(self, xy_mm: ArrayLike) -> float:
        """How high above the felt the camera stands as seen from the point: 90 is straight above."""
        x, y = np.asarray(xy_mm, dtype=np.float64)[:2]
        dx, dy, dz = self.centre_mm - (x, y, 0.0)
        return float(np.degrees(np.arctan2(dz, np.hypot(dx, dy))))

    def zone_px(self, zone: Zone, z_mm: float = 0.0) -> Floats:
        """Pixels (n, 2) of a zone's outline, lifted ``z_mm`` above the felt; long sides are bent as the lens bends."""
        corners = np.asarray(zone.polygon_mm, dtype=np.float64)
        ends = np.roll(corners, -1, axis=0)
        steps = np.linspace(0, 1, 8, endpoint=False)[None, :, None]
        outline = (corners[:, None] * (1 - steps) + ends[:, None] * steps).reshape(-1, 2)
        return self.to_pixels(np.column_stack([outline, np.full(len(outline), z_mm)]))

    @cached_property
    def _rotation_vector(self) -> Floats:
        vector, _ = cv2.Rodrigues(self.rotation)
        return np.asarray(vector, dtype=np.float64)


def camera_of(profile: TableProfile) -> Camera:
    """Return the camera of a profile.

    Raises:
        CameraError: if the profile has none, or if its numbers describe none.
    """
    if profile.camera is None:
        msg = "[camera]: expected the camera's model or four felt points and where they are seen, found none"
        raise CameraError(msg)
    return camera_from_spec(profile.camera)


def camera_from_spec(spec: CameraSpec) -> Camera:
    """Return the camera that the ``[camera]`` section describes.

    Raises:
        CameraError: for a rotation that is none, a camera under the felt, or points that no camera sees so.
    """
    camera = _given(spec) if spec.matrix is not None else _solved(spec)
    if camera.centre_mm[2] <= 0:
        msg = f"camera: expected it above the felt, found it {-camera.centre_mm[2]:.0f} mm below"
        raise CameraError(msg)
    return camera


def _given(spec: CameraSpec) -> Camera:
    rotation = np.array(spec.rotation, dtype=np.float64)
    if not np.allclose(rotation @ rotation.T, np.eye(3), atol=1e-3) or np.linalg.det(rotation) < 0:
        msg = "camera.rotation: expected three rows of a rotation matrix, found rows that are none"
        raise CameraError(msg)
    matrix = np.array(spec.matrix, dtype=np.float64)
    if matrix[0, 0] <= 0 or matrix[1, 1] <= 0 or not np.allclose(matrix[2], (0, 0, 1)):
        msg = "camera.matrix: expected [[fx, 0, cx], [0, fy, cy], [0, 0, 1]] with positive focal lengths, found another"
        raise CameraError(msg)
    return Camera(
        size=spec.image_size,
        matrix=matrix,
        distortion=np.array(spec.distortion, dtype=np.float64),
        rotation=rotation,
        translation=np.array(spec.translation, dtype=np.float64),
    )


def _solved(spec: CameraSpec) -> Camera:
    """Scan the focal length; the pose follows from the points at each."""
    points_mm = np.array([(*point, 0.0)[:3] for point in spec.points_mm], dtype=np.float64)
    points_px = np.array(spec.points_px, dtype=np.float64)
    _check_spread(points_mm, points_px)
    width = spec.image_size[0]
    fits = [_pose(points_mm, points_px, size=spec.image_size, focal=focal * width) for focal in _FOCALS]
    best = min(range(len(fits)), key=lambda i: fits[i][0])
    if not np.isfinite(fits[best][0]):
        msg = "camera.points_px: expected points as a camera above the felt sees them, found a mirrored or folded order"
        raise CameraError(msg)
    around = _FOCALS[max(best - 1, 0)], _FOCALS[min(best + 1, len(_FOCALS) - 1)]
    fine = [
        _pose(points_mm, points_px, size=spec.image_size, focal=focal * width) for focal in np.geomspace(*around, 81)
    ]
    error, camera = min(fine, key=lambda fit: fit[0])
    if camera is None or error > _SOLVED_PX_PER_WIDTH * width:
        msg = f"camera.points_px: expected points as one camera sees them, found a misfit of {error:.0f} px"
        raise CameraError(msg)
    as_good = [fit[1] for fit in [*fits, *fine] if fit[0] < error + _OPEN_PX and fit[1] is not None]
    widest = max(fit.matrix[0, 0] for fit in as_good) / min(fit.matrix[0, 0] for fit in as_good) if as_good else 1.0
    open_focal = bool(widest > _OPEN_FOCALS)
    as_good.sort(key=lambda one: float(one.matrix[0, 0]))
    chosen = as_good[len(as_good) // 2] if open_focal else camera
    height_error = _height_error(chosen, as_good, points_mm)
    return replace(chosen, reprojection_px=float(error), heights_known=not open_focal, height_error=height_error)


def _height_error(chosen: Camera, as_good: list[Camera], points_mm: Floats) -> float:
    """How much higher or lower, as a share, cameras that fit as well see a chip in the middle of the points."""
    middle = points_mm[:, :2].mean(axis=0)
    seen = chosen.chip_edge_px(middle)
    return max((abs(one.chip_edge_px(middle) / seen - 1) for one in as_good), default=0.0) if seen > 0 else 1.0


def _check_spread(points_mm: Floats, points_px: Floats) -> None:
    for name, points in (("points_mm", points_mm), ("points_px", points_px)):
        spread = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)
        if spread[1] < 0.02 * spread[0]:
            msg = f"camera.{name}: expected points that span an area, found them on one line"
            raise CameraError(msg)


def _pose(points_mm: Floats, points_px: Floats, *, size: tuple[int, int], focal: float) -> tuple[float, Camera | None]:
    """Return the root mean square error in pixels and the camera of that focal length; infinite if there is none."""
    matrix = np.array([[focal, 0, (size[0] - 1) / 2], [0, focal, (size[1] - 1) / 2], [0, 0, 1]])
    poses = [pose for method in _methods(points_mm) for pose in _poses(points_mm, points_px, matrix, flags=method)]
    best: tuple[float, Camera | None] = (float("inf"), None)
    for vector, translation in poses:
        camera = Camera(
            size=size,
            matrix=matrix,
            distortion=np.zeros(5),
            rotation=np.asarray(cv2.Rodrigues(vector)[0], dtype=np.float64),
            translation=np.asarray(translation, dtype=np.float64).ravel(),
        )
        error = float(np.sqrt(np.mean(np.sum((camera.to_pixels(points_mm) - points_px) ** 2, axis=1))))
        if camera.centre_mm[2] > 0 and error < best[0]:
            best = (error, camera)
    return best


def _methods(points_mm: Floats) -> tuple[int, ...]:
    """SQPNP takes any points; IPPE adds the second pose that a plane seen from afar allows."""
    flat = float(np.ptp(points_mm[:, 2])) < _FLAT_MM
    return (cv2.SOLVEPNP_SQPNP, cv2.SOLVEPNP_IPPE) if flat else (cv2.SOLVEPNP_SQPNP,)


def _poses(points_mm: Floats, points_px: Floats, matrix: Floats, *, flags: int) -> list[tuple[Any, Any]]:
    try:
        _, rotations, translations, _ = cv2.solvePnPGeneric(points_mm, points_px, matrix, None, flags=flags)
    except cv2.error:
        return []
    return list(zip(rotations, translations, strict=True))
