"""A pile whose foot a nearer one hides may be higher than it seems; a pile that looks as it did is the one it was."""

from __future__ import annotations

import numpy as np
import pytest

from models.hidden_feet import with_hidden_feet
from models.tracking import remember
from tests.models.test_pile_edges import CAMERA, PLACE
from tests.models.test_pile_shapes import SMALL, pile, table_picture

NEARER = (PLACE[0], PLACE[1] + 41.0)
BESIDE = (PLACE[0] + 60.0, PLACE[1])
FARTHER = (PLACE[0], PLACE[1] - 41.0)


def read(*others, seen=None):
    """The stacks of a pile of two beside others, with their probabilities."""
    (told,) = with_hidden_feet([seen or pile(PLACE, 2)], others, CAMERA)
    return {len(one.stack): round(one.p, 4) for one in told.stacks}


def test_a_foot_that_shows_leaves_the_reading_as_it_is() -> None:
    assert read() == read(pile(BESIDE, 5)) == read(pile(FARTHER, 5)) == {2: 0.99}


def test_a_foot_behind_a_nearer_pile_leaves_open_up_to_three_chips_more() -> None:
    assert read(pile((PLACE[0], PLACE[1] + 46.0), 5)) == {2: 0.6336, 3: 0.1188, 4: 0.1188, 5: 0.1188}


def test_a_pile_is_not_so_high_that_it_would_stand_in_the_nearer_one() -> None:
    """A clip of 21 Stud, 29 s: of a payment close behind its wager one cheque at most can have been hidden."""
    assert read(pile(NEARER, 5)) == {2: 0.72, 3: 0.135, 4: 0.135}
    assert read(pile((PLACE[0], PLACE[1] + 39.0), 5)) == {2: 0.8337, 3: 0.1563}


def test_the_pile_itself_seen_before_hides_nothing() -> None:
    assert read(pile((PLACE[0] + 4.0, PLACE[1] + 8.0), 6)) == {2: 0.99}


def test_piles_that_were_read_together_hide_each_other() -> None:
    far, near = with_hidden_feet([pile(PLACE, 2), pile(NEARER, 5)], [], CAMERA)
    assert [len(far.stacks), len(near.stacks)] == [3, 1]


def test_a_pile_of_which_nothing_was_read_stays_unread() -> None:
    seen = pile(PLACE, 2)
    blank = type(seen)(kind="chips", polygon_px=seen.polygon_px, confidence=0.5, xy_mm=PLACE)
    assert read(pile(NEARER, 5), seen=blank) == {}


@pytest.mark.parametrize(("chips", "stayed"), [(3, True), (6, False)])
def test_a_wager_beside_which_something_was_set_looks_as_it_did_inside(chips: int, stayed: bool) -> None:
    known = remember([pile(PLACE, 3)], SMALL, table_picture((PLACE, 3, 20.0)))
    now = table_picture((FARTHER, 4, 5.0), (PLACE, chips, 20.0 if chips == 3 else 50.0))
    assert not known.looks_the_same(now)
    assert known.stayed_inside(now) is stayed


def test_a_place_out_of_the_picture_tells_nothing() -> None:
    known = remember([pile(PLACE, 3)], SMALL, table_picture((PLACE, 3, 20.0)))
    assert not known.stayed_inside(np.zeros((4, 4), dtype=np.uint8))
