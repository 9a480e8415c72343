"""Dice in photographs of no known camera: looked for at several scales, read upright and turned."""

from dataclasses import dataclass

import numpy as np
import pytest

from models.detection import Detections
from models.dice_reader import DiceLooks
from models.photographed_dice import look_for_dice, with_dice
from models.sighting import Sighting

PICTURE = np.zeros((1000, 1000, 3), np.uint8)


def square(x: float, y: float, side: float) -> np.ndarray:
    half = side / 2
    return np.array([(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)])


@dataclass
class Detector:
    """Finds squares (x, y, side, kind) of the picture in looks up to so many pixels wide."""

    squares: tuple[tuple[float, float, float, str], ...]
    widest: int = 10_000
    touching: tuple[tuple[float, float, float, str], ...] = ()
    """What only looks up to ``touching_widest`` pixels wide find."""
    touching_widest: int = 200

    def of_any_size(self, frame_bgr: np.ndarray) -> Detections:
        scale = frame_bgr.shape[1] / 1000
        seen = self.squares if frame_bgr.shape[1] <= self.widest else ()
        seen += self.touching if frame_bgr.shape[1] <= self.touching_widest else ()
        return Detections(
            polygons_px=np.array([square(*one[:3]) * scale for one in seen], np.float32).reshape(-1, 4, 2),
            kinds=np.array([one[3] for one in seen], dtype=np.str_),
            confidences=np.full(len(seen), 0.9, np.float32),
        )


@dataclass
class Reader:
    """Says one face upright and another one turned, both with some probability."""

    upright: tuple[int, float] = (5, 0.99)
    turned: tuple[int, float] = (5, 0.8)

    def look(self, frame_bgr: np.ndarray, polygons_px: np.ndarray) -> DiceLooks:
        rows = []
        for face, p in (self.upright, self.turned):
            row = np.full((len(polygons_px), 7), (1 - p) / 6)
            row[:, face] = p
            rows.append(row)
        colours = np.full((len(polygons_px), 6), 0.02)
        colours[:, 1] = 0.9
        return DiceLooks(upright=rows[0], turned=rows[1], colours=colours)


def test_a_die_that_several_looks_find_is_one_and_is_told_where_it_is_in_the_picture():
    (die,) = look_for_dice(PICTURE, Detector(((400.0, 300.0, 150.0, "die"),)), Reader())
    assert np.allclose(die.polygon_px, square(400, 300, 150), atol=0.5)
    assert (die.face, die.colour) == ("5", "red")
    assert die.faces["5"] == pytest.approx(0.99)


def test_what_only_the_three_coarsest_looks_call_a_die_is_none():
    assert look_for_dice(PICTURE, Detector(((400.0, 300.0, 150.0, "die"),), widest=200), Reader()) == []
    assert len(look_for_dice(PICTURE, Detector(((400.0, 300.0, 150.0, "die"),), widest=260), Reader())) == 1


THROW = ((200.0, 200.0, 150.0, "die"), (500.0, 200.0, 150.0, "die"), (800.0, 200.0, 140.0, "die"))


def test_beside_three_dice_three_looks_do_for_one_more_of_their_size():
    fourth = (350.0, 200.0, 140.0, "die")
    assert len(look_for_dice(PICTURE, Detector(THROW, touching=(fourth,)), Reader())) == 4
    assert len(look_for_dice(PICTURE, Detector(THROW[:2], touching=(fourth,)), Reader())) == 2
    larger, over = (500.0, 700.0, 240.0, "die"), (520.0, 260.0, 150.0, "die")
    assert len(look_for_dice(PICTURE, Detector(THROW, touching=(larger, over)), Reader())) == 3


@pytest.mark.parametrize(("told", "found"), [((5, 0.98), 4), ((5, 0.95), 3), ((0, 0.99), 3)])
def test_beside_three_dice_one_look_does_for_one_more_of_which_a_face_is_read_surely(
    told: tuple[int, float], found: int
):
    fourth = (350.0, 200.0, 140.0, "die")
    reader = Reader(upright=told, turned=(told[0], 0.9))
    seen = look_for_dice(PICTURE, Detector(THROW, touching=(fourth,), touching_widest=100), reader)
    assert len(seen) == found
    assert len(look_for_dice(PICTURE, Detector(THROW[:2], touching=(fourth,), touching_widest=100), reader)) == 2


def test_other_things_are_no_dice_and_a_pip_is_not_one_either():
    squares = ((400.0, 300.0, 150.0, "die"), (400.0, 300.0, 40.0, "die"), (700.0, 700.0, 30.0, "die"))
    found = look_for_dice(
        PICTURE, Detector((*squares, (700.0, 200.0, 150.0, "die"), (100.0, 800.0, 150.0, "card"))), Reader()
    )
    assert sorted(round(float(die.polygon_px[:, 0].mean())) for die in found) == [400, 700]
    assert all(np.ptp(die.polygon_px[:, 0]) > 100 for die in found), "the pip within a die, and what is far smaller"


@pytest.mark.parametrize(
    "reader", [Reader(turned=(2, 0.8)), Reader(upright=(5, 0.85)), Reader(upright=(0, 0.99), turned=(0, 0.9))]
)
def test_a_face_is_told_only_if_it_is_sure_and_the_turned_looks_say_the_same(reader: Reader):
    (die,) = look_for_dice(PICTURE, Detector(((400.0, 300.0, 150.0, "die"),)), reader)
    assert die.face is None


def thing(kind: str, polygon: np.ndarray, face: str | None = None) -> Sighting:
    return Sighting(kind=kind, polygon_px=polygon, confidence=0.8, face=face)


def test_dice_take_the_place_of_unread_cards_of_their_size_and_of_chips_that_are_their_pips():
    die = thing("die", square(400, 300, 150), "5")
    elsewhere = thing("chips", square(800, 800, 40))
    sheet, back = thing("card", square(400, 300, 900)), thing("card_back", square(100, 100, 90))
    seen = [thing("card", square(405, 300, 150)), thing("chips", square(420, 320, 20)), thing("die", square(1, 1, 9))]
    assert with_dice([*seen, elsewhere, sheet, back], [die]) == [elsewhere, sheet, back, die]


def test_a_pip_of_a_read_card_is_no_die():
    card = thing("card", square(400, 300, 300), "5h")
    assert with_dice([card], [thing("die", square(420, 320, 30), "1")]) == [card]
