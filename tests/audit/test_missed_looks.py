"""What one state fails to show, and the next shows again in its place: nothing came and nothing went."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.states import SeenObject
from tests.audit.asking import accused, audited, found, only_round
from tests.audit.hands_of_cards import changed, closed, opened, shown
from tests.notation import Felt, wide_profile

UNPAID = ("violation", "P033", "-10.00")


@pytest.fixture
def dice() -> Felt:
    return Felt(wide_profile("draw_n_shoot_21", ("ante", "raise", "craps")))


@pytest.fixture
def lucky() -> Felt:
    return Felt(wide_profile("lucky_draw_baccarat", ("block_bonus", "draw", "enter")))


def missed(felt: Felt, *names: str) -> Felt:
    """One state shows everything but these, and no hand is near."""
    away = {name: felt.things.pop(name) for name in names}
    felt.snap()
    felt.things |= away
    return felt.snap()


def won_with_nineteen(felt: Felt) -> Felt:
    """Seat 2 bets 10 on a nine, and the dice make it nineteen."""
    return felt.bets({2: "10"}, "ante").card(2, "9c").roll(4, 6, colours=("red", "red"))


# -- the only card on the felt -----------------------------------------------------------------------------------------
def test_only_card_missed_in_one_state_is_no_end_of_the_round(dice: Felt) -> None:
    missed(won_with_nineteen(dice), "s2.h1.0").pay_spot(2, "ante", "10").pick_up_seat(2)
    dice.cover_dice().collect_spot(2, "ante")
    assert [finding for finding in accused(dice) if finding[1] not in ("P015", "P018", "P019")] == []
    assert [str(pay.amount) for pay in only_round(dice).observed.pays] == ["10"]


def test_first_card_missed_in_one_state_begins_one_round(lucky: Felt) -> None:
    lucky.bets({2: "20", 3: "20"}, "enter").card(2, "2h")
    missed(lucky, "s2.h1.0").card(3, "2s").card(2, "3c").card(3, "3d")
    lucky.dealer_card("down", "back", -60.0).dealer_card("up", "9d", 20.0)
    shown(lucky, "Kc").take_spot(3, "enter").take_spot(2, "enter").pick_up()
    assert found(lucky) == []
    assert len(audited(lucky).rounds) == 1


def test_card_lifted_by_the_dealer_and_dealt_anew_in_its_place_is_the_next_rounds(dice: Felt) -> None:
    won_with_nineteen(dice).pay_spot(2, "ante", "10").pick_up_seat(2).cover_dice().collect_spot(2, "ante")
    dice.bets({2: "10"}, "ante").card(2, "9c").roll(1, 2, colours=("red", "red")).take_spot(2, "ante").pick_up_seat(2)
    assert len(audited(dice).rounds) == 2


# -- a wager like the one that stood there before ----------------------------------------------------------------------
def test_wager_missed_in_one_state_is_not_also_the_one_collected_before_it(lucky: Felt) -> None:
    """The player takes his bet with what he won, sets as much again in its place, and draws for as much."""
    for _ in range(2):
        shown(opened(lucky, "5h Tc", "3d", enter="25"), "2c", "Kc")
        closed(lucky.take_spot(2, "enter"))
        lucky.bets({2: "25"}, "enter").collect_spot(2, "enter")
    missed(lucky.bets({2: "25"}, "enter").card(2, "2h"), "s2.enter.1").card(2, "3c")
    lucky.dealer_card("down", "back", -60.0).dealer_card("up", "9d", 20.0)
    lucky.bets({2: "25"}, "draw").card(2, "Jc")
    shown(lucky, "Kc").take_spot(2, "enter").take_spot(2, "draw")
    closed(lucky)
    assert [finding for finding in accused(lucky) if finding[1] == "P099"] == []


# -- a payment upon the bet that stood there for one state -------------------------------------------------------------
def test_payment_upon_the_bet_that_the_player_takes_off_at_once_was_paid(dice: Felt) -> None:
    """He leaves his stake; between the dealer's hand and his own one state shows stake and payment in one pile."""
    won_with_nineteen(dice).hand("dealer", "rack", "seat2.ante")
    dice.put_chips("s2.ante.1", "red red red red", dice.at("seat2.ante"))
    changed(dice.snap(), "ante", "red red").pick_up_seat(2).cover_dice().collect_spot(2, "ante")
    assert [finding for finding in accused(dice) if finding[1] not in ("P015", "P018", "P019")] == []
    assert [str(pay.amount) for pay in only_round(dice).observed.pays] == ["10"]


