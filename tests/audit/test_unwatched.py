"""Where no hand is ever seen, what comes and goes is what the game makes likeliest."""

from __future__ import annotations

from tests.audit.asking import accused, audited
from tests.audit.hands_of_cards import closed, opened, shown
from tests.notation import Felt, handless, wide_profile


def baccarat() -> Felt:
    return Felt(wide_profile("lucky_draw_baccarat", ("enter", "draw", "block_bonus")))


def table(*bets: str) -> Felt:
    return Felt(wide_profile("blackjack", bets, rules="shoe-six-deck", finder=False))


def unwatched(felt: Felt) -> list[tuple[str, str]]:
    result = audited_without_hands(felt)
    return [one[:2] for one in result]


def audited_without_hands(felt: Felt) -> list[tuple[str, str, str | None]]:
    felt.states = handless(felt.states)
    return accused(felt)


def test_draw_bet_beside_a_paid_block_bonus_is_no_payment_of_it() -> None:
    felt = opened(baccarat(), "5h Tc", "4h", enter="20", block_bonus="5")
    x, y = felt.things["s2.block_bonus.1"].xy_mm
    felt.hand("dealer", "seat2.block_bonus", "rack").put_chips("s2.block_bonus.pay", "10", (x, y - 42.0))
    felt.snap().bets({2: "20"}, "draw").card(2, "4c")
    shown(felt, "Kd", "2c").pay_spot(2, "draw", "60").pay_spot(2, "enter", "20")
    felt.collect_spot(2, "draw").collect_spot(2, "block_bonus")
    assert unwatched(closed(felt)) == []


def test_third_card_without_a_draw_bet_is_told_without_hands() -> None:
    felt = shown(opened(baccarat(), "5h Tc", "4h", enter="20").card(2, "4c"), "Kd", "2c")
    assert ("violation", "P099") in unwatched(closed(felt.pay_spot(2, "enter", "20")))


def test_pushed_bet_changed_once_the_cards_are_away_is_for_the_next_round() -> None:
    felt = shown(opened(baccarat(), "5s 2d", "7h", enter="20"), "Kd").pick_up()
    felt.put_chips("s2.enter.1", "45", felt.at("seat2.enter"))
    felt.snap()
    assert unwatched(felt.snap()) == []


def test_loser_that_grows_while_its_cards_lie_there_is_suspected() -> None:
    felt = shown(opened(baccarat(), "4s 2d", "7h", enter="20"), "Kd")
    felt.put_chips("s2.enter.1", "40", felt.at("seat2.enter"))
    felt.snap().snap()
    assert unwatched(closed(felt)) == [("suspect", "P104")]


def test_bet_of_two_colours_broken_down_and_laid_anew_is_not_paid_twice() -> None:
    """The next round's bet, in one pile, stands where this one's stood."""
    felt = shown(opened(baccarat(), "7s 2d", "7h", enter="35"), "Kd")
    x, y = felt.things.pop("s2.enter.1").xy_mm
    for name, text, right, away in (("part", "25", -12.0, -24.0), ("other", "red red", -12.0, 24.0)):
        felt.put_chips(f"s2.enter.{name}", text, (x + right, y + away))
    felt.snap()
    for name, text, right, away in (("paid", "25", 30.0, -24.0), ("more", "red red", 30.0, 24.0)):
        felt.put_chips(f"s2.enter.{name}", text, (x + right, y + away))
    felt.snap().pick_up().collect_spot(2, "enter").snap()
    felt.put_chips("s2.enter.1", "35", (x, y))
    assert unwatched(felt.snap().snap()) == []


def test_trilux_paid_upon_the_bet_is_no_late_money() -> None:
    felt = table("main", "trilux").bets({1: "20"}).bets({1: "5"}, "trilux").deal({1: "Th 9h"}, dealer="8h Td")
    felt.put_chips("s1.trilux.1", " ".join(["red"] * 10), felt.at("seat1.trilux"))
    felt.snap().collect_spot(1, "trilux").turn().pay(1, "20").collect(1).pick_up()
    assert unwatched(felt) == []


def test_trilux_paid_though_it_lost_is_suspected() -> None:
    felt = table("main", "trilux").bets({1: "20"}).bets({1: "5"}, "trilux").deal({1: "Th 9c"}, dealer="7h Td")
    felt.put_chips("s1.trilux.1", " ".join(["red"] * 10), felt.at("seat1.trilux"))
    felt.snap().collect_spot(1, "trilux").turn().pay(1, "20").collect(1).pick_up()
    assert ("suspect", "P385") in unwatched(felt)


def test_blazing_sevens_paid_on_the_bare_sensor_is_no_late_money() -> None:
    felt = table("main", "blazing7").bets({1: "20"}).bets({1: "5"}, "blazing7").take_spot(1, "blazing7")
    felt.deal({1: "7h 9c"}, dealer="8h 6s").pay_spot(1, "blazing7", "10").collect_spot(1, "blazing7")
    felt.turn().dealer_hits("3d").take(1).pick_up()
    assert unwatched(felt) == []


def test_unwatched_rounds_are_told_as_rounds() -> None:
    felt = closed(shown(opened(baccarat(), "4s 2d", "7h", enter="20"), "Kd"))
    felt.states = handless(felt.states)
    assert len(audited(felt).rounds) == 1
