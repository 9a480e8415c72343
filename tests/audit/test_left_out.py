"""Whatever looks a file of states leaves out, it is audited to its end, and its rounds are told in order."""

from __future__ import annotations

import random

import pytest

from tests.audit.asking import audited
from tests.audit.pairs.manner import PAIRS as MANNER
from tests.audit.pairs.pair import Pair
from tests.audit.test_every_procedure import NAMES, PAIRS
from tests.notation import Felt, merged


def without(felt: Felt, first: int, count: int) -> Felt:
    """A scene without some of its states: what they show falls in one gap."""
    felt.states = merged(felt.states, range(first, first + count))
    return felt


@pytest.mark.parametrize("pair", PAIRS, ids=NAMES)
def test_scene_with_looks_left_out_is_audited_to_its_end(pair: Pair) -> None:
    chance = random.Random(f"{pair.procedure} {pair.error}")  # noqa: S311
    for scene in (pair.right, pair.wrong):
        count = len(scene().states)
        fewer = chance.randint(1, min(6, max(1, count // 2)))
        result = audited(without(scene(), chance.randint(0, count - fewer - 1), fewer))
        begun = [round_.observed.start.first for round_ in result.rounds]
        assert begun == sorted(begun)


def test_insurance_on_a_line_for_all_seats_that_is_paid_in_the_gap_in_which_the_wager_is_taken() -> None:
    insured = next(pair for pair in MANNER if pair.error.startswith("insurance after the closing wave"))
    assert len(audited(without(insured.right(), 17, 1)).rounds) == len(audited(insured.right()).rounds)
