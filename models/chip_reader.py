"""Reads stacks of chips: the colour of every chip from bottom to top, how many they are, and where they stand.

With a calibrated camera the stack's side is unrolled, so that every chip is equally high in the strip whatever the
view; without one the camera is guessed from the box and the flatness of the uppermost face. A stack is read only if it
is nearly certain; a wrong count is a wrong amount of money. Everything less sure stays in the candidates.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from models.backdrop import Backdrop
from models.cheque_size import HIGHEST_STACK
from models.chip_decode import Answer, Temper, likeliest_number, likely_stacks, softmax
from models.chip_geometry import (
    COLOURS,
    NOTHING_KNOWN,
    Floats,
    Placement,
    SeesPoints,
    both_sides,
    guess_camera,
    place_stack,
    side_facts,
    side_places,
    strip_of,
    top_view,
    unrolled_side,
    upward,
)
from models.chip_palette import Palette, Witness
from models.chip_places import FIRST_COLOUR, Ways, ways_of_many
from models.colourless import shows_colours
from models.felt_below import felt_below
from models.rack_view import RackColours, rack_strips, told_of_rack, tube_facts
from models.trained import CHIP_WEIGHTS, SUMS, check_files, compiled, read_manifest

_FILES: Final = ("strip.xml", "strip.bin", "top.xml", "top.bin", "calibration.json")
_MANY: Final = 32
_CANDIDATES: Final = 8
_LEAST_P: Final = 5e-4
_LOOKS_LIKE: Final = {"teal": "green", "orange": "red"}
"""A casino's cheques of 25.00 may be as blue as teal, those of 5.00 nearly orange, where teal and orange ones are worth
more than anybody may bet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StackReading:
    """What one box of chips holds.

    ``stack``: colours bottom to top, None if not certain enough. ``candidates``: the likeliest stacks and their
    calibrated probabilities, best first, together at most 1; the rest is something else. ``count``: number of chips,
    None if not certain. ``top_colour`` (None: unread, or no colour of the manual) with the probability of the likeliest
    colour. ``base_mm``: felt point (2,) under the stack's middle, None without a camera; ``base_px`` where that is in
    the picture. ``px_per_edge``: how many pixels high a chip's edge is there; guessed without a camera. ``box_chips``:
    how many chips high the box is.
    """

    stack: tuple[str, ...] | None
    candidates: tuple[tuple[tuple[str, ...], float], ...]
    count: int | None
    count_p: float
    top_colour: str | None
    top_p: float
    base_mm: tuple[float, float] | None
    base_px: tuple[float, float]
    px_per_edge: float
    box_chips: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Crop:
    strip: NDArray[np.uint8]
    codes: NDArray[np.uint8]
    facts: NDArray[np.float32]
    place: Placement
    base_px: tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SeenStack:
    """What a box (4, 2) shows of a stack's side, and how its chips may lie; its colours are not read yet.

    ``top``: how likely each colour is of its uppermost chip, none first; empty if that was not looked at yet.
    ``in_colour``: whether the picture has colours; without, chips can be counted but not told.
    """

    box: Floats
    crop: _Crop
    told: NDArray[np.float32]
    ways: Ways
    top: Floats
    in_colour: bool

    @property
    def numbers(self) -> Floats:
        """How likely each number of chips is (HIGHEST_STACK + 1,). What it lacks to 1: there is no stack."""
        return self.ways.numbers

    @property
    def felt_below(self) -> float:
        """How much speaks for felt right under the foot, see ``models.felt_below``."""
        return felt_below(self.crop.codes)


