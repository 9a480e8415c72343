"""Paper in the light of the table: a face under warm lamps is no back."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from models.back_look import BackLook
from models.paper import NEUTRAL, paper_of, tint_of
from tests.models.test_backs import BLUE, WHOLE_MM2, proposal, sighting

FELT, COURT = (110.0, 118.0, 130.0), (130.0, 90.0, 150.0)


def card(paper: tuple[float, float, float], *, printed: float = 0.3) -> tuple[np.ndarray, np.ndarray]:
    """A view of felt with a card in it, printed in so much of its middle; and what shows of the card."""
    seen = np.full((120, 100, 3), FELT, np.float32)
    inside = np.zeros(seen.shape[:2], np.uint8)
    inside[16:104, 18:81] = 255
    seen[inside > 0] = paper
    high = round(printed * 88)
    seen[60 - high // 2 : 60 + high // 2, 18:81] = COURT
    return seen, inside


def share(seen: np.ndarray, inside: np.ndarray, tint: tuple[float, float]) -> float:
    found = paper_of(seen, tint)
    return cv2.countNonZero(cv2.bitwise_and(found, inside)) / cv2.countNonZero(inside)


@pytest.mark.parametrize("paper", [(200.0, 128.0, 128.0), (190.0, 108.0, 140.0), (190.0, 146.0, 118.0)])
def test_paper_is_found_in_white_warm_and_cool_light_once_its_tint_is_known(paper: tuple[float, float, float]) -> None:
    """Draw 'n Shoot under warm lamps, 50 s: of a king nothing was paper, and it was told as lying face down."""
    seen, inside = card(paper)
    tint = tint_of(seen, inside)
    assert tint is not None
    assert share(seen, inside, tint) == pytest.approx(0.7, abs=0.03)
    assert cv2.countNonZero(cv2.bitwise_and(paper_of(seen, tint), cv2.bitwise_not(inside))) == 0
    assert (share(seen, inside, NEUTRAL) > 0.5) is (paper[1] == 128.0)


def test_a_card_that_is_dark_for_the_most_part_tells_no_tint() -> None:
    seen, inside = card((200.0, 128.0, 128.0), printed=0.6)
    assert tint_of(seen, inside) is None


def test_the_tint_is_learnt_from_cards_that_were_read_alone() -> None:
    seen, inside = card((190.0, 108.0, 140.0))
    one = replace(proposal(ink=BLUE, seen_mm2=WHOLE_MM2, paper=0.9), tint=tint_of(seen, inside))
    look = BackLook()
    for p, found in ((0.6, False), (0.99, True)):
        look.told([one], [sighting(Td=p)])
        assert bool(cv2.countNonZero(cv2.bitwise_and(look.paper(seen), inside))) is found
