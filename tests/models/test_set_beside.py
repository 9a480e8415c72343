"""A payment set beside a wager: the wager still stands, and what is new is read by itself."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from models.close_look import Glimpse
from models.set_beside import look_beside
from models.sighting import Sighting
from models.tracking import Known, remember
from tests.models.test_tracking import GREY, SMALL, pile

WAGER = pile(0, 0, red_red=0.97)
PAYMENT = pile(0, -42, red_red=0.95)
ONE_TALL_PILE = pile(8, -10, black_black_black_black_red=0.08)


def known(sighting: Sighting = WAGER) -> Known:
    return remember([sighting], SMALL, GREY)


def glimpse(*sightings: Sighting) -> Glimpse:
    return Glimpse(sightings=sightings, hands=(), unexplained_px=())


class Looks:
    """Tells one tall pile where nothing is known to stand, and ``then`` where something is; counts its looks."""

    def __init__(self, first: Sighting, *then: Sighting) -> None:
        self.first, self.then, self.count = first, then, 0

    def __call__(self, *, kept: Sequence[Sighting]) -> Glimpse:
        self.count += 1
        return glimpse(*self.then) if kept else glimpse(self.first)


def test_what_is_set_beside_a_known_pile_is_read_by_itself() -> None:
    wager = known()
    seen, standing = look_beside(Looks(ONE_TALL_PILE, PAYMENT), [], [wager], GREY)
    assert seen.sightings == (PAYMENT,)
    assert standing == [wager]


def test_nothing_need_be_new() -> None:
    seen, standing = look_beside(Looks(ONE_TALL_PILE), [], [known()], GREY)
    assert seen.sightings == ()
    assert len(standing) == 1


@pytest.mark.parametrize(
    "wager",
    [pile(0, 0, red_red=0.5), pile(300, 0, red_red=0.97)],
    ids=["was hardly read itself", "stands elsewhere"],
)
def test_a_pile_that_tells_nothing_here_is_not_taken_as_standing(wager: Sighting) -> None:
    looks = Looks(ONE_TALL_PILE, PAYMENT)
    assert look_beside(looks, [], [known(wager)], GREY)[1] == []
    assert looks.count == 1


def test_a_pile_whose_inside_has_changed_is_not_taken_as_standing() -> None:
    wager = known()
    x0, y0, x1, y1 = wager.box
    now = GREY.copy()
    now[y0 : (y0 + y1) // 2, x0:x1] = 200
    seen, standing = look_beside(Looks(ONE_TALL_PILE, PAYMENT), [], [wager], now)
    assert (seen.sightings, standing) == ((ONE_TALL_PILE,), [])


def test_a_higher_pile_that_is_read_is_no_pile_with_something_beside_it() -> None:
    grown = pile(0, 0, red_red_red_red=0.9)
    seen, standing = look_beside(Looks(grown, PAYMENT), [], [known()], GREY)
    assert (seen.sightings, standing) == ((grown,), [])


def test_an_explanation_that_is_strange_as_well_is_not_taken() -> None:
    seen, standing = look_beside(Looks(ONE_TALL_PILE, pile(0, -42, green=0.3)), [], [known()], GREY)
    assert (seen.sightings, standing) == ((ONE_TALL_PILE,), [])


def test_a_pile_taken_as_standing_is_remembered_as_it_looks_now() -> None:
    wager = known()
    now = GREY.copy()
    x0, y0, x1, _ = wager.box
    now[y0 : y0 + 4, x0:x1] = 200
    assert not wager.looks_the_same(now)
    look_beside(Looks(ONE_TALL_PILE, PAYMENT), [], [wager], now)
    assert np.array_equal(wager.patch, now[wager.box[1] : wager.box[3], wager.box[0] : wager.box[2]])
    assert wager.looks_the_same(now)
