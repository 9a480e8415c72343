"""Rounds of Draw 'n Shoot 21 (000), Dicey 21 (001), 21 Stud (002) and Lucky Draw Baccarat (003)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.paytables import load_rules
from audit.procedures.drafts import Session
from audit.procedures.shoe import cards_in_a_deck
from audit.reconstruction.places import Places
from audit.states import StackCandidate
from tests.audit.asking import accused, found, only_round
from tests.audit.hands_of_cards import closed, dealt, drawn, finished, opened, over, shown, turned
from tests.notation import Felt, unread_die, wide_profile


# -- Draw 'n Shoot 21 --------------------------------------------------------------------------------------------------
@pytest.fixture
def shoot() -> Felt:
    return Felt(wide_profile("draw_n_shoot_21", ("craps", "ante", "raise")))


def shot(felt: Felt, *, first: str = "Ts", dice: tuple[int, int] = (4, 5), hits: str = "") -> Felt:
    """Seat 2 antes 20, is dealt a card, perhaps hits, and the dice are shown."""
    felt.bets({2: "20"}, "ante").card(2, first)
    for code in hits.split():
        felt.card(2, code)
    return felt.roll(*dice)


def test_nineteen_with_the_roll_paid_evenly_is_right(shoot: Felt) -> None:
    assert found(over(shot(shoot).pay_spot(2, "ante", "20"))) == []


def test_record_of_the_round_can_be_settled(shoot: Felt) -> None:
    one = only_round(over(shot(shoot).pay_spot(2, "ante", "20"))).observed.round
    assert [die.value for die in one.dice] == [4, 5]
    assert [[str(card) for card in play.hands[0]] for play in one.seats.values()] == [["Ts"]]
    assert [(wager.key.bet, str(wager.amount)) for wager in one.wagers] == [("ante", "20")]


def test_blackjack_with_one_card_paid_evenly_breaks_p033(shoot: Felt) -> None:
    assert accused(over(shot(shoot, dice=(5, 6)).pay_spot(2, "ante", "20"))) == [("violation", "P033", "-20.00")]


def test_seventeen_taken_breaks_p034(shoot: Felt) -> None:
    shot(shoot, dice=(3, 4)).take_spot(2, "ante").pick_up_seat(2).cover_dice()
    assert accused(shoot) == [("violation", "P034", "-20.00")]


def test_sixteen_left_breaks_p035(shoot: Felt) -> None:
    assert accused(over(shot(shoot, dice=(2, 4)))) == [("violation", "P035", "20.00")]


def test_hit_on_hard_nineteen_breaks_p017(shoot: Felt) -> None:
    shot(shoot, hits="9c 2d", dice=(1, 1)).take_spot(2, "ante").pick_up_seat(2).cover_dice()
    assert accused(shoot) == [("violation", "P017", None)]


def test_soft_nineteen_may_be_hit(shoot: Felt) -> None:
    shot(shoot, first="Ac", hits="8c 2d", dice=(1, 1)).take_spot(2, "ante").pick_up_seat(2).cover_dice()
    assert found(shoot) == []  # 13 with the ace as one


def test_raise_of_three_antes_breaks_p012(shoot: Felt) -> None:
    shoot.bets({2: "20"}, "ante").card(2, "Ts").bets({2: "60"}, "raise").roll(4, 5)
    shoot.pay_spot(2, "ante", "20").pay_spot(2, "raise", "60").collect_spot(2, "raise")
    assert accused(over(shoot)) == [("violation", "P012", None)]


def test_raise_after_a_hit_breaks_p011(shoot: Felt) -> None:
    shoot.bets({2: "20"}, "ante").card(2, "2s").card(2, "8c").bets({2: "40"}, "raise").roll(4, 5)
    shoot.pay_spot(2, "ante", "20").pay_spot(2, "raise", "40").collect_spot(2, "raise")
    assert accused(over(shoot)) == [("violation", "P011", None)]


def test_raise_before_the_first_card_breaks_p004(shoot: Felt) -> None:
    shoot.bets({2: "20"}, "ante").bets({2: "40"}, "raise").card(2, "Ts").roll(4, 5)
    shoot.pay_spot(2, "ante", "20").pay_spot(2, "raise", "40").collect_spot(2, "raise")
    assert accused(over(shoot)) == [("violation", "P004", None)]


def craps(felt: Felt, *, lateral: bool = True, dice: tuple[int, int] = (4, 5)) -> Felt:
    """Seat 2 bets 20 on the ante and 10 on craps and is dealt a nine."""
    return felt.bets({2: "20"}, "ante").bets({2: "10"}, "craps").card(2, "9s", sideways=lateral).roll(*dice)


def test_craps_nine_with_nine_paid_four_to_one_is_right(shoot: Felt) -> None:
    craps(shoot).pay_spot(2, "craps", "40").collect_spot(2, "craps").pay_spot(2, "ante", "20")
    assert found(over(shoot)) == []


def test_craps_nine_with_nine_paid_evenly_breaks_p030(shoot: Felt) -> None:
    craps(shoot).pay_spot(2, "craps", "10").collect_spot(2, "craps").pay_spot(2, "ante", "20")
    assert accused(over(shoot)) == [("violation", "P030", "-30.00")]


def test_winning_craps_swept_breaks_p026(shoot: Felt) -> None:
    craps(shoot).take_spot(2, "craps").pay_spot(2, "ante", "20")
    assert accused(over(shoot)) == [("violation", "P026", "-50.00")]


def test_craps_on_seven_taken_breaks_p031(shoot: Felt) -> None:
    craps(shoot, dice=(3, 4)).take_spot(2, "craps").take_spot(2, "ante").pick_up_seat(2).cover_dice()
    assert accused(shoot) == [("violation", "P031", "-10.00")]


def test_upright_first_card_beside_craps_breaks_p008(shoot: Felt) -> None:
    craps(shoot, lateral=False).pay_spot(2, "craps", "40").collect_spot(2, "craps").pay_spot(2, "ante", "20")
    assert accused(over(shoot)) == [("violation", "P008", None)]


@pytest.mark.parametrize("lateral", [True, False])
def test_card_turned_when_its_seat_is_settled_was_laid_as_it_lay_before(shoot: Felt, *, lateral: bool) -> None:
    """000, step 3 (L44), is of the deal: the dealer squares the cards up as he picks them up in step 8."""
    bets = {"craps": "40", "ante": "20"} if lateral else {"ante": "20"}
    shoot.bets({2: "20"}, "ante")
    if lateral:
        shoot.bets({2: "10"}, "craps")
    shoot.card(2, "9s", sideways=lateral).roll(4, 5)
    card = shoot.things["s2.h1.0"]
    shoot.things["s2.h1.0"] = replace(card, angle_deg=shoot.axis(2) + 90.0 * (not lateral))
    shoot.hand("dealer", "seat2.cards").snap()
    for bet, amount in bets.items():
        shoot.pay_spot(2, bet, amount)
    for bet in bets:
        shoot.collect_spot(2, bet)
    assert found(shoot.pick_up_seat(2).cover_dice()) == []


def test_lateral_first_card_without_craps_breaks_p009(shoot: Felt) -> None:
    shoot.bets({2: "20"}, "ante").card(2, "Ts", sideways=True).roll(4, 5).pay_spot(2, "ante", "20")
    assert accused(over(shoot)) == [("violation", "P009", None)]


def test_second_card_without_an_ante_breaks_p010(shoot: Felt) -> None:
    shoot.bets({2: "10"}, "craps").card(2, "9s", sideways=True).card(2, "3c").roll(4, 5)
    shoot.pay_spot(2, "craps", "40").collect_spot(2, "craps").pick_up_seat(2).cover_dice()
    assert accused(shoot) == [("violation", "P010", None)]


def test_losing_craps_swept_after_a_payment_breaks_p025(shoot: Felt) -> None:
    craps(shoot, dice=(4, 6)).pay_spot(2, "ante", "20").take_spot(2, "craps")
    assert accused(over(shoot)) == [("violation", "P025", None)]


def two_of_craps(felt: Felt, *, late: bool) -> Felt:
    """Nine: seat 3's eight is a push by the 21 rules; seat 2's five loses at Craps, and at 21."""
    felt.bets({2: "20", 3: "20"}, "ante").bets({2: "10"}, "craps").card(2, "5s", sideways=True).card(3, "8s")
    felt.roll(4, 5)
    felt = felt if late else felt.take_spot(2, "craps")
    felt.pick_up_seat(3).collect_spot(3, "ante")
    felt = felt.take_spot(2, "craps") if late else felt
    return felt.take_spot(2, "ante").pick_up_seat(2).cover_dice()


def test_losing_craps_swept_after_a_pushed_hand_is_put_away_breaks_p025(shoot: Felt) -> None:
    """Step 8 has begun with the cards of the rightmost player, whose bet neither won nor lost (000:L50-54)."""
    assert accused(two_of_craps(shoot, late=True)) == [("violation", "P025", None)]


def test_bet_that_is_taken_before_the_dice_are_shown_is_told_as_that_and_makes_no_craps_bet_late(shoot: Felt) -> None:
    """Seat 3 broke and was taken from at once (P036); the losing Craps bet is collected first of all after the roll."""
    shoot.bets({2: "20", 3: "20"}, "ante").bets({2: "10"}, "craps").card(2, "5s", sideways=True).card(3, "Ts")
    shoot.hand("player", "seat3.cards", seat=3).card(3, "6c").hand("player", "seat3.cards", seat=3).card(3, "9d")
    shoot.take_spot(3, "ante").pick_up_seat(3).roll(4, 5).take_spot(2, "craps").take_spot(2, "ante")
    assert "P025" not in {procedure for _, procedure, _ in accused(shoot.pick_up_seat(2).cover_dice())}


def test_losing_craps_swept_before_a_pushed_hand_is_put_away_is_right(shoot: Felt) -> None:
    assert accused(two_of_craps(shoot, late=False)) == []


def test_die_turned_after_the_reveal_breaks_p022(shoot: Felt) -> None:
    shot(shoot).roll(4, 6)
    assert ("violation", "P022", None) in accused(over(shoot.pay_spot(2, "ante", "20")))


@pytest.mark.parametrize(("paid", "cause"), [("20", 0), ("25", None)])
def test_payment_as_a_turned_die_makes_it_follows_from_the_turning(shoot: Felt, paid: str, cause: int | None) -> None:
    """Ten and seven are a push; with a five made of the four they are 18, an even win. 25 is wrong either way."""
    shot(shoot, dice=(4, 3)).roll(5, 3)
    over(shoot.pay_spot(2, "ante", paid))
    found_ = [(one.procedures[0], one.because_of) for one in only_round(shoot).findings]
    assert found_ == [("P022", None), ("P034", cause)]


def test_unread_die_is_undetermined(shoot: Felt) -> None:
    over(shot(shoot).pay_spot(2, "ante", "20"))
    shoot.states = unread_die(shoot.states, 5)
    (finding,) = only_round(shoot).findings
    assert (finding.verdict.value, finding.observed) == ("undetermined", "die 2 not read")


def test_payment_wrong_whatever_the_unread_die_shows_is_a_violation(shoot: Felt) -> None:
    over(shot(shoot).pay_spot(2, "ante", "40"))
    shoot.states = unread_die(shoot.states, 5)
    assert [one[0] for one in accused(shoot)] == ["violation"]


def test_hit_before_an_earlier_seat_is_done_breaks_p014(shoot: Felt) -> None:
    shoot.bets({1: "20", 2: "20"}, "ante").card(1, "2c").card(2, "2d").card(2, "9c").card(1, "9d").roll(3, 6)
    shoot.pay_spot(2, "ante", "20").collect_spot(2, "ante").pick_up_seat(2)
    shoot.pay_spot(1, "ante", "20").collect_spot(1, "ante").pick_up_seat(1).cover_dice()
    assert accused(shoot) == [("violation", "P014", None)]


# -- Dicey 21 ----------------------------------------------------------------------------------------------------------
@pytest.fixture
def dicey() -> Felt:
    return Felt(wide_profile("dicey_21", ("ante", "raise", *(f"chuck{n}" for n in range(1, 7)))))


def test_dicey_score_counts_only_the_two_matching_dice(dicey: Felt) -> None:
    dicey.bets({2: "20"}, "ante").card(2, "Ts").roll(4, 5, 2).pay_spot(2, "ante", "20")
    assert found(over(dicey)) == []


def test_two_of_a_number_paid_two_to_one_is_right(dicey: Felt) -> None:
    dicey.bets({2: "10"}, "chuck4").card(2, "9s", sideways=True).roll(4, 5, 4).pay_spot(2, "chuck4", "20")
    dicey.collect_spot(2, "chuck4").pick_up_seat(2).cover_dice()
    assert found(dicey) == []
    assert only_round(dicey).observed.round.wagers[0].key.number == 4


def test_two_of_a_number_paid_evenly_breaks_p054(dicey: Felt) -> None:
    dicey.bets({2: "10"}, "chuck4").card(2, "9s", sideways=True).roll(4, 5, 4).pay_spot(2, "chuck4", "10")
    dicey.collect_spot(2, "chuck4").pick_up_seat(2).cover_dice()
    assert accused(dicey) == [("violation", "P054", "-10.00")]


def test_number_not_shown_left_breaks_p055(dicey: Felt) -> None:
    dicey.bets({2: "10"}, "chuck6").card(2, "9s", sideways=True).roll(4, 5, 4)
    dicey.collect_spot(2, "chuck6").pick_up_seat(2).cover_dice()
    assert accused(dicey) == [("violation", "P055", "10.00")]


def test_four_numbers_break_p042(dicey: Felt) -> None:
    for number in (1, 2, 3, 6):
        dicey.bets({2: "10"}, f"chuck{number}")
    dicey.card(2, "9s", sideways=True).roll(4, 5, 4)
    for number in (1, 2, 3, 6):
        dicey.take_spot(2, f"chuck{number}")
    assert accused(dicey.pick_up_seat(2).cover_dice()) == [("violation", "P042", None)]


def test_winner_paid_before_a_loser_is_taken_breaks_p053(dicey: Felt) -> None:
    dicey.bets({2: "10"}, "chuck4").bets({2: "10"}, "chuck6").card(2, "9s", sideways=True).roll(4, 5, 3)
    dicey.pay_spot(2, "chuck4", "10").take_spot(2, "chuck6").collect_spot(2, "chuck4").pick_up_seat(2).cover_dice()
    assert accused(dicey) == [("violation", "P053", None)]


def test_three_dice_of_one_colour_break_p041(dicey: Felt) -> None:
    dicey.bets({2: "10"}, "chuck6").card(2, "9s", sideways=True).roll(4, 5, 4, colours=("red", "red", "red"))
    dicey.take_spot(2, "chuck6").pick_up_seat(2).cover_dice()
    assert ("violation", "P041", None) in accused(dicey)


# -- 21 Stud -----------------------------------------------------------------------------------------------------------
@pytest.fixture
def stud() -> Felt:
    return Felt(wide_profile("stud_21", ("match1", "match2", "mirror", "base")))


def test_higher_base_paid_evenly_is_right(stud: Felt) -> None:
    turned(dealt(stud, "Th 9c", base="20"), "Td", "8s").pay_spot(2, "base", "20")
    assert found(finished(stud)) == []


def test_tie_left_breaks_p083(stud: Felt) -> None:
    turned(dealt(stud, "Th 8c", base="20"), "Td", "8s")
    assert accused(finished(stud)) == [("violation", "P083", "20.00")]


def test_blackjack_paid_evenly_breaks_p081(stud: Felt) -> None:
    turned(dealt(stud, "Ah Ac", base="20"), "Td", "8s").pay_spot(2, "base", "20")
    assert accused(finished(stud)) == [("violation", "P081", "-10.00")]


def test_lower_base_paid_breaks_p084(stud: Felt) -> None:
    turned(dealt(stud, "Th 2c", base="20"), "Td", "8s").pay_spot(2, "base", "20")
    assert accused(finished(stud)) == [("violation", "P084", "40.00")]


def test_mirror_pair_of_mixed_colours_paid_five_to_one_is_right(stud: Felt) -> None:
    dealt(stud, "9h 9c", base="20", mirror="5").pay_spot(2, "mirror", "25").collect_spot(2, "mirror")
    turned(stud, "8d", "8s").pay_spot(2, "base", "20")
    assert found(finished(stud)) == []


def test_mirror_settled_after_card_1_breaks_p072(stud: Felt) -> None:
    dealt(stud, "9h 7c", base="20", mirror="5").dealer_zone_card("dealer.card1", "7d").take_spot(2, "mirror")
    stud.dealer_zone_card("dealer.card2", "8s").pay_spot(2, "base", "20")
    assert accused(finished(stud)) == [("violation", "P072", None)]


def test_mirror_pair_taken_breaks_p073(stud: Felt) -> None:
    dealt(stud, "9h 9c", base="20", mirror="5").take_spot(2, "mirror")
    turned(stud, "8d", "8s").pay_spot(2, "base", "20")
    assert accused(finished(stud)) == [("violation", "P073", "-30.00")]


def test_match_1_paid_on_card_1_is_right_and_after_card_2_breaks_p076(stud: Felt) -> None:
    turned(dealt(stud, "9h 8c", base="20", match1="5"), "9d", "7s").pay_spot(2, "match1", "20")
    stud.collect_spot(2, "match1").pay_spot(2, "base", "20")
    assert accused(finished(stud)) == [("violation", "P076", None)]


def test_match_2_after_base_breaks_p079(stud: Felt) -> None:
    turned(dealt(stud, "9h 8c", base="20", match2="5"), "7d", "9s").pay_spot(2, "base", "20")
    stud.pay_spot(2, "match2", "20").collect_spot(2, "match2")
    assert accused(finished(stud)) == [("violation", "P079", None)]


def test_base_missed_while_it_was_paid_is_paid_when_it_is_seen_again_and_not_match_2_beside_it() -> None:
    felt = dealt(Felt(wide_profile("stud_21", ("match2", "base"))), "9h 8c", base="20", match2="5")
    for name, right in (("s2.match2.1", 20.0), ("s2.base.1", 0.0)):
        spot = felt.at("seat2." + name.split(".")[1], right)
        felt.things[name] = replace(felt.things[name], xy_mm=spot)
    turned(felt, "7d", "9s").pay_spot(2, "match2", "20")
    missed = felt.things.pop("s2.base.1")
    for _ in range(3):
        felt.hand("dealer", "rack", "seat2.base").snap()
    felt.hand("dealer", "rack", "seat2.base").things["s2.base.1"] = missed
    for number, away in enumerate((-22.0, 20.0)):
        felt.put_chips(f"s2.base.pay{number}", "10", felt.at("seat2.base", -38.0, away))
    assert accused(finished(felt.snap())) == []
    paid = sorted((one.key.bet, str(one.amount)) for one in only_round(felt).observed.pays)
    assert paid == [("base", "10"), ("base", "10"), ("match2", "20")]


def test_backs_of_the_dealers_cards_that_are_missed_by_turns_are_two_cards_each_in_its_place(stud: Felt) -> None:
    stud.bets({2: "20"}, "base").bets({2: "5"}, "match1").card(2, "9h").card(2, "8c")
    for name in ("dealer.card1", "dealer.card2"):
        stud.dealer_zone_card(name, "back")
        stud.remove(f"d.{name}")
        stud.snap()
    stud.dealer_zone_card("dealer.card1", "9d").pay_spot(2, "match1", "20").collect_spot(2, "match1")
    stud.dealer_zone_card("dealer.card2", "7s").pay_spot(2, "base", "20")
    assert accused(finished(stud)) == []


def test_match_2_paid_for_card_1_breaks_p080(stud: Felt) -> None:
    turned(dealt(stud, "9h 8c", base="20", match2="5"), "9d", "7s").pay_spot(2, "match2", "20")
    stud.collect_spot(2, "match2").pay_spot(2, "base", "20")
    assert accused(finished(stud)) == [("violation", "P080", "25.00")]


def test_card_2_turned_first_breaks_p075(stud: Felt) -> None:
    dealt(stud, "Th 9c", base="20").dealer_zone_card("dealer.card2", "8s").dealer_zone_card("dealer.card1", "Td")
    stud.pay_spot(2, "base", "20")
    assert accused(finished(stud)) == [("violation", "P075", None)]


def test_third_card_breaks_p071(stud: Felt) -> None:
    turned(dealt(stud, "Th 9c 2c", base="20"), "Td", "8s").pay_spot(2, "base", "20")
    assert ("violation", "P071", None) in accused(finished(stud))


def test_late_base_money_breaks_p068(stud: Felt) -> None:
    stud.bets({2: "20"}, "base").card(2, "Th").bets({2: "5"}, "mirror").card(2, "9c")
    stud.dealer_zone_card("dealer.card1", "back").dealer_zone_card("dealer.card2", "back").take_spot(2, "mirror")
    turned(stud, "Td", "8s").pay_spot(2, "base", "20")
    assert accused(finished(stud)) == [("violation", "P068", None)]


@pytest.mark.parametrize(("p", "verdict"), [(0.95, "violation"), (0.6, "suspect")])
def test_late_money_that_no_reading_is_sure_of_is_suspected(stud: Felt, p: float, verdict: str) -> None:
    stud.bets({2: "20"}, "base").card(2, "Th").bets({2: "5"}, "mirror").card(2, "9c")
    stud.dealer_zone_card("dealer.card1", "back").dealer_zone_card("dealer.card2", "back").take_spot(2, "mirror")
    finished(turned(stud, "Td", "8s").pay_spot(2, "base", "20"))
    ways = (StackCandidate(stack=("red",), p=p), StackCandidate(stack=("red", "red"), p=1 - p))
    for place, state in enumerate(stud.states):
        blurred = [replace(one, stack=None, stacks=ways) if one.stack == ("red",) else one for one in state.objects]
        stud.states[place] = replace(state, objects=tuple(blurred))
    assert [found for found, procedure, _ in accused(stud) if procedure == "P068"] == [verdict]


def test_side_bet_without_base_breaks_p066(stud: Felt) -> None:
    dealt(stud, "9h 7c", mirror="5").take_spot(2, "mirror")
    assert ("violation", "P066", None) in accused(finished_without_base(turned(stud, "Td", "8s")))


def finished_without_base(felt: Felt) -> Felt:
    felt.pick_up_seat(2).hand("dealer", "dealer.card1", "dealer.card2")
    for name in felt.names("d."):
        felt.remove(name)
    return felt.snap()


# -- Lucky Draw Baccarat -----------------------------------------------------------------------------------------------
@pytest.fixture
def lucky() -> Felt:
    return Felt(wide_profile("lucky_draw_baccarat", ("block_bonus", "draw", "enter")))


def test_enter_higher_paid_evenly_is_right(lucky: Felt) -> None:
    shown(opened(lucky, "9h Tc", "5d", enter="20"), "2c").pay_spot(2, "enter", "20")
    assert found(closed(lucky)) == []


def test_enter_tie_paid_breaks_p104(lucky: Felt) -> None:
    shown(opened(lucky, "7h Tc", "5d", enter="20"), "2c").pay_spot(2, "enter", "20")
    assert accused(closed(lucky)) == [("violation", "P104", "20.00")]


def test_dealer_who_stands_on_4_breaks_p102(lucky: Felt) -> None:
    shown(opened(lucky, "9h Tc", "2d", enter="20"), "2c").pay_spot(2, "enter", "20")
    assert accused(closed(lucky)) == [("violation", "P102", None)]


def test_dealer_who_draws_on_5_breaks_p103(lucky: Felt) -> None:
    shown(opened(lucky, "9h Tc", "3d", enter="20"), "2c", "3h").pay_spot(2, "enter", "20")
    assert accused(closed(lucky)) == [("violation", "P103", None)]


def test_draw_to_nine_paid_three_to_one_is_right(lucky: Felt) -> None:
    shown(drawn(lucky), "2c").pay_spot(2, "draw", "60").collect_spot(2, "draw").pay_spot(2, "enter", "20")
    assert found(closed(lucky)) == []


def test_draw_to_nine_paid_evenly_breaks_p105(lucky: Felt) -> None:
    shown(drawn(lucky), "2c").pay_spot(2, "draw", "20").collect_spot(2, "draw").pay_spot(2, "enter", "20")
    assert accused(closed(lucky)) == [("violation", "P105", "-40.00")]


def test_draw_unlike_enter_breaks_p099(lucky: Felt) -> None:
    shown(drawn(lucky, "10"), "2c").pay_spot(2, "draw", "30").collect_spot(2, "draw").pay_spot(2, "enter", "20")
    assert accused(closed(lucky)) == [("violation", "P099", None)]


def test_third_card_without_a_draw_bet_breaks_p099(lucky: Felt) -> None:
    shown(opened(lucky, "5h Tc", "5d", enter="20").card(2, "4c"), "2c").pay_spot(2, "enter", "20")
    assert accused(closed(lucky)) == [("violation", "P099", None)]


def test_dealers_card_turned_before_a_draw_breaks_p101(lucky: Felt) -> None:
    shown(opened(lucky, "5h Tc", "5d", enter="20"), "2c").bets({2: "20"}, "draw").card(2, "4c")
    lucky.pay_spot(2, "draw", "60").collect_spot(2, "draw").pay_spot(2, "enter", "20")
    assert [one[1] for one in accused(closed(lucky))] == ["P101"]


def test_block_bonus_loser_left_breaks_p097(lucky: Felt) -> None:
    shown(opened(lucky, "9h Tc", "5d", enter="20", block_bonus="5"), "2c").pay_spot(2, "enter", "20")
    lucky.collect_spot(2, "block_bonus")
    assert accused(closed(lucky)) == [("violation", "P097", "5.00")]


def test_block_bonus_settled_after_a_draw_breaks_p096(lucky: Felt) -> None:
    opened(lucky, "5h Tc", "5d", enter="20", block_bonus="5").bets({2: "20"}, "draw").take_spot(2, "block_bonus")
    shown(lucky.card(2, "4c"), "2c").pay_spot(2, "draw", "60").collect_spot(2, "draw").pay_spot(2, "enter", "20")
    assert accused(closed(lucky)) == [("violation", "P096", None)]


def test_block_bonus_without_enter_breaks_p092(lucky: Felt) -> None:
    shown(opened(lucky, "9h Tc", "5d", block_bonus="5").take_spot(2, "block_bonus"), "2c")
    assert ("violation", "P092", None) in accused(closed(lucky))


@pytest.mark.parametrize(("variant", "cards"), [("[variant]\nspanish = true\n", 48), ("", 52)])
def test_spanish_shoe_has_no_pip_tens_to_count(variant: str, cards: int) -> None:
    """What is more than the shoe holds was shuffled in between; 002."""
    felt = Felt(wide_profile("stud_21", ("base",), extra=variant))
    rules = load_rules(felt.profile.game, felt.profile.rules, felt.profile.variant)
    session = Session(states=(), cases=(), rules=rules, places=Places(profile=felt.profile))
    assert cards_in_a_deck(session) == cards


def test_pip_ten_in_a_spanish_shoe_breaks_p060() -> None:
    felt = Felt(wide_profile("stud_21", ("base",), extra="[variant]\nspanish = true\n"))
    turned(dealt(felt, "Th 9c", base="20"), "Kd", "8s").pay_spot(2, "base", "20")
    assert accused(finished(felt)) == [("violation", "P060", None)]
