"""Two rounds that run into one another, and a seat gets the very card again that lay there: nobody is accused.

The last look at the first round is followed by one at the second; what came between was not settled, or not in view.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.pipeline import AuditedRound, audit_states
from audit.rounds import RoundStatus
from audit.states import TableState
from audit.timing import Span
from tests.audit.asking import accused, audited
from tests.audit.pairs.dice import game, shoot
from tests.notation import Felt, covering, merged, wide_profile

Deal = tuple[dict[int, str], str]


def two_rounds(second: Deal, *, hit: str = "") -> tuple[Felt, int]:
    """Seat 1's Th 9c beats the dealer's Td 8s; then another deal. Also where the first round's states end."""
    felt = Felt(wide_profile("blackjack", ("main",), finder=False))
    felt.bets({1: "25"}).deal({1: "Th 9c"}, dealer="Td 8s").turn().pay(1, "25").collect(1).pick_up()
    ends = len(felt.states)
    seats, dealer = second
    felt.bets({1: "25"}).deal(seats, dealer=dealer)
    felt = felt.hit(1, hit) if hit else felt
    return felt.turn().pay(1, "25").collect(1).pick_up(), ends


SECONDS: dict[str, tuple[Deal, str]] = {
    "the first card again": (({1: "Th 6c"}, "9d 8c"), "4d"),
    "the second card again": (({1: "5h 9c"}, "7d Ks"), "4s"),
    "its first card and the dealer's": (({1: "Th 9s"}, "Td 8c"), ""),
}


def hidden(states: list[TableState], first: int, until: int) -> list[TableState]:
    """The view was lost in some states."""
    span = Span.of(states[first].span.first, states[until - 1].span.last)
    return [*states[:first], TableState(span=span, view="lost", reason="blocked"), *states[until:]]


def left_out(states: list[TableState], first: int, until: int) -> list[TableState]:
    return merged(states, range(first, until))


@pytest.mark.parametrize("way", [hidden, left_out])
@pytest.mark.parametrize("name", SECONDS)
def test_the_same_card_after_a_gap_is_another_round(name: str, way: object) -> None:
    second, hit = SECONDS[name]
    felt, ends = two_rounds(second, hit=hit)
    assert accused(felt) == []
    for first in range(ends - 3, ends):
        for until in range(ends + 2, ends + 6):
            states = way(felt.states, first, until)  # type: ignore[operator]  # one of two ways
            rounds = audit_states(states, felt.profile).rounds
            assert [one for round_ in rounds for one in _accusing(round_)] == [], (first, until)
            assert len(rounds) == 2


@pytest.mark.parametrize("zone", ["dealer.cards", "seat1.cards"])
@pytest.mark.parametrize(("way", "last"), [(hidden, 7), (left_out, 6)])
def test_a_gap_after_which_the_first_looks_are_covered_is_one_all_the_same(way: object, last: int, zone: str) -> None:
    """Only later looks show that the dealer's cards, or the seat's, are not those of before."""
    for second, hit in SECONDS.values():
        felt, ends = two_rounds(second, hit=hit)
        for first in range(ends - 3, ends):
            for until in range(ends + 1, ends + last):
                states = way(felt.states, first, until)  # type: ignore[operator]  # one of two ways
                after = first + 1 if way is hidden else first
                rounds = audit_states(covering(states, after, felt.profile, zone), felt.profile).rounds
                assert [one for round_ in rounds for one in _accusing(round_)] == [], (first, until)
                assert len(rounds) == 2, (first, until)


def test_a_round_that_goes_on_behind_a_cover_after_a_gap_stays_one() -> None:
    """The dealer's cards are hidden by the look after it; he has still those of before."""
    felt, ends = two_rounds(*SECONDS["the first card again"][:1], hit="4d")
    for first in range(ends - 9, ends - 3):
        states = hidden(felt.states, first, first + 1)
        rounds = audit_states(covering(states, first + 1, felt.profile, "dealer.cards"), felt.profile).rounds
        assert [one for round_ in rounds for one in _accusing(round_)] == [], first
        assert len(rounds) == 2, first


def _accusing(round_: AuditedRound) -> list[str]:
    return [f"{one.procedures[0]} {one.observed}" for one in round_.findings if one.verdict.value != "undetermined"]


def test_rounds_with_nothing_seen_between_them_are_partial() -> None:
    felt, ends = two_rounds(*SECONDS["the first card again"][:1], hit="4d")
    rounds = audit_states(left_out(felt.states, ends - 2, ends + 2), felt.profile).rounds
    assert [one.observed.status for one in rounds] == [RoundStatus.PARTIAL, RoundStatus.PARTIAL]
    assert [one.observed.missing[0].partition(":")[0] for one in rounds] == ["end", "start"]


