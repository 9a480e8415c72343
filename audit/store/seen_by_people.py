"""Findings that a person adds: an error that was seen in a round and that no audit reported.

They stand beside those of the audit under a code of their own, say who added them and when, and outlive every later
audit of the same footage: the audit that is shown takes them over, with number, decisions and reports as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from sqlite_utils import Database

from audit.store import audits, ledger
from audit.store.database import StoreError, stamp, transaction
from audit.store.review import FindingRow, RoundRow

CODE: Final = "seen-by-a-person"
"""The code of every such finding."""
_SAME: Final = ("seat", "first_ms", "last_ms", "amount", "observed")


def add(db: Database, row: RoundRow, record: Mapping[str, Any], *, user_id: int, at: datetime) -> int:
    """Store what a person saw in a round, to the log as well, and return the finding's number.

    ``record`` is in the shape of ``contracts/audit.md`` without code, verdict and probability.

    Raises:
        StoreError: if there is no such user, the round's audit is not the one that is shown, or he added the same
            before.
    """
    whole = {**record, "code": CODE, "verdict": "violation", "probability": 1.0}
    with transaction(db):
        name = _name(db, user_id)
        place = _place(db, row)
        found = audits.finding_row(whole)
        _refuse_twice(db, row, found, user_id)
        # Below those of the audit, whose ordinals begin at 0.
        lowest = "SELECT min(ifnull(min(ordinal), 0), 0) - 1 FROM findings WHERE added_by IS NOT NULL"
        ordinal = db.execute(lowest).fetchone()[0]
        by = {"ordinal": ordinal, "added_by": user_id, "added_at": stamp(at)}
        number = int(db.table("findings").insert(found | place | by).last_pk)
        details = {"finding": number, "round": row.id, **{key: whole[key] for key in ("procedures", "observed")}}
        ledger.append(db, actor=name, action="finding added", details=details, at=at)
        return number


def take_back(db: Database, finding: FindingRow, *, user_id: int, at: datetime) -> None:
    """Take back what the user himself added; it stays stored and stands nowhere, and the log says so.

    Raises:
        StoreError: if it is not his, somebody has decided on it, or it was taken back before.
    """
    with transaction(db):
        name = _name(db, user_id)
        gone = db.execute(
            "UPDATE findings SET current = 0 WHERE id = ? AND added_by = ? AND current = 1 AND decision IS NULL",
            [finding.id, user_id],
        )
        if not gone.rowcount:
            msg = f"expected a finding that {name} added and nobody has decided on, found finding {finding.id}"
            raise StoreError(msg)
        ledger.append(db, actor=name, action="finding taken back", details={"finding": finding.id}, at=at)


def _refuse_twice(db: Database, row: RoundRow, found: Mapping[str, Any], user_id: int) -> None:
    sql = "SELECT id FROM findings WHERE round_id = ? AND added_by = ? AND current = 1 AND procedures = ?"
    tests = "".join(f" AND {name} IS ?" for name in _SAME)
    values = [row.id, user_id, found["procedures"], *(found[name] for name in _SAME)]
    known = db.execute(sql + tests, values).fetchone()
    if known is not None:
        msg = f"expected a finding that is new, found finding {known[0]} that says the same"
        raise StoreError(msg)


def _place(db: Database, row: RoundRow) -> dict[str, Any]:
    name, current = db.execute(
        "SELECT p.name, r.current FROM runs AS r JOIN profiles AS p ON p.id = r.profile_id WHERE r.id = ?", [row.run_id]
    ).fetchone()
    if not current:
        msg = "expected a round of the audit that is shown, found one of an earlier audit"
        raise StoreError(msg)
    return {"run_id": row.run_id, "round_id": row.id, "game": row.game, "table_name": name}


def _name(db: Database, user_id: int) -> str:
    row = db.execute("SELECT name FROM users WHERE id = ? AND disabled_at IS NULL", [user_id]).fetchone()
    if row is None:
        msg = f"expected a stored user, found none with number {user_id}"
        raise StoreError(msg)
    return str(row[0])
