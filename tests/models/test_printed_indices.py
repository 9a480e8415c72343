"""Cards that others cover but for a corner are found and read by their printed indices."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from models.card_corners import CornerRefiner
from models.card_reader import CardReader
from models.card_views import INDEX_AT
from models.printed_indices import around_an_index, cards_by_index, index_pairs
from tests.models.card_table import felt, lay, quad

FAN = ("7h", "Qs", "2d", "9c")


@pytest.fixture(scope="module")
def reader() -> CardReader:
    return CardReader()


@pytest.fixture(scope="module")
def refiner() -> CornerRefiner:
    return CornerRefiner()


def fan(step_px: float) -> tuple[np.ndarray, list[np.ndarray]]:
    """A picture of four cards, each upon the one before and so far beside it, and their outlines."""
    picture, places = felt(), [quad(180 + step_px * number, 220, 8.0, long_px=192.0) for number in range(len(FAN))]
    for code, place in zip(FAN, places, strict=True):
        lay(picture, code, place)
    larger = cv2.resize(picture, None, fx=2, fy=2, interpolation=cv2.INTER_LINEAR)
    return np.asarray(larger, np.uint8), [place * 2 for place in places]


def index_of(place: np.ndarray) -> np.ndarray:
    """Where a card's first index is printed."""
    return np.asarray(place[0] + INDEX_AT[0] * (place[1] - place[0]) + INDEX_AT[1] * (place[3] - place[0]))


def ends(place: np.ndarray) -> list[np.ndarray]:
    """Where both indices of a card are printed."""
    return [index_of(place), index_of(np.roll(place, 2, axis=0))]


def test_each_card_of_a_fan_is_read_by_its_index_once(reader: CardReader, refiner: CornerRefiner) -> None:
    picture, places = fan(step_px=60.0)
    found = cards_by_index(picture, reader, refiner)
    assert sorted(str(card.face) for card in found) == sorted((*FAN, "9c")), "the uppermost one shows two"
    for card in found:
        true = places[FAN.index(str(card.face))]
        seen = index_of(card.polygon_px)
        assert min(np.linalg.norm(at - seen) for at in ends(true)) < 0.12 * 384, "of a card"


def test_pictures_without_an_index_show_none(reader: CardReader, refiner: CornerRefiner) -> None:
    noise = np.random.default_rng(4).integers(0, 255, (480, 640, 3), dtype=np.uint8)
    for picture in (felt(), noise, np.zeros((40, 60, 3), np.uint8)):
        assert cards_by_index(picture, reader, refiner) == []


def test_the_card_around_an_index_has_it_where_indices_are_printed() -> None:
    pairs = np.array([[(100.0, 100.0), (100.0, 120.0)], [(300.0, 100.0), (280.0, 100.0)]])
    upright, lying = around_an_index(pairs, 6.0)
    assert np.allclose(upright[1] - upright[0], (120, 0))
    assert np.allclose(lying[1] - lying[0], (0, 120)), "turned by a quarter"
    for card, pair in zip((upright, lying), pairs, strict=True):
        assert np.allclose(index_of(card), pair.mean(axis=0))


def test_marks_near_each_other_are_paired_and_others_are_not() -> None:
    def paired(apart: int, paper: int = 235, ink: int = 20) -> int:
        picture = np.full((200, 200, 3), paper, np.uint8)
        picture[80:94, 90:100] = picture[80 + apart : 94 + apart, 90:100] = ink
        return len(index_pairs(picture))

    assert paired(18) == 2, "either may be the rank"
    assert paired(40) == 0
    assert paired(18, paper=60, ink=10) == 0, "no paper"
    assert paired(18, ink=200) == 0, "no ink"
