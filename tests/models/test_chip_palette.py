"""What the stacks of a table teach about each other's colours."""

import numpy as np
import pytest

from models.chip_geometry import COLOURS, STRIP_COLUMNS, STRIP_ROWS
from models.chip_palette import Palette, Witness, bands_of

GREEN, BLACK, RED, PURPLE = (COLOURS.index(name) for name in ("green", "black", "red", "purple"))
LOOKS = {GREEN: (60, 120, 45), BLACK: (30, 30, 30), RED: (40, 35, 150), PURPLE: (130, 50, 110)}
DARK_FOOT = 0.6
ELSEWHERE, HERE = np.array([400.0, 400.0]), np.array([0.0, 430.0])


def strip_and_middles(*stack: int) -> tuple[np.ndarray, np.ndarray]:
    """The side of a stack, its lowest chip in the dark at the felt, with white edge spots; and its chips' middles."""
    strip = np.full((STRIP_ROWS, STRIP_COLUMNS, 3), (70, 90, 60), np.uint8)
    for level, colour in enumerate(stack):
        light = DARK_FOOT if level == 0 else 1.0
        rows = np.s_[20 + 8 * level : 28 + 8 * level]
        strip[rows] = np.array(LOOKS[colour]) * light
        strip[rows, 4:7] = strip[rows, 18:21] = np.array([230, 235, 235]) * light
    return strip, np.array([12 + 4 * level for level in range(len(stack))])


def teach(palette: Palette, place: np.ndarray, *stack: int, p: float = 1.0) -> None:
    strip, middles = strip_and_middles(*stack)
    palette.learn(place, bands_of(strip, middles), [(tuple(colour + 1 for colour in stack), p)])


def known(palette: Palette) -> set[int]:
    """The colours that a palette knows."""
    looks = palette.looks(HERE)
    assert looks is not None
    return set(np.flatnonzero(looks.known).tolist())


@pytest.fixture
def table() -> Palette:
    palette = Palette()
    teach(palette, ELSEWHERE, GREEN, GREEN, GREEN)
    teach(palette, ELSEWHERE + 50, BLACK, BLACK, BLACK)
    return palette


@pytest.mark.parametrize("lowest", [GREEN, BLACK])
def test_the_lowest_chip_is_told_by_those_of_other_stacks(table: Palette, lowest: int) -> None:
    strip, middles = strip_and_middles(lowest, GREEN)
    told = Witness(table, strip, HERE)(middles)
    assert told is not None
    other = BLACK if lowest == GREEN else GREEN
    assert told[0, lowest] > told[0, other] + 1.0
    assert told[1].argmax() == GREEN


def test_a_colour_that_the_table_has_not_shown_is_not_taken_for_one_that_it_has(table: Palette) -> None:
    strip, middles = strip_and_middles(PURPLE)
    told = Witness(table, strip, HERE)(middles)
    assert told is not None
    assert told[0, PURPLE] > max(told[0, GREEN], told[0, BLACK])
    assert told[0, PURPLE] == told[0, RED]  # neither is known here: the palette takes no side


def test_a_stack_does_not_testify_for_itself() -> None:
    palette = Palette()
    teach(palette, HERE, GREEN, GREEN, GREEN)
    strip, middles = strip_and_middles(GREEN, GREEN, GREEN)
    assert Witness(palette, strip, HERE + 3.0)(middles) is None


def test_the_latest_stack_of_a_place_replaces_the_one_before() -> None:
    palette = Palette()
    teach(palette, ELSEWHERE, RED, RED, RED)
    teach(palette, ELSEWHERE + 3.0, GREEN, GREEN, GREEN)
    assert known(palette) == {GREEN}


def test_chips_in_doubt_and_single_chips_teach_nothing() -> None:
    palette = Palette()
    teach(palette, ELSEWHERE, GREEN, GREEN, GREEN, p=0.2)
    teach(palette, ELSEWHERE + 50, BLACK, BLACK)
    assert palette.looks(HERE) is None


def test_a_witness_teaches_what_was_found_with_it() -> None:
    palette = Palette()
    strip, middles = strip_and_middles(RED, RED, RED)
    witness = Witness(palette, strip, ELSEWHERE)
    assert witness(middles) is None
    witness.teach([((RED + 1,) * 3, 0.9)])
    assert known(palette) == {RED}
