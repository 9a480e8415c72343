"""What the review pages ask: the ranked queue, its counts, one finding, one round, what comes next."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlite_utils import Database

from audit.store.database import StoreError

UNREVIEWED: Final = "unreviewed"
REVIEWED: Final = "reviewed"
ANY: Final = "any"


@dataclass(frozen=True, kw_only=True)
class QueueFilter:
    """What the queue shows; None does not filter.

    ``state``: ``unreviewed``, ``reviewed``, ``any`` or one kind of decision. ``minimum_cents`` compares the money at
    stake, either way.
    """

    state: str = UNREVIEWED
    verdict: str | None = None
    code: str | None = None
    game: str | None = None
    table_name: str | None = None
    minimum_cents: int | None = None


@dataclass(frozen=True, kw_only=True)
class FindingRow:
    """One stored finding with where it stands; ``decision`` is the last one that was not undone.

    ``amount`` is exact (``12.50``, or ``1/3`` where no decimal is), ``procedures`` the ids it breaks. ``happened_at`` is
    None unless it is known when the footage was recorded; ``correction_id`` is None for what the audit itself found.
    """

    id: int
    run_id: int
    round_id: int | None
    round_ordinal: int | None
    ordinal: int
    code: str
    verdict: str
    probability: float
    seat: int | None
    hand: int | None
    number: int | None
    bet: str | None
    expected: str
    observed: str
    amount: str | None
    amount_cents: int | None
    rank: float
    first_ms: int
    last_ms: int
    citation: str
    procedures: tuple[str, ...]
    because_of: int | None
    extra: Mapping[str, Any]
    game: str
    table_name: str
    current: int
    decision: str | None
    happened_at: str | None
    correction_id: int | None
    footage_id: int
    footage_path: str


@dataclass(frozen=True, kw_only=True)
class QueuePage:
    """A page of the queue in the order of rank; ``total`` counts every finding that passes the filter."""

    rows: tuple[FindingRow, ...]
    total: int


@dataclass(frozen=True, kw_only=True)
class QueueCounts:
    """Counts over the current audits: unreviewed findings by verdict, code, table and game; all findings; rounds."""

    by_verdict: Mapping[str, int]
    by_code: Mapping[str, int]
    by_table: Mapping[str, int]
    by_game: Mapping[str, int]
    unreviewed: int
    findings: int
    rounds: int


@dataclass(frozen=True, kw_only=True)
class RoundRow:
    """One stored round; ``record`` is the round of ``contracts/audit.md`` without its findings."""

    id: int
    run_id: int
    ordinal: int
    start_ms: int
    end_ms: int
    status: str
    game: str
    record: Mapping[str, Any]


_FINDING: Final = (
    "SELECT f.*, o.ordinal AS round_ordinal, r.footage_id, g.path AS footage_path FROM findings AS f"
    " JOIN runs AS r ON r.id = f.run_id JOIN footage AS g ON g.id = r.footage_id"
    " LEFT JOIN rounds AS o ON o.id = f.round_id"
)
_PASSES: Final = (
    " AND (:verdict IS NULL OR verdict = :verdict) AND (:code IS NULL OR code = :code)"
    " AND (:game IS NULL OR game = :game) AND (:table_name IS NULL OR table_name = :table_name)"
    " AND (:minimum_cents IS NULL OR abs(amount_cents) >= :minimum_cents)"
)
_UNREVIEWED: Final = "FROM findings INDEXED BY findings_queue WHERE current = 1 AND decision IS NULL" + _PASSES
_RANKED: Final = (
    "FROM findings INDEXED BY findings_ranked WHERE current = 1"
    " AND (:state = 'any' OR decision = :state OR (:state = 'reviewed' AND decision IS NOT NULL))" + _PASSES
)


def queue_page(db: Database, queue_filter: QueueFilter, *, limit: int = 50, offset: int = 0) -> QueuePage:
    """Return a page of the queue: most money times probability first, then the oldest."""
    chosen = _UNREVIEWED if queue_filter.state == UNREVIEWED else _RANKED
    values = vars(queue_filter) | {"limit": limit, "offset": offset}
    total = db.execute("SELECT count(*) " + chosen, values).fetchone()[0]
    rows = db.query(
        f"{_FINDING} WHERE f.id IN (SELECT id {chosen} ORDER BY rank DESC, id LIMIT :limit OFFSET :offset)"
        " ORDER BY f.rank DESC, f.id",
        values,
    )
    return QueuePage(rows=tuple(_finding(row) for row in rows), total=int(total))


def queue_counts(db: Database) -> QueueCounts:
    """Return the counts beside the queue."""
    facets = list(
        db.query(
            "SELECT verdict, code, table_name, game, count(*) AS n FROM findings INDEXED BY findings_facets"
            " WHERE current = 1 AND decision IS NULL GROUP BY verdict, code, table_name, game"
        )
    )
    rounds, findings = db.execute(
        "SELECT ifnull(sum(rounds), 0), ifnull(sum(findings), 0) FROM runs WHERE current = 1"
    ).fetchone()
    return QueueCounts(
        by_verdict=_sums(facets, "verdict"),
        by_code=_sums(facets, "code"),
        by_table=_sums(facets, "table_name"),
        by_game=_sums(facets, "game"),
        unreviewed=sum(row["n"] for row in facets),
        findings=int(findings),
        rounds=int(rounds),
    )


def finding(db: Database, finding_id: int) -> FindingRow:
    """Return the finding.

    Raises:
        StoreError: if there is none of that number.
    """
    row = next(iter(db.query(_FINDING + " WHERE f.id = ?", [finding_id])), None)
    if row is None:
        msg = f"expected a stored finding, found none with number {finding_id}"
        raise StoreError(msg)
    return _finding(row)


def findings_of_round(db: Database, round_id: int) -> tuple[FindingRow, ...]:
    """Return the findings of a round in their stored order, which ``because_of`` counts in."""
    rows = db.query(_FINDING + " WHERE f.round_id = ? ORDER BY f.ordinal", [round_id])
    return tuple(_finding(row) for row in rows)


def findings_of_run(db: Database, run_id: int) -> tuple[FindingRow, ...]:
    """Return every finding of a run, those of its rounds in time order and then those of no round."""
    rows = db.query(_FINDING + " WHERE f.run_id = ? ORDER BY f.round_id IS NULL, o.ordinal, f.ordinal", [run_id])
    return tuple(_finding(row) for row in rows)


def next_unreviewed(db: Database, queue_filter: QueueFilter, *, after: int | None = None) -> int | None:
    """Return the unreviewed finding that follows ``after`` in the queue, else the first; None if none is left."""
    values = vars(queue_filter) | {"rank": None, "after": after}
    if after is not None:
        values["rank"] = finding(db, after).rank
        row = db.execute(
            "SELECT id " + _UNREVIEWED + " AND rank <= :rank AND (rank < :rank OR id > :after)"
            " ORDER BY rank DESC, id LIMIT 1",
            values,
        ).fetchone()
        if row is not None:
            return int(row[0])
    row = db.execute(
        "SELECT id " + _UNREVIEWED + " AND id IS NOT :after ORDER BY rank DESC, id LIMIT 1", values
    ).fetchone()
    return None if row is None else int(row[0])


def round_row(db: Database, round_id: int) -> RoundRow:
    """Return the round.

    Raises:
        StoreError: if there is none of that number.
    """
    row = next(iter(db.query("SELECT * FROM rounds WHERE id = ?", [round_id])), None)
    if row is None:
        msg = f"expected a stored round, found none with number {round_id}"
        raise StoreError(msg)
    return _round(row)


def rounds_of_run(db: Database, run_id: int, *, limit: int = 500, offset: int = 0) -> tuple[RoundRow, ...]:
    """Return the rounds of a run in time order."""
    rows = db.query(
        "SELECT * FROM rounds WHERE run_id = ? AND ordinal >= ? ORDER BY ordinal LIMIT ?", [run_id, offset, limit]
    )
    return tuple(_round(row) for row in rows)


def _round(row: Mapping[str, Any]) -> RoundRow:
    return RoundRow(**{**row, "record": json.loads(row["record"])})


def _finding(row: Mapping[str, Any]) -> FindingRow:
    procedures = tuple(json.loads(row["procedures"]))
    return FindingRow(**{**row, "procedures": procedures, "extra": json.loads(row["extra"])})


def _sums(facets: list[dict[str, Any]], key: str) -> dict[str, int]:
    sums: dict[str, int] = {}
    for row in facets:
        sums[row[key]] = sums.get(row[key], 0) + row["n"]
    return dict(sorted(sums.items(), key=lambda item: (-item[1], item[0])))


def last_round_id(db: Database) -> int:
    """Return the highest number of a stored round, 0 if there is none."""
    return int(db.execute("SELECT ifnull(max(id), 0) FROM rounds").fetchone()[0])


def round_records(db: Database, numbers: tuple[int, int], *, game: str, since: str | None = None) -> Iterator[str]:
    """Yield, as JSON, a game's rounds of current audits, with numbers from the first up to the second, not included.

    ``since`` leaves out what was recorded, or registered where that is not known, before the moment.
    """
    rows = db.execute(
        "SELECT o.record FROM rounds AS o JOIN runs AS r ON r.id = o.run_id JOIN footage AS f ON f.id = r.footage_id"
        " WHERE o.id >= :first AND o.id < :end AND o.game = :game AND r.current = 1"
        " AND (:since IS NULL OR ifnull(f.recorded_at, f.registered_at) >= :since) ORDER BY o.id",
        {"first": numbers[0], "end": numbers[1], "game": game, "since": since},
    )
    for row in rows:
        yield row[0]
