"""What the dealer may have done, and undone, between two looks at the felt accuses nobody."""

from __future__ import annotations

from types import ModuleType

import pytest

from audit.pipeline import audit_states
from tests.audit.pairs import between, manner, side_bets
from tests.audit.pairs.deal import peek, start, table, turn_cards
from tests.audit.pairs.dice import cup_covered, cup_opened, faces, shoot
from tests.audit.pairs.pair import change, put
from tests.notation import Felt, merged

Verdicts = list[str]


def verdicts(felt: Felt, procedure: str) -> Verdicts:
    """What was said of one procedure."""
    findings = [one for round_ in audit_states(felt.states, felt.profile).rounds for one in round_.findings]
    return [one.verdict.value for one in findings if procedure in one.procedures]


def left_out(felt: Felt, begun: int, over: int) -> Felt:
    """The scene with its states from one number up to another left out: all that they show falls in one gap."""
    felt.states = merged(felt.states, range(begun, over))
    return felt


# -- insurance ---------------------------------------------------------------------------------------------------------
def insured_in_one_gap(*, touched_before: bool) -> Felt:
    """The look before shows the ace upright, the look after the blackjack turned over; the dealer's hand came twice."""
    felt = start(table(), {1: "Th 9c"}, "Ad Ks")
    begun = len(felt.states)
    if touched_before:
        turn_cards(felt, 90.0)
    felt.insure(1, "5", opened=False)
    peek(felt, sideways=True)
    over = len(felt.turn().states) - 1
    felt.pay_spot(1, "insurance", "10").take_spot(1, "main").pick_up()
    return left_out(felt, begun, over)


@pytest.mark.parametrize(("touched", "told"), [(True, ["undetermined"]), (False, ["violation"])])
def test_ace_that_may_have_been_turned_and_turned_back_in_the_gap_of_the_insurance(
    touched: bool, told: Verdicts
) -> None:
    assert verdicts(insured_in_one_gap(touched_before=touched), "P300") == told


# -- the cup -----------------------------------------------------------------------------------------------------------
def shaken(felt: Felt, card: str) -> Felt:
    felt.now += 3000  # longer than a cup may be out of sight
    felt.bets({2: "20"}, "ante").card(2, card)
    change(felt, "cup", shakes=3).hand("dealer", "dice").snap()
    return cup_opened(felt, *faces(felt))


def bets_in_one_gap(*, covered: bool) -> Felt:
    """The cup stands open after a round, and after the next roll; in between the dealer covered it, or did not."""
    felt = shoot()
    put(felt, "cup", "dice_cup", felt.at("dice"), lid="on", shakes=0)
    shaken(felt, "Ts").pay_spot(2, "ante", "20").collect_spot(2, "ante").pick_up_seat(2)
    begun = len(felt.states)
    if covered:
        cup_covered(felt)
    over = len(shaken(felt, "Td").states) - 1
    felt.pay_spot(2, "ante", "20").collect_spot(2, "ante").pick_up_seat(2)
    return left_out(cup_covered(felt), begun, over)


@pytest.mark.parametrize(("covered", "told"), [(True, ["undetermined"]), (False, ["violation"])])
def test_cup_that_may_have_been_covered_before_the_bets_and_opened_after_them(covered: bool, told: Verdicts) -> None:
    assert verdicts(bets_in_one_gap(covered=covered), "P038") == told


# -- cards -------------------------------------------------------------------------------------------------------------
def one_left(felt: Felt, *, together: bool) -> Felt:
    """Of a pair one card is left, moved to where the other lay, or almost upon it; then a card comes there."""
    felt.bets({1: "25"}).deal({1: "2c 2d"}, dealer="6h 9d")
    x, y = felt.things["s1.h1.0"].xy_mm
    felt.hand("dealer", "seat1.cards")
    change(felt, "s1.h1.1", xy_mm=(x + 3.0, y + 23.0))
    if not together:
        felt.remove("s1.h1.0")
    felt.snap().hand("player", "seat1.cards", seat=1).hand("dealer", "shoe", "seat1.cards")
    felt.put_card("s1.h1.2", "6c", (x + 24.0, y - 28.0), felt.axis(1))
    return felt.snap().turn().dealer_hits("Ts").pay(1, "25").collect(1).pick_up()


