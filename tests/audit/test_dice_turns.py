"""Draw 'n Shoot 21 and Dicey 21: raises, the order within a player's turn and between players, cup and dice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from audit.pipeline import audit_states
from audit.readings import RECOGNISED
from tests.audit.asking import accused, audited, found, only_round
from tests.audit.pairs.dice import dicey, shoot
from tests.audit.pairs.pair import put
from tests.notation import Felt


def raised(felt: Felt, amount: str, to: str = "") -> Felt:
    """Seat 2 raises, and perhaps grows the raise."""
    felt.bets({2: amount}, "raise")
    if to:
        felt.hand("player", "seat2.raise", seat=2)
        felt.put_chips("s2.raise.1", to, felt.at("seat2.raise"))
        felt.snap()
    return felt


def nineteen(felt: Felt) -> Felt:
    """The roll makes a nineteen of seat 2's ten, or six and four."""
    return felt.roll(4, 5) if felt.profile.game == "draw_n_shoot_21" else felt.roll(4, 5, 2)


def paid(felt: Felt, ante: str = "10", more: str = "") -> Felt:
    felt.pay_spot(2, "ante", ante)
    if more:
        felt.pay_spot(2, "raise", more)
    felt.collect_spot(2, "ante")
    return (felt.collect_spot(2, "raise") if more else felt).pick_up_seat(2).cover_dice()


def test_raise_that_grows_before_a_hit_is_one_raise() -> None:
    felt = raised(shoot().bets({2: "10"}, "ante").card(2, "6s"), "10", to="20")
    assert accused(paid(nineteen(felt.hit(2, "4c")), more="20")) == []


def test_raise_that_grows_after_a_hit_breaks_p011_and_its_payment_follows() -> None:
    felt = shoot().bets({2: "10"}, "ante").card(2, "6s")
    felt = felt.bets({2: "10"}, "raise").hit(2, "4c").hand("player", "seat2.raise", seat=2)
    felt.put_chips("s2.raise.1", "20", felt.at("seat2.raise"))
    assert accused(paid(nineteen(felt.snap()), more="20")) == [
        ("violation", "P011", None),
        ("violation", "P033", "10.00"),
    ]


def test_second_pile_on_the_raise_after_a_hit_breaks_p011() -> None:
    felt = shoot().bets({2: "10"}, "ante").card(2, "6s").bets({2: "10"}, "raise").hit(2, "4c")
    felt.hand("player", "seat2.raise", seat=2).put_chips("s2.raise.2", "10", felt.at("seat2.raise", 24.0))
    assert ("violation", "P011", None) in accused(paid(nineteen(felt.snap()), more="10"))


def test_raise_after_the_reveal_breaks_p011_and_says_nothing_of_the_cup() -> None:
    felt = nineteen(shoot().bets({2: "10"}, "ante").card(2, "Ts")).bets({2: "10"}, "raise")
    assert accused(paid(felt, more="10")) == [("violation", "P011", None)]


def test_raise_after_the_reveal_is_not_told_again_as_out_of_turn() -> None:
    """Seat 3 had drawn before, which is right; seat 2 raises when the dice are shown (000:L45-48)."""
    felt = shoot().bets({2: "10", 3: "10"}, "ante").card(2, "Ts").card(3, "6s").hit(3, "4c")
    felt = nineteen(felt).bets({2: "10"}, "raise").pay_spot(3, "ante", "10").collect_spot(3, "ante").pick_up_seat(3)
    assert accused(paid(felt, more="10")) == [("violation", "P011", None)]


@pytest.mark.parametrize(
    ("cards", "told"),
    [("9d 9h", [("violation", "P017")]), ("9d Ah", [("undetermined", "P017")]), ("4d 2h", [])],
)
def test_hits_of_one_gap_may_have_come_in_either_order(cards: str, told: list[tuple[str, str]]) -> None:
    """To a ten: after nine no card may come; ace and nine may have come in that order, and two and four may."""
    felt = shoot().bets({2: "10"}, "ante").card(2, "Ts")
    for code in cards.split():
        felt.hand("player", "seat2.cards", seat=2).card(2, code, snap=False)
    felt = felt.snap().roll(4, 5).take_spot(2, "ante").pick_up_seat(2).cover_dice()
    assert [one[:2] for one in found(felt)] == told


