"""A pile where cards are dealt gives way to a card that is read there, unless it is surely read itself."""

from __future__ import annotations

import numpy as np
import pytest

from audit.states import StackCandidate
from models.rivals import Rivals, is_hardly_a_pile, is_unlikely_among_cards
from models.sighting import Sighting

SQUARE = np.array([[0.0, 0.0], [20.0, 0.0], [20.0, 20.0], [0.0, 20.0]])
CARD = Sighting(kind="card", polygon_px=SQUARE, confidence=0.9, xy_mm=(0.0, 0.0), face="8d")


def pile(p: float) -> Sighting:
    stacks = (StackCandidate(stack=("white",) * 14, p=p),)
    return Sighting(kind="chips", polygon_px=SQUARE, confidence=0.9, xy_mm=(4.0, 3.0), stacks=stacks)


@pytest.mark.parametrize(("p", "unlikely", "hardly"), [(0.05, True, True), (0.51, True, False), (0.95, False, False)])
def test_how_surely_a_pile_is_read_tells_whether_it_may_be_a_card(p: float, unlikely: bool, hardly: bool) -> None:
    """A blackjack clip, 14.48 s: an eight of diamonds beside a king was fourteen white cheques, with 0.51."""
    assert is_unlikely_among_cards(pile(p)) is unlikely
    assert is_hardly_a_pile(pile(p)) is hardly
    assert not is_unlikely_among_cards(CARD)


def left(p: float, *, among_cards: bool, instead: tuple[Sighting, ...] = (CARD,)) -> int:
    place = ((-50.0, -50.0), (50.0, -50.0), (50.0, 50.0), (-50.0, 50.0))
    rivals = Rivals(card_places=(place,) if among_cards else (), furniture=())
    return len(rivals.without_replaced([pile(p)], instead))


def test_a_card_that_was_read_replaces_what_is_unlikely_where_cards_are_dealt_alone() -> None:
    assert left(0.51, among_cards=True) == 0
    assert left(0.51, among_cards=False) == left(0.95, among_cards=True) == 1
    assert left(0.51, among_cards=True, instead=()) == 1
    assert left(0.05, among_cards=False) == 0
