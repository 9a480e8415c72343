"""004 Games Department Blackjack Manual: settling and what it forbids, transcribed from the manual."""

from __future__ import annotations

from typing import Any

import pytest

from audit.cards import parse_cards
from audit.money import parse_money
from audit.paytables import load_rules
from audit.rounds import BetKey, Round, SeatPlay, Wager
from audit.settlement import settle
from tests.rules.notation import blackjack, codes, due

# "Wagers" 1, 2 and 5 (004:L679-686), "Break or Bust" (L223-225), L664-666: hand, dealer, outcome, odds, pay on 10.00
HANDS = [
    ("Ks 9d", "Tc 8c", "win", "1:1", "10.00"),  # the score exceeds that of the dealer
    ("Ks 9d", "Tc 6c Kh", "win", "1:1", "10.00"),  # the dealer is in excess of 21
    ("Ks 2d", "Tc 6c Kh", "win", "1:1", "10.00"),
    ("Ks 8d", "Tc 8c", "push", None, "0.00"),  # void (a "push") when the score is the same
    ("Ks 7d", "Tc 8c", "lose", None, "0.00"),
    ("Ks 6d 9c", "Tc 6d Kh", "lose", None, "0.00"),  # such a hand loses automatically, also when the dealer breaks
    ("As Kd", "9c 8c", "win", "3:2", "15.00"),  # Blackjack 3 to 2 (L585, L686)
    ("As Kd", "Tc 6c 5h", "win", "3:2", "15.00"),  # also against a 21 of three cards
    ("As Kd", "Ac Th", "push", None, "0.00"),  # unless the dealer also has a Blackjack
    ("As Kd", "Tc Ah", "push", None, "0.00"),
    ("As 5d 5c", "9c 8c", "win", "1:1", "10.00"),  # 21 of three cards is no Blackjack
    ("Ks 9d", "Ac Th", "lose", None, "0.00"),  # the players lose their bets unless they have a blackjack (L656)
    ("As 6d", "Ac 6h", "push", None, "0.00"),  # soft 17 stands and ties
    ("As 7d", "Ac 6h", "win", "1:1", "10.00"),
    ("As 5d 9c", "9c 7c 2c", "lose", None, "0.00"),  # the ace counts as 1 or 11 (L650): 15
    ("As Ad 9c", "9c 7c 2c", "win", "1:1", "10.00"),  # 21
]


@pytest.mark.parametrize(("hand", "dealer", "outcome", "odds", "pay"), HANDS)
def test_main_wager_is_settled_as_written(hand: str, dealer: str, outcome: str, odds: str | None, pay: str) -> None:
    answer = blackjack(hand, dealer=dealer)
    assert due(answer) == (outcome, odds, pay)
    assert codes(answer) == []


def test_three_to_two_is_exact_to_the_fraction_of_a_cent() -> None:
    assert due(blackjack("As Kd", dealer="9c 8c", bets="main@1 2.5"))[2] == "3.75"
    assert due(blackjack("As Kd", dealer="9c 8c", bets="main@1 0.25"))[2] == "0.375"


def test_why_says_the_totals_the_odds_and_the_section() -> None:
    settled = blackjack("Ks 9d", dealer="Tc 8c")["settled"][0]
    assert (
        settled["why"]
        == "19 against the dealer's 18: higher than the dealer: 1 to 1, Blackjack manual, Wagers 1B and 5"
    )
    assert settled["source"] == "004:L664, L681, L686"


def test_ace_and_ten_after_a_split_is_21_and_no_blackjack() -> None:
    # L219-221, L827: "it will be paid at the normal rate of 1 to 1"
    answer = blackjack("Ks As | Kd 9c", dealer="9c 8c", bets="main@1 10, split@2 10")
    assert due(answer) == ("win", "1:1", "10.00")
    assert due(answer, 1) == ("win", "1:1", "10.00")
    assert codes(answer) == []


def test_each_split_hand_is_settled_for_itself() -> None:
    answer = blackjack(
        "8s Kd | 8d 5c Kc | 8c 3s Kh", dealer="9c 9d", bets="main@1 10, split@2 10, split@3 10, double@3 10"
    )
    assert [due(answer, place)[0] for place in range(4)] == ["push", "lose", "win", "win"]
    assert codes(answer) == []


