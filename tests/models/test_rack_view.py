"""The tubes of a rack, told by evidence that is written by hand."""

from pathlib import Path

import numpy as np

import sample_footage
from audit.table import load_profile
from models.camera import camera_of
from models.chip_geometry import COLOURS, STEPS, STRIP_COLUMNS, STRIP_ROWS
from models.chip_places import FIRST_COLOUR
from models.chip_reader import ChipReader
from models.frames import frame_at
from models.rack_view import RackStrips, rack_strips, told_of_rack

RED, BLACK, PURPLE, ORANGE = (COLOURS.index(name) for name in ("red", "black", "purple", "orange"))
PLACES = np.arange(-60.0, 61.0, 6.0)


class FromAbove:
    """Sees the table straight from above, half a millimetre to the pixel."""

    def to_pixels(self, points_mm):
        return points_mm[:, :2] * 2.0 + (400.0, 300.0)

    def to_felt(self, points_px):
        return (points_px - (400.0, 300.0)) / 2.0


def strips(*, spotted=True):
    one = np.full((STRIP_ROWS, STRIP_COLUMNS, 3), 60, np.uint8)
    if spotted:
        one[:, ::4] = 220
    return RackStrips(strips=np.stack([one] * len(PLACES)), across_mm=PLACES, px_per_edge=3.0)


def evidence(colour_at, *, steps=slice(None), strength=8.0):
    """For each place the colour that speaks at these steps, or None."""
    told = []
    for place in PLACES:
        table = np.zeros((STEPS, FIRST_COLOUR + 11), np.float32)
        colour = colour_at(place)
        if colour is not None:
            table[steps, FIRST_COLOUR + colour] = strength
        told.append(table)
    return told


def colours(rack):
    return [COLOURS[tube.colour - 1] for tube in rack.tubes]


def test_tubes_are_told_from_left_to_right_two_of_one_colour_side_by_side():
    rack = told_of_rack(strips(), evidence(lambda x: RED if x < 20 else PURPLE))
    assert colours(rack) == ["red", "red", "purple"]
    assert rack.hinted == {RED + 1, PURPLE + 1}


def test_an_empty_tube_without_edge_spots_is_none():
    assert told_of_rack(strips(spotted=False), evidence(lambda _: BLACK)).tubes == ()


def test_what_is_told_for_a_few_chips_or_with_little_certainty_is_no_tube():
    assert told_of_rack(strips(), evidence(lambda _: RED, steps=slice(40, 60))).tubes == ()
    unsure = told_of_rack(strips(), evidence(lambda _: RED, strength=2.5))
    assert unsure.tubes == ()
    assert unsure.hinted == {RED + 1}


def test_a_colour_that_is_told_at_one_place_only_is_no_tube():
    assert told_of_rack(strips(), evidence(lambda x: ORANGE if x == 0 else None)).tubes == ()


def test_strips_cover_the_rack_along_its_shorter_side_however_it_lies():
    frame = np.zeros((600, 800, 3), np.uint8)
    across = rack_strips(frame, FromAbove(), [(-100, -60), (100, -60), (100, 60), (-100, 60)])
    turned = rack_strips(frame, FromAbove(), [(-60, -100), (60, -100), (60, 100), (-60, 100)])
    assert across is not None
    assert turned is not None
    assert across.strips.shape == turned.strips.shape
    assert across.strips.shape[1:] == (STRIP_ROWS, STRIP_COLUMNS, 3)
    assert np.ptp(across.across_mm) >= 150
    assert abs(across.px_per_edge - 6.6) < 0.1


def test_a_rack_that_is_short_or_not_all_in_the_picture_is_not_looked_at():
    frame = np.zeros((600, 800, 3), np.uint8)
    assert rack_strips(frame, FromAbove(), [(-100, -20), (100, -20), (100, 20), (-100, 20)]) is None
    assert rack_strips(frame, FromAbove(), [(150, -60), (350, -60), (350, 60), (150, 60)]) is None


def test_the_rack_of_a_sample_clip_is_told_by_the_shipped_network():
    """White, pink, two of black, purple, two of green, two of red: what is told is right, and purple is told."""
    samples = Path(sample_footage.__file__).parent
    table = load_profile(samples / "profiles" / "BJ-12.toml")
    (rack,) = (zone.polygon_mm for zone in table.zones if zone.name == "rack")
    frame = frame_at(samples / "clips" / "side_bets.mp4", 320)
    told = colours(ChipReader().read_rack(frame.bgr, camera_of(table), rack))
    assert set(told) <= {"white", "pink", "black", "purple", "green", "red"}
    assert {"black", "purple", "green", "red"} <= set(told)
