"""Blazing 7's: paid on its sensor, handed to the player, or left there (004)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.audit.asking import accused, found, only_round
from tests.audit.pairs.side_bets import settled_main
from tests.notation import Felt, wide_profile


@pytest.fixture
def table() -> Felt:
    return Felt(wide_profile("blackjack", ("trilux", "blazing7", "main"), finder=False))


def blazing(table: Felt, cards: str, up: str) -> Felt:
    """Five dollars on the sensor, collected into the rack before the deal."""
    table.bets({2: "100"}).bets({2: "5"}, "blazing7").take_spot(2, "blazing7")
    return table.deal({2: cards}, dealer=f"{up} 8s")


def test_blazing_seven_paid_ten_dollars_is_right(table: Felt) -> None:
    blazing(table, "7h Th", "9c").pay_spot(2, "blazing7", "10").collect_spot(2, "blazing7")
    settled_main(table)
    assert found(table) == []


def test_blazing_seven_whose_sensor_was_covered_until_the_cards_were_away_is_not_told_as_unpaid(table: Felt) -> None:
    """Its player may have had the payment before the sensor was seen again."""
    blazing(table, "7h Th", "9c")
    covered = len(table.states)
    settled_main(table)
    table.snap()
    table.states[covered:-1] = [
        replace(one, covered=one.covered | {"seat2.blazing7"}) for one in table.states[covered:-1]
    ]
    assert accused(table) == []


def pushed_on(table: Felt, paid: str, *hands_over: str) -> Felt:
    """The dealer sets the payment beside the sensor and pushes it on to the player, out of the zone."""
    blazing(table, "7h Th", "9c").pay_spot(2, "blazing7", paid).hand("dealer", "seat2.blazing7", *hands_over)
    x, y = table.things["s2.blazing7.pay"].xy_mm
    table.put_chips("s2.blazing7.pay", paid, (x, y + 75.0))
    return settled_main(table.snap())


@pytest.mark.parametrize("hands_over", [(), ("rack",)])
def test_blazing_seven_pushed_on_to_the_player_stays_paid(table: Felt, hands_over: tuple[str, ...]) -> None:
    assert found(pushed_on(table, "10", *hands_over)) == []
    assert [str(one.amount) for one in only_round(table).observed.pays] == ["10"]


def test_blazing_seven_pushed_on_to_the_player_is_told_with_what_was_paid(table: Felt) -> None:
    assert accused(pushed_on(table, "125")) == [("violation", "P409", "115.00")]


def test_blazing_seven_handed_to_the_player_stays_paid(table: Felt) -> None:
    blazing(table, "7h Th", "9c").pay_spot(2, "blazing7", "10").hand("dealer", "seat2.blazing7")
    table.remove("s2.blazing7.pay")
    assert found(settled_main(table.snap())) == []


def test_blazing_seven_taken_back_to_the_rack_is_unpaid(table: Felt) -> None:
    blazing(table, "7h Th", "9c").pay_spot(2, "blazing7", "10").hand("dealer", "seat2.blazing7", "rack")
    table.remove("s2.blazing7.pay")
    assert accused(settled_main(table.snap())) == [("violation", "P409", "-10.00")]


def test_payment_on_the_sensor_of_a_wager_that_nobody_saw_pays_no_other_one(table: Felt) -> None:
    """The Trilux wager, which loses, stands near enough to be paid by it; nobody is told to have been."""
    table.bets({2: "100"}).bets({2: "25"}, "trilux").deal({2: "7h Th"}, dealer="9c 8s").hand("dealer", "rack")
    x, y = table.at("seat2.trilux")
    at = (x + 45.0, y)
    sensor = next(zone for zone in table.profile.zones if zone.name == "seat2.blazing7")
    near = [(a - sensor.centre_mm[0] + at[0], b - sensor.centre_mm[1] + at[1]) for a, b in sensor.polygon_mm]
    zones = [replace(one, polygon_mm=tuple(near)) if one is sensor else one for one in table.profile.zones]
    table.profile = replace(table.profile, zones=tuple(zones))
    table.hand("dealer", "seat2.blazing7").put_chips("paid", "red red", at)
    table.snap().hand("player", "seat2.blazing7", seat=2).remove("paid")
    table.snap().take_spot(2, "trilux")
    told = found(settled_main(table))
    assert [one[:2] for one in told] == [("undetermined", "P409")]


def test_blazing_seven_not_paid_breaks_p409(table: Felt) -> None:
    settled_main(blazing(table, "7h Th", "9c"))
    assert accused(table) == [("violation", "P409", "-10.00")]


def test_blazing_wager_without_a_seven_is_over_when_collected(table: Felt) -> None:
    settled_main(blazing(table, "8h 9h", "9c"))
    assert found(table) == []
    assert only_round(table).observed.takes == ()


def test_blazing_wager_still_on_the_sensor_at_the_first_card_breaks_p407(table: Felt) -> None:
    table.bets({2: "100"}).bets({2: "5"}, "blazing7").deal({2: "8h 9h"}, dealer="9c 8s").take_spot(2, "blazing7")
    settled_main(table)
    assert accused(table) == [("violation", "P407", None)]


def test_blazing_wager_left_on_the_sensor_to_the_end_is_lost_money_because_of_that(table: Felt) -> None:
    table.bets({2: "100"}).bets({2: "5"}, "blazing7").deal({2: "8h 9h"}, dealer="9c 8s")
    settled_main(table).collect_spot(2, "blazing7")
    assert accused(table) == [("violation", "P407", None), ("violation", "P409", "5.00")]
    assert [one.because_of for one in only_round(table).findings] == [None, 0]


def test_jackpot_not_paid_in_its_round_is_undetermined() -> None:
    """The round is finished first; it is paid when surveillance has confirmed it (004:L1113-1121)."""
    felt = Felt(wide_profile("blackjack", ("main", "blazing7"), extra='[variant]\nprogressive_meter = "50000.00"\n'))
    blazing(felt, "7h 7d", "7d").turn().dealer_hits("6c").take_spot(2, "main").pick_up()
    assert found(felt) == [("undetermined", "P409", None)]


def test_blazing_wager_collected_late_is_still_in_play(table: Felt) -> None:
    """Left on the sensor at the first card, it is collected after it and paid as due: P407 alone."""
    table.bets({2: "100"}).bets({2: "5"}, "blazing7").card(2, "7h").take_spot(2, "blazing7")
    table.dealer_card("up", "back", -250.0).card(2, "Th").hand("dealer", "dealer.cards", "shoe")
    table.put_card("d.up", "9c", table.at("dealer.cards", -250.0), 0.0)
    table.put_card("d.hole", "back", table.at("dealer.cards", -244.0, -6.0), 0.0)
    table.hole = "8s"
    table.snap().hand("dealer", "seat2.blazing7", "rack")
    table.put_chips("s2.blazing7.pay", "10", table.at("seat2.blazing7"))
    table.snap().collect_spot(2, "blazing7")
    assert accused(settled_main(table)) == [("violation", "P407", None)]


def test_ten_dollars_on_the_sensor_break_p403_although_what_wins_is_paid_the_same(table: Felt) -> None:
    table.bets({2: "100"}).bets({2: "10"}, "blazing7").take_spot(2, "blazing7").deal({2: "7h Th"}, dealer="9c 8s")
    table.pay_spot(2, "blazing7", "10").collect_spot(2, "blazing7")
    settled_main(table)
    assert accused(table) == [("violation", "P403", None)]