def test_double_is_settled_like_its_hand() -> None:
    answer = blackjack("6s 5d Kc", dealer="9c 8c", bets="main@1 10, double@1 5")
    assert [due(answer, place) for place in range(2)] == [("win", "1:1", "10.00"), ("win", "1:1", "5.00")]
    assert codes(answer) == []


# Insurance (L795-797): dealer, outcome, odds, pay on 5.00
@pytest.mark.parametrize(
    ("dealer", "outcome", "odds", "pay"),
    [(f"Ac {ten}d", "win", "2:1", "10.00") for ten in "KQJT"]
    + [(f"Ac {low}d", "lose", None, "0.00") for low in ("6", "7", "8", "9")]
    + [("Ac Ad 6c", "lose", None, "0.00"), ("Ac 2d 6c", "lose", None, "0.00"), ("Ac 5d 2c", "lose", None, "0.00")],
)
def test_insurance_wins_on_a_ten_valued_hole_card(dealer: str, outcome: str, odds: str | None, pay: str) -> None:
    assert due(blackjack("Ks 9d", dealer=dealer, bets="main@1 10, insurance 5"), 1) == (outcome, odds, pay)


@pytest.mark.parametrize("hole", ["Kd", "9d"])
def test_even_money_is_paid_whatever_the_hole_card(hole: str) -> None:
    answer = blackjack("As Kc", dealer=f"Ac {hole}", even_money=True)
    assert due(answer) == ("win", "1:1", "10.00")
    assert codes(answer) == []


def test_insured_blackjack_against_blackjack_is_worth_even_money() -> None:
    # [BJ-12]
    answer = blackjack("As Kc", dealer="Ac Kd", bets="main@1 10, insurance 5")
    assert [due(answer, place)[2] for place in range(2)] == ["0.00", "10.00"]


def test_free_bet_coupon_is_paid_even_money_on_a_blackjack() -> None:
    # L691: "only be paid even money no matter what bet it is placed on"
    assert due(blackjack("As Kc", dealer="9c 8d", free_bet_coupon=True)) == ("win", "1:1", "10.00")


LATE = {"bj_revealed_late": True}


def test_late_blackjack_takes_the_main_wager_and_returns_split_and_double() -> None:
    # L779: "all wagers will be collected except Split and Double"
    bets = "main@1 10, split@2 10, double@2 10"
    answer = blackjack("8s Kd | 8d 3c Kc", dealer="Tc Ah", bets=bets, variant=LATE)
    assert [due(answer, place)[0] for place in range(3)] == ["lose", "push", "push"]
    assert codes(answer) == []


def test_late_blackjack_pushes_a_players_blackjack() -> None:
    assert due(blackjack("As Kd", dealer="Tc Ah", variant=LATE)) == ("push", None, "0.00")


def test_late_blackjack_returns_no_double_on_a_hand_that_broke() -> None:
    # [BJ-8]
    answer = blackjack("8s 7d Kc", dealer="Tc Ah", bets="main@1 10, double@1 10", variant=LATE)
    assert [due(answer, place)[0] for place in range(2)] == ["lose", "lose"]


EXPOSED = {"hole_card_exposed": True}
# L778 [BJ-17]: the dealer's ace and ten count as a plain 21
AFTER_EXPOSURE = [
    ("Ks 9d", "lose", None),
    ("Ks 5d 6c", "push", None),
    ("As Kd", "win", "3:2"),
]


@pytest.mark.parametrize(("hand", "outcome", "odds"), AFTER_EXPOSURE)
def test_exposed_hole_card_makes_the_dealers_blackjack_a_plain_21(hand: str, outcome: str, odds: str | None) -> None:
    answer = blackjack(hand, dealer="Tc Ah", variant=EXPOSED)
    assert due(answer)[:2] == (outcome, odds)
    assert codes(answer) == []


