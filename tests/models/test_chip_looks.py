"""Whole stacks drawn as they would look, held against strips whose colours are known by hand."""

import numpy as np
import pytest

from models.chip_bands import bands_of
from models.chip_geometry import COLOURS, STEPS_PER_CHIP, STRIP_COLUMNS, STRIP_ROWS
from models.chip_looks import KINDS, Looks, Rows

RED, GREEN, BLACK, PURPLE, ORANGE = (COLOURS.index(name) for name in ("red", "green", "black", "purple", "orange"))
BODY = {RED: (40, 35, 150), GREEN: (60, 110, 45), BLACK: (45, 45, 45), PURPLE: (100, 60, 90)}
FIRST_ROW, CHIP = 20, 8


def strip_of_heights(*chips: tuple[int, float], blur_rows: float = 3.0) -> np.ndarray:
    """Chips of a colour that are seen so high, in chips; blurred over the rows."""
    rows = np.concatenate([np.full(round(CHIP * height), colour) for colour, height in chips])
    edge = np.concatenate([np.full(FIRST_ROW, rows[0]), rows, np.full(STRIP_ROWS - FIRST_ROW - len(rows), rows[-1])])
    pure = np.array([BODY[colour] for colour in edge], dtype=float)
    kernel = np.exp(-((np.arange(-12, 13) / blur_rows) ** 2) / 2)
    seen = np.stack([np.convolve(np.pad(one, 12, mode="edge"), kernel / kernel.sum(), mode="valid") for one in pure.T])
    return np.repeat(np.round(seen.T)[:, None], STRIP_COLUMNS, axis=1).astype(np.uint8)


def middles(count: int) -> np.ndarray:
    return FIRST_ROW // 2 + 2 + STEPS_PER_CHIP * np.arange(count)


@pytest.fixture
def looks() -> Looks:
    """Four colours that are known."""
    bands, colours = [], []
    for colour in BODY:
        bands.append(bands_of(strip_of_heights((colour, 4)), middles(4)))
        colours += [colour] * bands[-1].shape[0] * bands[-1].shape[1]
    weights = np.zeros((len(colours), KINDS), np.float32)
    weights[np.arange(len(colours)), colours] = 1
    weights /= np.maximum(weights.sum(axis=0), 1)
    points = np.concatenate(bands).reshape(-1, 3)
    return Looks(points=points, weights=weights, rack=np.ones(KINDS, dtype=bool))


def told(looks: Looks, strip: np.ndarray, *answers: tuple[int, ...], px_per_edge: float = 3.0) -> np.ndarray:
    numbers = [tuple(colour + 1 for colour in answer) for answer in answers]
    where = middles(len(answers[0]))
    return Rows(strip, looks, px_per_edge).fits(where, numbers)


@pytest.mark.parametrize("thin", [1.0, 0.6])
def test_a_thin_purple_row_is_no_mixture_of_red_and_black(looks: Looks, thin: float) -> None:
    strip = strip_of_heights((RED, 2 - thin), (PURPLE, thin), (BLACK, 3))
    right, black, red = told(
        looks, strip, (RED, PURPLE, BLACK, BLACK), (RED, BLACK, BLACK, BLACK), (RED, RED, BLACK, BLACK)
    )
    assert right > max(black, red) + 2.0


def test_a_green_chip_between_black_and_red_is_not_black(looks: Looks) -> None:
    strip = strip_of_heights((BLACK, 1.1), (GREEN, 0.7), (RED, 2.2), blur_rows=4.0)
    right, black, red = told(looks, strip, (BLACK, GREEN, RED, RED), (BLACK, BLACK, RED, RED), (BLACK, RED, RED, RED))
    assert right > max(black, red) + 2.0


def test_where_green_turns_to_red_there_is_no_black_chip(looks: Looks) -> None:
    """Half green and half red are grey; the line is a quarter of a chip lower than the middles say."""
    strip = strip_of_heights((GREEN, 1.75), (RED, 2.25))
    right, black = told(looks, strip, (GREEN, GREEN, RED, RED), (GREEN, BLACK, RED, RED))
    assert right > black + 1.0


def test_a_pile_of_one_colour_is_of_that_colour_however_dark_its_foot(looks: Looks) -> None:
    strip = strip_of_heights((GREEN, 4)).astype(float)
    strip[: FIRST_ROW + CHIP] *= 0.7
    green, black = told(looks, strip.astype(np.uint8), (GREEN,) * 4, (BLACK, GREEN, GREEN, GREEN))
    assert green > black + 1.0


def test_a_single_chip_has_no_lines(looks: Looks) -> None:
    purple, black = told(looks, strip_of_heights((PURPLE, 1)), (PURPLE,), (BLACK,))
    assert purple > black


def test_a_colour_that_is_not_known_loses_to_one_that_fits_and_beats_those_that_do_not(looks: Looks) -> None:
    strip = strip_of_heights((RED, 1), (PURPLE, 1), (BLACK, 2))
    right, unknown, wrong = told(
        looks, strip, (RED, PURPLE, BLACK, BLACK), (RED, ORANGE, BLACK, BLACK), (GREEN, GREEN, GREEN, GREEN)
    )
    assert right > unknown > wrong
