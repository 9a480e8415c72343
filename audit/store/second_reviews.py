"""Blind second reviews: a share of rounds, flagged or not, is judged again by somebody who has not seen the first word.

Which rounds is drawn by a hash of their number, so nobody chooses them and asking again draws the same ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Final

from sqlite_utils import Database

from audit.store import ledger
from audit.store.database import StoreError, stamp, transaction

ANSWERS: Final = ("confirm", "dismiss", "cannot_tell", "escalate")
"""Of a finding."""
ROUND_ANSWERS: Final = ("nothing_wrong", "missed", "cannot_tell")
"""Of a round in which the audit found nothing."""
FLAGGED_SHARE: Final = 0.05
UNFLAGGED_SHARE: Final = 0.01
"""Shares until somebody sets others."""

_DRAWN: Final = "(o.id * 2654435761) % 4294967296 < 4294967296 * :share"
_STEP: Final = 5000
"""Rounds looked through at a time for one that was drawn."""


@dataclass(frozen=True, kw_only=True)
class Shares:
    """Which part of the rounds with and without findings is reviewed a second time."""

    flagged: float
    unflagged: float


@dataclass(frozen=True, kw_only=True)
class Item:
    """What is offered to a second reviewer: a finding, or a round without findings (``finding_id`` None)."""

    round_id: int
    finding_id: int | None


@dataclass(frozen=True, kw_only=True)
class SecondReview:
    """One answer; ``first_kind`` is what somebody else had answered before, None for the first look at a round.

    ``verdict`` is the finding's, None for a round without findings.
    """

    id: int
    round_id: int
    finding_id: int | None
    user_id: int
    user_name: str
    kind: str
    first_kind: str | None
    note: str
    at: str
    log_id: int
    verdict: str | None


def shares(db: Database) -> Shares:
    """Return the shares in force."""
    row = db.execute("SELECT flagged, unflagged FROM second_review_shares ORDER BY id DESC LIMIT 1").fetchone()
    flagged, unflagged = row or (FLAGGED_SHARE, UNFLAGGED_SHARE)
    return Shares(flagged=flagged, unflagged=unflagged)


def set_shares(db: Database, chosen: Shares, *, user_id: int, actor: str, at: datetime) -> None:
    """Set the shares from now on; the change is logged.

    Raises:
        StoreError: for a share that is none.
    """
    if not (0 <= chosen.flagged <= 1 and 0 <= chosen.unflagged <= 1):
        msg = f"expected shares from 0 to 1, found {chosen.flagged} and {chosen.unflagged}"
        raise StoreError(msg)
    with transaction(db):
        log_id = ledger.append(db, actor=actor, action="second review shares", details=vars(chosen), at=at)
        row = vars(chosen) | {"user_id": user_id, "at": stamp(at), "log_id": log_id}
        db.table("second_review_shares").insert(row)


def next_finding(db: Database, *, user_id: int) -> Item | None:
    """Return the finding that has waited longest for a second answer, by somebody who has not decided on it himself."""
    row = db.execute(
        "SELECT f.round_id, f.id FROM second_offers AS s JOIN findings AS f ON f.id = s.finding_id"
        " WHERE f.current = 1 AND f.decision IS NOT NULL"
        " AND NOT EXISTS (SELECT 1 FROM decisions AS d WHERE d.finding_id = f.id AND d.user_id = ?)"
        " ORDER BY s.offered_at, f.id LIMIT 1",
        [user_id],
    ).fetchone()
    return None if row is None else Item(round_id=row[0], finding_id=row[1])


def next_round(db: Database, *, user_id: int) -> Item | None:
    """Return a drawn round without findings that two reviewers have not answered yet, and this one not at all.

    Rounds are passed in the order of their numbers, starting after the last one that the reviewer answered.
    """
    return next((Item(round_id=number, finding_id=None) for number in _open_rounds(db, user_id)), None)


def waiting_rounds(db: Database, *, user_id: int, most: int = 100) -> int:
    """Return how many drawn rounds without findings wait for this user's answer, counted up to ``most``."""
    return sum(1 for _ in islice(_open_rounds(db, user_id), most))


def _open_rounds(db: Database, user_id: int) -> Iterator[int]:
    share = shares(db).unflagged
    last = db.execute("SELECT ifnull(max(id), 0) FROM rounds").fetchone()[0]
    answered = "SELECT ifnull(max(round_id), 0) FROM second_reviews WHERE finding_id IS NULL AND user_id = ?"
    start = db.execute(answered, [user_id]).fetchone()[0] + 1
    while share > 0 and start <= last:
        rows = db.execute(
            f"SELECT o.id FROM rounds AS o WHERE o.id >= :start AND o.id < :end AND {_DRAWN}"  # noqa: S608 - constant
            " AND (SELECT r.current FROM runs AS r WHERE r.id = o.run_id) = 1"
            " AND NOT EXISTS (SELECT 1 FROM findings AS f WHERE f.round_id = o.id AND f.current = 1)"
            " AND (SELECT count(*) FROM second_reviews AS s WHERE s.round_id = o.id AND s.finding_id IS NULL) < 2"
            " ORDER BY o.id",
            {"start": start, "end": start + _STEP, "share": share},
        )
        yield from (row[0] for row in rows)
        start += _STEP


