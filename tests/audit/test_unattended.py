"""Recordings in which hands were missed: what an unseen hand may excuse is suspected, and says so."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.audit.asking import accused, audited
from tests.notation import Felt, wide_profile


def round_with(paid: str, *, missed: int) -> Felt:
    """Seat 1 wins 25 and is paid; of the hands over the felt the first so many are missing."""
    felt = Felt(wide_profile("blackjack", ("main",), seats=3)).bets({1: "25", 2: "25", 3: "25"})
    felt.deal({1: "Th 9c", 2: "Ts 7d", 3: "Tc 7h"}, dealer="Td 8s").turn().take(3).take(2).pay(1, paid).collect(1)
    felt.pick_up()
    left = missed
    for index, state in enumerate(felt.states):
        if state.hands and left:
            felt.states[index] = replace(state, hands=())
            left -= 1
    return felt


@pytest.mark.parametrize(("missed", "verdict"), [(0, "violation"), (1, "violation"), (4, "suspect")])
def test_what_an_unseen_hand_may_excuse_is_suspected_where_hands_were_missed(missed: int, verdict: str) -> None:
    assert accused(round_with("20", missed=missed)) == [(verdict, "P280", "-5.00")]


def test_the_finding_says_how_many_changes_show_no_hand() -> None:
    (told,) = [one for one in audited(round_with("20", missed=4)).rounds[0].findings if one.verdict.value == "suspect"]
    assert told.observed.startswith("20.00 in ")
    assert told.observed.endswith("changes no hand was seen: hands were missed)")


def test_too_much_paid_in_sight_is_a_violation_whatever_hands_were_missed() -> None:
    assert accused(round_with("30", missed=4)) == [("violation", "P280", "5.00")]


@pytest.mark.parametrize(("again", "told"), [(True, []), (False, [("suspect", "P194", None)])])
def test_signal_for_the_card_before_asks_for_no_second_one(
    *, again: bool, told: list[tuple[str, str, str | None]]
) -> None:
    felt = Felt(wide_profile("blackjack", ("main",))).bets({1: "25"}).deal({1: "5h 4c"}, dealer="Td 8s").hit(1, "2c")
    felt.hit(1, "8d") if again else felt.card(1, "8d")
    assert accused(felt.turn().pay(1, "25").collect(1).pick_up()) == told


@pytest.mark.parametrize(("missed", "likely"), [(0, 1.0), (4, 0.3)])
def test_signal_that_nobody_saw_is_hardly_missing_where_hands_were_missed(missed: int, likely: float) -> None:
    """P194: two players signal their hits, one was not seen to."""
    felt = Felt(wide_profile("blackjack", ("main",), seats=3)).bets({1: "25", 2: "25", 3: "25"})
    felt.deal({1: "5h 4c", 2: "Ts 2d", 3: "5c 6h"}, dealer="Td 8s").hit(1, "Tc")
    unseen = len(felt.states)
    felt.card(2, "7h").hit(3, "9d").turn().pay(3, "25").pay(2, "25").pay(1, "25")
    felt.collect(1).collect(2).collect(3).pick_up()
    left = missed
    for index, state in enumerate(felt.states):
        if state.hands and left and index not in (unseen, unseen - 1):
            felt.states[index] = replace(state, hands=())
            left -= 1
    told = [one for one in audited(felt).rounds[0].findings if one.code == "no-signal"]
    assert [(one.verdict.value, one.probability) for one in told] == [("suspect", likely)]
