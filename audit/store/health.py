"""What recognition could read of a run, how long its camera saw nothing usable, and when the shoe was shuffled."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlite_utils import Database

from audit.store.database import stamp

SHUFFLE_MM: Final = 10.0
"""By the states' contract a shuffle is assumed where the discards are gone or fall by more than this."""
_COUNTED: Final = ("cards", "cards_unread", "wagers", "wagers_unread", "moves", "moves_unread")
_ROUNDS: Final = "SELECT record FROM rounds WHERE run_id = ?"
_STATES: Final = """
    SELECT first_ms, last_ms, line ->> '$.view', ifnull(line ->> '$.reason', ''),
        (SELECT max(o.value ->> '$.height_mm') FROM json_each(line, '$.objects') AS o
         WHERE o.value ->> '$.kind' = 'discards'),
        EXISTS (SELECT 1 FROM json_each(line, '$.covered') AS c WHERE c.value = 'discard')
    FROM states WHERE run_id = ? ORDER BY first_ms, id
"""


@dataclass(frozen=True, kw_only=True)
class HealthRow:
    """What was unread at one camera on one day; ``lost_reasons`` gives milliseconds by reason."""

    day: str
    table_name: str
    runs: int
    cards: int
    cards_unread: int
    wagers: int
    wagers_unread: int
    moves: int
    moves_unread: int
    states: int
    watched_ms: int
    lost_ms: int
    lost_reasons: Mapping[str, int]

    @property
    def unread_share(self) -> float | None:
        """Share of all readings that were not read; None if nothing was to be read."""
        of_all = self.cards + self.wagers + self.moves
        return None if not of_all else (self.cards_unread + self.wagers_unread + self.moves_unread) / of_all


@dataclass(frozen=True, kw_only=True)
class EvaluationRow:
    """One stored evaluation against a truth; ``scores`` is what ``catwalk evaluate --json`` writes."""

    id: int
    at: str
    footage: str
    software: str
    weights_sha256: str
    scores: Mapping[str, Any]


def look_at(db: Database, run_id: int, *, table_name: str, day: str) -> list[tuple[int, int]]:
    """Store what a run's readings and states say, once, and return the gaps in which the shoe was shuffled."""
    known = db.execute("SELECT shuffles FROM run_health WHERE run_id = ?", [run_id]).fetchone()
    if known is not None:
        db.execute("UPDATE run_health SET day = ? WHERE run_id = ?", [day, run_id])
        return [(first, last) for first, last in json.loads(known[0])]
    counts: Counter[str] = Counter()
    for row in db.execute(_ROUNDS, [run_id]):
        counts.update(_unread(json.loads(row[0])))
    watched, lost, reasons, shuffles = _watch(db.execute(_STATES, [run_id]))
    db.table("run_health").insert(
        {
            "run_id": run_id,
            "day": day,
            "table_name": table_name,
            **{name: counts[name] for name in _COUNTED},
            "states": watched[0],
            "watched_ms": watched[1],
            "lost_ms": lost,
            "lost_reasons": json.dumps(reasons),
            "shuffles": json.dumps(shuffles),
        }
    )
    return shuffles


def health_by_day(db: Database, *, first: str, last: str, table_name: str | None = None) -> tuple[HealthRow, ...]:
    """Return what was unread by camera and day, from the first day to the last; undated recordings have day ``''``."""
    rows = db.query(
        "SELECT day, table_name, count(*) AS runs, sum(cards) AS cards, sum(cards_unread) AS cards_unread,"
        " sum(wagers) AS wagers, sum(wagers_unread) AS wagers_unread, sum(moves) AS moves,"
        " sum(moves_unread) AS moves_unread, sum(states) AS states, sum(watched_ms) AS watched_ms,"
        " sum(lost_ms) AS lost_ms, json_group_array(json(lost_reasons)) AS reasons FROM run_health"
        " WHERE day BETWEEN :first AND :last AND (:table IS NULL OR table_name = :table)"
        " GROUP BY table_name, day ORDER BY table_name, day",
        {"first": first, "last": last, "table": table_name},
    )
    return tuple(_health(row) for row in rows)


