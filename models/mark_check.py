"""Whether a recording begins with the view that its profile tells, by the marks printed on the felt.

Between two recordings a camera may have been pushed. The marks of the layout say where print must be seen; where it is
seen elsewhere, all of it as one camera would see it, the camera's pose is solved anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from audit.table import Point, TableProfile
from models.camera import Camera, Floats
from models.frames import Pixels
from models.layout_fit import LayoutError, Pair, explained_by, place_layout
from models.print_finder import Spot, printed_spots

_LEAST_MARKS: Final = 6
_LEAST_SHARE: Final = 0.6
_MOVED_PX: Final = 4.0  # at a width of 1920: less may be an inexact layout
_FIT_PX: Final = 2.0
_BETTER: Final = 2.5  # times: how much better the moved camera must explain the marks


def view_moved(profile: TableProfile, camera: Camera, frame_bgr: Pixels) -> Floats | None:
    """Return the homography (3, 3) from the profile's pixels to those of a frame in which the camera has moved.

    None if it has not, or if the marks do not tell: too few in the profile, too few seen, or seen as no one camera can;
    or if print lies in the middle of the zones as the profile's camera sees them, so that its marks are not that print.
    """
    if len(profile.marks) < _LEAST_MARKS:
        return None
    spots = printed_spots(frame_bgr)
    pairs, moved = _seen_marks(profile, camera, spots), camera
    for _ in range(2):
        if len(pairs) < max(_LEAST_MARKS, _LEAST_SHARE * len(profile.marks)):
            return None
        moved = _solved_again(camera, pairs)
        pairs = _near(profile.marks, moved, spots)
    scale = camera.size[0] / 1920
    before, after = (_error_px(one, pairs) if pairs else 0.0 for one in (camera, moved))
    if before < _MOVED_PX * scale or after > _FIT_PX * scale or before < _BETTER * after:
        return None
    middles = {zone.name: zone.centre_mm for zone in profile.zones if zone.name in profile.marks}
    amid = _near(middles, camera, spots) if len(middles) >= _LEAST_MARKS else []
    if len(amid) >= _LEAST_SHARE * len(profile.marks) and _error_px(camera, amid) < _MOVED_PX * scale:
        return None
    corners = [point for zone in profile.zones for point in zone.polygon_mm]
    warp, _ = cv2.findHomography(camera.to_pixels(corners), moved.to_pixels(corners), method=0)
    return None if warp is None else np.asarray(warp, dtype=np.float64)


def marks_seen(profile: TableProfile, camera: Camera, frame_bgr: Pixels) -> int | None:
    """Return how many marks a frame shows where the camera has them; None if the profile has too few to tell."""
    if len(profile.marks) < _LEAST_MARKS:
        return None
    return len(_near(profile.marks, camera, printed_spots(frame_bgr)))


def _seen_marks(profile: TableProfile, camera: Camera, spots: tuple[Spot, ...]) -> list[Pair]:
    """Pair marks with spots: near where they are expected, else wherever the layout is found."""
    near = _near(profile.marks, camera, spots)
    if len(near) >= _LEAST_SHARE * len(profile.marks):
        return near
    try:
        return list(place_layout(profile.marks, spots, [], size=camera.size).pairs)
    except LayoutError:
        return []


def _near(marks: Mapping[str, Point], camera: Camera, spots: tuple[Spot, ...]) -> list[Pair]:
    places = list(marks.values())
    warp, _ = cv2.findHomography(np.array(places), camera.to_pixels(places), method=0)
    return [] if warp is None else explained_by(np.asarray(warp), marks, spots)


def _solved_again(camera: Camera, pairs: list[Pair]) -> Camera:
    """Return the camera with the pose that explains the pairs best; its lens is the same."""
    points_mm = np.array([(*pair.xy_mm, 0.0) for pair in pairs])
    vector, _ = cv2.Rodrigues(camera.rotation)
    _, turned, shifted = cv2.solvePnP(
        points_mm,
        np.array([pair.xy_px for pair in pairs], dtype=np.float64),
        camera.matrix,
        camera.distortion,
        rvec=vector.copy(),
        tvec=camera.translation.reshape(3, 1).copy(),
        useExtrinsicGuess=True,
        flags=cv2.SOLVEPNP_ITERATIVE,
    )
    rotation = np.asarray(cv2.Rodrigues(turned)[0], dtype=np.float64)
    return replace(camera, rotation=rotation, translation=np.asarray(shifted, dtype=np.float64).ravel())


def _error_px(camera: Camera, pairs: list[Pair]) -> float:
    """Root mean square distance of the pairs' pixels from where the camera would see them."""
    gaps = camera.to_pixels([pair.xy_mm for pair in pairs]) - np.array([pair.xy_px for pair in pairs])
    return float(np.sqrt(np.mean(np.sum(gaps**2, axis=1))))
