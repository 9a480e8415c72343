"""A die that was not read with certainty, and what the other wagers' settlement says of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from audit.pipeline import audit_states
from audit.readings import RECOGNISED, Thresholds
from audit.states import TableState
from tests.audit.pairs.dice import dicey
from tests.notation import Felt

_UNSURE = {"3": 0.7, "1": 0.2, "2": 0.08}


def settled(felt: Felt, *, wrongly: int = 0) -> Felt:
    """Three seats bet on the three; the dice show one, four and six, and so many bets are paid instead of taken."""
    felt.bets(dict.fromkeys((1, 2, 3), "10"), "chuck3")
    for seat in (1, 2, 3):
        felt.card(seat, "9" + "cdh"[seat - 1], sideways=True)
    felt.roll(1, 4, 6)
    for seat in (3, 2, 1):
        if seat <= wrongly:
            felt.pay_spot(seat, "chuck3", "10").collect_spot(seat, "chuck3")
        else:
            felt.take_spot(seat, "chuck3")
        felt.pick_up_seat(seat)
    return felt.cover_dice()


def unsure(states: list[TableState], candidates: Mapping[str, float] = _UNSURE) -> list[TableState]:
    """The first die is read badly wherever it lies."""
    return [
        replace(
            state,
            objects=tuple(
                replace(item, value=None, candidates=candidates) if item.kind == "die" and item.value == 1 else item
                for item in state.objects
            ),
        )
        for state in states
    ]


def said(states: list[TableState], felt: Felt, thresholds: Thresholds) -> list[str]:
    """What is said of the wagers, and of dice that were not read."""
    (one,) = audit_states(states, felt.profile, thresholds=thresholds).rounds
    return [
        finding.verdict.value if finding.bet is not None else finding.observed
        for finding in one.findings
        if finding.bet is not None or finding.observed.startswith("die")
    ]


def test_die_is_read_as_all_wagers_were_settled_and_said_to_be_unread() -> None:
    felt = settled(dicey())
    assert said(unsure(felt.states), felt, RECOGNISED) == ["die 1 not read"]


def test_one_wager_settled_otherwise_than_the_others_is_still_reported() -> None:
    felt = settled(dicey(), wrongly=1)
    assert said(unsure(felt.states), felt, RECOGNISED) == ["die 1 not read", "suspect"]


def test_readings_taken_as_they_are_are_weighed_by_nothing() -> None:
    felt = settled(dicey())
    assert said(unsure(felt.states), felt, Thresholds()).count("suspect") == len((1, 2, 3))


def test_certain_die_is_not_overruled_by_any_number_of_wagers() -> None:
    felt = settled(dicey(), wrongly=3)
    assert said(felt.states, felt, RECOGNISED) == ["violation"] * 3


def test_wager_never_speaks_for_itself() -> None:
    felt = dicey().bets({1: "10", 2: "10"}, "chuck3").card(1, "9c", sideways=True).card(2, "9h", sideways=True)
    felt.roll(1, 4, 6)
    for seat in (2, 1):
        felt.take_spot(seat, "chuck3").pick_up_seat(seat)
    states = unsure(felt.cover_dice().states, {"3": 0.85, "1": 0.1})
    assert said(states, felt, RECOGNISED) == ["die 1 not read", "suspect", "suspect"]
