"""Where the card that decides was never read, nothing is silently right: what hangs on it is undetermined."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.audit.asking import audited
from tests.audit.pairs import deal, manner, rounds
from tests.audit.pairs.pair import Pair
from tests.notation import Felt

UP_CARD = [
    pair
    for pair in (*deal.PAIRS, *manner.PAIRS, *rounds.PAIRS)
    if pair.procedure in ("P237", "P299", "P300", "P308", "P309") and not pair.error.startswith("insurance")
]
"""What goes by the up card alone: insurance laid too late is laid too late, whatever it is."""


def never_read(felt: Felt, rank: str) -> Felt:
    """No look read the cards of a rank."""
    felt.states = [
        replace(
            state,
            objects=tuple(
                replace(one, card=None, candidates={}) if (one.card or "").startswith(rank) else one
                for one in state.objects
            ),
        )
        for state in felt.states
    ]
    return felt


def verdicts(felt: Felt, procedure: str) -> set[str]:
    result = audited(felt)
    every = [*result.findings, *(one for each in result.rounds for one in each.findings)]
    return {one.verdict.value for one in every if procedure in one.procedures}


@pytest.mark.parametrize("pair", UP_CARD, ids=[f"{pair.procedure}: {pair.error}" for pair in UP_CARD])
def test_what_hangs_on_an_unread_up_card_is_undetermined(pair: Pair) -> None:
    felt = pair.wrong()
    up = next(one.card for state in felt.states for one in state.objects if one.card and _is_dealers(felt, one.xy_mm))
    assert verdicts(never_read(felt, up[0]), pair.procedure) == {"undetermined"}


def _is_dealers(felt: Felt, xy_mm: tuple[float, float]) -> bool:
    return any(zone.name.startswith("dealer.card") for zone in felt.profile.zones_at(xy_mm))