def test_a_hand_of_which_a_card_is_hidden_after_the_gap_is_not_told_to_be_another() -> None:
    felt, ends = two_rounds(*SECONDS["the first card again"][:1], hit="4d")
    states = hidden(felt.states, ends - 5, ends - 4)
    seen = tuple(one for one in states[ends - 4].objects if one.card != "9c")
    states[ends - 4] = replace(states[ends - 4], objects=seen, covered=frozenset({"seat1.cards"}))
    rounds = audit_states(states, felt.profile).rounds
    assert [one for round_ in rounds for one in _accusing(round_)] == []
    assert len(rounds) == 2


def test_the_very_card_again_after_the_dice_were_covered_is_another_round() -> None:
    """Draw 'n Shoot 21: the seat's only card is the same, and the dice, open in the last look, are covered."""
    felt = game(shoot())
    ends = len(felt.states)
    again = [
        replace(
            state,
            span=_later(state.span, felt.now),
            hands=tuple(replace(hand, span=_later(hand.span, felt.now)) for hand in state.hands),
        )
        for state in game(shoot()).states
    ]
    for first in range(ends - 4, ends - 1):
        rounds = audit_states(left_out([*felt.states, *again], first, ends + 2), felt.profile).rounds
        assert [one for round_ in rounds for one in _accusing(round_)] == [], first
        assert [one.observed.status for one in rounds] == [RoundStatus.PARTIAL, RoundStatus.PARTIAL]


def _later(span: Span, by: int) -> Span:
    return Span.of(span.first + by, span.last + by)


def test_a_card_that_one_look_misses_while_another_seat_is_served_begins_no_round() -> None:
    """Recognised footage says since when each card was watched: a look that misses one is common there."""
    felt = Felt(wide_profile("blackjack", ("main",), finder=False))
    felt.bets({1: "25", 2: "25"}).deal({1: "Th 9c", 2: "Tc 6h"}, dealer="Td 8s").hit(2, "9h").take(2)
    felt.hand("dealer", "seat2.cards", "discard")
    for name in felt.names("s2.h"):
        felt.remove(name)
    felt.hand("player", "seat1.cards", seat=1).card(1, "2h").turn().pay(1, "25").collect(1).pick_up()
    states = [
        replace(state, objects=tuple(replace(one, since_ms=state.span.first) for one in state.objects))
        for state in felt.states
    ]
    served = next(n for n, state in enumerate(states) if any(one.card == "2h" for one in state.objects))
    kept = tuple(one for one in states[served].objects if one.card != "9c")
    states[served] = replace(states[served], objects=kept)
    assert len(audit_states(states, felt.profile).rounds) == 1


def turned_while_the_view_was_lost(*, same: bool) -> Felt:
    """The hole card is turned and both are slid aside unseen; the players' cards lie as they lay, or others do."""
    felt = Felt(wide_profile("blackjack", ("main",), seats=3)).bets({1: "10", 2: "10"})
    felt.deal({1: "Th 9c", 2: "Ts 8d"}, dealer="Ac Qs").lost(ms=4000)
    felt.put_card("d.up", "Ac", felt.at("dealer.cards", -290.0), 0.0)
    felt.put_card("d.hole", "Qs", felt.at("dealer.cards", -220.0), 0.0)
    if not same:
        for name, code in zip(felt.names("s"), ("4h", "6c", "7s", "2d"), strict=False):
            if name.startswith(("s1.h", "s2.h")):
                felt.things[name] = replace(felt.things[name], card=code)
    return felt.snap().take(2).take(1).pick_up()


@pytest.mark.parametrize(("same", "rounds"), [(True, 1), (False, 2)])
def test_dealers_cards_turned_and_slid_aside_while_the_view_was_lost_end_no_round(same: bool, rounds: int) -> None:
    assert len(audited(turned_while_the_view_was_lost(same=same)).rounds) == rounds


@pytest.mark.parametrize(("left", "rounds"), [("3s 6h", 1), ("3s 9h", 2)])
def test_cards_picked_up_at_the_dice_while_the_view_was_lost_end_no_round(left: str, rounds: int) -> None:
    """Three of five cards are away; the two that lie there lay so, or one of them is another."""
    felt = Felt(wide_profile("draw_n_shoot_21", ("ante",), seats=3)).bets({1: "10", 2: "10"}, "ante")
    felt.card(1, "3s").card(2, "2c").hit(1, "6h").hit(2, "4h 7h").roll(1, 2).lost(ms=4000)
    felt.remove("s2.ante.1")
    for name in felt.names("s2.h"):
        felt.remove(name)
    for name, code in zip(felt.names("s1.h"), left.split(), strict=True):
        felt.things[name] = replace(felt.things[name], card=code)
    felt.snap().take_spot(1, "ante").pick_up_seat(1).cover_dice()
    assert len(audited(felt).rounds) == rounds