class ChipReader:
    """Reads chip stacks with the trained networks; one instance per process.

    Args:
        weights: folder of the networks.
        colours: the colours in play at the table; others are not considered. None: the manual's ten.

    Raises:
        WeightsError: if a weight file is missing or differs from its SHA-256.
    """

    def __init__(self, weights: Path = CHIP_WEIGHTS, *, colours: Sequence[str] | None = None) -> None:
        check_files(weights, _FILES, read_manifest(weights / SUMS, made_by="models.train.chip_reader"))
        self._weights = weights
        self.colours = frozenset(COLOURS if colours is None else colours)
        self._calibration: Mapping[str, Any] = json.loads((weights / "calibration.json").read_text(encoding="utf-8"))

    def read(
        self,
        frame_bgr: NDArray[np.uint8],
        polygons_px: NDArray[Any],
        camera: SeesPoints | None = None,
        backdrop: Backdrop | None = None,
        palette: Palette | None = None,
    ) -> list[StackReading]:
        """Return a reading for every box (n, 4, 2), in order.

        Args:
            frame_bgr: the whole picture.
            polygons_px: boxes around whole stacks, also where something covers them.
            camera: the calibrated camera, or None.
            backdrop: the bare felt behind the picture, or None; of use with a calibrated camera only.
            palette: what is known of the looks of the table's chips, and learns from this picture; None: nothing is.
        """
        boxes = np.asarray(polygons_px, dtype=np.float64).reshape(-1, 4, 2)
        seen: list[SeenStack] = []
        for first in range(0, len(boxes), _MANY):
            seen += self._look(frame_bgr, boxes[first : first + _MANY], _known(camera), backdrop, with_tops=True)
        palette = Palette() if palette is None else palette
        if len(seen) > 1:  # what the others teach, each is told in the second round
            for one in seen:
                self._likely(one, palette)
        return [self._reading(one, self._likely(one, palette)) for one in seen]

    def look_into(
        self,
        frame_bgr: NDArray[np.uint8],
        polygons_px: NDArray[Any],
        camera: SeesPoints,
        backdrop: Backdrop | None = None,
    ) -> list[SeenStack]:
        """Return what every box (n, 4, 2) shows, see ``read``: the numbers of chips.

        ``read_colours`` tells the rest.
        """
        boxes = np.asarray(polygons_px, dtype=np.float64).reshape(-1, 4, 2)
        return self._look(frame_bgr, boxes, _known(camera), backdrop, with_tops=False)

    def read_colours(
        self,
        frame_bgr: NDArray[np.uint8],
        seen: SeenStack,
        camera: SeesPoints | None = None,
        palette: Palette | None = None,
    ) -> StackReading:
        """Return the reading of a box that was looked into in the same picture, as ``read`` does of a box alone."""
        if not len(seen.top):
            colours, _ = self._tops(frame_bgr, seen.box[None], _known(camera))
            seen = replace(seen, top=self._top_chances(colours[0]))
        return self._reading(seen, self._likely(seen, Palette() if palette is None else palette))

    def read_rack(
        self, frame_bgr: NDArray[np.uint8], camera: SeesPoints, polygon_mm: Sequence[tuple[float, float]]
    ) -> RackColours:
        """Return what the rack shows of the table's colours.

        Args:
            frame_bgr: the whole picture.
            camera: the calibrated camera.
            polygon_mm: the rack on the felt.
        """
        seen = rack_strips(frame_bgr, camera, polygon_mm)
        if seen is None or not shows_colours(frame_bgr):
            return RackColours()
        told: list[NDArray[np.float32]] = []
        for first in range(0, len(seen.strips), _MANY):
            some = seen.strips[first : first + _MANY]
            sides = np.stack([both_sides(strip, NOTHING_KNOWN, 1.0) for strip in some]).astype(np.float32)
            (evidence,) = self._strip_network([sides, np.stack([tube_facts(seen.px_per_edge)] * len(some))]).values()
            told += [self._in_play(one, first=FIRST_COLOUR - 1) for one in evidence]
        return told_of_rack(seen, told)

    @cached_property
    def _strip_network(self) -> Any:
        return compiled(self._weights / "strip.xml")

    @cached_property
    def _top_network(self) -> Any:
        return compiled(self._weights / "top.xml")

    def _look(
        self,
        frame_bgr: NDArray[np.uint8],
        boxes: Floats,
        camera: SeesPoints | None,
        backdrop: Backdrop | None,
        *,
        with_tops: bool,
    ) -> list[SeenStack]:
        if not len(boxes):
            return []
        places = [_place_in(box, camera) for box in boxes]
        tops = [np.zeros(0)] * len(boxes)
        flatness = np.ones(len(boxes), dtype=np.float32)
        if with_tops or None in places:
            colours, flatness = self._tops(frame_bgr, boxes, camera)
            tops = [self._top_chances(colour) for colour in colours]
        crops = [
            _crop(frame_bgr, guess_camera(box, float(flat)) if place is None else (camera, place), backdrop)
            for box, place, flat in zip(boxes, places, flatness, strict=True)
        ]
        sides = np.stack([both_sides(crop.strip, crop.codes, crop.place.tangent) for crop in crops]).astype(np.float32)
        (evidence,) = self._strip_network([sides, np.stack([crop.facts for crop in crops])]).values()
        told = [self._in_play(one, first=FIRST_COLOUR - 1) for one in evidence]
        ways = self._ways(told, crops)
        each, coloured = zip(boxes, crops, told, ways, tops, strict=True), shows_colours(frame_bgr)
        return [
            SeenStack(box=box, crop=crop, told=one, ways=way, top=top, in_colour=coloured)
            for box, crop, one, way, top in each
        ]

    def _tops(
        self, frame_bgr: NDArray[np.uint8], boxes: Floats, camera: SeesPoints | None
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """What the network says of the colours of the uppermost faces in boxes, and how flat these are."""
        views = np.stack([top_view(frame_bgr, box, upward(box, camera)) for box in boxes])
        colours, flatness = self._top_network([_planes(views)]).values()
        return colours, flatness

    def _top_chances(self, colours: NDArray[np.float32]) -> Floats:
        return softmax(self._in_play(colours, first=0), temperature=self._calibration["top"]["temperature"])

    def _ways(self, told: Sequence[NDArray[np.float32]], crops: Sequence[_Crop]) -> list[Ways]:
        """How the chips of each stack may lie."""
        kinds = [_camera_kind(crop) for crop in crops]
        tempers = [self._calibration[kind]["place"] for kind in kinds]
        return ways_of_many(told, calibrated=[crop.place.calibrated for crop in crops], tempers=tempers)

    def _likely(self, seen: SeenStack, palette: Palette) -> list[tuple[Answer, float]]:
        """The likely stacks in the light of all that the palette knows; it learns from them."""
        known = self._calibration[_camera_kind(seen.crop)]
        temper = Temper(place=known["place"], colour=known["colour"])
        witness = Witness(palette, seen.crop.strip, _place_mm(seen.crop), seen.crop.place.px_per_edge)
        calibrated = seen.crop.place.calibrated
        likely = likely_stacks(
            seen.told, calibrated=calibrated, top=seen.top[1:], temper=temper, beside=witness, where=seen.ways
        )
        if seen.in_colour:
            witness.teach(likely)
        return likely

    def _reading(self, seen: SeenStack, likely: list[tuple[Answer, float]]) -> StackReading:
        crop, top, known = seen.crop, seen.top, self._calibration[_camera_kind(seen.crop)]
        best = int(top.argmax())
        sure_top = seen.in_colour and best in _NAMED and float(top[best]) >= self._calibration["top"]["read_at"]
        told = likely if seen.in_colour else []
        candidates = tuple((_names(answer), p) for answer, p in told if p >= _LEAST_P and _readable(answer))
        read = candidates[0] if candidates and candidates[0][1] >= known["read_at"] else None
        count, count_p = likeliest_number(likely)
        return StackReading(
            stack=None if read is None else read[0],
            candidates=candidates[:_CANDIDATES],
            count=count if count_p >= known["read_at"] else None,
            count_p=min(count_p, 1.0),
            top_colour=_NAMED[best] if sure_top else None,
            top_p=float(top[best]),
            base_mm=(float(crop.place.base_mm[0]), float(crop.place.base_mm[1])) if crop.place.calibrated else None,
            base_px=crop.base_px,
            px_per_edge=crop.place.px_per_edge,
            box_chips=crop.place.chips_hint,
        )

    def _in_play(self, scores: NDArray[np.float32], *, first: int) -> NDArray[np.float32]:
        """Scores in which colours that are not in play at the table cannot win; colour 1 stands in column first + 1.

        What speaks for one that is not speaks for the colour of which a casino's cheques look like it.
        """
        columns = {colour: first + number for number, colour in _NAMED.items()}
        out = [columns[colour] for colour in columns if colour not in self.colours]
        if out:
            scores = scores.copy()
            for colour, like in _LOOKS_LIKE.items():
                if colour not in self.colours and like in self.colours:
                    pair = [scores[..., columns[one]] for one in (like, colour)]
                    scores[..., columns[like]] = np.logaddexp(*pair)
            scores[..., out] = -30.0
        return scores


_NAMED: Final = {number + 1: colour for number, colour in enumerate(COLOURS)}


def _planes(pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
    return np.ascontiguousarray(pictures.transpose(0, 3, 1, 2), dtype=np.float32)


def _known(camera: SeesPoints | None) -> SeesPoints | None:
    """The camera, if it tells heights over the felt."""
    return camera if camera is not None and getattr(camera, "heights_known", True) else None


def _place_in(box: Floats, camera: SeesPoints | None) -> Placement | None:
    """Where the stack in a box stands; None where the camera has to be guessed."""
    place = None if camera is None else place_stack(box, camera)
    return place if place is not None and np.isfinite(place.base_mm).all() else None


def _crop(
    frame_bgr: NDArray[np.uint8], stands: tuple[SeesPoints | None, Placement], backdrop: Backdrop | None
) -> _Crop:
    eye, place = stands
    assert eye is not None  # noqa: S101 - for the type checker: a place comes with its camera
    foot = eye.to_pixels(np.array([[*place.base_mm, 0.0]]))[0]
    where = side_places(eye, place)
    codes = strip_of(backdrop(where)) if backdrop is not None and place.calibrated else NOTHING_KNOWN
    return _Crop(
        strip=unrolled_side(frame_bgr, where),
        codes=codes,
        facts=side_facts(place, codes),
        place=place,
        base_px=(float(foot[0]), float(foot[1])),
    )


def _camera_kind(crop: _Crop) -> str:
    """The calibration that goes with a crop."""
    return "calibrated" if crop.place.calibrated else "guessed"


def _place_mm(crop: _Crop) -> Floats:
    """Where a stack stands, to tell it from others; by the picture where the felt is not known."""
    return crop.place.base_mm if crop.place.calibrated else np.array(crop.base_px) / crop.place.px_per_mm


def _readable(answer: Answer) -> bool:
    return 0 < len(answer) <= HIGHEST_STACK and all(number in _NAMED for number in answer)


def _names(answer: Answer) -> tuple[str, ...]:
    return tuple(_NAMED[number] for number in answer)
