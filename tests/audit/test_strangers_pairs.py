"""Acts that strangers' scenes of every procedure showed in another way than our own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.pipeline import audit_states
from audit.states import SeenObject, StackCandidate
from audit.timing import Span
from tests.audit.asking import accused
from tests.audit.pairs.deal import push, start, table
from tests.audit.pairs.hands import resting
from tests.audit.pairs.money import cut
from tests.audit.pairs.other_games import dealer_away
from tests.audit.pairs.pair import change, put
from tests.audit.pairs.whole_shoes import blackjack, cards, goes_on, lay_cut, stand_all
from tests.notation import Felt, wide_profile


def told(felt: Felt, procedure: str) -> list[str]:
    return [one[0] for one in accused(felt) if one[1] == procedure]


@pytest.mark.parametrize(("right", "away", "verdicts"), [(60.0, 0.0, []), (4.0, 44.0, ["suspect"])])
def test_wager_of_a_split_before_the_other_is_not_at_its_right(right: float, away: float, verdicts: list[str]) -> None:
    """P324."""
    felt = start(table(), {2: "8c 8d"}, "Td 8s", bet="20").hand("player", "seat2.main", seat=2)
    felt.put_chips("s2.main.2", "20", felt.at("seat2.main", right, away))
    felt.snap().hand("dealer", "seat2.cards")
    for hand, name in ((1, "s2.h1.0"), (2, "s2.h1.1")):
        spot = felt.at("seat2.cards", (hand - 1.5) * 130.0, 18.0)
        felt.things[f"s2.h{hand}.0"] = replace(felt.things.pop(name), xy_mm=spot)
    felt.snap().hit(2, "Tc").hit(2, "Th", hand=2)
    assert told(push(felt, 2), "P324") == verdicts


def test_hand_on_a_wager_that_leaves_as_the_first_card_lies_was_there_all_the_while() -> None:
    """P195."""
    felt = resting(still=True)
    place = next(n for n, state in enumerate(felt.states) if any("shoe" in hand.zones for hand in state.hands))
    state = felt.states[place]
    last = max(hand.span.last for hand in state.hands if hand.side == "dealer")
    hands = tuple(replace(h, span=Span.of(h.span.first, last)) if h.side == "player" else h for h in state.hands)
    felt.states[place] = replace(state, hands=hands)
    assert told(felt, "P195") == ["violation"]


def test_card_that_went_to_another_hand_while_the_other_hand_was_at_the_shoe_is_suspected_to_be_moved() -> None:
    """P245: the rest of its hand stays, and the dealer's hand was there before it was where the like one came."""
    felt = start(table(), {1: "5h 6c", 2: "5s 4c"}, "Td Ks").hit(1, "9c")
    felt.hand("player", "seat2.cards", seat=2).hand("dealer", "shoe").hand("dealer", "seat1.cards")
    felt.hand("dealer", "seat2.cards").remove("s1.h1.2")
    felt.put_card("s2.h1.2", "9c", felt.at("seat2.cards", 0.0, 16.0), 0.0)
    felt.snap().turn().take_spot(2, "main").take_spot(1, "main").pick_up()
    assert told(felt, "P245") == ["suspect"]


@pytest.mark.parametrize(("height", "verdicts"), [(66.0, []), (84.5, ["suspect"])])
def test_cut_card_that_came_too_late_by_the_height_of_the_discards_is_suspected(
    height: float, verdicts: list[str]
) -> None:
    """P142 and P143, of a shoe that was in play when the view began."""
    felt, shoe = blackjack(seats=2), cards()
    put(felt, "discards", "discards", felt.at("discard"), height_mm=height)
    stand_all(felt.snap(), shoe, lay_cut())
    assert told(felt, "P142") == verdicts


def test_push_passed_over_at_21_stud_has_its_turn_when_its_cards_go() -> None:
    """P078: seat 2 and the dealer have blackjacks; seat 1 is taken and his cards go first."""
    felt = Felt(wide_profile("stud_21", ("base",))).bets({1: "10", 2: "10"}, "base")
    for seat, code in ((1, "Tc"), (2, "Qh"), (1, "7c"), (2, "Ad")):
        felt.card(seat, code)
    felt.dealer_zone_card("dealer.card1", "back").dealer_zone_card("dealer.card2", "back")
    felt.dealer_zone_card("dealer.card1", "Js").dealer_zone_card("dealer.card2", "As")
    felt.take_spot(1, "base").pick_up_seat(1).pick_up_seat(2)
    assert told(dealer_away(felt).collect_spot(2, "base"), "P078") == ["violation"]


def test_cheques_cut_rightly_of_which_one_pile_was_read_nearly_surely_and_then_stacked_are_cut() -> None:
    """P108."""
    felt = cut(3, 3, 1, then=(7,))
    one = StackCandidate(stack=("red",), p=0.97)
    felt.states = [
        replace(
            state,
            objects=tuple(
                replace(item, stacks=(one, StackCandidate(stack=("red", "red"), p=0.02)))
                if item.kind == "chips" and item.stack == ("red",)
                else item
                for item in state.objects
            ),
        )
        for state in felt.states
    ]
    assert told(felt, "P108") == []


@pytest.mark.parametrize(("height", "verdicts"), [(93.0, []), (79.0, ["suspect"])])
def test_shoe_slugged_by_hands_that_are_listed_apart_was_seen_to_be_emptied(height: float, verdicts: list[str]) -> None:
    """P418."""
    felt, shoe = blackjack(seats=1), cards()
    stand_all(felt, shoe)
    put(felt, "discards", "discards", felt.at("discard"), height_mm=height - 9.0)
    felt.snap()
    for half in (height - 4.5, height):
        felt.hand("dealer", "shoe").hand("dealer", "discard")
        change(felt, "discards", height_mm=half)
        felt.snap()
    felt.snap().hand("dealer", "discard").remove("discards")
    felt.snap().hand("dealer", "shoe", "discard").snap()
    assert told(stand_all(felt, shoe), "P418") == verdicts


@pytest.mark.parametrize(("offered", "likely"), [(False, [0.5]), (True, [])])
def test_cut_by_another_may_have_been_offered_first_to_who_got_the_cut_card(
    *, offered: bool, likely: list[float]
) -> None:
    """P138: the stack was laid before somebody else before; else he may have refused in words."""
    felt = goes_on(blackjack(seats=2), stand_all, shuffled=True, cut_card=True, cutter=2)
    lies = [n for n, state in enumerate(felt.states) if any(_is_stack(item) for item in state.objects)]
    for place, right in zip(lies if offered else (), (-150.0, 150.0), strict=False):
        state, at = felt.states[place], felt.at("insurance", right)
        there = tuple(replace(item, xy_mm=at) if _is_stack(item) else item for item in state.objects)
        felt.states[place] = replace(state, objects=there)
    findings = audit_states(felt.states, felt.profile).findings
    assert [one.probability for one in findings if one.procedures[0] == "P138"] == likely


def _is_stack(item: SeenObject) -> bool:
    return item.kind == "card_back" and item.xy_mm[0] == 0.0
