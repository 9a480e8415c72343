"""The log and the decisions are only ever appended to, and say so when somebody has changed them."""

import sqlite3
from datetime import timedelta

import pytest
from sqlite_utils import Database

from audit.store.database import StoreError
from audit.store.ledger import (
    FIRST_HASH,
    Decision,
    append,
    decide,
    decisions_of,
    log_entries,
    record_access,
)
from audit.store.log_reading import check_chain
from audit.store.review import finding
from audit.store.users import Role, add_one_time_login, add_user, change_user, use_one_time_login, user, user_named
from tests.store.conftest import NOW, audited
from tests.store.conftest import finding as record


@pytest.fixture
def reviewer(db: Database) -> int:
    audited(db, record())
    return add_user(db, name="Ana", role=Role.SURVEILLANCE, at=NOW)


def _decide(db: Database, user_id: int, kind: Decision) -> None:
    decide(db, 1, user_id=user_id, kind=kind, note="", at=NOW)


def test_a_decision_is_stored_with_who_and_when_and_logged(db: Database, reviewer: int) -> None:
    decide(db, 1, user_id=reviewer, kind=Decision.CONFIRM, note="two red too many", at=NOW)
    row = decisions_of(db, 1)[0]
    assert (row.user_name, row.kind, row.note, row.at) == (
        "Ana",
        "confirm",
        "two red too many",
        "2026-11-21T04:00:00.000+00:00",
    )
    entry = log_entries(db)[0]
    assert (entry.id, entry.actor, entry.action) == (row.log_id, "Ana", "decision")
    assert entry.details == {"finding": 1, "kind": "confirm", "note": "two red too many"}


@pytest.mark.parametrize(
    ("kinds", "stands"),
    [
        ([Decision.CONFIRM], "confirm"),
        ([Decision.CONFIRM, Decision.DISMISS], "dismiss"),
        ([Decision.CONFIRM, Decision.UNDO], None),
        ([Decision.CONFIRM, Decision.DISMISS, Decision.UNDO], "confirm"),
        ([Decision.CONFIRM, Decision.DISMISS, Decision.UNDO, Decision.UNDO], None),
        ([Decision.CONFIRM, Decision.UNDO, Decision.ESCALATE], "escalate"),
        ([Decision.CANNOT_TELL], "cannot_tell"),
    ],
)
def test_the_last_decision_that_was_not_undone_stands(
    db: Database, reviewer: int, kinds: list[Decision], stands: str | None
) -> None:
    for kind in kinds:
        _decide(db, reviewer, kind)
    assert finding(db, 1).decision == stands
    assert [row.kind for row in decisions_of(db, 1)] == kinds


def test_there_is_nothing_to_undo_before_a_decision(db: Database, reviewer: int) -> None:
    with pytest.raises(StoreError, match="expected a decision on finding 1 to undo, found none"):
        _decide(db, reviewer, Decision.UNDO)
    assert (decisions_of(db, 1), log_entries(db)) == ((), ())


def test_only_known_users_decide_on_known_findings(db: Database, reviewer: int) -> None:
    with pytest.raises(StoreError, match="expected a stored finding, found none with number 9"):
        decide(db, 9, user_id=reviewer, kind=Decision.CONFIRM, note="", at=NOW)
    with pytest.raises(StoreError, match="expected a stored user, found none with number 9"):
        decide(db, 1, user_id=9, kind=Decision.CONFIRM, note="", at=NOW)


@pytest.mark.parametrize("table", ["log", "decisions"])
@pytest.mark.parametrize("statement", ["UPDATE {} SET at = 'x'", "DELETE FROM {}"])
def test_the_log_and_decisions_refuse_changes(db: Database, reviewer: int, table: str, statement: str) -> None:
    _decide(db, reviewer, Decision.CONFIRM)
    with pytest.raises(sqlite3.IntegrityError, match="is append-only"):
        db.execute(statement.format(table))


def test_entries_are_chained_by_their_hashes(db: Database) -> None:
    append(db, actor="Ana", action="login", details={}, at=NOW)
    record_access(db, actor="Ana", evidence={"round": 7}, at=NOW + timedelta(seconds=1))
    first, second = log_entries(db)
    assert (first.previous_hash, second.previous_hash) == (FIRST_HASH, first.hash)
    # sha256 of the canonical JSON, computed with sha256sum
    assert first.hash == "5131bfdd9a2694c8af91d7b8d2d5ae26263659770c7ebb061c979e72f6691414"
    assert check_chain(db).broken is None


@pytest.mark.parametrize(
    ("tampering", "broken"),
    [
        ("UPDATE log SET actor = 'Bob' WHERE id = 2", 2),
        ("UPDATE log SET at = '2026-11-21T05:00:00.000+00:00' WHERE id = 1", 1),
        ("DELETE FROM log WHERE id = 2", 2),
        ("DELETE FROM log WHERE id = 1", 1),
    ],
)
def test_tampering_behind_the_programs_back_is_found(db: Database, tampering: str, broken: int) -> None:
    for second in range(3):
        append(db, actor="Ana", action="access", details={"round": second}, at=NOW + timedelta(seconds=second))
    db.execute("DROP TRIGGER log_refuses_update")
    db.execute("DROP TRIGGER log_refuses_delete")
    db.execute(tampering)
    assert check_chain(db).broken == broken


def test_an_empty_log_is_whole(db: Database) -> None:
    assert check_chain(db).broken is None


def test_a_one_time_login_works_once(db: Database, reviewer: int) -> None:
    add_one_time_login(db, token="secret", user_id=reviewer, expires=NOW + timedelta(minutes=10))
    assert use_one_time_login(db, token="wrong", now=NOW) is None
    assert use_one_time_login(db, token="secret", now=NOW) == user(db, reviewer)
    assert use_one_time_login(db, token="secret", now=NOW) is None


def test_a_one_time_login_expires(db: Database, reviewer: int) -> None:
    add_one_time_login(db, token="secret", user_id=reviewer, expires=NOW + timedelta(minutes=10))
    assert use_one_time_login(db, token="secret", now=NOW + timedelta(minutes=10)) is None


def test_a_disabled_user_neither_enters_nor_decides(db: Database, reviewer: int) -> None:
    add_one_time_login(db, token="secret", user_id=reviewer, expires=NOW + timedelta(minutes=10))
    change_user(db, reviewer, disabled_at=NOW)
    assert use_one_time_login(db, token="secret", now=NOW) is None
    with pytest.raises(StoreError, match="expected a stored user"):
        _decide(db, reviewer, Decision.CONFIRM)


def test_a_name_is_taken_whatever_its_case(db: Database, reviewer: int) -> None:
    assert user_named(db, "ANA") == user(db, reviewer)
    with pytest.raises(StoreError, match="expected a name that no user has yet, found 'ana'"):
        add_user(db, name="ana", role=Role.AUDITOR, at=NOW)
