"""Aces of drawn decks: many spades are ornate, always in the same way for the same deck."""

import numpy as np

from models.train.deck_aces import is_ornate, ornate_ace
from models.train.deck_drawing import draw_sheet


def print_of(seed: int) -> str:
    return ornate_ace(seed, "s", size_wh=(250.0, 360.0), paper="#fff", sign=lambda *told: f"<{told}/>")


def test_most_decks_have_an_ornate_ace_of_spades_and_few_another():
    share = {suit: np.mean([is_ornate(seed, suit) for seed in range(400)]) for suit in "cdhs"}
    assert share["s"] > 0.65
    assert max(share[suit] for suit in "cdh") < 0.25


def test_the_same_deck_has_the_same_ace():
    assert print_of(3) == print_of(3)
    assert len({print_of(seed) for seed in range(20)}) == 20


def words_on(svg: str) -> set[str]:
    return {word for word in ("PLAYING CARDS", "No. 808", "1885", "SPECIAL", "FINEST") if f">{word}<" in svg}


def test_the_print_is_on_the_sheet_of_a_deck_that_has_one():
    ornate = next(seed for seed in range(50) if is_ornate(seed, "s") and words_on(print_of(seed)))
    plain = next(seed for seed in range(50) if not any(is_ornate(seed, suit) for suit in "cdhs"))
    assert words_on(print_of(ornate)) <= words_on(draw_sheet(ornate))
    assert not words_on(draw_sheet(plain))
