"""Laws that hold in every round, on legal rounds played at random."""

from __future__ import annotations

import copy
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.games.terms import best_total
from audit.records import parse_round, round_record, settle_record
from tests.rules.playing import GAMES, play

SEEDS = st.integers(min_value=0, max_value=2**32 - 1)


def rounds(game: str) -> st.SearchStrategy[dict[str, Any]]:
    return SEEDS.map(lambda seed: play(seed, game))


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_legal_round_has_no_violation(game: str, data: Any) -> None:
    assert settle_record(data.draw(rounds(game)))["violations"] == []


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_every_bet_has_exactly_one_outcome_in_the_order_of_bets(game: str, data: Any) -> None:
    record = data.draw(rounds(game))
    settled = settle_record(record)["settled"]
    named = [{key: bet[key] for key in bet if key != "amount"} for bet in record["bets"]]
    assert [{key: one[key] for key in ("seat", "hand", "bet", "number") if key in one} for one in settled] == named
    assert {one["outcome"] for one in settled} <= {"win", "lose", "push"}


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_pay_is_stake_times_odds_and_nothing_unless_won(game: str, data: Any) -> None:
    record = data.draw(rounds(game))
    for bet, settled in zip(record["bets"], settle_record(record)["settled"], strict=True):
        if settled["outcome"] != "win":
            assert (settled["odds"], settled["pay"]) == (None, "0.00")
        elif settled["odds"] is not None:
            a, b = settled["odds"].split(":")
            assert Fraction(settled["pay"]) == Fraction(bet["amount"]) * int(a) / int(b)


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_order_of_seats_and_of_bets_is_irrelevant(game: str, data: Any) -> None:
    record = data.draw(rounds(game))
    turned = copy.deepcopy(record)
    turned["bets"] = turned["bets"][::-1]
    turned["table"]["seats"] = dict(reversed(turned["table"]["seats"].items()))
    assert settle_record(turned)["settled"] == settle_record(record)["settled"][::-1]


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_wagers_of_one_seat_do_not_depend_on_the_others(game: str, data: Any) -> None:
    record = data.draw(rounds(game))
    seat = data.draw(st.sampled_from(sorted(record["table"]["seats"])))
    alone = copy.deepcopy(record)
    alone["table"]["seats"] = {seat: record["table"]["seats"][seat]}
    alone["bets"] = [bet for bet in record["bets"] if bet["seat"] == int(seat)]
    whole = [one for one in settle_record(record)["settled"] if one["seat"] == int(seat)]
    assert settle_record(alone)["settled"] == whole


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_record_is_written_as_it_was_read(game: str, data: Any) -> None:
    round_ = parse_round(data.draw(rounds(game)))
    assert parse_round(round_record(round_)) == round_


@given(cards=st.lists(st.sampled_from("A23456789TJQK"), min_size=1, max_size=8))
def test_ace_is_never_worth_more_than_the_best_legal_value(cards: list[str]) -> None:
    round_ = parse_round(
        {
            "game": "stud_21",
            "table": {"dealer": [], "seats": {"1": {"cards": [rank + "s" for rank in cards]}}},
            "bets": [],
        }
    )
    total = best_total(round_.seats[1].hands[0])
    assert total is not None
    values = {0}
    for rank in cards:
        worth = (1, 11) if rank == "A" else (10,) if rank in "TJQK" else (int(rank),)
        values = {value + one for value in values for one in worth}
    legal = [value for value in values if value <= 21]
    assert total == (max(legal) if legal else min(values))


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_unread_card_never_changes_a_decision(game: str, data: Any) -> None:
    record = data.draw(rounds(game))
    blind = copy.deepcopy(record)
    seats = blind["table"]["seats"]
    seat = data.draw(st.sampled_from(sorted(seats)))
    cards = seats[seat]["hands"][0]["cards"] if "hands" in seats[seat] else seats[seat]["cards"]
    cards[data.draw(st.integers(0, len(cards) - 1))] = None
    if "hands" in seats[seat] and len(seats[seat]["hands"]) == 1:
        seats[seat]["initial"] = cards[:2]
    for seen, unseen in zip(settle_record(record)["settled"], settle_record(blind)["settled"], strict=True):
        if unseen["outcome"] is not None:
            assert (unseen["outcome"], unseen["odds"], unseen["pay"]) == (seen["outcome"], seen["odds"], seen["pay"])
