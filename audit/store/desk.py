"""The desk of one reviewer: what he has looked at, holds a claim on, and saved as a view of the queue."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlite_utils import Database

from audit.store.database import StoreError, stamp, transaction

MOST_VIEWS = 40
"""Views one user may keep."""


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A reviewer's hold on a finding until a stored moment; nobody else is led to it meanwhile."""

    finding_id: int
    user_id: int
    user_name: str
    until: str


@dataclass(frozen=True, kw_only=True)
class SavedView:
    """A named filter of the queue, as the query part of its address."""

    id: int
    name: str
    query: str


def claim(
    db: Database, finding_ids: Iterable[int], *, user_id: int, now: datetime, until: datetime, taking_over: bool = False
) -> tuple[int, ...]:
    """Claim findings for the user and return those that are his now; what another holds is left to him.

    ``taking_over`` ends the claims of others.
    """
    with transaction(db):
        for finding_id in finding_ids:
            db.execute(
                "INSERT INTO claims SELECT id, :user, :until FROM findings WHERE id = :finding ON CONFLICT DO UPDATE"
                " SET user_id = :user, until = CASE WHEN user_id = :user THEN max(until, :until) ELSE :until END"
                " WHERE user_id = :user OR until <= :now OR :taking_over",
                {
                    "finding": finding_id,
                    "user": user_id,
                    "until": stamp(until),
                    "now": stamp(now),
                    "taking_over": taking_over,
                },
            )
        held = claims_on(db, finding_ids, now=now)
        return tuple(number for number, one in held.items() if one.user_id == user_id)


def release(db: Database, finding_ids: Iterable[int], *, user_id: int) -> int:
    """Give up the user's claims on these findings; returns how many there were."""
    with transaction(db):
        numbers = json.dumps(list(finding_ids))
        gone = db.execute(
            "DELETE FROM claims WHERE user_id = ? AND finding_id IN (SELECT value FROM json_each(?))",
            [user_id, numbers],
        )
        return int(gone.rowcount)


def claims_on(db: Database, finding_ids: Iterable[int], *, now: datetime) -> dict[int, Claim]:
    """Return the claims that are held on these findings, by finding."""
    rows = db.query(
        "SELECT c.*, u.name AS user_name FROM claims AS c JOIN users AS u ON u.id = c.user_id"
        " WHERE c.finding_id IN (SELECT value FROM json_each(?)) AND c.until > ?",
        [json.dumps(list(finding_ids)), stamp(now)],
    )
    return {row["finding_id"]: Claim(**row) for row in rows}


def claimed_count(db: Database, *, user_id: int, now: datetime) -> int:
    """Return how many findings the user holds."""
    row = db.execute("SELECT count(*) FROM claims WHERE user_id = ? AND until > ?", [user_id, stamp(now)]).fetchone()
    return int(row[0])


def note_look(db: Database, finding_id: int, *, user_id: int, at: datetime) -> None:
    """Remember that the user has opened the finding; the first time counts."""
    with transaction(db):
        db.execute("INSERT OR IGNORE INTO looks VALUES (?, ?, ?)", [user_id, finding_id, stamp(at)])


def looked_at(db: Database, finding_ids: Iterable[int], *, user_id: int) -> frozenset[int]:
    """Return which of the findings the user has opened."""
    rows = db.execute(
        "SELECT finding_id FROM looks WHERE user_id = ? AND finding_id IN (SELECT value FROM json_each(?))",
        [user_id, json.dumps(list(finding_ids))],
    )
    return frozenset(row[0] for row in rows)


def save_view(db: Database, *, user_id: int, name: str, query: str, at: datetime) -> int:
    """Keep a filter under a name, in place of the user's view of that name, and return its number.

    Raises:
        StoreError: without a name, or if the user keeps too many.
    """
    if not name.strip():
        msg = "expected a name for the view, found none"
        raise StoreError(msg)
    with transaction(db):
        if len(views_of(db, user_id=user_id)) >= MOST_VIEWS:
            msg = f"expected at most {MOST_VIEWS} saved views, found as many already"
            raise StoreError(msg)
        db.execute(
            "INSERT INTO saved_views (user_id, name, query, saved_at) VALUES (?, ?, ?, ?)"
            " ON CONFLICT (user_id, name) DO UPDATE SET query = excluded.query, saved_at = excluded.saved_at",
            [user_id, name.strip(), query, stamp(at)],
        )
        row = db.execute("SELECT id FROM saved_views WHERE user_id = ? AND name = ?", [user_id, name.strip()])
        return int(row.fetchone()[0])


def views_of(db: Database, *, user_id: int) -> tuple[SavedView, ...]:
    """Return the user's views by name."""
    rows = db.query("SELECT id, name, query FROM saved_views WHERE user_id = ? ORDER BY name", [user_id])
    return tuple(SavedView(**row) for row in rows)


def remove_view(db: Database, view_id: int, *, user_id: int) -> None:
    """Forget one of the user's views."""
    with transaction(db):
        db.execute("DELETE FROM saved_views WHERE id = ? AND user_id = ?", [view_id, user_id])


@dataclass(frozen=True, kw_only=True)
class Progress:
    """How far a run is: segments done of all; ``status`` as stored."""

    run_id: int
    table_name: str
    footage: str
    status: str
    done: int
    segments: int


def running(db: Database) -> tuple[Progress, ...]:
    """Return the runs that are being made, the latest first."""
    rows: Iterable[Mapping[str, object]] = db.query(
        "SELECT r.id AS run_id, p.name AS table_name, g.path AS footage, r.status,"
        " (SELECT count(*) FROM segments AS s WHERE s.run_id = r.id AND s.status = 'done') AS done,"
        " (SELECT count(*) FROM segments AS s WHERE s.run_id = r.id) AS segments"
        " FROM runs AS r JOIN profiles AS p ON p.id = r.profile_id JOIN footage AS g ON g.id = r.footage_id"
        " WHERE r.status = 'running' ORDER BY r.id DESC LIMIT 5"
    )
    return tuple(Progress(**row) for row in rows)  # type: ignore[arg-type]  # columns as selected


def dealer_names(db: Database) -> dict[int, str]:
    """Return the dealers of the rota, number to name, by name."""
    return dict(db.execute("SELECT id, name FROM dealers ORDER BY name").fetchall())


def dealt_by(db: Database, finding_ids: Iterable[int]) -> dict[int, str]:
    """Return who dealt, finding to name, as far as the rota says."""
    rows = db.execute(
        "SELECT f.finding_id, d.name FROM finding_facts AS f JOIN dealers AS d ON d.id = f.dealer_id"
        " WHERE f.finding_id IN (SELECT value FROM json_each(?))",
        [json.dumps(list(finding_ids))],
    )
    return dict(rows.fetchall())
