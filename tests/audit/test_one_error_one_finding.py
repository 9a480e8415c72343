"""One act that several procedures forbid is one finding, with its other procedures or consequences beneath."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.findings import Finding
from audit.pipeline import audit_states
from audit.states import TableState
from tests.audit.pairs.deal import peek, push, start, table
from tests.audit.pairs.dice import dicey
from tests.audit.pairs.rounds import bet, side
from tests.notation import Felt, doubtful_stack


def findings(felt: Felt) -> list[Finding]:
    """Everything found in rounds; nobody in these scenes looks into the ace finder, which is told of the table."""
    return [one for round_ in audit_states(felt.states, felt.profile).rounds for one in round_.findings]


def test_wager_above_game_and_table_maximum_is_one_finding() -> None:
    (one,) = findings(bet("11000", game="double_deck", most="10000.00"))
    assert one.procedures == ("P399", "P225", "P231")
    assert one.expected == "at most 10000.00"


def test_wager_above_the_game_maximum_alone_names_that_alone() -> None:
    (one,) = findings(bet("11000", game="double_deck", most="20000.00"))
    assert one.procedures == ("P399",)


def test_wager_above_a_lower_posted_maximum_names_that_alone() -> None:
    (one,) = findings(bet("6000", game="double_deck", most="5000.00"))
    assert one.procedures == ("P225", "P231")


def test_side_wager_settled_after_insurance_and_after_the_peek_is_one_finding() -> None:
    felt = table("trilux", "main").bets({1: "5"}, "trilux")
    start(felt, {1: "Th 9c"}, "Ad 9s").insure(1, "5")
    peek(felt, sideways=True).take_spot(1, "trilux").take_spot(1, "insurance")
    named = [one.procedures for one in findings(push(felt)) if one.bet is not None and one.bet.bet == "trilux"]
    assert named == [("P380", "P299", "P310")]


def test_loser_paid_before_another_is_taken_is_no_winner_paid_first() -> None:
    """Seen in an invented session of Dicey 21: a number not shown was paid, then another one taken."""
    felt = dicey()
    felt.bets({2: "25"}, "chuck1").bets({2: "15"}, "chuck6").card(2, "Js", sideways=True).roll(5, 5, 2)
    felt.pay_spot(2, "chuck1", "25").take_spot(2, "chuck6").collect_spot(2, "chuck1").pick_up_seat(2).cover_dice()
    told = [(one.procedures[0], one.because_of) for one in findings(felt)]
    assert told == [("P055", None), ("P053", 0)]


def test_lost_trilux_paid_before_another_is_taken_is_no_winner_paid_first() -> None:
    felt = side("pay:1.trilux take:3.trilux", hands={1: "Th 7c", 3: "Ts 7d"})
    told = [(one.procedures[0], one.because_of) for one in findings(felt) if one.bet and one.bet.bet == "trilux"]
    assert told == [("P385", None), ("P382", 0)]


def test_wager_left_open_by_dice_of_three_colours_follows_from_them() -> None:
    felt = dicey()
    felt.bets({2: "20"}, "ante").card(2, "Ts").roll(4, 5, 2, colours=("white", "red", "green"))
    colours, ante = findings(felt.pay_spot(2, "ante", "20").collect_spot(2, "ante").pick_up_seat(2).cover_dice())
    assert (colours.code, ante.verdict.value, ante.because_of) == ("dice-colours", "undetermined", 0)
    assert ante.observed == "seat 2 ante: which dice count was not read"


def told(felt: Felt, states: list[TableState]) -> list[Finding]:
    return [one for round_ in audit_states(states, felt.profile).rounds for one in round_.findings]


def test_one_unsure_pile_is_one_suspicion_with_what_else_hangs_on_it_beneath(felt: Felt) -> None:
    """A bet of 25.00, doubled and paid; perhaps it was 20.00: the double too high then, and the bet overpaid."""
    reds = ("red",) * 5
    felt.bets({1: " ".join(reds)}).deal({1: "5h 6c"}, dealer="Td 9s").double(1, "green", "Tc").turn()
    felt.pay(1, "green").pay(1, "green", beside="double.1").collect(1).pick_up()
    findings = told(felt, doubtful_stack(felt.states, reds, {reds: 0.7, reds[:4]: 0.3}))
    share = 0.3 * 0.3 / (0.7 + 0.3 * 0.3)  # a double that is not its bet's equal is so much less likely
    assert [(one.code, one.probability, one.because_of) for one in findings if one.probability < 1] == [
        ("double-over-wager", pytest.approx(share, abs=1e-4), 2),
        ("pay-amount", pytest.approx(share, abs=1e-4), None),
    ]


def test_unread_wager_is_told_once_with_all_that_it_blocks(felt: Felt) -> None:
    felt.bets({1: "25"}).deal({1: "Th 9c"}, dealer="Td 8s").turn().pay(1, "red red red red red").collect(1).pick_up()
    (one,) = told(felt, [_without_green(state) for state in felt.states])
    assert one.verdict.value == "undetermined"
    assert {"P280", "P224", "P225", "P222"} <= set(one.procedures)


def test_wager_unread_and_unseen_when_it_went_is_told_once(felt: Felt) -> None:
    felt.bets({1: "25"}).deal({1: "Th 7c"}, dealer="Td 8s").turn()
    felt.remove("s1.main.1")
    felt.snap().pick_up()
    (one,) = told(felt, [_without_green(state) for state in felt.states])
    place = "seat 1 hand 1 main"
    assert one.observed == f"{place}: no hand was seen over it when it went, {place}: wager not read"


def _without_green(state: TableState) -> TableState:
    return replace(
        state, objects=tuple(replace(one, stack=None) if one.stack == ("green",) else one for one in state.objects)
    )


@pytest.mark.parametrize(
    ("first", "then", "told"),
    [
        ((2,), (3, 1), {"P192": None, "P287": 0, "P284": 0}),
        ((2,), (1, 3), {"P192": None, "P287": 0, "P284": None}),
        ((), (3, 1, 2), {"P284": None}),
    ],
)
def test_hand_lifted_before_its_money_is_out_of_turn_by_that_alone(
    first: tuple[int, ...], then: tuple[int, ...], told: dict[str, int | None]
) -> None:
    """``first``: whose cards go before his bet; ``then``: in which order the others' go, when all is settled."""
    felt = start(table(), {1: "Th 7c", 2: "Ts 7d", 3: "Tc 7h"}, "Td 8s").turn().pat(1).pat(2).pat(3)
    for seat in (3, 2, 1):
        (felt.pick_up_seat(seat) if seat in first else felt).take(seat)
    for seat in then:
        felt.pick_up_seat(seat)
    assert {one.procedures[0]: one.because_of for one in findings(felt.pick_up())} == told
