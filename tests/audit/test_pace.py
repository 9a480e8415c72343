"""What is measured and reported, not judged: rounds, shuffles, shoes, seats, and calls that were due."""

from __future__ import annotations

from typing import Any

from tests.audit.asking import audited
from tests.audit.pairs import money, whole_shoes
from tests.notation import Felt


def pace(felt: Felt) -> dict[str, Any]:
    record: dict[str, Any] = audited(felt).to_json()["pace"]
    return record


def test_rounds_per_hour_follow_from_the_time_between_first_cards_p249() -> None:
    felt = money.push(money.table())
    start = felt.now
    felt.now = start + 36_000
    money.push(felt)
    rounds = pace(felt)["rounds"]
    assert (rounds["count"], rounds["whole"]) == (2, 2)
    assert 80 < rounds["per_hour"] < 100  # one round in 36 s and the time of the first


def test_shuffle_is_rated_by_the_bands_of_the_manual_p115() -> None:
    felt = whole_shoes.shuffled_round(whole_shoes.blackjack(seats=2))
    assert [one["at_least"] for one in pace(felt)["shuffles"]] == ["OP"]


def test_slow_shuffle_needs_improvement_p115() -> None:
    felt = whole_shoes.blackjack(seats=2)
    cards = whole_shoes.cards()
    whole_shoes.stand_all(felt, cards)
    whole_shoes.shuffle(felt)
    felt.now += 130_000
    assert [one["at_least"] for one in pace(whole_shoes.stand_all(felt, cards))["shuffles"]] == ["NI"]


def test_shoe_time_runs_from_the_first_card_to_the_cut_card_p248() -> None:
    felt = whole_shoes.dealt_shoe(whole_shoes.blackjack(seats=2), whole_shoes.stand_all, 2)
    (one,) = pace(felt)["shoes"]
    assert one["last_ms"] > one["first_ms"]
    assert (one["standard_ms"], one["mean_seats"]) == (580_000, 2.0)


def test_seat_that_sits_out_is_counted_p210() -> None:
    felt = money.table()
    for seat in (1, 2, 1, 1):
        money.push(felt, seat)
    assert pace(felt)["seats"] == {"1": {"played": 3, "sat_out": 1}, "2": {"played": 1, "sat_out": 0}}


def test_next_card_right_after_the_last_round_is_reported_p250() -> None:
    hasty = money.push(money.table()).bets({1: "10"})
    hasty.now -= 400
    slow = money.push(money.table())
    slow.now += 5_000
    assert len(pace(hasty.deal({1: "Th Qc"}, dealer="Td Ks").turn().pat(1).collect(1).pick_up())["over_run"]) == 1
    assert pace(money.push(slow))["over_run"] == []


def test_black_cheque_in_play_is_a_call_due_p200() -> None:
    assert [one["procedure"] for one in pace(money.push(money.table(), bet="100"))["calls_due"]] == ["P200"]
    assert pace(money.push(money.table(), bet="75"))["calls_due"] == []


def test_wager_near_the_maximum_is_a_call_due_p196() -> None:
    calls = [one["procedure"] for one in pace(money.push(money.table(), bet="1900"))["calls_due"]]
    assert calls == ["P200", "P196"]


def test_change_of_three_hundred_is_a_call_due_p163() -> None:
    calls = pace(money.bills((100, 3, -100.0)))["calls_due"]
    assert [one["procedure"] for one in calls] == ["P163"]
    assert pace(money.bills((100, 2, -100.0)))["calls_due"] == []


def test_no_states_give_an_empty_report() -> None:
    assert audited([]).to_json()["pace"]["rounds"] == {"count": 0}
