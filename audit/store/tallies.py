"""Counting finished runs: rounds by hour and dealer, findings with their dealer and day, what was unread.

Triggers name the runs that are to be counted (again): when one is finished or retired, dated, corrected, or the rota of
its hours changes. ``count_runs`` works through them; the pages read only what was counted.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from sqlite_utils import Database

from audit.store.database import stamp, transaction
from audit.store.dealers import NOT_KNOWN
from audit.store.health import look_at
from audit.store.review_schema import BY_PERSON
from audit.store.settings import House, house

LONGEST_GAP_MS: Final = 300_000
"""Rounds further apart than this are not one stretch of dealing: the table was empty or the dealer away."""
_TALLIED: Final = ("rounds", "whole", "partial", "void", "paced", "paced_ms", "shuffles", "shuffle_ms")


@dataclass(frozen=True, kw_only=True)
class _Duty:
    starts: datetime
    ends: datetime
    dealer_id: int


@dataclass(kw_only=True)
class _Run:
    """A run with what is needed to give its rounds a dealer and a day."""

    id: int
    table_name: str
    game: str
    recorded_at: datetime | None
    house: House
    duties: list[_Duty] = field(default_factory=list)

    def at(self, ms: int) -> datetime | None:
        """The moment by the clock."""
        return None if self.recorded_at is None else self.recorded_at + timedelta(milliseconds=ms)

    def day(self, ms: int) -> str:
        at = self.at(ms)
        return "" if at is None else self.house.day_of(at)

    def dealer(self, first_ms: int, last_ms: int) -> int:
        """Who dealt during the whole span by the rota, else nobody known."""
        first, last = self.at(first_ms), self.at(last_ms)
        if first is None or last is None:
            return NOT_KNOWN
        index = bisect_right(self.duties, first, key=lambda duty: duty.starts) - 1
        if index < 0 or self.duties[index].ends < last:
            return NOT_KNOWN
        return self.duties[index].dealer_id


def count_runs(db: Database, *, limit: int | None = None) -> int:
    """Count the runs that wait for it, at most ``limit``, and return how many still wait."""
    waiting = [row[0] for row in db.execute("SELECT run_id FROM uncounted_runs ORDER BY run_id")]
    if not waiting:
        return 0
    chosen = house(db)
    for run_id in waiting[:limit]:
        with transaction(db):
            _count(db, run_id, chosen)
    return len(waiting[limit:]) if limit is not None else 0


def _count(db: Database, run_id: int, chosen: House) -> None:
    db.execute("DELETE FROM uncounted_runs WHERE run_id = ?", [run_id])
    db.execute("DELETE FROM round_tallies WHERE run_id = ?", [run_id])
    db.execute("DELETE FROM finding_facts WHERE run_id = ?", [run_id])
    run = _run(db, run_id, chosen)
    if run is None:
        db.execute("DELETE FROM run_health WHERE run_id = ?", [run_id])
        return
    shuffles = look_at(db, run_id, table_name=run.table_name, day=run.day(0))
    undecided = {
        row[0]
        for row in db.execute(
            "SELECT DISTINCT round_id FROM findings WHERE run_id = ? AND verdict = 'undetermined' AND current = 1",
            [run_id],
        )
    }
    rounds = list(
        db.execute("SELECT id, start_ms, end_ms, status FROM rounds WHERE run_id = ? ORDER BY ordinal", [run_id])
    )
    db.table("round_tallies").insert_all(_round_rows(run, rounds, undecided, shuffles))
    whole = {row[0] for row in rounds if row[3] == "complete" and row[0] not in undecided}
    db.table("finding_facts").insert_all(_finding_rows(db, run, whole))


def _run(db: Database, run_id: int, chosen: House) -> _Run | None:
    row = db.execute(
        "SELECT p.name, p.game, f.recorded_at FROM runs AS r JOIN footage AS f ON f.id = r.footage_id"
        " JOIN profiles AS p ON p.id = r.profile_id WHERE r.id = ? AND r.current = 1",
        [run_id],
    ).fetchone()
    if row is None:
        return None
    recorded_at = None if row[2] is None else datetime.fromisoformat(row[2])
    run = _Run(id=run_id, table_name=row[0], game=row[1], recorded_at=recorded_at, house=chosen)
    if recorded_at is not None:
        last = db.execute("SELECT ifnull(max(end_ms), 0) FROM rounds WHERE run_id = ?", [run_id]).fetchone()[0]
        run.duties = list(_duties(db, row[0], recorded_at, recorded_at + timedelta(milliseconds=last)))
    return run


def _duties(db: Database, table_name: str, first: datetime, last: datetime) -> Iterator[_Duty]:
    rows = db.execute(
        "SELECT starts_at, ends_at, dealer_id FROM rota WHERE table_name = ? AND starts_at <= ? AND ends_at >= ?"
        " ORDER BY starts_at",
        [table_name, stamp(last), stamp(first)],
    )
    for starts, ends, dealer_id in rows:
        yield _Duty(starts=datetime.fromisoformat(starts), ends=datetime.fromisoformat(ends), dealer_id=dealer_id)


def _round_rows(
    run: _Run, rounds: list[tuple[int, int, int, str]], undecided: set[int], shuffles: list[tuple[int, int]]
) -> Iterable[dict[str, Any]]:
    """One row an hour by the property's clock and dealer; a pace runs from one round's beginning to the next's."""
    tallies: dict[tuple[str, int], Counter[str]] = {}
    days: dict[str, str] = {}
    before: tuple[int, int, int, Counter[str]] | None = None
    for round_id, start_ms, end_ms, status in rounds:
        at, dealer_id = run.at(start_ms), run.dealer(start_ms, end_ms)
        hour = "" if at is None else at.astimezone(run.house.tz).isoformat()[:13]
        days.setdefault(hour, run.day(start_ms))
        tally = tallies.setdefault((hour, dealer_id), Counter())
        tally["void" if status == "void" else "rounds"] += 1
        tally["partial"] += status == "partial"
        tally["whole"] += status == "complete" and round_id not in undecided
        if before is not None and before[2] == dealer_id:
            _add_pace(before, start_ms, shuffles)
        before = (start_ms, end_ms, dealer_id, tally)
    place = {"run_id": run.id, "table_name": run.table_name, "game": run.game}
    return [
        {**place, "hour": hour, "day": days[hour], "dealer_id": dealer_id, **{name: tally[name] for name in _TALLIED}}
        for (hour, dealer_id), tally in tallies.items()
    ]


