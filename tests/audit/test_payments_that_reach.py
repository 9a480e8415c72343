"""Payments that stand past the edge of their wager's zone, and those of one pile for two wagers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.table import Zone
from tests.audit.asking import accused, only_round
from tests.audit.pairs.dice import shoot
from tests.notation import Felt, wide_profile

_BETWEEN = 50.0
"""Right of the ante: between its zone and that of the raise."""


def shown(*, ante: str = "20", more: str = "") -> Felt:
    """Seat 2's ten makes 19 with the dice, an even win; perhaps raised before."""
    felt = shoot().bets({2: ante}, "ante").card(2, "Ts")
    if more:
        felt.bets({2: more}, "raise")
    return felt.roll(4, 5)


def laid(felt: Felt, amount: str, right: float, away: float = 0.0) -> Felt:
    """The dealer sets cheques beside the ante of seat 2; only its own zone and the rack were under his hand."""
    felt.hand("dealer", "rack", "seat2.ante")
    felt.put_chips(f"s2.ante.pay.{right}.{away}", amount, felt.at("seat2.ante", right, away))
    return felt


def over(felt: Felt, *more: str) -> Felt:
    for bet in ("ante", *more):
        felt.collect_spot(2, bet)
    return felt.pick_up_seat(2).cover_dice()


def test_payment_that_stands_on_an_empty_spot_beside_its_wager_is_of_that_wager() -> None:
    """In the zone of the raise, over which no hand came, 66 mm from the ante (contracts/states.md: within 80 mm)."""
    assert accused(over(laid(shown(), "20", 66.0).snap())) == []


def test_both_piles_of_a_payment_on_an_empty_spot_count() -> None:
    felt = laid(shown(ante="green red red"), "green", 64.0, -22.0)
    assert accused(over(laid(felt, "red red", 64.0, 22.0).snap())) == []


def test_payment_on_an_empty_spot_is_measured_by_what_it_is() -> None:
    assert accused(over(laid(shown(), "15", 66.0).snap())) == [("violation", "P033", "-5.00")]


def test_pile_on_an_empty_spot_by_a_hand_that_nobody_saw_is_no_payment() -> None:
    """Nothing says whose it is: it was on no wager's zone that the dealer's hand came."""
    felt = shown()
    felt.put_chips("s2.raise.x", "20", felt.at("seat2.ante", 66.0))
    felt.snap().pay_spot(2, "ante", "20")
    assert "violation" not in {verdict for verdict, _, _ in accused(over(felt))}


def test_one_pile_between_ante_and_raise_that_is_their_sum_pays_both() -> None:
    assert accused(over(laid(shown(ante="20", more="40"), "60", _BETWEEN).snap(), "raise")) == []


def adjoining() -> Felt:
    """A table whose zones for ante and raise meet between them, as on the printed layout (000:L61, L104-105)."""
    profile = shoot().profile
    zones = [replace(one, polygon_mm=_widened(one)) if one.bet else one for one in profile.zones]
    return Felt(replace(profile, zones=tuple(zones)))


def _widened(zone: Zone) -> tuple[tuple[float, float], ...]:
    return tuple((x + (10.0 if x > zone.centre_mm[0] else -10.0), y) for x, y in zone.polygon_mm)


@pytest.mark.parametrize("right", [43.0, 46.0, 50.0, 56.0])
def test_one_pile_where_the_zones_meet_that_is_the_sum_pays_both(right: float) -> None:
    """A pile is in one zone or the other by a millimetre of jitter; which of the two it pays is not told by that."""
    felt = adjoining().bets({2: "20"}, "ante").card(2, "Ts").bets({2: "20"}, "raise").roll(4, 5)
    felt.hand("dealer", "rack", "seat2.ante", "seat2.raise")
    felt.put_chips("s2.ante.pay", "40", felt.at("seat2.ante", right))
    assert accused(over(felt.snap(), "raise")) == []


def test_one_pile_between_enter_and_draw_pays_each_at_its_odds() -> None:
    """A three-card 9 beats the dealer's 5: Enter evenly, Draw three to one (003:L74-83)."""
    felt = Felt(wide_profile("lucky_draw_baccarat", ("enter", "draw", "block_bonus")))
    felt.bets({2: "20"}, "enter").card(2, "2c").dealer_card("1", "back", -40).card(2, "3d")
    felt.dealer_card("2", "5h", 30).bets({2: "20"}, "draw").card(2, "4s").hand("dealer", "dealer.cards")
    felt.put_card("d.1", "Js", felt.things["d.1"].xy_mm, 0.0)
    felt.snap().hand("dealer", "rack", "seat2.enter", "seat2.draw")
    felt.put_chips("s2.enter.pay", "80", felt.at("seat2.enter", _BETWEEN))
    felt.snap().collect_spot(2, "enter").collect_spot(2, "draw").pick_up_seat(2).pick_up()
    assert accused(felt) == []


