"""The picture that a composer paints on, with a map of which object shows at each pixel."""

from __future__ import annotations

from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train.scene_camera import SceneCamera

Image = NDArray[np.uint8]
Points = NDArray[np.float64]
NOBODY: Final = 0


class Canvas:
    """A square BGR picture and, for each pixel, the number of the object that shows there."""

    def __init__(self, image_bgr: Image) -> None:
        self.image = image_bgr
        self.size = image_bgr.shape[0]
        self.ids = np.zeros(image_bgr.shape[:2], np.int16)

    def window(self, points: Points, margin: float = 2.0) -> tuple[int, int, int, int] | None:
        """Return (x0, y0, x1, y1) around points inside the picture, or None if they lie outside."""
        points = np.clip(points, -10 * self.size, 10 * self.size)
        low, high = points.min(axis=0) - margin, points.max(axis=0) + margin
        x0, y0 = max(0, int(low[0])), max(0, int(low[1]))
        x1, y1 = min(self.size, int(np.ceil(high[0]))), min(self.size, int(np.ceil(high[1])))
        return (x0, y0, x1, y1) if x1 - x0 >= 2 and y1 - y0 >= 2 else None

    def blend(self, window: tuple[int, int, int, int], colour: Image, alpha: Image, ident: int) -> None:
        """Lay a picture over a window where ``alpha`` is set; pixels more than half covered belong to ``ident``."""
        x0, y0, x1, y1 = window
        part = self.image[y0:y1, x0:x1]
        weight = alpha.astype(np.float32)[..., None] * np.float32(1 / 255)
        mixed = part + (colour.astype(np.float32) - part) * weight
        self.image[y0:y1, x0:x1] = mixed.astype(np.uint8)
        self.ids[y0:y1, x0:x1][alpha > 127] = ident

    def within_reach(self, points: Points) -> bool:
        """Say whether points lie in or near the picture, as those behind the camera do not."""
        return bool(np.abs(points).max() < 10 * self.size)

    def polygon(self, points: Points, colour: tuple[float, ...], ident: int) -> None:
        """Fill a polygon with one colour."""
        if not self.within_reach(points):
            return
        where = np.round(points * 16).astype(np.int32)
        cv2.fillPoly(self.image, [where], colour, lineType=cv2.LINE_AA, shift=4)
        cv2.fillPoly(self.ids, [where], ident, shift=4)

    def shade(self, points: Points, strength: float, softness: float) -> None:
        """Darken a soft-edged polygon, as a shadow does."""
        window = self.window(points, margin=3 * softness + 2)
        if window is None or strength == 0 or not self.within_reach(points):
            return
        x0, y0, x1, y1 = window
        mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
        cv2.fillPoly(mask, [np.round((points - (x0, y0)) * 16).astype(np.int32)], 255, shift=4)
        width = int(softness) * 2 + 1
        mask = cv2.blur(mask, (width, width))
        keep = 1.0 - mask.astype(np.float32)[..., None] * np.float32(strength / 255)
        self.image[y0:y1, x0:x1] = np.minimum(self.image[y0:y1, x0:x1] * keep, 255).astype(np.uint8)

    def warp(self, texture: Image, quad: Points, ident: int, gain: float = 1.0) -> None:
        """Lay a BGRA texture on four picture points (top left, top right, bottom right, bottom left)."""
        window = self.window(quad) if self.within_reach(quad) else None
        if window is None:
            return
        x0, y0, x1, y1 = window
        height, width = texture.shape[:2]
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        matrix = cv2.getPerspectiveTransform(corners, (quad - (x0, y0)).astype(np.float32))
        laid = cv2.warpPerspective(texture, matrix, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
        colour = laid[..., :3]
        if gain != 1.0:
            colour = cv2.convertScaleAbs(colour, alpha=gain)
        self.blend(window, colour, laid[..., 3], ident)

    def visible(self, ident: int) -> int:
        """Return at how many pixels an object shows."""
        return int(np.count_nonzero(self.ids == ident))


class Stage(NamedTuple):
    """What every drawing function needs: where it paints, through which camera, by which dice."""

    canvas: Canvas
    camera: SceneCamera
    rng: np.random.Generator
