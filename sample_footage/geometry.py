"""The camera that films the table: a pinhole with mild lens distortion, felt millimetres to pixels and back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Camera:
    """A camera as a table profile states it: OpenCV's model, felt millimetres to camera by rotation and translation."""

    size: tuple[int, int]
    matrix: Floats
    distortion: Floats
    rotation: Floats
    translation: Floats

    @property
    def eye_mm(self) -> Floats:
        """Where the lens is, (3,), in felt millimetres."""
        eye: Floats = -self.rotation.T @ self.translation
        return eye

    def project(self, points_mm: Any) -> Floats:
        """Map felt points (n, 3), or (n, 2) on the felt, to pixels (n, 2)."""
        points = np.atleast_2d(np.asarray(points_mm, dtype=np.float64))
        if points.shape[1] == 2:
            points = np.hstack([points, np.zeros((len(points), 1))])
        rvec, _ = cv2.Rodrigues(src=self.rotation)
        pixels, _ = cv2.projectPoints(
            objectPoints=points.reshape(-1, 1, 3),
            rvec=rvec,
            tvec=self.translation,
            cameraMatrix=self.matrix,
            distCoeffs=self.distortion,
        )
        flat: Floats = pixels.reshape(-1, 2)
        return flat

    def rays(self, points_px: Floats) -> Floats:
        """Return the unit directions (n, 3), in felt coordinates, in which the camera sees the pixels (n, 2)."""
        flat = cv2.undistortPoints(
            src=np.asarray(points_px, dtype=np.float64).reshape(-1, 1, 2),
            cameraMatrix=self.matrix,
            distCoeffs=self.distortion,
        ).reshape(-1, 2)
        ahead = np.hstack([flat, np.ones((len(flat), 1))]) @ self.rotation
        unit: Floats = ahead / np.linalg.norm(ahead, axis=1, keepdims=True)
        return unit

    def to_plane(self, points_px: Floats, *, z_mm: float = 0.0) -> Floats:
        """Map pixels (n, 2) to the points (n, 2) where their rays meet the plane at that height above the felt."""
        rays, eye = self.rays(points_px), self.eye_mm
        reach = (z_mm - eye[2]) / rays[:, 2]
        on_plane: Floats = (eye + rays * reach[:, None])[:, :2]
        return on_plane

    def px_per_mm(self, point_mm: Any) -> float:
        """Pixels per millimetre across the picture at a felt point (2,) or (3,)."""
        x, y, *z = (float(v) for v in point_mm)
        height = z[0] if z else 0.0
        pair = self.project([[x - 5, y, height], [x + 5, y, height]])
        return float(np.linalg.norm(pair[1] - pair[0])) / 10

    def scaled_to(self, size: tuple[int, int]) -> Camera:
        """Return the same camera giving a picture of another size (of the same shape)."""
        factor = size[0] / self.size[0]
        matrix = self.matrix.copy()
        matrix[:2] *= factor
        return Camera(
            size=size,
            matrix=matrix,
            distortion=self.distortion,
            rotation=self.rotation,
            translation=self.translation,
        )


def looking_at(
    *,
    eye_mm: tuple[float, float, float],
    target_mm: tuple[float, float, float],
    focal_px: float,
    size: tuple[int, int],
    distortion: tuple[float, ...],
) -> Camera:
    """Return a camera at ``eye_mm`` whose picture's middle is ``target_mm``, the horizon level."""
    eye, target = np.array(eye_mm), np.array(target_mm)
    ahead = (target - eye) / np.linalg.norm(target - eye)
    right = np.cross(ahead, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    rotation = np.stack([right, np.cross(ahead, right), ahead])
    return Camera(
        size=size,
        matrix=np.array([[focal_px, 0, size[0] / 2], [0, focal_px, size[1] / 2], [0, 0, 1.0]]),
        distortion=np.array(distortion, dtype=np.float64),
        rotation=rotation,
        translation=-rotation @ eye,
    )
