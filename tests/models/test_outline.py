"""What an outline says of a stack, and which colours it cannot see at its foot."""

import numpy as np
import pytest

from models.outline import Outline, faint_colours

GREEN_FELT = np.array([[80.0, 120.0, 110.0]])
OUTLINE = Outline(heights={1: 0.1, 2: 0.8, 3: 0.06, 4: 0.001}, faint=frozenset({"black", "green"}))


@pytest.mark.parametrize(
    ("stack", "chance"),
    [
        (("red", "red"), 0.8),
        (("red",), 0.1),
        (("red",) * 9, 0.02),
        (("red",) * 4, 0.02),  # outlines are wrong more often than they say
        (("green", "red", "red"), 0.7 * 0.8 + 0.3 * 0.06),  # its foot mostly does not show
        (("red", "green"), 0.8),  # what is faint lies on top, where it shows
        (("black", "black"), 0.7 * 0.8 + 0.3 * 0.1),  # faint all over, but mostly all of it shows
        (("green",), 0.1),
    ],
)
def test_an_outline_speaks_for_stacks_of_its_height_and_for_those_upon_a_faint_foot(stack, chance):
    assert OUTLINE.chance(stack) == pytest.approx(chance)


def test_stacks_with_a_faint_chip_more_or_less_at_the_foot_look_alike():
    assert OUTLINE.like(("black", "black", "red")) == (("black", "black", "black", "red"), ("black", "red"))
    assert OUTLINE.like(("green", "red")) == (("green", "green", "red"),)
    assert OUTLINE.like(("red", "green")) == ()


def test_an_outline_may_have_taken_its_shadow_for_one_chip_more():
    shadowed = Outline(heights={1: 0.0, 2: 0.05, 3: 0.95}, faint=frozenset()).shadowed()
    assert shadowed.chance(("red",) * 2) == pytest.approx(0.8 * 0.05 + 0.2 * 0.95)
    assert shadowed.chance(("red",) * 3) == pytest.approx(0.8 * 0.95)
    assert shadowed.chance(("red",) * 4) == pytest.approx(0.02)


def test_on_a_green_felt_green_and_black_are_faint():
    assert faint_colours(GREEN_FELT) == {"black", "green"}


def test_on_a_blue_felt_blue_and_black_are_faint():
    assert faint_colours(np.array([[70.0, 165.0, 105.0]])) == {"black", "blue"}


def test_on_a_grey_felt_grey_and_black_are_faint():
    assert faint_colours(np.array([[120.0, 128.0, 128.0]])) == {"black", "grey"}
