"""What came or went without a hand that was seen is of unknown origin, and never a violation by itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.audit.asking import accused, audited, found, only_round
from tests.audit.pairs.dice import shoot
from tests.audit.pairs.rounds import split
from tests.notation import Felt


def lost(felt: Felt) -> Felt:
    return felt.bets({1: "25"}).deal({1: "Th 6c"}, dealer="Td 9s").turn()


def test_lost_wager_that_went_without_a_hand_before_the_next_bet_is_undetermined(felt: Felt) -> None:
    wager = lost(felt).things.pop("s1.main.1")
    felt.snap().pick_up().snap()
    felt.hand("player", "seat1.main", seat=1).things["s1.main.1"] = wager
    felt.snap()
    assert [one[:2] for one in found(felt)] == [("undetermined", "P281")]


def test_blackjack_whose_payment_came_without_a_hand_is_paid_and_no_late_wager(felt: Felt) -> None:
    """It is settled once all cards lie there, before the hole card is turned (004:L585)."""
    felt.bets({1: "20"}).deal({1: "Ah Kc"}, dealer="9d 9s")
    felt.put_chips("s1.pay.0", "30", felt.at("seat1.main", 0.0, -42.0))
    felt.snap().collect(1).turn().pick_up()
    assert accused(felt) == []


def test_money_taken_without_a_hand_after_the_cards_is_at_most_suspected(felt: Felt) -> None:
    lost(felt).pick_up()
    felt.remove("s1.main.1")
    assert all(verdict == "suspect" for verdict, *_ in accused(felt.snap()))


def test_bet_for_the_next_round_while_others_are_settled_is_not_late(felt: Felt) -> None:
    felt.bets({1: "25", 2: "25"}).deal({1: "Th 9c", 2: "Ts 6c"}, dealer="Td 9s").turn().take(2)
    felt.bets({2: "25"}).pat(1).collect(1).pick_up()
    assert accused(felt) == []


def test_bet_laid_on_an_unsettled_one_after_the_reveal_is_late(felt: Felt) -> None:
    felt.bets({1: "25"}).deal({1: "Th 9c"}, dealer="Td 8s").turn().hand("player", "seat1.main", seat=1)
    felt.put_chips("s1.main.2", "25", felt.at("seat1.main", 45.0))
    felt.snap().pay(1, "50").collect(1).pick_up()
    assert ("violation", "P205", None) in accused(felt)


@pytest.mark.parametrize(("added", "verdict"), [("25", "suspect"), ("20", "violation")])
def test_payment_that_a_player_seems_to_have_put_there_is_at_most_suspected(
    felt: Felt, added: str, verdict: str
) -> None:
    """Just what a winner was due, in the settling, and the dealer paid nothing: his hand may have been the dealer's."""
    felt.bets({1: "25"}).deal({1: "Th 9c"}, dealer="Td 8s").turn().hand("player", "seat1.main", seat=1)
    felt.put_chips("s1.main.2", added, felt.at("seat1.main", 45.0))
    felt.snap().pick_up().collect(1)
    assert [one[:2] for one in accused(felt)] == [(verdict, "P205"), (verdict, "P281")]


def test_wager_that_a_player_raised_as_a_payment_would_is_at_most_suspected(felt: Felt) -> None:
    felt.bets({1: "25"}).deal({1: "Th 9c"}, dealer="Td 8s").turn().hand("player", "seat1.main", seat=1)
    felt.put_chips("s1.main.1", "50", felt.at("seat1.main"))
    felt.snap().pick_up().collect(1)
    assert {one[0] for one in accused(felt)} == {"suspect"}


def test_wager_that_the_dealer_broke_down_before_he_paid_it_is_one_wager(felt: Felt) -> None:
    felt.bets({1: "35"}).deal({1: "Th 9c"}, dealer="Td 8s").turn().hand("dealer", "seat1.main")
    felt.put_chips("s1.main.1", "25", felt.at("seat1.main"))
    felt.put_chips("s1.main.2", "10", felt.at("seat1.main", 0.0, 45.0))
    felt.snap().hand("dealer", "seat1.main", "rack").put_chips("s1.pay.0", "25", felt.at("seat1.main", 45.0))
    felt.snap().hand("dealer", "seat1.main", "rack").put_chips("s1.pay.1", "10", felt.at("seat1.main", 45.0, 45.0))
    felt.snap().collect(1).pick_up()
    assert accused(felt) == []
    assert [str(one.amount) for one in only_round(felt).observed.pays] == ["25", "10"]


def test_wager_taken_by_mistake_and_put_back_is_not_taken(felt: Felt) -> None:
    felt.bets({1: "25"}).deal({1: "Th 9c"}, dealer="Td 9s").turn()
    wager = felt.things["s1.main.1"]
    felt.take(1).hand("dealer", "rack", "seat1.main").things["s1.main.1"] = wager
    felt.snap().collect(1).pick_up()
    assert accused(felt) == []
    assert only_round(felt).observed.takes == ()


def test_wager_that_was_taken_and_put_back_by_a_hand_that_no_look_shows_at_the_rack_is_not_taken(felt: Felt) -> None:
    felt.bets({1: "25"}).deal({1: "Th 9c"}, dealer="Td 9s").turn()
    wager = felt.hand("dealer", "seat1.main").things.pop("s1.main.1")
    felt.snap().hand("dealer", "seat1.main").things["s1.main.1"] = wager
    felt.snap().collect(1).pick_up()
    assert only_round(felt).observed.takes == ()


