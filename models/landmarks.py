"""What of the table stays where it is, print above all: found again, it tells how the camera's view has moved.

Points are tracked from a reference picture to the present one on pictures freed of the light; most of them must agree
on one homography, and they must be spread over the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np

from audit.table import TableProfile
from models.camera import Camera, Floats
from models.frames import Pixels
from models.motion import Mask

_WIDTH: Final = 960
_MOST: Final = 500
_LEAST: Final = 40
_QUALITY: Final = 0.02
_APART_PX: Final = 9
_SHARP: Final = 0.002  # of a corner; noise alone makes corners of 0.001
_CONTRAST: Final = 3.0
_LIGHT_PX: Final = 15
_WINDOW: Final = (21, 21)
_BACK_PX: Final = 0.7  # a point tracked there and back ends this near
_FITS_PX: Final = (0.4, 1.0)  # the second where noise leaves too few points for the first
_STILL_PX: Final = 0.25  # a point as near as that to where it is expected has not moved
_STILL_SHARE: Final = 0.5
_LEAST_FIT: Final = 24
_FIT_SHARE: Final = 0.35
_SPREAD_SHARE: Final = 0.2
_FEATURES: Final = 1500
_RATIO: Final = 0.8
_COARSE_PX: Final = 5.0
_FEW_MATCHES: Final = 12
_ROOM_MM: Final = 120.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fit:
    """How the present picture lies to the reference: ``warp`` maps reference pixels to present ones (3, 3)."""

    warp: Floats
    share: float


class Landmarks:
    """Points of a reference picture that can be found again.

    Args:
        reference: Brightness (h, w) of the picture that the camera's calibration holds for.
        where: The part of it (h, w) that lies in the plane of the table, None for all of it.
    """

    def __init__(self, reference: Pixels, where: Mask | None = None) -> None:
        self.size = (int(reference.shape[1]), int(reference.shape[0]))
        self._scale = min(1.0, _WIDTH / self.size[0])
        self._plain = self._freed(reference)
        self._where: Mask | None = None if where is None else self._small(where)
        corners = cv2.cornerMinEigenVal(self._plain, blockSize=3)
        sharp = np.where(corners > _SHARP, np.uint8(255), np.uint8(0))
        where_sharp = sharp if self._where is None else cv2.bitwise_and(sharp, self._where)
        found = cv2.goodFeaturesToTrack(
            self._plain, maxCorners=_MOST, qualityLevel=_QUALITY, minDistance=_APART_PX, mask=where_sharp
        )
        self._points = np.empty((0, 1, 2), np.float32) if found is None else np.asarray(found, dtype=np.float32)
        self._features: tuple[Any, Any] | None = None

    @property
    def can_tell(self) -> bool:
        """Whether the reference holds enough to tell a movement by."""
        return len(self._points) >= _LEAST and self._is_spread(self._points[:, 0])

    def found_in(self, luma: Pixels, guess: Floats) -> Fit | None:
        """Return how a picture lies to the reference, close to a guess; None if that cannot be told."""
        return self._tracked(self._freed(luma), self._to_small(guess))

    def searched_in(self, luma: Pixels) -> Fit | None:
        """Return how a picture lies to the reference, wherever the camera looks now; None if that cannot be told."""
        plain = self._freed(luma)
        guess = self._matched(plain)
        return None if guess is None else self._tracked(plain, guess)

    def _tracked(self, plain: Pixels, guess: Floats) -> Fit | None:
        if not len(self._points):
            return None
        expected = cv2.perspectiveTransform(self._points, guess).astype(np.float32)
        now, there = self._flow(self._plain, plain, self._points, expected.copy())
        again, back = self._flow(plain, self._plain, now, self._points.copy())
        good = there & back & (np.linalg.norm(again - self._points, axis=2)[:, 0] < _BACK_PX)
        before, after = self._points[good, 0], now[good, 0]
        if not len(before):
            return None
        still = np.linalg.norm(expected[good, 0] - after, axis=1) < _STILL_PX
        fit = self._agreeing(before[still], after[still], _FITS_PX[-1]) if still.mean() >= _STILL_SHARE else None
        fits = (self._agreeing(before, after, within_px) for within_px in _FITS_PX)
        return fit or next((fit for fit in fits if fit is not None), None)

    def _agreeing(self, before: Any, after: Any, within_px: float) -> Fit | None:
        """Return the view in which most points lie as they should; None if too few do, or they lie too close.

        Of a camera that stands still most points stand still, too: within much, a view in which those that a hand has
        pushed agree as well has more of them.
        """
        if len(before) < _LEAST_FIT:
            return None
        warp, fits = cv2.findHomography(before, after, method=cv2.RANSAC, ransacReprojThreshold=within_px)
        if warp is None:
            return None
        inside = fits[:, 0] > 0
        share = float(inside.mean())
        if inside.sum() < _LEAST_FIT or share < _FIT_SHARE or not self._is_spread(before[inside]):
            return None
        return Fit(
            warp=self._to_full(np.asarray(warp, dtype=np.float64)),
            share=share,
        )

    @staticmethod
    def _flow(before: Pixels, after: Pixels, points: Any, guess: Any) -> tuple[Any, Any]:
        now, status, _ = cv2.calcOpticalFlowPyrLK(
            before,
            after,
            points,
            guess,
            winSize=_WINDOW,
            maxLevel=2,
            flags=cv2.OPTFLOW_USE_INITIAL_FLOW,
        )
        return now, status[:, 0] > 0

    def _matched(self, plain: Pixels) -> Floats | None:
        """Return a rough homography from features that look alike, at the small size."""
        finder = cv2.ORB.create(nfeatures=_FEATURES)
        if self._features is None:
            self._features = finder.detectAndCompute(self._plain, self._where)
        (before, left), (after, right) = self._features, finder.detectAndCompute(plain, None)
        if left is None or right is None:
            return None
        pairs = cv2.BFMatcher(cv2.NORM_HAMMING).knnMatch(left, right, k=2)
        best = [pair[0] for pair in pairs if len(pair) > 1 and pair[0].distance < _RATIO * pair[1].distance]
        if len(best) < _FEW_MATCHES:
            return None
        here = np.array([before[pair.queryIdx].pt for pair in best], dtype=np.float32)
        there = np.array([after[pair.trainIdx].pt for pair in best], dtype=np.float32)
        warp, fits = cv2.findHomography(here, there, method=cv2.RANSAC, ransacReprojThreshold=_COARSE_PX)
        return None if warp is None or fits.sum() < _FEW_MATCHES else np.asarray(warp, dtype=np.float64)

    def _is_spread(self, points: Any) -> bool:
        """Whether points surround a good part of the table."""
        if len(points) < _LEAST_FIT:
            return False
        area = float(cv2.contourArea(cv2.convexHull(np.asarray(points, dtype=np.float32))))
        whole = self._plain.size if self._where is None else cv2.countNonZero(self._where)
        return area >= _SPREAD_SHARE * whole

    def _freed(self, luma: Pixels) -> Pixels:
        """Return a small picture of what is fine in a picture: how bright its places are plays no part."""
        small = self._small(luma).astype(np.float32)
        light = cv2.blur(small, ksize=(_LIGHT_PX, _LIGHT_PX))
        return np.asarray(np.clip(128 + _CONTRAST * (small - light), 0, 255), dtype=np.uint8)

    def _small(self, plane: Pixels) -> Pixels:
        size = (round(self.size[0] * self._scale), round(self.size[1] * self._scale))
        return np.asarray(cv2.resize(plane, dsize=size, interpolation=cv2.INTER_AREA), dtype=np.uint8)

    def _to_small(self, warp: Floats) -> Floats:
        return scaled_warp(warp, self._scale)

    def _to_full(self, warp: Floats) -> Floats:
        return scaled_warp(warp, 1 / self._scale)


def felt_mask(profile: TableProfile, camera: Camera) -> Mask:
    """Return the part (h, w) of the picture in which the felt lies: the zones and some room around them."""
    corners = np.array([point for zone in profile.zones for point in zone.polygon_mm], dtype=np.float32)
    hull = cv2.convexHull(corners)[:, 0].astype(np.float64)
    away = hull - hull.mean(axis=0)
    around = hull + _ROOM_MM * away / np.linalg.norm(away, axis=1, keepdims=True)
    mask: Mask = np.zeros(camera.size[::-1], dtype=np.uint8)
    outline = np.clip(camera.to_pixels(around), -1e4, 1e4)
    cv2.fillPoly(mask, pts=[np.round(outline).astype(np.int32)], color=255)
    return mask


def scaled_warp(warp: Floats, scale: float) -> Floats:
    """Return a homography of pixels as one of pixels of pictures ``scale`` times as wide (averaged, not sampled)."""
    shift = 0.5 * (scale - 1)
    to = np.array([[scale, 0, shift], [0, scale, shift], [0, 0, 1]])
    scaled = to @ warp @ np.linalg.inv(to)
    normed: Floats = scaled / scaled[2, 2]
    return normed
