"""004 Blackjack manual: Trilux, the double-deck game and Blazing 7's, transcribed from their pay tables."""

from __future__ import annotations

import pytest

from audit.cards import parse_cards
from audit.money import parse_money
from audit.paytables import load_rules
from audit.rounds import BetKey, Round, SeatPlay, Wager
from audit.settlement import settle
from tests.rules.notation import blackjack, codes, due

# Trilux pay table (004:L1050-1059): player's first two cards, up card, Bonus odds, Super 3 odds
TRILUX = [
    ("9s 9s", "9s", "9:1", "270:1"),  # Three of a Kind (suited)
    ("5h 6h", "7h", "9:1", "180:1"),  # Straight Flush
    ("7h 5h", "6h", "9:1", "180:1"),
    ("Ah 2h", "3h", "9:1", "180:1"),
    ("Qh Kh", "Ah", "9:1", "180:1"),
    ("9s 9d", "9c", "9:1", "90:1"),  # Three of a Kind (unsuited)
    ("9s 9s", "9c", "9:1", "90:1"),
    ("5h 6c", "7h", "9:1", "lose"),  # Straight
    ("Ah 3c", "2h", "9:1", "lose"),  # the ace is low or high [TRI-2]
    ("Ac Ks", "Qd", "9:1", "lose"),
    ("2h 9h", "Kh", "9:1", "lose"),  # Flush
    ("Kh Ah", "2h", "9:1", "lose"),  # a flush: king, ace, deuce is no straight
    ("Kh Ac", "2h", "lose", "lose"),
    ("9s 9d", "8c", "lose", "lose"),
]


@pytest.mark.parametrize(("initial", "up", "bonus", "super3"), TRILUX)
def test_trilux_pays_as_printed(initial: str, up: str, bonus: str, super3: str) -> None:
    variant = {"decks": 8}
    answer = blackjack(initial, dealer=f"{up} 8d", bets="main@1 10, trilux 5, super3 10", variant=variant)
    for place, stake, printed in ((1, 5, bonus), (2, 10, super3)):
        if printed == "lose":
            assert due(answer, place) == ("lose", None, "0.00")
        else:
            assert due(answer, place) == ("win", printed, f"{stake * int(printed[:-2])}.00")


def test_trilux_uses_the_first_two_cards_and_the_up_card() -> None:
    answer = blackjack("9s 5d 2c", dealer="9h 9d", bets="main@1 10, trilux 5")
    assert due(answer, 1)[0] == "lose"


def test_trilux_of_a_split_seat_uses_the_cards_dealt() -> None:
    answer = blackjack("9s Kd | 9d Kc", dealer="9h 9d", bets="main@1 10, split@2 10, trilux 5")
    assert due(answer, 2) == ("win", "9:1", "45.00")


# Double-deck Trilux Bonus (004:L1081-1085): 5 to 2 in all four rows, as printed [TRI-1]
@pytest.mark.parametrize(
    ("initial", "up", "printed"),
    [
        ("5h 6h", "7h", "5:2"),
        ("9s 9d", "9c", "5:2"),
        ("5h 6c", "7h", "5:2"),
        ("2h 9h", "Kh", "5:2"),
        ("9s 9d", "8c", None),
    ],
)
def test_double_deck_trilux_pays_as_printed(initial: str, up: str, printed: str | None) -> None:
    answer = blackjack(initial, dealer=f"{up} 8d", bets="main@1 10, trilux 10", game="double_deck")
    assert due(answer, 1) == (("win", printed, "25.00") if printed else ("lose", None, "0.00"))


def test_double_deck_blackjack_pays_three_to_two() -> None:
    assert due(blackjack("As Kd", dealer="9c 8c", game="double_deck")) == ("win", "3:2", "15.00")


