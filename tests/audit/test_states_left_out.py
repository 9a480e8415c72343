"""States that were never settled enough to be seen: two or three in a row are left out of right scenes.

What happened in between shows at once, with all its hands; nobody is accused by that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from audit.pipeline import audit_states
from tests.audit.pairs import bankroll, between, deal, other_games, rounds, shoe
from tests.audit.pairs.pair import Pair
from tests.notation import Felt, merged, wide_profile

Scene = tuple[Sequence[Pair], str, int, int]
SCENES: dict[str, Scene] = {
    "a pair parted before both cards were seen": (rounds.PAIRS, "three hands of one pair of two decks", 4, 7),
    "a pair parted, then doubled": (deal.PAIRS, "the double card of a split hand upright", 4, 7),
    "a pair of tens parted": (deal.PAIRS, "the ace on a split ten upright", 4, 7),
    "the stack cut as it was first seen": (between.PAIRS, "the stack past the line, shuffled and cut there", 15, 18),
    "the stack cut": (between.PAIRS, "a player who cuts reaches into the shoe", 17, 20),
    "the cards out of the rack, cut and away": (between.PAIRS, "a player who cuts reaches into the shoe", 16, 19),
    "the burnt card shown": (shoe.PAIRS, "the cards of 21 Stud cut by the dealer", 21, 23),
    "the shuffle, and the next first card": (shoe.PAIRS, "two decks too many in the rack", 13, 16),
    "a raise laid and paid": (other_games.PAIRS, "a raise of three antes at Dicey 21", 2, 5),
    "a Draw bet laid and taken": (other_games.PAIRS, "a fourth card", 6, 9),
    "cards lifted, stacks out of the rack": (
        bankroll.PAIRS,
        "full stacks after the last round, none broken down",
        9,
        12,
    ),
}


@pytest.mark.parametrize("name", SCENES)
def test_right_scene_with_states_left_out_accuses_nobody(name: str) -> None:
    pairs, error, first, until = SCENES[name]
    felt = next(pair for pair in pairs if pair.error == error).right()
    result = audit_states(merged(felt.states, range(first, until)), felt.profile)
    findings = [one for round_ in result.rounds for one in round_.findings] + list(result.findings)
    assert [(one.procedures, one.observed) for one in findings if one.verdict.value != "undetermined"] == []


def test_pair_parted_before_both_cards_were_seen_is_played_as_two_hands() -> None:
    pairs, error, first, until = SCENES["a pair parted before both cards were seen"]
    felt = next(pair for pair in pairs if pair.error == error).right()
    (one,) = audit_states(merged(felt.states, range(first, until)), felt.profile).rounds
    assert [len(hand) for hand in one.observed.round.seats[1].hands] == [2, 2]
    assert [wager.key.bet for wager in one.observed.round.wagers] == ["main", "split"]


def double_and_blackjack() -> Felt:
    """A broken hand, a double, then a blackjack paid at once."""
    felt = Felt(wide_profile("blackjack", ("main",), rules="shoe-six-deck", finder=False))
    felt.bets({1: "20", 2: "25", 3: "10"}).deal({1: "Th 9c", 2: "8c 4d", 3: "6h 5h"}, dealer="9h 8s")
    felt.hand("player", "seat1.cards", seat=1).snap().hit(2, "Td").take(2).pick_up_seat(2).double(3, "10", "Tc").turn()
    felt.pay(3, "10", "main.1").pay(3, "10", "double.1").pay(1, "20").collect(3).collect(1).pick_up()
    felt.bets({1: "40", 2: "25"}).deal({1: "Th Ac", 2: "9c 9d"}, dealer="7h Ts").pay(1, "60").pick_up_seat(1)
    felt.collect(1).hand("player", "seat2.cards", seat=2).snap().turn().pay(2, "25").collect(2)
    return felt.pick_up()


def trilux_won_and_lost() -> Felt:
    felt = Felt(wide_profile("blackjack", ("main", "trilux"), rules="shoe-six-deck", finder=False))
    felt.bets({1: "20", 2: "20"}).bets({1: "5", 2: "5"}, "trilux").deal({1: "8h 9h", 2: "8c 2d"}, dealer="Th 6s")
    felt.take_spot(2, "trilux").pay_spot(1, "trilux", "45").collect_spot(1, "trilux")
    felt.hand("player", "seat1.cards", seat=1).hand("player", "seat2.cards", seat=2).snap().turn().dealer_hits("9d")
    felt.pay(2, "20").pay(1, "20").collect(2).collect(1).pick_up()
    felt.bets({1: "20", 2: "20"}).bets({1: "5"}, "trilux").deal({1: "8h 2c", 2: "Kc 9d"}, dealer="3h Ts")
    felt.take_spot(1, "trilux").hit(1, "9s").hand("player", "seat2.cards", seat=2).snap().turn().dealer_hits("5d")
    return felt.pay(2, "20").pay(1, "20").collect(2).collect(1).pick_up()


def split_and_played() -> Felt:
    felt = Felt(wide_profile("blackjack", ("main",), rules="shoe-six-deck", finder=False))
    felt.bets({2: "20"}).deal({2: "8c 8d"}, dealer="Th 6s").split(2, "20").card(2, "Tc", hand=1)
    felt.hand("player", "seat2.cards", seat=2).card(2, "3h", hand=2).hit(2, "9s", hand=2)
    felt.hand("player", "seat2.cards", seat=2).snap().turn().dealer_hits("9d")
    return felt.pay(2, "20", beside="main.2").pay(2, "20", beside="main.1").collect(2).pick_up()


@pytest.mark.parametrize("number", [3, 5, 8, 11])
@pytest.mark.parametrize("scene", [double_and_blackjack, trilux_won_and_lost])
def test_any_states_left_out_in_a_row_accuse_nobody(scene: Callable[[], Felt], number: int) -> None:
    felt = scene()
    for first in range(1, len(felt.states) - number):
        rounds = audit_states(merged(felt.states, range(first, first + number)), felt.profile).rounds
        told = [one for round_ in rounds for one in round_.findings if one.verdict.value != "undetermined"]
        assert told == [], (first, [one.observed for one in told])


def test_wagers_of_a_split_that_were_settled_in_the_gap_of_the_split_are_not_told_as_missing() -> None:
    felt = split_and_played()
    for first in range(1, len(felt.states) - 9):
        rounds = audit_states(merged(felt.states, range(first, first + 9)), felt.profile).rounds
        assert "P322" not in [
            one.procedures[0] for r in rounds for one in r.findings if one.verdict.value == "violation"
        ]
