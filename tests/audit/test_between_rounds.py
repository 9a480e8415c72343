"""What happens between two rounds: the cards shuffled, offered for the cut, spread, or brought back from the rack."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from audit.states import TableState
from tests.audit.asking import accused
from tests.audit.pairs import money
from tests.audit.pairs.deal import push, start, table
from tests.audit.pairs.pair import put
from tests.audit.pairs.shoe import dead, spread
from tests.audit.pairs.whole_shoes import blackjack, cards, shuffle, shuffled_round, stand_all
from tests.notation import Felt, doubtful_stack, wide_profile


def ids(felt: Felt | Iterable[TableState]) -> list[tuple[str, str]]:
    """Verdicts and first procedures."""
    return [(verdict, procedure) for verdict, procedure, _ in accused(felt)]


def shuffled_past_the_line(cut_x: float) -> Felt:
    """The stack lies past the line all the shuffle long, the cut card so far from its middle; then it is cut."""
    felt, shoe = blackjack(seats=2), cards()
    stand_all(felt, shoe)
    put(felt, "discards", "discards", felt.at("discard"), height_mm=40.0)
    felt.snap().hand("dealer", "discard").remove("discards")
    put(felt, "stack", "card_back", (0.0, 260.0), angle_deg=0.0)
    put(felt, "cut", "cut_card", (cut_x, 200.0), angle_deg=0.0)
    felt.snap().hand("dealer", "dealer.cards").snap().hand("player", "insurance", seat=1).remove("cut")
    felt.snap().hand("dealer", "shoe").remove("stack")
    felt.snap().hand("dealer", "shoe", "discard").snap()
    return stand_all(felt, shoe)


@pytest.mark.parametrize(("cut_x", "procedure"), [(60.0, "P137"), (250.0, "P130")])
def test_cut_card_that_lies_far_off_offers_no_cut(cut_x: float, procedure: str) -> None:
    """P130, P137: a stack past the line is offered for the cut there only if the cut card is with it."""
    told = [found for _, found in ids(shuffled_past_the_line(cut_x)) if found in ("P130", "P137")]
    assert told == [procedure]


@pytest.mark.parametrize(("kind", "told"), [("card", [("suspect", "P137")]), ("card_back", [])])
def test_face_beside_the_cut_card_is_suspected(kind: str, told: list[tuple[str, str]]) -> None:
    """P137: the stack is offered with its backs to the player who cuts."""
    felt = shuffled_round(blackjack(seats=2), cut_card=True)
    offered = next(n for n, state in enumerate(felt.states) if any(one.kind == "cut_card" for one in state.objects))
    state = felt.states[offered]
    objects = [
        replace(one, kind=kind, card="9c" if kind == "card" else None) if one.kind == "card_back" else one
        for one in state.objects
    ]
    felt.states[offered] = replace(state, objects=tuple(objects))
    assert ids(felt) == told


@pytest.mark.parametrize(("cutter", "told"), [(None, [("suspect", "P139")]), (1, [])])
def test_cut_before_the_first_round_in_view(cutter: int | None, told: list[tuple[str, str]]) -> None:
    """P139: who cuts is seen of the first shuffle in view as of any other."""
    felt = shuffle(blackjack(seats=2), cut_card=True, cutter=cutter)
    assert ids(stand_all(felt, cards())) == told


def test_cut_card_that_lies_by_no_cards_tells_no_cut() -> None:
    """P139: it lies aside for a look, the stack is in the dealer's hands; who cut was not seen."""
    felt = shuffled_round(blackjack(seats=2), cut_card=True, cutter=None)
    assert ids(felt) == [("suspect", "P139")]
    at = (-250.0, 40.0)
    felt.states = [
        replace(
            state, objects=tuple(replace(one, xy_mm=at) if one.kind == "cut_card" else one for one in state.objects)
        )
        for state in felt.states
    ]
    assert ids(felt) == []


def test_bill_that_lies_where_a_player_put_it_is_not_laid_out() -> None:
    """P165: the dealer laid it out and took it while the view was lost."""
    felt = money.table().hand("player", seat=1)
    put(felt, "bill", "bill", (445.0, 657.0), angle_deg=0.0, amount="20.00", side="up")
    felt.snap().lost().remove("bill")
    assert ids(money.push(felt.snap())) == []


def test_faces_in_two_long_rows_are_a_spread_and_no_round() -> None:
    """P218: fewer than 45 cards, of which half a deck lies side by side, are in nobody's hand."""
    felt = dead("card", rows=(22, 22))
    assert ("violation", "P218") in ids(felt)


@pytest.mark.parametrize(("past_mm", "told"), [(-60.0, []), (60.0, [("suspect", "P150")])])
def test_spread_past_the_seats_own_lines(past_mm: float, told: list[tuple[str, str]]) -> None:
    """P150: where each seat has an insurance line of its own, the nearest is the line."""
    profile = wide_profile("blackjack", ("main", "insurance"), seats=2)
    felt = Felt(replace(profile, zones=tuple(zone for zone in profile.zones if zone.name != "insurance")))
    edges = [max(y for _, y in zone.polygon_mm) for zone in felt.profile.zones if "insurance" in zone.name]
    stand_all(felt, cards())
    spread(felt, "card_back", y=past_mm + (max(edges) if past_mm > 0 else min(edges)))
    felt.hand("dealer", "dealer.cards").snap()
    felt.now += 300_000
    assert ids(felt.snap()) == told