def test_double_deck_splits_once() -> None:
    # L1068: "only allow to split once for all pairs"
    bets = "main@1 10, split@2 10, split@3 10"
    assert codes(blackjack("8s Kc | 8d Kd | 8c Kh", dealer="Tc 7c", bets=bets, game="double_deck")) == [
        "too-many-hands"
    ]


def test_double_deck_maximum_is_ten_thousand() -> None:
    # L1077
    assert codes(blackjack("Ks 9d", dealer="Tc 7c", bets="main@1 10000", game="double_deck")) == []
    assert codes(blackjack("Ks 9d", dealer="Tc 7c", bets="main@1 10025", game="double_deck")) == ["over-maximum"]


METER = {"progressive_meter": "80273.15", "decks": 8}
# Blazing 7's pay table (004:L1125-1131): player's first two cards, up card, odds, pay, envy
BLAZING = [
    ("7s 9d", "8c", "2:1", "10.00", "1.00"),  # one 7: $10 (2-1)
    ("9d 7s", "8c", "2:1", "10.00", "1.00"),
    ("7s 7d", "8c", "25:1", "125.00", "2.00"),  # two 7's: $125 (25-1)
    ("7s 7d", "7c", "200:1", "1000.00", "5.00"),  # Mixed Colors: $1,000 (200-1)
    ("7s 7s", "7d", "200:1", "1000.00", "5.00"),
    ("7s 7s", "7c", None, "8027.315", "25.00"),  # Same Color: 10% of Jackpot
    ("7h 7d", "7h", None, "8027.315", "25.00"),
    ("7s 7s", "7s", None, "80273.15", "100.00"),  # Same Suit: 100% of Jackpot
]


@pytest.mark.parametrize(("initial", "up", "odds", "pay", "envy"), BLAZING)
def test_blazing_sevens_pay_as_printed(initial: str, up: str, odds: str | None, pay: str, envy: str) -> None:
    answer = blackjack(initial, dealer=f"{up} Td", bets="main@1 10, blazing7 5", variant=METER)
    assert due(answer, 1) == ("win", odds, pay)
    assert answer["settled"][1]["envy"] == envy
    assert answer["settled"][1]["stake_returned"] is False  # collected before the deal (L1100)


@pytest.mark.parametrize(("initial", "up"), [("8s 9d", "8c"), ("8s 9d", "7c"), ("7s 9d", "7c")])
def test_blazing_sevens_lose_otherwise(initial: str, up: str) -> None:
    # one 7 against a 7 is in no row [BLZ-1]
    answer = blackjack(initial, dealer=f"{up} Td", bets="main@1 10, blazing7 5", variant=METER)
    assert due(answer, 1) == ("lose", None, "0.00")
    assert answer["settled"][1]["envy"] == "0.00"


def test_jackpot_without_a_meter_has_no_pay() -> None:
    answer = blackjack("7s 7s", dealer="7s Td", bets="main@1 10, blazing7 5")
    assert due(answer, 1) == ("win", None, None)
    assert answer["settled"][1]["envy"] == "100.00"


def test_side_bets_go_by_the_original_up_card_when_the_hole_card_was_exposed() -> None:
    # L778
    variant = {"hole_card_exposed": True}
    answer = blackjack("7s 9d", dealer="8c 7d 5h", bets="main@1 10, blazing7 5, trilux 5", variant=variant)
    assert due(answer, 1) == ("win", "2:1", "10.00")
    assert due(answer, 2) == ("win", "9:1", "45.00")


def test_meter_of_a_profile_that_is_no_amount_gives_no_pay() -> None:
    cards = parse_cards("7s 7s")
    round_ = Round(
        game="blackjack",
        variant={"progressive_meter": "much"},
        dealer=parse_cards("7s Td"),
        seats={3: SeatPlay(initial=cards, hands=(cards,))},
        wagers=(Wager(key=BetKey(seat=3, bet="blazing7"), amount=parse_money("5")),),
    )
    assert settle(round_, load_rules("blackjack")).settled[0].pay is None
