"""Decks to train with, and decks that are kept away from training."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from models.train.card_crops import IGNORED, NONE_RANK, make_crops
from models.train.card_scene import CardScene
from models.train.deck_art import DeckArtError, cut_sheet, read_sheet
from models.train.deck_drawing import deck_style, draw_sheet
from models.train.decks import deck_names

needs_rsvg = pytest.mark.skipif(shutil.which("rsvg-convert") is None, reason="drawing decks needs librsvg2-bin")


def test_no_deck_is_in_two_splits() -> None:
    train, calibration, heldout = (set(deck_names(split)) for split in ("train", "calibration", "heldout"))
    assert not train & calibration
    assert not (train | calibration) & heldout


def test_the_held_out_designs_and_their_relatives_are_never_trained_with() -> None:
    assert set(deck_names("heldout")) == {"bellot", "svg-standard"}
    assert not {"bellot", "svg-standard", "ancient_french", "paris", "svg-gm-paris", "svg-penguins"} & set(
        deck_names("train")
    )


def test_a_sheet_is_cut_in_the_order_of_suits_and_ranks() -> None:
    sheet = np.zeros((50, 130, 4), np.uint8)
    sheet[10:20, 90:100, 0] = 200  # second row: diamonds; tenth column: the ten
    sheet[40:50, 20:30, 1] = 99  # third in the last row: the back
    faces = cut_sheet(sheet)
    assert faces["Td"][..., 0].min() == 200
    assert faces["Tc"][..., 0].max() == 0
    assert faces["back"][..., 1].min() == 99


def test_a_seed_always_draws_the_same_deck() -> None:
    assert draw_sheet(1003) == draw_sheet(1003)
    assert draw_sheet(1003) != draw_sheet(1004)


def test_index_styles_differ_between_seeds() -> None:
    assert {deck_style(seed).index.name for seed in range(1000, 1060)} >= {"standard", "jumbo", "peek", "magnum"}


@needs_rsvg
def test_a_drawn_deck_has_53_different_pictures(tmp_path: Path) -> None:
    svg = tmp_path / "sheet.svg"
    svg.write_text(draw_sheet(1001), encoding="utf-8")
    faces = read_sheet(svg)
    assert len({face.tobytes() for face in faces.values()}) == 53
    assert faces["Qh"].shape[0] == 360


@needs_rsvg
def test_missing_art_is_named(tmp_path: Path) -> None:
    with pytest.raises(DeckArtError, match=r"nothing\.svg"):
        read_sheet(tmp_path / "nothing.svg")


def scene(*, covered_to_x: int, card: str | None = "9h") -> CardScene:
    """A card that fills the middle of a picture, its left part covered."""
    uncovered = np.full((140, 100, 1), 255, np.uint8)[..., 0]
    uncovered[:, :covered_to_x] = 0
    ink = np.zeros((96, 64), np.uint8)
    ink[4:24, 3:12] = 255
    return CardScene(
        picture_bgr=np.full((140, 100, 3), 128, np.uint8),
        quad_px=np.array([[18.0, 22.0], [82.0, 22.0], [82.0, 118.0], [18.0, 118.0]]),
        card=card,
        uncovered=uncovered,
        ink=ink,
    )


def unshaken() -> np.random.Generator:
    """Random numbers under which the quad is neither misplaced nor turned over."""
    for seed in range(1000):
        rng = np.random.default_rng(seed)
        first = rng.random()
        if first >= 0.03:
            return np.random.default_rng(seed)
    raise AssertionError


def test_a_hidden_index_is_labelled_none_and_a_seen_one_with_its_card() -> None:
    crops = make_crops(scene(covered_to_x=40), unshaken())
    assert sorted(crops["rank"][1:].tolist()) == [8, NONE_RANK]  # nines are the ninth rank of A23456789TJQK
    assert crops["rank"][0] == 8
    assert sorted(crops["suit"][1:].tolist()) == [IGNORED, 2]


def test_a_place_without_a_card_is_none_everywhere() -> None:
    crops = make_crops(scene(covered_to_x=0, card=None), unshaken())
    assert crops["rank"].tolist() == [NONE_RANK] * 3
    assert crops["face"] == 0
