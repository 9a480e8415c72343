"""Discs of a cheque's size and colour that are printed at every seat are no cheques; cheques on such discs are."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from audit.states import StackCandidate
from audit.table import Point, Zone
from models.camera import camera_of
from models.felt_view import FeltView, MmBox, Reals
from models.pile_edges import pile_box_px
from models.sighting import Sighting
from models.spot_twins import SpotTwins
from tests.models.toy_table import profile

FELT, RED, BLUE = (90.0, 118.0, 112.0), (66.0, 120.0, 164.0), (64.0, 138.0, 115.0)
PLACES: dict[str, Point] = {
    "seat1.trilux": (-220.0, 400.0),
    "seat2.trilux": (0.0, 440.0),
    "seat3.trilux": (220.0, 400.0),
}


def square(at: Point) -> tuple[Point, ...]:
    x, y = at
    return ((x - 35, y - 30), (x + 35, y - 30), (x + 35, y + 30), (x - 35, y + 30))


class Layout:
    """A felt with a disc printed on some spots, seen from above, and what seems to lie there."""

    def __init__(self, *printed: str, colour: tuple[float, ...] = RED) -> None:
        zones = tuple(Zone(name=name, polygon_mm=square(at)) for name, at in PLACES.items())
        kept = tuple(zone for zone in profile().zones if zone.bet is None)
        table = replace(profile(), zones=(*kept, *zones))
        self.camera = camera_of(table)
        self.felt = FeltView(table, self.camera)
        self.twins = SpotTwins(table, self.felt)
        self.box: MmBox = (0, 0, self.felt.shape[1], self.felt.shape[0])
        self.seen: Reals = np.full((*self.felt.shape, 3), FELT, dtype=np.float32)
        for name in printed:
            self.disc(PLACES[name], 22, colour)

    def disc(self, at: Point, radius: int, colour: tuple[float, ...]) -> None:
        x, y = np.rint(np.array(at) - self.felt.origin_mm).astype(int)
        cv2.circle(self.seen, (int(x), int(y)), radius, colour, -1)

    def cheque(self, at: Point, colour: tuple[float, ...] = RED) -> None:
        """A cheque with an inlay and edge spots."""
        self.disc(at, 20, colour)
        x, y = np.rint(np.array(at) - self.felt.origin_mm).astype(int)
        for turn in np.arange(6) * np.pi / 3:
            ends = [(int(x + far * np.cos(turn)), int(y + far * np.sin(turn))) for far in (12, 19)]
            cv2.line(self.seen, ends[0], ends[1], (200.0, 128.0, 128.0), 5)
        self.disc(at, 11, (210.0, 128.0, 128.0))

    def thing(self, name: str, chips: int = 1) -> Sighting:
        at = PLACES[name]
        stacks = (StackCandidate(stack=("red",) * chips, p=0.93),)
        outline = pile_box_px(self.camera, at, chips)
        return Sighting(kind="chips", polygon_px=outline, confidence=0.9, xy_mm=at, stacks=stacks)

    def prints(self, *names: str, chips: int = 1) -> list[str]:
        found = [self.thing(name, chips) for name in names]
        told = self.twins.prints(found, [], self.seen, self.box)
        return [name for name, one in zip(names, found, strict=True) if one in told]


@pytest.mark.parametrize("chips", [1, 2])
def test_a_printed_disc_is_no_cheque_where_the_other_seats_show_the_same_disc(chips: int) -> None:
    """Blackjack on hexagons: red discs for Blazing 7's were two and three red cheques, with 0.93."""
    assert Layout(*PLACES).prints("seat3.trilux", chips=chips) == ["seat3.trilux"]


def test_discs_that_are_found_at_all_seats_at_once_are_print() -> None:
    assert Layout(*PLACES, colour=BLUE).prints(*PLACES) == list(PLACES)


def test_a_disc_where_the_other_seats_show_bare_felt_is_a_cheque_without_a_pattern() -> None:
    assert Layout("seat3.trilux").prints("seat3.trilux") == []
    assert Layout("seat3.trilux", "seat1.trilux").prints("seat3.trilux") == []


def test_a_cheque_on_a_printed_disc_of_its_colour_is_one() -> None:
    layout = Layout(*PLACES)
    layout.cheque(PLACES["seat3.trilux"])
    assert layout.prints("seat3.trilux") == []


def test_the_bare_felt_that_is_known_tells_what_is_printed_where_the_spots_are_out_of_view() -> None:
    layout = Layout(*PLACES)
    everywhere = np.full(layout.felt.shape, 255, dtype=np.uint8)
    layout.felt.learn_bare(layout.seen, layout.box, everywhere)
    x, y = (int(v) for v in np.array(PLACES["seat3.trilux"]) - layout.felt.origin_mm)
    box = (x - 60, y - 60, x + 60, y + 60)
    seen = np.ascontiguousarray(layout.seen[box[1] : box[3], box[0] : box[2]])
    one = layout.thing("seat3.trilux")
    assert layout.twins.prints([one], [], seen, box) == [one]
    assert Layout(*PLACES).twins.prints([one], [], seen, box) == []


def test_the_felt_itself_is_left_to_others() -> None:
    assert Layout().prints("seat3.trilux") == []
