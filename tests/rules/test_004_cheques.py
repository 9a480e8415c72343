"""004 Blackjack manual, chapters 1 to 3: cheques, change, limits and times, transcribed from the manual."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.cheques import (
    bill_rows,
    break_down,
    buy_in,
    colour_for_colour,
    fewest,
    greatest_toke,
    may_colour_up,
    minimum_wager,
    proof,
    shuffle_rating,
    stack_value,
    value,
)
from audit.money import Money, Odds, Rounding, acceptable_pays, parse_money
from audit.table import CHIP_VALUES
from audit.timing import Millis

FIVES = ["white", "red", "black", "orange", "teal"]
FOURS = ["blue", "pink", "green", "purple", "grey"]
# L75-80
OF_FIVE = {1: "1", 4: "4", 5: "5", 6: "3-3", 7: "3-3-1", 8: "4-4", 9: "4-4-1", 10: "5-5"}
# L86-92
OF_FOUR = {1: "1", 4: "4", 5: "4-1", 6: "3-3", 7: "3-3-1", 8: "4-4", 9: "4-4-1", 10: "4-4-2"}
# beyond the printed rows [CHQ-1]
BEYOND_FIVE = {11: "5-5-1", 16: "5-5-5-1", 20: "5-5-5-5"}
BEYOND_FOUR = {13: "4-4-4-1", 20: "4-4-4-4-4"}


@pytest.mark.parametrize("colour", FIVES)
@pytest.mark.parametrize(("count", "printed"), (OF_FIVE | BEYOND_FIVE).items())
def test_units_of_five_are_cut_as_printed(colour: str, count: int, printed: str) -> None:
    assert ["-".join(map(str, row)) for row in break_down(count, colour)] == [printed]


@pytest.mark.parametrize("colour", FOURS)
@pytest.mark.parametrize(("count", "printed"), (OF_FOUR | BEYOND_FOUR).items())
def test_units_of_four_are_cut_as_printed(colour: str, count: int, printed: str) -> None:
    assert ["-".join(map(str, row)) for row in break_down(count, colour)] == [printed]


def test_no_row_holds_more_than_twenty() -> None:
    assert break_down(26, "red") == ((5, 5, 5, 5), (3, 3))
    assert break_down(0, "red") == ()


@given(count=st.integers(1, 200), colour=st.sampled_from(FIVES + FOURS))
def test_breaking_down_loses_no_cheque(count: int, colour: str) -> None:
    assert sum(sum(row) for row in break_down(count, colour)) == count


# L96-101: the stack of twenty
STACKS = {
    "blue": "5",
    "white": "20",
    "pink": "50",
    "red": "100",
    "green": "500",
    "black": "2000",
    "purple": "10000",
    "orange": "20000",
    "grey": "100000",
    "teal": "400000",
}


@pytest.mark.parametrize(("colour", "printed"), STACKS.items())
def test_stack_of_twenty_is_worth_as_printed(colour: str, printed: str) -> None:
    assert stack_value(colour) == parse_money(printed)


@pytest.mark.parametrize(
    ("count", "colour", "stacks"),
    [
        (5, "orange", (2, 2, 1)),  # L82
        (20, "teal", (2, 2, 1)),
        (8, "grey", (2, 2)),  # L94
        (20, "grey", (2, 2)),
        (6, "orange", None),
        (5, "grey", None),
        (5, "red", None),
        (25, "orange", None),
    ],
)
def test_last_stack_is_proved_as_printed(count: int, colour: str, stacks: tuple[int, ...] | None) -> None:
    assert proof(count, colour) == stacks


def test_fewest_cheques_are_paid_high_to_low() -> None:
    # L741, and the example of L753: $175 is one black and three green
    assert fewest(Money(175)) == ("black", "green", "green", "green")
    assert fewest(parse_money("37.50")) == ("green", "red", "red", "pink")
    assert fewest(parse_money("0.10")) is None


def test_payment_keeps_the_colours_of_the_bet() -> None:
    # L744
    assert colour_for_colour(("green",) * 7, Odds(1, 1)) == ("green",) * 7
    assert colour_for_colour(("red", "red", "green", "green"), Odds(3, 2)) == (
        "green",
        "green",
        "green",
        "red",
        "red",
        "red",
    )


def test_odd_cheques_are_paid_one_and_one_half_to_one_in_lower_ones() -> None:
    # L745
    assert colour_for_colour(("red",), Odds(3, 2)) == ("red", "pink")
    assert colour_for_colour(("blue",), Odds(3, 2)) is None


@given(
    stack=st.lists(st.sampled_from(list(CHIP_VALUES)), max_size=12),
    odds=st.sampled_from([Odds(1, 1), Odds(2, 1), Odds(9, 1)]),
)
def test_colour_for_colour_pays_what_is_due(stack: list[str], odds: Odds) -> None:
    paid = colour_for_colour(stack, odds)
    assert paid is not None
    assert value(paid) == odds.pays(value(stack))


def test_more_than_one_stack_may_be_coloured_up() -> None:
    # L841
    assert may_colour_up(("red",) * 21)
    assert not may_colour_up(("red",) * 20)
    assert not may_colour_up(("red",) * 15 + ("green",) * 15)


DUE = parse_money("3.125")
QUARTER = parse_money("0.25")


@pytest.mark.parametrize(
    ("policy", "pays"),
    [
        (None, ["3.00", "3.25"]),
        (Rounding.DOWN, ["3.00"]),
        (Rounding.UP, ["3.25"]),
        (Rounding.NEAREST, ["3.00", "3.25"]),
    ],
)
def test_amount_that_no_cheque_pays_is_rounded_by_the_policy_or_either_way(
    policy: Rounding | None, pays: list[str]
) -> None:
    # [GEN-2]
    assert acceptable_pays(DUE, QUARTER, policy) == tuple(parse_money(pay) for pay in pays)


def test_nearest_cheque_is_taken_where_one_is_nearer() -> None:
    assert acceptable_pays(parse_money("3.10"), QUARTER, Rounding.NEAREST) == (parse_money("3.00"),)
    assert acceptable_pays(parse_money("3.20"), QUARTER, Rounding.NEAREST) == (parse_money("3.25"),)


def test_payable_amount_has_no_neighbours() -> None:
    assert acceptable_pays(parse_money("3.75"), QUARTER, None) == (parse_money("3.75"),)


@pytest.mark.parametrize(
    ("hands", "vip", "least"), [(1, False, 10), (2, False, 20), (3, False, 50), (3, True, 10), (4, False, None)]
)
def test_minimum_rises_with_the_hands_a_player_holds(hands: int, vip: bool, least: int | None) -> None:
    # L867: two times the table minimum on two hands, five times on three; V.I.P. room excepted
    assert minimum_wager(Money(10), hands, vip=vip) == least


def test_toke_is_a_tenth_of_the_maximum_beside_a_maximum_bet() -> None:
    # L1001-1003
    assert greatest_toke(Money(2000), Money(2000)) == 200
    assert greatest_toke(Money(2000), Money(1900)) == 100


@pytest.mark.parametrize(
    ("count", "bill", "rows"), [(7, 20, (5, 2)), (9, 50, (4, 4, 1)), (5, 5, (4, 1)), (1, 100, (1,))]
)
def test_bills_lie_in_rows_of_five_or_of_four(count: int, bill: int, rows: tuple[int, ...]) -> None:
    # L455
    assert bill_rows(count, bill) == rows


BUY_INS = [
    # L498-502: $5, $10 and $15 games
    (100, 10, ("red",) * 20, True),
    (100, 10, ("green",) * 4, False),
    (200, 5, ("red",) * 20 + ("green",) * 4, True),
    (200, 15, ("red",) * 40, False),
    # L506-508: $25 game
    (600, 25, ("green",) * 20 + ("black",), True),
    (600, 25, ("green",) * 4 + ("black",) * 5, False),
    (300, 25, ("green",) * 12, True),
    (1000, 25, ("black",) * 5 + ("green",) * 20, True),
    (1000, 25, ("black",) * 10, False),
    (2000, 25, ("black",) * 15 + ("green",) * 20, True),
    # L510-516: $100 game
    (3000, 100, ("black",) * 30, True),
    (3000, 100, ("purple",) * 6, False),
    (5000, 100, ("purple",) * 6 + ("black",) * 20, True),
    (5000, 100, ("black",) * 50, False),
]


@pytest.mark.parametrize(("amount", "minimum", "cheques", "allowed"), BUY_INS)
def test_buy_in_is_handed_out_as_printed(amount: int, minimum: int, cheques: tuple[str, ...], allowed: bool) -> None:
    assert value(cheques) == amount
    fixed = buy_in(Money(amount), Money(minimum))
    assert fixed is not None
    assert fixed.allows(cheques) is allowed


@pytest.mark.parametrize(("amount", "minimum"), [(103, 10), (110, 10), (1010, 25), (150, 100), (100, 50)])
def test_odd_buy_in_is_left_to_discretion(amount: int, minimum: int) -> None:
    assert buy_in(Money(amount), Money(minimum)) is None


SHUFFLES = [
    # L109-115: mm:ss, rating with six decks, with eight
    ("1:30", "OP", "OP"),
    ("1:31", "SP", "OP"),
    ("1:45", "SP", "OP"),
    ("1:46", "ME", "OP"),
    ("1:50", "ME", "OP"),
    ("1:51", "ME", "SP"),
    ("2:00", "ME", "SP"),
    ("2:01", "NI", "SP"),
    ("2:10", "NI", "SP"),
    ("2:11", "NI", "ME"),
    ("2:25", "NI", "ME"),
    ("2:26", "NI", "NI"),
]


@pytest.mark.parametrize(("time", "six", "eight"), SHUFFLES)
def test_shuffle_is_rated_as_printed(time: str, six: str, eight: str) -> None:
    minutes, seconds = time.split(":")
    duration = Millis((int(minutes) * 60 + int(seconds)) * 1000 + 999)  # cut to whole seconds [SHU-1]
    assert [shuffle_rating(duration, decks) for decks in (6, 8)] == [six, eight]


def test_shuffle_of_other_shoes_is_not_rated() -> None:
    assert shuffle_rating(Millis(90_000), 2) is None
