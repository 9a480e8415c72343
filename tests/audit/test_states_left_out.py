"""States that were never settled enough to be seen: two or three in a row are left out of right scenes.

What happened in between shows at once, with all its hands; nobody is accused by that.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from audit.pipeline import audit_states
from tests.audit.pairs import bankroll, between, deal, other_games, rounds, shoe
from tests.audit.pairs.pair import Pair
from tests.notation import merged

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
