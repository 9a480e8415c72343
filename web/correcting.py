"""Corrections of readings as the pages write them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from sqlite_utils import Database

from audit.store import corrections
from web.local_time import zoned
from web.words import clock

ABSENT: Final = {"absent": True}
"""The first reading of what recognition did not see."""


def in_words(kind: str, record: Any) -> str:
    """Return a reading, first or corrected, in a few words."""
    if record.get("absent"):
        return "nothing"
    if record.get("card"):
        return str(record["card"])
    if record.get("stack"):
        return " + ".join(_runs(record["stack"]))
    if record.get("value"):
        return f"{record.get('colour') or ''} {record['value']}".strip()
    return "face down" if kind == "card_back" else "not read"


def correction_views(db: Database, round_id: int) -> list[dict[str, Any]]:
    """Return the corrections of a round as the page lists them, withdrawn ones too."""
    rows = corrections.entries(db, round_id)
    stand = {row.id for row in corrections.standing(rows)}
    ended = {row.withdraws: row for row in rows if row.withdraws is not None}
    return [
        {
            "id": row.id,
            "kind": row.kind.replace("_", " "),
            "at_ms": row.at_ms,
            "first": in_words(row.kind, row.first_reading),
            "said": in_words(row.kind, row.reading),
            "user": row.user_name,
            "at": zoned(row.at),
            "lies": _lies(row.reading),
            "stands": row.id in stand,
            "withdrawn_by": ended[row.id].user_name if row.id in ended else None,
        }
        for row in rows
        if row.withdraws is None
    ]


def _lies(reading: Mapping[str, Any]) -> str:
    """Return from when to when an added object lay there, empty for one that recognition listed."""
    span = reading.get("lies_ms")
    return "" if span is None else f"{clock(span[0])} to {clock(span[1])}"


def _runs(stack: list[str]) -> list[str]:
    runs: list[tuple[str, int]] = []
    for colour in stack:
        if runs and runs[-1][0] == colour:
            runs[-1] = (colour, runs[-1][1] + 1)
        else:
            runs.append((colour, 1))
    return [f"{n} {colour}" for colour, n in runs]
