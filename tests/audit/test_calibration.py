"""Findings told with a probability are true as often as they say, where the readings are."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

from audit.pipeline import audit_states
from audit.states import read_states
from audit.table import load_profile
from tests.audit.confusion import Confusion, bins, expected_error, seen_and_true, told_and_true
from tests.notation import ROOT

CLIPS = {
    "blackjack": "BJ-07",
    "side_bets": "BJ-12",
    "draw_n_shoot_21": "DNS-03",
    "dicey_21": "DIC-02",
    "stud_21": "STU-11",
    "lucky_draw_baccarat": "LDB-05",
}
SAMPLE = ROOT / "sample_footage"
EDGES = (0.05, 0.2, 0.4, 0.6, 0.9, 0.99)


@cache
def told() -> tuple[tuple[float, bool], ...]:
    """Every finding over the sample clips, each read in four ways, with whether it is true in the world of that."""
    pairs: list[tuple[float, bool]] = []
    for clip, table in CLIPS.items():
        profile = load_profile(SAMPLE / "profiles" / f"{table}.toml")
        states = tuple(read_states(Path(SAMPLE / "clips" / f"{clip}.states.jsonl").read_text().splitlines()))
        for seed in range(4):
            luck = random.Random(seed)  # noqa: S311 - seeded, for tests
            seen, true = seen_and_true(states, Confusion(luck=luck, unsure=0.4))
            found = told_and_true(audit_states(seen, profile), audit_states(true, profile))
            pairs += [(p, is_true) for p, is_true, _ in found]
    return tuple(pairs)


def test_of_findings_told_at_nine_in_ten_nine_in_ten_are_true() -> None:
    high = [true for p, true in told() if p >= 0.9]
    assert len(high) > 80
    assert sum(high) / len(high) >= 0.9


def test_probabilities_of_findings_are_calibrated() -> None:
    rows = bins(told(), EDGES)
    assert sum(n for *_, n in rows) > 250
    assert expected_error(rows) < 0.06, rows
    assert all(abs(said - true) < 0.15 for _, said, true, n in rows if n >= 40), rows
