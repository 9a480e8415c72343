"""Felt under a pile's foot, told by how the place looks against its bare felt."""

from __future__ import annotations

import numpy as np
import pytest

from models.backdrop import LIKE, UNLIKE_GAIN
from models.chip_geometry import CHIPS_BELOW, NOTHING_KNOWN, ROWS_PER_CHIP, STRIP_COLUMNS
from models.every_number import number_chances
from models.felt_below import felt_below
from tests.models.test_every_number import told

FOOT = int(CHIPS_BELOW * ROWS_PER_CHIP)


def strip(unlike: float = 0.0, columns: slice = slice(None), *, known: bool = True) -> np.ndarray:
    """A pile's side, which no felt is like, above felt; columns under its foot are so unlike theirs."""
    codes = NOTHING_KNOWN.copy()
    codes[..., 2] = 255 if known else 0
    codes[FOOT:, :, 0] = 255
    codes[FOOT - ROWS_PER_CHIP : FOOT, columns, 0] = LIKE + round(unlike * UNLIKE_GAIN)
    return codes


def test_what_is_like_the_bare_felt_is_felt() -> None:
    assert felt_below(strip()) > 1.5


def test_spots_of_one_more_cheque_are_no_felt() -> None:
    assert felt_below(strip(35.0, slice(10, 14))) == 0.0
    assert -1.5 < felt_below(strip(62.0, slice(10, 14))) < felt_below(strip(55.0, slice(10, 14))) < 0.0


def test_a_single_column_is_no_spot() -> None:
    assert felt_below(strip(60.0, slice(10, 11))) > 1.5


def test_nothing_is_said_where_the_bare_felt_is_not_known() -> None:
    assert felt_below(strip(known=False)) == 0.0


def test_under_a_cheque_like_the_felt_less_unlike_is_no_felt_any_more() -> None:
    bright, faint = strip(25.0, slice(10, 14)), strip(25.0, slice(10, 14))
    faint[FOOT:, :, 0] = LIKE + round(10 * UNLIKE_GAIN)
    assert felt_below(bright) > 0.5
    assert felt_below(faint) == 0.0


def test_what_lies_above_and_far_below_the_foot_does_not_matter() -> None:
    codes = strip()
    codes[: FOOT - ROWS_PER_CHIP, :, 0] = 255
    assert felt_below(codes) == felt_below(strip())


def test_columns_at_the_sides_are_seen_too_flat() -> None:
    assert felt_below(strip(60.0, slice(0, 7))) > 1.5
    assert felt_below(strip(60.0, slice(STRIP_COLUMNS - 7, None))) > 1.5


def test_felt_under_a_box_speaks_against_all_higher_numbers() -> None:
    boxes = {1: told(_1=0.4, _2=0.6), 2: told(_2=0.8, _1=0.1), 3: told(_3=0.5, _2=0.4)}
    without = number_chances(boxes, boxes[2], box_chips=2.0)
    chances = number_chances(boxes, boxes[2], box_chips=2.0, felt={1: 2.0, 2: 0.0, 3: 2.0})
    assert chances[1] > without[1]
    assert chances[2] / chances[3] == pytest.approx(without[2] / without[3])
    assert sum(chances.values()) == pytest.approx(1.0)


def test_what_is_no_felt_under_a_box_speaks_against_its_number_alone() -> None:
    boxes = {1: told(_1=0.9, _2=0.1), 2: told(_2=0.5, _1=0.5), 3: told(_3=0.5, _2=0.4)}
    without = number_chances(boxes, boxes[1], box_chips=1.0)
    chances = number_chances(boxes, boxes[1], box_chips=1.0, felt={1: -1.0, 2: 0.0, 3: 0.0})
    assert chances[1] < without[1]
    assert chances[2] / chances[3] == pytest.approx(without[2] / without[3])
