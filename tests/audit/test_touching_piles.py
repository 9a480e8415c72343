"""Two touching piles that a look lists as one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.reconstruction.merged import with_touching_piles_apart
from audit.states import SeenObject, TableState
from tests.audit.asking import accused
from tests.audit.pairs.other_games import dealer_away
from tests.notation import Felt, wide_profile


def paid_beside(right: float) -> Felt:
    """A Base of 10 wins at 21 Stud and is paid 10, so far beside it."""
    felt = Felt(wide_profile("stud_21", ("match1", "match2", "mirror", "base"))).bets({2: "10"}, "base")
    felt.card(2, "Th").card(2, "9c").dealer_zone_card("dealer.card1", "back").dealer_zone_card("dealer.card2", "back")
    felt.dealer_zone_card("dealer.card1", "Js").dealer_zone_card("dealer.card2", "8s")
    felt.hand("dealer", "seat2.base", "rack").put_chips("s2.base.pay", "10", felt.at("seat2.base", right))
    return felt.snap()


def as_one(state: TableState) -> tuple[SeenObject, ...]:
    """The things of a state, its two piles listed as one that lies between them."""
    one, other = (item for item in state.objects if item.kind == "chips")
    x, y = ((a + b) / 2 for a, b in zip(one.xy_mm, other.xy_mm, strict=True))
    whole = replace(one, xy_mm=(x, y), stack=(*(one.stack or ()), *(other.stack or ())))
    return (*(item for item in state.objects if item.kind != "chips"), whole)


@pytest.mark.parametrize("looks", [1, 2])
def test_touching_piles_listed_as_one_while_no_hand_came_are_two(looks: int) -> None:
    felt = paid_beside(41.0)
    for _ in range(looks):
        felt.snap()
        felt.states[-1] = replace(felt.states[-1], objects=as_one(felt.states[-1]))
    felt.snap().collect_spot(2, "base").pick_up_seat(2)
    assert accused(dealer_away(felt)) == []


@pytest.mark.parametrize(("hand", "piles"), [(None, 2), ("seat2.base", 1), ("seat1.base", 2)])
def test_a_look_is_read_as_two_piles_unless_a_hand_came_that_may_have_joined_them(hand: str | None, piles: int) -> None:
    felt = paid_beside(41.0)
    if hand is not None:
        felt.hand("dealer", hand)
    felt.snap()
    felt.states[-1] = replace(felt.states[-1], objects=as_one(felt.states[-1]))
    *_, last = with_touching_piles_apart(felt.states, felt.profile)
    assert len([one for one in last.objects if one.kind == "chips"]) == piles


@pytest.mark.parametrize("change", ["fewer", "elsewhere"])
def test_a_pile_of_other_cheques_or_not_between_them_is_another_one(change: str) -> None:
    felt = paid_beside(41.0).snap()
    *things, whole = as_one(felt.states[-1])
    x, y = whole.xy_mm
    other = replace(whole, stack=(whole.stack or ())[1:]) if change == "fewer" else replace(whole, xy_mm=(x, y + 60.0))
    felt.states[-1] = replace(felt.states[-1], objects=(*things, other))
    *_, last = with_touching_piles_apart(felt.states, felt.profile)
    assert [one for one in last.objects if one.kind == "chips"] == [other]
