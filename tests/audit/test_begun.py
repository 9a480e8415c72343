"""Rounds that already ran when they were first seen: what was settled in view is told, as a suspicion."""

from __future__ import annotations

import pytest

from tests.audit.asking import accused
from tests.audit.hands_of_cards import dealt, finished, turned
from tests.notation import Felt, wide_profile


@pytest.fixture
def stud() -> Felt:
    return Felt(wide_profile("stud_21", ("match1", "match2", "mirror", "base")))


def _seen_from_here(felt: Felt, *, lost: bool) -> Felt:
    """The recording begins, or the view comes back, only now."""
    if lost:
        felt.states = felt.states[:1]
        return felt.lost().snap()
    felt.states = felt.states[-1:]
    return felt


@pytest.mark.parametrize("lost", [False, True])
@pytest.mark.parametrize(("paid", "told"), [("40", [("suspect", "P280", "-10.00")]), ("50", [])])
def test_wager_that_stood_alone_before_the_hole_card_was_shown_is_judged(
    paid: str, told: list[tuple[str, str, str]], lost: bool
) -> None:
    felt = Felt().bets({1: "50"}).deal({1: "Th 9c"}, "8s Td")
    felt = _seen_from_here(felt, lost=lost).turn().pay(1, paid).collect(1).pick_up()
    assert accused(felt) == told


def test_wager_beside_which_cheques_lay_at_first_may_have_been_paid() -> None:
    felt = Felt().bets({1: "50"}).deal({1: "Th 9c"}, "8s Td").pay(1, "10")
    felt = _seen_from_here(felt, lost=False).turn().pay(1, "30", "pay.0").collect(1).pick_up()
    assert accused(felt) == []


def test_blackjack_may_have_been_paid_before_anything_was_seen() -> None:
    felt = Felt().bets({1: "50"}).deal({1: "Th Ac"}, "8s Td")
    felt = _seen_from_here(felt, lost=False).turn().pay(1, "50").collect(1).pick_up()
    assert accused(felt) == []


def test_hand_that_was_first_seen_after_the_hole_card_is_not_judged() -> None:
    felt = Felt().bets({1: "50"}).deal({1: "Th 9c"}, "8s Td").turn()
    felt = _seen_from_here(felt, lost=False).pay(1, "40").collect(1).pick_up()
    assert accused(felt) == []


def test_tie_of_stud_taken_is_told_though_the_deal_was_not_seen(stud: Felt) -> None:
    felt = _seen_from_here(dealt(stud, "Th As", base="20"), lost=True)
    turned(felt, "Kd", "Ad").take_spot(2, "base")
    assert accused(finished(felt)) == [("suspect", "P082", "-20.00")]
