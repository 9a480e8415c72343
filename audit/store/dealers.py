"""Dealers, and the rota: who dealt at which table when."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from sqlite_utils import Database

from audit.store.database import StoreError, stamp, transaction
from audit.store.ledger import append

if TYPE_CHECKING:
    from audit.store.rota_csv import RotaLine

NOT_KNOWN: Final = 0
"""The number that stands for a dealer who is not known."""
_LONGEST: Final = 80


class Source(StrEnum):
    """Where an entry of the rota comes from."""

    IMPORT = "import"
    PAGE = "page"
    TAP_IN = "tap_in"


@dataclass(frozen=True, kw_only=True)
class DealerRow:
    """One dealer; ``number`` is the property's own, None if it was not given."""

    id: int
    name: str
    number: str | None
    added_at: str


@dataclass(frozen=True, kw_only=True)
class Duty:
    """An entry to be stored: this dealer at this table from a moment to another."""

    dealer: str
    table_name: str
    starts: datetime
    ends: datetime
    number: str | None = None
    supervisor: str = ""


@dataclass(frozen=True, kw_only=True)
class RotaRow:
    """A stored entry of the rota."""

    id: int
    dealer_id: int
    dealer: str
    table_name: str
    starts_at: str
    ends_at: str
    supervisor: str
    source: str
    changed_by: str
    changed_at: str


_ROTA: Final = "SELECT o.*, d.name AS dealer FROM rota AS o JOIN dealers AS d ON d.id = o.dealer_id"


def all_dealers(db: Database) -> tuple[DealerRow, ...]:
    """Return every dealer by name."""
    return tuple(DealerRow(**row) for row in db.query("SELECT * FROM dealers ORDER BY name"))


def dealer(db: Database, dealer_id: int) -> DealerRow:
    """Return the dealer.

    Raises:
        StoreError: if there is none of that number.
    """
    row = next(iter(db.query("SELECT * FROM dealers WHERE id = ?", [dealer_id])), None)
    if row is None:
        msg = f"expected a stored dealer, found none with number {dealer_id}"
        raise StoreError(msg)
    return DealerRow(**row)


def rota_entry(db: Database, entry_id: int) -> RotaRow:
    """Return the entry of the rota.

    Raises:
        StoreError: if there is none of that number.
    """
    row = next(iter(db.query(_ROTA + " WHERE o.id = ?", [entry_id])), None)
    if row is None:
        msg = f"expected a stored rota entry, found none with number {entry_id}"
        raise StoreError(msg)
    return RotaRow(**row)


def rota_between(
    db: Database, first: datetime, last: datetime, *, table_name: str | None = None, limit: int = 1000
) -> tuple[RotaRow, ...]:
    """Return the entries that share time with the span, by table and time."""
    rows = db.query(
        _ROTA + " WHERE o.starts_at < :last AND o.ends_at > :first AND (:table IS NULL OR o.table_name = :table)"
        " ORDER BY o.table_name, o.starts_at LIMIT :limit",
        {"first": stamp(first), "last": stamp(last), "table": table_name, "limit": limit},
    )
    return tuple(RotaRow(**row) for row in rows)


def on_duty(db: Database, table_name: str, first: datetime, last: datetime) -> RotaRow | None:
    """Return who dealt at the table during the whole span; None if the rota does not say, or the dealer changed."""
    row = next(
        iter(
            db.query(
                _ROTA + " WHERE o.table_name = ? AND o.starts_at <= ? AND o.ends_at >= ? LIMIT 1",
                [table_name, stamp(first), stamp(last)],
            )
        ),
        None,
    )
    return None if row is None else RotaRow(**row)


