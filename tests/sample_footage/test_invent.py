"""Invented sessions: legal, repeatable, with errors at the wanted rate; totals and payments by hand."""

import pytest

from sample_footage.invent import invented_session, total_of
from sample_footage.script import parse_session


@pytest.mark.parametrize(
    ("cards", "total"),
    [("Ah Kd", 21), ("Ah Ad", 12), ("Ah 6d Kc", 17), ("9h 7d 8c", 24), ("Ah 6d", 17), ("5h 6d Tc", 21)],
)
def test_totals(cards: str, total: int) -> None:
    assert total_of(cards.split()) == total


def test_the_same_seed_invents_the_same_session() -> None:
    assert invented_session(rounds=5, seed=3, errors=0.5) == invented_session(rounds=5, seed=3, errors=0.5)
    assert invented_session(rounds=5, seed=3, errors=0.5) != invented_session(rounds=5, seed=4, errors=0.5)


def test_no_errors_are_planted_unless_asked_for() -> None:
    script = parse_session(invented_session(rounds=40, seed=1, errors=0.0))
    assert not any(round_.findings for round_ in script.rounds)


def test_errors_are_planted_when_asked_for() -> None:
    script = parse_session(invented_session(rounds=60, seed=1, errors=1.0))
    planted = [finding["code"] for round_ in script.rounds for finding in round_.findings]
    assert len(planted) > 30
    assert {"pay-amount", "loser-left", "push-paid"} <= set(planted)


def test_a_blackjack_is_paid_three_to_two_in_colours_that_make_it() -> None:
    script = parse_session(invented_session(rounds=200, seed=2, errors=0.0))
    paid = {
        seat.bet: hand.paid[0]
        for round_ in script.rounds
        for seat in round_.seats.values()
        for hand in seat.hands
        if hand.end == "blackjack"
    }
    assert paid[("red",) * 5] == ("red",) * 7 + ("pink",)  # 25.00: 37.50
    assert paid[("green",)] == ("green", "red", "red", "pink")


def test_no_card_comes_more_often_than_six_decks_hold() -> None:
    script = parse_session(invented_session(rounds=12, seed=8, errors=0.0))
    dealt = [card for r in script.rounds for card in r.dealer]
    dealt += [card for r in script.rounds for s in r.seats.values() for h in s.hands for card in h.final_cards]
    assert max(dealt.count(card) for card in set(dealt)) <= 6