def waiting(db: Database, *, user_id: int) -> int:
    """Return how many findings wait for a second answer that this user can give."""
    row = db.execute(
        "SELECT count(*) FROM second_offers AS s JOIN findings AS f ON f.id = s.finding_id"
        " WHERE f.current = 1 AND f.decision IS NOT NULL"
        " AND NOT EXISTS (SELECT 1 FROM decisions AS d WHERE d.finding_id = f.id AND d.user_id = ?)",
        [user_id],
    ).fetchone()
    return int(row[0])


def hidden(db: Database, finding_ids: list[int], *, user_id: int) -> frozenset[int]:
    """Return those whose decisions this user may not see yet, because he may be their second reviewer."""
    marks = ", ".join("?" * len(finding_ids))
    rows = db.execute(
        f"SELECT s.finding_id FROM second_offers AS s WHERE s.finding_id IN ({marks})"  # noqa: S608 - question marks
        " AND NOT EXISTS (SELECT 1 FROM decisions AS d WHERE d.finding_id = s.finding_id AND d.user_id = ?)",
        [*finding_ids, user_id],
    )
    return frozenset(row[0] for row in rows)


def answer(db: Database, item: Item, *, user_id: int, kind: str, note: str, at: datetime) -> int:
    """Append a second answer, to the log as well, and return its number.

    Raises:
        StoreError: for an answer that is none, a finding that nobody has decided, one's own decision, or a second
            answer by the same reviewer.
    """
    allowed = ROUND_ANSWERS if item.finding_id is None else ANSWERS
    if kind not in allowed:
        msg = f"expected one of {', '.join(allowed)}, found {kind!r:.40}"
        raise StoreError(msg)
    with transaction(db):
        row = db.execute("SELECT name FROM users WHERE id = ? AND disabled_at IS NULL", [user_id]).fetchone()
        if row is None:
            msg = f"expected a stored user, found none with number {user_id}"
            raise StoreError(msg)
        first = _first_of_round(db, item, user_id) if item.finding_id is None else _first_of_finding(db, item, user_id)
        details = {"round": item.round_id, "finding": item.finding_id, "kind": kind, "first": first, "note": note}
        log_id = ledger.append(db, actor=row[0], action="second review", details=details, at=at)
        kept = {"round_id": item.round_id, "finding_id": item.finding_id, "user_id": user_id, "kind": kind}
        rest = {"first_kind": first, "note": note, "at": stamp(at), "log_id": log_id}
        return int(db.table("second_reviews").insert(kept | rest).last_pk)


def answers(db: Database, *, limit: int = 20_000) -> tuple[SecondReview, ...]:
    """Return the answers that can be compared with an earlier one, the latest first."""
    rows = db.query(
        "SELECT s.*, u.name AS user_name, f.verdict FROM second_reviews AS s JOIN users AS u ON u.id = s.user_id"
        " LEFT JOIN findings AS f ON f.id = s.finding_id"
        " WHERE s.first_kind IS NOT NULL ORDER BY s.id DESC LIMIT ?",
        [limit],
    )
    return tuple(SecondReview(**row) for row in rows)


def _first_of_finding(db: Database, item: Item, user_id: int) -> str:
    kind, mine, earlier = db.execute(
        "SELECT (SELECT decision FROM findings WHERE id = :finding AND round_id = :round),"
        " (SELECT count(*) FROM decisions WHERE finding_id = :finding AND user_id = :user),"
        " (SELECT count(*) FROM second_reviews WHERE finding_id = :finding)",
        {"finding": item.finding_id, "round": item.round_id, "user": user_id},
    ).fetchone()
    if kind is None or mine or earlier:
        found = (
            "none" if kind is None else "the reviewer's own" if mine else "one that was reviewed a second time already"
        )
        msg = f"expected a decision by somebody else on finding {item.finding_id}, found {found}"
        raise StoreError(msg)
    return str(kind)


def _first_of_round(db: Database, item: Item, user_id: int) -> str | None:
    rows = db.execute(
        "SELECT user_id, kind FROM second_reviews WHERE round_id = ? AND finding_id IS NULL ORDER BY id",
        [item.round_id],
    ).fetchall()
    if len(rows) > 1 or user_id in {row[0] for row in rows}:
        msg = f"expected a round that is open to this reviewer, found round {item.round_id} answered already"
        raise StoreError(msg)
    return rows[0][1] if rows else None