def test_pile_read_higher_for_one_state_under_the_dealers_hand_is_no_payment(dice: Felt) -> None:
    won_with_nineteen(dice).hand("dealer", "rack", "seat2.ante")
    dice.put_chips("s2.ante.1", "red red red red", dice.at("seat2.ante"))
    dice.snap().hand("dealer", "seat2.ante")
    dice.put_chips("s2.ante.1", "red red", dice.at("seat2.ante"))
    dice.snap().pick_up_seat(2).cover_dice().collect_spot(2, "ante")
    assert UNPAID in accused(dice)


# -- a payment and its bet, missed one after the other -----------------------------------------------------------------
def test_payment_missed_in_one_state_and_its_bet_in_the_next_are_both_still_there(dice: Felt) -> None:
    won_with_nineteen(dice).pay_spot(2, "ante", "10")
    pay, ante = dice.things.pop("s2.ante.pay"), dice.things["s2.ante.1"]
    dice.snap()
    dice.things = {name: one for name, one in dice.things.items() if name != "s2.ante.1"} | {"s2.ante.pay": pay}
    dice.snap()
    dice.things["s2.ante.1"] = ante
    dice.snap().pick_up_seat(2).cover_dice().collect_spot(2, "ante")
    assert [str(pay.amount) for pay in only_round(dice).observed.pays] == ["10"]
    assert [finding for finding in accused(dice) if finding[1] == "P033"] == []


def test_bet_missed_in_one_state_and_paid_upon_in_the_next_was_paid(dice: Felt) -> None:
    won_with_nineteen(dice).remove("s2.ante.1")
    dice.snap().hand("dealer", "rack", "seat2.ante")
    dice.put_chips("s2.ante.1", "red red red red", dice.at("seat2.ante"))
    dice.snap().pick_up_seat(2).cover_dice().collect_spot(2, "ante")
    assert [str(pay.amount) for pay in only_round(dice).observed.pays] == ["10"]
    assert [finding for finding in accused(dice) if finding[1] == "P033"] == []


def test_only_card_missed_while_the_next_is_dealt_to_its_seat_is_no_end_of_the_round(lucky: Felt) -> None:
    first = lucky.bets({2: "20"}, "enter").card(2, "2h").things.pop("s2.h1.0")
    lucky.snap().things["s2.h1.0"] = first
    lucky.card(2, "3c").dealer_card("down", "back", -60.0).dealer_card("up", "9d", 20.0)
    shown(lucky, "Kc").take_spot(2, "enter").pick_up()
    assert found(lucky) == []


# -- a payment pushed on to the player ---------------------------------------------------------------------------------
@pytest.mark.parametrize(("zones", "paid"), [(("seat2.ante",), True), (("seat2.ante", "rack"), False)])
def test_payment_that_lies_before_the_player_now_was_pushed_on_to_him(
    dice: Felt, zones: tuple[str, ...], *, paid: bool
) -> None:
    """With his hand over the rack the dealer may have taken it back; the same cheques are the player's own then."""
    won_with_nineteen(dice).pay_spot(2, "ante", "10").hand("dealer", *zones).remove("s2.ante.pay")
    dice.put_chips("s2.own", "10", dice.at("seat2.ante", away=300.0))
    dice.snap().pick_up_seat(2).cover_dice().collect_spot(2, "ante")
    assert [finding for finding in accused(dice) if finding[1] == "P033"] == ([] if paid else [UNPAID])


def test_bet_missed_just_before_it_was_taken_is_not_the_greater_one_of_the_next_round(dice: Felt) -> None:
    dice.bets({2: "10"}, "ante").card(2, "2c").roll(4, 6, colours=("red", "red")).remove("s2.ante.1")
    dice.snap().hand("dealer", "rack", "seat2.ante").snap().pick_up_seat(2).cover_dice()
    dice.bets({2: "red red red red"}, "ante").snap()
    assert [finding for finding in accused(dice) if finding[1] in ("P032", "P033", "P035")] == []


