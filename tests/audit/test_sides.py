"""A hand told as a player's that did what only the dealer does is his; what a missed hand did is suspected."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from audit.pipeline import audit_states
from audit.states import HandSeen
from audit.timing import Span
from tests.audit.asking import accused, only_round
from tests.notation import Felt, covering, wide_profile


def played() -> Felt:
    """Seat 1 wins 20; seat 2 is there."""
    felt = Felt(wide_profile("blackjack", ("main",), seats=3)).bets({1: "20", 2: "20"})
    felt.deal({1: "Th 9c", 2: "Ts 9d"}, dealer="Td 8s").turn().pay(2, "20").pay(1, "20")
    return felt.collect(2).collect(1).pick_up()


def taken_for(felt: Felt, seat: int, *zones: str, besides: bool = False) -> Felt:
    """The first hand of the dealer's over just these zones is told as a player's, or another one besides."""
    place = next(n for n, state in enumerate(felt.states) if any(_is(hand, zones) for hand in state.hands))
    state = felt.states[place]
    his = next(hand for hand in state.hands if _is(hand, zones))
    others = tuple(hand for hand in state.hands if besides or hand is not his)
    felt.states[place] = replace(state, hands=(*others, replace(his, side="player", seat=seat)))
    return felt


def _is(hand: HandSeen, zones: tuple[str, ...]) -> bool:
    return hand.side == "dealer" and set(hand.zones) == set(zones)


def as_told(felt: Felt) -> Felt:
    return felt


def by_zone(felt: Felt) -> Felt:
    """Every hand is listed once for each zone that it was over, as recognition does."""
    felt.states = [
        replace(state, hands=tuple(replace(hand, zones=(zone,)) for hand in state.hands for zone in hand.zones))
        for state in felt.states
    ]
    return felt


@pytest.mark.parametrize("listed", [as_told, by_zone])
@pytest.mark.parametrize(
    ("zones", "told"),
    [(("shoe", "seat1.cards"), []), (("rack", "seat1.main"), [("suspect", "P202", None)])],
)
def test_hand_that_dealt_or_paid_is_the_dealers_whoever_it_was_told_to_be(
    zones: tuple[str, ...], told: list[tuple[str, str, None]], listed: Callable[[Felt], Felt]
) -> None:
    assert accused(listed(taken_for(played(), 2, *zones))) == told


@pytest.mark.parametrize("zones", [("shoe", "seat1.cards"), ("rack", "seat1.main")])
@pytest.mark.parametrize(("later_ms", "verdicts"), [(7, ["violation"]), (0, [])])
def test_hand_beside_the_dealers_own_is_a_players_unless_one_arm_is_listed_twice(
    zones: tuple[str, ...], later_ms: int, verdicts: list[str]
) -> None:
    """P203, P202: his hand accounts for what was done; at the same moments over the same places it is the same arm."""
    felt = taken_for(played(), 2, *zones, besides=True)
    felt.states = [
        replace(state, hands=tuple(_later(hand, later_ms) if hand.seat == 2 else hand for hand in state.hands))
        for state in felt.states
    ]
    told = accused(felt)
    assert [one[0] for one in told if {"P202", "P203"} & {one[1]}] == verdicts


def _later(hand: HandSeen, later_ms: int) -> HandSeen:
    return replace(hand, zones=hand.zones[::-1], span=Span.of(hand.span.first + later_ms, hand.span.last))


@pytest.mark.parametrize(
    ("zones", "told"), [(("shoe", "seat1.cards"), []), (("rack", "seat1.main"), ["P202"]), (("dice",), ["P203"])]
)
def test_hand_of_no_seat_is_the_dealers_by_what_it_did_and_else_suspected(
    zones: tuple[str, ...], told: list[str]
) -> None:
    felt = played()
    if zones == ("dice",):
        felt.hand("player", "dice").snap()
    else:
        taken_for(felt, 0, *zones)
        felt.states = [
            replace(state, hands=tuple(replace(hand, seat=hand.seat or None) for hand in state.hands))
            for state in felt.states
        ]
    assert [(verdict, number) for verdict, number, _ in accused(felt)] == [("suspect", number) for number in told]
    result = audit_states(felt.states, felt.profile)
    assert all(one.seat is None for one in result.findings)


def test_card_on_21_that_no_hand_brought_is_suspected() -> None:
    """P246: a look may have missed it before."""
    felt = Felt(wide_profile("blackjack", ("main",), seats=1)).bets({1: "20"}).deal({1: "Th 5c"}, dealer="Td 8s")
    felt.hit(1, "6d").put_card("s1.h1.3", "2c", felt.at("seat1.cards", -60.0, 0.0), felt.axis(1))
    felt.snap().turn().take_spot(1, "main").pick_up()
    assert [one[0] for one in accused(felt) if one[1] == "P246"] == ["suspect"]


def test_cheques_of_a_double_in_one_gap_with_a_card_whose_hand_was_missed_are_not_late_for_certain() -> None:
    """P320: only the player was seen, over his cards first and over his bet then."""
    felt = Felt(wide_profile("blackjack", ("main",), seats=1)).bets({1: "20"}).deal({1: "6h 5c"}, dealer="Td 8s")
    felt.hand("player", "seat1.cards", seat=1).hand("player", "seat1.main", seat=1)
    felt.put_chips("s1.double.1", "20", felt.at("seat1.main", 40.0))
    felt.put_card("s1.h1.2", "9h", felt.at("seat1.cards", -40.0, -20.0), felt.axis(1) + 90.0)
    felt.snap().turn().pay(1, "40").pick_up()
    assert [one[0] for one in accused(felt) if one[1] == "P320"] == ["suspect"]


def test_bet_that_nobody_read_shifted_by_its_player_for_a_split_is_no_double() -> None:
    felt = Felt(wide_profile("blackjack", ("main",), seats=1)).bets({1: "20"}).deal({1: "8h 8c"}, dealer="Td 7s")
    felt.hand("player", "seat1.main", seat=1).hand("dealer", "seat1.cards")
    felt.put_chips("s1.main.1", "20", felt.at("seat1.main", -48.0))
    felt.put_chips("s1.main.2", "20", felt.at("seat1.main", 52.0))
    for hand, name in ((1, "s1.h1.0"), (2, "s1.h1.1")):
        spot = felt.at("seat1.cards", (hand - 1.5) * 130.0, 18.0)
        felt.things[f"s1.h{hand}.0"] = replace(felt.things.pop(name), xy_mm=spot)
    felt.snap().hit(1, "Tc").hit(1, "Th", hand=2).turn().pay(1, "20").pay(1, "20", beside="main.2")
    felt.collect(1).pick_up()
    mains = {felt.at("seat1.main"), felt.at("seat1.main", -48.0)}
    felt.states = [
        replace(state, objects=tuple(replace(i, stack=None) if i.xy_mm in mains else i for i in state.objects))
        for state in felt.states
    ]
    wagers = only_round(felt).observed.round.wagers
    assert [(one.key.bet, one.amount) for one in wagers] == [("main", None), ("split", 20)]


def test_hand_whose_last_card_came_under_cover_may_have_gone_with_its_bet() -> None:
    """P287: it broke, its bet was taken and its cards picked up, while they were hidden."""
    felt = Felt(wide_profile("blackjack", ("main",), seats=2)).bets({1: "20", 2: "20"})
    felt.deal({1: "Th 9c", 2: "Ts 5d"}, dealer="Td 8s")
    hidden = len(felt.states)
    felt.hand("player", "seat2.cards", seat=2).snap().hand("dealer", "shoe", "seat2.cards").snap()
    felt.take_spot(2, "main").pick_up_seat(2).hand("player", "seat1.cards", seat=1).turn()
    until = len(felt.states)
    felt.snap().pay(1, "20").collect(1).pick_up()
    for place in range(hidden, until):
        felt.states = covering(felt.states, place, felt.profile, "seat2.cards")
    assert "P287" not in {one[1] for one in accused(felt)}
