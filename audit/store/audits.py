"""Storing what an audit found: rounds and findings in the shape of ``contracts/audit.md``."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any, Final

from sqlite_utils import Database

from audit.store.database import stamp, transaction

PutRounds = Callable[[Database, int, Sequence[Mapping[str, Any]], datetime], object]
"""Stores the rounds of a run (the store, the run, the rounds, now)."""
_LAST: Final = -1.0
_KEPT: Final = ("code", "verdict", "probability", "expected", "observed", "first_ms", "last_ms", "citation")
_OPTIONAL: Final = ("seat", "hand", "number", "bet", "amount", "because_of")
_KNOWN: Final = frozenset((*_KEPT, *_OPTIONAL, "procedures"))


def store_audit(
    db: Database,
    run_id: int,
    *,
    rounds: Sequence[Mapping[str, Any]],
    findings: Sequence[Mapping[str, Any]],
    at: datetime,
    put: PutRounds | None = None,
) -> bool:
    """Store a run's rounds with their findings, and those of no round, and finish the run, in one transaction.

    From then on this run is the one the queue shows for its footage and table. Returns False, and stores nothing, if
    the run was finished already. ``put`` stores the rounds of a run of which some are stored already.
    """
    with transaction(db):
        finished = db.execute(
            "UPDATE runs SET status = 'done', current = 1, error = NULL, finished_at = ?, rounds = ?, findings = ?"
            " WHERE id = ? AND status <> 'done'",
            [stamp(at), len(rounds), len(findings) + sum(len(one["findings"]) for one in rounds), run_id],
        )
        if not finished.rowcount:
            return False
        _retire_older(db, run_id)
        (put or _insert_rounds)(db, run_id, rounds, at)
        _take_over(db, run_id)
        db.execute("INSERT OR IGNORE INTO uncounted_runs VALUES (?)", [run_id])
        _insert_findings(db, findings, _place(db, run_id) | {"round_id": None})
        return True


def fail_run(db: Database, run_id: int, *, error: str, at: datetime) -> None:
    """Mark a run that could not be audited, with the reason; running it again continues it."""
    with transaction(db):
        db.execute(
            "UPDATE runs SET status = 'failed', error = ?, finished_at = ? WHERE id = ? AND status <> 'done'",
            [error, stamp(at), run_id],
        )


def reopen_run(db: Database, run_id: int) -> None:
    """Let a failed run continue."""
    with transaction(db):
        db.execute(
            "UPDATE runs SET status = 'running', error = NULL, finished_at = NULL WHERE id = ? AND status = 'failed'",
            [run_id],
        )


def audit_record(db: Database, run_id: int) -> dict[str, Any]:
    """Return the stored audit in the shape of ``contracts/audit.md``: what was audited, before people said anything."""
    head = next(
        iter(
            db.query(
                "SELECT f.path AS source, p.name AS profile, r.software, r.weights_sha256 AS weights,"
                " r.rules_sha256 AS rules, p.sha256 AS profile_sha256 FROM runs AS r"
                " JOIN footage AS f ON f.id = r.footage_id JOIN profiles AS p ON p.id = r.profile_id WHERE r.id = ?",
                [run_id],
            )
        )
    )
    findings: dict[int | None, list[dict[str, Any]]] = {}
    audited = (
        "SELECT * FROM findings WHERE run_id = ? AND correction_id IS NULL"
        " AND added_by IS NULL AND id NOT IN (SELECT finding_id FROM withdrawn_findings) ORDER BY round_id, ordinal"
    )
    for row in db.query(audited, [run_id]):
        findings.setdefault(row["round_id"], []).append(_finding_record(row))
    rounds = db.query("SELECT id, record FROM rounds WHERE run_id = ? ORDER BY ordinal", [run_id])
    return {
        "source": head["source"],
        "profile": head["profile"],
        "versions": {
            "software": head["software"],
            "weights": head["weights"],
            "rules": head["rules"],
            "profile": head["profile_sha256"],
        },
        "rounds": [json.loads(row["record"]) | {"findings": findings.get(row["id"], [])} for row in rounds],
        "findings": findings.get(None, []),
    }


def rank_of(amount: str | None, probability: float, *, verdict: str) -> float:
    """Return what orders the review queue: money at stake, either way, times the probability of the finding.

    What could not be decided comes last, whatever money it is about: there is nothing in it to decide.
    """
    if verdict == "undetermined":
        return _LAST
    return 0.0 if amount is None else float(abs(Fraction(amount)) * Fraction(probability))


def _retire_older(db: Database, run_id: int) -> None:
    older = (
        "SELECT r.id FROM runs AS r JOIN profiles AS p ON p.id = r.profile_id, runs AS n JOIN profiles AS q"
        " ON q.id = n.profile_id WHERE n.id = :run AND r.id <> n.id AND r.footage_id = n.footage_id AND p.name = q.name"
    )
    ended = f"UPDATE findings SET current = 0 WHERE current = 1 AND added_by IS NULL AND run_id IN ({older})"  # noqa: S608 - constant text
    db.execute(ended, {"run": run_id})
    db.execute(f"UPDATE runs SET current = 0 WHERE current = 1 AND id IN ({older})", {"run": run_id})  # noqa: S608 - constant text


def _take_over(db: Database, run_id: int) -> None:
    """Let the findings that people added stand in this run: in the round that shares most time with each, if one does.

    What belongs to no round is not drawn for a second review.
    """
    added = (
        "SELECT f.id, f.first_ms, f.last_ms FROM findings AS f JOIN runs AS r ON r.id = f.run_id"
        " JOIN profiles AS p ON p.id = r.profile_id, runs AS n JOIN profiles AS q ON q.id = n.profile_id"
        " WHERE n.id = :run AND r.id <> n.id AND r.footage_id = n.footage_id AND p.name = q.name"
        " AND f.added_by IS NOT NULL AND f.current = 1"
    )
    shared = (
        "SELECT id FROM rounds WHERE run_id = ? AND start_ms <= ? AND end_ms >= ?"
        " ORDER BY min(end_ms, ?) - max(start_ms, ?) DESC, ordinal LIMIT 1"
    )
    for number, first, last in db.execute(added, {"run": run_id}).fetchall():
        row = db.execute(shared, [run_id, last, first, last, first]).fetchone()
        db.execute("DELETE FROM finding_facts WHERE finding_id = ?", [number])
        db.execute("UPDATE findings SET run_id = ?, round_id = ? WHERE id = ?", [run_id, row and row[0], number])
        if row is None:
            db.execute("DELETE FROM second_offers WHERE finding_id = ?", [number])


def _place(db: Database, run_id: int) -> dict[str, Any]:
    """Return what every finding of the run repeats, so that the queue needs no join to filter."""
    row = db.execute(
        "SELECT p.game, p.name FROM runs AS r JOIN profiles AS p ON p.id = r.profile_id WHERE r.id = ?", [run_id]
    ).fetchone()
    return {"run_id": run_id, "game": row[0], "table_name": row[1]}


def _insert_rounds(db: Database, run_id: int, rounds: Sequence[Mapping[str, Any]], at: datetime) -> None:  # noqa: ARG001 - the shape of PutRounds
    place = _place(db, run_id)
    for ordinal, record in enumerate(rounds):
        round_id = _insert_round(db, run_id, ordinal, record)
        _insert_findings(db, record["findings"], place | {"round_id": round_id, "game": record["game"]})


def _insert_round(db: Database, run_id: int, ordinal: int, record: Mapping[str, Any]) -> int:
    return int(db.table("rounds").insert(round_row(record) | {"run_id": run_id, "ordinal": ordinal}).last_pk)


def _insert_findings(db: Database, findings: Sequence[Mapping[str, Any]], place: Mapping[str, Any]) -> None:
    rows = [{**finding_row(one), **place, "ordinal": i} for i, one in enumerate(findings)]
    db.table("findings").insert_all(rows)


def finding_row(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of a finding in the shape of ``contracts/audit.md``, without its place."""
    amount = record.get("amount")
    return {
        **{key: record[key] for key in _KEPT},
        **{key: record.get(key) for key in _OPTIONAL},
        "procedures": json.dumps(list(record["procedures"])),
        "extra": json.dumps({key: value for key, value in record.items() if key not in _KNOWN}),
        "amount_cents": None if amount is None else round(Fraction(amount) * 100),
        "rank": rank_of(amount, record["probability"], verdict=record["verdict"]),
    }


def round_row(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of a round in the shape of ``contracts/audit.md``, without its place."""
    kept = {key: value for key, value in record.items() if key != "findings"}
    row = {key: record[key] for key in ("start_ms", "end_ms", "status", "game")}
    return row | {"record": json.dumps(kept, separators=(",", ":"))}


def _finding_record(row: Mapping[str, Any]) -> dict[str, Any]:
    record = {key: row[key] for key in (*_KEPT, *_OPTIONAL)}
    if record["number"] is None:
        del record["number"]
    return {"procedures": json.loads(row["procedures"]), **record, **json.loads(row["extra"])}
