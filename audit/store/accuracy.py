"""What the pages of the pit ask: errors and exposure by dealer, table, kind and day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlite_utils import Database

from audit.accuracy import VERDICTS, Errors, Exposure, Quality, quality
from audit.store.health import standing_recall
from audit.store.review_schema import BY_PERSON

_SUMS: Final = ", ".join(
    f"sum({name}) AS {name}"
    for name in ("rounds", "whole", "partial", "void", "paced", "paced_ms", "shuffles", "shuffle_ms")
)
_COUNTS: Final = (
    "count(*) AS n, sum(iif(cents > 0, cents, 0)) AS over_cents, sum(iif(cents < 0, cents, 0)) AS short_cents"
)
_ONE: Final = "1 AS n, iif(cents > 0, cents, 0) AS over_cents, iif(cents < 0, cents, 0) AS short_cents"
_ERRORS: Final = " AND follows = 0 AND verdict <> 'undetermined'"


@dataclass(frozen=True, kw_only=True)
class Scope:
    """What is counted: gaming days from the first to the last; None does not filter.

    ``first`` ``''`` takes in recordings of an unknown time. ``hours``: within these days only the hours by the
    property's clock (``2026-11-20T22``) from the first up to the last, not included; ``moments`` are the same limits as
    stored moments. ``blind_for`` is a user who may be asked for second reviews: a first decision that he must not see
    yet counts as not taken.
    """

    first: str = ""
    last: str = "9999-12-31"
    dealer_id: int | None = None
    table_name: str | None = None
    game: str | None = None
    hours: tuple[str, str] | None = None
    moments: tuple[str, str] | None = None
    blind_for: int | None = None

    @property
    def values(self) -> dict[str, Any]:
        """The parameters of the queries."""
        return {
            "first": self.first,
            "last": self.last,
            "dealer": self.dealer_id,
            "table": self.table_name,
            "game": self.game,
            "hours_first": self.hours and self.hours[0],
            "hours_end": self.hours and self.hours[1],
            "moments_first": self.moments and self.moments[0],
            "moments_end": self.moments and self.moments[1],
            "blind_for": self.blind_for,
        }


@dataclass(frozen=True, kw_only=True)
class Record:
    """Errors and exposure of one dealer, table, kind or day; ``in_whole`` = those in wholly audited rounds."""

    exposure: Exposure
    errors: Errors
    in_whole: Errors

    def plus(self, other: Record) -> Record:
        """Return both together."""
        return Record(
            exposure=self.exposure.plus(other.exposure),
            errors=self.errors.plus(other.errors),
            in_whole=self.in_whole.plus(other.in_whole),
        )


NOTHING: Final = Record(exposure=Exposure(), errors=Errors(), in_whole=Errors())


def records_by(db: Database, scope: Scope, key: str) -> dict[Any, Record]:
    """Return the records by ``dealer_id``, ``table_name`` or ``day``."""
    column = {"dealer_id": "dealer_id", "table_name": "table_name", "day": "day"}[key]
    counted = "round_sums" if scope.hours is None else "round_tallies"
    exposure = {
        row.pop("key"): Exposure(**row)
        for row in db.query(
            f"SELECT {column} AS key, {_SUMS} FROM {counted} WHERE {_passes(scope, 'hour')} AND rounds > 0"  # noqa: S608 - constant texts
            f" GROUP BY {column}",
            scope.values,
        )
    }
    counts = list(db.query(_by_verdict(scope, column), scope.values))
    grouped: dict[Any, list[Mapping[str, Any]]] = {}
    for row in (*counts, *_unseen(db, scope, f"{column} AS key")):
        grouped.setdefault(row["key"], []).append(row)
    return {
        one: Record(
            exposure=exposure.get(one, Exposure()),
            errors=_errors(grouped.get(one, [])),
            in_whole=_errors(row for row in grouped.get(one, []) if row["in_whole_round"]),
        )
        for one in sorted({*exposure, *grouped})
    }


def _by_verdict(scope: Scope, column: str) -> str:
    """Return the query for errors by a column, verdict and decision: from the sums, for part of a day one by one."""
    head = f"SELECT {column} AS key, verdict, decision, in_whole_round"
    group = f"GROUP BY {column}, verdict, decision, in_whole_round"
    if scope.moments is not None:
        return f"{head}, {_COUNTS} FROM finding_facts WHERE {_passes(scope)}{_ERRORS} {group}"
    sums = ", ".join(f"sum({name}) AS {name}" for name in ("n", "over_cents", "short_cents"))
    return f"{head}, {sums} FROM error_sums WHERE {_passes(scope, 'hour', only_days=True)} AND n > 0 {group}"


def errors_by_kind(db: Database, scope: Scope) -> dict[str, Errors]:
    """Return the errors by their code, most first."""
    kinds: dict[str, Errors] = {}
    for (code, _), errors in errors_by_place(db, scope).items():
        kinds[code] = errors.plus(kinds.get(code, Errors()))
    return dict(sorted(kinds.items(), key=lambda item: (-item[1].standing, item[0])))


def errors_by_place(db: Database, scope: Scope) -> dict[tuple[str, int | None], Errors]:
    """Return the errors that the audit reported, by (code, seat)."""
    grouped: dict[tuple[str, int | None], list[Mapping[str, Any]]] = {}
    for row in (*db.query(_by_place(scope), scope.values), *_unseen(db, scope, "code, seat")):
        if row["verdict"] != BY_PERSON:
            grouped.setdefault((row["code"], row["seat"] or None), []).append(row)
    return {place: _errors(items) for place, items in grouped.items()}


def _by_place(scope: Scope) -> str:
    """Return the query for errors by kind and seat: from the sums over the whole pit, else one by one."""
    group = "GROUP BY code, seat, verdict, decision"
    if scope.table_name is None and scope.dealer_id is None and scope.moments is None:
        sums = ", ".join(f"sum({name}) AS {name}" for name in ("n", "over_cents", "short_cents"))
        passes = _passes(scope, "hour", only_days=True)
        return f"SELECT code, seat, verdict, decision, {sums} FROM kind_sums WHERE {passes} AND n > 0 {group}"  # noqa: S608 - constant texts
    index = "errors_of_day" if scope.table_name is None else "errors_of_table"
    index = index if scope.dealer_id is None else "errors_of_dealer"
    head = f"SELECT code, seat, verdict, decision, {_COUNTS} FROM finding_facts INDEXED BY {index}"  # noqa: S608 - constant texts
    return f"{head} WHERE {_passes(scope)}{_ERRORS} {group}"


def undetermined_by_reason(db: Database, scope: Scope, *, limit: int = 40) -> tuple[tuple[str, int], ...]:
    """Return why something could not be decided, and how often, most frequent first."""
    rows = db.execute(
        f"SELECT reason, count(*) AS n FROM finding_facts INDEXED BY undetermined_reasons WHERE {_passes(scope)}"  # noqa: S608 - constant texts
        " AND verdict = 'undetermined' GROUP BY reason ORDER BY n DESC, reason LIMIT :limit",
        scope.values | {"limit": limit},
    )
    return tuple((row[0], row[1]) for row in rows)


def house_quality(db: Database, *, blind_for: int | None = None) -> Quality:
    """Return what reviewers' decisions and the standing evaluation say of the recogniser, over all that is stored.

    ``blind_for``: as in ``Scope``.
    """
    counts: Counter[tuple[str, str | None]] = Counter()
    sums = db.query("SELECT verdict, decision, sum(n) AS n FROM error_sums GROUP BY verdict, decision")
    for row in (*sums, *_unseen(db, Scope(blind_for=blind_for), "code")):
        counts[row["verdict"], row["decision"]] += row["n"]
    decided = {v: (counts[v, "confirm"], counts[v, "dismiss"]) for v in VERDICTS}
    return quality(decided, standing_recall(db))


def tables_and_games(db: Database) -> tuple[tuple[str, str], ...]:
    """Return every table that was counted, with its game."""
    rows = db.execute("SELECT DISTINCT table_name, game FROM round_sums WHERE rounds > 0 ORDER BY table_name, game")
    return tuple((row[0], row[1]) for row in rows)


def days_counted(db: Database) -> tuple[str, str] | None:
    """Return the first and the last gaming day of which rounds were counted; None if none is dated."""
    row = db.execute("SELECT min(day), max(day) FROM round_sums WHERE day <> '' AND rounds > 0").fetchone()
    return None if row[0] is None else (row[0], row[1])


def _passes(scope: Scope, clock: str = "at", *, only_days: bool = False) -> str:
    """Return the tests of the scope; what it leaves open is left out, so that an index can be used for the rest.

    ``clock`` is the column by which a part of a day is chosen: ``hour`` of the rounds, ``at`` of the findings.
    """
    tests = ["day BETWEEN :first AND :last"]
    for column, name, value in (
        ("dealer_id", "dealer", scope.dealer_id),
        ("table_name", "table", scope.table_name),
        ("game", "game", scope.game),
    ):
        if value is not None:
            tests.append(f"{column} = :{name}")
    limits = {"hour": ("hours", scope.hours), "at": ("moments", scope.moments)}[clock]
    if limits[1] is not None and not only_days:
        tests.append(f"{clock} >= :{limits[0]}_first AND {clock} < :{limits[0]}_end")
    return " AND ".join(tests)


def _unseen(db: Database, scope: Scope, columns: str) -> Iterator[dict[str, Any]]:
    """Yield what takes each first decision that the scope's user must not see out of the counts, as counted rows."""
    if scope.blind_for is None:
        return
    rows = db.query(
        f"SELECT {columns}, verdict, decision, in_whole_round, {_ONE} FROM second_offers AS s"  # noqa: S608 - constant texts
        f" JOIN finding_facts AS c ON c.finding_id = s.finding_id WHERE {_passes(scope)}{_ERRORS}"
        " AND decision IS NOT NULL AND NOT EXISTS"
        " (SELECT 1 FROM decisions AS d WHERE d.finding_id = s.finding_id AND d.user_id = :blind_for)",
        scope.values,
    )
    for row in rows:
        yield row | {name: -row[name] for name in ("n", "over_cents", "short_cents")}
        yield row | {"decision": None}


def _errors(rows: Iterable[Mapping[str, Any]]) -> Errors:
    found = Errors()
    for row in rows:
        found = found.plus(_of_row(row))
    return found


def _of_row(row: Mapping[str, Any]) -> Errors:
    if row["verdict"] == BY_PERSON:
        return Errors(seen_by_people=0 if row["decision"] == "dismiss" else row["n"])
    if row["decision"] == "dismiss":
        return Errors(dismissed=row["n"])
    is_open = row["decision"] != "confirm"
    is_suspected = is_open and row["verdict"] == "suspect"
    return Errors(
        confirmed=0 if is_open else row["n"],
        open={row["verdict"]: row["n"]} if is_open else {},
        over_cents=row["over_cents"],
        short_cents=row["short_cents"],
        suspected_over_cents=row["over_cents"] if is_suspected else 0,
        suspected_short_cents=row["short_cents"] if is_suspected else 0,
    )
