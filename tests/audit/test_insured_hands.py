"""A player who insured his hand has to ask for a card as everyone has (004:L711)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.states import HandSeen
from audit.timing import Span
from tests.audit.asking import accused
from tests.audit.pairs.deal import peek
from tests.audit.pairs.turns import at_the_mouth
from tests.notation import Felt, wide_profile


@pytest.mark.parametrize(("asked", "told"), [(True, []), (False, ["P194"])])
def test_hand_that_laid_insurance_is_no_signal_for_a_card(*, asked: bool, told: list[str]) -> None:
    felt = Felt(wide_profile("blackjack", ("main", "insurance"), rules="shoe-six-deck", finder=False))
    felt.bets({1: "20", 2: "20"}).deal({1: "Th 9c", 2: "8c 4d"}, dealer="Ah 7d").hand("dealer", "dealer.cards")
    for name in ("d.up", "d.hole"):
        felt.things[name] = replace(felt.things[name], angle_deg=90.0)
    felt.snap().hand("player", "seat2.insurance", seat=2)
    felt.put_chips("s2.insurance.1", "10", felt.at("seat2.insurance"))
    felt.snap().hand("dealer", "dealer.cards")
    for name in ("d.up", "d.hole"):
        felt.things[name] = replace(felt.things[name], angle_deg=0.0)
    felt.snap().take_spot(2, "insurance").hand("player", "seat1.cards", seat=1).snap()
    felt = felt.hit(2, "7c") if asked else felt.card(2, "7c")
    felt.hand("player", "seat2.cards", seat=2).snap().turn().pay(2, "20").pay(1, "20").collect(1).collect(2).pick_up()
    assert [one[1] for one in accused(felt) if one[1] == "P194"] == told


@pytest.mark.parametrize("places", [(-43.0, 0.0, 43.0), (-63.0, -24.0, 24.0)])
def test_bet_broken_down_in_the_gap_of_its_players_signal_is_paid_even_money(
    felt: Felt, places: tuple[float, float, float]
) -> None:
    """004:L740, L800: the parts are seen beside each other first with the player's hand, which accepts, and his own."""
    cheques = ("green green", "red", "white white")
    felt.bets({2: "green green red white white"}).deal({2: "Ah Kc"}, dealer="Ad 8s")
    felt.hand("player", "seat2.main", seat=2).hand("dealer", "seat2.main").remove("s2.main.1")
    for number, (pile, away) in enumerate(zip(cheques, places, strict=True)):
        felt.put_chips(f"s2.main.{number}", pile, felt.at("seat2.main", 0.0, away))
    for pile, away in zip(cheques, places, strict=True):
        felt.snap().hand("dealer", "rack", "seat2.main")
        felt.put_chips(f"s2.main.pay.{pile}", pile, felt.at("seat2.main", 42.0, away))
    felt.snap().hand("player", "seat2.main", seat=2)
    for name in felt.names("s2.main."):
        felt.remove(name)
    assert not {"P280", "P221", "P267"} & {one[1] for one in accused(felt.snap().turn().pick_up())}


@pytest.mark.parametrize(("zone", "told"), [("seat2.insurance", ["P243"]), ("seat2.cards", [])])
def test_hand_over_insurance_asks_for_no_card_that_lies_at_the_mouth(zone: str, told: list[str]) -> None:
    """004:L711, L807: it laid insurance, or asked, before the card was half out."""
    felt = at_the_mouth(early=True)
    out = next(n for n, state in enumerate(felt.states) if any(at_mouth(felt, item.xy_mm) for item in state.objects))
    hand = HandSeen(side="player", seat=2, zones=(zone,), span=Span.of(*[felt.states[out - 1].span.last + 1] * 2))
    felt.states[out] = replace(felt.states[out], hands=(*felt.states[out].hands, hand))
    assert [one[1] for one in accused(felt) if one[1] == "P243"] == told


def at_mouth(felt: Felt, point: tuple[float, float]) -> bool:
    """Whether something lies at the shoe."""
    return any(zone.name == "shoe" for zone in felt.profile.zones_at(point))


@pytest.mark.parametrize(("paid", "told"), [("30", []), ("20", [("violation", "P280", "-10.00")])])
def test_an_insured_blackjack_is_still_due_three_to_two(paid: str, told: list[tuple[str, str, str]]) -> None:
    """Its insurance was lost after the look, and what it was paid evenly then was no even money."""
    felt = Felt(wide_profile("blackjack", ("main",))).bets({2: "20", 3: "20"})
    felt.deal({2: "As Jd", 3: "Ts 9d"}, dealer="Ah 7d").insure(2, "10")
    felt = peek(felt, sideways=True).take_spot(2, "insurance").pay(2, paid).collect(2)
    felt.turn().pay(3, "20").collect(3).pick_up()
    assert [one for one in accused(felt) if one[1] in ("P280", "P282", "P305")] == told
