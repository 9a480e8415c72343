"""Who is offered what a second time, and what he may not see before he has answered."""

from __future__ import annotations

import sqlite3

import pytest
from sqlite_utils import Database

from audit.store import ledger, second_reviews
from audit.store.audits import store_audit
from audit.store.database import StoreError
from audit.store.ledger import Decision
from audit.store.log_reading import check_chain
from audit.store.second_reviews import Item, Shares
from audit.store.users import Role, add_user
from tests.store.conftest import NOW, finding, new_run, round_

ANN, BOB, CAT = 1, 2, 3


@pytest.fixture
def desk(db: Database) -> Database:
    """Round 1 with finding 1, round 2 without; everything is drawn."""
    for name in ("ann", "bob", "cat"):
        add_user(db, name=name, role=Role.SURVEILLANCE, at=NOW)
    second_reviews.set_shares(db, Shares(flagged=1.0, unflagged=1.0), user_id=ANN, actor="ann", at=NOW)
    store_audit(db, new_run(db), rounds=[round_(finding()), round_(start_ms=60000, end_ms=90000)], findings=[], at=NOW)
    return db


def decide(db: Database, user_id: int, kind: Decision = Decision.CONFIRM) -> None:
    ledger.decide(db, 1, user_id=user_id, kind=kind, note="", at=NOW)


def test_a_finding_is_offered_once_somebody_else_has_decided_it(desk: Database) -> None:
    assert second_reviews.next_finding(desk, user_id=BOB) is None
    decide(desk, ANN)
    assert second_reviews.next_finding(desk, user_id=ANN) is None
    assert second_reviews.next_finding(desk, user_id=BOB) == Item(round_id=1, finding_id=1)
    assert (second_reviews.waiting(desk, user_id=ANN), second_reviews.waiting(desk, user_id=BOB)) == (0, 1)


def test_the_first_decision_is_hidden_from_all_others_until_the_second_is_given(desk: Database) -> None:
    decide(desk, ANN)
    assert second_reviews.hidden(desk, [1], user_id=ANN) == frozenset()
    assert second_reviews.hidden(desk, [1], user_id=BOB) == {1}
    second_reviews.answer(desk, Item(round_id=1, finding_id=1), user_id=BOB, kind="dismiss", note="", at=NOW)
    assert second_reviews.hidden(desk, [1], user_id=CAT) == frozenset()
    assert second_reviews.next_finding(desk, user_id=CAT) is None


def test_a_decision_that_was_withdrawn_is_not_offered(desk: Database) -> None:
    decide(desk, ANN)
    decide(desk, ANN, Decision.UNDO)
    assert second_reviews.next_finding(desk, user_id=BOB) is None


def test_nothing_is_offered_where_no_share_is_drawn(desk: Database) -> None:
    second_reviews.set_shares(desk, Shares(flagged=0.0, unflagged=0.0), user_id=ANN, actor="ann", at=NOW)
    decide(desk, ANN)
    assert second_reviews.next_finding(desk, user_id=BOB) is None
    assert second_reviews.next_round(desk, user_id=BOB) is None


def test_a_share_of_rounds_is_drawn_near_to_what_was_asked(db: Database) -> None:
    numbers = db.execute(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)"
        " SELECT count(*) FROM n WHERE (i * 2654435761) % 4294967296 < 4294967296 * 0.05"
    ).fetchone()[0]
    assert 950 < numbers < 1050


def test_a_round_without_findings_is_looked_at_by_two(desk: Database) -> None:
    quiet = Item(round_id=2, finding_id=None)
    assert second_reviews.next_round(desk, user_id=ANN) == quiet
    second_reviews.answer(desk, quiet, user_id=ANN, kind="nothing_wrong", note="", at=NOW)
    assert second_reviews.next_round(desk, user_id=ANN) is None
    assert second_reviews.next_round(desk, user_id=BOB) == quiet
    second_reviews.answer(desk, quiet, user_id=BOB, kind="missed", note="seat 2 unpaid", at=NOW)
    assert second_reviews.next_round(desk, user_id=CAT) is None
    assert [(one.first_kind, one.kind, one.user_name) for one in second_reviews.answers(desk)] == [
        ("nothing_wrong", "missed", "bob")
    ]


def test_an_answer_is_refused_from_the_one_who_decided_twice_or_in_other_words(desk: Database) -> None:
    item = Item(round_id=1, finding_id=1)
    with pytest.raises(StoreError, match="found none"):
        second_reviews.answer(desk, item, user_id=BOB, kind="confirm", note="", at=NOW)
    decide(desk, ANN)
    with pytest.raises(StoreError, match="the reviewer's own"):
        second_reviews.answer(desk, item, user_id=ANN, kind="confirm", note="", at=NOW)
    with pytest.raises(StoreError, match="expected one of confirm"):
        second_reviews.answer(desk, item, user_id=BOB, kind="missed", note="", at=NOW)
    second_reviews.answer(desk, item, user_id=BOB, kind="confirm", note="", at=NOW)
    with pytest.raises(StoreError, match="a second time already"):
        second_reviews.answer(desk, item, user_id=CAT, kind="confirm", note="", at=NOW)


def test_answers_and_shares_are_logged_and_never_changed(desk: Database) -> None:
    decide(desk, ANN)
    second_reviews.answer(desk, Item(round_id=1, finding_id=1), user_id=BOB, kind="confirm", note="", at=NOW)
    assert [entry.action for entry in ledger.log_entries(desk)] == ["second review shares", "decision", "second review"]
    assert check_chain(desk).broken is None
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        desk.execute("UPDATE second_reviews SET kind = 'dismiss'")
    with pytest.raises(StoreError, match="expected shares from 0 to 1"):
        second_reviews.set_shares(desk, Shares(flagged=2.0, unflagged=0.0), user_id=ANN, actor="ann", at=NOW)
