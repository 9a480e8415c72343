"""Piles that the picture's border cuts: how high they are, and so where they stand, nobody sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from audit.states import SeenObject, TableState
from audit.table import TableProfile
from models.camera import Camera
from models.cheque_size import HIGHEST_STACK
from models.pile_edges import Fit, hull_px, under_the_top

_BEYOND_PX: Final = 3.0  # of a pile: less of its foot is hardly missed
_ASIDE_MM: Final = 8.0  # from a betting spot: so much places may jitter


class Border:
    """Tells states that a pile goes on beyond the picture: it is not read, and is no wager if it may stand elsewhere.

    Of a player's own pile of sixteen only the top was in the picture. As one cheque it would have stood on a spot.
    """

    def __init__(self, profile: TableProfile, camera: Camera) -> None:
        self._camera = camera
        self._spots = [np.asarray(zone.polygon_mm, dtype=np.float32) for zone in profile.zones if zone.bet is not None]

    def told(self, state: TableState) -> TableState:
        """Return a state with the piles that the border cuts as such."""
        objects = tuple(self._as_cut(one) if self._is_cut(one) else one for one in state.objects)
        return state if objects == state.objects else replace(state, objects=objects)

    def _is_cut(self, one: SeenObject) -> bool:
        if one.kind != "chips" or not self._camera.heights_known or self._is_inside(one.extra.get("polygon_px")):
            return False
        outline = hull_px(self._camera, _fit(one))
        least = min(outline.min(), (np.array(self._camera.size) - 1 - outline.max(axis=0)).min())
        return bool(least < -_BEYOND_PX)

    def _is_inside(self, box_px: Sequence[Sequence[float]] | None) -> bool:
        """Whether the box around a pile, larger than the pile, lies in the picture: that is quickly told."""
        width, height = self._camera.size
        return box_px is not None and all(0 <= x < width and 0 <= y < height for x, y in box_px)

    def _as_cut(self, one: SeenObject) -> SeenObject:
        fit = _fit(one)
        others = (under_the_top(self._camera, fit, chips) for chips in range(fit[1], HIGHEST_STACK + 1))
        place = next((xy for xy, _ in others if not self._may_be_wagered(xy)), one.xy_mm)
        return replace(one, xy_mm=(round(place[0], 1), round(place[1], 1)), stack=None, stacks=())

    def _may_be_wagered(self, xy_mm: tuple[float, float]) -> bool:
        return any(cv2.pointPolygonTest(spot, xy_mm, measureDist=True) > -_ASIDE_MM for spot in self._spots)


def _fit(one: SeenObject) -> Fit:
    """Where a pile stands and how high it was read, one chip if it was not."""
    return one.xy_mm, len(one.stacks[0].stack) if one.stacks else 1