@pytest.mark.parametrize(("together", "told"), [(True, ["suspect"]), (False, [])])
def test_card_covers_none_that_was_gone_when_it_came(felt: Felt, together: bool, told: Verdicts) -> None:
    assert verdicts(one_left(felt, together=together), "P184") == told


def moved_in_one_gap(*, drawn: bool) -> Felt:
    """Seat 2 gets a card from the shoe; then the same face goes from seat 1, its broken hand; all in one gap."""
    felt = table().bets({1: "10", 2: "10"}).deal({1: "Tc 6d", 2: "5c 7d"}, dealer="Ts 9h").hit(1, "Kd")
    begun = len(felt.states)
    if drawn:
        felt.card(2, "Kd")
    else:
        felt.hand("dealer", "seat2.cards", "seat1.cards")
        felt.put_card("s2.h1.2", "Kd", felt.at("seat2.cards", -40.0, 16.0), 0.0)
    felt.take_spot(1, "main").pick_up_seat(1)
    over = len(felt.states) - 1
    return left_out(felt.take_spot(2, "main").pick_up_seat(2).turn().pick_up(), begun, over)


@pytest.mark.parametrize(("drawn", "told"), [(True, ["undetermined"]), (False, ["suspect"])])
def test_face_that_came_as_its_like_went_may_be_another_card_of_the_shoe(drawn: bool, told: Verdicts) -> None:
    assert verdicts(moved_in_one_gap(drawn=drawn), "P245") == told


def cleared_in_one_gap(*, dealt: bool) -> Felt:
    """The look after the deal shows no card of seat 3, to which the dealer came twice; first from the shoe, or not."""
    felt = shoot().bets({1: "20", 3: "20"}, "ante").card(1, "Ts")
    felt.hand("dealer", *(("shoe",) if dealt else ("rack",))).hand("dealer", "seat3.cards")
    felt.roll(4, 5).pay_spot(3, "ante", "20").hand("dealer", "seat3.cards").hand("dealer", "discard").snap()
    over = len(felt.states) - 1
    felt.collect_spot(3, "ante").pay_spot(1, "ante", "20").collect_spot(1, "ante").pick_up_seat(1)
    return left_out(felt.cover_dice(), 3, over)


@pytest.mark.parametrize(("dealt", "told"), [(True, ["undetermined"]), (False, ["suspect"])])
def test_seat_dealt_played_and_cleared_in_one_gap_was_not_skipped(dealt: bool, told: Verdicts) -> None:
    assert verdicts(cleared_in_one_gap(dealt=dealt), "P007") == told


# -- scenes whole but for two or three looks ---------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("module", "error", "first", "count"),
    [
        (manner, "a seat's hand built up before the dealer's", 15, 2),  # laid out again: no next round's first card
        (side_bets, "a player picks up a card and lays it down again", 4, 2),  # the card lies in his hand all the while
        (between, "two cards burnt one after the other", 13, 3),  # a player cuts the cards: none came out of the shoe
    ],
)
def test_right_scene_of_which_some_looks_are_left_out_accuses_nobody(
    module: ModuleType, error: str, first: int, count: int
) -> None:
    felt = next(pair for pair in module.PAIRS if pair.error.startswith(error)).right()
    result = audit_states(left_out(felt, first, first + count).states, felt.profile)
    findings = [*result.findings, *(one for round_ in result.rounds for one in round_.findings)]
    assert [one.verdict.value for one in findings if one.verdict.value != "undetermined"] == []
