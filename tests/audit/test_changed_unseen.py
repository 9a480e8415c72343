"""A wager that changed while nobody saw whether before the first card or after it: either amount may be the one due."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.findings import Finding
from tests.audit.asking import accused, only_round
from tests.notation import Felt


def grown_under_cover(felt: Felt, *, before: str = "15", after: str = "30") -> Felt:
    """The spot is covered from before the first card until the deal is over, and the wager is another one then."""
    felt.bets({1: before})
    dealt = len(felt.states)
    felt.deal({1: "Th 9c"}, dealer="Td 8s")
    for place in range(dealt, len(felt.states)):
        state = felt.states[place]
        seen = tuple(item for item in state.objects if item.kind != "chips")
        felt.states[place] = replace(state, objects=seen, covered=frozenset({"seat1.main"}))
    felt.put_chips("s1.main.1", after, felt.at("seat1.main"))
    return felt.snap()


def open_question(felt: Felt) -> Finding:
    (one,) = [finding for finding in only_round(felt).findings if finding.verdict.value == "undetermined"]
    return one


@pytest.mark.parametrize("paid", ["30", "15"])
def test_payment_on_either_amount_is_undetermined(felt: Felt, paid: str) -> None:
    grown_under_cover(felt).turn().pay(1, paid).collect(1).pick_up()
    assert accused(felt) == []
    assert {"P280", "P205"} <= set(open_question(felt).procedures)
    assert open_question(felt).observed == "seat 1 main: whether it changed after the first card"


def test_amount_is_not_told_as_the_wager_of_the_round(felt: Felt) -> None:
    grown_under_cover(felt).turn().pay(1, "30").collect(1).pick_up()
    assert [wager.amount for wager in only_round(felt).observed.round.wagers] == [None]


def test_payment_on_neither_amount_breaks_p280_by_a_sum_not_known(felt: Felt) -> None:
    grown_under_cover(felt).turn().pay(1, "100").collect(1).pick_up()
    assert accused(felt) == [("violation", "P280", None)]


def test_winner_paid_nothing_is_unpaid_whichever_it_was(felt: Felt) -> None:
    """At most suspected, as money came there by a hand that was not seen."""
    grown_under_cover(felt).turn().pat(1).collect(1).pick_up()
    assert accused(felt) == [("suspect", "P281", None)]


def test_double_of_the_higher_amount_is_undetermined(felt: Felt) -> None:
    grown_under_cover(felt, before="25", after="50").double(1, "50", "2d").turn().pay(1, "50").pay(1, "50", "double.1")
    felt.collect(1).pick_up()
    assert accused(felt) == []
    assert "P315" in open_question(felt).procedures


def test_wager_under_the_minimum_before_and_within_it_after_is_undetermined(felt: Felt) -> None:
    grown_under_cover(felt, before="5", after="15").turn().pay(1, "15").collect(1).pick_up()
    assert accused(felt) == []
    assert "P224" in open_question(felt).procedures
