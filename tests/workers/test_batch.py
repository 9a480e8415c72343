"""Real worker processes over the embedded broker, with a recogniser that needs no networks."""

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlite_utils import Database

from audit.states import parse_state
from audit.store import footage as stored
from audit.store.database import open_database, open_store
from audit.table import load_profile
from models.frames import FootageError
from tests.workers.conftest import FAKE_WORKER, write_video
from workers import batch, crew, jobs, queue
from workers.celery_app import create_app
from workers.settings import Settings

CUT = (
    "cut.mp4: expected a video, found an MP4 without its index (moov box): it was cut off or never closed,"
    " nothing in it can be read"
)


def _now() -> datetime:
    return datetime.now(UTC)


pytestmark = pytest.mark.usefixtures("fake_workers")


def _take_in(db: Database, profile: Path, *paths: Path) -> batch.Intake:
    profile_id = jobs.store_profile(db, load_profile(profile), sha256="p" * 64, now=_now())
    return batch.take_in(db, paths, profile_id=profile_id, clock=_now)


def _work_off(db: Database, settings: Settings, intake: batch.Intake) -> list[batch.Progress]:
    told: list[batch.Progress] = []
    run_ids = [piece.run_id for piece in intake.pieces]
    batch.work_off(db, settings, run_ids, crew_size=2, threads=1, clock=_now, tell=told.append)
    return told


def test_two_workers_finish_a_run(db: Database, settings: Settings, video: Path, profile: Path) -> None:
    intake = _take_in(db, profile, video)
    told = _work_off(db, settings, intake)
    assert (told[-1].done, told[-1].total, told[-1].status) == (3, 3, "done")
    assert len(stored.states_of(db, intake.pieces[0].run_id)) == 3
    again = _take_in(db, profile, video)
    assert [piece.finished_before for piece in again.pieces] == [True]