def brought_back(*, of_the_round: bool) -> Felt:
    """After a round two cards come from the discard rack to seat 2 and go back: its own of that round, or others."""
    felt = push(start(table(), {1: "Th Qc", 2: "Ts Qh"}, "Td Ks"), 2, 1)
    put(felt, "discards", "discards", felt.at("discard"), height_mm=12.0)
    felt.bets({1: "10", 2: "10"})
    felt.hand("dealer", "discard", "seat2.cards")
    for number, code in enumerate(("Ts", "Qh") if of_the_round else ("4s", "5h")):
        felt.put_card(f"s2.h1.{number}", code, felt.at("seat2.cards", 33.0 * number, -9.0 * number), 0.0)
    return felt.snap().pick_up()


def test_one_hand_brought_back_is_no_round_of_its_own() -> None:
    """P288: two cards of the round before, from the discard rack; the other boxes were not passed over (P233)."""
    assert ids(brought_back(of_the_round=True)) == [("suspect", "P288")]
    assert ("violation", "P233") in ids(brought_back(of_the_round=False))


@pytest.mark.parametrize(("hand", "verdict"), [(True, "violation"), (False, "suspect")])
def test_card_that_no_hand_brought_to_an_empty_box_is_suspected(*, hand: bool, verdict: str) -> None:
    """P233: it may have lain there from before, under something; where a hand brought it, it was dealt."""
    felt = Felt(wide_profile("blackjack", ("main",), seats=3)).bets({1: "10"})
    felt.deal({1: "Tc 9h"}, dealer="Td 8s")
    first = next(n for n, state in enumerate(felt.states) if any(one.kind == "card" for one in state.objects))
    lying = replace(next(one for one in felt.states[-1].objects if one.card == "9h"), card="7s")
    lying = replace(lying, xy_mm=felt.at("seat3.cards"))
    brings = next(one for one in felt.states[first].hands if one.side == "dealer")
    state = felt.states[first]
    hands = (*state.hands, replace(brings, zones=("shoe", "seat3.cards"))) if hand else state.hands
    felt.states[first] = replace(state, hands=hands)
    felt.states[first:] = [replace(one, objects=(*one.objects, lying)) for one in felt.states[first:]]
    felt.put_card("s3.h1.0", "7s", felt.at("seat3.cards"), 0.0)
    felt.turn().take(1, "main.1").pick_up()
    assert (verdict, "P233") in ids(felt)


def shuffled_beside_cards() -> Felt:
    """The discards are taken while seat 1's cards still lie there, and stand before the dealer in stacks."""
    felt = blackjack(seats=1)
    put(felt, "discards", "discards", felt.at("discard"), height_mm=40.0)
    felt.snap().bets({1: "10"}).deal({1: "Tc 9h"}, dealer="Td 8s").turn().pay_spot(1, "main", "10")
    felt.collect_spot(1, "main").hand("dealer", "dealer.cards", "discard")
    for name in felt.names("d."):
        felt.remove(name)
    felt.snap().hand("dealer", "discard", "dealer.cards").remove("discards")
    for name, right in (("left", -45.0), ("right", 45.0)):
        put(felt, name, "card_back", felt.at("dealer.cards", right), angle_deg=0.0)
    put(felt.snap().hand("dealer", "dealer.cards"), "riffled", "card_back", felt.at("dealer.cards", 0.0), angle_deg=0.0)
    return felt.snap().snap()


def test_stacks_before_the_dealer_are_the_cards_that_he_shuffles() -> None:
    """P126: cards were left on the layout; none were dealt after the shuffle, so that the shoe lacked none (P295)."""
    told = [procedure for _, procedure in ids(shuffled_beside_cards())]
    assert "P126" in told
    assert "P295" not in told


def test_change_for_a_bill_that_still_lies_there_is_no_dirty_money() -> None:
    """P176, P174: play goes on over change that was not sent; the row before the rack is not beside the discards."""
    felt = money.table()
    put(felt, "bill", "bill", (-100.0, 100.0), angle_deg=0.0, amount="100.00", side="up")
    felt.hand("dealer", "rack")
    for number in range(4):
        felt.put_chips(f"cut.{number}", "red red red red red", (260.0 + 41.0 * number, 40.0))
    felt.snap()
    told = [procedure for _, procedure in ids(start(felt, {1: "Th Qc"}, "Td Ks").turn().pat(1).collect(1).pick_up())]
    assert "P176" in told
    assert not {"P158", "P201"} & set(told)


def test_colours_tell_the_order_of_change_whatever_their_counts() -> None:
    """P168: piles of which only the height is in doubt stand in the wrong order all the same."""
    felt = money.changed((("red red red red red", 60.0, 20.0), ("green green green", 60.0, 80.0)))
    for pile in (("red",) * 5, ("green",) * 3):
        felt.states = doubtful_stack(felt.states, pile, {pile: 0.95, (*pile, pile[0]): 0.03})
    assert ("violation", "P168") in ids(felt)
