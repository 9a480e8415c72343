"""Corrections of readings as the pages write them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlite_utils import Database

from audit.store import corrections
from audit.store.review import FindingRow
from web.local_time import zoned
from web.words import clock, named

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


def told(kind: str, first: Any, said: Any) -> str:
    """Return a correction as a clause: ``2c is Jc``, ``a card that was not read is not there``."""
    what, becomes = in_words(kind, first), in_words(kind, said)
    if what == "nothing":
        what = "what was added"
    elif what in {"not read", "face down"}:
        thing = {"chips": "a pile", "die": "a die"}.get(kind, "a card")
        what = f"{thing} that was not read" if what == "not read" else f"{thing} that lies face down"
    return f"{what} is {'not there' if becomes == 'nothing' else becomes}"


def what_changed(before: Sequence[FindingRow], after: Sequence[FindingRow]) -> str:
    """Return which findings fell, came and are stated anew when a round was settled again, in a sentence each."""
    fell = [named(one) for one in before if one.id not in {other.id for other in after}]
    came = [named(one) for one in after if one.id not in {other.id for other in before}]
    parts = (
        ("No longer stands", [one for one in fell if one not in came]),
        ("New", [one for one in came if one not in fell]),
        ("Stated anew", [one for one in came if one in fell]),
    )
    return " ".join(f"{words}: {'; '.join(names)}." for words, names in parts if names) or "No finding changed."


def successor(finding: FindingRow, standing: Sequence[FindingRow]) -> FindingRow:
    """Return the finding that says of the same place the same kind of thing now; the finding itself if none does."""
    return next((one for one in standing if named(one) == named(finding)), finding)


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
