"""The steps of an audit: each may be cut off or run twice."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlite_utils import Database

from audit.states import TableState, parse_state
from audit.store import footage as stored
from audit.table import TableProfile, load_profile
from audit.timing import Span
from models.frames import FootageError, Segment
from tests.workers.conftest import write_video
from workers import jobs, queue

NOW = datetime(2026, 11, 21, 4, 0, tzinfo=UTC)


def _sees(path: Path, segment: Segment, profile: TableProfile) -> Iterator[TableState]:
    """Two states: half a second at the beginning, and from a second after it to the end."""
    yield TableState(span=Span.of(segment.start_ms, segment.start_ms + 500))
    yield TableState(span=Span.of(segment.start_ms + 1000, segment.end_ms - 1))


def _breaks(path: Path, segment: Segment, profile: TableProfile) -> Iterator[TableState]:
    yield TableState(span=Span.of(segment.start_ms, segment.start_ms + 500))
    msg = "night.mp4: expected a frame at 46000 ms, found none"
    raise FootageError(msg)


def _station(recognise: jobs.Recognise = _sees) -> jobs.Station:
    return jobs.Station(worker="here:1", clock=lambda: NOW, recognise=recognise, lease=timedelta(minutes=15))


def _open_run(db: Database, video: Path, profile: Path) -> int:
    profile_id = jobs.store_profile(db, load_profile(profile), sha256="p" * 64, now=NOW)
    footage_id, held = jobs.register(db, video, now=NOW)
    return jobs.open_run(db, footage_id, profile_id=profile_id, now=NOW, held=held)


def test_footage_is_cut_into_segments_that_follow_each_other(db: Database, video: Path, profile: Path) -> None:
    rows = stored.segments_of(db, _open_run(db, video, profile))
    assert [(row.first_ms, row.last_ms) for row in rows] == [(0, 150000), (150000, 300000), (300000, 450001)]


def test_a_second_run_of_the_same_footage_is_the_first(db: Database, video: Path, profile: Path) -> None:
    assert _open_run(db, video, profile) == _open_run(db, video, profile)


def test_the_last_segment_makes_the_run_ready_to_be_judged(db: Database, video: Path, profile: Path) -> None:
    run_id = _open_run(db, video, profile)
    first, second, third = (row.id for row in stored.segments_of(db, run_id))
    assert jobs.recognise_segment(db, third, _station()) is None
    assert jobs.recognise_segment(db, first, _station()) is None
    assert jobs.remaining_tasks(db, run_id) == [(queue.RECOGNISE_SEGMENT, second)]
    assert jobs.recognise_segment(db, second, _station()) == run_id
    assert jobs.remaining_tasks(db, run_id) == [(queue.AUDIT_RUN, run_id)]
    starts = [parse_state(line).span.first for line in stored.states_of(db, run_id)]
    assert starts == [0, 1000, 150_000, 151_000, 300_000, 301_000]


def test_a_segment_recognised_twice_is_stored_once(db: Database, video: Path, profile: Path) -> None:
    run_id = _open_run(db, video, profile)
    first = stored.segments_of(db, run_id)[0].id
    jobs.recognise_segment(db, first, _station())
    jobs.recognise_segment(db, first, _station())
    assert len(stored.states_of(db, run_id)) == 2


def test_a_segment_held_by_another_worker_is_left_to_it(db: Database, video: Path, profile: Path) -> None:
    run_id = _open_run(db, video, profile)
    first = stored.segments_of(db, run_id)[0].id
    stored.claim_segment(db, first, worker="there:2", now=NOW, until=NOW + timedelta(minutes=1))
    assert jobs.recognise_segment(db, first, _station(_breaks)) is None
    assert stored.segment(db, first).status == "running"


def test_a_segment_that_breaks_says_why_and_stores_no_state(db: Database, video: Path, profile: Path) -> None:
    run_id = _open_run(db, video, profile)
    first = stored.segments_of(db, run_id)[0].id
    assert jobs.recognise_segment(db, first, _station(_breaks)) is None
    row = stored.segment(db, first)
    assert (row.status, row.error) == ("failed", "night.mp4: expected a frame at 46000 ms, found none")
    assert stored.states_of(db, run_id) == ()


def test_a_run_that_lacks_a_segment_is_not_judged(db: Database, video: Path, profile: Path) -> None:
    run_id = _open_run(db, video, profile)
    jobs.audit_run(db, run_id, clock=lambda: NOW)
    assert stored.run(db, run_id).status == "running"


def test_a_run_is_judged_once(db: Database, video: Path, profile: Path) -> None:
    run_id = _open_run(db, video, profile)
    for row in stored.segments_of(db, run_id):
        jobs.recognise_segment(db, row.id, _station())
    jobs.audit_run(db, run_id, clock=lambda: NOW)
    jobs.audit_run(db, run_id, clock=lambda: NOW + timedelta(hours=1))
    row = stored.run(db, run_id)
    assert (row.status, row.error, row.rounds, row.finished_at) == ("done", None, 0, "2026-11-21T04:00:00.000+00:00")
    assert jobs.remaining_tasks(db, run_id) == []


def test_a_text_file_is_refused_and_remembered(db: Database, tmp_path: Path) -> None:
    path = tmp_path / "notes.mp4"
    path.write_text("not a video\n" * 50)
    with pytest.raises(FootageError, match=r"notes\.mp4: expected a video, found text"):
        jobs.register(db, path, now=NOW)
    assert [row.error for row in stored.footage_list(db)] == ["notes.mp4: expected a video, found text"]


def test_a_file_that_is_not_there_is_refused_and_not_stored(db: Database, tmp_path: Path) -> None:
    with pytest.raises(FootageError, match="found no such file"):
        jobs.register(db, tmp_path / "gone.mp4", now=NOW)
    assert stored.footage_list(db) == ()


def test_footage_of_another_size_than_the_profile_gets_no_run(db: Database, tmp_path: Path, profile: Path) -> None:
    video = write_video(tmp_path / "wide.mp4", seconds=1, size=(96, 48))
    with pytest.raises(FootageError, match="expected 64x48 as the profile says, found 96x48"):
        _open_run(db, video, profile)
    assert db.execute("SELECT count(*) FROM runs").fetchone() == (0,)


def test_a_failed_run_is_open_again_when_it_is_asked_for_again(db: Database, video: Path, profile: Path) -> None:
    run_id = _open_run(db, video, profile)
    first = stored.segments_of(db, run_id)[0].id
    jobs.recognise_segment(db, first, _station(_breaks))
    assert _open_run(db, video, profile) == run_id
    assert (queue.RECOGNISE_SEGMENT, first) in jobs.remaining_tasks(db, run_id)