def _add_pace(before: tuple[int, int, int, Counter[str]], start_ms: int, shuffles: list[tuple[int, int]]) -> None:
    """Count the stretch from one round's beginning to the next's: as a round's time, or as a shuffle's."""
    began, ended, _, tally = before
    if start_ms - ended > LONGEST_GAP_MS:
        return
    if any(first < start_ms and last > ended for first, last in shuffles):
        tally["shuffles"] += 1
        tally["shuffle_ms"] += max(0, start_ms - ended)
        return
    tally["paced"] += 1
    tally["paced_ms"] += start_ms - began


def _finding_rows(db: Database, run: _Run, whole: set[int]) -> Iterator[dict[str, Any]]:
    rows = db.query(
        "SELECT f.id, f.round_id, f.code, f.verdict, f.decision, f.seat, f.bet, f.amount_cents, f.because_of,"
        " f.added_by, f.observed, f.first_ms, f.last_ms, ifnull(o.start_ms, f.first_ms) AS start_ms,"
        " ifnull(o.end_ms, f.last_ms) AS end_ms"
        " FROM findings AS f LEFT JOIN rounds AS o ON o.id = f.round_id WHERE f.run_id = ? AND f.current = 1",
        [run.id],
    )
    for row in list(rows):
        yield _fact(run, row, whole)


def _fact(run: _Run, row: Mapping[str, Any], whole: set[int]) -> dict[str, Any]:
    at = run.at(row["start_ms"])
    return {
        "finding_id": row["id"],
        "run_id": run.id,
        "at": "" if at is None else stamp(at),
        "day": run.day(row["start_ms"]),
        "dealer_id": run.dealer(row["start_ms"], row["end_ms"]),
        "table_name": run.table_name,
        "game": run.game,
        **{name: row[name] for name in ("code", "decision", "seat", "bet")},
        "verdict": row["verdict"] if row["added_by"] is None else BY_PERSON,
        "cents": row["amount_cents"] or 0,
        "reason": row["observed"] if row["verdict"] == "undetermined" else None,
        "in_whole_round": int(row["round_id"] in whole),
        "follows": int(row["because_of"] is not None),
    }