@pytest.mark.parametrize(
    ("hit", "dice", "pile", "told"),
    [
        ("2c", (4, 5), "72", []),  # 6 to 5 on 20 and on 40
        ("", (5, 6), "120", []),  # 2 to 1 on both
        ("2c", (4, 5), "60", ["-4.00", "-8.00"]),
        ("", (5, 6), "130", ["90.00", "-80.00"]),  # no cheques make shares of it: the nearest is paid
    ],
)
def test_one_pile_for_both_at_the_odds_that_they_share(
    hit: str, dice: tuple[int, int], pile: str, told: list[str]
) -> None:
    """000:L53: odds apply equally to both the ante and raise wagers."""
    felt = shoot().bets({2: "20"}, "ante").card(2, "Ts").bets({2: "40"}, "raise")
    felt = (felt.card(2, hit) if hit else felt).roll(*dice)
    over(laid(felt, pile, _BETWEEN).snap(), "raise")
    assert [amount for _, procedure, amount in accused(felt) if procedure == "P033"] == told


def drawn_together(felt: Felt) -> Felt:
    """The dealer puts the raise of seat 2 upon its ante."""
    felt.hand("dealer", "seat2.ante", "seat2.raise").remove("s2.raise.1")
    felt.put_chips("s2.ante.1", "green red red red red red red red", felt.at("seat2.ante"))
    return felt.snap()


def test_ante_and_raise_drawn_together_by_the_dealer_are_paid_by_one_pile() -> None:
    felt = drawn_together(shown(ante="20", more="40"))
    assert accused(over(laid(felt, "60", 0.0, -42.0).snap())) == []


def test_ante_and_raise_drawn_together_by_the_dealer_are_taken_together() -> None:
    felt = shoot().bets({2: "20"}, "ante").card(2, "Ts").bets({2: "40"}, "raise").roll(1, 2)
    felt = drawn_together(felt).take_spot(2, "ante").pick_up_seat(2).cover_dice()
    assert accused(felt) == []
    takes = only_round(felt).observed.takes
    assert [(take.key.bet, str(take.amount)) for take in takes] == [("ante", "20"), ("raise", "40")]


def test_ante_and_raise_drawn_together_and_left_are_both_left() -> None:
    felt = shoot().bets({2: "20"}, "ante").card(2, "Ts").bets({2: "40"}, "raise").roll(1, 2)
    told = accused(over(drawn_together(felt)))
    assert told == [("violation", "P035", "20.00"), ("violation", "P035", "40.00")]


def test_one_pile_beside_the_ante_in_its_zone_pays_the_ante() -> None:
    felt = adjoining().bets({2: "20"}, "ante").card(2, "Ts").bets({2: "20"}, "raise").roll(4, 5)
    told = accused(over(laid(felt, "40", 36.0).snap(), "raise"))
    assert told == [("violation", "P033", "20.00"), ("violation", "P033", "-20.00")]


def test_one_pile_between_ante_and_raise_that_is_not_their_sum_pays_the_nearest() -> None:
    felt = laid(shown(ante="20", more="40"), "50", _BETWEEN - 5.0).snap()
    assert accused(over(felt, "raise")) == [("violation", "P033", "30.00"), ("violation", "P033", "-40.00")]


def test_one_pile_for_both_in_the_zone_of_one_is_paid_on_that() -> None:
    felt = laid(shown(ante="20", more="40"), "60", 20.0, 30.0).snap()
    assert accused(over(felt, "raise")) == [("violation", "P033", "40.00"), ("violation", "P033", "-40.00")]


def test_one_pile_between_enter_and_draw_pays_both() -> None:
    """A three-card 6 beats the dealer's 5: both are paid evenly (003:L74-83)."""
    felt = Felt(wide_profile("lucky_draw_baccarat", ("enter", "draw", "block_bonus")))
    felt.bets({2: "20"}, "enter").card(2, "2c").dealer_card("1", "back", -40).card(2, "3d")
    felt.dealer_card("2", "5h", 30).bets({2: "20"}, "draw").card(2, "As").hand("dealer", "dealer.cards")
    felt.put_card("d.1", "Js", felt.things["d.1"].xy_mm, 0.0)
    felt.snap().hand("dealer", "rack", "seat2.enter", "seat2.draw")
    felt.put_chips("s2.enter.pay", "40", felt.at("seat2.enter", _BETWEEN))
    felt.snap().collect_spot(2, "enter").collect_spot(2, "draw").pick_up_seat(2).pick_up()
    assert accused(felt) == []
