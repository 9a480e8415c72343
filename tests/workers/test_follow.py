"""A running camera: recorded, recognised and told round by round, with the toy table before it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from sqlite_utils import Database

from audit.store import footage as stored
from audit.store import library, recordings
from audit.store.audits import audit_record
from audit.store.database import open_store
from models.frames import FootageError, frames, probe
from models.live import LiveCamera, address_without_login
from models.recognise import recognise
from tests.models.test_frames import write_clip as write_stored
from tests.models.toy_table import PixelEyes, Reach, Thing, Toy, profile
from tests.workers.stream import sent, write_clip
from workers import jobs
from workers.crew import worker_name
from workers.follow import Follower, Told, Watch, close_left, name_of

ROUND_MS = 12_000
STEP_MS = 80
AHEAD = 8  # packets: the stream waits for the recogniser, however slow the machine is
NOW = datetime(2026, 11, 26, 1, 0, tzinfo=UTC)
GONE = worker_name(2**22 + 1)  # more than Linux gives


DEALT = (("Ks", "Ks", "7d", "9c"), ("9c", "7d", "Ah", "Ah"), ("7d", "Ah", "7d", "7d"))


def a_round(number: int) -> tuple[list[Thing], list[Reach]]:
    """A wager; two cards for the seat, two for the dealer; the wager taken, and after nine seconds the cards."""
    begin, faces = 1_000 + number * ROUND_MS, DEALT[number]
    at = partial(Thing, end_ms=begin + 9000)
    dealer, player = (0, -200), (-220, 660)
    places = ((2000, (-250, 250)), (3200, (60, 95)), (4400, (-180, 250)), (5600, (-10, 95)))
    cards = [(t, at_mm, face) for (t, at_mm), face in zip(places, faces, strict=True)]
    things = [at(x=x, y=y, face=face, start_ms=begin + t) for t, (x, y), face in cards]
    things.append(Thing(x=-220, y=400, chips="red", start_ms=begin + 500, end_ms=begin + 7200))
    moves = [(t, (x, y - 20)) for t, (x, y), _ in cards] + [(7200, (-220, 380)), (9000, (-200, 240)), (9000, (40, 80))]
    arms = [Reach(root=player, target=(-220, 430), start_ms=begin + 100, end_ms=begin + 900)]
    arms += [Reach(root=dealer, target=to, start_ms=begin + t - 400, end_ms=begin + t + 400) for t, to in moves]
    return things, arms


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rounds = [a_round(number) for number in range(3)]
    toy = Toy(
        things=tuple(thing for things, _ in rounds for thing in things),
        arms=tuple(arm for _, arms in rounds for arm in arms),
        length_ms=1_000 + 3 * ROUND_MS,
    )
    return write_clip(tmp_path_factory.mktemp("live") / "toy.ts", toy.frames(step_ms=STEP_MS), step_ms=STEP_MS)


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    store = open_store(tmp_path / "data")
    yield store
    store.close()


def watch_of(db: Database, tell: Callable[[Told], None], *, file_ms: int = 600_000, recorder: str = GONE) -> Watch:
    return Watch(
        profile=profile(),
        profile_id=jobs.store_profile(db, profile(), sha256="p" * 64, now=NOW),
        eyes=PixelEyes(),
        recorder=recorder,
        clock=lambda: NOW,
        file_ms=file_ms,
        tell=tell,
    )


def name_in(folder: Path) -> Callable[[int], Path]:
    return lambda number: folder / "recordings" / f"{number}.mp4"


def spans(record: dict) -> list[tuple[int, int, str]]:
    return [(one["start_ms"], one["end_ms"], one["status"]) for one in record["rounds"]]


def what(record: dict) -> list[list[tuple[str, str, str]]]:
    return [[(f["code"], f["verdict"], f["observed"]) for f in one["findings"]] for one in record["rounds"]]


def test_rounds_are_told_while_the_camera_runs_and_stored_like_those_of_any_footage(
    db: Database, clip: Path, tmp_path: Path
) -> None:
    seen: list[tuple[Told, bool]] = []
    with sent(clip, seconds=1) as address:
        camera = LiveCamera(address, name_in(tmp_path), most_ahead=AHEAD)
        Follower(db, camera, watch_of(db, lambda told: seen.append((told, bool(camera.ended))))).follow()
    (footage_row,) = stored.footage_list(db)
    (run,) = stored.runs_of(db, footage_row.id)
    record = audit_record(db, run.id)
    assert [one["status"] for one in record["rounds"]] == ["complete"] * 3
    assert run.status == "done"
    assert run.rounds == 3
    assert not seen[0][1]  # the stream had not ended yet
    told = [one for told, _ in seen for one in told.rounds]
    assert [(one["start_ms"], one["end_ms"]) for one in told] == [span[:2] for span in spans(record)][: len(told)]
    assert len(told) >= 2
    assert footage_row.recorder is None
    assert len(footage_row.sha256) == len("p" * 64)
    assert footage_row.duration_ms == probe(Path(footage_row.path)).readable_ms
    assert not library.something_waits(db)
    lines = [json.loads(line) for line in stored.states_of(db, run.id)]
    assert [line["t_ms"][0] for line in lines] == sorted(line["t_ms"][0] for line in lines)


def test_an_audit_of_the_recorded_file_says_the_same(db: Database, clip: Path, tmp_path: Path) -> None:
    with sent(clip, seconds=1) as address:
        Follower(db, LiveCamera(address, name_in(tmp_path), most_ahead=AHEAD), watch_of(db, lambda _: None)).follow()
    (row,) = stored.footage_list(db)
    live = audit_record(db, stored.runs_of(db, row.id)[0].id)
    other = open_store(tmp_path / "other")
    footage_id, held = jobs.register(other, Path(row.path), now=NOW)
    profile_id = jobs.store_profile(other, profile(), sha256="p" * 64, now=NOW)
    run_id = jobs.open_run(other, footage_id, profile_id=profile_id, now=NOW, held=held)
    work_off(other, run_id)
    recorded = audit_record(other, run_id)
    other.close()
    assert what(live) == what(recorded)
    assert all(
        abs(a - b) <= 2 * STEP_MS
        for one, two in zip(spans(live), spans(recorded), strict=True)
        for a, b in zip(one[:2], two[:2], strict=True)
    )


def test_a_long_recording_is_cut_between_rounds(db: Database, clip: Path, tmp_path: Path) -> None:
    with sent(clip, seconds=1) as address:
        camera = LiveCamera(address, name_in(tmp_path), most_ahead=AHEAD)
        Follower(db, camera, watch_of(db, lambda _: None, file_ms=9_000)).follow()
    rows = sorted(stored.footage_list(db), key=lambda row: row.id)
    assert len(rows) >= 2
    records = [audit_record(db, stored.runs_of(db, row.id)[0].id) for row in rows]
    assert [status for record in records for _, _, status in spans(record)] == ["complete"] * 3
    for row, recorded, record in zip(rows, camera.files, records, strict=True):
        assert row.recorded_at is not None
        assert datetime.fromisoformat(row.recorded_at) == NOW + timedelta(milliseconds=recorded.begins)
        assert all(end <= (row.duration_ms or 0) + STEP_MS for _, end, _ in spans(record))
    times = [frame.t_ms + one.begins for one in camera.files for frame in frames(one.path)]
    assert times == sorted(set(times))
    assert len(times) == -(-(1_000 + 3 * ROUND_MS) // STEP_MS)


def test_what_a_killed_recorder_left_is_finished_by_a_worker(db: Database, clip: Path, tmp_path: Path) -> None:
    class KilledError(Exception):
        pass

    def kill(_: Told) -> None:
        raise KilledError

    with sent(clip, seconds=1) as address:
        camera = LiveCamera(address, name_in(tmp_path), most_ahead=AHEAD)
        with pytest.raises(KilledError):
            Follower(db, camera, watch_of(db, kill)).follow()
        assert list(camera.frames())  # what was recorded and not recognised
        camera.join()
    (left,) = recordings.left(db)
    assert left.run_id is not None
    assert not library.something_waits(db)  # as long as nobody has seen that the recorder is gone
    assert not stored.run_is_recognised(db, left.run_id)
    assert close_left(db, clock=lambda: NOW) == 1
    assert close_left(db, clock=lambda: NOW) == 0
    assert library.something_waits(db)
    work_off(db, left.run_id)
    record = audit_record(db, left.run_id)
    assert [one["status"] for one in record["rounds"]] == ["complete"] * 3
    assert stored.run(db, left.run_id).status == "done"


def test_a_recorder_that_still_runs_is_left_alone(db: Database, tmp_path: Path) -> None:
    begun = recordings.begin_recording(
        db, path="a.mp4", size=(960, 540), codec="h264", recorder=worker_name(os.getpid()), began=NOW, at=NOW
    )
    assert close_left(db, clock=lambda: NOW) == 0
    assert stored.footage(db, begun).recorder is not None


def test_a_recording_of_which_nothing_was_written_says_so(db: Database, tmp_path: Path) -> None:
    path = tmp_path / "empty.mp4"
    path.touch()
    begun = recordings.begin_recording(
        db, path=str(path), size=(960, 540), codec="h264", recorder=GONE, began=NOW, at=NOW
    )
    assert close_left(db, clock=lambda: NOW) == 1
    assert stored.footage(db, begun).error == "empty.mp4: expected a video, found an empty file"


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("night.mp4", "night.mp4: expected a camera's address"),
        ("file:///etc/passwd", "file:///etc/passwd: expected a camera's address"),
        ("tcp://127.0.0.1:9", "tcp://127.0.0.1:9: expected a camera's stream, found none"),
    ],
)
def test_a_source_that_is_none_gets_one_sentence(tmp_path: Path, source: str, found: str) -> None:
    with pytest.raises(FootageError) as caught:
        LiveCamera(source, name_in(tmp_path))
    assert str(caught.value).startswith(found)
    assert not (tmp_path / "recordings").exists()


def test_a_stream_that_is_no_video_gets_one_sentence(tmp_path: Path) -> None:
    text = tmp_path / "text.ts"
    text.write_text("hello\n" * 2000)
    with sent(text, seconds=0.1) as address, pytest.raises(FootageError, match="expected a camera's stream"):
        LiveCamera(address, name_in(tmp_path), most_ahead=AHEAD)


def test_a_stream_of_another_size_than_the_profile_is_refused(db: Database, clip: Path, tmp_path: Path) -> None:
    with sent(clip, seconds=1) as address:
        camera = LiveCamera(address, name_in(tmp_path))
        camera.size = (640, 480)
        with pytest.raises(FootageError, match="expected 960x540 as the profile says, found 640x480"):
            Follower(db, camera, watch_of(db, lambda _: None))
        camera.start()
        camera.stop()
    assert not stored.footage_list(db)


def test_a_streams_pixels_are_made_square_as_those_of_its_recording_are(tmp_path: Path) -> None:
    clip = write_stored(tmp_path / "oblong.mp4", seconds=1, pixel=(2, 1))
    with sent(clip, seconds=1) as address:
        camera = LiveCamera(address, name_in(tmp_path))
        camera.start()
        shapes = {frame.bgr.shape for frame in camera.frames()}
        camera.join()
    assert camera.size == (640, 180)
    assert shapes == {(180, 640, 3)}
    assert [probe(recorded.path).size for recorded in camera.files] == [camera.size]


def test_a_login_is_never_told() -> None:
    assert address_without_login("rtsp://eye:secret@10.0.0.7/table?x=1") == "rtsp://10.0.0.7/table?x=1"


def work_off(db: Database, run_id: int) -> None:
    """Recognise and audit what a run waits for, as a worker does."""
    station = jobs.Station(
        worker="here:1",
        clock=lambda: NOW,
        recognise=lambda path, segment, table: recognise(path, segment, table, PixelEyes()),
        lease=timedelta(minutes=5),
    )
    for _, segment_id in jobs.remaining_tasks(db, run_id):
        jobs.recognise_segment(db, segment_id, station)
    jobs.audit_run(db, run_id, clock=lambda: NOW)


def test_a_recording_never_takes_the_place_of_another(tmp_path: Path) -> None:
    began = datetime(2026, 11, 26, 12, 0, 1, tzinfo=UTC)
    first = name_of(tmp_path, "BJ 07", began, 0)
    assert first == tmp_path / "BJ_07" / "2026-11-26T12-00-01-001.mp4"
    for again in ("-001-2", "-001-3"):
        first.parent.mkdir(exist_ok=True)
        first.write_bytes(b"")
        first = name_of(tmp_path, "BJ 07", began, 0)
        assert first.name == f"2026-11-26T12-00-01{again}.mp4"
    assert name_of(tmp_path, "BJ 07", began, 1).name == "2026-11-26T12-00-01-002.mp4"
