"""Lost insurance and side wagers that lie there while cards are drawn, whoever took them afterwards."""

from __future__ import annotations

import pytest

from tests.audit.asking import accused, found
from tests.notation import Felt, wide_profile


@pytest.fixture
def felt() -> Felt:
    return Felt(wide_profile("blackjack", ("main", "trilux"), rules="shoe-six-deck", finder=False))


def insured(felt: Felt) -> Felt:
    return felt.bets({1: "20"}).deal({1: "Th 4c"}, dealer="As 7s").insure(1, "10")


def finished(felt: Felt) -> Felt:
    return felt.turn().pay(1, "20").collect(1).pick_up()


def test_insurance_left_while_cards_are_drawn_is_late_though_nobody_was_seen_to_take_it(felt: Felt) -> None:
    insured(felt).hit(1, "6d")
    felt.remove("s1.insurance.1")
    assert ("violation", "P313", None) in accused(finished(felt.snap()))


def test_insurance_gone_before_the_first_hit_is_not_left(felt: Felt) -> None:
    insured(felt).remove("s1.insurance.1")
    assert "P313" not in [one[1] for one in accused(finished(felt.snap().hit(1, "6d")))]


def test_lost_trilux_left_while_cards_are_drawn_is_late_though_nobody_was_seen_to_take_it(felt: Felt) -> None:
    felt.bets({1: "20"}).bets({1: "5"}, "trilux").deal({1: "Th 4c"}, dealer="8s Td").hit(1, "6d")
    felt.remove("s1.trilux.1")
    assert [one[:2] for one in accused(finished(felt.snap()))] == [("violation", "P380")]


def test_lost_trilux_that_nobody_was_seen_to_take_in_time_is_open(felt: Felt) -> None:
    felt.bets({1: "20"}).bets({1: "5"}, "trilux").deal({1: "Th 4c"}, dealer="8s Td").remove("s1.trilux.1")
    assert {one[0] for one in found(finished(felt.snap().hit(1, "6d")))} == {"undetermined"}
