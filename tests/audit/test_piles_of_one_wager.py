"""Piles of one wager joined or divided on their spot, by the player or by the dealer: it stays one wager."""

from __future__ import annotations

import pytest

from tests.audit.asking import accused, found, only_round
from tests.audit.pairs.dice import shoot
from tests.notation import Felt, wide_profile


def two_piles(felt: Felt) -> Felt:
    """Seat 2's ante is 50; he raises in two piles of 25."""
    felt.bets({2: "50"}, "ante").card(2, "Ts").bets({2: "25"}, "raise").hand("player", "seat2.raise", seat=2)
    felt.put_chips("s2.raise.2", "25", felt.at("seat2.raise", 0.0, 42.0))
    return felt.snap()


def one_pile(felt: Felt, text: str, side: str) -> Felt:
    """Everything on the raise spot becomes one pile."""
    felt.hand(side, "seat2.raise", seat=2 if side == "player" else None)
    for name in felt.names("s2.raise.")[1:]:
        felt.remove(name)
    felt.put_chips("s2.raise.1", text, felt.at("seat2.raise"))
    return felt.snap()


def finished(felt: Felt, raised: str) -> Felt:
    felt.pay_spot(2, "ante", "50")
    if raised:
        felt.pay_spot(2, "raise", raised)
    return felt.collect_spot(2, "ante").collect_spot(2, "raise").pick_up_seat(2).cover_dice()


def money(felt: Felt) -> list[tuple[str, str]]:
    return [(wager.key.bet, str(wager.amount)) for wager in only_round(felt).observed.round.wagers]


@pytest.mark.parametrize("side", ["player", "dealer"])
def test_two_piles_put_upon_each_other_are_the_wager_that_they_were(side: str) -> None:
    felt = finished(one_pile(two_piles(shoot()), "green green", side).roll(4, 5), "50")
    assert accused(felt) == []
    assert money(felt) == [("ante", "50"), ("raise", "50")]


def test_one_pile_put_apart_by_the_player_is_the_wager_that_it_was() -> None:
    felt = shoot().bets({2: "50"}, "ante").card(2, "Ts").bets({2: "50"}, "raise").hand("player", "seat2.raise", seat=2)
    felt.put_chips("s2.raise.1", "25", felt.at("seat2.raise"))
    felt.put_chips("s2.raise.2", "25", felt.at("seat2.raise", 0.0, 42.0))
    felt = finished(felt.snap().roll(4, 5), "50")
    assert accused(felt) == []
    assert money(felt) == [("ante", "50"), ("raise", "50")]


def test_two_piles_stacked_up_with_their_payment_are_paid_what_was_added() -> None:
    felt = finished(one_pile(two_piles(shoot()).roll(4, 5), "green green green green", "dealer"), "")
    assert accused(felt) == []
    assert [(pay.key.bet, str(pay.amount)) for pay in only_round(felt).observed.pays] == [
        ("ante", "50"),
        ("raise", "50"),
    ]


def test_joined_piles_that_are_taken_are_taken_whole() -> None:
    felt = one_pile(two_piles(shoot()), "green green", "player").roll(1, 1)
    felt.take_spot(2, "ante").take_spot(2, "raise").pick_up_seat(2).cover_dice()
    assert accused(felt) == []
    assert [str(take.amount) for take in only_round(felt).observed.takes] == ["50", "50"]


def test_wager_taken_in_two_goes_is_taken_whole_and_nothing_is_paid_on_it(felt: Felt) -> None:
    felt.bets({1: "red red red red red red"}).deal({1: "Th 6c"}, dealer="Td 8s").turn().hand(
        "dealer", "seat1.main", "rack"
    )
    felt.put_chips("s1.main.1", "red red red", felt.at("seat1.main"))
    felt.snap().take(1).pick_up()
    observed = only_round(felt).observed
    assert accused(felt) == []
    assert [(one.key.bet, str(one.amount)) for one in observed.takes] == [("main", "30")]
    assert observed.pays == ()


