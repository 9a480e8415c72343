"""Decks in one file, and new ones made of them."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from audit.cards import DECK
from models.train.deck_drawing import deck_style, draw_sheet
from models.train.deck_fonts import MORE_FONTS, WIDER_FROM
from models.train.deck_packs import endless, pack, unpack, varied
from models.train.decks import Deck


def deck() -> Deck:
    """White cards, transparent outside a frame, with a black bar that is another one on each face."""
    pictures = np.full((53, 100, 70, 4), 255, np.uint8)
    pictures[:, :2, :, 3] = 0
    for number, picture in enumerate(pictures):
        picture[20:60, 5 + number : 9 + number, :3] = 0
    return Deck(name="bars", cards=("As", "2s"), pictures=pictures)


def test_a_packed_deck_comes_back_nearly_as_it_was(tmp_path: Path) -> None:
    pack([deck(), deck()], tmp_path / "decks.npz")
    decks = unpack(tmp_path / "decks.npz")
    assert [(one.name, one.cards) for one in decks] == [("bars", ("As", "2s"))] * 2
    assert np.abs(decks[1].pictures.astype(int) - deck().pictures).mean() < 4


def test_a_varied_deck_has_the_same_cards_in_another_print() -> None:
    before = deck()
    after = varied(before, np.random.default_rng(2))
    assert after.cards == before.cards
    assert after.pictures.shape == before.pictures.shape
    assert np.abs(after.pictures.astype(int) - before.pictures).mean() > 0.5


def test_without_fonts_decks_without_end_are_varied_ones() -> None:
    made = list(islice(endless([deck()], np.random.default_rng(1), fonts=None), 3))
    assert [one.name for one in made] == ["bars-varied"] * 3


def test_decks_of_earlier_seeds_keep_their_fonts_and_later_ones_have_more() -> None:
    more = {family for family, _ in MORE_FONTS}
    assert not {deck_style(seed).font for seed in range(1000, 1220)} & more
    assert {deck_style(seed).font for seed in range(WIDER_FROM, WIDER_FROM + 60)} & more


@pytest.mark.parametrize("seed", range(WIDER_FROM, WIDER_FROM + 8))
def test_sheets_of_later_seeds_have_one_sign_of_each_suit(seed: int) -> None:
    sheet = draw_sheet(seed)
    assert [sheet.count(f'id="suit-{suit}"') for suit in "cdhs"] == [1, 1, 1, 1]
    assert sheet.count("<symbol") == sheet.count("</symbol>") == 4
    assert len(DECK) * 2 <= sheet.count("<text")