def test_a_worker_killed_in_the_middle_loses_and_doubles_nothing(
    db: Database, settings: Settings, video: Path, profile: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    death = tmp_path / "death"
    death.touch()
    monkeypatch.setenv("FAKE_DEATHS", str(death))
    intake = _take_in(db, profile, video)
    told = _work_off(db, settings, intake)
    assert not death.exists()
    assert told[-1].status == "done"
    starts = [parse_state(line).span.first for line in stored.states_of(db, intake.pieces[0].run_id)]
    assert starts == [0, 150_000, 300_000]


def test_a_batch_that_was_killed_is_continued_by_the_next(
    db: Database, settings: Settings, video: Path, profile: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    intake = _take_in(db, profile, video)
    run_id = intake.pieces[0].run_id
    app = create_app(settings)
    app.send_task(queue.RECOGNISE_SEGMENT, args=[stored.segments_of(db, run_id)[0].id])
    app.close()
    monkeypatch.setenv("FAKE_SECONDS", "30")
    killed = crew.Crew(settings, size=1, threads=1, command=FAKE_WORKER)
    _wait_for(lambda: stored.claiming_workers(db) == (crew.worker_name(killed.pids[0]),))
    os.kill(killed.pids[0], signal.SIGKILL)
    killed.stop()
    assert stored.segments_of(db, run_id)[0].status == "running"

    monkeypatch.setenv("FAKE_SECONDS", "0")
    told = _work_off(db, settings, _take_in(db, profile, video))
    assert told[-1].status == "done"
    assert len(stored.states_of(db, run_id)) == 3


def test_what_a_worker_of_another_command_holds_is_taken_over_when_it_ends(
    db: Database, settings: Settings, video: Path, profile: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    intake = _take_in(db, profile, video)
    first = stored.segments_of(db, intake.pieces[0].run_id)[0].id
    with subprocess.Popen(["sleep", "3"]) as other:
        until = _now() + timedelta(minutes=15)
        stored.claim_segment(db, first, worker=crew.worker_name(other.pid), now=_now(), until=until)
        reaper = threading.Thread(target=other.wait)
        reaper.start()
        told = _work_off(db, settings, intake)
        reaper.join()
    assert (told[0].done, told[-1].status) == (0, "done")


def test_a_segment_that_cannot_be_recognised_fails_its_run_and_not_the_others(
    db: Database, settings: Settings, video: Path, profile: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_BROKEN", "1")
    short = write_video(tmp_path / "short.mp4", seconds=2)
    intake = _take_in(db, profile, video, short)
    _work_off(db, settings, intake)
    rows = [stored.run(db, piece.run_id) for piece in intake.pieces]
    assert [(row.status, row.error) for row in rows] == [
        ("failed", "night.mp4: expected a frame at 150000 ms, found none"),
        ("done", None),
    ]


def test_workers_that_do_not_stay_up_end_the_batch(
    db: Database, settings: Settings, video: Path, profile: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch, "WORKER_COMMAND", (sys.executable, "-c", "raise SystemExit(1)"))
    with pytest.raises(batch.BatchError, match=r"expected workers that stay up, found [67] that ended"):
        _work_off(db, settings, _take_in(db, profile, video))


def test_workers_with_nothing_in_hand_are_ended_at_once(settings: Settings, db: Database) -> None:
    idle = crew.Crew(settings, size=2, threads=1, command=FAKE_WORKER)
    began = time.monotonic()
    idle.stop(at_work=stored.claiming_workers(db))
    assert time.monotonic() - began < 0.5
    assert all(crew.is_gone(crew.worker_name(pid)) for pid in idle.pids)


def test_workers_end_with_the_process_that_started_them(settings: Settings) -> None:
    reader, writer = os.pipe()
    parent = os.fork()
    if parent == 0:
        pids = crew.Crew(settings, size=1, threads=1, command=FAKE_WORKER).pids
        os.write(writer, str(pids[0]).encode())
        time.sleep(2)
        os._exit(0)
    worker = crew.worker_name(int(os.read(reader, 20)))
    assert not crew.is_gone(worker)
    os.waitpid(parent, 0)
    _wait_for(lambda: crew.is_gone(worker))


@pytest.mark.parametrize("worker", ["elsewhere:1", "no number", f"{crew.worker_name(os.getpid())}"])
def test_only_processes_of_this_machine_that_ended_are_gone(worker: str) -> None:
    assert not crew.is_gone(worker)


def test_bad_files_leave_the_others(db: Database, profile: Path, tmp_path: Path, video: Path) -> None:
    text = tmp_path / "notes.mp4"
    text.write_text("not a video\n" * 50)
    cut = tmp_path / "cut.mp4"
    cut.write_bytes(video.read_bytes()[:4000])
    intake = _take_in(db, profile, text, tmp_path / "gone.mp4", cut, video)
    assert [piece.path for piece in intake.pieces] == [video]
    assert intake.complaints == (
        "notes.mp4: expected a video, found text",
        "gone.mp4: expected a video file, found no such file",
        CUT,
    )


def test_the_same_content_twice_is_one_piece(db: Database, profile: Path, tmp_path: Path, video: Path) -> None:
    copy = tmp_path / "copy.mp4"
    copy.write_bytes(video.read_bytes())
    assert len(_take_in(db, profile, video, copy).pieces) == 1


def test_a_name_that_is_no_text_is_refused(db: Database, profile: Path, tmp_path: Path) -> None:
    intake = _take_in(db, profile, Path(os.fsdecode(bytes(tmp_path) + b"/\xff.mp4")))
    assert intake.pieces == ()
    assert "expected a file name in UTF-8" in intake.complaints[0]


def test_folders_give_their_videos_in_the_order_of_names(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    for name in ("b/2.MKV", "a.mp4", "notes.txt"):
        (tmp_path / name).touch()
    single = tmp_path / "notes.txt"
    found = [path.relative_to(tmp_path).as_posix() for path in batch.footage_files([single, tmp_path])]
    assert found == ["notes.txt", "a.mp4", "b/2.MKV"]


def test_a_folder_without_videos_is_named(tmp_path: Path) -> None:
    with pytest.raises(FootageError, match="expected a folder with videos"):
        list(batch.footage_files([tmp_path]))


def test_two_processes_may_open_a_new_store_at_once(tmp_path: Path) -> None:
    broken: list[Exception] = []

    def open_it() -> None:
        try:
            open_store(tmp_path).close()
        except Exception as error:  # noqa: BLE001 - told by the assertion below
            broken.append(error)

    threads = [threading.Thread(target=open_it) for _ in range(24)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert broken == []


def _wait_for(condition: object, *, seconds: float = 20.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)


def test_a_new_store_that_another_opens_at_the_same_moment_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    busy = sqlite3.OperationalError("database is locked")
    busy.sqlite_errorcode = sqlite3.SQLITE_BUSY
    answers = [busy, busy]
    execute = Database.execute

    def refused(db: Database, sql: str, *rest: object) -> object:
        if "journal_mode" in sql and answers:
            raise answers.pop()
        return execute(db, sql, *rest)

    monkeypatch.setattr(Database, "execute", refused)
    open_database(None).close()
    assert answers == []
