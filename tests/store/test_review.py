"""The queue, its counts and the round page's questions."""

import sqlite3

import pytest
from sqlite_utils import Database

from audit.store.audits import audit_record, rank_of, store_audit
from audit.store.database import StoreError
from audit.store.footage import Pins
from audit.store.ledger import Decision, decide
from audit.store.review import (
    QueueFilter,
    finding,
    findings_of_round,
    findings_of_run,
    next_unreviewed,
    queue_counts,
    queue_page,
    round_row,
    rounds_of_run,
)
from audit.store.users import Role, add_user
from tests.store.conftest import NOW, audited, new_run, round_
from tests.store.conftest import finding as record

SMALL = record(amount="-2.50", code="short")
LARGE = record(amount="100.00", probability=0.5, verdict="suspect", code="left")
NO_MONEY = record(amount=None, code="order")
UNREAD = record(amount=None, probability=0.0, verdict="undetermined", code="unread")


def _codes(db: Database, **chosen: object) -> list[str]:
    return [row.code for row in queue_page(db, QueueFilter(**chosen)).rows]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("amount", "probability", "rank"),
    [("100.00", 0.5, 50.0), ("-2.50", 1.0, 2.5), (None, 1.0, 0.0), ("1/3", 0.75, 0.25)],
)
def test_rank_is_money_times_probability(amount: str | None, probability: float, rank: float) -> None:
    assert rank_of(amount, probability, verdict="suspect") == rank


def test_what_could_not_be_decided_comes_after_everything_else():
    assert rank_of("250.00", 1.0, verdict="undetermined") < rank_of(None, 0.5, verdict="violation")


def test_the_queue_is_empty_before_anything_was_audited(db: Database) -> None:
    assert queue_page(db, QueueFilter()).rows == ()
    assert queue_counts(db).unreviewed == 0
    assert next_unreviewed(db, QueueFilter()) is None


def test_the_queue_begins_with_most_money_times_probability(db: Database) -> None:
    audited(db, SMALL, NO_MONEY, LARGE)
    assert _codes(db) == ["left", "short", "order"]


@pytest.mark.parametrize(
    ("chosen", "codes"),
    [
        ({"verdict": "suspect"}, ["left"]),
        ({"code": "short"}, ["short"]),
        ({"minimum_cents": 250}, ["left", "short"]),
        ({"minimum_cents": 251}, ["left"]),
        ({"table_name": "BJ-07"}, ["left", "short", "order", "unread"]),
        ({"table_name": "BJ-08"}, []),
        ({"game": "stud_21"}, []),
        ({"state": "any"}, ["left", "short", "order", "unread"]),
        ({"state": "reviewed"}, []),
    ],
)
def test_the_queue_is_filtered(db: Database, chosen: dict[str, object], codes: list[str]) -> None:
    audited(db, SMALL, NO_MONEY, LARGE, UNREAD)
    assert _codes(db, **chosen) == codes


def test_pages_of_the_queue_follow_each_other(db: Database) -> None:
    audited(db, SMALL, NO_MONEY, LARGE)
    page = queue_page(db, QueueFilter(), limit=2, offset=2)
    assert ([row.code for row in page.rows], page.total) == (["order"], 3)


def test_counts_are_of_unreviewed_findings(db: Database) -> None:
    audited(db, SMALL, NO_MONEY, LARGE, UNREAD)
    _decide(db, 3)
    counts = queue_counts(db)
    assert (counts.unreviewed, counts.findings, counts.rounds) == (3, 4, 1)
    assert counts.by_verdict == {"violation": 2, "undetermined": 1}
    assert counts.by_code == {"order": 1, "short": 1, "unread": 1}
    assert (counts.by_table, counts.by_game) == ({"BJ-07": 3}, {"blackjack": 3})


def test_a_decided_finding_leaves_the_queue_and_can_be_shown(db: Database) -> None:
    audited(db, SMALL, LARGE)
    _decide(db, 2)
    assert _codes(db) == ["short"]
    assert _codes(db, state="reviewed") == ["left"]
    assert _codes(db, state="dismiss") == ["left"]
    assert _codes(db, state="confirm") == []