def test_raise_without_an_ante_breaks_p012_and_what_became_of_it_follows() -> None:
    felt = shoot().bets({2: "10"}, "craps").card(2, "9s", sideways=True).bets({2: "10"}, "raise").roll(4, 4)
    felt.take_spot(2, "craps").collect_spot(2, "raise").pick_up_seat(2).cover_dice()
    assert accused(felt)[0] == ("violation", "P012", None)


def test_raise_of_a_seat_before_a_later_seat_has_hit_breaks_p014() -> None:
    felt = shoot().bets({1: "10", 2: "10"}, "ante").card(1, "Ts").card(2, "6s").hit(2, "4c")
    felt = nineteen(felt.bets({1: "10"}, "raise"))
    for seat, bets in ((2, ("ante",)), (1, ("ante", "raise"))):
        for bet in bets:
            felt.pay_spot(seat, bet, "10")
        for bet in bets:
            felt.collect_spot(seat, bet)
        felt.pick_up_seat(seat)
    assert accused(felt.cover_dice()) == [("violation", "P014", None)]


def craps_and_ante(felt: Felt) -> Felt:
    return felt.bets({2: "10"}, "ante").bets({2: "5"}, "craps").card(2, "9s", sideways=True).roll(4, 5)


def test_craps_paid_after_the_ante_breaks_p029() -> None:
    felt = craps_and_ante(shoot()).pay_spot(2, "ante", "10").pay_spot(2, "craps", "20")
    felt.collect_spot(2, "ante").collect_spot(2, "craps").pick_up_seat(2).cover_dice()
    assert accused(felt) == [("violation", "P029", None)]


def test_craps_paid_before_the_ante_is_right() -> None:
    felt = craps_and_ante(shoot()).pay_spot(2, "craps", "20").pay_spot(2, "ante", "10")
    felt.collect_spot(2, "ante").collect_spot(2, "craps").pick_up_seat(2).cover_dice()
    assert accused(felt) == []


def two_numbers(felt: Felt, *, first: int) -> Felt:
    """Seats 1 and 3 bet on a six that is not thrown; the bets are taken at once, that of one seat first."""
    felt.bets({1: "5", 3: "5"}, "chuck6").card(1, "9h", sideways=True).card(3, "9c", sideways=True).roll(4, 5, 3)
    for seat in (first, 4 - first):
        felt.take_spot(seat, "chuck6").pick_up_seat(seat)
    return felt.cover_dice()


def test_numbers_settled_from_left_to_right_break_p052() -> None:
    assert accused(two_numbers(dicey(), first=1)) == [("violation", "P052", None)]


def test_numbers_settled_from_right_to_left_are_right() -> None:
    assert accused(two_numbers(dicey(), first=3)) == []


@pytest.mark.parametrize(("number_first", "accusation"), [(False, [("violation", "P053", None)]), (True, [])])
def test_ante_paid_before_a_losing_number_is_taken_breaks_p053(
    number_first: bool, accusation: list[tuple[str, str, str | None]]
) -> None:
    felt = dicey().bets({2: "10"}, "ante").bets({2: "5"}, "chuck6").card(2, "Ts", sideways=True).roll(4, 5, 2)
    felt = felt.take_spot(2, "chuck6") if number_first else felt.pay_spot(2, "ante", "10")
    felt = felt.pay_spot(2, "ante", "10") if number_first else felt.take_spot(2, "chuck6")
    felt.collect_spot(2, "ante").pick_up_seat(2).cover_dice()
    assert accused(felt) == accusation


def test_number_paid_before_a_losing_ante_is_taken_is_right() -> None:
    felt = dicey().bets({2: "10"}, "ante").bets({2: "5"}, "chuck6").card(2, "2s", sideways=True).roll(4, 5, 6)
    felt.pay_spot(2, "chuck6", "5").take_spot(2, "ante").collect_spot(2, "chuck6").pick_up_seat(2).cover_dice()
    assert accused(felt) == []


def test_cards_left_until_the_next_player_is_settled_break_p037() -> None:
    felt = shoot().bets({1: "10", 3: "10"}, "ante").card(1, "Th").card(3, "Tc").roll(4, 5)
    for seat in (3, 1):
        felt.pay_spot(seat, "ante", "10").collect_spot(seat, "ante")
    felt.pick_up_seat(3).pick_up_seat(1).cover_dice()
    assert accused(felt) == [("violation", "P037", None)]


