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


def test_seat_without_a_card_is_not_skipped_where_the_first_card_of_the_deal_is_taken_back() -> None:
    """P233: a forgotten burn is made good with the first card, and the deal begins anew."""
    felt = blackjack(seats=2).bets({1: "10", 2: "20"}).card(1, "Th").hand("dealer", "seat1.cards", "discard")
    felt.remove("s1.h1.0")
    dealt(felt.snap(), "8c 9d", "Th 8d").turn().take_spot(2, "main").take_spot(1, "main").pick_up()
    assert "P233" not in {one.procedures[0] for each in audited(felt).rounds for one in each.findings}
