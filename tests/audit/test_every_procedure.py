"""Every pair of a wrong and a right scene, and that no audited procedure is without a test."""

from __future__ import annotations

from itertools import chain

import pytest

from audit.findings import Finding
from tests.audit.asking import audited
from tests.audit.pairs import dice, hands, shoe
from tests.audit.pairs.pair import Pair
from tests.notation import Felt

PAIRS: list[Pair] = list(chain(dice.PAIRS, hands.PAIRS, shoe.PAIRS))
NAMES = [f"{pair.procedure}: {pair.error}" for pair in PAIRS]


def accusations(felt: Felt) -> list[Finding]:
    """Everything found that is not left open and follows from nothing else."""
    result = audited(felt)
    findings = [one for round_ in result.rounds for one in round_.findings] + list(result.findings)
    return [one for one in findings if one.verdict.value != "undetermined" and one.because_of is None]


@pytest.mark.parametrize("pair", PAIRS, ids=NAMES)
def test_wrong_scene_breaks_its_procedure_and_no_other(pair: Pair) -> None:
    found = accusations(pair.wrong())
    own = [one for one in found if pair.procedure in one.procedures]
    assert [one.verdict.value for one in own] == [pair.verdict], found
    assert [one for one in found if one not in own and not set(one.procedures) & set(pair.also)] == []


@pytest.mark.parametrize("pair", PAIRS, ids=NAMES)
def test_right_scene_accuses_nobody(pair: Pair) -> None:
    assert accusations(pair.right()) == []