def test_card_of_a_side_bet_alone_lifted_before_the_bet_is_paid_breaks_p029() -> None:
    felt = shoot().bets({2: "5"}, "craps").card(2, "9s", sideways=True).roll(4, 5)
    felt.pick_up_seat(2).pay_spot(2, "craps", "20").collect_spot(2, "craps").cover_dice()
    assert accused(felt) == [("violation", "P029", None)]


def test_first_card_face_down_breaks_p007() -> None:
    felt = shoot().bets({1: "10", 2: "10"}, "ante").card(1, "Th").card(2, "back").roll(4, 5)
    felt.take_spot(2, "ante").pick_up_seat(2).pay_spot(1, "ante", "10").collect_spot(1, "ante").pick_up_seat(1)
    assert accused(felt.cover_dice()) == [("violation", "P007", None)]


def test_card_between_upright_and_sideways_is_undetermined() -> None:
    felt = shoot().bets({2: "10"}, "ante").card(2, "Ts")
    name = "s2.h1.0"
    felt.put_card(name, "Ts", felt.things[name].xy_mm, felt.axis(2) + 45.0)
    felt.states.pop()
    felt.hand("dealer", "shoe", "seat2.cards")
    assert ("undetermined", "P008", None) in found(paid(nineteen(felt.snap())))


def test_die_moved_by_the_dealer_breaks_p022() -> None:
    felt = shoot().bets({2: "10"}, "ante").card(2, "Ts").roll(4, 5).hand("dealer", "dice")
    x, y = felt.things["die.1"].xy_mm
    put(felt, "die.1", "die", (x + 45.0, y), value=5, colour="white")
    assert accused(paid(felt.snap())) == [("violation", "P022", None)]


def test_bet_settled_with_the_cup_covered_breaks_p036() -> None:
    felt = shoot()
    put(felt, "cup", "dice_cup", felt.at("dice"), lid="on", shakes=0)
    felt.bets({2: "10"}, "ante").card(2, "Ts")
    felt.pay_spot(2, "ante", "10").collect_spot(2, "ante").pick_up_seat(2)
    assert ("violation", "P036", None) in accused(felt)


def test_shaking_before_a_hit_is_one_error_and_too_few_shakes_after_it_follow() -> None:
    felt = shoot()
    put(felt, "cup", "dice_cup", felt.at("dice"), lid="on", shakes=0)
    felt.bets({2: "10"}, "ante").card(2, "6s").hand("dealer", "dice")
    put(felt, "cup", "dice_cup", felt.at("dice"), lid="on", shakes=3)
    felt.snap()
    put(felt, "cup", "dice_cup", felt.at("dice"), lid="on", shakes=0)
    felt.hit(2, "4c")
    felt.remove("cup")
    put(felt, "cup", "dice_cup", felt.at("dice"), lid="off", shakes=0)
    nineteen(felt).pay_spot(2, "ante", "10").collect_spot(2, "ante").pick_up_seat(2)
    put(felt, "cup", "dice_cup", felt.at("dice"), lid="on", shakes=0)

    early, shakes = only_round(felt.cover_dice()).findings
    assert (early.procedures[0], shakes.procedures[0], shakes.because_of) == ("P019", "P018", 0)


@pytest.mark.parametrize(("shakes", "told"), [(1, False), (3, True)])
def test_one_shake_before_a_hit_may_be_an_arm_before_the_cup_in_recognised_footage(shakes: int, told: bool) -> None:
    felt = shoot()
    put(felt, "cup", "dice_cup", felt.at("dice"), lid="on", shakes=0)
    felt.bets({2: "10"}, "ante").card(2, "6s").hand("dealer", "dice")
    put(felt, "cup", "dice_cup", felt.at("dice"), lid="on", shakes=shakes)
    felt.snap()
    put(felt, "cup", "dice_cup", felt.at("dice"), lid="on", shakes=0)
    nineteen(felt.hit(2, "4c")).take_spot(2, "ante").pick_up_seat(2)
    for thresholds, expected in ((RECOGNISED, told), (None, True)):
        rounds = audit_states(felt.states, felt.profile, thresholds=thresholds).rounds
        assert any("P019" in one.procedures and one.code == "cup-early" for one in rounds[0].findings) is expected


def test_payment_that_no_cheque_fits_leaves_the_rounding_open() -> None:
    felt = shoot().bets({2: "6"}, "ante").card(2, "5s").hit(2, "5c").roll(5, 6)
    assert found(paid(felt, ante="7")) == [("undetermined", "P033", None)]


