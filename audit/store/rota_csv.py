"""Reading a rota written as CSV: who dealt at which table from when to when."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from audit.store.dealers import Duty

NEEDED: Final = ("dealer", "table", "from", "to")
ALLOWED: Final = (*NEEDED, "number", "supervisor")
_FIRST_YEAR: Final = 2000
_LAST_YEAR: Final = 2199
_DELIMITERS: Final = (",", ";", "\t")


@dataclass(frozen=True, kw_only=True)
class RotaLine:
    """One line of the file: the duty, or in one sentence why there is none."""

    number: int
    text: str
    duty: Duty | None
    problem: str = ""


@dataclass(frozen=True, kw_only=True)
class RotaFile:
    """A file's heading, and its lines; ``problem`` = why none of it can be read."""

    heading: str
    lines: tuple[RotaLine, ...]
    problem: str = ""


def read_rota(text: str, tz: ZoneInfo) -> RotaFile:
    """Return the lines of a rota; times without an offset are those of the time zone."""
    lines = text.lstrip("\ufeff").splitlines()
    first = next((number for number, line in enumerate(lines) if line.strip()), None)
    if first is None:
        return RotaFile(heading="", lines=(), problem=f"line 1: expected the heading {','.join(NEEDED)}, found nothing")
    heading = lines[first]
    delimiter = max(_DELIMITERS, key=heading.count)
    columns = [cell.strip().lower() for cell in _cells(heading, delimiter) or []]
    problem = _heading_problem(columns)
    if problem:
        return RotaFile(heading=heading, lines=(), problem=f"line {first + 1}: {problem}")
    rest = enumerate(lines[first + 1 :], start=first + 2)
    read = tuple(_read(number, line, columns, delimiter, tz) for number, line in rest if line.strip())
    return RotaFile(heading=heading, lines=read)


def moment(text: str, tz: ZoneInfo) -> datetime:
    """Return the moment that is written; without an offset it is the time zone's.

    Raises:
        ValueError: what was expected and what was found.
    """
    try:
        at = datetime.fromisoformat(text.strip())
    except ValueError:
        msg = f"expected a date and time such as 2026-11-20 20:00, found {text.strip()!r:.40}"
        raise ValueError(msg) from None
    if len(text.strip()) <= len("2026-11-20"):
        msg = f"expected a date and time such as 2026-11-20 20:00, found only a date {text.strip()!r:.40}"
        raise ValueError(msg)
    if not _FIRST_YEAR <= at.year <= _LAST_YEAR:
        msg = f"expected a year from {_FIRST_YEAR} to {_LAST_YEAR}, found {at.year}"
        raise ValueError(msg)
    if at.tzinfo is not None:
        return at.astimezone(UTC)
    one, other = at.replace(tzinfo=tz), at.replace(tzinfo=tz, fold=1)
    if one.utcoffset() != other.utcoffset():
        kind = "twice" if one.utcoffset() > other.utcoffset() else "never"  # type: ignore[operator]  # aware
        msg = f"expected a time with its offset, as the clocks change then, found {text.strip()!r}, which was {kind}"
        raise ValueError(msg)
    return one.astimezone(UTC)


def _read(number: int, line: str, columns: list[str], delimiter: str, tz: ZoneInfo) -> RotaLine:
    cells = _cells(line, delimiter)
    if cells is None or len(cells) != len(columns):
        found = "an open quotation mark" if cells is None else f"{len(cells)}"
        problem = f"line {number}: expected {len(columns)} fields, found {found}"
        return RotaLine(number=number, text=line, duty=None, problem=problem)
    row = dict(zip(columns, (cell.strip() for cell in cells), strict=True))
    empty = [name for name in NEEDED if not row[name]]
    if empty:
        problem = f"line {number}, {empty[0]}: expected it filled, found nothing"
        return RotaLine(number=number, text=line, duty=None, problem=problem)
    try:
        return RotaLine(number=number, text=line, duty=_duty(row, tz))
    except ValueError as error:
        return RotaLine(number=number, text=line, duty=None, problem=f"line {number}, {error}")


def _duty(row: Mapping[str, str], tz: ZoneInfo) -> Duty:
    spans = {}
    for name in ("from", "to"):
        try:
            spans[name] = moment(row[name], tz)
        except (ValueError, OverflowError) as error:
            msg = f"{name}: {error}"
            raise ValueError(msg) from None
    if spans["to"] - spans["from"] > timedelta(hours=24):
        msg = f"to: expected at most 24 hours after {row['from']}, found {row['to']}"
        raise ValueError(msg)
    return Duty(
        dealer=row["dealer"],
        table_name=row["table"],
        starts=spans["from"],
        ends=spans["to"],
        number=row.get("number") or None,
        supervisor=row.get("supervisor", ""),
    )


def _heading_problem(columns: list[str]) -> str:
    missing = [name for name in NEEDED if name not in columns]
    if missing:
        return f"expected the heading {','.join(NEEDED)}, found no {', no '.join(missing)}"
    strange = [name for name in columns if name not in ALLOWED]
    if strange:
        return f"expected only {', '.join(ALLOWED)} in the heading, found {strange[0]!r:.40}"
    twice = [name for name in columns if columns.count(name) > 1]
    return f"expected each heading once, found {twice[0]} twice" if twice else ""


def _cells(line: str, delimiter: str) -> list[str] | None:
    try:
        return next(csv.reader([line], delimiter=delimiter, strict=True), [])
    except csv.Error:
        return None
