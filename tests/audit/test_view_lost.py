"""A view that was lost takes back nothing of what was in view at another time of the round."""

from __future__ import annotations

import pytest

from tests.audit.asking import accused
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
