"""Which findings stand in a round that is settled again: those that say the same keep their number and decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlite_utils import Database

from audit.store import audits

_SAME: Final = (
    "code",
    "verdict",
    "seat",
    "hand",
    "number",
    "bet",
    "expected",
    "observed",
    "amount",
    "first_ms",
    "last_ms",
)
_AS_LIKELY: Final = 0.005


def stored_of(db: Database, round_id: int) -> list[dict[str, Any]]:
    """Return the rows of a round's findings in their order.

    Those that were withdrawn while they were live, and those that people added, are left out.
    """
    text = (
        "SELECT * FROM findings WHERE round_id = ? AND added_by IS NULL"
        " AND id NOT IN (SELECT finding_id FROM withdrawn_findings) ORDER BY ordinal"
    )
    return list(db.query(text, [round_id]))


def stored_as(
    db: Database,
    round_id: int,
    findings: Sequence[Mapping[str, Any]],
    stored: Sequence[Mapping[str, Any]],
    *,
    correction_id: int | None,
) -> set[int]:
    """Return the numbers under which a round's findings are stored, storing those that are new.

    Args:
        db: the store, in a transaction.
        round_id: the round.
        findings: what is to stand in it, in the shape of ``contracts/audit.md``.
        stored: the rows that may say the same.
        correction_id: the correction that the new ones come from, None for the audit itself.
    """
    known = {_key(row): row for row in reversed(stored)}
    place = db.execute(
        "SELECT o.run_id, o.game, p.name FROM rounds AS o JOIN runs AS r ON r.id = o.run_id"
        " JOIN profiles AS p ON p.id = r.profile_id WHERE o.id = ?",
        [round_id],
    ).fetchone()
    fixed = dict(zip(("run_id", "game", "table_name"), place, strict=True))
    fixed |= {"round_id": round_id, "correction_id": correction_id}
    highest = "SELECT ifnull(max(ordinal), -1) FROM findings WHERE round_id = ? AND added_by IS NULL"
    free = db.execute(highest, [round_id]).fetchone()[0] + 1
    kept = [_kept(known.get(_key(one)), one) for one in findings]
    ordinals = []
    for row in kept:
        ordinals.append(free if row is None else row["ordinal"])
        free += row is None
    stand = set()
    for one, ordinal, row in zip(findings, ordinals, kept, strict=True):
        if row is not None:
            stand.add(row["id"])
            continue
        cause = one.get("because_of")
        renumbered = {**one, "because_of": None if cause is None else ordinals[cause]}
        stand.add(
            int(db.table("findings").insert(audits.finding_row(renumbered) | fixed | {"ordinal": ordinal}).last_pk)
        )
    return stand


def _kept(row: Mapping[str, Any] | None, finding: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the stored finding if it says the same; one that nobody decided on is stated anew when it is likelier."""
    if row is None or row["decision"] is not None:
        return row
    return row if abs(row["probability"] - finding["probability"]) < _AS_LIKELY else None


def _key(finding: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(finding.get(name) for name in _SAME)
