"""What players still do after the hole card was turned too early is play, and no further error."""

from __future__ import annotations

import pytest

from tests.audit.asking import accused, found
from tests.notation import Felt, wide_profile


@pytest.fixture
def felt() -> Felt:
    return Felt(wide_profile("blackjack", ("main",), rules="shoe-six-deck", finder=False))


def exposed(felt: Felt, cards: str) -> Felt:
    felt.bets({2: "20"}).deal({2: cards}, dealer="6s Jc").turn()
    return felt


def finished(felt: Felt) -> Felt:
    felt.dealer_hits("Tc").pay(2, "20").pay(2, "20", beside="main.2") if felt.names("s2.main.2") else None
    return felt.collect(2).pick_up()


def test_split_after_an_early_hole_card_is_no_late_money(felt: Felt) -> None:
    exposed(felt, "8c 8d").split(2, "20").card(2, "Tc", hand=1).hand("player", "seat2.cards", seat=2)
    felt.card(2, "Th", hand=2)
    assert [one[1] for one in accused(finished(felt))] == ["P252"]


def test_money_on_a_bet_after_the_hole_card_is_late_all_the_same(felt: Felt) -> None:
    """No card came to anybody after it."""
    felt.bets({2: "20"}).deal({2: "Tc 9d"}, dealer="Ts 8c").turn().hand("player", "seat2.main", seat=2)
    felt.put_chips("s2.main.9", "20", felt.at("seat2.main", 45.0))
    assert "P205" in [one[1] for one in found(felt.snap().pay(2, "40").collect(2).pick_up())]


def test_broken_hand_lifted_after_an_early_hole_card_is_in_order(felt: Felt) -> None:
    felt.bets({2: "20", 3: "20"}).deal({2: "Tc 6d", 3: "Td 9h"}, dealer="Ts 8c").turn()
    felt.hit(2, "Kd").take(2).pick_up_seat(2).hit(3, "Ah").pay(3, "20").collect(3).pick_up()
    assert [one[1] for one in accused(felt)] == ["P252"]


def test_order_of_picking_up_is_told_after_the_last_card(felt: Felt) -> None:
    felt.bets({2: "20", 3: "20"}).deal({2: "Tc 9d", 3: "Td 9h"}, dealer="Ts 8c").turn()
    felt.pay(3, "20").pay(2, "20").collect(2).collect(3).pick_up_seat(2).pick_up()
    assert [one[:2] for one in accused(felt)] == [("violation", "P284")]


def shown_in_place(at: float, aside: float, *, finder: bool) -> Felt:
    """A king was shown first; then he lies aside, and a seven at a place; 45 is paid for the flush that it makes."""
    profile = wide_profile("blackjack", ("main", "trilux"), rules="shoe-six-deck", finder=finder)
    felt = Felt(profile).bets({2: "20"}).bets({2: "5"}, "trilux").deal({2: "Th 9h"}, dealer="Kc 7h")
    felt.hand("dealer", "dealer.cards").put_card("d.up", "Kc", felt.at("dealer.cards", aside), 0.0)
    felt.put_card("d.hole", "7h", felt.at("dealer.cards", at), 0.0)
    felt.snap().pay_spot(2, "trilux", "45").collect_spot(2, "trilux").hand("player", "seat2.cards", seat=2).snap()
    return felt.pay(2, "20").collect(2).pick_up()


@pytest.mark.parametrize(
    ("at", "aside", "told"),
    [(-250.0, -180.0, "undetermined"), (-180.0, -250.0, "violation"), (-180.0, -110.0, "violation")],
)
def test_face_shown_in_the_up_cards_place_may_be_the_up_card_itself(at: float, aside: float, told: str) -> None:
    """Where the hole card was exposed first, side wagers are settled by the other one, then play goes on (004:L778)."""
    assert {one[0] for one in found(shown_in_place(at, aside, finder=False)) if one[1] in ("P379", "P385")} == {told}
    unseen = [one for one in found(shown_in_place(at, aside, finder=True)) if one[1] == "P308"]
    assert bool(unseen) is (told == "violation")  # there is nothing left to look for


@pytest.mark.parametrize(("cards", "told"), [("Ah Kc", ["P252"]), ("Ts 9c", [])])
def test_stand_after_the_hole_card_is_told_where_nobody_else_was_asked(felt: Felt, cards: str, told: list[str]) -> None:
    """Seat 1's blackjack was paid before; where he had to act and did it unseen, nothing is said."""
    felt.bets({1: "20", 2: "20"}).deal({1: cards, 2: "8c 9d"}, dealer="9s 8d")
    if told:
        felt.pay(1, "30").collect(1).pick_up_seat(1)
    felt.turn().hand("player", "seat2.cards", seat=2).snap().collect(2)
    felt = felt if told else felt.pay(1, "20").collect(1)
    assert [number for _, number, _ in accused(felt.pick_up()) if number == "P252"] == told