FORBIDDEN: list[tuple[str, str, str, dict[str, Any], list[str]]] = [
    # the dealer (L662, L719, L725)
    ("Ks 9d", "Tc 7c 2d", "main@1 10", {}, ["dealer-drew-on-17"]),
    ("Ks 9d", "Ac 6c 2d", "main@1 10", {}, ["dealer-drew-on-17"]),  # soft 17 stands
    ("Ks 9d", "Tc 6c", "main@1 10", {}, ["dealer-stood-below-17"]),
    ("Ks 9d", "Tc", "main@1 10", {}, ["dealer-cards"]),
    # hits (L658, L223, L821-827)
    ("Ks 9d 2c 5c", "Tc 7c", "main@1 10", {}, ["hit-on-21"]),
    ("As Kd 5c", "Tc 7c", "main@1 10", {}, ["hit-on-21"]),
    ("Ks 6d 9c 2c", "Tc 7c", "main@1 10", {}, ["hit-after-break"]),
    ("Ks As 5c | Kd 9c", "Tc 7c", "main@1 10, split@2 10", {}, ["hit-on-21"]),
    ("As 5c 5d | Ad 9c", "Tc 7c", "main@1 10, split@2 10", {}, ["split-ace-hit"]),
    # splits
    ("9s Kc | 8s 9c", "Tc 7c", "main@1 10, split@2 10", {}, ["split-unequal"]),
    ("8s Kc | 8d", "Tc 7c", "main@1 10, split@2 10", {}, ["hand-short"]),
    ("8s Kc | 8d Kd", "Tc 7c", "main@1 10, split@2 5", {}, ["split-wager-differs"]),
    ("8s Kc | 8d Kd", "Tc 7c", "main@1 10", {}, ["hand-without-wager"]),
    ("8s Kc", "Tc 7c", "main@1 10, split@1 10", {}, ["split-wager-without-split", "hand-with-two-wagers"]),
    (
        "8s Kc | 8d Kd | 8c Kh | 8h 9s | 8s 9c",
        "Tc 7c",
        "main@1 10, split@2 10, split@3 10, split@4 10, split@5 10",
        {},
        ["too-many-hands"],
    ),
    ("As Kc | Ad Kd | Ac Kh", "Tc 7c", "main@1 10, split@2 10, split@3 10", {}, ["aces-split-again"]),
    # doubles (L289-293, L660, L815)
    ("6s 5d Kc", "Tc 7c", "main@1 10, double@1 15", {}, ["double-over-wager"]),
    ("6s 5d 2c 8c", "Tc 7c", "main@1 10, double@1 10", {}, ["double-cards"]),
    ("6s 5d", "Tc 7c", "main@1 10, double@1 10", {}, ["double-cards"]),
    ("As Kd 5c", "Tc 7c", "main@1 10, double@1 10", {}, ["hit-on-21", "double-on-21"]),
    ("As 5c 5d | Ad 9c", "Tc 7c", "main@1 10, split@2 10, double@1 10", {}, ["split-ace-hit", "double-on-split-ace"]),
    # insurance and even money (L327-331, L795-800)
    ("Ks 9d", "Tc 7c", "main@1 10, insurance 5", {}, ["insurance-without-ace"]),
    ("Ks 9d", "Ac 7c", "main@1 10, insurance 6", {}, ["insurance-over-half"]),
    ("Ks 9d", "Ac 7c", "main@1 10", {"even_money": True}, ["even-money-without-blackjack"]),
    ("As Kd", "Tc 7c", "main@1 10", {"even_money": True}, ["even-money-without-ace"]),
    # the ace finder ends the round before a hand is played (L806-809)
    ("8s 4d 5c", "Tc Ac", "main@1 10", {}, ["played-against-blackjack"]),
    # side bets (L1040, L1051, L1057, L1098)
    ("Ks 9d", "Tc 7c", "main@1 10, super3 10", {}, ["super3-without-trilux"]),
    ("Ks 9d", "Tc 7c", "main@1 10, trilux 505", {}, ["over-maximum"]),
    ("Ks 9d", "Tc 7c", "main@1 10, trilux 2.5", {}, ["under-minimum"]),
    ("Ks 9d", "Tc 7c", "main@1 10, trilux 10, super3 55", {}, ["over-maximum"]),
    ("Ks 9d", "Tc 7c", "main@1 10, blazing7 10", {}, ["over-maximum"]),
    ("Ks 9d", "Tc 7c", "trilux 10", {}, ["hand-without-wager", "trilux-without-main"]),
    ("Ks 9d", "Tc 7c", "blazing7 5", {}, ["hand-without-wager", "blazing7-without-main"]),
    ("Ks 9d", "Tc 7c", "main@1 10, main@1 10", {}, ["bet-twice"]),
]


