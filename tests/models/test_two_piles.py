"""Two piles that stood out as one are told apart at their waist."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from models.two_piles import explains_better, is_strange, parted, without_squeezed
from tests.models.test_tracking import card, pile


def picture(*middles: tuple[int, int]) -> np.ndarray:
    mask = np.zeros((160, 200), dtype=np.uint8)
    for middle in middles:
        cv2.circle(mask, center=middle, radius=20, color=255, thickness=-1)
    return mask


@pytest.mark.parametrize("middles", [((60, 60), (98, 60)), ((70, 50), (97, 77)), ((80, 40), (80, 78))])
def test_two_beside_each_other_are_parted_between_them(middles: tuple[tuple[int, int], tuple[int, int]]) -> None:
    mask = picture(*middles)
    parts = parted(mask)
    assert parts is not None
    assert np.array_equal(parts[0] | parts[1], mask)
    assert not (parts[0] & parts[1]).any()
    found = sorted(tuple(np.argwhere(part)[:, ::-1].mean(axis=0)) for part in parts)
    assert np.allclose(found, sorted(middles), atol=3)


def test_one_pile_is_not_parted() -> None:
    assert parted(picture((60, 60))) is None
    assert parted(picture()) is None


def test_a_pile_is_strange_if_its_side_is_no_stack_of_any_number() -> None:
    assert is_strange(pile(0, 0, red_red=0.2, red=0.1))
    assert is_strange(pile(0, 0))
    assert not is_strange(pile(0, 0, red_red=0.4, red=0.3, red_red_red=0.2))
    assert not is_strange(card(0, 0, Ah=0.1))


def test_another_explanation_is_better_if_all_its_piles_are_stacks() -> None:
    unsure = pile(40, 0, red_red=0.5, red=0.45)
    assert explains_better([pile(0, 0, red=0.95), unsure, card(90, 90)])
    assert not explains_better([pile(0, 0, red=0.95), pile(40, 0, red=0.6)])


def test_a_second_explanation_is_better_that_is_far_likelier_than_the_first() -> None:
    """Dicey 21, 35.5 s: four reds set behind a wager of four: one tall pile of 0.46, or a payment of one to four."""
    assert explains_better([pile(0, 0, red=0.86)], [pile(0, 0, red=0.46)])
    assert not explains_better([pile(0, 0, red=0.86)], [pile(0, 0, red=0.7)])
    assert not explains_better([pile(0, 0, red=0.7)], [pile(0, 0, red=0.1)])


@pytest.mark.parametrize(
    ("p", "aside", "left"),
    [(0.53, 0.0, 2), (0.9, 0.0, 3), (0.53, 40.0, 3)],
    ids=["hardly read", "read", "beside one of them alone"],
)
def test_what_is_hardly_read_and_has_no_room_between_two_that_are_read_is_none(
    p: float, aside: float, left: int
) -> None:
    """Film19 a, 44.6 s: four reds and two whites, one pile before the other, were a third one between them."""
    before, behind = pile(0, 0, red_red_red_red=0.99), pile(20, 36, white_white=0.98)
    between = pile(12 - aside, 20 - aside / 2, red=p)
    assert len(without_squeezed([before, between, behind])) == left
