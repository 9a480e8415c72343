"""002 21 STUD: pay tables and rules, transcribed from the document."""

from __future__ import annotations

import pytest

from tests.rules.notation import codes, due, stud

# Base wager (002:L34, L64-71): player, dealer, outcome, odds at 3:2, pay on 10.00
BASE = [
    ("As Kd", "9c 8c", "win", "3:2", "15.00"),
    ("As Ad", "9c 8c", "win", "3:2", "15.00"),  # two aces are blackjack
    ("As Ts", "Ac 9c", "win", "3:2", "15.00"),
    ("As Kd", "Ac Qc", "push", None, "0.00"),
    ("As Kd", "Ac Ad", "push", None, "0.00"),
    ("As Ad", "Ac Jd", "push", None, "0.00"),
    ("9s 9d", "Kc 7c", "win", "1:1", "10.00"),  # Higher / Lower
    ("As 9d", "Kc Qc", "lose", None, "0.00"),  # 20 and 20: Same / Same loses
    ("As 8d", "Kc 8c", "win", "1:1", "10.00"),
    ("9s 9d", "9c 9h", "lose", None, "0.00"),
    ("9s 8d", "9c 9h", "lose", None, "0.00"),  # Lower / Higher
    ("As 9d", "Ac Kh", "lose", None, "0.00"),
    ("Ks Qd", "Ac Ah", "lose", None, "0.00"),
]


@pytest.mark.parametrize(("player", "dealer", "outcome", "odds", "pay"), BASE)
def test_base_wager_pays_as_printed(player: str, dealer: str, outcome: str, odds: str | None, pay: str) -> None:
    assert due(stud(player, dealer=dealer, bets="base 10")) == (outcome, odds, pay)


def test_blackjack_pays_six_to_five_where_the_table_says_so() -> None:
    assert due(stud("As Kd", dealer="9c 8c", bets="base 10", blackjack_odds="6:5")) == ("win", "6:5", "12.00")


@pytest.mark.parametrize(("odds", "pay"), [("3:2", "15.00"), ("6:5", "12.00")])
def test_blackjack_tie_is_paid_where_the_table_says_so(odds: str, pay: str) -> None:
    # "Push (or Pay per above)" (002:L68)
    answer = stud("As Kd", dealer="Ac Ad", bets="base 10", blackjack_odds=odds, bj_tie="pay")
    assert due(answer) == ("win", odds, pay)


# Mirror Match (002:L77-81): cards, standard, Spanish
MIRROR = [
    ("9s 9d", "5:1", "5:1"),  # Mixed color pair
    ("9s 9h", "5:1", "5:1"),
    ("9s 9c", "12:1", "10:1"),  # Same color pair
    ("9d 9h", "12:1", "10:1"),
    ("As Ac", "12:1", "10:1"),
    ("9s 9s", "25:1", "25:1"),  # Same suit pair
    ("Kd Kd", "25:1", "25:1"),
    ("As As", "40:1", "30:1"),  # Suited Aces
    ("Ks Qs", "lose", "lose"),  # two Kings - not a King and a Queen (002:L28)
    ("As 2s", "lose", "lose"),
]


@pytest.mark.parametrize(("cards", "standard", "spanish"), MIRROR)
@pytest.mark.parametrize("is_spanish", [False, True])
def test_mirror_match_pays_as_printed(cards: str, standard: str, spanish: str, is_spanish: bool) -> None:
    printed = spanish if is_spanish else standard
    answer = stud(cards, dealer="2c 3c", bets="base 10, mirror 5", spanish=is_spanish)
    if printed == "lose":
        assert due(answer, 1) == ("lose", None, "0.00")
    else:
        assert due(answer, 1) == ("win", printed, f"{5 * int(printed[:-2])}.00")


# Match the Dealer (002:L91-97): player, dealer's card, standard, Spanish
MATCH = [
    ("9s 9s", "9s", "22:1", "18:1"),  # 2 Suited Matches
    ("9s 9d", "9s", "15:1", "13:1"),  # 1 Suited and 1 Non-Suited Match
    ("9s 8d", "9s", "11:1", "9:1"),  # 1 Suited Match
    ("8d 9s", "9s", "11:1", "9:1"),
    ("9c 9d", "9s", "8:1", "8:1"),  # 2 Non-Suited Matches
    ("9c 9c", "9s", "8:1", "8:1"),
    ("9c 8d", "9s", "4:1", "4:1"),  # 1 Non-Suited Match
    ("8c 7d", "9s", "lose", "lose"),  # No Matches
    ("Ks Qs", "Js", "lose", "lose"),
]


@pytest.mark.parametrize(("cards", "dealers", "standard", "spanish"), MATCH)
@pytest.mark.parametrize("is_spanish", [False, True])
@pytest.mark.parametrize("bet", ["match1", "match2"])
def test_match_pays_as_printed(
    cards: str, dealers: str, standard: str, spanish: str, is_spanish: bool, bet: str
) -> None:
    printed = spanish if is_spanish else standard
    dealer = f"{dealers} 2h" if bet == "match1" else f"2h {dealers}"
    answer = stud(cards, dealer=dealer, bets=f"base 10, {bet} 5", spanish=is_spanish)
    if printed == "lose":
        assert due(answer, 1) == ("lose", None, "0.00")
    else:
        assert due(answer, 1) == ("win", printed, f"{5 * int(printed[:-2])}.00")


FORBIDDEN = [
    ("9s 8d 2c", "9c 8c", "base 10", {}, "player-cards"),  # L9: no additional draws
    ("9s", "9c 8c", "base 10", {}, "player-cards"),
    ("9s 8d", "9c 8c 2d", "base 10", {}, "dealer-cards"),
    ("9s 8d", "9c 8c", "match1 10", {}, "side-bet-without-base"),  # L23
    ("Ts 8d", "9c 8c", "base 10", {"spanish": True}, "pip-ten"),  # L14
    ("9s 8d", "Tc 8c", "base 10", {"spanish": True}, "pip-ten"),
]


@pytest.mark.parametrize(("cards", "dealer", "bets", "variant", "code"), FORBIDDEN)
def test_forbidden_play_is_named(cards: str, dealer: str, bets: str, variant: dict[str, bool], code: str) -> None:
    assert codes(stud(cards, dealer=dealer, bets=bets, **variant)) == [code]


def test_court_cards_stay_in_a_spanish_shoe() -> None:
    assert codes(stud("Ks Jd", dealer="Qc 8c", bets="base 10", spanish=True)) == []