def test_bet_beside_a_double_of_two_colours_is_none_of_its_piles() -> None:
    """Reds paid on the bet stand nearer to the dealer than the double's green, which was broken down (004:L740)."""
    felt = Felt(wide_profile("blackjack", ("main",), seats=2, finder=False))
    felt.bets({1: "red red red red red red"}).deal({1: "5h 6c"}, dealer="6d Ts").double(1, "green red", "9d")
    felt.hand("player", "seat1.cards", seat=1).turn().dealer_hits("9s").pay(1, "red red red red red red")
    felt.hand("dealer", "seat1.main").put_chips("s1.double.1", "green", felt.at("seat1.main", 42.0, -21.0))
    felt.put_chips("s1.double.2", "red", felt.at("seat1.main", 42.0, 21.0))
    felt.snap().hand("dealer", "rack", "seat1.main").put_chips("s1.pay.1", "green", felt.at("seat1.main", 84.0, -21.0))
    felt.snap().hand("dealer", "rack", "seat1.main").put_chips("s1.pay.2", "red", felt.at("seat1.main", 84.0, 21.0))
    felt.snap().collect(1).pick_up()
    assert accused(felt) == []


def test_bet_cut_and_stacked_again_before_it_is_settled_is_neither_paid_nor_out_of_turn(felt: Felt) -> None:
    """Of five and two reds that stand beside the bet for one state nothing is told as paid (P259)."""
    bet = " ".join(["red"] * 12)
    felt.bets({1: bet, 2: "25"}).deal({1: "Th 9c", 2: "Ts 6d"}, dealer="Td 8s").turn().hand("dealer", "seat1.main")
    felt.put_chips("s1.main.1", "red red red red red", felt.at("seat1.main"))
    for place, cheques in enumerate(("red red red red red", "red red"), start=1):
        felt.put_chips(f"s1.cut.{place}", cheques, felt.at("seat1.main", 42.0 * place))
    felt.snap().hand("dealer", "seat1.main").remove("s1.cut.1")
    felt.remove("s1.cut.2")
    felt.put_chips("s1.main.1", bet, felt.at("seat1.main"))
    felt.snap().take(2).pay(1, bet).collect(1).pick_up()
    assert accused(felt) == []


def test_bet_cut_to_be_looked_at_and_stacked_again_stays_what_it_was(felt: Felt) -> None:
    """In two states it stands cut: its parts come upon it again, and are no payment."""
    bet = " ".join(["red"] * 7)
    felt.bets({1: bet}).deal({1: "Th 9c"}, dealer="Td 8s").turn().hand("dealer", "seat1.main")
    felt.put_chips("s1.main.1", "red red red red red", felt.at("seat1.main"))
    felt.put_chips("s1.cut.1", "red red", felt.at("seat1.main", 42.0))
    felt.snap().snap().hand("dealer", "seat1.main").remove("s1.cut.1")
    felt.put_chips("s1.main.1", bet, felt.at("seat1.main"))
    felt.snap().pay(1, bet).collect(1).pick_up()
    assert accused(felt) == []
    assert [str(one.amount) for one in only_round(felt).observed.pays] == ["35"]


def test_half_of_a_loser_that_is_taken_is_told_as_taken_and_the_rest_as_left() -> None:
    felt = shoot().bets({2: "20"}, "ante").card(2, "5s").roll(4, 5).hand("dealer", "seat2.ante", "rack")
    felt.put_chips("s2.ante.1", "red red", felt.at("seat2.ante"))
    felt.snap().collect_spot(2, "ante").pick_up_seat(2).cover_dice()
    observed = only_round(felt).observed
    assert accused(felt) == [("violation", "P035", "10.00")]
    assert [str(one.amount) for one in observed.takes] == ["10"]
    assert observed.pays == ()


def test_payment_that_is_set_right_by_taking_cheques_off_it_is_told_as_paid() -> None:
    felt = shoot().bets({2: "20"}, "ante").card(2, "Ts").roll(4, 5).pay_spot(2, "ante", "25")
    felt.hand("dealer", "seat2.ante", "rack").put_chips("s2.ante.pay", "20", felt.at("seat2.ante", 0.0, -42.0))
    felt.snap().collect_spot(2, "ante").pick_up_seat(2).cover_dice()
    observed = only_round(felt).observed
    assert accused(felt) == []
    assert sum(float(str(one.amount)) for one in observed.pays) == 20.0
    assert observed.takes == ()