def test_next_is_what_follows_in_the_queue_then_the_first_again(db: Database) -> None:
    audited(db, SMALL, NO_MONEY, LARGE)
    assert next_unreviewed(db, QueueFilter()) == 3
    assert next_unreviewed(db, QueueFilter(), after=3) == 1
    assert next_unreviewed(db, QueueFilter(), after=1) == 2
    assert next_unreviewed(db, QueueFilter(), after=2) == 3
    assert next_unreviewed(db, QueueFilter(code="order"), after=2) is None


def test_only_the_current_audit_of_a_piece_of_footage_is_queued(db: Database) -> None:
    audited(db, SMALL, LARGE)
    audited(db, NO_MONEY, pins=Pins(software="0.2.0", weights_sha256="w", rules_sha256="r"))
    assert _codes(db) == ["order"]
    assert queue_counts(db).findings == 1


def test_a_finding_knows_its_round_and_footage(db: Database) -> None:
    audited(db, SMALL)
    row = finding(db, 1)
    assert (row.round_ordinal, row.footage_path, row.procedures, row.amount, row.amount_cents) == (
        0,
        "/nights/a.mp4",
        ("P280",),
        "-2.50",
        -250,
    )


def test_an_unknown_finding_or_round_is_named(db: Database) -> None:
    with pytest.raises(StoreError, match="expected a stored finding, found none with number 4"):
        finding(db, 4)
    with pytest.raises(StoreError, match="expected a stored round, found none with number 4"):
        round_row(db, 4)


def test_a_round_keeps_its_record_and_its_findings_in_order(db: Database) -> None:
    run_id = audited(db, SMALL, LARGE)
    row = rounds_of_run(db, run_id)[0]
    assert round_row(db, row.id) == row
    assert row.record["bets"] == [{"seat": 3, "hand": 1, "bet": "main", "amount": "25.00"}]
    assert [one.code for one in findings_of_round(db, row.id)] == ["short", "left"]


def test_findings_of_no_round_come_last(db: Database) -> None:
    run_id = new_run(db)
    store_audit(db, run_id, rounds=[round_(SMALL)], findings=[NO_MONEY], at=NOW)
    assert [(one.code, one.round_id) for one in findings_of_run(db, run_id)] == [("short", 1), ("order", None)]


def test_what_was_stored_comes_back_in_the_contracts_shape(db: Database) -> None:
    run_id = new_run(db)
    rounds = [round_(SMALL | {"number": 4, "later": [1]}), round_(start_ms=60000, end_ms=90000)]
    store_audit(db, run_id, rounds=rounds, findings=[NO_MONEY], at=NOW)
    assert audit_record(db, run_id) == {
        "source": "/nights/a.mp4",
        "profile": "BJ-07",
        "versions": {"software": "0.1.0", "weights": "w" * 64, "rules": "r" * 64, "profile": "BJ-07".ljust(64, "p")},
        "rounds": rounds,
        "findings": [NO_MONEY],
    }


def test_an_audit_stored_twice_is_stored_once(db: Database) -> None:
    run_id = audited(db, SMALL)
    assert not store_audit(db, run_id, rounds=[round_(SMALL)], findings=[], at=NOW)
    assert len(findings_of_run(db, run_id)) == 1


def test_an_audit_that_breaks_while_it_is_stored_leaves_nothing(db: Database) -> None:
    run_id = new_run(db)
    with pytest.raises(sqlite3.IntegrityError):
        store_audit(db, run_id, rounds=[round_(SMALL, LARGE | {"verdict": "guilty"})], findings=[], at=NOW)
    assert rounds_of_run(db, run_id) == ()
    assert findings_of_run(db, run_id) == ()


@pytest.mark.parametrize("change", ["UPDATE findings SET amount = '0.00'", "UPDATE rounds SET record = '{}'"])
def test_what_was_found_is_never_changed(db: Database, change: str) -> None:
    audited(db, SMALL)
    with pytest.raises(sqlite3.IntegrityError, match="is never changed"):
        db.execute(change)


def _decide(db: Database, finding_id: int) -> None:
    user_id = add_user(db, name="r", role=Role.SURVEILLANCE, at=NOW)
    decide(db, finding_id, user_id=user_id, kind=Decision.DISMISS, note="", at=NOW)
