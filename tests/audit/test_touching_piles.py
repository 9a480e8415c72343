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


def set_beside(away: float, *, parted_by: str | None = None) -> Felt:
    """A player sets as much beside his bet, which two looks then show; the first lists both as one so far aside."""
    felt = Felt(wide_profile("blackjack", ("main",), seats=1)).bets({1: "15"}).deal({1: "8h 8c"}, dealer="6d Ts")
    felt.hand("player", "seat1.main", seat=1).put_chips("s1.main.1", "red " * 5 + "red", felt.at("seat1.main", away))
    felt.snap()
    if parted_by is not None:
        felt.hand(parted_by, "seat1.main", "seat1.cards")
        for hand in (1, 2):
            item = felt.things.pop(f"s1.h1.{hand - 1}")
            felt.things[f"s1.h{hand}.0"] = replace(item, xy_mm=felt.at("seat1.cards", (hand - 1.5) * 130.0, 18.0))
    felt.put_chips("s1.main.1", "15", felt.at("seat1.main", -33.0))
    felt.put_chips("s1.main.2", "15", felt.at("seat1.main", 33.0))
    return felt.snap()


@pytest.mark.parametrize(("away", "piles"), [(22.0, 2), (4.0, 1), (45.0, 1)])
@pytest.mark.parametrize("parted_by", [None, "dealer"])
def test_pile_listed_between_a_bet_and_what_was_set_beside_it_is_both(
    away: float, piles: int, parted_by: str | None
) -> None:
    felt = set_beside(away, parted_by=parted_by)
    *_, seen, _ = with_touching_piles_apart(felt.states, felt.profile)
    there = [one for one in seen.objects if one.kind == "chips"]
    assert len(there) == piles
    if piles == len(("bet", "split wager")):
        assert [one.xy_mm for one in there] == [felt.at("seat1.main"), felt.at("seat1.main", 2.0 * away)]
        assert [one.stack for one in there] == [("red",) * 3] * 2


def test_split_whose_wagers_one_look_lists_as_one_is_a_split() -> None:
    felt = set_beside(22.0, parted_by="dealer")
    felt.card(1, "Th").card(1, "9s", hand=2).pat(1).turn().dealer_hits("9s")
    felt.pay(1, "15").pay(1, "15", beside="main.2").collect(1).pick_up()
    assert [one for one in accused(felt) if one[0] == "violation"] == []


def test_pile_that_stays_is_not_the_one_that_another_was_listed_with() -> None:
    """As a pair is split one look counts a wager of one as two, between the old places; the other stands aside."""
    profile = wide_profile("blackjack", ("main",), seats=1, finder=False)
    felt = Felt(profile).bets({1: "25"})
    for name, right in (("s1.main.1", 0.0), ("s1.main.2", 49.0)):
        felt.put_chips(name, "25", felt.at("seat1.main", right))
    felt.hand("player", "seat1.main", seat=1).snap()
    for reading in ("green green", "green"):
        felt.hand("dealer", "seat1.main", "seat1.cards")
        felt.put_chips("s1.main.1", reading, felt.at("seat1.main", 24.0))
        felt.put_chips("s1.main.2", "25", felt.at("seat1.main", -50.0))
        felt.snap()
    *_, moved, last = with_touching_piles_apart(felt.states, profile)
    assert [len([one for one in state.objects if one.kind == "chips"]) for state in (moved, last)] == [2, 2]


@pytest.mark.parametrize(("reds", "piles"), [(8, 2), (5, 1)])
def test_bet_listed_with_a_payment_that_its_player_fetched_at_once_is_both(reds: int, piles: int) -> None:
    """Four reds stand alone before and after a look that lists eight 20 mm aside; five may be misread."""
    felt = Felt(wide_profile("blackjack", ("main",), seats=1, finder=False)).bets({1: "20"})
    felt.put_chips("s1.main.1", " ".join(["red"] * reds), felt.at("seat1.main", 14.0, -14.0))
    felt.snap().put_chips("s1.main.1", "20", felt.at("seat1.main"))
    felt.hand("player", "seat1.main", seat=1).snap()
    looks = list(with_touching_piles_apart(felt.states, felt.profile))
    assert [len([one for one in look.objects if one.kind == "chips"]) for look in looks[-2:]] == [piles, 1]