def test_wager_laid_on_an_empty_spot_after_the_reveal_is_late() -> None:
    felt = nineteen(shoot().bets({2: "10"}, "ante").card(2, "9s")).bets({2: "5"}, "craps")
    felt.pay_spot(2, "ante", "10").pay_spot(2, "craps", "20").collect_spot(2, "ante").collect_spot(2, "craps")
    assert ("violation", "P221", None) in accused(felt.pick_up_seat(2).cover_dice())


def test_hand_taken_before_the_reveal_at_dicey_21_breaks_p052() -> None:
    felt = dicey().bets({2: "10"}, "ante").card(2, "Ts").hit(2, "8c").hit(2, "9c").take_spot(2, "ante")
    assert ("violation", "P052", None) in accused(felt.roll(4, 5, 2).pick_up_seat(2).cover_dice())


def test_bet_settled_while_a_hand_was_at_the_covered_cup_is_not_accused() -> None:
    felt = shoot()
    put(felt, "cup", "dice_cup", felt.at("dice"), lid="on", shakes=0)
    felt.bets({2: "10"}, "ante").card(2, "Ts").hand("dealer", "dice").pay_spot(2, "ante", "10")
    felt.collect_spot(2, "ante").pick_up_seat(2)
    assert accused(felt) == []


def test_card_that_may_have_come_before_the_shakes_leaves_them_open() -> None:
    felt = shoot()
    put(felt, "cup", "dice_cup", felt.at("dice"), lid="on", shakes=0)
    felt.bets({2: "10"}, "ante").card(2, "6s")
    felt.hand("player", "seat2.cards", seat=2).hand("dealer", "shoe", "seat2.cards")
    cup = felt.things.pop("cup")
    felt.snap(covered=["seat2.cards", "dice"]).hand("dealer", "dice").snap(covered=["seat2.cards", "dice"])
    felt.card(2, "4c", snap=False)
    felt.things["cup"] = cup
    felt.hands.clear()
    put(felt, "cup", "dice_cup", felt.at("dice"), lid="off", shakes=0)
    assert all(procedure != "P018" for _, procedure, _ in accused(paid(nineteen(felt))))


def hit_under_cover(*, signal: bool = True) -> Felt:
    """Two hits of seat 3 and three shakes of the cup while the seat is out of sight; all is told of the hands."""
    felt = shoot()
    put(felt, "cup", "dice_cup", felt.at("dice"), lid="on", shakes=0)
    felt.bets({2: "10", 3: "10"}, "ante").card(2, "5s").card(3, "2s").hit(2, "5d")
    for code in ("4c", "4d"):
        felt = felt.hand("player", "seat3.cards", seat=3) if signal else felt
        felt.card(3, code, snap=False)
    hits = {name: felt.things.pop(name) for name in felt.names("s3.h")}
    felt.snap(covered=["seat3.cards"]).hand("dealer", "dice")
    put(felt, "cup", "dice_cup", felt.at("dice"), lid="on", shakes=3).snap(covered=["seat3.cards"])
    put(felt, "cup", "dice_cup", felt.at("dice"), lid="off", shakes=0)
    felt.things |= hits
    nineteen(felt).pay_spot(3, "ante", "10").collect_spot(3, "ante").pick_up_seat(3)
    return paid(felt)


def test_cards_laid_out_of_sight_came_after_their_signals_and_before_the_shakes() -> None:
    """The hands at the seat were gone when the cup was shaken."""
    assert accused(hit_under_cover()) == []


def test_cards_that_are_seen_at_once_without_any_signal_are_suspected() -> None:
    assert {one[:2] for one in accused(hit_under_cover(signal=False))} == {("suspect", "P015")}


def test_payment_on_a_late_side_bet_stands_among_the_payments() -> None:
    felt = nineteen(shoot().bets({2: "10"}, "ante").card(2, "9s").bets({2: "5"}, "craps"))
    felt.pay_spot(2, "craps", "20").pay_spot(2, "ante", "10").collect_spot(2, "ante").collect_spot(2, "craps")
    one = only_round(felt.pick_up_seat(2).cover_dice())
    assert ("craps", "20") in [(pay.key.bet, str(pay.amount)) for pay in one.observed.pays]
    assert "craps" not in [wager.key.bet for wager in one.observed.round.wagers]


