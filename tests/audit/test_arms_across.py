"""An arm from above comes across the rack and the dealer's cards, wherever it goes: that tells nothing of its own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.states import HandSeen
from tests.audit.asking import accused
from tests.audit.pairs import other_games, rounds
from tests.audit.pairs.deal import two_insured
from tests.audit.pairs.manner import waved
from tests.notation import Felt, doubtful


def across(felt: Felt) -> Felt:
    """Every hand of the dealer's that is over a seat's place, or the insurance line, is listed over all it crosses."""

    def longer(hand: HandSeen) -> HandSeen:
        reaches = any(zone.startswith(("seat", "insurance")) for zone in hand.zones)
        crossed = [zone for zone in ("rack", "dealer.cards") if zone not in hand.zones]
        return replace(hand, zones=(*crossed, *hand.zones)) if hand.side == "dealer" and reaches else hand

    felt.states = [replace(state, hands=tuple(map(longer, state.hands))) for state in felt.states]
    return felt


@pytest.mark.parametrize(("acts", "told"), [("wave 1 wave look", []), ("wave 1 look wave", ["P309"])])
def test_waves_of_an_arm_are_over_the_line_alone(acts: str, told: list[str]) -> None:
    assert [one[1] for one in accused(across(waved(acts)))] == told


def stacked(felt: Felt) -> Felt:
    """Seat 1's Trilux wins nine to one: paid beside it, stacked up with it, handed over."""
    felt.pay_spot(1, "trilux", "45").hand("dealer", "seat1.trilux")
    for name in felt.names("s1.trilux"):
        felt.remove(name)
    felt.put_chips("s1.trilux.1", " ".join(["red"] * 10), felt.at("seat1.trilux"))
    felt.snap().hand("dealer", "seat1.trilux").remove("s1.trilux.1")
    return felt.snap()


def test_side_wager_stacked_up_with_its_payment_is_handed_over() -> None:
    felt = rounds.table("trilux", "main").bets({1: "10"}).bets({1: "5"}, "trilux")
    stacked(felt.deal({1: "Th 7h"}, dealer="9h 8s")).turn().pay_spot(1, "main", "10").collect_spot(1, "main").pick_up()
    assert [one for one in accused(across(felt)) if one[1] == "P385"] == []


def test_cards_lifted_by_a_hand_that_was_not_over_the_wager_went_before_it() -> None:
    """P029: the wager still stood there when the cards had gone; the hand came to the discards only then."""
    felt = other_games.two_seats(cards_first=True)
    felt.states = [
        replace(state, hands=tuple(replace(h, zones=tuple(z for z in h.zones if z != "discard")) for h in state.hands))
        for state in felt.states
    ]
    told = accused(across(felt))
    assert [one[:2] for one in told if one[1] == "P029"] == [("violation", "P029")]


def test_insurance_out_of_turn_against_a_blackjack_that_is_not_quite_sure_is_suspected() -> None:
    felt = two_insured(("3", "1", "insurance"))
    felt.states = doubtful(felt.states, "Ks", {"Ks": 0.96, "8s": 0.03})
    assert [one[0] for one in accused(felt) if one[1] == "P312"] == ["suspect"]
