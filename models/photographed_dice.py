"""Photographs of which no camera is known: dice, whose size in the picture is not known either.

A die that fills a tenth of the picture looks like a card, its pips like chips. So the picture is also looked at smaller
and smaller; what several of these looks call a die at one place is one. Dice that touch are found by fewer looks: where
three dice are known, three of the eight looks do for one more of their size, and one look if its face is read surely.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from models.chip_geometry import Floats
from models.dice_reader import DICE_COLOURS, DiceLooks
from models.frames import Pixels
from models.sighting import DetectionsLike, Sighting
from models.stretched import overlap

_SCALES: Final = (1.0, 0.7, 0.5, 0.35, 0.25, 0.18, 0.125, 0.09)
_LEAST_SIDE: Final = 90  # px: in smaller pictures nothing is seen
_LOOKS: Final = 4  # of the scales that must find a die; one less beside others of its size
_THROW: Final = 3  # dice that tell how large the others are
_LIKE: Final = 1.4  # of one size
_SAME: Final = 0.45
_WITHIN: Final = 0.5
_AS_CARD: Final = 0.3
_OTHER_SIZE: Final = 2.0  # dice of one photograph are not so much larger or smaller than most
_SURE: Final = 0.97
_COLOUR_SURE: Final = 0.8


class SeesAnySize(Protocol):
    """The detector, whose answers are not compared with the size of cards."""

    def of_any_size(self, frame_bgr: Pixels) -> DetectionsLike: ...  # noqa: D102 - see models.detection


class ReadsDice(Protocol):
    """The reader of dice, which can be asked how boxes look turned."""

    def look(self, frame_bgr: Pixels, polygons_px: NDArray[np.float64]) -> DiceLooks: ...  # noqa: D102 - see its own


@dataclass(frozen=True, slots=True, kw_only=True)
class _Die:
    """A die: its boxes (n, 4, 2), the surest first, one for each scale that found it."""

    boxes: tuple[Floats, ...]
    confidence: float

    @property
    def side(self) -> float:
        return float(np.ptp(self.boxes[0], axis=0).max())


def look_for_dice(picture_bgr: Pixels, detector: SeesAnySize, reader: ReadsDice) -> list[Sighting]:
    """Return the dice of a photograph, those that most looks found first.

    The face is told if its boxes say it together, upright and turned by quarters: from above no side is the upper one,
    from aside only the upright looks know which face is on top, so both must name the same.
    """
    kept, others = _found(picture_bgr, detector)
    read = [_read(picture_bgr, die, reader) for die in others]
    return [*(_read(picture_bgr, die, reader) for die in kept), *(one for one in read if one.face is not None)]


def with_dice(seen: Sequence[Sighting], dice: Sequence[Sighting]) -> list[Sighting]:
    """Return what a photograph shows, its dice being these: no pips of read cards, no dice taken for cards or chips."""
    cards = [one for one in seen if one.kind == "card" and one.face is not None]
    own = [die for die in dice if not any(_holds(card, die) for card in cards)]
    rest = [one for one in seen if one.kind != "die" and not any(_is_taken_for(one, die) for die in own)]
    return [*rest, *own]


def _is_taken_for(one: Sighting, die: Sighting) -> bool:
    if one.kind == "chips":
        return _holds(die, one)
    unread = one.kind == "card_back" or (one.kind == "card" and one.face is None)
    return unread and overlap(one.polygon_px, die.polygon_px) >= _AS_CARD


def _holds(outer: Sighting, inner: Sighting) -> bool:
    x, y = inner.polygon_px.mean(axis=0)
    hull = cv2.convexHull(outer.polygon_px.astype(np.float32))
    return cv2.pointPolygonTest(hull, (float(x), float(y)), measureDist=False) >= 0


def _found(picture_bgr: Pixels, detector: SeesAnySize) -> tuple[list[_Die], list[_Die]]:
    """The dice that enough looks found and, beside three of them, others of their size."""
    places: list[list[tuple[float, Floats, float]]] = []
    for sure, box, scale in sorted(_looks(picture_bgr, detector), key=lambda one: -one[0]):
        place = next((one for one in places if _shared(box, one[0][1], either=True) > _SAME), None)
        if place is None:
            places.append([(sure, box, scale)])
        elif all(scale != other for *_, other in place):
            place.append((sure, box, scale))
    seen = [
        _Die(boxes=tuple(box for _, box, _ in place), confidence=place[0][0])
        for place in sorted(places, key=lambda one: -len(one) * one[0][0])
    ]
    kept = _apart([], [die for die in seen if len(die.boxes) >= _LOOKS])
    usual = float(np.median([die.side for die in kept])) if kept else 1.0
    kept = [die for die in kept if usual / _OTHER_SIZE < die.side < usual * _OTHER_SIZE]
    if len(kept) < _THROW:
        return kept, []
    alike = [die for die in seen if len(die.boxes) < _LOOKS and usual / _LIKE < die.side < usual * _LIKE]
    kept = _apart(kept, [die for die in alike if len(die.boxes) == _LOOKS - 1])
    return kept, _apart(kept, [die for die in alike if len(die.boxes) < _LOOKS - 1])[len(kept) :]


def _apart(kept: Sequence[_Die], more: Sequence[_Die]) -> list[_Die]:
    """Those that are kept, and those of more, the first ones first, that do not lie over one kept before."""
    result = list(kept)
    for die in more:
        if all(_shared(die.boxes[0], other.boxes[0], either=False) < _WITHIN for other in result):
            result.append(die)
    return result


def _looks(picture_bgr: Pixels, detector: SeesAnySize) -> list[tuple[float, Floats, float]]:
    """What looks like a die, how surely, its box in the picture as it is, and the scale of the look."""
    result = []
    for scale in _SCALES:
        size = (round(picture_bgr.shape[1] * scale), round(picture_bgr.shape[0] * scale))
        if max(size) >= _LEAST_SIDE:
            small = picture_bgr if scale == 1 else cv2.resize(picture_bgr, dsize=size, interpolation=cv2.INTER_AREA)
            found = detector.of_any_size(np.asarray(small, np.uint8))
            for polygon, kind, sure in zip(found.polygons_px, found.kinds, found.confidences, strict=True):
                if kind == "die":
                    result.append((float(sure), np.asarray(polygon, np.float64) / scale, scale))
    return result


def _shared(first: Floats, second: Floats, *, either: bool) -> float:
    """How much the upright boxes of two outlines share: of both together, or of the smaller one."""
    low, high = np.maximum(first.min(axis=0), second.min(axis=0)), np.minimum(first.max(axis=0), second.max(axis=0))
    common = float(np.prod(np.clip(high - low, 0, None)))
    areas = [float(np.prod(np.ptp(box, axis=0))) for box in (first, second)]
    return common / max(sum(areas) - common if either else min(areas), 1e-6)


def _read(picture_bgr: Pixels, die: _Die, reader: ReadsDice) -> Sighting:
    told = reader.look(picture_bgr, np.stack(die.boxes))
    upright, turned, colours = told.upright.mean(axis=0), told.turned.mean(axis=0), told.colours.mean(axis=0)
    face, tone = int(upright.argmax()), int(colours.argmax())
    sure = face > 0 and upright[face] >= _SURE and int(turned.argmax()) == face
    return Sighting(
        kind="die",
        polygon_px=die.boxes[0],
        confidence=die.confidence,
        faces={str(value): float(upright[value]) for value in range(1, 7)},
        face=str(face) if sure else None,
        colour=DICE_COLOURS[tone] if colours[tone] >= _COLOUR_SURE else None,
    )