@pytest.mark.parametrize("steps", [("", "20"), ("10",), ("20", "", "10")], ids=["laid anew", "lowered", "both"])
def test_raise_may_be_changed_until_the_hit_and_counts_as_it_stands_then(steps: tuple[str, ...]) -> None:
    felt = shoot().bets({2: "20"}, "ante").card(2, "6s").bets({2: "30"}, "raise")
    for step in steps:
        felt.hand("player", "seat2.raise", seat=2)
        if step:
            felt.put_chips("s2.raise.1", step, felt.at("seat2.raise"))
        else:
            felt.remove("s2.raise.1")
        felt.snap()
    felt = nineteen(felt.hit(2, "4c"))
    raised = only_round(paid(felt, ante="20", more=steps[-1])).observed.round.wagers[1]
    assert str(raised.amount) == steps[-1]
    assert [one for one in accused(felt) if one[1] in ("P206", "P033")] == []


def settled_out_of_sight(felt: Felt, bet: str = "ante") -> Felt:
    """Something hides the dice from the roll to the end of the round."""
    place = len(felt.bets({2: "10"}, bet).card(2, "Ts", sideways=bet != "ante").states)
    felt.roll(4, 5, 3).take_spot(2, bet).pick_up_seat(2).cover_dice()
    for index in range(place, len(felt.states) - 1):
        seen = tuple(item for item in felt.states[index].objects if item.kind != "die")
        felt.states[index] = replace(felt.states[index], objects=seen, covered=frozenset({"dice"}))
    return felt


@pytest.mark.parametrize(
    ("felt", "bet", "blocked"),
    [
        (shoot, "ante", {"P022", "P023", "P028", "P032", "P033", "P034", "P035", "P036", "P037"}),
        (shoot, "craps", {"P022", "P023", "P025", "P026", "P027", "P028", "P030", "P031", "P032", "P036", "P037"}),
        (dicey, "chuck6", {"P041", "P050", "P052", "P054", "P055", "P056", "P058"}),
    ],
)
def test_dice_never_seen_leave_open_all_that_hangs_on_them(
    felt: Callable[[], Felt], bet: str, blocked: set[str]
) -> None:
    (one,) = only_round(settled_out_of_sight(felt(), bet)).findings
    assert (one.verdict.value, set(one.procedures)) == ("undetermined", blocked)


def test_one_die_seen_of_two_leaves_open_how_many_there_were() -> None:
    felt = shoot().bets({2: "10"}, "ante").card(2, "Ts").roll(4).take_spot(2, "ante").pick_up_seat(2).cover_dice()
    (one,) = only_round(felt).findings
    assert (one.verdict.value, {"P022", "P023", "P032"} <= set(one.procedures)) == ("undetermined", True)
    assert "P028" not in one.procedures


def test_seat_that_got_no_card_is_told_once_for_all_its_wagers() -> None:
    felt = shoot().bets({2: "10", 3: "10"}, "ante").bets({3: "10"}, "craps").card(2, "Ts")
    felt = paid(nineteen(felt)).collect_spot(3, "ante").collect_spot(3, "craps")
    assert accused(felt) == [("violation", "P007", None)]


def test_pushed_craps_paid_after_the_ante_is_one_error() -> None:
    """A six with a seven pushes at Craps and loses at 21 (000:L88); the order follows from the payment."""
    felt = shoot().bets({2: "10"}, "ante").bets({2: "10"}, "craps").card(2, "6s", sideways=True).roll(3, 4)
    felt.take_spot(2, "ante").pay_spot(2, "craps", "10").collect_spot(2, "craps").pick_up_seat(2).cover_dice()
    (one,) = audited(felt).rounds
    because = {each.procedures[0]: each.because_of for each in one.findings}
    assert because["P031"] is None
    assert one.findings[because["P029"] or 0].procedures[0] == "P031"


def test_card_of_a_seat_whose_zone_the_tray_s_overlaps_is_none_in_the_tray() -> None:
    felt = shoot()
    zones = tuple(
        replace(zone, polygon_mm=_wide(felt)) if zone.name == "discard" else zone for zone in felt.profile.zones
    )
    felt = Felt(replace(felt.profile, zones=zones)).bets({2: "10"}, "ante").card(2, "6s").hit(2, "4c")
    assert accused(paid(nineteen(felt))) == []


def _wide(felt: Felt) -> tuple[tuple[float, float], ...]:
    """An outline that reaches from the tray over the cards of seat 2."""
    x, y = felt.at("seat2.cards")
    return ((x - 190.0, y - 100.0), (500.0, y - 100.0), (500.0, y + 100.0), (x - 190.0, y + 100.0))
