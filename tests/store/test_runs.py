"""Footage, runs and segments: stored once, whatever is repeated or cut off."""

import sqlite3
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from sqlite_utils import Database

from audit.store.database import StoreError, open_database, stamp, transaction
from audit.store.footage import (
    Pins,
    claim_segment,
    claiming_workers,
    fail_segment,
    finish_segment,
    footage_list,
    register_footage,
    release_segments,
    run,
    run_is_recognised,
    segments_of,
    states_between,
    states_of,
)
from tests.store.conftest import NOW, PINS, audited, new_run

LATER = NOW + timedelta(minutes=15)


def test_the_same_content_is_one_piece_of_footage_wherever_it_lies(db: Database) -> None:
    first = register_footage(db, sha256="a" * 64, path="/a.mp4", size_bytes=9, at=NOW)
    second = register_footage(db, sha256="a" * 64, path="/b.mp4", size_bytes=9, at=LATER)
    assert first == second
    assert [(row.path, row.registered_at) for row in footage_list(db)] == [("/b.mp4", "2026-11-21T04:00:00.000+00:00")]


def test_the_same_pins_are_the_same_run(db: Database) -> None:
    assert new_run(db) == new_run(db)
    assert len(segments_of(db, new_run(db))) == 2


@pytest.mark.parametrize("changed", ["software", "weights_sha256", "rules_sha256"])
def test_another_pin_makes_a_new_run_beside_the_old(db: Database, changed: str) -> None:
    old = new_run(db)
    new = new_run(db, pins=Pins(**{**vars(PINS), changed: "other"}))
    assert old != new


def test_a_run_keeps_what_it_was_made_with(db: Database) -> None:
    run_id = new_run(db)
    with pytest.raises(sqlite3.IntegrityError, match="a run keeps what it was made with"):
        db.execute("UPDATE runs SET software = 'x' WHERE id = ?", [run_id])


def test_a_segment_is_claimed_by_one_worker(db: Database) -> None:
    segment = segments_of(db, new_run(db))[0].id
    assert claim_segment(db, segment, worker="a:1", now=NOW, until=LATER)
    assert not claim_segment(db, segment, worker="b:2", now=NOW, until=LATER)
    assert claiming_workers(db) == ("a:1",)


def test_a_claim_lapses_with_its_lease(db: Database) -> None:
    segment = segments_of(db, new_run(db))[0].id
    claim_segment(db, segment, worker="a:1", now=NOW, until=LATER)
    after = LATER + timedelta(seconds=1)
    assert claim_segment(db, segment, worker="b:2", now=after, until=after + timedelta(minutes=15))


def test_what_a_dead_worker_held_is_given_back(db: Database) -> None:
    segments = segments_of(db, new_run(db))
    claim_segment(db, segments[0].id, worker="a:1", now=NOW, until=LATER)
    claim_segment(db, segments[1].id, worker="b:2", now=NOW, until=LATER)
    assert release_segments(db, worker="a:1") == 1
    assert [row.status for row in segments_of(db, new_run(db))] == ["pending", "running"]


def test_a_segment_finished_twice_is_stored_once(db: Database) -> None:
    run_id = new_run(db)
    segment = segments_of(db, run_id)[0].id
    assert finish_segment(db, segment, states=[(0, 400, '{"t_ms":[0,400]}')], at=NOW)
    assert not finish_segment(db, segment, states=[(0, 400, '{"t_ms":[0,400]}')], at=NOW)
    assert states_of(db, run_id) == ('{"t_ms":[0,400]}',)
    assert not claim_segment(db, segment, worker="a:1", now=NOW, until=LATER)


def test_a_segment_that_breaks_while_it_is_stored_leaves_nothing(db: Database) -> None:
    run_id = new_run(db)
    segment = segments_of(db, run_id)[0].id
    with pytest.raises(sqlite3.IntegrityError):
        finish_segment(db, segment, states=[(0, 1, "{}"), (2, 3, "no json")], at=NOW)
    assert states_of(db, run_id) == ()
    assert segments_of(db, run_id)[0].status == "pending"


