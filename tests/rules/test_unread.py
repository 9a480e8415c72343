"""Rounds with something unread, and rounds that no record would hold: settled as far as can be, and never an error."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.cards import DECK
from audit.games.catalogue import GAMES
from audit.paytables import load_rules
from audit.records import settlement_record
from audit.rounds import BetKey, Die, Round, SeatPlay, Wager
from audit.settlement import settle
from tests.rules.notation import baccarat, blackjack, codes, dice_game, due, stud

UNDECIDED = (None, None, None)
WHITE_WHITE_RED = [{"v": 4, "c": "white"}, {"v": None, "c": "white"}, {"v": 4, "c": "red"}]


def unread(answer: dict[str, Any], place: int = 0) -> str:
    assert due(answer, place) == UNDECIDED
    why = answer["settled"][place]["why"]
    assert isinstance(why, str)
    return why


def test_unread_hole_card_leaves_a_hand_undecided_and_says_so() -> None:
    assert unread(blackjack("Ks 9d", dealer="Tc ?")) == "19 against a dealer's hand of which a card was not read"


def test_unread_card_of_a_hand_leaves_it_undecided_and_says_so() -> None:
    assert unread(blackjack("Ks ?", dealer="Tc 7d")) == "a card of hand 1 of seat 3 was not read"


def test_blackjack_against_an_unread_hole_card_is_undecided_only_under_an_ace_or_a_ten() -> None:
    assert unread(blackjack("As Kd", dealer="Tc ?")) == "blackjack, and the dealer's hole card was not read"
    assert unread(blackjack("As Kd", dealer="? Tc")) == "blackjack, and the dealer's up card was not read"
    assert due(blackjack("As Kd", dealer="? 9c")) == ("win", "3:2", "15.00")
    assert due(blackjack("As Kd", dealer="9c ?")) == ("win", "3:2", "15.00")


def test_broken_hand_loses_whatever_the_dealer_has() -> None:
    assert due(blackjack("Ks 6d 9c", dealer="? ?")) == ("lose", None, "0.00")


def test_hand_that_breaks_with_any_card_loses() -> None:
    assert due(blackjack("Ks 6d 5c ?", dealer="Tc 7d")) == ("lose", None, "0.00")


def test_dealer_who_broke_pays_a_hand_whose_card_was_not_read_but_could_not_break() -> None:
    answer = blackjack("5s ?", dealer="Tc 6d 9h")
    assert due(answer) == ("win", "1:1", "10.00")
    assert "whatever was not read" in answer["settled"][0]["why"]


def test_stake_that_was_not_read_leaves_the_pay_open_and_not_the_outcome() -> None:
    assert due(blackjack("Ks 9d", dealer="Tc 7d", bets="main@1 ?")) == ("win", "1:1", None)
    assert due(blackjack("Ks 6d", dealer="Tc 7d", bets="main@1 ?")) == ("lose", None, "0.00")


def test_insurance_without_the_up_or_the_hole_card_is_undecided() -> None:
    bets = "main@1 10, insurance 5"
    assert unread(blackjack("Ks 9d", dealer="Ac ?", bets=bets), 1) == "the dealer's hole card was not read"
    assert unread(blackjack("Ks 9d", dealer="? Kc", bets=bets), 1) == "the dealer's up card was not read"


def test_side_bets_without_their_cards_are_undecided() -> None:
    bets = "main@1 10, trilux 5, blazing7 5"
    answer = blackjack("7s ?", dealer="7c Td", bets=bets)
    assert "was not read" in unread(answer, 1)
    assert "was not read" in unread(answer, 2)


def test_unread_cards_are_no_violation() -> None:
    assert codes(blackjack("Ks ? 5d", dealer="? 6c ?")) == []
    assert codes(blackjack("8s Kd | ? 5c", dealer="Tc 7c", initial="8s ?", bets="main@1 10, split@2 10")) == []
    assert codes(blackjack("As ?", dealer="Ac ?", even_money=True)) == []


def test_dealer_without_a_second_card_decides_nothing() -> None:
    answer = blackjack("Ks 9d", dealer="Tc")
    assert due(answer) == UNDECIDED
    assert codes(answer) == ["dealer-cards"]


def test_craps_is_decided_by_the_roll_alone_where_every_first_card_says_the_same() -> None:
    assert due(dice_game("draw_n_shoot_21", "?", dice=[1, 1], bets="craps 5")) == ("win", "1:1", "5.00")
    assert (
        unread(dice_game("draw_n_shoot_21", "?", dice=[4, 4], bets="craps 5"))
        == "the first card of seat 3 was not read"
    )
    assert unread(dice_game("draw_n_shoot_21", "8s", dice=[4, None], bets="craps 5")) == "a die was not read"


def test_score_is_decided_where_every_reading_says_the_same() -> None:
    # 9 and a die of 1 are at most 16, whatever the other die
    assert due(dice_game("draw_n_shoot_21", "9s", dice=[1, None], bets="ante 5")) == ("lose", None, "0.00")
    assert unread(dice_game("draw_n_shoot_21", "Ks", dice=[1, None], bets="ante 5")) == "a die was not read"
    assert unread(dice_game("draw_n_shoot_21", "?", dice=[5, 5], bets="ante 5")) == "a card of seat 3 was not read"


def test_chuck_needs_every_die_and_for_three_of_a_number_the_first_card() -> None:
    assert unread(dice_game("dicey_21", "4s", dice=WHITE_WHITE_RED, bets="chuck#4 5")) == "a die was not read"
    assert unread(dice_game("dicey_21", "Ks", dice=WHITE_WHITE_RED, bets="ante 5")) == "a die was not read"
    three = [{"v": 4, "c": "white"}, {"v": 4, "c": "white"}, {"v": 4, "c": "red"}]
    assert "first card" in unread(dice_game("dicey_21", "?", dice=three, bets="chuck#4 5"))
    assert due(dice_game("dicey_21", "?", dice=three, bets="chuck#3 5")) == ("lose", None, "0.00")


def test_seat_without_a_card_is_named() -> None:
    answer = dice_game("draw_n_shoot_21", "", dice=[5, 5], bets="ante 5")
    assert unread(answer) == "no card of seat 3 was seen"
    assert codes(answer) == ["no-card"]


def test_stud_bets_need_their_cards() -> None:
    bets = "base 10, match1 5, match2 5, mirror 5"
    answer = stud("9s 9d", dealer="? 9c", bets=bets)
    assert unread(answer, 1) == "the dealer's card #1 was not read"
    assert due(answer, 2) == ("win", "8:1", "40.00")
    assert due(answer, 3) == ("win", "5:1", "25.00")
    assert unread(stud("9s ?", dealer="2c 9c", bets=bets), 3) == "a card of seat 3 was not read"
    assert unread(stud("9s Kd", dealer="9c ?", bets="base 10")) == "a card of the dealer was not read"


def test_baccarat_bets_need_their_cards() -> None:
    bets = "enter 10, block_bonus 5"
    assert unread(baccarat("9s 8d", dealer="? 2c 3c", bets=bets)) == "a card of the dealer was not read"
    assert unread(baccarat("9s ?", dealer="Kh 2c 3c", bets=bets)) == "a card of seat 3 was not read"
    assert unread(baccarat("9s 8d", dealer="9h ?", bets=bets), 1) == "the dealer's exposed card was not read"
    assert unread(baccarat("2d ?", dealer="9h 3c", bets=bets), 1) == "a card of seat 3 was not read"


def test_winning_draw_without_a_third_card_has_no_odds() -> None:
    answer = baccarat("9s Kd", dealer="Kh 5c", bets="enter 10, draw 10")
    assert due(answer, 1) == ("win", None, None)
    assert codes(answer) == ["draw-without-third-card"]


def test_bet_at_a_seat_or_hand_that_is_not_there_is_undecided() -> None:
    wagers = tuple(
        Wager(key=BetKey(seat=seat, bet=bet, hand=hand), amount=None)
        for seat, bet, hand in [(1, "main", 2), (2, "main", 1), (1, "ante", None)]
    )
    hand = (DECK["Ks"], DECK["9d"])
    round_ = Round(game="blackjack", dealer=hand, seats={1: SeatPlay(hands=(hand,), initial=hand)}, wagers=wagers)
    settlement = settle(round_, load_rules("blackjack"))
    assert [one.why for one in settlement.settled] == [
        "hand 2 of seat 1 is not in this round",
        "seat 2 has no cards in this round",
        "ante is no bet of Blackjack from a six-deck shoe",
    ]


CARDS = st.lists(st.none() | st.sampled_from(sorted(DECK.values())), max_size=4).map(tuple)
PLAYS = st.builds(
    SeatPlay,
    hands=st.lists(CARDS, max_size=3).map(tuple),
    initial=CARDS,
    first_card_lateral=st.none() | st.booleans(),
    even_money=st.booleans(),
    free_bet_coupon=st.booleans(),
)
DICE = st.lists(
    st.builds(Die, value=st.none() | st.integers(1, 6), colour=st.none() | st.sampled_from(["red", "white", "blue"])),
    max_size=4,
).map(tuple)
AMOUNTS = st.none() | st.fractions(0, 600, max_denominator=4)
VARIANTS = st.dictionaries(
    st.sampled_from(["bj_revealed_late", "hole_card_exposed", "progressive_meter"]),
    st.none() | st.booleans() | st.just("x"),
)


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_settling_never_raises_and_answers_every_wager(game: str, data: Any) -> None:
    keys = st.builds(
        BetKey,
        seat=st.integers(1, 3),
        bet=st.sampled_from([*GAMES[game].bets, "other"]),
        hand=st.none() | st.integers(0, 4),
        number=st.none() | st.integers(0, 7),
    )
    round_ = Round(
        game=game,
        variant=data.draw(VARIANTS),
        dealer=data.draw(CARDS),
        seats=data.draw(st.dictionaries(st.integers(1, 3), PLAYS)),
        dice=data.draw(DICE),
        wagers=data.draw(st.lists(st.builds(Wager, key=keys, amount=AMOUNTS), max_size=5).map(tuple)),
    )
    settlement = settle(round_, load_rules(game))
    assert [one.key for one in settlement.settled] == [wager.key for wager in round_.wagers]
    settlement_record(settlement)
