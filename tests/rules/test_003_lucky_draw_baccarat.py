"""003 Lucky Draw Baccarat: printed examples, pay table and rules, transcribed from the document."""

from __future__ import annotations

import pytest

from tests.rules.notation import baccarat, codes, due

# "Block Bonus Wager", table of examples as printed (003:L41-54): player cards, dealer card, outcome
EXAMPLES = [
    ("Js Qc", "5d", "lose"),
    ("Js Qs", "5d", "lose"),
    ("Js Qc", "Ks", "lose"),
    ("Js Qs", "Ks", "lose"),
    ("Js Js", "Ks", "lose"),
    ("Js Qs", "Qs", "push"),
    ("Js Qc", "Qc", "push"),
    ("Js Js", "Js", "push"),
    ("Js Qc", "5c", "normal"),
    ("Js Qs", "Js", "flush"),
    ("Js Ks", "Qs", "flush"),
    ("Js Jc", "5s", "pair"),
    ("Js Js", "5s", "ultimate"),
]
ODDS = {"ultimate": "40:1", "pair": "9:1", "flush": "5:1", "normal": "2:1"}


@pytest.mark.parametrize(("player", "exposed", "printed"), EXAMPLES)
def test_block_bonus_printed_examples(player: str, exposed: str, printed: str) -> None:
    answer = baccarat(player, dealer=f"9h {exposed}", bets="enter 10, block_bonus 5", block_odds=ODDS)
    if printed in ODDS:
        assert due(answer, 1) == ("win", ODDS[printed], f"{5 * int(ODDS[printed][:-2])}.00")
        assert answer["settled"][1]["class"] == printed
    else:
        assert due(answer, 1) == (printed, None, "0.00")


# What the examples leave open, as RULES.md reads it
BLOCKS = [
    ("Ah 2c", "Kh", "normal"),  # ace is high (003:L27)
    ("Ah Ac", "Kd", "nothing"),  # a higher pair with neither card of the suit [LDB-3]
    ("Kh 2h", "Qh", "flush"),  # of one suit, one of them higher [LDB-11]
    ("2h 3h", "Ah", "nothing"),
    ("Ks Qh", "Qh", "push"),  # exact match, the other higher in another suit [LDB-4]
    ("Kh Qh", "Qh", "flush"),  # exact match, the other higher in the suit
    ("2h Qh", "Qh", "push"),
]


@pytest.mark.parametrize(("player", "exposed", "printed"), BLOCKS)
def test_block_bonus_classes(player: str, exposed: str, printed: str) -> None:
    answer = baccarat(player, dealer=f"5c {exposed} 2c", bets="enter 10, block_bonus 5")
    assert answer["settled"][1]["class"] == printed


def test_block_bonus_without_odds_of_the_house_has_outcome_and_class_and_no_pay() -> None:
    answer = baccarat("Js Js", dealer="9h 5s", bets="enter 10, block_bonus 5")
    assert due(answer, 1) == ("win", None, None)
    assert answer["settled"][1]["class"] == "ultimate"


def test_class_that_the_house_gives_no_odds_has_no_pay() -> None:
    answer = baccarat("Js Jc", dealer="9h 5s", bets="enter 10, block_bonus 5", block_odds={"ultimate": "40:1"})
    assert due(answer, 1) == ("win", None, None)


# "Usual Odds Paid" (003:L74-83): player's three cards, dealer, outcome, odds and pay of a Draw bet of 10.00
DRAWS = [
    ("2s 3c 4d", "Kh 5c", "win", "3:1", "30.00"),  # 3-card score of 9 (lucky 9)
    ("2s 3c 3d", "Kh 5c", "win", "2:1", "20.00"),  # 8 (lucky 8)
    ("2s 3c 2d", "Kh 5c", "win", "3:2", "15.00"),  # 7 (lucky 7)
    ("2s 3c Ad", "Kh 5c", "win", "1:1", "10.00"),  # 1 to 6
    ("Ks Qc Ad", "Kh Qs Tc", "win", "1:1", "10.00"),
    ("2s 3c Kd", "Kh 5c", "push", None, "0.00"),  # tied hands are a stand-off
    ("2s Qc Kd", "Kh 5c", "lose", None, "0.00"),
    ("Ks Qc Td", "Kh 5c", "lose", None, "0.00"),
]


@pytest.mark.parametrize(("player", "dealer", "outcome", "odds", "pay"), DRAWS)
def test_draw_wager_pays_as_printed(player: str, dealer: str, outcome: str, odds: str | None, pay: str) -> None:
    assert due(baccarat(player, dealer=dealer, bets="enter 10, draw 10"), 1) == (outcome, odds, pay)


@pytest.mark.parametrize(("player", "dealer", "outcome", "odds", "pay"), DRAWS)
def test_enter_wager_has_the_same_outcome_at_even_money(
    player: str, dealer: str, outcome: str, odds: str | None, pay: str
) -> None:
    due_ = due(baccarat(player, dealer=dealer, bets="enter 10, draw 10"))
    assert due_ == (outcome, "1:1" if outcome == "win" else None, "10.00" if outcome == "win" else "0.00")


def test_score_is_the_last_digit() -> None:
    assert due(baccarat("9s 9c", dealer="Kh 7c", bets="enter 10")) == ("win", "1:1", "10.00")


FORBIDDEN = [
    ("2s 3c", "Kh 5c 2d", "enter 10", "dealer-drew-on-5"),  # 003:L68
    ("2s 3c", "Kh 4c", "enter 10", "dealer-stood-on-4"),
    ("2s 3c 4d", "Kh 5c", "enter 10", "third-card-without-draw"),  # L66
    ("2s 3c", "Kh 5c", "enter 10, draw 10", "draw-without-third-card"),
    ("2s 3c 4d", "Kh 5c", "enter 10, draw 5", "draw-not-equal-enter"),
    ("2s 3c 4d", "Kh 5c", "draw 10", "draw-without-enter"),
    ("2s 3c", "Kh 5c", "block_bonus 10", "block-without-enter"),  # L23
    ("2s 3c 4d 5d", "Kh 5c", "enter 10, draw 10", "player-cards"),
]


@pytest.mark.parametrize(("player", "dealer", "bets", "code"), FORBIDDEN)
def test_forbidden_play_is_named_and_still_settled(player: str, dealer: str, bets: str, code: str) -> None:
    answer = baccarat(player, dealer=dealer, bets=bets)
    assert codes(answer) == [code]
    assert all(bet["outcome"] for bet in answer["settled"])


def test_null_third_card_of_a_dealer_who_stands_is_none() -> None:
    answer = baccarat("2s 7c", dealer="Kh 5c ?", bets="enter 10")
    assert due(answer)[0] == "win"
    assert codes(answer) == []


def test_null_third_card_of_a_dealer_who_draws_was_not_read() -> None:
    assert due(baccarat("2s 3c", dealer="Kh 4c ?", bets="enter 10")) == (None, None, None)
