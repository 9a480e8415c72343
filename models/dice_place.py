"""The place where a table's dice lie: in their dish, or under the cup that covers it.

Dice are left to their finder. The covered cup is known by its bulk: nothing else that rises from the middle of this
place hides so much of the felt behind it; the detector, which takes its knob for a cheque, need not have named it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from audit.table import TableProfile
from models.camera import Camera, Floats
from models.felt_view import FeltView, MmBox, Reals
from models.motion import Mask, blobs
from models.sighting import Sighting
from models.zones import within

DICE: Final = ("die", "dice_cup")
DICE_STRAY_MM: Final = 150.0  # how far beside their place dice may come to lie; elsewhere a printed ring is no cup
_DIE_READ: Final = 0.8
_DISH_MM: Final = 70  # around a die
_CUP_MM2: Final = (8_500, 40_000)  # that it hides, its shadow included; the open dish hides less
_CUP_MM: Final = (80, 260)
_CUP_SURE: Final = 0.5
_HIDDEN: Final = 0.08  # of the cup: a hand is over it; specks of flickering light are less
_COVER_MM: Final = 60.0  # beside the place
_WITHIN_RING_MM: Final = 25.0
_AROUND_RING_MM: Final = 140.0
_BESIDE_A_DIE_MM: Final = (14.0, 24.0)
_SURROUNDED: Final = 0.5
_AS_FELT: Final = (12.0, 4.0, 6.0)  # brightness, as lamps and shadows change it, and the two differences of colour


@dataclass(frozen=True, slots=True, kw_only=True)
class DicePlace:
    """The places of the dice of one table, if it has any."""

    camera: Camera
    felt: FeltView
    polygons_mm: tuple[tuple[tuple[float, float], ...], ...]

    @classmethod
    def of(cls, profile: TableProfile, camera: Camera, felt: FeltView) -> DicePlace:
        """Return those of a profile."""
        places = tuple(zone.polygon_mm for zone in profile.zones if zone.name == "dice")
        return cls(camera=camera, felt=felt, polygons_mm=places)

    def holds(self, xy_mm: tuple[float, float], *, stray_mm: float = 0.0) -> bool:
        """Return whether a point lies there, or so near to it."""
        return within(xy_mm, self.polygons_mm, stray_mm=stray_mm)

    def claims(self, kind: str, xy_mm: tuple[float, float]) -> bool:
        """Return whether what looks like a thing of that kind may belong to the dice: no wager stands so near to them.

        Beside the open dish its cover stands, whose parts look like piles.
        """
        stray = {"chips": _COVER_MM, **dict.fromkeys(DICE, DICE_STRAY_MM)}
        return self.holds(xy_mm, stray_mm=stray.get(kind, 0.0))

    def doubts(self, one: Sighting) -> bool:
        """Return whether what looks like a die beside the place is more likely print: no face of it was read."""
        return one.kind == "die" and not _is_read(one) and one.xy_mm is not None and not self.holds(one.xy_mm)

    def may_be_covered(self, known: Sequence[Sighting], rest: Mask, box: MmBox) -> list[Sequence[tuple[float, float]]]:
        """Return the places (n, 2) in mm whose dice, known from before, are surrounded by what nothing explains.

        It may be the cup, just put down over them; the rim of their open dish is farther off.

        Args:
            known: what is known to lie on the table.
            rest: what stands out and is not explained, seen from above.
            box: the part of the view from above that the mask shows.
        """
        dice = [one.xy_mm for one in known if one.kind == "die" and one.xy_mm is not None]
        over = [die for die in dice if self._is_surrounded(die, rest, box)]
        return [
            place for place in self.polygons_mm if any(within(die, [place], stray_mm=DICE_STRAY_MM) for die in over)
        ]

    def _is_surrounded(self, die_mm: tuple[float, float], rest: Mask, box: MmBox) -> bool:
        x, y = np.asarray(die_mm) - self.felt.origin_of(box)
        rows, columns = np.mgrid[: rest.shape[0], : rest.shape[1]]
        apart = np.hypot(columns - x, rows - y)
        ring = (apart >= _BESIDE_A_DIE_MM[0]) & (apart <= _BESIDE_A_DIE_MM[1])
        return bool(ring.any()) and float((rest[ring] > 0).mean()) >= _SURROUNDED

    def cups(
        self,
        out: Mask,
        found: Sequence[Sighting],
        hands: Sequence[Floats],
        box: MmBox,
        *,
        furniture: Mask | None = None,
        dice_mm: Sequence[tuple[float, float]] = (),
    ) -> list[Sighting]:
        """Return covered cups that nothing else has named; one die alone without a face is a knob, or print.

        Args:
            out: what stands out from the felt, seen from above.
            found: what is known to lie on the table.
            hands: outlines (n, 2) in pixels of hands and arms.
            box: the part of the view from above that the mask shows.
            furniture: where the rack and the like stand: the camera may see the cup in front of it, as one with it.
            dice_mm: where dice lay that are not seen now: their dish, if it stood beside its place, is covered there.
        """
        told = [one for one in found if one.kind in DICE and one.xy_mm is not None]
        lone = len(told) == 1 and told[0].kind == "die" and not _is_read(told[0])
        known = [] if lone else [one.xy_mm for one in told if one.xy_mm is not None]
        if any(self.holds(place, stray_mm=DICE_STRAY_MM if dice_mm else 0.0) for place in known):
            return []
        places = [*self.polygons_mm, *(_around(place) for place in _stray_dish(dice_mm, self.holds))]
        masks = [out] if furniture is None else [out, np.asarray(out & ~furniture, dtype=np.uint8)]
        return [cup for place in places for mask in masks for cup in self._cups_at(place, mask, hands, box)][:1]

    def _cups_at(
        self, place: Sequence[tuple[float, float]], out: Mask, hands: Sequence[Floats], box: MmBox
    ) -> list[Sighting]:
        origin = self.felt.origin_of(box)
        corners = np.array(place) - origin
        if (corners < 0).any() or (corners >= np.array(out.shape[::-1])).any():
            return []
        x, y = np.round(corners.mean(axis=0)).astype(int)
        for blob in blobs(out, least=_CUP_MM2[0]):
            x0, y0, x1, y1 = blob.box
            is_here = x0 <= x < x1 and y0 <= y < y1 and blob.mask[y - y0, x - x0] > 0
            if not is_here or blob.area > _CUP_MM2[1] or not _CUP_MM[0] <= max(x1 - x0, y1 - y0) <= _CUP_MM[1]:
                continue
            contours, _ = cv2.findContours(blob.mask, mode=cv2.RETR_EXTERNAL, method=cv2.CHAIN_APPROX_NONE)
            outline = max(contours, key=cv2.contourArea).reshape(-1, 2).astype(np.float64) + origin + (x0, y0)
            (left, top), (right, bottom) = (edge(self.camera.to_pixels(outline), axis=0) for edge in (np.min, np.max))
            hidden = sum(_common_px(hand, (left, top, right, bottom)) for hand in hands)
            if hidden > _HIDDEN * (right - left) * (bottom - top):
                continue
            polygon = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
            middle = np.array(place).mean(axis=0)
            xy_mm = (float(middle[0]), float(middle[1]))
            return [Sighting(kind="dice_cup", polygon_px=polygon, confidence=_CUP_SURE, xy_mm=xy_mm)]
        return []

    def is_ring(self, cup: Sighting, seen: Reals, box: MmBox) -> bool:
        """Return whether what was taken for a cup is a printed ring: its middle looks like the felt around it.

        Args:
            cup: what the detector calls a cup.
            seen: brightness and colour differences (h, w, 3) of the felt from above.
            box: the part of the felt that is seen.
        """
        middle = self.camera.to_felt([cup.polygon_px.mean(axis=0)])[0] - self.felt.origin_of(box)
        y, x = np.mgrid[: seen.shape[0], : seen.shape[1]]
        apart = np.hypot(x - middle[0], y - middle[1])
        inside, around = seen[apart < _WITHIN_RING_MM], seen[(apart > _CUP_MM[0]) & (apart < _AROUND_RING_MM)]
        if not len(inside) or not len(around):
            return False
        differs = np.abs(np.median(inside, axis=0) - np.median(around, axis=0))
        return bool((differs < _AS_FELT).all())

    def without_dish(self, rest: Mask, found: Sequence[Sighting], box: MmBox) -> Mask:
        """Return what is left unexplained but for the dish in which dice are seen; an arm over it is told by moving."""
        rest = rest.copy()
        origin = self.felt.origin_of(box)
        for die in found:
            if die.kind == "die" and die.xy_mm is not None:
                x, y = np.array(die.xy_mm) - origin
                cv2.circle(rest, (round(float(x)), round(float(y))), _DISH_MM, 0, thickness=-1)
        return rest


def _is_read(die: Sighting) -> bool:
    return max(die.faces.values(), default=0.0) >= _DIE_READ


def _stray_dish(
    dice_mm: Sequence[tuple[float, float]], holds: Callable[[tuple[float, float]], bool]
) -> list[tuple[float, float]]:
    """Return the middle of dice that lay beside their place, if there are any."""
    strays = [place for place in dice_mm if not holds(place)]
    if not strays:
        return []
    x, y = np.mean(strays, axis=0)
    return [(float(x), float(y))]


def _around(place: tuple[float, float]) -> tuple[tuple[float, float], ...]:
    x, y = place
    return tuple((x + dx * _DISH_MM, y + dy * _DISH_MM) for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1)))


def _common_px(outline: Floats, box: tuple[float, float, float, float]) -> float:
    """How much of a box the upright box around an outline covers, in pixels."""
    low, high = np.maximum(outline.min(axis=0), box[:2]), np.minimum(outline.max(axis=0), box[2:])
    return float(np.prod(np.maximum(high - low, 0.0)))
