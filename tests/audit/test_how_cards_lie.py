"""Which way round a card lies is as sure as its face: where that is in doubt, so is what it seems to break."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from audit.pipeline import audit_states
from audit.readings import RECOGNISED, Thresholds
from audit.states import TableState
from tests.audit.pairs.dice import dicey, game, shoot
from tests.notation import Felt, sample_profile


def read_with(states: Iterable[TableState], code: str, p: float) -> list[TableState]:
    """The card of that face is read no surer than that."""
    return [
        replace(
            state,
            objects=tuple(
                replace(item, card=None, candidates={code: p}) if item.card == code else item for item in state.objects
            ),
        )
        for state in states
    ]


def verdicts(felt: Felt, code: str, card: str, p: float, thresholds: Thresholds) -> list[str]:
    rounds = audit_states(read_with(felt.states, card, p), felt.profile, thresholds=thresholds).rounds
    return [str(one.verdict) for round_ in rounds for one in round_.findings if one.code == code]


@pytest.mark.parametrize("table", [dicey, shoot])
@pytest.mark.parametrize(("p", "verdict"), [(0.95, "violation"), (0.77, "suspect")])
def test_hit_card_that_is_hardly_read_may_lie_upright(table, p: float, verdict: str) -> None:
    felt = game(table(), first="6s", hit="4c", sideways=True)
    assert verdicts(felt, "hit-laid", "4c", p, RECOGNISED) == [verdict]


@pytest.mark.parametrize(("p", "verdict"), [(0.95, "violation"), (0.77, "suspect")])
def test_doubles_card_that_is_hardly_read_may_lie_sideways(p: float, verdict: str) -> None:
    felt = Felt(sample_profile()).bets({1: "25"}).deal({1: "6h 5c"}, dealer="Td 7s")
    felt.hand("player", "seat1.main", seat=1).put_chips("s1.double.1", "25", felt.at("seat1.main", 42.0))
    felt.snap().card(1, "8c")
    felt.turn().pay(1, "25").collect(1).pick_up()
    assert verdicts(felt, "double-upright", "8c", p, RECOGNISED) == [verdict]
