"""Two touching piles that a look lists as one."""

from __future__ import annotations

from dataclasses import replace

import pytest

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


def test_a_pile_made_of_two_by_a_hand_stays_one() -> None:
    """The dealer's hand came, and took what it had paid: a winner is left without what is due to him."""
    felt = paid_beside(41.0)
    felt.hand("dealer", "seat2.base", "rack").remove("s2.base.pay")
    felt.snap().collect_spot(2, "base").pick_up_seat(2)
    assert accused(dealer_away(felt)) != []
