"""Whether a pile still stands as it stood, told by the uppermost face of which a part can be seen.

With a chip more or less its face would be seen elsewhere, and another pile's would be turned otherwise. So a pile of
which a third of the face's rim looks as before has not changed, whatever was set before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.camera import Camera, Floats
from models.cheque_size import CHIP_HEIGHT_MM, CHIP_RADIUS_MM
from models.frames import Pixels
from models.sighting import luma_crop
from models.tracking import Known

WHOLE_FACE: Final = 5
"""With so many unmoved quarters hardly anything is before a pile."""

_LEVELS: Final = 20
_SHARE: Final = 0.97
_CONTRAST: Final = 20.0  # of spots; where the face is misjudged, of the felt, it is less
_LEAST_QUARTERS: Final = 2
_MOST: Final = 0.5
_FREE: Final = 0.7  # of a quarter, of what else is known: outlines of things that touch reach into each other
_LEAST_PX: Final = 40
_GAIN: Final = (0.8, 1.25)
_QUARTERS: Final = 8  # that overlap by half
_BANDS: Final = ((0.7, 0.95), (0.2, 0.95))
"""Of the radius: where the spots are, and with the inlay, for cheques without spots. Farther out it mixes."""


def unmoved_face_px(
    known: Known, luma: Pixels, camera: Camera, others: Iterable[Known], *, is_bare: Callable[[], bool] = lambda: False
) -> list[Floats]:
    """Return outlines (n, 2) in pixels of the quarters of a pile's rim that look as remembered; empty if too few do.

    Args:
        known: a pile; of anything else nothing is returned.
        luma: the frame's brightness at full size.
        camera: the table's camera.
        others: what else is known to lie there: where it does, what is seen may be its.
        is_bare: whether bare felt shows there now, asked where most quarters look otherwise: then a circle on the felt
            beside the pile was taken for its rim.
    """
    now = luma_crop(luma, known.box)
    if known.kind != "chips" or not known.now.stacks or not camera.heights_known or now.shape != known.patch.shape:
        return []
    theirs = np.zeros(now.shape, dtype=np.uint8)
    for other in others:
        points = np.round(other.now.polygon_px - known.box[:2]).astype(np.int32)
        cv2.fillPoly(theirs, pts=[points], color=255)
    before, after = (cv2.blur(picture, ksize=(3, 3)).astype(np.float32) for picture in (known.patch, now))
    chips = len(known.now.stacks[0].stack)
    for band in _BANDS:
        quarters = _quarters_px(known.xy_mm, chips, camera, band)
        places = ((quarter, _inside(quarter - known.box[:2], now.shape)) for quarter in quarters)
        telling = [(quarter, inside) for quarter, inside in places if _tells(inside, before)]
        same = [quarter for quarter, inside in telling if _is_same(inside, before, after, theirs)]
        if telling:
            gone = len(same) < _LEAST_QUARTERS or (len(same) < _MOST * len(telling) and is_bare())
            return [] if gone else same
    return []


def _quarters_px(xy_mm: tuple[float, float], chips: int, camera: Camera, band: tuple[float, float]) -> list[Floats]:
    """The outlines of overlapping quarters of a band of the uppermost face."""
    found = []
    for start in np.linspace(0, 2 * np.pi, _QUARTERS, endpoint=False):
        turn = start + np.linspace(0, np.pi / 2, 12)
        arc = np.stack([np.cos(turn), np.sin(turn)], axis=1) * CHIP_RADIUS_MM
        points = np.vstack([arc * band[0], arc[::-1] * band[1]]) + np.asarray(xy_mm)
        found.append(camera.to_pixels(np.column_stack([points, np.full(len(points), chips * CHIP_HEIGHT_MM)])))
    return found


def _inside(quarter: Floats, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    mask = np.zeros(shape, dtype=np.uint8)
    cv2.fillPoly(mask, pts=[np.round(quarter).astype(np.int32)], color=255)
    return np.asarray(mask > 0, dtype=np.bool_)


def _tells(inside: NDArray[np.bool_], before: NDArray[np.float32]) -> bool:
    """Whether a quarter has something upon it that shows whether the face has moved."""
    return bool(inside.sum() >= _LEAST_PX and float(before[inside].std()) >= _CONTRAST)


def _is_same(
    inside: NDArray[np.bool_], before: NDArray[np.float32], after: NDArray[np.float32], theirs: NDArray[np.uint8]
) -> bool:
    free = inside & (theirs == 0)
    if free.sum() < _FREE * inside.sum():
        return False
    gain = float(np.clip(np.median(after[free] / np.maximum(before[free], 8)), *_GAIN))
    return float((np.abs(after - before * gain) <= _LEVELS)[free].mean()) >= _SHARE
