"""What the house did between the same two looks as the deal: whether before the first card or after it, nobody saw."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.pipeline import AuditResult, audit_states
from audit.reconstruction.tangles import AT_ONCE
from tests.notation import Felt, merged, wide_profile

MAIN = ("main",)


def table(*bets: str) -> Felt:
    return Felt(wide_profile("blackjack", bets or MAIN, rules="shoe-six-deck", finder=False))


def told(result: AuditResult) -> list[str]:
    every = [one for round_ in (*result.rounds, result) for one in round_.findings]
    return [f"{one.procedures[0]}: {one.observed}" for one in every if one.verdict.value != "undetermined"]


def natural_paid(*, upon: bool) -> tuple[Felt, int]:
    felt = table()
    felt.bets({1: "40"})
    first = len(felt.states)
    felt.deal({1: "Th Ac"}, dealer="7h Ts")
    if upon:
        felt.hand("dealer", "seat1.main").hand("dealer", "rack")
        felt.put_chips("s1.main.1", "100", felt.at("seat1.main"))
        felt.snap()
    else:
        felt.pay(1, "60")
    return felt, first


@pytest.mark.parametrize("upon", [True, False])
def test_payment_first_seen_with_the_first_card_is_no_part_of_the_wager(upon: bool) -> None:
    felt, first = natural_paid(upon=upon)
    paid = len(felt.states) - 1
    felt.collect(1).pick_up()
    result = audit_states(merged(felt.states, range(first, paid)), felt.profile)
    (one,) = result.rounds
    assert told(result) == []
    assert [wager.amount for wager in one.observed.round.wagers] == [40]


@pytest.mark.parametrize("upon", [True, False])
def test_of_a_pile_that_came_with_the_first_card_after_the_dealer_paid_the_wager_is_not_known(upon: bool) -> None:
    felt, first = natural_paid(upon=upon)
    paid = len(felt.states) - 1
    felt.collect(1).pick_up()
    result = audit_states(merged(felt.states, range(first - 1, paid)), felt.profile)
    assert told(result) == []
    assert {wager.amount for round_ in result.rounds for wager in round_.observed.round.wagers} == {None}


def test_player_who_puts_more_to_his_bet_before_the_cards_has_wagered_it() -> None:
    felt = table()
    felt.bets({1: "40"})
    first = len(felt.states)
    felt.hand("player", "seat1.main", seat=1)
    felt.put_chips("s1.main.1", "100", felt.at("seat1.main"))
    felt.snap().deal({1: "Th 9c"}, dealer="7h Ts")
    dealt = len(felt.states) - 1
    felt.turn().pay(1, "100").collect(1).pick_up()
    (one,) = audit_states(merged(felt.states, range(first, dealt)), felt.profile).rounds
    assert [wager.amount for wager in one.observed.round.wagers] == [100]


def test_trilux_taken_with_the_deal_was_laid() -> None:
    """Else its Super 3 would stand without it, P377."""
    felt = table("main", "trilux", "super3")
    felt.bets({1: "20"}).bets({1: "5"}, "trilux").bets({1: "5"}, "super3")
    first = len(felt.states)
    felt.deal({1: "8h 2c"}, dealer="Th 6s").take_spot(1, "trilux")
    taken = len(felt.states) - 1
    felt.take_spot(1, "super3").turn().dealer_hits("Td").pay(1, "20").collect(1).pick_up()
    assert told(audit_states(merged(felt.states, range(first, taken)), felt.profile)) == []


def test_split_settled_between_two_looks_is_not_told_as_without_a_wager() -> None:
    felt = table()
    felt.bets({2: "20"}).deal({2: "8c 8d"}, dealer="Th 6s")
    first = len(felt.states)
    felt.split(2, "20").card(2, "Tc", hand=1).card(2, "Ah", hand=2)
    felt.hand("player", "seat2.cards", seat=2).snap().turn().dealer_hits("3d").take(2, "main.1")
    taken = len(felt.states) - 1
    felt.pick_up()
    assert "P322" not in str(told(audit_states(merged(felt.states, range(first, taken)), felt.profile)))


@pytest.mark.parametrize("amount", ["40", "20"])
def test_raise_first_seen_with_its_payment_is_asked_about(amount: str) -> None:
    felt = Felt(wide_profile("dicey_21", ("ante", "raise", "chuck4")))
    felt.bets({1: "10"}, "ante").bets({1: "5"}, "chuck4").card(1, "Th", sideways=True)
    felt.hand("player", "seat1.raise", seat=1)
    first = len(felt.states)
    felt.bets({1: amount}, "raise").roll(4, 4, 3)
    felt.pay_spot(1, "chuck4", "10").pay_spot(1, "ante", "10").hand("dealer", "seat1.raise", "rack").snap()
    paid = len(felt.states) - 1
    felt.pick_up_seat(1)
    result = audit_states(merged(felt.states, range(first, paid)), felt.profile)
    assert told(result) == []


def test_wager_paid_after_the_deal_is_told_as_before() -> None:
    felt, _ = natural_paid(upon=False)
    felt.collect(1).pick_up()
    result = audit_states(felt.states, felt.profile)
    assert told(result) == []
    assert [pay.amount for round_ in result.rounds for pay in round_.observed.pays] == [60]


def trilux_paid_and_collected() -> tuple[Felt, int]:
    felt = table("main", "trilux")
    felt.bets({1: "20"}).bets({1: "5"}, "trilux")
    first = len(felt.states)
    return felt.deal({1: "8h 9h"}, dealer="Th 6s").pay_spot(1, "trilux", "45"), first


def test_side_wager_that_a_player_takes_after_the_dealer_may_have_paid_it_is_not_pinched() -> None:
    felt, first = trilux_paid_and_collected()
    felt.remove("s1.trilux.pay")
    felt.hand("player", "seat1.trilux", seat=1).snap()
    paid = len(felt.states) - 1
    felt.collect_spot(1, "trilux").turn().dealer_hits("5d").take(1, "main.1").pick_up()
    assert "P206" not in str(told(audit_states(merged(felt.states, range(first, paid)), felt.profile)))


@pytest.mark.parametrize(("seen_laid", "verdict"), [(False, []), (True, ["P046"])])
def test_ante_that_may_have_been_laid_and_taken_before_the_first_look_is_asked_about(
    seen_laid: bool, verdict: list[str]
) -> None:
    felt = Felt(wide_profile("dicey_21", ("ante", "raise", "chuck4")))
    first = len(felt.states)
    if not seen_laid:
        felt.bets({1: "10"}, "ante")
    felt.bets({1: "5"}, "chuck4").card(1, "Th", sideways=True).card(1, "9c").card(1, "5d")
    felt.take_spot(1, "ante") if not seen_laid else felt.snap()
    shown = len(felt.states) - 1
    felt.pick_up_seat(1)
    result = audit_states(merged(felt.states, range(first, shown)), felt.profile)
    assert [one.partition(":")[0] for one in told(result) if one.startswith("P046")] == verdict


def test_round_of_which_the_first_look_shows_the_settled_table_is_partial_and_says_so() -> None:
    felt = table()
    felt.bets({1: "20"})
    first = len(felt.states)
    felt.deal({1: "Th 9c"}, dealer="Td 8s").turn().pay(1, "20")
    paid = len(felt.states) - 1
    felt.collect(1).pick_up()
    result = audit_states(merged(felt.states, range(first, paid)), felt.profile)
    (one,) = result.rounds
    assert told(result) == []
    assert (one.observed.status.value, one.observed.missing) == ("partial", (AT_ONCE,))


def split_and_doubled(more: str) -> Felt:
    felt = table()
    felt.bets({2: "50"}).deal({2: "8c 8d"}, dealer="Th 6s").split(2, "50").card(2, "3c", hand=1)
    return felt.double(2, more, "Tc", hand=1).card(2, "Kh", hand=2)


def test_bet_of_which_a_double_for_less_took_the_place_between_two_looks_was_not_pinched() -> None:
    """The bet was parted to the left and the double stands nearest to where it had been."""
    felt = split_and_doubled("25")
    bet, double, split = (felt.things[f"s2.{name}"] for name in ("main.1", "double.1", "main.2"))
    last = len(felt.states) - 1
    felt.things["s2.main.1"] = replace(bet, xy_mm=felt.at("seat2.main", -52.0))
    felt.things["s2.double.1"] = replace(double, xy_mm=felt.at("seat2.main", 2.0))
    felt.things["s2.main.2"] = replace(split, xy_mm=felt.at("seat2.main", 50.0))
    felt.states.pop()
    felt.snap().turn().dealer_hits("9d").pay(2, "50").pay(2, "25", "double.1").pay(2, "50", "main.2").collect(
        2
    ).pick_up()
    result = audit_states(merged(felt.states, range(6, last)), felt.profile)
    assert [one for one in told(result) if one.startswith(("P206", "P280"))] == []


def test_losers_taken_while_the_winner_is_paid_upon_were_not_put_upon_it() -> None:
    """A doubled hand of a split lost, 18 to 20: its two wagers are gone, and the other one is twice as high."""
    felt = table()
    felt.bets({2: "20"}).deal({2: "8c 8d"}, dealer="Th Ts").split(2, "20").card(2, "2c", hand=1)
    felt.double(2, "20", "8h", hand=1).card(2, "3h", hand=2).hit(2, "Kd", hand=2).turn()
    felt.remove("s2.main.1")
    felt.remove("s2.double.1")
    winner = felt.things["s2.main.2"]
    felt.things["s2.main.2"] = replace(winner, stack=(*(winner.stack or ()), *(winner.stack or ())))
    felt.hand("dealer", "seat2.main", "rack").snap().collect(2).pick_up()
    (one,) = audit_states(felt.states, felt.profile).rounds
    assert [(pay.key.bet, pay.amount) for pay in one.observed.pays] == [("split", 20)]
    assert [(take.key.bet, take.amount) for take in one.observed.takes] == [("main", 20), ("double", 20)]
