"""Corrections of readings as the pages write them."""

from __future__ import annotations

from typing import Any

from sqlite_utils import Database

from audit.store import corrections


def in_words(kind: str, record: Any) -> str:
    """Return a reading, first or corrected, in a few words."""
    if record.get("absent"):
        return "nothing"
    if record.get("card"):
        return str(record["card"])
    if record.get("stack"):
        return " + ".join(_runs(record["stack"]))
    return str(record["value"]) if record.get("value") else "face down" if kind == "card_back" else "not read"


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
            "at": row.at[:19].replace("T", " ") + " UTC",
            "stands": row.id in stand,
            "withdrawn_by": ended[row.id].user_name if row.id in ended else None,
        }
        for row in rows
        if row.withdraws is None
    ]


def _runs(stack: list[str]) -> list[str]:
    runs: list[tuple[str, int]] = []
    for colour in stack:
        if runs and runs[-1][0] == colour:
            runs[-1] = (colour, runs[-1][1] + 1)
        else:
            runs.append((colour, 1))
    return [f"{n} {colour}" for colour, n in runs]
