"""Wagers in proportion to another: what a surely read one says of one that was not."""

from __future__ import annotations

import pytest

from audit.pipeline import AuditedRound, audit_states
from audit.readings import RECOGNISED, Thresholds
from tests.audit.hands_of_cards import closed, opened, shown
from tests.notation import Felt, doubtful_stack, wide_profile

BOTH, GREENS = ("black", "green"), ("green", "green")
LIKE_FIFTY = {GREENS: 0.9, BOTH: 0.1}


@pytest.fixture
def lucky() -> Felt:
    return Felt(wide_profile("lucky_draw_baccarat", ("block_bonus", "draw", "enter")))


def played(felt: Felt, *, draw: str, enter: tuple[str, ...] = BOTH) -> Felt:
    """Seat 2 draws a four to 5: 9 against the dealer's 5."""
    opened(felt, "5h Tc", "5d", enter=" ".join(enter)).bets({2: draw}, "draw")
    return shown(felt.card(2, "4c"), "Kc")


def lost(felt: Felt, *, draw: str, enter: tuple[str, ...] = BOTH) -> Felt:
    opened(felt, "2h Tc", "5d", enter=" ".join(enter)).bets({2: draw}, "draw")
    shown(felt.card(2, "Ac"), "Kc").take_spot(2, "draw").take_spot(2, "enter")
    return closed(felt)


def judged(
    felt: Felt, readings: dict[tuple[str, ...], float] | None = None, thresholds: Thresholds = RECOGNISED
) -> AuditedRound:
    states = doubtful_stack(felt.states, BOTH, readings) if readings else felt.states
    (one,) = audit_states(states, felt.profile, thresholds=thresholds).rounds
    return one


def enter_of(one: AuditedRound) -> float:
    (amount,) = (wager.amount for wager in one.observed.round.wagers if wager.key.bet == "enter")
    assert amount is not None
    return float(amount)


def test_unsure_bet_is_as_much_as_the_draw_bet_beside_it_and_so_is_what_was_taken(lucky: Felt) -> None:
    one = judged(lost(lucky, draw="green green green green green"), LIKE_FIFTY)
    assert enter_of(one) == 125
    assert {float(take.amount) for take in one.observed.takes if take.amount is not None} == {125}
    assert {finding.verdict.value for finding in one.findings} <= {"suspect"}


def test_bet_surely_read_is_not_what_another_one_would_have_it(lucky: Felt) -> None:
    one = judged(lost(lucky, draw="green green green green green", enter=GREENS))
    assert enter_of(one) == 50
    assert [(one.verdict.value, one.procedures[0]) for one in one.findings] == [("violation", "P099")]


def test_table_states_are_taken_as_they_are(lucky: Felt) -> None:
    one = judged(lost(lucky, draw="green green green green green"), LIKE_FIFTY, Thresholds())
    assert enter_of(one) == 50


def test_what_a_bet_was_paid_says_what_it_was_and_that_the_draw_bet_goes_with_it(lucky: Felt) -> None:
    played(lucky, draw="green green green green green").pay_spot(2, "draw", "black green green").collect_spot(2, "draw")
    closed(lucky.pay_spot(2, "enter", "green green green green green"))
    one = judged(lucky, LIKE_FIFTY)
    assert enter_of(one) == 125
    assert not [finding for finding in one.findings if finding.procedures[0] == "P099"]
