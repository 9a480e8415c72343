"""Payments laid 80 to 100 mm from their wager, with no other nearer: paid, and measured by what was paid."""

from __future__ import annotations

import pytest

from audit.money import format_money
from audit.states import SeenObject
from tests.audit.asking import accused, found, only_round
from tests.audit.pairs.dice import shoot
from tests.notation import Felt, wide_profile


def settled(*piles: tuple[str, float], cards: str = "Th 9c", bet: str = "25") -> Felt:
    """Seat 1 has a bet of 25.00, or another, against 18; the dealer lays piles so far from it, away from him."""
    felt = Felt(wide_profile("blackjack", ("main",), finder=False))
    felt.bets({1: bet, 2: "25"}).deal({1: cards, 2: "Th 7c"}, dealer="Td 8s").turn().take(2)
    felt.hand("dealer", "rack", "seat1.main")
    for number, (amount, away) in enumerate(piles):
        felt.put_chips(f"s1.main.pay{number + 1}", amount, felt.at("seat1.main", 42.0 * number, away))
    return felt.snap()


def over(felt: Felt) -> Felt:
    return felt.collect(1).pick_up()


@pytest.mark.parametrize("away", [85.0, 95.0, 100.0, -95.0])
def test_payment_a_little_too_far_off_is_a_payment(away: float) -> None:
    felt = over(settled(("25", away)))
    assert accused(felt) == []
    assert [(pay.key.bet, float(pay.amount or 0)) for pay in only_round(felt).observed.pays] == [("main", 25.0)]


@pytest.mark.parametrize("away", [85.0, 95.0, 100.0, -95.0])
def test_payment_a_little_too_far_off_is_measured_by_what_it_is(away: float) -> None:
    assert accused(over(settled(("15", away)))) == [("violation", "P280", "-10.00")]


def test_two_piles_a_little_too_far_off_are_one_payment() -> None:
    assert accused(over(settled(("25", 95.0), ("20", 90.0), bet="45"))) == []


@pytest.mark.parametrize("order", [1, -1])
def test_a_stack_beside_a_payment_is_the_rest_of_it_in_whatever_order_a_state_lists_them(order: int) -> None:
    """21 Stud: of fifty in two stacks the second, as far from its wager as from another, was listed first."""
    felt = shoot().bets({2: "40"}, "ante").card(2, "Ts").bets({2: "40"}, "raise").roll(4, 5)
    felt.hand("dealer", "rack", "seat2.ante")
    for number, (right, away) in enumerate([(20.0, -40.0), (50.0, -75.0)][::order]):
        felt.put_chips(f"s2.pay{number}", "20", felt.at("seat2.ante", right, away))
    pays = only_round(felt.snap().pick_up_seat(2)).observed.pays
    assert [(pay.key.bet, format_money(pay.amount)) for pay in pays] == [("ante", "20.00"), ("ante", "20.00")]


def test_cheques_far_off_are_no_payment() -> None:
    assert accused(over(settled(("25", 125.0)))) == [("violation", "P281", "-25.00")]


def test_a_pile_beyond_a_pushed_wager_leaves_it_open() -> None:
    assert found(over(settled(("25", 95.0), cards="Th 8c"))) == [("undetermined", "P281", None)]


def test_a_loser_that_was_left_is_told_as_that_whatever_lies_beyond_it() -> None:
    assert accused(over(settled(("25", 95.0), cards="Th 7c"))) == [("violation", "P281", "25.00")]


def test_a_pile_that_the_dealer_took_back_was_no_payment() -> None:
    felt = settled(("25", 95.0)).hand("dealer", "seat1.main", "rack")
    felt.remove("s1.main.pay1")
    assert accused(over(felt.snap())) == [("violation", "P281", "-25.00")]


def test_a_pile_beyond_a_paid_wager_is_nothing_of_its() -> None:
    felt = settled(("25", 45.0)).hand("dealer", "rack", "seat1.main")
    felt.put_chips("s1.more", "25", felt.at("seat1.main", 0.0, -95.0))
    assert accused(over(felt.snap())) == []


def test_a_pile_as_near_to_another_wager_is_neither_s() -> None:
    """Between ante and raise of a seat that won with both, 90 mm from each: the dealer's hand was over both."""
    felt = shoot().bets({2: "20"}, "ante").card(2, "Ts").bets({2: "20"}, "raise").roll(4, 5)
    felt.hand("dealer", "rack", "seat2.ante", "seat2.raise")
    felt.put_chips("s2.x", "20", felt.at("seat2.ante", 50.0, -75.0))
    felt.snap().collect_spot(2, "ante").collect_spot(2, "raise").pick_up_seat(2).cover_dice()
    assert [one[1:] for one in accused(felt) if one[2] is not None] == [("P033", "-20.00")] * 2


def test_before_the_reveal_a_pile_beyond_a_wager_is_no_payment() -> None:
    felt = Felt(wide_profile("blackjack", ("main",), finder=False))
    felt.bets({1: "25"}).deal({1: "Th 9c"}, dealer="Td 8s").hand("dealer", "rack", "seat1.main")
    felt.put_chips("s1.x", "25", felt.at("seat1.main", 0.0, 95.0))
    assert ("violation", "P281", "-25.00") in accused(over(felt.snap().turn()))


def test_a_pile_of_the_dealer_s_where_no_wager_stands_pays_none() -> None:
    felt = settled(("25", 45.0)).collect(1).hand("dealer", "rack", "seat1.main")
    felt.put_chips("s1.more", "25", felt.at("seat1.main", 80.0, 0.0))
    assert accused(felt.snap().pick_up()) == []


def beside_own_cheques(cards: str, away: float = 70.0, *, read: bool = False) -> Felt:
    """Nothing is paid; a player's own cheques, cut by the picture's border, stand beside his wager all the while."""
    felt = Felt(wide_profile("blackjack", ("main",), finder=False))
    own = SeenObject(kind="chips", xy_mm=felt.at("seat1.main", 0.0, away), stack=("red",) if read else None)
    felt.things["own"] = own
    felt.bets({1: "25", 2: "25"}).deal({1: cards, 2: "Th 7c"}, dealer="Td 8s").turn().take(2)
    felt.hand("dealer", "rack", "seat1.main")
    felt.snap().hand("player", "seat1.main", seat=1).remove("s1.main.1")
    return felt.snap().pick_up()


def test_a_payment_may_stand_behind_cheques_that_were_not_read() -> None:
    [(verdict, _, _)] = found(beside_own_cheques("Th 9c"))
    assert verdict == "undetermined"


@pytest.mark.parametrize(("away", "read"), [(70.0, True), (125.0, False)])
def test_cheques_that_were_read_or_stand_far_off_hide_no_payment(away: float, *, read: bool) -> None:
    assert accused(beside_own_cheques("Th 9c", away, read=read)) == [("violation", "P281", "-25.00")]


def test_a_loser_beside_cheques_that_were_not_read_was_left_all_the_same() -> None:
    assert accused(beside_own_cheques("Th 7c")) == [("violation", "P281", "25.00")]
