"""Piles of which a nearer pile hides the foot: where they stand, and so how high they are, the picture leaves open.

A pile behind another shows its uppermost face and some of its side. The lower end of what shows looks like a foot, but
the pile may as well stand nearer and be higher, as far as the one before it leaves room.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from audit.states import StackCandidate
from models.camera import Camera, Floats
from models.cheque_size import CHIP_RADIUS_MM
from models.pile_edges import Fit, hull_px, under_its_top
from models.pile_shapes import fits_of
from models.sighting import Sighting

_OWN_MM: Final = 20.0
_NEAR_MM: Final = 160.0
_FRONT: Final = np.radians(np.linspace(-60, 60, 9))  # of the foot, around the direction to the camera
_MARGIN_PX: Final = 2.5  # a foot that seems to begin just where another pile ends is that pile's edge
_SHARE: Final = 0.3
_INTO_MM: Final = 4.0  # so far two piles may seem to stand in each other, as places are measured
_MORE: Final = (0.64, 0.12, 0.12, 0.12)
"""How likely none, one, two and three chips more are hidden; of what colour nobody sees, most are of the lowest's."""


def with_hidden_feet(seen: Sequence[Sighting], lying: Sequence[Sighting], camera: Camera) -> list[Sighting]:
    """Return sightings in order; piles with a hidden foot may be some chips higher than they were read.

    Args:
        seen: what was read.
        lying: what else is known to lie there.
        camera: the table's camera.
    """
    piles = fits_of([*lying, *seen]) if camera.heights_known else []
    return [
        _perhaps_higher(one, _more_at_most(one, piles, camera)) if _is_hidden(one, piles, camera) else one
        for one in seen
    ]


def _is_hidden(one: Sighting, piles: Sequence[Fit], camera: Camera) -> bool:
    if one.kind != "chips" or one.xy_mm is None or not one.stacks:
        return False
    away = np.asarray(one.xy_mm) - camera.centre_mm[:2]
    foot = _front_px(one.xy_mm, away, camera)
    hidden = np.zeros(len(foot), dtype=np.bool_)
    for xy_mm, chips in piles:
        apart = np.asarray(xy_mm) - one.xy_mm
        if _OWN_MM < float(np.hypot(*apart)) < _NEAR_MM and float(apart @ away) < 0:
            hull = hull_px(camera, (xy_mm, chips)).astype(np.float32)
            hidden |= [
                cv2.pointPolygonTest(hull, (float(x), float(y)), measureDist=True) >= -_MARGIN_PX for x, y in foot
            ]
    return float(hidden.mean()) >= _SHARE


def _front_px(xy_mm: tuple[float, float], away: Floats, camera: Camera) -> Floats:
    """The part of a pile's foot that looks to the camera (n, 2), in pixels."""
    around = np.arctan2(-away[1], -away[0]) + _FRONT
    return camera.to_pixels(np.column_stack([np.cos(around), np.sin(around)]) * CHIP_RADIUS_MM + xy_mm)


def _more_at_most(one: Sighting, piles: Sequence[Fit], camera: Camera) -> int:
    """How many chips more a pile may have under the same top before it would stand in another pile."""
    assert one.xy_mm is not None  # noqa: S101
    others = [xy_mm for xy_mm, _ in piles if np.hypot(*(np.asarray(xy_mm) - one.xy_mm)) > _OWN_MM]
    chips, at_most = len(one.stacks[0].stack), 0
    for more in range(1, len(_MORE)):
        place = under_its_top(camera, one.xy_mm, chips, chips + more)
        if any(np.hypot(*(place - other)) < 2 * CHIP_RADIUS_MM - _INTO_MM for other in others):
            break
        at_most = more
    return at_most


def _perhaps_higher(pile: Sighting, at_most: int) -> Sighting:
    told: dict[tuple[str, ...], float] = {}
    shares = [share / sum(_MORE[: at_most + 1]) for share in _MORE[: at_most + 1]]
    for one in pile.stacks:
        for more, share in enumerate(shares):
            stack = (one.stack[0],) * more + one.stack
            told[stack] = told.get(stack, 0.0) + one.p * share
    stacks = sorted(told.items(), key=lambda item: -item[1])
    return replace(pile, stacks=tuple(StackCandidate(stack=stack, p=p) for stack, p in stacks), count=None)
