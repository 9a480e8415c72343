"""One act that several procedures forbid is one finding, with its other procedures or consequences beneath."""

from __future__ import annotations

from audit.findings import Finding
from audit.pipeline import audit_states
from tests.audit.pairs.deal import peek, push, start, table
from tests.audit.pairs.dice import dicey
from tests.audit.pairs.rounds import bet
from tests.notation import Felt


def findings(felt: Felt) -> list[Finding]:
    result = audit_states(felt.states, felt.profile)
    return [one for round_ in result.rounds for one in round_.findings] + list(result.findings)


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


def test_wager_left_open_by_dice_of_three_colours_follows_from_them() -> None:
    felt = dicey()
    felt.bets({2: "20"}, "ante").card(2, "Ts").roll(4, 5, 2, colours=("white", "red", "green"))
    colours, ante = findings(felt.pay_spot(2, "ante", "20").collect_spot(2, "ante").pick_up_seat(2).cover_dice())
    assert (colours.code, ante.verdict.value, ante.because_of) == ("dice-colours", "undetermined", 0)
    assert ante.observed == "seat 2 ante: which dice count was not read"
