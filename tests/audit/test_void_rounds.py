"""A round that is stopped before anything is settled does not count."""

from __future__ import annotations

from audit.pipeline import AuditedRound
from tests.audit.asking import audited
from tests.audit.pairs.whole_shoes import blackjack
from tests.notation import Felt


def dealt(felt: Felt, first: str, second: str) -> Felt:
    """Deal to two seats and the dealer."""
    return felt.deal({1: first, 2: second}, dealer="Kd 6s")


def picked_up(felt: Felt) -> Felt:
    """Pick up all cards, the rightmost first, and begin anew with the same wagers."""
    for seat in (2, 1):
        felt.pick_up_seat(seat)
    felt.pick_up()
    felt.deal({1: "Th 8c", 2: "9s 8d"}, dealer="Kh 7s").turn()
    return felt


def first_of(felt: Felt) -> AuditedRound:
    return audited(felt).rounds[0]


def test_round_whose_cards_are_picked_up_with_every_wager_open_is_void() -> None:
    one = first_of(picked_up(dealt(blackjack(seats=2).bets({1: "10", 2: "20"}), "Th 5c", "9s 9d")))
    assert one.observed.status.value == "void"
    assert {finding.verdict.value for finding in one.findings} <= {"undetermined"}


def test_round_in_which_a_wager_was_taken_counts() -> None:
    felt = dealt(blackjack(seats=2).bets({1: "10", 2: "20"}), "Th 5c", "9s 9d").hit(1, "Qc").take_spot(1, "main")
    assert first_of(picked_up(felt)).observed.status.value == "complete"


def test_round_in_which_the_dealer_showed_his_cards_counts() -> None:
    felt = dealt(blackjack(seats=2).bets({1: "10", 2: "20"}), "Th 6c", "9s 7d").turn()
    assert first_of(picked_up(felt)).observed.status.value == "complete"
