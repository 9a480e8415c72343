"""A store filled with many rounds and findings, to measure the pages and the resettling on."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from sqlite_utils import Database

from audit.store.database import stamp, transaction
from audit.store.footage import Pins, open_run, register_footage, store_profile
from audit.store.tallies import count_runs

_RUNS: Final = 100
_TABLES: Final = 20
_DEALER_COUNT: Final = 60
_LENGTH: Final = timedelta(hours=84)
_PINS: Final = Pins(software="filled", weights_sha256="0" * 64, rules_sha256="0" * 64)


def fill(db: Database, *, records: Sequence[Mapping[str, Any]], rounds: int, findings: int, at: datetime) -> None:
    """Store that many rounds, the records in turn, and that many findings, in 100 finished runs at 20 tables.

    The recordings of a table follow each other up to the moment given, under a rota of 60 dealers who change hourly.
    """
    with transaction(db):
        for number in range(_RUNS):
            _open_run(db, number, rounds=rounds // _RUNS, findings=findings // _RUNS, at=at)
        db.execute("CREATE TEMP TABLE record_in_turn (turn INTEGER PRIMARY KEY, record TEXT)")
        lines = [(i, json.dumps(record, separators=(",", ":"))) for i, record in enumerate(records)]
        db.conn.executemany("INSERT INTO record_in_turn VALUES (?, ?)", lines)
        sizes = {"rounds": rounds, "findings": findings, "runs": _RUNS, "turns": len(lines), "tables": _TABLES}
        db.execute(_ROUNDS, sizes | _spread(rounds // _RUNS))
        _store_findings(db, sizes | _spread(findings // _RUNS))
        db.execute("DROP TABLE record_in_turn")
        first = at - _LENGTH * (_RUNS // _TABLES)
        db.execute(_DEALERS, sizes | {"dealers": _DEALER_COUNT, "at": stamp(at)})
        hours = (at - first) // timedelta(hours=1)
        db.execute(_ROTA, sizes | {"dealers": _DEALER_COUNT, "first": stamp(first), "at": stamp(at), "hours": hours})
        db.execute(_HEALTH)
    count_runs(db)


def _spread(each: int) -> dict[str, int]:
    """Return how many there are of a run, and how far apart, in milliseconds, that they fill its recording."""
    return {"each": each, "step": _LENGTH // timedelta(milliseconds=1) // max(1, each)}


def _store_findings(db: Database, sizes: Mapping[str, int]) -> None:
    """Store the findings, and their words at once in the order of the index, as one by one takes many times longer."""
    trigger = db.execute("SELECT sql FROM sqlite_master WHERE name = 'finding_text_grows'").fetchone()[0]
    db.execute("DROP TRIGGER finding_text_grows")
    db.execute(_FINDINGS, sizes)
    db.execute(
        "INSERT INTO finding_text (rowid, finding, notes, facets)"
        " SELECT entry, words, '', facets FROM finding_entries ORDER BY entry"
    )
    db.execute(trigger)


def _open_run(db: Database, number: int, *, rounds: int, findings: int, at: datetime) -> None:
    table = number % _TABLES
    footage_id = register_footage(db, sha256=f"{number:064}", path=f"/filled/{number}.mp4", size_bytes=0, at=at)
    profile_id = store_profile(db, name=f"BJ-{table:02}", game="blackjack", toml="", sha256=f"{table:064}", at=at)
    run_id = open_run(db, footage_id=footage_id, profile_id=profile_id, pins=_PINS, segments=[], at=at)
    recorded_at = stamp(at - _LENGTH * (_RUNS // _TABLES - number // _TABLES))
    db.execute(
        "UPDATE footage SET recorded_at = ?, duration_ms = ? WHERE id = ?",
        [recorded_at, _LENGTH // timedelta(milliseconds=1), footage_id],
    )
    db.execute(
        "UPDATE runs SET status = 'done', current = 1, rounds = ?, findings = ? WHERE id = ?",
        [rounds, findings, run_id],
    )


_ROUNDS: Final = """
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :rounds)
    INSERT INTO rounds (run_id, ordinal, start_ms, end_ms, status, game, record)
    SELECT 1 + i / :each, i % :each, i % :each * :step, i % :each * :step + 25000, 'complete', 'blackjack', t.record
    FROM n JOIN record_in_turn AS t ON t.turn = n.i % :turns
"""
_FINDINGS: Final = """
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :findings)
    INSERT INTO findings (run_id, round_id, ordinal, code, verdict, probability, seat, hand, bet, expected, observed,
        amount, amount_cents, rank, first_ms, last_ms, citation, procedures, extra, game, table_name)
    SELECT 1 + i / :each, 1 + i * (:rounds / :findings), 0, 'code-' || (i * 7919 % 40),
        CASE i % 3 WHEN 0 THEN 'violation' WHEN 1 THEN 'suspect' ELSE 'undetermined' END, 0.9, 1 + i % 6, 1,
        CASE WHEN i % 500 = 0 THEN 'insurance' WHEN i % 50 = 0 THEN 'super3' ELSE 'main' END, '3 to 2 on 25.00: 37.50',
        printf('%d.00 in %s', 5 + i * 7919 % 200, CASE i % 3 WHEN 0 THEN 'red' WHEN 1 THEN 'green' ELSE 'black' END),
        printf('%.2f', iif(i % 4 = 0, -1, 1) * (250 + i * 7919 % 100003) / 100.0),
        iif(i % 4 = 0, -1, 1) * (250 + i * 7919 % 100003), 0.9 * (250 + i * 7919 % 100003) / 100.0,
        i % :each * :step, i % :each * :step + 900, 'Blackjack manual, Blackjack Payouts 2', '["P280"]', '{}',
        'blackjack', 'BJ-' || printf('%02d', (i / :each) % :tables)
    FROM n
"""
_DEALERS: Final = """
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :dealers)
    INSERT INTO dealers (name, added_at) SELECT 'Dealer ' || printf('%02d', i), :at FROM n
"""
_ROTA: Final = """
    WITH RECURSIVE t(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM t WHERE n + 1 < :tables),
        h(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM h WHERE n + 1 < :hours)
    INSERT INTO rota (dealer_id, table_name, starts_at, ends_at, source, changed_by, changed_at)
    SELECT 1 + (t.n + 20 * (h.n % 3)) % :dealers, 'BJ-' || printf('%02d', t.n),
        strftime('%Y-%m-%dT%H:%M:%f+00:00', :first, h.n || ' hours'),
        strftime('%Y-%m-%dT%H:%M:%f+00:00', :first, (h.n + 1) || ' hours'), 'import', 'filled', :at
    FROM t, h
"""
_HEALTH: Final = """
    INSERT INTO run_health (run_id, day, table_name, cards, cards_unread, wagers, wagers_unread, moves, moves_unread,
        states, watched_ms, lost_ms, lost_reasons)
    SELECT r.id, '', p.name, 10 * r.rounds, r.rounds / 20, 2 * r.rounds, r.rounds / 10, r.rounds, r.rounds / 15,
        30 * r.rounds, 20000 * r.rounds, 0, '{}' FROM runs AS r JOIN profiles AS p ON p.id = r.profile_id
"""