@pytest.mark.parametrize(("hands", "dealer", "bets", "seat", "expected"), FORBIDDEN)
def test_forbidden_play_is_named(hands: str, dealer: str, bets: str, seat: dict[str, Any], expected: list[str]) -> None:
    assert codes(blackjack(hands, dealer=dealer, bets=bets, **seat)) == expected


def test_final_hand_must_begin_with_the_cards_dealt() -> None:
    assert codes(blackjack("Ks 9d", dealer="Tc 7c", initial="Ks 8d")) == ["initial-differs"]
    assert codes(blackjack("8s Kc | 8d Kd", dealer="Tc 7c", initial="8s 8h", bets="main@1 10, split@2 10")) == [
        "initial-differs"
    ]


def test_first_two_cards_may_be_listed_in_either_order() -> None:
    assert codes(blackjack("Ks 9d", dealer="Tc 7c", initial="9d Ks")) == []


def test_violation_says_where() -> None:
    answer = blackjack("8s Kc | 8d 5c 8h 9c", dealer="Tc 6c", bets="main@1 10, split@2 10")
    assert answer["violations"] == [["seat 3 hand 2", "hit-on-21"], ["dealer", "dealer-stood-below-17"]]


# Nobody waits for the dealer, so whether he draws is not checked [BJ-13]
@pytest.mark.parametrize(
    ("hand", "seat"),
    [("Ks 6d 9c", {}), ("As Kd", {})],
)
@pytest.mark.parametrize("dealer", ["Tc 2c", "Tc 7c 2d", "Tc 2c Kd"])
def test_dealers_draws_are_not_checked_without_a_live_hand(hand: str, seat: dict[str, Any], dealer: str) -> None:
    assert codes(blackjack(hand, dealer=dealer, **seat)) == []


# What the manual allows
LEGAL = [
    ("As 7d 2c", "Tc 7c", "main@1 10"),  # soft totals below 21 may be hit
    ("Ks Jd | Qc 9c", "Tc 7c", None),  # values, not ranks, are split [BJ-3]
    ("8s 3c Kc | 8d Kd", "Tc 7c", "main@1 10, split@2 10, double@1 10"),  # double after split (L828)
    ("6s 5d Kc", "Tc 7c", "main@1 10, double@1 0.25"),  # any amount up to the wager (L660)
    ("Ks 5d 3c", "Tc 7c", "main@1 10, double@1 10"),  # any two cards but 21
    ("As Kc | Ad 5d", "Tc 7c", None),
    ("8s Kc | 8d Kd | 8c Kh | 8h 9s", "Tc 7c", "main@1 10, split@2 10, split@3 10, split@4 10"),
    ("Ks 9d", "Ac 7c", "main@1 10, insurance 2.5"),  # not more than one half
]


@pytest.mark.parametrize(("hands", "dealer", "bets"), LEGAL)
def test_allowed_play_is_no_violation(hands: str, dealer: str, bets: str | None) -> None:
    assert codes(blackjack(hands, dealer=dealer, bets=bets or "main@1 10, split@2 10")) == []


def test_super3_may_be_200_in_the_vip_room() -> None:
    bets = "main@1 10, trilux 10, super3 200"
    assert codes(blackjack("Ks 9d", dealer="Tc 7c", bets=bets, variant={"vip": True})) == []
    assert codes(blackjack("Ks 9d", dealer="Tc 7c", bets=bets)) == ["over-maximum"]


@pytest.mark.parametrize(
    ("hand", "outcome", "odds"), [("Ks 9d", "win", "1:1"), ("As Kd", "win", "3:2"), ("Ks 7d", "push", None)]
)
def test_toke_bet_follows_the_rules_of_the_players_bet(hand: str, outcome: str, odds: str | None) -> None:
    # L998
    cards = parse_cards(hand)
    round_ = Round(
        game="blackjack",
        dealer=parse_cards("Tc 7c"),
        seats={3: SeatPlay(initial=cards, hands=(cards,))},
        wagers=(
            Wager(key=BetKey(seat=3, bet="main", hand=1), amount=parse_money("10")),
            Wager(key=BetKey(seat=3, bet="toke", hand=1), amount=parse_money("5")),
        ),
    )
    toke = settle(round_, load_rules("blackjack")).settled[1]
    assert (toke.outcome, toke.odds and str(toke.odds)) == (outcome, odds)
