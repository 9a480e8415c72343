"""Footage with several troubles at once accuses nobody with certainty; one alone leaves everything as it is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.findings import Finding
from audit.pipeline import audit_states
from audit.states import CAMERA_MOVED, LIGHT_FLICKERS, PICTURES_LOST, TROUBLES
from tests.audit.test_every_procedure import PAIRS
from tests.notation import Felt

BOTH = {TROUBLES: [PICTURES_LOST, LIGHT_FLICKERS]}


def error(words: str) -> Felt:
    """The wrong scene of a pair."""
    return next(pair for pair in PAIRS if pair.error.startswith(words)).wrong()


def findings(felt: Felt, extra: dict[str, object]) -> list[Finding]:
    """What is found if every state tells of such troubles."""
    states = [replace(state, extra={**state.extra, **extra}) for state in felt.states]
    result = audit_states(states, felt.profile)
    return [one for round_ in result.rounds for one in round_.findings] + list(result.findings)


@pytest.mark.parametrize(
    ("extra", "verdict"),
    [
        ({TROUBLES: [LIGHT_FLICKERS]}, "violation"),
        ({TROUBLES: "the light flickers, pictures are lost"}, "violation"),
        ({CAMERA_MOVED: 7.5}, "violation"),
        (BOTH, "suspect"),
        ({TROUBLES: [PICTURES_LOST], CAMERA_MOVED: 7.5}, "suspect"),
    ],
)
@pytest.mark.parametrize("words", ["an ante below the minimum", "cheques gone before the bills were laid out"])
def test_two_troubles_make_a_violation_a_suspicion(words: str, extra: dict[str, object], verdict: str) -> None:
    told = [one for one in findings(error(words), extra) if one.verdict.value != "undetermined"]
    assert [one.verdict.value for one in told] == [verdict] * len(told) != []


def test_suspicion_says_what_the_troubles_were() -> None:
    (one,) = [one for one in findings(error("an ante below the minimum"), BOTH) if one.verdict.value == "suspect"]
    assert one.observed == f"1.00 wagered ({PICTURES_LOST}, {LIGHT_FLICKERS})"
    assert one.probability <= 0.7
