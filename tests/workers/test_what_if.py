"""Stored rounds settled again under other rules."""

import json
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sqlite_utils import Database

from audit.paytables import rules_path
from audit.store import audits
from audit.store import footage as stored
from workers.cli import catwalk
from workers.settings import Settings
from workers.what_if import Question, answer_of, resettle

NOW = datetime(2026, 11, 21, 4, 0, tzinfo=UTC)


def _round(**changes: Any) -> dict[str, Any]:
    """Seat 1 has the second card named beside an ace (25.00) against the dealer's K 7; paid 37.50 and not taken."""
    return {
        "start_ms": 0,
        "end_ms": 9,
        "status": "complete",
        "missing": [],
        "game": "stud_21",
        "variant": {},
        "table": {"dealer": ["Kd", "7c"], "seats": {"1": {"cards": ["As", "Kh"]}}},
        "bets": [{"seat": 1, "bet": "base", "amount": "20.00"}],
        "settled": [{"seat": 1, "bet": "base", "outcome": "win", "odds": "3:2", "pay": "30.00"}],
        "violations": [],
        "pays": [{"seat": 1, "bet": "base", "amount": "30.00", "first_ms": 1, "last_ms": 2}],
        "takes": [],
        "tokes": [],
        "findings": [],
    } | changes


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """The stud rules of this version, but a blackjack pays 6 to 5."""
    path = tmp_path / "house.toml"
    text = rules_path("stud-21").read_text()
    assert 'value = "3:2"' in text
    path.write_text(text.replace('value = "3:2"', 'value = "6:5"'))
    return path


def test_a_changed_odds_shows_as_money_and_as_payments_that_differ(rules: Path) -> None:
    tally = answer_of([json.dumps(_round())], rules=str(rules)).bets["base"]
    assert (tally.wagers, tally.changed, tally.unknown) == (1, 1, 0)
    assert (tally.due_before, tally.due_after) == (Fraction(30), Fraction(24))
    assert (tally.differ_before, tally.differ_after) == (0, 1)


def test_the_same_rules_change_nothing() -> None:
    tally = answer_of([json.dumps(_round())] * 3, rules="stud-21").bets["base"]
    assert (tally.wagers, tally.changed, tally.differ_before, tally.differ_after) == (3, 0, 0, 0)
    assert tally.due_after == Fraction(90)


def test_a_stake_or_card_not_read_is_unknown_and_not_counted_as_money(rules: Path) -> None:
    unread = _round(bets=[{"seat": 1, "bet": "base", "amount": None}])
    unread["settled"] = [unread["settled"][0] | {"pay": None}]
    tally = answer_of([json.dumps(unread)], rules=str(rules)).bets["base"]
    assert (tally.unknown, tally.changed, tally.due_after) == (1, 0, Fraction(0))


def test_a_payment_not_read_differs_from_nothing(rules: Path) -> None:
    unread = _round(pays=[{"seat": 1, "bet": "base", "amount": None, "first_ms": 1, "last_ms": 2}])
    tally = answer_of([json.dumps(unread)], rules=str(rules)).bets["base"]
    assert (tally.changed, tally.differ_before, tally.differ_after) == (1, 0, 0)


def test_a_winner_that_was_taken_differs(rules: Path) -> None:
    taken = _round(pays=[], takes=[{"seat": 1, "bet": "base", "amount": "20.00", "first_ms": 1, "last_ms": 2}])
    tally = answer_of([json.dumps(taken)], rules=str(rules)).bets["base"]
    assert (tally.differ_before, tally.differ_after) == (1, 1)


def _store(db: Database, *rounds: dict[str, Any]) -> None:
    footage_id = stored.register_footage(db, sha256="a" * 64, path="/a.mp4", size_bytes=1, at=NOW)
    profile_id = stored.store_profile(db, name="ST-01", game="stud_21", toml="", sha256="p" * 64, at=NOW)
    pins = stored.Pins(software="1", weights_sha256="w", rules_sha256="r")
    run_id = stored.open_run(db, footage_id=footage_id, profile_id=profile_id, pins=pins, segments=[], at=NOW)
    audits.store_audit(db, run_id, rounds=rounds, findings=[], at=NOW)


@pytest.mark.parametrize(
    ("since", "rounds"), [(None, 2), ("2026-11-21T04:00:00.000+00:00", 2), ("2026-11-22T00:00:00.000+00:00", 0)]
)
def test_only_rounds_of_the_game_and_time_are_settled(
    db: Database, settings: Settings, rules: Path, since: str | None, rounds: int
) -> None:
    _store(db, _round(), _round(), _round(game="blackjack"))
    question = Question(data_dir=settings.data_dir, game="stud_21", rules=str(rules), since=since)
    *_, (answer, done, total) = resettle(question, processes=2)
    assert (answer.rounds, done, total) == (rounds, 3, 3)


def test_resettle_prints_and_writes_the_difference_by_bet(
    db: Database, settings: Settings, rules: Path, tmp_path: Path
) -> None:
    _store(db, _round())
    out = tmp_path / "out.json"
    arguments = ["resettle", "--rules", str(rules), "--data", str(settings.data_dir), "--json", str(out)]
    done = CliRunner().invoke(catwalk, arguments)
    assert done.exit_code == 0
    assert json.loads(out.read_text()) == {
        "game": "stud_21",
        "rounds": 1,
        "bets": {
            "base": {
                "wagers": 1,
                "changed": 1,
                "unknown": 0,
                "due_before": "30.00",
                "due_after": "24.00",
                "difference": "-6.00",
                "differ_before": 0,
                "differ_after": 1,
            }
        },
    }


def test_resettle_names_rules_that_are_not_there(settings: Settings) -> None:
    done = CliRunner().invoke(catwalk, ["resettle", "--rules", "house", "--data", str(settings.data_dir)])
    assert done.exit_code == 2
    assert done.stderr.startswith("rules: expected one of ")
    assert done.stderr.count("\n") == 1