def problem_with(db: Database, duty: Duty, *, besides: int | None = None) -> str | None:
    """Return in one sentence why the entry cannot be stored, None if it can; ``besides`` is the entry it replaces."""
    if not duty.dealer or len(duty.dealer) > _LONGEST:
        return f"dealer: expected a name of at most {_LONGEST} characters, found {duty.dealer!r:.40}"
    if not duty.table_name or len(duty.table_name) > _LONGEST:
        return f"table: expected a name of at most {_LONGEST} characters, found {duty.table_name!r:.40}"
    if duty.ends <= duty.starts:
        return f"to: expected a moment after {duty.starts.isoformat()}, found {duty.ends.isoformat()}"
    span = {"first": stamp(duty.starts), "last": stamp(duty.ends), "besides": besides or 0}
    clashes = " WHERE o.starts_at < :last AND o.ends_at > :first AND o.id <> :besides"
    at_table = next(iter(db.query(_ROTA + clashes + " AND o.table_name = :t", span | {"t": duty.table_name})), None)
    if at_table is not None:
        return f"table: expected {duty.table_name} free, found {_written(at_table)}"
    elsewhere = next(iter(db.query(_ROTA + clashes + " AND d.name = :d", span | {"d": duty.dealer})), None)
    if elsewhere is not None:
        return f"dealer: expected {duty.dealer} at one table, found {_written(elsewhere)}"
    return _number_problem(db, duty)


def add_duties(db: Database, duties: Iterable[Duty], *, source: Source, actor: str, at: datetime) -> int:
    """Store the entries, all or none, with their dealers and one entry in the log; return how many.

    Raises:
        StoreError: if one of them cannot be stored.
    """
    with transaction(db):
        count, tables, first, last = 0, set[str](), "", ""
        for duty in duties:
            _insert(db, duty, source=source, actor=actor, at=at)
            count += 1
            tables.add(duty.table_name)
            first, last = min(first or stamp(duty.starts), stamp(duty.starts)), max(last, stamp(duty.ends))
        if count:
            details = {"source": source.value, "entries": count, "tables": sorted(tables), "from": first, "to": last}
            append(db, actor=actor, action="rota", details=details, at=at)
        return count


def change_duty(db: Database, entry_id: int, duty: Duty, *, actor: str, at: datetime) -> None:
    """Replace an entry of the rota; the log keeps both.

    Raises:
        StoreError: if there is no such entry, or the new one cannot be stored.
    """
    with transaction(db):
        before = rota_entry(db, entry_id)
        problem = problem_with(db, duty, besides=entry_id)
        if problem is not None:
            raise StoreError(problem)
        db.table("rota").update(entry_id, _row(db, duty, source=Source.PAGE, actor=actor, at=at))
        _count_again(db, before.table_name, before.starts_at, before.ends_at)
        _count_again(db, duty.table_name, stamp(duty.starts), stamp(duty.ends))
        details = {"changed": entry_id, "before": _kept(before), "after": _kept(rota_entry(db, entry_id))}
        append(db, actor=actor, action="rota", details=details, at=at)


def remove_duty(db: Database, entry_id: int, *, actor: str, at: datetime) -> None:
    """Take an entry out of the rota; the log keeps it.

    Raises:
        StoreError: if there is no such entry.
    """
    with transaction(db):
        before = rota_entry(db, entry_id)
        db.table("rota").delete(entry_id)
        _count_again(db, before.table_name, before.starts_at, before.ends_at)
        append(db, actor=actor, action="rota", details={"removed": entry_id, "before": _kept(before)}, at=at)


def tap_in(db: Database, duty: Duty, *, actor: str, at: datetime) -> None:
    """Store that a dealer took over a table: who dealt there until then is taken to have left at that moment.

    Raises:
        StoreError: if the dealer cannot take over then.
    """
    with transaction(db):
        before = on_duty(db, duty.table_name, duty.starts, duty.starts)
        if before is not None and before.starts_at < stamp(duty.starts):
            db.table("rota").update(before.id, {"ends_at": stamp(duty.starts)})
            append(db, actor=actor, action="rota", details={"relieved": before.id, "before": _kept(before)}, at=at)
        add_duties(db, [duty], source=Source.TAP_IN, actor=actor, at=at)


def _insert(db: Database, duty: Duty, *, source: Source, actor: str, at: datetime) -> None:
    problem = problem_with(db, duty)
    if problem is not None:
        raise StoreError(problem)
    db.table("rota").insert(_row(db, duty, source=source, actor=actor, at=at))
    _count_again(db, duty.table_name, stamp(duty.starts), stamp(duty.ends))


