"""Reading the log: pages of it, latest first, and the check of its chain."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from sqlite_utils import Database

from audit.store.ledger import FIRST_HASH, LogEntry, canonical, entry_hash


@dataclass(frozen=True, kw_only=True)
class ChainCheck:
    """What the check of the log found: ``broken`` is the first entry that does not fit, None if all do."""

    entries: int
    last_hash: str
    broken: int | None


def latest_entries(
    db: Database, *, before: int | None, actor: str | None, action: str | None, limit: int
) -> tuple[LogEntry, ...]:
    """Return entries with numbers below ``before``, latest first."""
    rows = db.query(
        "SELECT * FROM log WHERE (:before IS NULL OR id < :before) AND (:actor IS NULL OR actor = :actor)"
        " AND (:action IS NULL OR action = :action) ORDER BY id DESC LIMIT :limit",
        {"before": before, "actor": actor, "action": action, "limit": limit},
    )
    return tuple(LogEntry(**{**row, "details": json.loads(row["details"])}) for row in rows)


def log_names(db: Database) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return every actor and every action of the log."""
    actors = db.execute("SELECT DISTINCT actor FROM log ORDER BY actor")
    actions = db.execute("SELECT DISTINCT action FROM log ORDER BY action")
    return tuple(row[0] for row in actors), tuple(row[0] for row in actions)


def check_chain(db: Database) -> ChainCheck:
    """Walk the whole log and return whether each entry fits the one before."""
    previous, count = FIRST_HASH, 0
    for number, row in enumerate(db.query("SELECT * FROM log ORDER BY id"), start=1):
        found = row.pop("hash")
        if row["id"] != number or row["previous_hash"] != previous or entry_hash(row) != found:
            return ChainCheck(entries=count, last_hash=previous, broken=number)
        previous, count = found, number
    return ChainCheck(entries=count, last_hash=previous, broken=None)


def log_lines(db: Database) -> Iterator[str]:
    """Yield every entry as canonical JSON, oldest first, so that the chain can be checked elsewhere."""
    for row in db.query("SELECT * FROM log ORDER BY id"):
        yield canonical(row) + "\n"
