"""Which rectangles are the same object."""

import math

import numpy as np
import pytest

from models.detection_merge import join_passes, of_one_size, overlap, suppress
from models.kinds import KINDS

CARD, BACK, CHIPS, DIE, HAND = (KINDS.index(kind) for kind in ("card", "card_back", "chips", "die", "hand"))


def row(x: float, y: float, width: float, height: float, angle_deg: float, confidence: float, kind: int) -> list[float]:
    return [x, y, width, height, math.radians(angle_deg), confidence, kind]


def rows(*listed: list[float]) -> np.ndarray:
    return np.array(listed, np.float32)


def test_two_rectangles_that_share_a_third_of_what_they_cover_overlap_by_a_third() -> None:
    first, second = rows(row(10, 10, 20, 10, 0, 1, CARD), row(20, 10, 20, 10, 0, 1, CARD))
    assert overlap(first, second) == pytest.approx(1 / 3, abs=1e-3)


def test_a_rectangle_turned_by_a_quarter_with_its_sides_swapped_is_the_same() -> None:
    first, second = rows(row(50, 50, 63, 88, 0, 1, CARD), row(50, 50, 88, 63, 90, 1, CARD))
    assert overlap(first, second) == pytest.approx(1.0, abs=1e-3)


def test_rectangles_far_apart_do_not_overlap() -> None:
    first, second = rows(row(0, 0, 63, 88, 0, 1, CARD), row(500, 0, 63, 88, 0, 1, CARD))
    assert overlap(first, second) == 0.0


def test_the_second_card_of_a_hand_is_kept_though_most_of_it_covers_the_first() -> None:
    hand = rows(row(100, 100, 63, 88, 0, 0.9, CARD), row(108, 115, 63, 88, 0, 0.8, CARD))
    assert len(suppress(hand)) == 2


def test_the_less_certain_of_two_nearly_equal_rectangles_goes() -> None:
    kept = suppress(rows(row(100, 100, 63, 88, 0, 0.6, CARD), row(101, 101, 63, 88, 1, 0.9, CARD)))
    assert kept[:, 5].tolist() == pytest.approx([0.9])


def test_one_place_holds_one_object_but_a_hand_may_be_over_it() -> None:
    kept = suppress(
        rows(row(0, 0, 63, 88, 0, 0.9, CARD), row(1, 0, 63, 88, 0, 0.5, BACK), row(0, 0, 63, 88, 0, 0.4, HAND))
    )
    assert [KINDS[int(kind)] for kind in kept[:, 6]] == ["card", "hand"]


def test_a_hand_seen_in_two_looks_stays_a_hand_of_two_cards() -> None:
    coarse = rows(row(100, 100, 63, 88, 0, 0.5, CARD), row(112, 120, 63, 88, 0, 0.5, CARD))
    fine = rows(row(104, 103, 66, 90, 3, 0.9, CARD), row(113, 122, 61, 86, 2, 0.9, CARD))
    joined = join_passes([coarse, fine])
    assert len(joined) == 2
    assert joined[:, 5].tolist() == pytest.approx([0.9, 0.9])


def test_what_only_one_look_shows_is_kept() -> None:
    joined = join_passes([rows(row(0, 0, 63, 88, 0, 0.5, CARD)), rows(row(300, 0, 20, 28, 0, 0.5, CARD))])
    assert sorted(joined[:, 0].tolist()) == [0.0, 300.0]


def test_no_looks_and_no_rectangles_give_nothing() -> None:
    assert join_passes([]).shape == (0, 7)
    assert suppress(np.zeros((0, 7), np.float32)).shape == (0, 7)


def test_a_piece_of_a_picture_card_is_no_card_of_its_own() -> None:
    found = rows(
        row(100, 100, 63, 88, 0, 0.9, CARD), row(200, 100, 63, 88, 0, 0.8, CARD), row(100, 100, 20, 28, 0, 0.7, CARD)
    )
    assert of_one_size(found, None)[:, 3].tolist() == [88.0, 88.0]


def test_cards_of_a_steep_view_are_all_kept() -> None:
    found = rows(row(100, 100, 63, 88, 0, 0.9, CARD), row(200, 100, 36, 50, 0, 0.8, CARD))
    assert len(of_one_size(found, None)) == 2


def test_the_known_length_of_a_card_decides() -> None:
    found = rows(row(100, 100, 200, 280, 0, 0.9, CARD), row(100, 100, 50, 70, 0, 0.5, CARD))
    assert of_one_size(found, 75.0)[:, 3].tolist() == [70.0]


def test_a_pip_is_no_die_but_a_die_beside_the_cards_is() -> None:
    found = rows(
        row(100, 100, 63, 88, 0, 0.9, CARD), row(100, 110, 12, 12, 0, 0.6, DIE), row(200, 110, 16, 16, 0, 0.6, DIE)
    )
    assert of_one_size(found, None)[:, 0].tolist() == [100.0, 200.0]


def test_a_ring_as_wide_as_a_card_is_no_pile_of_chips() -> None:
    found = rows(
        row(100, 100, 63, 88, 0, 0.9, CARD), row(200, 110, 75, 80, 0, 0.6, CHIPS), row(300, 110, 39, 60, 0, 0.6, CHIPS)
    )
    assert of_one_size(found, None)[:, 0].tolist() == [100.0, 300.0]


def test_a_picture_without_cards_keeps_everything() -> None:
    found = rows(row(100, 100, 40, 60, 0, 0.9, CHIPS), row(200, 110, 16, 16, 0, 0.6, DIE))
    assert len(of_one_size(found, None)) == 2
