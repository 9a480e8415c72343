"""A hand that broke or was a blackjack takes no more cards in the readings that say so, however sure they are."""

from __future__ import annotations

import pytest

from audit.states import TableState
from tests.audit.asking import accused, audited, found
from tests.notation import Felt, doubtful

UNSURE = 0.97


def unsure(felt: Felt, *codes: str) -> list[TableState]:
    """Each of these cards is read with a little left for something else."""
    states = list(felt.states)
    for code in codes:
        states = doubtful(states, code, {code: UNSURE})
    return states


def blackjack(felt: Felt, paid: str) -> list[TableState]:
    """Seat 1 is paid and its cards are away before the dealer turns his."""
    felt.bets({1: "20", 2: "20"}).deal({1: "Ah Kc", 2: "Th 9c"}, dealer="9d 9s").pay(1, paid).pick_up_seat(1)
    felt.turn().pay(2, "20").collect(2).pick_up().collect(1)
    return unsure(felt, "Ah", "Kc")


def broken(felt: Felt) -> Felt:
    return felt.bets({1: "20", 2: "20"}).deal({1: "Th 6c", 2: "Tc 9c"}, dealer="9d 9s").hit(1, "Kd")


def test_unsurely_read_blackjack_paid_rightly_says_nothing(felt: Felt) -> None:
    assert found(blackjack(felt, "30")) == []


@pytest.mark.parametrize("paid", ["20", "40"])
def test_unsurely_read_blackjack_paid_wrongly_is_suspected(felt: Felt, paid: str) -> None:
    assert [one[:2] for one in found(blackjack(felt, paid))] == [("suspect", "P280")]


def test_unsurely_read_broken_hand_whose_bet_was_taken_says_nothing(felt: Felt) -> None:
    broken(felt).take(1).pick_up_seat(1).turn().pay(2, "20").collect(2).pick_up()
    assert found(unsure(felt, "Th", "6c", "Kd")) == []


def test_unsurely_read_broken_hand_that_was_paid_is_suspected(felt: Felt) -> None:
    broken(felt).pay(1, "20").collect(1).pick_up_seat(1).turn().pay(2, "20").collect(2).pick_up()
    assert [one[:2] for one in accused(unsure(felt, "Th", "6c", "Kd"))] == [("suspect", "P247")]


def test_hand_that_may_have_drawn_unseen_stays_open(felt: Felt) -> None:
    """Sixteen is neither broken nor a blackjack: what it drew before its cards were away was not seen."""
    felt.bets({1: "20", 2: "20"}).deal({1: "Th 6c", 2: "Tc 9c"}, dealer="9d 9s").take(1).pick_up_seat(1)
    felt.turn().pay(2, "20").collect(2).pick_up()
    assert all(one.findings[0].verdict.value == "undetermined" for one in audited(felt).rounds)