@pytest.mark.parametrize(
    ("later", "told"),
    [(["player"], []), ([], [("violation", "P035", "50.00")])],
    ids=["the next wager", "a payment in other cheques"],
)
def test_other_cheques_where_a_loser_stood_after_hands_of_both_sides_may_be_the_next_wager(
    later: list[str], told: list[tuple[str, str, str]]
) -> None:
    felt = shoot().bets({1: "20", 2: "20"}, "ante").card(1, "Ts").card(2, "5s").roll(4, 5)
    felt.hand("dealer", "seat2.ante", "rack").hand("dealer", "seat2.cards", "discard")
    for name in felt.names("s2.h"):
        felt.remove(name)
    for side in later:
        felt.hand(side, "seat2.ante", seat=2)
    felt.put_chips("s2.ante.1", "green green", felt.at("seat2.ante"))
    felt.snap().pay_spot(1, "ante", "20").collect_spot(1, "ante").pick_up_seat(1).cover_dice()
    assert accused(felt) == told


def two_mixed_piles() -> Felt:
    """Seat 1 bets 62 in two piles of two colours each, and wins."""
    felt = Felt(wide_profile("blackjack", ("main",), seats=2, finder=False)).hand("player", "seat1.main", seat=1)
    felt.put_chips("s1.main.1", "green green red", felt.at("seat1.main", -22.0))
    felt.put_chips("s1.main.2", "red white white", felt.at("seat1.main", 22.0))
    return felt.snap().deal({1: "Th 9c"}, dealer="Td 8s").turn()


@pytest.mark.parametrize("away", [0.0, 44.0])
def test_two_piles_broken_down_by_colour_into_three_are_paid_colour_by_colour(away: float) -> None:
    """Nothing of the first pile stands where it stood, and the second one is another in its place (004:L741)."""
    felt = two_mixed_piles().hand("dealer", "seat1.main")
    for place, (name, cheques) in enumerate(
        {"s1.main.1": "green green", "s1.main.2": "red red", "s1.main.3": "white white"}.items()
    ):
        felt.put_chips(name, cheques, felt.at("seat1.main", away / 2, 44.0 * (place - 1)))
    felt.snap()
    for place, cheques in enumerate(("green green", "red red", "white white")):
        felt.hand("dealer", "rack", "seat1.main")
        felt.put_chips(f"s1.pay.{place}", cheques, felt.at("seat1.main", away / 2 - 44.0, 44.0 * (place - 1)))
        felt.snap()
    felt.collect(1).pick_up()
    assert accused(felt) == []
    assert [str(one.amount) for one in only_round(felt).observed.round.wagers] == ["62"]
    assert sum(one.amount for one in only_round(felt).observed.pays) == 62


def test_part_of_a_bet_that_one_look_misses_as_the_other_is_paid_is_no_payment() -> None:
    """The dealer's hand was there each time; he does not change a part of the bet for its like."""
    felt = (
        Felt(wide_profile("blackjack", ("main",), seats=2))
        .bets({1: "green red"})
        .deal({1: "Ts 9c"}, dealer="9d 8s")
        .turn()
        .hand("dealer", "seat1.main")
    )
    felt.put_chips("s1.main.1", "green", felt.at("seat1.main", 0.0, -22.0))
    felt.put_chips("s1.main.2", "red", felt.at("seat1.main", 0.0, 22.0))
    felt.snap().hand("dealer", "rack", "seat1.main")
    felt.put_chips("s1.pay.0", "green", felt.at("seat1.main", -44.0, -22.0))
    missed = felt.things.pop("s1.main.2")
    felt.snap().hand("dealer", "rack", "seat1.main")
    felt.things["s1.main.2"] = missed
    felt.put_chips("s1.pay.1", "red", felt.at("seat1.main", -44.0, 22.0))
    assert found(felt.snap().collect(1).pick_up()) == []
