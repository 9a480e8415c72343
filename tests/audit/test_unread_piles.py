"""A pile that a look does not read while something happens to it: the next look that reads it shows what was done."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.pipeline import audit_states
from tests.audit.asking import accused, only_round
from tests.audit.pairs.dice import shoot
from tests.notation import Felt, doubtful_stack


def unread(felt: Felt, name: str) -> Felt:
    """The last state does not read the pile; another one like it does."""
    place, seen = felt.things[name].xy_mm, felt.states[-1]
    objects = [replace(item, stack=None) if item.xy_mm == place else item for item in seen.objects]
    felt.states[-1] = replace(seen, objects=tuple(objects))
    return felt


def cut_in_two(felt: Felt, side: str, *, whole: str = "20", half: str = "10", other: str | None = None) -> Felt:
    """Seat 2's ante of one pile becomes two; the first look at them does not read the old one."""
    felt.bets({2: whole}, "ante").card(2, "Ts").hand(side, "seat2.ante", seat=2 if side == "player" else None)
    felt.put_chips("s2.ante.1", half, felt.at("seat2.ante"))
    felt.put_chips("s2.ante.2", other or half, felt.at("seat2.ante", 0.0, 42.0))
    return unread(felt.snap(), "s2.ante.1").snap()


def finished(felt: Felt, paid: str) -> Felt:
    return felt.roll(4, 5).pay_spot(2, "ante", paid).collect_spot(2, "ante").pick_up_seat(2).cover_dice()


@pytest.mark.parametrize("side", ["player", "dealer"])
def test_wager_put_apart_is_the_wager_that_it_was_though_a_look_did_not_read_it(side: str) -> None:
    felt = finished(cut_in_two(shoot(), side), "20")
    assert accused(felt) == []
    assert [str(wager.amount) for wager in only_round(felt).observed.round.wagers] == ["20"]


def test_pile_beside_a_wager_that_stayed_as_it_was_is_late_money_though_a_look_did_not_read_it() -> None:
    felt = finished(cut_in_two(shoot(), "player", half="20", other="10"), "20")
    assert ("violation", "P013", None) in accused(felt)


def broken_down(more: str) -> Felt:
    """A raise of 90 in two colours, unread just before the dealer breaks it down and just after, and paid."""
    felt = shoot().bets({2: "45"}, "ante").card(2, "Ts").bets({2: "green green green red red red"}, "raise")
    felt.roll(4, 5).pay_spot(2, "ante", "45")
    unread(felt, "s2.raise.1").hand("dealer", "seat2.raise")
    felt.put_chips("s2.raise.1", "green green green", felt.at("seat2.raise"))
    felt.put_chips("s2.raise.2", "red red red", felt.at("seat2.raise", 0.0, 42.0))
    felt.snap().hand("dealer", "seat2.raise").snap(covered=("seat2.raise",))
    unread(felt, "s2.raise.1").hand("dealer", "seat2.raise")
    felt.put_chips("s2.raise.3", "green green green", felt.at("seat2.raise", 0.0, -42.0))
    felt.put_chips("s2.raise.4", more, felt.at("seat2.raise", 42.0, 42.0))
    return felt.snap().collect_spot(2, "ante").collect_spot(2, "raise").pick_up_seat(2).cover_dice()


def test_wager_broken_down_between_looks_that_did_not_read_it_is_paid_what_was_set_beside() -> None:
    assert accused(broken_down("red red red")) == []


def test_wager_broken_down_between_looks_that_did_not_read_it_and_paid_short_is_short() -> None:
    assert accused(broken_down("red red")) == [("violation", "P033", "-5.00")]


@pytest.mark.parametrize(("more", "told"), [("red red", []), ("red", [("violation", "P033", "-5.00")])])
def test_wager_broken_down_and_paid_before_a_look_reads_it_is_paid_in_order(
    more: str, told: list[tuple[str, str, str]]
) -> None:
    """Two hands of the dealer came: the reds beside the greens are the wager's, not a payment of low cheques first."""
    felt = shoot().bets({2: "green green green red red"}, "ante").card(2, "Ts").roll(4, 5).hand("dealer", "seat2.ante")
    felt.put_chips("s2.ante.1", "green green green", felt.at("seat2.ante"))
    felt.put_chips("s2.ante.2", "red red", felt.at("seat2.ante", 0.0, 42.0))
    unread(felt.snap(), "s2.ante.1").hand("dealer", "rack", "seat2.ante")
    felt.put_chips("s2.ante.3", "green green green", felt.at("seat2.ante", 0.0, -42.0))
    felt.put_chips("s2.ante.4", more, felt.at("seat2.ante", 36.0, 42.0))
    felt.snap().collect_spot(2, "ante").pick_up_seat(2).cover_dice()
    assert accused(felt) == told


def never_read_again(felt: Felt, *, look: bool) -> Felt:
    """Seat 2's ante wins, the dealer's hand came; perhaps a look reads its pile after that, the last one does not."""
    felt.bets({2: "20"}, "ante").card(2, "Ts").roll(4, 5).hand("dealer", "rack", "seat2.ante")
    if look:
        felt.snap()
    unread(felt.snap(), "s2.ante.1")
    return felt.collect_spot(2, "ante").pick_up_seat(2).cover_dice()


