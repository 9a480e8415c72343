"""A pile's number from boxes of every likely number."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from models.cheque_size import HIGHEST_STACK
from models.every_number import Shares, number_chances
from models.outline import Outline


def told(**numbers: float) -> Shares:
    shares = np.zeros(HIGHEST_STACK + 1)
    for name, p in numbers.items():
        shares[int(name[1:])] = p
    return shares


BOXES = {1: told(_1=0.7, _2=0.3), 2: told(_4=0.5, _2=0.25), 3: told(_4=0.9, _3=0.1), 4: told(_4=0.95, _5=0.05)}


def test_a_box_of_the_uppermost_cheque_alone_hardly_speaks_against_what_higher_ones_show() -> None:
    chances = number_chances(BOXES, BOXES[1], box_chips=1.0)
    assert max(chances, key=lambda number: chances[number]) == 4


def test_a_box_of_about_the_right_height_is_a_witness() -> None:
    three = {2: told(_3=0.6), 3: told(_3=0.7, _4=0.3), 4: told(_4=0.7, _3=0.3), 5: told(_5=0.5, _4=0.4)}
    alone = number_chances(three, three[3], box_chips=3.0)
    other = number_chances(three, told(_4=0.9), box_chips=3.0)
    assert alone[3] > 0.5
    assert other[4] > alone[4]


def test_an_outline_counts_most_where_every_colour_would_show() -> None:
    """A shadow on the ring of a betting spot is read as a green cheque under a red one."""
    ghost = {1: told(_1=0.3, _2=0.7), 2: told(_2=0.9, _1=0.1), 3: told(_3=0.3, _2=0.7)}
    one = Outline(heights={1: 0.95, 2: 0.02}, faint=frozenset({"green", "black"}))
    alone = number_chances(ghost, ghost[1], box_chips=1.0)
    plain = number_chances(ghost, ghost[1], box_chips=1.0, outline=one)
    on_print = number_chances(ghost, ghost[1], box_chips=1.0, outline=replace(one, on_print=True))
    assert alone[2] > 0.6
    assert alone[1] < plain[1] < on_print[1]
    assert on_print[1] > 0.6


def test_an_outline_leaves_out_cheques_more_often_than_it_invents_one() -> None:
    two, one = (Outline(heights={number: 0.95}, faint=frozenset()) for number in (2, 1))
    assert two.number_chance(2) > 0.7 > two.number_chance(3) > two.number_chance(5) > two.number_chance(1) > 0
    assert one.number_chance(4) > two.number_chance(4), "the uppermost alone, whose side is as dark as its shadow"
    assert replace(one, on_print=True).number_chance(4) < one.number_chance(4)


def test_number_that_the_outline_names_and_no_box_was_asked_for_stays_open() -> None:
    """A pile of six was taken for one of nine farther away, and read as seven."""
    boxes = {7: told(_6=0.96, _7=0.03), 8: told(_6=0.95, _7=0.04), 9: told(_7=0.19, _8=0.7)}
    six = Outline(heights={6: 0.96}, faint=frozenset(), on_print=True)
    assert sum(number_chances(boxes, boxes[9], box_chips=9.0).values()) == pytest.approx(1.0)
    assert max(number_chances(boxes, boxes[9], box_chips=9.0, outline=six).values()) < 0.3