# -- a card hidden by the hand that brings the next --------------------------------------------------------------------
def test_card_hidden_while_the_next_is_not_read_yet_lies_where_its_face_is_seen_again() -> None:
    """It did not move to where the next one came, nor turn: the first one lies across for the Chuck-a-Luck wager."""
    felt = Felt(wide_profile("dicey_21", ("ante", "raise", "chuck3"), seats=2))
    felt.bets({1: "10"}, "ante").bets({1: "5"}, "chuck3").card(1, "8d", sideways=True)
    first = felt.things.pop("s1.h1.0")
    x, y = first.xy_mm
    felt.hand("player", "seat1.cards", seat=1).hand("dealer", "shoe", "seat1.cards")
    felt.things["s1.h1.1"] = SeenObject(kind="card", xy_mm=(x + 25.0, y - 53.0), angle_deg=0.0)
    felt.snap(covered=["seat1.cards", "seat1.raise"])
    felt.things["s1.h1.0"] = first
    felt.put_card("s1.h1.1", "7d", (x + 25.0, y - 53.0), 0.0)
    (seat,) = only_round(felt.snap().roll(4, 5, 2).pick_up_seat(1)).observed.round.seats.values()
    assert [[str(card) for card in hand] for hand in seat.hands] == [["8d", "7d"]]
    assert not {"P045", "P049"} & {procedure for _, procedure, _ in accused(felt)}


def test_card_drawn_while_a_hand_hides_the_others_is_not_one_of_them_moved(felt: Felt) -> None:
    """The last look at the second card was unsure of its face; the drawn one shows another."""
    felt.bets({1: "20"}).deal({1: "Th 2c"}, dealer="Td 9s")
    second = replace(felt.things["s1.h1.1"], card="3c", candidates={"3c": 0.5, "2c": 0.44})
    felt.states[-1] = replace(
        felt.states[-1], objects=(*(it for it in felt.states[-1].objects if it.card != "2c"), second)
    )
    felt.hand("player", "seat1.cards", seat=1).hand("dealer", "shoe", "seat1.cards")
    x, y = felt.things["s1.h1.1"].xy_mm
    felt.put_card("s1.h1.2", "8c", (x - 28.0, y - 28.0), felt.axis(1))
    felt.things["s1.h1.2"] = replace(felt.things["s1.h1.2"], candidates={"8c": 0.81, "8h": 0.13})
    hidden = {name: felt.things.pop(name) for name in ("s1.h1.0", "s1.h1.1")}
    felt.snap(covered=["seat1.cards"])
    felt.things |= hidden
    felt.things["s1.h1.1"] = replace(hidden["s1.h1.1"], card=None, candidates={"2c": 0.34, "3c": 0.27})
    felt.snap()
    felt.things["s1.h1.1"] = hidden["s1.h1.1"]
    felt.snap().turn().pay(1, "20").collect(1).pick_up()
    assert accused(felt) == []


def test_of_two_cards_missed_one_after_the_other_none_is_a_third() -> None:
    """The first was never read: missed, it was taken for the second one come back, and dealt when it was seen again."""
    felt = Felt(wide_profile("blackjack", ("main", "trilux"), seats=2)).bets({1: "20", 2: "20"})
    felt.bets({1: "5"}, "trilux").deal({1: "Th 7c", 2: "9s 3c"}, dealer="4c 8s")
    first, second = felt.names("s2.h1.")
    felt.states = [
        replace(state, objects=tuple(_unread(one) if one.card == "9s" else one for one in state.objects))
        for state in felt.states
    ]
    felt.things[first] = _unread(felt.things[first])
    missed(felt, second)
    del felt.states[-1]
    missed(felt, first).take_spot(1, "trilux").turn()
    felt.dealer_hits("Qc").pay(2, "20").collect(2).pay(1, "20").collect(1).pick_up()
    assert len(only_round(felt).observed.round.seats[2].hands[0]) == 2
    assert [one for one in accused(felt) if one[0] == "violation"] == []


def _unread(item: SeenObject) -> SeenObject:
    return replace(item, card=None, candidates={})
