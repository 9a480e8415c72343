"""Drawn tables: what lies there could lie at a table, and the felt behind it is known as a run would know it."""

import numpy as np

from models.backdrop import LIKE
from models.chip_geometry import COLOURS, FootCamera
from models.train.chip_styles import FAMILIES, random_style
from models.train.chip_tables import ChipTable, DrawnBackdrop
from models.train.chips import draw_stack, paste

CAMERA = FootCamera(foot_px=np.array([150.0, 220.0]), px_per_mm=2.0, sine=0.7, cosine=0.714)


def in_order(wager: tuple[str, ...]) -> bool:
    values = [COLOURS.index(colour) for colour in wager]
    return values == sorted(values, reverse=True)


def test_wagers_are_of_colours_in_play_mostly_with_the_high_ones_at_the_foot():
    rng = np.random.default_rng(4)
    table = ChipTable(felt="green", colours=("black", "green", "red", "white"))
    wagers = [table.wager(rng) for _ in range(400)]
    for wager in wagers:
        assert 1 <= len(wager) <= 20
        assert set(wager) <= set(table.colours)
    mixed = [wager for wager in wagers if len(set(wager)) > 1]
    assert 0.75 * len(mixed) < sum(in_order(wager) for wager in mixed) < len(mixed), "some lie in any order"
    assert sum(wager[0] == "black" for wager in mixed) > len(mixed) / 2
    assert sum(wager == ("green",) * len(wager) for wager in wagers) > 60
    tall = [wager for wager in mixed if len(wager) > 3]
    assert sum(wager.count(wager[0]) == 1 and len(set(wager)) == 2 for wager in tall) > len(tall) / 5


def test_backdrop_tells_a_stack_from_the_felt_before_it_was_put_there():
    rng = np.random.default_rng(1)
    table = ChipTable.random(rng)
    bare = table.felt_picture((300, 300), rng)
    frame = bare.copy()
    sprite = draw_stack(
        ("white",) * 4, random_style(rng, families=FAMILIES), elevation_deg=44.0, px_per_mm=2.0, rng=rng, lean_deg=0.0
    )
    paste(frame, sprite, (150.0, 220.0))
    known = next(one for one in (DrawnBackdrop.learnt(frame, bare, CAMERA, rng) for _ in range(50)) if one is not None)
    on, beside = (known(np.full((1, 1, 2), at, np.float32))[0, 0] for at in ((150, 190), (20, 20)))
    assert on[0] > LIKE + 40
    assert abs(int(beside[0]) - LIKE) < 25
