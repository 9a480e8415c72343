"""Payments that stand between two wagers: where their place leaves it open, they go where the dealer reached."""

from __future__ import annotations

import pytest

from tests.audit.asking import accused, found
from tests.audit.pairs.dice import dicey
from tests.audit.test_payments_that_reach import adjoining
from tests.notation import Felt, wide_profile


def craps_paid(felt: Felt) -> Felt:
    """Seat 2's nine wins the Craps bet at 4 to 1 and, 18 with the dice, its ante evenly; the Craps bet is paid."""
    felt.bets({2: "10"}, "craps").bets({2: "20"}, "ante").card(2, "9s", sideways=True).roll(4, 5)
    return felt.pay_spot(2, "craps", "40")


def shoot() -> Felt:
    return Felt(wide_profile("draw_n_shoot_21", ("craps", "ante", "raise")))


def over(felt: Felt) -> Felt:
    return felt.collect_spot(2, "craps").collect_spot(2, "ante").pick_up_seat(2).cover_dice()


def laid(felt: Felt, amount: str, right: float, *zones: str) -> Felt:
    """The dealer sets cheques so far right of the ante, after his hand came over these zones."""
    felt.hand("dealer", "rack", *zones)
    felt.put_chips("s2.ante.pay", amount, felt.at("seat2.ante", right))
    return felt.snap()


@pytest.mark.parametrize(("amount", "told"), [("20", []), ("15", [("violation", "P033", "-5.00")])])
def test_pile_as_near_to_one_wager_as_to_another_pays_the_one_that_the_dealer_reached_for(
    amount: str, told: list[tuple[str, str, str]]
) -> None:
    """52 mm from the ante, 48 mm from the Craps bet, in no zone."""
    assert accused(over(laid(craps_paid(shoot()), amount, -52.0, "seat2.ante"))) == told


@pytest.mark.parametrize(("amount", "told"), [("20", []), ("25", [("violation", "P033", "5.00")])])
def test_pile_on_the_line_between_two_zones_pays_the_wager_that_the_dealer_reached_for(
    amount: str, told: list[tuple[str, str, str]]
) -> None:
    """3 mm past the line, in the zone of the Craps bet: by less than places jitter."""
    told_so = accused(over(laid(craps_paid(adjoining()), amount, -53.0, "seat2.ante")))
    assert [(procedure, money) for _, procedure, money in told_so] == [(one[1], one[2]) for one in told]


def test_pile_well_within_a_zone_pays_the_wager_of_that_zone_that_he_came_over() -> None:
    told = accused(over(laid(craps_paid(adjoining()), "20", -63.0, "seat2.ante", "seat2.craps")))
    assert {("P030", "20.00"), ("P033", "-20.00")} == {(procedure, money) for _, procedure, money in told}


def test_pile_between_two_wagers_over_both_of_which_the_dealer_came_pays_the_nearest() -> None:
    told = accused(over(laid(craps_paid(shoot()), "20", -53.0, "seat2.ante", "seat2.craps")))
    assert {("P030", "20.00"), ("P033", "-20.00")} == {(procedure, money) for _, procedure, money in told}


@pytest.mark.parametrize("far", [62.0, 70.0])
def test_payment_well_within_another_bets_zone_is_of_the_wager_that_he_came_over(far: float) -> None:
    """Nobody's hand came over the ante, whose zone holds the pile; the ante is paid beside itself afterwards."""
    felt = adjoining().bets({2: "10"}, "craps").bets({2: "20"}, "ante").card(2, "9s", sideways=True).roll(4, 5)
    felt.hand("dealer", "rack", "seat2.craps")
    felt.put_chips("s2.craps.pay", "40", felt.at("seat2.craps", far))
    felt.snap().hand("dealer", "rack", "seat2.ante")
    felt.put_chips("s2.ante.pay", "20", felt.at("seat2.ante", 0.0, -42.0))
    assert accused(over(felt.snap())) == []


@pytest.mark.parametrize(("paid", "told"), [("20", []), ("15", [("violation", "P054", "-5.00")])])
def test_payment_within_the_zone_of_a_loser_taken_later_is_the_winners(
    paid: str, told: list[tuple[str, str, str]]
) -> None:
    felt = dicey().bets({2: "20"}, "chuck1").bets({2: "20"}, "chuck2").card(2, "Js", sideways=True).roll(1, 4, 5)
    felt.hand("dealer", "rack", "seat2.chuck1")
    felt.put_chips("s2.chuck1.pay", paid, felt.at("seat2.chuck1", 66.0))
    felt.snap().take_spot(2, "chuck2").collect_spot(2, "chuck1").pick_up_seat(2).cover_dice()
    assert [one for one in accused(felt) if one[1] != "P053"] == told


def test_one_payment_in_the_zone_of_one_winner_by_a_hand_over_the_other_leaves_both_open() -> None:
    felt = adjoining().bets({2: "20"}, "ante").card(2, "Ts").bets({2: "20"}, "raise").roll(4, 5)
    felt.hand("dealer", "rack", "seat2.ante")
    felt.put_chips("s2.ante.pay", "20", felt.at("seat2.ante", 70.0))
    felt.snap().collect_spot(2, "ante").collect_spot(2, "raise").pick_up_seat(2).cover_dice()
    assert [verdict for verdict, _, _ in found(felt)] == ["undetermined", "undetermined"]
