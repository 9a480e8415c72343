"""Recordings of running cameras in the store: what is told may change until they are closed, and not after."""

from datetime import timedelta

import pytest
from sqlite_utils import Database

from audit.store import footage, ledger, library, recordings
from audit.store.audits import audit_record, store_audit
from audit.store.database import StoreError
from audit.store.review import findings_of_round
from audit.store.users import Role, add_user
from tests.store.conftest import NOW, PINS, finding, round_


@pytest.fixture
def run_id(db: Database) -> int:
    """The open run of a recording that grows."""
    begun = recordings.begin_recording(
        db, path="a.mp4", size=(1920, 1080), codec="h264", recorder="here:7", began=NOW, at=NOW
    )
    profile_id = footage.store_profile(db, name="BJ-07", game="blackjack", toml="", sha256="p" * 64, at=NOW)
    return recordings.open_run(db, begun, profile_id=profile_id, pins=PINS, at=NOW)


def close(db: Database, run_id: int) -> None:
    row = footage.footage(db, footage.run(db, run_id).footage_id)
    recordings.close_recording(db, row.id, sha256="a" * 64, size_bytes=9, duration_ms=60_000, rest=None)


def round_ids(db: Database, run_id: int) -> list[int]:
    return [row[0] for row in db.execute("SELECT id FROM rounds WHERE run_id = ? ORDER BY ordinal", [run_id])]


def test_a_finding_that_no_longer_holds_is_withdrawn_and_the_others_keep_their_numbers(
    db: Database, run_id: int
) -> None:
    stays, goes = finding(), finding(code="winner-unpaid", observed="nothing paid")
    recordings.tell(db, run_id, rounds=[round_(stays, goes)], at=NOW)
    (round_id,) = round_ids(db, run_id)
    before = {one.code: one.id for one in findings_of_round(db, round_id)}
    comes = finding(code="loser-paid")
    assert recordings.tell(db, run_id, rounds=[round_(stays, comes)], at=NOW) == 2
    after = {one.code: one.id for one in findings_of_round(db, round_id)}
    assert set(after) == {"pay-amount", "loser-paid"}
    assert after["pay-amount"] == before["pay-amount"]
    assert [one["code"] for one in audit_record(db, run_id)["rounds"][0]["findings"]] == ["pay-amount", "loser-paid"]
    assert footage.run(db, run_id).findings == 2


def test_a_finding_that_somebody_decided_on_stays(db: Database, run_id: int) -> None:
    recordings.tell(db, run_id, rounds=[round_(finding())], at=NOW)
    (round_id,) = round_ids(db, run_id)
    (one,) = findings_of_round(db, round_id)
    user = add_user(db, name="ann", role=Role.SURVEILLANCE, at=NOW)
    ledger.decide(db, one.id, user_id=user, kind=ledger.Decision.CONFIRM, note="", at=NOW)
    assert recordings.tell(db, run_id, rounds=[round_()], at=NOW) == 1
    assert [kept.id for kept in findings_of_round(db, round_id)] == [one.id]


def test_a_round_changes_while_its_recording_grows_and_never_after(db: Database, run_id: int) -> None:
    recordings.tell(db, run_id, rounds=[round_(status="partial")], at=NOW)
    recordings.tell(db, run_id, rounds=[round_()], at=NOW)
    assert audit_record(db, run_id)["rounds"][0]["status"] == "complete"
    close(db, run_id)
    with pytest.raises(Exception, match="a stored round is never changed"):
        recordings.tell(db, run_id, rounds=[round_(status="void")], at=NOW)


def test_the_last_audit_finishes_the_run_with_what_was_told(db: Database, run_id: int) -> None:
    recordings.tell(db, run_id, rounds=[round_(finding())], at=NOW)
    ids = round_ids(db, run_id)
    close(db, run_id)
    rounds = [round_(finding()), round_(start_ms=52_000, end_ms=59_000)]
    assert store_audit(db, run_id, rounds=rounds, findings=[], at=NOW, put=recordings.store_rounds)
    assert round_ids(db, run_id)[:1] == ids
    assert len(round_ids(db, run_id)) == 2
    assert footage.run(db, run_id).status == "done"
    assert not store_audit(db, run_id, rounds=[], findings=[], at=NOW)


def test_states_come_stretch_by_stretch_and_no_worker_is_asked_for_them(db: Database, run_id: int) -> None:
    recordings.add_states(db, run_id, first_ms=0, last_ms=5_000, states=[(0, 4_000, "{}")], at=NOW)
    recordings.add_states(db, run_id, first_ms=5_000, last_ms=9_000, states=[(6_000, 8_000, "[]")], at=NOW)
    assert footage.states_of(db, run_id) == ("{}", "[]")
    assert [row.ordinal for row in footage.segments_of(db, run_id)] == [0, 1]
    assert footage.footage_list(db)[0].duration_ms == 9_000
    assert library.library(db)[0].grows
    assert not library.open_runs(db)
    assert not footage.run_is_recognised(db, run_id)
    close(db, run_id)
    assert library.open_runs(db) == (run_id,)
    assert footage.run_is_recognised(db, run_id)


def test_what_a_recorder_left_unrecognised_waits_for_a_worker(db: Database, run_id: int) -> None:
    recordings.add_states(db, run_id, first_ms=0, last_ms=5_000, states=[], at=NOW)
    (left,) = recordings.left(db)
    assert (left.recorder, left.recognised_ms) == ("here:7", 5_000)
    recordings.close_recording(
        db, left.footage_id, sha256="a" * 64, size_bytes=9, duration_ms=60_000, rest=(5_000, 60_001)
    )
    assert not recordings.left(db)
    assert [(row.first_ms, row.last_ms, row.status) for row in footage.segments_of(db, run_id)] == [
        (0, 5_000, "done"),
        (5_000, 60_001, "pending"),
    ]
    assert footage.claim_segment(
        db, footage.segments_of(db, run_id)[1].id, worker="a:1", now=NOW, until=NOW + timedelta(minutes=1)
    )


def test_another_audit_of_a_recording_waits_until_it_is_whole(db: Database, run_id: int) -> None:
    run = footage.run(db, run_id)
    with pytest.raises(StoreError, match="found one of a running camera"):
        library.want_audit(db, run.footage_id, run.profile_id, actor="ann", at=NOW)
    close(db, run_id)
    library.want_audit(db, run.footage_id, run.profile_id, actor="ann", at=NOW)
    assert library.wanted_audits(db) == ((run.footage_id, run.profile_id),)
