"""000 Draw 'n Shoot 21: pay tables and rules, transcribed from the document."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.notation import codes, dice_game, due


def play(cards: str, dice: list[int], bets: str, **more: Any) -> dict[str, Any]:
    return dice_game("draw_n_shoot_21", cards, dice=dice, bets=bets, **more)


# "21 Rules" 8 and the pay table "21" (000:L32, L69-73): cards, dice, outcome, odds, pay on 10.00
SCORES = [
    ("Ah", [4, 6], "win", "2:1", "20.00"),  # Blackjack 2 to 1: a score of 21 made with a single card and roll
    ("Ks", [5, 6], "win", "2:1", "20.00"),
    ("9d", [6, 6], "win", "2:1", "20.00"),
    ("5c 4c", [6, 6], "win", "6:5", "12.00"),  # 21 other 6 to 5
    ("Ah 2c", [4, 4], "win", "6:5", "12.00"),
    ("Ah Kc", [4, 6], "win", "6:5", "12.00"),
    ("Ks", [5, 5], "win", "1:1", "10.00"),  # 18 - 20 1 to 1
    ("Ks", [4, 5], "win", "1:1", "10.00"),
    ("Ks", [4, 4], "win", "1:1", "10.00"),
    ("Ks", [3, 4], "push", None, "0.00"),  # 17 Push
    ("Ks", [3, 3], "lose", None, "0.00"),  # lower than 17
    ("2s", [1, 1], "lose", None, "0.00"),
    ("Ks 2c", [5, 5], "lose", None, "0.00"),  # higher than 21
]


@pytest.mark.parametrize(("cards", "dice", "outcome", "odds", "pay"), SCORES)
def test_score_pays_as_printed(cards: str, dice: list[int], outcome: str, odds: str | None, pay: str) -> None:
    assert due(play(cards, dice, "ante 10")) == (outcome, odds, pay)


@pytest.mark.parametrize(("cards", "dice", "outcome", "odds", "pay"), SCORES)
def test_raise_is_paid_like_the_ante(cards: str, dice: list[int], outcome: str, odds: str | None, pay: str) -> None:
    assert due(play(cards, dice, "ante 5, raise 10"), 1) == (outcome, odds, pay)


@pytest.mark.parametrize(("cards", "dice", "outcome"), [("Ah 7c", [6, 5], "win"), ("Ah 7c", [2, 2], "lose")])
def test_ace_counts_eleven_only_if_the_final_score_stays_within_21(cards: str, dice: list[int], outcome: str) -> None:
    # [DNS-3]: A-7 with 11 is 19, not 29; A-7 with 4 is 12, for 22 is over
    assert due(play(cards, dice, "ante 10"))[0] == outcome


def test_two_aces_count_eleven_once() -> None:
    assert due(play("Ah As", [4, 5], "ante 10")) == ("win", "6:5", "12.00")


# "QuickCraps" and "FourPlay" (000:L37, L83-93) and the alternate table (000:L198-210):
# first card, dice, recommended, alternate
CRAPS = [
    ("As", [5, 6], "20:1", "12:1"),
    ("9s", [4, 5], "4:1", "6:1"),
    ("8s", [2, 6], "4:1", "6:1"),
    ("8s", [4, 4], "4:1", "6:1"),  # an eight with any eight is a match [DNS-6]
    ("7s", [3, 4], "4:1", "push"),  # [DNS-5]
    ("6s", [3, 3], "4:1", "6:1"),
    ("5s", [1, 4], "4:1", "6:1"),
    ("Ts", [4, 6], "2:1", "3:1"),
    ("Js", [4, 6], "2:1", "3:1"),
    ("Qs", [5, 5], "2:1", "3:1"),
    ("Ks", [5, 5], "2:1", "3:1"),
    ("Ks", [1, 1], "1:1", "1:1"),  # any card, any craps
    ("3s", [1, 2], "1:1", "1:1"),
    ("2s", [1, 1], "1:1", "1:1"),  # [DNS-10]
    ("4s", [6, 6], "1:1", "1:1"),
    ("As", [3, 4], "push", "push"),  # any card, 7
    ("4s", [4, 4], "40:1", "40:1"),  # FourPlay: four, hardway 8
    ("4s", [2, 2], "10:1", "8:1"),  # FourPlay: four, 4
    ("4s", [1, 3], "10:1", "8:1"),
    ("4s", [2, 6], "lose", "lose"),  # an easy eight is none
    ("4s", [3, 5], "lose", "lose"),
    ("As", [5, 5], "lose", "lose"),
    ("Ks", [5, 6], "lose", "lose"),
    ("9s", [4, 4], "lose", "lose"),
    ("2s", [2, 2], "lose", "lose"),
]


@pytest.mark.parametrize(("first", "dice", "recommended", "alternate"), CRAPS)
@pytest.mark.parametrize("table", ["recommended", "alternate"])
def test_craps_pays_as_printed(first: str, dice: list[int], recommended: str, alternate: str, table: str) -> None:
    printed = recommended if table == "recommended" else alternate
    outcome, odds, pay = due(play(first, dice, "craps 5", variant={"quickcraps_table": table}))
    if ":" in printed:
        assert (outcome, odds, pay) == ("win", printed, f"{5 * int(printed.split(':')[0])}.00")
    else:
        assert (outcome, odds, pay) == (printed, None, "0.00")


def test_craps_uses_the_first_card_and_never_a_hit_card() -> None:
    assert due(play("9s 4c", [2, 2], "craps 5, ante 10"))[0] == "lose"


def test_table_without_a_variant_uses_the_recommended_craps_table() -> None:
    assert due(play("As", [5, 6], "craps 5"))[1] == "20:1"


def test_why_says_row_table_and_document() -> None:
    why = play("Ah", [4, 6], "ante 10")["settled"][0]["why"]
    assert why == "21 with the roll of 10: 21 with one card and the roll: 2 to 1, Draw 'n Shoot 21, 21 Rules 8"


FORBIDDEN = [
    ("Ks 9c 2d", "ante 10", {}, "hit-on-hard-19"),  # L47
    ("Ts 5c 4c 2d", "ante 10", {}, "hit-on-hard-19"),
    ("Ks", "ante 10, raise 15", {}, "raise-size"),  # L27, L46: once or twice
    ("Ks", "ante 10, raise 30", {}, "raise-size"),
    ("Ks", "ante 10, raise 5", {}, "raise-size"),
    ("Ks", "craps 10, raise 10", {}, "raise-without-ante"),
    ("Ks 2c", "craps 10", {}, "side-bet-only-second-card"),  # L44
    ("Ks", "craps 10", {"lateral": False}, "first-card-lateral"),  # L44
    ("Ks", "ante 10", {"lateral": True}, "first-card-lateral"),
    ("Ks", "craps 10", {"variant": {"skill_game": True}}, "craps-without-ante"),  # L59
    ("Ks", "ante 10, ante 10", {}, "bet-twice"),
]


@pytest.mark.parametrize(("cards", "bets", "more", "code"), FORBIDDEN)
def test_forbidden_play_is_named_and_still_settled(cards: str, bets: str, more: dict[str, Any], code: str) -> None:
    answer = play(cards, [3, 5], bets, **more)
    assert codes(answer) == [code]
    assert all(bet["outcome"] for bet in answer["settled"])


LEGAL = [
    ("Ks 8c 2d", "ante 10", {}),  # hard 18 may be hit
    ("As 9c 2d", "ante 10, raise 20", {}),  # soft 20 may be hit [DNS-4]
    ("As Kc 5d", "ante 10, raise 10, craps 5", {"lateral": True}),  # soft 21 too
    ("Ks", "craps 5", {"lateral": True}),
    ("Ks", "ante 5", {"lateral": False}),
    ("Ks", "ante 5, craps 5", {"lateral": True, "variant": {"skill_game": True}}),
]


@pytest.mark.parametrize(("cards", "bets", "more"), LEGAL)
def test_allowed_play_is_no_violation(cards: str, bets: str, more: dict[str, Any]) -> None:
    assert codes(play(cards, [3, 5], bets, **more)) == []
