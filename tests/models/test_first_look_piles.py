"""What was found by its outline and what was detected at the first look, while the bare felt is not known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from audit.states import StackCandidate
from models.rivals import Rivals
from models.sighting import Sighting

NO_TABLE = Rivals(card_places=(), furniture=())
SIX, ONE = ("red",) * 6, ("red",)


def pile(told: dict[tuple[str, ...], float], x: float = 0.0, high: float = 20.0) -> Sighting:
    return Sighting(
        kind="chips",
        polygon_px=np.array([[x, 0.0], [x + 20, 0.0], [x + 20, high], [x, high]]),
        confidence=0.9,
        xy_mm=(x, -high),
        stacks=tuple(StackCandidate(stack=stack, p=p) for stack, p in told.items()),
    )


def left(found: Sighting, *detected: Sighting) -> list[Sighting]:
    kept, told = NO_TABLE.surer([found], detected)
    return [*kept, *told]


def test_a_whole_pile_that_was_detected_replaces_its_uppermost_cheque() -> None:
    """A film of another hand, red cheques on red felt: nothing but the top of six stood out, one with 0.96."""
    top, whole = pile({ONE: 0.96}, high=20.0), pile({SIX: 0.9}, high=60.0)
    assert left(top, whole) == [whole]
    unread = pile({SIX: 0.4, (*SIX, "red"): 0.3}, high=60.0)
    assert left(top, unread) == [unread]


def test_of_two_that_tell_the_same_what_was_found_stays_if_it_is_read_or_surer() -> None:
    sure, read, less = pile({SIX: 0.98}), pile({SIX: 0.92}), pile({SIX: 0.8})
    assert left(read, sure) == [read]
    assert left(less, pile({SIX: 0.6}, high=60.0)) == [less]
    assert left(less, sure) == [sure]


def test_of_two_that_are_read_otherwise_the_higher_one_stays() -> None:
    three, two = pile({("purple",) * 3: 0.93}), pile({("purple",) * 2: 0.95})
    assert left(three, two) == [three]
    assert left(two, three) == [three]


def test_what_is_hardly_read_and_was_not_detected_is_print() -> None:
    """Two such films: discs for progressive wagers were four black cheques, with 0.8, wagered and lost."""
    disc = pile({("black",) * 4: 0.8, ("black",) * 5: 0.18})
    assert left(disc) == []
    elsewhere = pile({ONE: 0.99}, x=300.0)
    assert left(disc, elsewhere) == [elsewhere]
    told = pile({SIX: 0.95})
    assert left(told) == [told]


def test_what_is_no_pile_is_left_alone() -> None:
    card = Sighting(kind="card", polygon_px=np.eye(4, 2), confidence=0.9, xy_mm=(0.0, 0.0), face="8d")
    assert left(card, pile({SIX: 0.9}))[0] is card


def test_what_hardly_has_the_outline_of_a_pile_and_was_not_detected_is_print() -> None:
    """Film s, at the first picture: the signs of cards' suits on two empty spots were red cheques, with 0.95."""
    sign = replace(pile({ONE: 0.95}), confidence=0.5)
    assert left(sign) == []
    assert left(sign, pile({ONE: 0.95})) == [sign]
    assert left(pile({ONE: 0.95})) != []