def test_a_failed_segment_says_why_and_can_be_claimed_again(db: Database) -> None:
    run_id = new_run(db)
    segment = segments_of(db, run_id)[0].id
    fail_segment(db, segment, error="frame 12 cannot be decoded", at=NOW)
    assert segments_of(db, run_id)[0].error == "frame 12 cannot be decoded"
    assert claim_segment(db, segment, worker="a:1", now=NOW, until=LATER)


def test_a_run_is_recognised_when_all_segments_are(db: Database) -> None:
    run_id = new_run(db)
    one, two = segments_of(db, run_id)
    finish_segment(db, one.id, states=[], at=NOW)
    assert not run_is_recognised(db, run_id)
    finish_segment(db, two.id, states=[], at=NOW)
    assert run_is_recognised(db, run_id)


def test_states_come_in_the_order_of_segments_not_of_finishing(db: Database) -> None:
    run_id = new_run(db)
    one, two = segments_of(db, run_id)
    finish_segment(db, two.id, states=[(1000, 1200, "[3]")], at=NOW)
    finish_segment(db, one.id, states=[(0, 100, "[1]"), (500, 900, "[2]")], at=NOW)
    assert states_of(db, run_id) == ("[1]", "[2]", "[3]")


def test_states_between_begin_with_the_one_that_held(db: Database) -> None:
    run_id = new_run(db)
    one = segments_of(db, run_id)[0]
    finish_segment(
        db, one.id, states=[(0, 100, "[1]"), (300, 400, "[2]"), (600, 700, "[3]"), (900, 950, "[4]")], at=NOW
    )
    assert states_between(db, run_id, first_ms=450, last_ms=600) == ("[2]", "[3]")
    assert states_between(db, run_id, first_ms=300, last_ms=300) == ("[2]",)
    assert states_between(db, run_id + 1, first_ms=0, last_ms=9999) == ()


def test_a_new_audit_of_the_same_footage_becomes_the_current_one(db: Database) -> None:
    old = audited(db)
    new = audited(db, pins=Pins(software="0.2.0", weights_sha256="w", rules_sha256="r"))
    other = audited(db, content="b" * 64)
    assert [run(db, one).current for one in (old, new, other)] == [0, 1, 1]


def test_an_unknown_number_is_named() -> None:
    with pytest.raises(StoreError, match="expected a stored run, found none with number 7"):
        run(open_database(None), 7)


def test_a_moment_is_stored_in_utc_with_offset() -> None:
    assert stamp(datetime.fromisoformat("2026-11-21T05:30:00.5+01:30")) == "2026-11-21T04:00:00.500+00:00"
    with pytest.raises(StoreError, match="expected a moment with a time zone"):
        stamp(datetime(2026, 11, 21))  # noqa: DTZ001 - the mistake under test


def test_a_transaction_that_breaks_leaves_nothing(db: Database) -> None:
    def breaks() -> None:
        with transaction(db):
            register_footage(db, sha256="c" * 64, path="/c.mp4", size_bytes=1, at=NOW)
            raise KeyError

    with pytest.raises(KeyError):
        breaks()
    assert footage_list(db) == ()


def test_a_store_opened_again_has_what_was_stored(tmp_path: Path) -> None:
    path = tmp_path / "catwalk.db"
    first = open_database(path)
    register_footage(first, sha256="a" * 64, path="/a.mp4", size_bytes=9, at=NOW)
    first.close()
    second = open_database(path)
    assert len(footage_list(second)) == 1
    assert second.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    second.close()


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    path = tmp_path / "catwalk.db"
    path.write_text("this is a text file, no database, and longer than a header " * 20)
    with pytest.raises(StoreError, match=r"catwalk\.db: expected a SQLite database"):
        open_database(path)


def test_every_table_is_strict(db: Database) -> None:
    ours = [
        table for table in db.tables if not table.name.startswith(("_", "finding_text"))
    ]  # SQLite's own search tables
    assert len(ours) > 10
    assert [table.name for table in ours if not table.strict] == []