def test_wager_that_no_look_reads_after_the_dealers_hand_may_have_been_paid() -> None:
    """He may have set the payment upon it: then it is the same pile, only higher."""
    felt = never_read_again(shoot(), look=False)
    assert accused(felt) == []
    (open_,) = [finding for finding in only_round(felt).findings if "P033" in finding.procedures]
    assert open_.verdict.value == "undetermined"


def test_wager_that_a_look_reads_as_it_was_after_the_dealers_hand_was_not_paid() -> None:
    assert accused(never_read_again(shoot(), look=True)) == [("violation", "P033", "-20.00")]


@pytest.mark.parametrize(
    ("read", "told"), [(False, []), (True, [("violation", "P033", "10.00")])], ids=["not read", "read whole"]
)
def test_pile_beside_a_wager_that_is_read_no_more_may_be_a_part_of_it(
    read: bool, told: list[tuple[str, str, str]]
) -> None:
    """Two reds came beside 85 in greens and reds, then 85: either the wager was broken down, or paid 95."""
    whole = "green green green red red"
    felt = shoot().bets({2: whole}, "ante").card(2, "Ts").roll(4, 5).hand("dealer", "rack", "seat2.ante")
    felt.put_chips("s2.ante.2", "red red", felt.at("seat2.ante", 0.0, 42.0))
    felt.snap() if read else unread(felt.snap(), "s2.ante.1")
    felt.hand("dealer", "rack", "seat2.ante")
    felt.put_chips("s2.ante.3", "green green green", felt.at("seat2.ante", 0.0, -42.0))
    felt.put_chips("s2.ante.4", "red red", felt.at("seat2.ante", 36.0, 42.0))
    unread(felt.snap(), "s2.ante.1").collect_spot(2, "ante").pick_up_seat(2).cover_dice()
    assert [one for one in accused(felt) if not (read and one[1] == "P268")] == told


@pytest.mark.parametrize(("p", "told"), [(1.0, "violation"), (0.94, "suspect")])
def test_payment_from_the_lowest_cheque_is_told_as_surely_as_the_bet_was_read(p: float, told: str) -> None:
    """A red one beside a bet read as red is its payment; beside one of green and red it is a part of it."""
    felt = Felt().bets({1: "green red"}).deal({1: "Th 9c"}, dealer="Td 8s").turn()
    for colour, right in (("red", 42.0), ("green", 84.0)):
        felt.hand("dealer", "rack", "seat1.main")
        felt.put_chips(f"s1.pay.{colour}", colour, felt.at("seat1.main", right))
        felt.snap()
    pile = ("green", "red")
    states = doubtful_stack(
        felt.collect(1).pick_up().states, pile, {("red",): p, pile: 1.0 - p} if p < 1 else {("red",): p}
    )
    (one,) = audit_states(states, felt.profile).rounds
    assert [it.verdict.value for it in one.findings if "P268" in it.procedures] == [told]


@pytest.mark.parametrize("never", ["s1.main.1", "all"])
def test_parts_of_a_bet_that_is_not_read_are_no_payment_from_the_lowest_cheque(never: str) -> None:
    """Green and two reds are broken down, then green is paid beside green, red beside red (004:L741)."""
    felt = Felt().bets({1: "green red red"}).deal({1: "Th 9c"}, dealer="Td 8s").turn().hand("dealer", "seat1.main")
    felt.put_chips("s1.main.1", "green", felt.at("seat1.main", -25.0))
    felt.put_chips("s1.main.2", "red red", felt.at("seat1.main", 25.0))
    felt.snap()
    for right, cheques in ((-25.0, "green"), (25.0, "red red")):
        felt.hand("dealer", "rack", "seat1.main")
        felt.put_chips(f"s1.pay.{right}", cheques, felt.at("seat1.main", right, -42.0))
        felt.snap()
    felt.collect(1).pick_up()
    place, whole = felt.at("seat1.main", -25.0), ("green", "red", "red")
    for number, state in enumerate(felt.states):
        hides = [item.stack == whole if never == "all" else item.xy_mm == place for item in state.objects]
        seen = zip(state.objects, hides, strict=True)
        objects = tuple(replace(item, stack=None) if hidden else item for item, hidden in seen)
        felt.states[number] = replace(state, objects=objects)
    assert accused(felt) == []


@pytest.mark.parametrize(("racked", "told"), [(False, []), (True, [("suspect", "P259", None)])])
def test_split_wager_first_read_as_the_dealer_moves_it_was_not_paid_then(
    racked: bool, told: list[tuple[str, str, None]]
) -> None:
    """His hand did not come to the rack, as it does to pay."""
    felt = Felt().bets({1: "10"}).deal({1: "8h 8c"}, dealer="6d Ts").split(1, "10")
    place = felt.things["s1.main.2"].xy_mm
    felt.states[-2] = replace(
        felt.states[-2],
        objects=tuple(replace(i, stack=None) if i.xy_mm == place else i for i in felt.states[-2].objects),
    )
    if racked:
        hands = tuple(replace(one, zones=(*one.zones, "rack")) for one in felt.states[-1].hands)
        felt.states[-1] = replace(felt.states[-1], hands=hands)
    felt.card(1, "Th").card(1, "3s", hand=2).hit(1, "9d", hand=2).pat(1).turn().dealer_hits("9s")
    felt.pay(1, "10").pay(1, "10", beside="main.2").collect(1).pick_up()
    assert [one for one in accused(felt) if one[1] == "P259"] == told