def _row(db: Database, duty: Duty, *, source: Source, actor: str, at: datetime) -> dict[str, object]:
    return {
        "dealer_id": _dealer_id(db, duty, at=at),
        "table_name": duty.table_name,
        "starts_at": stamp(duty.starts),
        "ends_at": stamp(duty.ends),
        "supervisor": duty.supervisor[:_LONGEST],
        "source": source.value,
        "changed_by": actor,
        "changed_at": stamp(at),
    }


def _dealer_id(db: Database, duty: Duty, *, at: datetime) -> int:
    known = db.execute("SELECT id, number FROM dealers WHERE name = ?", [duty.dealer]).fetchone()
    if known is None:
        row = {"name": duty.dealer, "number": duty.number, "added_at": stamp(at)}
        return int(db.table("dealers").insert(row).last_pk)
    if duty.number is not None and known[1] is None:
        db.table("dealers").update(known[0], {"number": duty.number})
    return int(known[0])


def _number_problem(db: Database, duty: Duty) -> str | None:
    if duty.number is None:
        return None
    row = db.execute(
        "SELECT name, number FROM dealers WHERE (name = :name AND number <> :number)"
        " OR (number = :number AND name <> :name)",
        {"name": duty.dealer, "number": duty.number},
    ).fetchone()
    if row is None:
        return None
    return f"number: expected {row[1]} to be {row[0]}'s alone, found {duty.number!r:.40} for {duty.dealer}"


def _count_again(db: Database, table_name: str, starts_at: str, ends_at: str) -> None:
    """Mark the finished runs at the table that share time with the span."""
    db.execute(
        "INSERT OR IGNORE INTO uncounted_runs SELECT r.id FROM footage AS f JOIN runs AS r ON r.footage_id = f.id"
        " JOIN profiles AS p ON p.id = r.profile_id WHERE p.name = :table AND r.current = 1 AND f.recorded_at < :last"
        " AND (julianday(f.recorded_at) + ifnull(f.duration_ms, 864e5) / 864e5) > julianday(:first)",
        {"table": table_name, "first": starts_at, "last": ends_at},
    )


def _kept(row: RotaRow) -> dict[str, str]:
    return {
        "dealer": row.dealer,
        "table": row.table_name,
        "from": row.starts_at,
        "to": row.ends_at,
        "supervisor": row.supervisor,
    }


def _written(row: dict[str, str]) -> str:
    return f"{row['dealer']} at {row['table_name']} from {row['starts_at']} to {row['ends_at']}"


@dataclass(frozen=True, kw_only=True)
class Imported:
    """How many entries were stored and how many had been before, and a sentence for each line that was not."""

    stored: int
    known: int
    problems: tuple[str, ...]
    refused: tuple[str, ...]


def import_rota(db: Database, lines: Iterable[RotaLine], *, actor: str, at: datetime) -> Imported:
    """Store every line that can be stored, in one transaction; ``refused`` are the others as they were written."""
    stored, known = 0, 0
    problems: list[str] = []
    refused: list[str] = []
    with transaction(db):
        for line in lines:
            problem = line.problem
            if line.duty is not None and _is_stored(db, line.duty):
                known += 1
                continue
            if line.duty is not None:
                found = problem_with(db, line.duty)
                problem = f"line {line.number}, {found}" if found else ""
            if problem or line.duty is None:
                problems.append(problem)
                refused.append(line.text)
                continue
            _insert(db, line.duty, source=Source.IMPORT, actor=actor, at=at)
            stored += 1
        if stored:
            details = {"source": Source.IMPORT.value, "entries": stored, "refused": len(refused)}
            append(db, actor=actor, action="rota", details=details, at=at)
    return Imported(stored=stored, known=known, problems=tuple(problems), refused=tuple(refused))


def _is_stored(db: Database, duty: Duty) -> bool:
    return bool(
        db.execute(
            "SELECT 1 FROM rota AS o JOIN dealers AS d ON d.id = o.dealer_id WHERE d.name = ? AND o.table_name = ?"
            " AND o.starts_at = ? AND o.ends_at = ?",
            [duty.dealer, duty.table_name, stamp(duty.starts), stamp(duty.ends)],
        ).fetchone()
    )


def latest_start(db: Database) -> datetime | None:
    """Return when the latest entry of the rota begins; None if there is none."""
    row = db.execute("SELECT max(starts_at) FROM rota").fetchone()
    return None if row[0] is None else datetime.fromisoformat(row[0])
