"""Two rounds that were taken for one accuse nobody; nor do hands alone that may have passed before the camera."""

from __future__ import annotations

from dataclasses import replace

from audit.findings import Verdict
from audit.pipeline import audit_states
from audit.readings import RECOGNISED
from audit.rounds import RoundStatus
from tests.audit.asking import only_round
from tests.notation import Felt


def bust(felt: Felt, *more: str) -> Felt:
    """A hand of 24, and what came to it after that."""
    felt.bets({1: "25"}).deal({1: "Th 9c"}, dealer="Td 8s").hit(1, "5c")
    for card in more:
        felt.hit(1, card)
    return felt.turn().take(1).pick_up()


def test_two_cards_after_21_was_passed_are_no_round_and_accuse_nobody(felt: Felt) -> None:
    seen = only_round(bust(felt, "6d", "7h"))
    assert seen.observed.status is RoundStatus.PARTIAL
    assert {finding.verdict for finding in seen.findings} == {Verdict.UNDETERMINED}
    assert any("2 cards came to seat 1's hand 1 after 21 was passed" in one.observed for one in seen.findings)


def test_one_card_too_many_is_an_error_of_the_dealer_s(felt: Felt) -> None:
    seen = only_round(bust(felt, "6d"))
    assert seen.observed.status is RoundStatus.COMPLETE
    assert "P246" in {finding.procedures[0] for finding in seen.findings}


def built_up(felt: Felt, zone: str, *cards: str) -> Felt:
    """A round, and then cards laid out again: the dealer's hand first, then the player's, each from that zone."""
    felt.bets({1: "25"}).deal({1: "Th 9c"}, dealer="Td 8s").turn().pay(1, "25").collect(1).pick_up()
    places = [felt.at("dealer.cards", -250.0), felt.at("dealer.cards", -180.0)]
    places += [felt.at("seat1.cards", 60.0), felt.at("seat1.cards", 27.0, -9.0)]
    for card, place in zip(cards, places, strict=True):
        felt.hand("dealer", zone, "dealer.cards", "seat1.cards")
        felt.put_card(f"s1.h1.{card}", card, place, 0.0)
        felt.snap()
    return felt.pick_up()


def test_hands_built_up_again_from_the_discard_rack_are_no_round() -> None:
    felt = built_up(Felt(), "discard", "Td", "8s", "Th", "9c")
    first, again = audit_states(felt.states, felt.profile).rounds
    assert (first.observed.status, again.observed.status) == (RoundStatus.COMPLETE, RoundStatus.PARTIAL)
    (told,) = again.findings
    assert (told.verdict, "laid out again" in told.observed) == (Verdict.UNDETERMINED, True)


def test_the_same_faces_from_the_shoe_are_a_round() -> None:
    felt = built_up(Felt(), "shoe", "Td", "8s", "Th", "9c")
    assert "laid out again" not in "".join(
        one.observed for one in audit_states(felt.states, felt.profile).rounds[1].findings
    )


def test_other_faces_than_the_round_s_before_are_a_round() -> None:
    felt = built_up(Felt(), "discard", "Td", "8s", "Th", "2c")
    assert "laid out again" not in "".join(
        one.observed for one in audit_states(felt.states, felt.profile).rounds[1].findings
    )


def test_an_arm_over_the_dealer_s_cards_is_suspect_where_it_may_have_passed_before_the_camera(felt: Felt) -> None:
    felt.bets({1: "25"}).deal({1: "Th 9c"}, dealer="Td 8s").hand("player", "dealer.cards", seat=1).snap()
    felt.turn().pay(1, "25").collect(1).pick_up()
    states = felt.states
    verdicts = [
        {
            one.verdict
            for one in audit_states(states, felt.profile, thresholds=limits).rounds[0].findings
            if "P203" in one.procedures
        }
        for limits in (None, RECOGNISED)
    ]
    assert verdicts == [{Verdict.VIOLATION}, {Verdict.SUSPECT}]


def test_a_payment_that_a_passing_arm_hides_is_no_late_wager_for_certain(felt: Felt) -> None:
    felt.bets({1: "50"}).deal({1: "Ah Kc"}, dealer="Td 8s").pay(1, "75")
    payment = felt.states[-1]
    put = [hand for hand in payment.hands if "seat1.main" in hand.zones]
    late = tuple(replace(hand, side="player", seat=1, zones=("seat1.main",)) for hand in put)
    felt.states[-1] = replace(payment, hands=late)
    felt.turn().collect(1).pick_up()
    verdicts = [
        {one.verdict for one in audit_states(felt.states, felt.profile, thresholds=limits).rounds[0].findings}
        for limits in (None, RECOGNISED)
    ]
    assert Verdict.VIOLATION in verdicts[0]
    assert Verdict.VIOLATION not in verdicts[1]
    assert Verdict.SUSPECT in verdicts[1]
