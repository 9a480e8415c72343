"""A pile that would explain what stands out, as the full picture has it, among the piles that are known to stand there.

What hides a pile that is seen can be no pile; and before another pile of the same colours an outline tells nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from models.camera import Camera
from models.cheque_size import HIGHEST_STACK
from models.felt_shapes import Shape, pile_outline_mm
from models.felt_view import ONE_OF, FeltView, MmBox, Reals
from models.frames import Frame
from models.motion import Mask, share_of
from models.outline import Outline, faint_colours
from models.pile_edges import (
    Fit,
    PileView,
    before_standing,
    fit_pile,
    height_chances,
    heights_of_two,
    split_pile,
    under_the_top,
)
from models.sighting import Sighting

FAINT: Final = 0.3
"""How sure it is that a pile stands where hardly more than the middle of a top stands out."""

_SURE_PILE: Final = 0.8
_BEHIND_MM: Final = 12.0
_NEAR_MM: Final = 160.0
_RIM_MM: Final = 11
_MOST_HIDDEN: Final = 0.25
_PRINTED: Final = 0.35
_LIKE_FELT: Final = 20.0  # both colour differences together


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """Where a pile is fitted: the picture, the bare felt, colours that hardly show on it, and the piles known there.

    ``standing``: piles known before, of which a part looks as it did.
    """

    frame: Frame
    box: MmBox
    faint: frozenset[str]
    piles: Sequence[Fit]
    standing: Sequence[Fit] = ()


def pile_confidence(shape: Shape) -> float:
    """How sure it is that a pile stands there: little where hardly more than the middle of a top stands out."""
    if not shape.explained:
        return 0.5 if shape.inlay else FAINT
    return 0.9 if shape.explained >= _SURE_PILE and shape.spilt < 1 - _SURE_PILE else 0.6


def fits_of(things: Sequence[Sighting]) -> list[Fit]:
    """Return where piles stand and how high they are, of things that were seen."""
    return [(one.xy_mm, len(one.stacks[0].stack)) for one in things if one.kind == "chips" and one.xy_mm and one.stacks]


def fitted(
    shape: Shape, among: Surroundings, camera: Camera, felt: FeltView, *, like_felt: bool
) -> tuple[Shape, list[Shape]]:
    """Return a pile no higher than it can be, and the one or two piles that the full picture shows instead.

    Args:
        shape: the pile that was proposed.
        among: where it is fitted.
        camera: the table's camera.
        felt: the bare felt.
        like_felt: it has the felt's colour, so that only its top has sharp edges and its place is not fitted.
    """
    most = tallest(shape, among, camera, felt)
    shape = replace(shape, chips=min(shape.chips, most))
    view = PileView.around(among.frame, camera, felt, (shape.xy_mm, shape.chips), among.piles)
    if view is None:
        return shape, [shape]
    fit = fit_pile(view, (shape.xy_mm, shape.chips), most=most)
    two = split_pile(view, fit, (shape.xy_mm, shape.chips)) or before_standing(view, fit, among.standing)
    if two is None:
        printed = felt.printed(among.box, _right_below(fit, camera, felt, among.box)) >= _PRINTED
        outline = Outline(heights=height_chances(view, fit), faint=among.faint, on_print=printed)
        shape = replace(shape, outline=outline)
        return shape, [shape if like_felt else replace(shape, xy_mm=fit[0], chips=fit[1])]
    return shape, [
        replace(shape, xy_mm=xy_mm, chips=chips, outline=Outline(heights=heights, faint=among.faint))
        for (xy_mm, chips), heights in zip(two, heights_of_two(view, *two), strict=True)
    ]


def _right_below(fit: Fit, camera: Camera, felt: FeltView, box: MmBox) -> Mask:
    """What of the felt one chip more under a pile would hide besides."""
    (x, y), chips = fit
    higher, _ = under_the_top(camera, fit, chips + 1)
    now, then = (
        felt.polygon(pile_outline_mm(place, number, camera.centre_mm), box)
        for place, number in (((x, y), chips), (higher, chips + 1))
    )
    return np.asarray(cv2.subtract(then, cv2.dilate(now, np.ones((3, 3), np.uint8))), dtype=np.uint8)


def tallest(shape: Shape, among: Surroundings, camera: Camera, felt: FeltView) -> int:
    """Return how high a pile may be that leaves the known piles behind it in sight."""
    behind = [fit for fit in among.piles if _is_behind(fit, shape, camera)]
    masks = [_middle(felt.polygon(pile_outline_mm(*fit, camera.centre_mm), among.box)) for fit in behind]
    for chips in range(HIGHEST_STACK, 1, -1):
        hull = felt.polygon(pile_outline_mm(shape.xy_mm, chips, camera.centre_mm), among.box)
        if not any(share_of(mask, hull) > _MOST_HIDDEN for mask in masks):
            return chips
    return 1


def middle_of(one: Sighting, camera: Camera, felt: FeltView, box: MmBox) -> Mask | None:
    """Return what a pile surely hides of the felt; None of what is no pile."""
    fits = fits_of([one])
    return _middle(felt.polygon(pile_outline_mm(*fits[0], camera.centre_mm), box)) if fits else None


def is_like_felt(own: Mask, seen: Reals, out: Mask) -> bool:
    """Return whether a thing has about the felt's colour, so that its outline tells little of its height.

    Args:
        own: the thing (h, w).
        seen: brightness and the two colour differences (h, w, 3).
        out: what stands out from the felt (h, w).
    """
    core = own > 0
    around = (cv2.dilate(own, np.ones((25, 25), np.uint8)) > 0) & (cv2.dilate(out, np.ones((5, 5), np.uint8)) == 0)
    if not core.any() or not around.any():
        return True
    thing, felt = (np.median(seen[where][:, 1:], axis=0) for where in (core, around))
    return float(np.abs(thing - felt).sum()) < _LIKE_FELT


def faint_on(seen: Reals, out: Mask) -> frozenset[str]:
    """Return the colours that hardly show on what is bare of the felt in a view (h, w, 3)."""
    bare = seen.reshape(-1, 3)[np.flatnonzero(out == 0)[::ONE_OF]]
    return faint_colours(bare) if len(bare) else frozenset()


def _middle(hull: Mask) -> Mask:
    return np.asarray(cv2.erode(hull, np.ones((_RIM_MM, _RIM_MM), np.uint8)), dtype=np.uint8)


def _is_behind(fit: Fit, shape: Shape, camera: Camera) -> bool:
    near, far = (float(np.hypot(*(np.array(xy) - camera.centre_mm[:2]))) for xy in (shape.xy_mm, fit[0]))
    apart = float(np.hypot(fit[0][0] - shape.xy_mm[0], fit[0][1] - shape.xy_mm[1]))
    return far - near > _BEHIND_MM and apart < _NEAR_MM
