"""A box across two read cards is none of its own; a card of which a corner lies free stays."""

from __future__ import annotations

import numpy as np
import pytest

from models.phantom_cards import share_under_all, without_phantoms
from models.sighting import Sighting


def card(x: float, *, face: str | None = None, confidence: float = 0.9, kind: str = "card") -> Sighting:
    """A card 60 px wide and 90 px high whose left side stands at x."""
    quad = np.array([[x, 0.0], [x + 60, 0.0], [x + 60, 90.0], [x, 90.0]])
    return Sighting(kind=kind, polygon_px=quad, confidence=confidence, face=face)


def test_unread_box_across_two_read_cards_is_left_out() -> None:
    left, right = card(0, face="5c"), card(50, face="6d")
    assert without_phantoms([left, right, card(25, confidence=0.6)]) == [left, right]


@pytest.mark.parametrize(
    "other",
    [
        card(25, face="9h", confidence=0.6),  # it was read
        card(25, confidence=0.95),  # surer than they are
        card(85, confidence=0.6),  # half of it lies free
        card(25, confidence=0.6, kind="card_back"),
    ],
)
def test_what_may_be_a_card_stays(other: Sighting) -> None:
    assert other in without_phantoms([card(0, face="5c"), card(50, face="6d"), other])


def test_unread_card_or_die_of_which_the_detector_is_hardly_sure_is_left_out() -> None:
    assert without_phantoms([card(0, confidence=0.5), card(0, confidence=0.5, kind="die")]) == []
    assert len(without_phantoms([card(0, confidence=0.5, face="Kd"), card(0, confidence=0.5, kind="card_back")])) == 2


def test_nothing_covers_nothing() -> None:
    assert without_phantoms([]) == []
    assert share_under_all(card(0).polygon_px, []) == 0
    assert share_under_all(card(0).polygon_px, [card(30).polygon_px]) == pytest.approx(0.5, abs=0.03)