def together(rows: Iterable[HealthRow]) -> HealthRow | None:
    """Return several rows as one; None if there is none. Day and camera are those of the first."""
    items = list(rows)
    if not items:
        return None
    reasons: Counter[str] = Counter()
    for one in items:
        reasons.update(one.lost_reasons)
    sums = {
        name: sum(getattr(one, name) for one in items)
        for name in (*_COUNTED, "runs", "states", "watched_ms", "lost_ms")
    }
    return HealthRow(day=items[0].day, table_name=items[0].table_name, lost_reasons=dict(reasons), **sums)


def keep_evaluation(
    db: Database, *, footage: str, software: str, weights_sha256: str, scores: Mapping[str, Any], at: datetime
) -> int:
    """Store an evaluation and return its number."""
    row = {"at": stamp(at), "footage": footage, "software": software, "weights_sha256": weights_sha256}
    return int(db.table("evaluations").insert(row | {"scores": json.dumps(scores)}).last_pk)


def evaluations(db: Database, *, limit: int = 50) -> tuple[EvaluationRow, ...]:
    """Return the stored evaluations, the latest first; the first is the standing one."""
    rows = db.query("SELECT * FROM evaluations ORDER BY id DESC LIMIT ?", [limit])
    return tuple(EvaluationRow(**{**row, "scores": json.loads(row["scores"])}) for row in rows)


def standing_recall(db: Database) -> tuple[int, int] | None:
    """Return how many planted errors the standing evaluation found, and of how many; None without an evaluation."""
    kept = (one.scores.get("end_to_end", {}) for one in evaluations(db))
    scores = next((one for one in kept if one.get("planted")), None)
    if scores is None:
        return None
    return int(scores.get("found", 0)) + int(scores.get("found as suspect", 0)), int(scores["planted"])


def _unread(record: Mapping[str, Any]) -> Iterator[str]:
    """Yield the name of a count for each reading of a round, and for each that was not read."""
    for card in _cards(record.get("table", {})):
        yield from ("cards", "cards_unread")[: 1 if card is not None else 2]
    for bet in record.get("bets", []):
        yield from ("wagers", "wagers_unread")[: 1 if bet.get("amount") is not None else 2]
    for move in (*record.get("pays", []), *record.get("takes", [])):
        yield from ("moves", "moves_unread")[: 1 if move.get("amount") is not None else 2]


def _cards(table: Mapping[str, Any]) -> Iterator[str | None]:
    dealer = table.get("dealer", [])
    yield from dealer.values() if isinstance(dealer, Mapping) else dealer
    for seat in table.get("seats", {}).values():
        for hand in seat.get("hands", [seat]):
            yield from hand.get("cards", [])


def _watch(
    states: Iterable[tuple[int, int, str, str, float | None, int]],
) -> tuple[tuple[int, int], int, dict[str, int], list[tuple[int, int]]]:
    """Return (states, milliseconds watched), milliseconds lost, those by reason, and the gaps with a shuffle."""
    count, watched, reasons, shuffles = 0, 0, Counter[str](), list[tuple[int, int]]()
    height: float | None = None
    seen_at = 0
    for first, last, view, reason, pile, covered in states:
        count += 1
        watched += last - first
        if view == "lost":
            reasons[reason or "not said"] += last - first
            continue
        if covered:
            continue
        if height is not None and (pile is None or pile < height - SHUFFLE_MM):
            shuffles.append((seen_at, first))
            height = pile
        elif pile is not None:
            height = pile
        seen_at = last
    return (count, watched), sum(reasons.values()), dict(reasons), shuffles


def _health(row: dict[str, Any]) -> HealthRow:
    reasons: Counter[str] = Counter()
    for one in json.loads(row.pop("reasons")):
        reasons.update(one)
    return HealthRow(**row, lost_reasons=dict(reasons))
