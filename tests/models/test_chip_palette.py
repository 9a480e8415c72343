"""What the stacks of a table teach about each other's colours."""

import numpy as np
import pytest

from models.chip_bands import Bands, bands_of
from models.chip_geometry import COLOURS, STRIP_COLUMNS, STRIP_ROWS
from models.chip_palette import Palette, Witness
from models.rack_view import RackColours, Tube

GREEN, BLACK, RED, PURPLE = (COLOURS.index(name) for name in ("green", "black", "red", "purple"))
LOOKS = {GREEN: (60, 120, 45), BLACK: (30, 30, 30), RED: (40, 35, 150), PURPLE: (130, 50, 110)}
DARK_FOOT = 0.6
EDGE_PX = 3.0
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
    told = Witness(table, strip, HERE, EDGE_PX).chips(middles)
    assert told is not None
    other = BLACK if lowest == GREEN else GREEN
    assert told[0, lowest] > told[0, other] + 1.0
    assert told[1].argmax() == GREEN


def test_a_colour_that_the_table_has_not_shown_is_not_taken_for_one_that_it_has(table: Palette) -> None:
    strip, middles = strip_and_middles(PURPLE)
    told = Witness(table, strip, HERE, EDGE_PX).chips(middles)
    assert told is not None
    assert told[0, PURPLE] > max(told[0, GREEN], told[0, BLACK])
    assert told[0, PURPLE] == told[0, RED]  # neither is known here: the palette takes no side


def test_a_stack_does_not_testify_for_itself() -> None:
    palette = Palette()
    teach(palette, HERE, GREEN, GREEN, GREEN)
    strip, middles = strip_and_middles(GREEN, GREEN, GREEN)
    witness = Witness(palette, strip, HERE + 3.0, EDGE_PX)
    assert witness.chips(middles) is None
    assert witness.stacks(middles, [(GREEN + 1,) * 3]) is None


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
    witness = Witness(palette, strip, ELSEWHERE, EDGE_PX)
    assert witness.chips(middles) is None
    witness.teach([((RED + 1,) * 3, 0.9)])
    assert known(palette) == {RED}


def tube(colour: int, *, light: float = 1.0) -> Tube:
    """Four cheques of a tube of the rack, lighter by so much than on the felt."""
    strip, middles = strip_and_middles(*(colour,) * 5)
    bands: Bands = bands_of(np.clip(strip * light, 0, 255).astype(np.uint8), middles[1:])
    return Tube(colour=colour + 1, bands=bands)


def seen_rack(*tubes: Tube, hinted: tuple[int, ...] = ()) -> RackColours:
    return RackColours(tubes=tubes, hinted=frozenset(colour + 1 for colour in hinted))


def test_the_rack_tells_a_colour_that_no_stack_has_shown(table: Palette) -> None:
    table.learn_rack(seen_rack(tube(GREEN), tube(BLACK), tube(PURPLE)))
    strip, middles = strip_and_middles(PURPLE, PURPLE)
    told = Witness(table, strip, HERE, EDGE_PX).chips(middles)
    assert told is not None
    assert known(table) == {GREEN, BLACK, PURPLE}
    assert told[1, PURPLE] > told[1, RED] + 0.45
    assert told[1, PURPLE] > max(told[1, BLACK], told[1, GREEN]) + 1.0


def test_what_lies_in_the_rack_is_lighter_by_as_much_as_known_colours_tell(table: Palette) -> None:
    table.learn_rack(seen_rack(tube(GREEN, light=1.3), tube(BLACK, light=1.3), tube(PURPLE, light=1.3)))
    strip, middles = strip_and_middles(PURPLE, PURPLE)
    as_light = Palette()
    teach(as_light, ELSEWHERE, GREEN, GREEN, GREEN)
    teach(as_light, ELSEWHERE + 50, BLACK, BLACK, BLACK)
    as_light.learn_rack(seen_rack(tube(GREEN), tube(BLACK), tube(PURPLE)))
    lighter, plain = (Witness(one, strip, HERE, EDGE_PX).chips(middles) for one in (table, as_light))
    assert lighter is not None
    assert plain is not None
    assert lighter[1, PURPLE] == pytest.approx(plain[1, PURPLE], abs=0.5)


@pytest.mark.parametrize("light", [(1.0, 0.5), (None, 1.0)])
def test_the_rack_tells_nothing_where_its_light_is_not_known(table: Palette, light: tuple[float | None, float]) -> None:
    """Two colours disagree by how much it is lighter; or only one is known in both places."""
    shown = [tube(colour, light=by) for colour, by in zip((GREEN, BLACK), light, strict=True) if by is not None]
    table.learn_rack(seen_rack(*shown, tube(PURPLE)))
    assert known(table) == {GREEN, BLACK}


def test_a_tube_that_looks_like_a_colour_of_the_felt_is_not_of_another_colour(table: Palette) -> None:
    mistaken = Tube(colour=PURPLE + 1, bands=tube(RED).bands)
    teach(table, ELSEWHERE + 100, RED, RED, RED)
    table.learn_rack(seen_rack(tube(GREEN), tube(BLACK), mistaken))
    assert known(table) == {GREEN, BLACK, RED}


def test_a_tube_under_a_hand_is_outvoted(table: Palette) -> None:
    for shown in (tube(PURPLE), tube(PURPLE), Tube(colour=PURPLE + 1, bands=tube(RED).bands)):
        table.learn_rack(seen_rack(tube(GREEN), tube(BLACK), shown))
    strip, middles = strip_and_middles(PURPLE, RED)
    told = Witness(table, strip, HERE, EDGE_PX).chips(middles)
    assert told is not None
    assert told[1, PURPLE] < told[1, RED] + 1e-9


def test_a_colour_that_the_whole_rack_does_not_show_is_less_likely_than_one_that_it_may(table: Palette) -> None:
    orange, grey = COLOURS.index("orange"), COLOURS.index("grey")
    shown = (tube(GREEN), tube(BLACK), tube(PURPLE), tube(RED))
    table.learn_rack(seen_rack(*shown, hinted=(grey,)))
    strip, middles = strip_and_middles(PURPLE, PURPLE)
    witness = Witness(table, strip, HERE, EDGE_PX)
    told = witness.chips(middles)
    stacks = witness.stacks(middles, [(PURPLE + 1, grey + 1), (PURPLE + 1, orange + 1)])
    assert told is not None
    assert stacks is not None
    apart = told[1, grey] - told[1, orange], stacks[0] - stacks[1]
    assert min(apart) > 0.5
    assert sum(apart) == pytest.approx(3.0, abs=0.1)  # e^3 to 1 together


def test_of_few_tubes_nothing_is_concluded_about_other_colours(table: Palette) -> None:
    table.learn_rack(seen_rack(tube(GREEN), tube(BLACK)))
    strip, middles = strip_and_middles(PURPLE, PURPLE)
    told = Witness(table, strip, HERE, EDGE_PX).chips(middles)
    assert told is not None
    assert told[1, PURPLE] == told[1, RED]
