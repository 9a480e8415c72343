"""Several looks at a card become one reading."""

from __future__ import annotations

import numpy as np

from models.card_fusion import CODES, NONE, Fusion, fuse


def looks(rank: str | None, suit: str | None = None, *, strength: float = 8.0) -> np.ndarray:
    """Outputs of a network that is sure of a rank and a suit, or sure of nothing readable."""
    row = np.zeros(18, np.float32)
    row["A23456789TJQK".index(rank) if rank else 13] = strength
    if suit:
        row[14 + "cdhs".index(suit)] = strength
    return row


def pair(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    return np.stack([first, second])[None]


def test_probabilities_sum_to_one() -> None:
    random = np.random.default_rng(1)
    probabilities = fuse(random.normal(0, 3, (5, 2, 18)), random.normal(0, 3, (5, 2, 18)), Fusion())
    assert probabilities.shape == (5, 53)
    assert np.allclose(probabilities.sum(axis=1), 1.0)


def test_nothing_to_fuse_gives_nothing() -> None:
    assert fuse(np.zeros((0, 2, 18)), np.zeros((0, 2, 18)), Fusion()).shape == (0, 53)


def test_looks_that_agree_are_believed() -> None:
    seven = looks("7", "h")
    probabilities = fuse(pair(seven, seven), pair(seven, seven), Fusion())
    assert CODES[int(probabilities[0, :52].argmax())] == "7h"
    assert probabilities[0].max() > 0.99


def test_an_index_speaks_for_a_card_whose_other_index_is_covered() -> None:
    unsure = np.zeros(18, np.float32)
    probabilities = fuse(pair(unsure, unsure), pair(looks(None), looks("Q", "s")), Fusion())
    assert CODES[int(probabilities[0, :52].argmax())] == "Qs"


def test_nothing_readable_anywhere_is_none() -> None:
    nothing = looks(None)
    probabilities = fuse(pair(nothing, nothing), pair(nothing, nothing), Fusion())
    assert int(probabilities[0].argmax()) == NONE


def test_indices_that_disagree_leave_both_cards_open() -> None:
    unsure = np.zeros(18, np.float32)
    probabilities = fuse(pair(unsure, unsure), pair(looks("3", "c"), looks("8", "c")), Fusion())
    three, eight = (probabilities[0, CODES.index(card)] for card in ("3c", "8c"))
    assert abs(three - eight) < 0.01
    assert three < 0.6


def test_two_indices_of_one_drawing_say_no_more_than_one() -> None:
    """A queen whose Q has the loop of a 9 at both ends is no nine because it says so twice."""
    queen, nine = looks("Q", "s", strength=2.0), looks("9", "s", strength=4.0)
    queen[8] = 1.0
    twice = fuse(pair(queen, queen), pair(nine, nine), Fusion(echo=0.0))[0, CODES.index("9s")]
    once = fuse(pair(queen, queen), pair(nine, looks(None)), Fusion())[0, CODES.index("9s")]
    echoed = fuse(pair(queen, queen), pair(nine, nine), Fusion())[0, CODES.index("9s")]
    assert abs(echoed - once) < 0.05
    assert echoed < twice - 0.05
