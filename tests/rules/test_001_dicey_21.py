"""001 Dicey 21: pay tables and rules, transcribed from the document."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.notation import answer, codes, dice_game, due


def dice(*values: int, odd: int = 2) -> list[dict[str, Any]]:
    """Three dice, the one at ``odd`` red and the others white."""
    return [{"v": value, "c": "red" if place == odd else "white"} for place, value in enumerate(values)]


def play(cards: str, thrown: list[dict[str, Any]], bets: str, **more: Any) -> dict[str, Any]:
    return dice_game("dicey_21", cards, dice=thrown, bets=bets, **more)


# Pay table "21" (001:L83-86, L98-101): only the two dice of one colour count (001:L49, L52)
SCORES = [
    ("Ah", dice(4, 6, 1), "win", "2:1", "20.00"),
    ("Ah", dice(4, 1, 6, odd=1), "win", "2:1", "20.00"),
    ("Ah", dice(1, 4, 6, odd=0), "win", "2:1", "20.00"),
    ("5c 4c", dice(6, 6, 2), "win", "6:5", "12.00"),
    ("Ks", dice(5, 5, 6), "win", "1:1", "10.00"),
    ("Ks", dice(4, 5, 6), "win", "1:1", "10.00"),
    ("Ks", dice(4, 4, 6), "win", "1:1", "10.00"),
    ("Ks", dice(3, 4, 6), "push", None, "0.00"),
    ("Ks", dice(3, 3, 6), "lose", None, "0.00"),
    ("Ks 2c", dice(5, 5, 1), "lose", None, "0.00"),
]


@pytest.mark.parametrize(("cards", "thrown", "outcome", "odds", "pay"), SCORES)
def test_score_pays_as_printed(cards: str, thrown: list[Any], outcome: str, odds: str | None, pay: str) -> None:
    assert due(play(cards, thrown, "ante 10, raise 20")) == (outcome, odds, pay)


# Chuck-a-Luck PLUS (001:L66-77, L96-104): first card, dice, number, odds
CHUCK = [
    ("9s", dice(4, 2, 1), 4, "1:1"),  # Single
    ("9s", dice(1, 2, 4), 4, "1:1"),  # whatever the colour (001:L21)
    ("9s", dice(4, 2, 4), 4, "2:1"),  # Double
    ("9s", dice(4, 4, 4), 4, "9:1"),  # Triple
    ("Js", dice(4, 4, 4), 4, "9:1"),  # Royal is Triple plus King or Queen
    ("Ts", dice(4, 4, 4), 4, "9:1"),
    ("Ks", dice(4, 4, 4), 4, "20:1"),  # Royal
    ("Qd", dice(1, 1, 1), 1, "20:1"),
    ("4s", dice(4, 4, 4), 4, "40:1"),  # Quad is Triple plus matching Card
    ("As", dice(1, 1, 1), 1, "40:1"),  # [DIC-3]
    ("6h", dice(6, 6, 6), 6, "40:1"),
    ("4s", dice(4, 4, 2), 4, "2:1"),
]


@pytest.mark.parametrize(("first", "thrown", "number", "odds"), CHUCK)
def test_chuck_pays_as_printed(first: str, thrown: list[Any], number: int, odds: str) -> None:
    assert due(play(first, thrown, f"chuck#{number} 5")) == ("win", odds, f"{5 * int(odds[:-2])}.00")


def test_number_that_no_die_shows_loses() -> None:
    assert due(play("4s", dice(1, 2, 3), "chuck#4 5")) == ("lose", None, "0.00")


def test_plus_match_is_with_the_first_card_only() -> None:
    assert due(play("9s 4c", dice(4, 4, 4), "chuck#4 5, ante 5"))[1] == "9:1"


def test_each_number_is_its_own_bet() -> None:
    played = play("9s", dice(4, 4, 2), "chuck#4 5, chuck#2 10, chuck#1 15")
    assert [due(played, place)[2] for place in range(3)] == ["10.00", "10.00", "0.00"]
    assert codes(played) == []


FORBIDDEN = [
    ("9s", dice(1, 2, 3), "chuck#1 5, chuck#2 5, chuck#3 5, chuck#4 5", {}, "chuck-numbers"),  # L36, L43
    ("9s", dice(1, 2, 3), "chuck#1 5, chuck#1 5", {}, "bet-twice"),
    ("9s 2c", dice(1, 2, 3), "chuck#1 5", {}, "side-bet-only-second-card"),  # L44
    ("9s", dice(1, 2, 3), "chuck#1 5", {"lateral": False}, "first-card-lateral"),  # L44
    ("Ks 9c 2d", dice(1, 2, 3), "ante 5", {}, "hit-on-hard-19"),  # L47
    ("9s", dice(1, 2, 3), "ante 5, raise 20", {}, "raise-size"),  # L27, L46
    ("9s", dice(1, 2, 3), "chuck#1 5", {"variant": {"skill_game": True}}, "chuck-without-ante"),  # L58
    ("9s", dice(1, 2, 3, odd=9), "chuck#1 5", {}, "dice-colours"),  # L49
]


@pytest.mark.parametrize(("cards", "thrown", "bets", "more", "code"), FORBIDDEN)
def test_forbidden_play_is_named_and_still_settled(
    cards: str, thrown: list[Any], bets: str, more: dict[str, Any], code: str
) -> None:
    played = play(cards, thrown, bets, **more)
    assert codes(played) == [code]
    assert all(bet["outcome"] for bet in played["settled"])


def test_score_is_undecided_when_the_colours_do_not_tell_which_dice_count() -> None:
    played = play("9s", [{"v": 1, "c": "red"}, {"v": 2, "c": "white"}, {"v": 3, "c": "blue"}], "ante 5")
    assert due(played) == (None, None, None)
    assert played["settled"][0]["why"] == "which dice count was not read"
    assert codes(played) == ["dice-colours"]


def test_seventh_space_is_none_of_the_layout() -> None:
    # six player spaces (001:L19)
    table = {"dice": dice(1, 2, 3), "seats": {"7": {"cards": ["9s"]}}}
    settled = answer("dicey_21", table, [{"seat": 7, "bet": "ante", "amount": "5.00"}], {})
    assert settled["violations"] == [["seat 7", "no-such-seat"]]