def test_bet_like_one_that_was_taken_is_none_put_back_without_a_hand_at_the_rack(felt: Felt) -> None:
    """A player's arm that lays the next bet is told as the dealer's."""
    felt.bets({1: "25"}).deal({1: "Th 7c"}, dealer="Td 9s").turn()
    wager = felt.things["s1.main.1"]
    felt.take(1).pick_up().hand("dealer", "seat1.main").things["s1.main.1"] = wager
    assert accused(felt.snap()) == []
    assert [str(one.amount) for one in only_round(felt).observed.takes] == ["25"]


def test_short_payment_taken_back_and_paid_again_is_one_payment(felt: Felt) -> None:
    felt.bets({1: "25"}).deal({1: "Th 9c"}, dealer="Td 8s").turn().pay(1, "red red red")
    felt.remove("s1.pay.0")
    felt.hand("dealer", "seat1.main", "rack").snap().pay(1, "25").collect(1).pick_up()
    assert accused(felt) == []
    assert [str(one.amount) for one in only_round(felt).observed.pays] == ["25"]


def test_wager_whose_place_was_bare_for_several_states_may_be_another_one(felt: Felt) -> None:
    wager = lost(felt).things.pop("s1.main.1")
    felt.snap().pick_up().snap()
    felt.things["s1.main.1"] = wager
    assert [one[:2] for one in found(felt.snap())] == [("undetermined", "P281")]


def test_player_whose_hand_is_over_may_bet_for_the_next_round(felt: Felt) -> None:
    felt.bets({1: "25", 2: "25"}).deal({1: "Th 6c", 2: "Ts 9c"}, dealer="Td 8s").hit(1, "9h")
    felt.take(1).pick_up_seat(1).bets({1: "25"}).turn().pay(2, "25").collect(2).pick_up()
    assert accused(felt) == []


@pytest.mark.parametrize(("rank", "accused_of"), [("A", True), ("8", False)])
def test_aces_split_again_break_p323(rank: str, accused_of: bool) -> None:
    assert any(procedure == "P323" for _, procedure, _ in accused(split(2, rank=rank))) is accused_of


def covered_until_the_end(felt: Felt) -> Felt:
    """Seat 2's cards are out of sight until seat 1's have been picked up."""
    felt.bets({1: "25", 2: "25"}).deal({1: "Th 9c", 2: "Ts 8c"}, dealer="Td 8s").turn()
    cards = {name: felt.things.pop(name) for name in [*felt.names("s2.h"), *felt.names("d.")]}
    felt.states.pop()
    hidden = ["seat2.cards", "dealer.cards"]
    felt.hand("dealer", "dealer.cards").snap(covered=hidden)
    felt.hand("dealer", "seat1.cards")
    for name in felt.names("s1.h"):
        felt.remove(name)
    felt.snap(covered=hidden)
    felt.things |= cards
    return felt.snap().pick_up()


def test_cards_out_of_sight_while_the_others_are_picked_up_are_not_gone(felt: Felt) -> None:
    assert len(audited(covered_until_the_end(felt)).rounds) == 1


def test_wager_collected_before_the_view_was_lost_is_not_the_next_one(felt: Felt) -> None:
    felt.bets({1: "25"}).deal({1: "Th 9c"}, dealer="Td 8s").turn().pay(1, "25")
    wager = felt.things["s1.main.1"]
    felt.collect(1).pick_up().lost()
    felt.things["s1.main.1"] = wager
    felt.snap().deal({1: "Th 9c"}, dealer="Td 8s").turn().pay(1, "25").collect(1).pick_up()
    assert found(felt) == []


def test_player_who_was_paid_and_has_no_cards_left_may_bet_again_on_another_spot() -> None:
    felt = shoot().bets({1: "10", 3: "10"}, "ante").card(1, "Tc").card(3, "Ts").roll(4, 5)
    felt.pay_spot(3, "ante", "10").pick_up_seat(3).bets({3: "10"}, "craps").pay_spot(1, "ante", "10")
    felt.pick_up_seat(1).cover_dice().collect_spot(3, "ante").collect_spot(1, "ante")
    assert accused(felt) == []


@pytest.mark.parametrize(("paid", "told"), [("50", []), ("25", ["suspect"])])
def test_payment_that_was_seen_and_went_with_its_bet_under_hands_of_both_sides_is_judged(
    felt: Felt, paid: str, told: list[str]
) -> None:
    """What is right so far is right; more may have come under those hands."""
    felt.bets({1: "50"}).deal({1: "Th 9c"}, dealer="Td 7s").turn().pay(1, paid)
    for name in [*felt.names("s1.main"), *felt.names("s1.pay")]:
        felt.remove(name)
    felt.hand("player", "seat1.main", seat=1).hand("dealer", "seat1.cards", "seat1.main")
    felt.hands = [replace(hand, span=felt.hands[0].span) for hand in felt.hands]
    felt.snap().pick_up()
    assert [one.verdict.value for one in only_round(felt).findings if one.seat == 1] == told
