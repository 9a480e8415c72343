"""When the rack is looked at, so that the table's palette learns its colours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from audit.table import TableProfile
from models.camera import Camera, Floats
from models.chip_palette import Palette
from models.frames import Frame
from models.proposals import Eyes

_LOOKS: Final = 2  # what a hand that lies still hides is told by the other look
_COARSE: Final = 4  # pixels


class RackWatch:
    """Looks at the racks of one table a few times while nothing is known to move over them."""

    def __init__(self, profile: TableProfile, camera: Camera) -> None:
        self._camera = camera
        self._left = {zone.polygon_mm: _LOOKS for zone in profile.zones if zone.name == "rack"}

    def learn(self, frame: Frame, away: Sequence[Floats], eyes: Eyes, palette: Palette) -> None:
        """Let the palette learn from the rack, unless it was seen often enough or something is over it.

        Args:
            frame: the frame.
            away: outlines (n, 2) in pixels of what moves over the table.
            eyes: what reads.
            palette: how the table's chips look.
        """
        for rack, left in self._left.items():
            if left and not self._is_covered(rack, away):
                self._left[rack] = left - 1
                palette.learn_rack(eyes.rack(frame.bgr, rack))

    def _is_covered(self, rack: Sequence[tuple[float, float]], away: Sequence[Floats]) -> bool:
        width, height = (side // _COARSE for side in self._camera.size)
        masks = np.zeros((2, height, width), dtype=np.uint8)
        for mask, outlines in zip(masks, ([self._camera.to_pixels(np.array(rack))], away), strict=True):
            for outline in outlines:
                cv2.fillPoly(mask, [np.round(outline / _COARSE).astype(np.int32)], 255)
        return bool((masks[0] & masks[1]).any())
