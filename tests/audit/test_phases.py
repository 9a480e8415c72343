"""Kinds of findings in the phases of a round."""

from __future__ import annotations

import pytest

from audit.phases import PHASES, phase_of


@pytest.mark.parametrize(
    ("code", "phase"),
    [
        ("late-wager", "before the deal"),
        ("card-2-first", "deal"),
        ("double-late", "players' play"),
        ("dealer-drew", "dealer's hand"),
        ("pay-amount", "settling"),
        ("extra-card", "shuffle and shoe"),
        ("never-heard-of", "other"),
    ],
)
def test_a_kind_has_its_phase(code: str, phase: str) -> None:
    assert phase_of(code) == phase
    assert phase in PHASES
