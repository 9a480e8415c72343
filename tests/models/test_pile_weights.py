"""What is made of a pile's readings besides what its reader says."""

from __future__ import annotations

import numpy as np
import pytest

from audit.states import StackCandidate
from models.outline import Outline
from models.pile_weights import weighed, with_a_black_foot
from models.proposals import Proposal

READ = (StackCandidate(stack=("green", "green"), p=0.9), StackCandidate(stack=("black", "green"), p=0.02))


def test_two_green_cheques_may_be_a_green_one_on_a_black_one() -> None:
    told = {one.stack: one.p for one in with_a_black_foot(READ, {"green", "black", "red"})}
    assert told == pytest.approx({("green", "green"): 0.8928, ("black", "green"): 0.0272})


def test_nothing_is_black_at_a_table_without_black_cheques() -> None:
    assert with_a_black_foot(READ, {"green", "red"}) == READ


def test_one_green_cheque_may_stand_on_a_black_one() -> None:
    told = {one.stack: one.p for one in with_a_black_foot((StackCandidate(stack=("green",), p=0.9),), {"black"})}
    assert told == pytest.approx({("green",): 0.8928, ("black", "green"): 0.0072})


@pytest.mark.parametrize("stack", [("green",) * 3, ("green", "red"), ("red", "red")])
def test_other_piles_are_what_they_were_read_as(stack: tuple[str, ...]) -> None:
    read = (StackCandidate(stack=stack, p=0.9),)
    assert with_a_black_foot(read, {"green", "black", "red"}) == read


def test_on_print_a_pile_of_the_felt_s_own_colour_may_have_a_cheque_more() -> None:
    """Dicey 21 on red felt, in another hand's light: two red cheques in a printed box looked like one, with 0.98."""
    on_print = Outline(heights={1: 0.95}, faint=frozenset({"red", "black"}), on_print=True)
    place = {"polygon_px": np.eye(4, 2), "xy_mm": (0.0, 0.0), "angle_deg": None}
    box = Proposal(kind="chips", confidence=0.9, outline=on_print, **place)
    told = {one.stack: one.p for one in weighed([(("red",), 0.9), (("green", "red"), 0.1)], box)}
    assert told[("red", "red")] > 0.01
    assert told[("green", "red")] == pytest.approx(0.1)  # a green foot would show
    assert sum(told.values()) == pytest.approx(1.0)
