"""A view that was lost takes back nothing of what was in view at another time of the round."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.states import CARD_KINDS, TableState
from tests.audit.asking import accused, found
from tests.audit.hands_of_cards import dealt, finished, over
from tests.notation import Felt, wide_profile


@pytest.fixture
def dicey() -> Felt:
    return Felt(wide_profile("dicey_21", ("ante", "raise")))


@pytest.fixture
def stud() -> Felt:
    return Felt(wide_profile("stud_21", ("match1", "match2", "mirror", "base")))


def test_view_lost_before_the_dice_are_shown_hides_no_payment_of_an_ante(dicey: Felt) -> None:
    dicey.bets({2: "20"}, "ante").card(2, "Ts").lost().snap().roll(4, 5, 2).pay_spot(2, "ante", "25")
    assert accused(over(dicey)) == [("violation", "P057", "5.00")]


@pytest.mark.parametrize(("lost_after", "told"), [(True, [("violation", "P045", None)]), (False, [])])
def test_view_lost_later_takes_back_nothing_that_was_seen_by_then(
    dicey: Felt, lost_after: bool, told: list[tuple[str, str, str | None]]
) -> None:
    dicey.bets({2: "20"}, "ante")
    if not lost_after:
        dicey.snap().lost()
    dicey.card(2, "Ts", sideways=True).snap()
    if lost_after:
        dicey.lost().snap()
    dicey.roll(4, 5, 2).pay_spot(2, "ante", "20")
    assert [one for one in accused(over(dicey)) if one[1] == "P045"] == told


def test_view_lost_earlier_hides_no_order_of_what_came_later(stud: Felt) -> None:
    dealt(stud, "Th 9c", base="20").lost().snap()
    stud.dealer_zone_card("dealer.card2", "8s").dealer_zone_card("dealer.card1", "Td").pay_spot(2, "base", "20")
    assert ("violation", "P075", None) in accused(finished(stud))


@pytest.mark.parametrize(
    ("lost", "told"),
    [({4}, [("violation", "P280", "-15.00")]), ({4, 5, 6}, [("undetermined", "P280", None)] * 2)],
    ids=["one card", "all second cards"],
)
def test_second_card_that_came_in_a_lost_view_is_known_while_others_still_lack_theirs(
    lost: set[int], told: list[tuple[str, str, str | None]]
) -> None:
    """The view is lost while so many cards lie on the felt; a blackjack is paid 6 to 5."""
    felt = Felt().bets({1: "50", 2: "50"}).deal({1: "As Kc", 2: "9c Th"}, "8s Td").snap().turn()
    felt.pay(2, "50").collect(2).pay(1, "60").collect(1).pick_up()
    begun = next(place for place, state in enumerate(felt.states) if _cards(state) == max(lost)) + 1
    felt.states = [
        replace(state, view="lost", reason="dark", objects=()) if place < begun and _cards(state) in lost else state
        for place, state in enumerate(felt.states)
    ]
    assert [one for one in found(felt) if one[1] == "P280"] == told


def _cards(state: TableState) -> int:
    return sum(item.kind in CARD_KINDS for item in state.objects)
