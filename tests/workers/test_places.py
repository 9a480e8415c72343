"""Where commands keep and write: a place that will not do is one sentence, told before the work."""

import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from audit.store import footage as stored
from audit.store.database import StoreError, open_database, open_store
from tests.workers.conftest import PROFILE, write_video
from workers import queue
from workers.celery_app import create_app
from workers.cli import catwalk
from workers.cli.places import RefusedError, check_target, refuse_equal_names, written
from workers.settings import Settings
from workers.spool import SpoolError

ROOT = Path(__file__).parents[2]
CLIPS = ROOT / "sample_footage" / "clips"
PROFILES = ROOT / "sample_footage" / "profiles"


pytestmark = pytest.mark.usefixtures("fake_workers")


def _catwalk(*arguments: object) -> Result:
    return CliRunner().invoke(catwalk, list(map(str, arguments)))


def _refused(done: Result) -> str:
    """Return the one sentence with which a command refused."""
    assert done.exit_code == 2, (done.output, done.exception)
    assert isinstance(done.exception, SystemExit)
    (sentence,) = done.stderr.splitlines()
    return str(sentence)


def _text(data: Path) -> None:
    data.mkdir()
    (data / "catwalk.db").write_text("no database\n" * 100)


def _other_program(data: Path) -> None:
    data.mkdir()
    other = sqlite3.connect(data / "catwalk.db")
    other.execute("CREATE TABLE bookmarks (address TEXT)")
    other.commit()
    other.close()


def _folder(data: Path) -> None:
    (data / "catwalk.db").mkdir(parents=True)


BAD_DATA: dict[str, tuple[Callable[[Path], object], str]] = {
    "text": (_text, "expected a SQLite database"),
    "another program's": (_other_program, "expected a database of Catwalk, found another program's with 'bookmarks'"),
    "a folder": (_folder, "expected a database that can be opened and written"),
    "a file": (Path.touch, "expected a data directory that can be written, found a file"),
}


@pytest.mark.parametrize("kind", BAD_DATA)
@pytest.mark.parametrize(
    "command",
    [
        ["run", "night.mp4", "--profile", "PROFILE"],
        ["serve", "--port", "0"],
        ["tend"],
        ["worker"],
        ["pack", "1"],
        ["export-labels", "OUT"],
        ["resettle", "--rules", "shoe-eight-deck"],
        ["follow", "rtsp://127.0.0.1:9/none", "--profile", "PROFILE", "--tries", "0"],
        ["evaluate", "CLIP", "--profile", "STUD", "--from-states", "STATES", "--keep"],
    ],
    ids=lambda command: command[0],
)
def test_a_data_directory_that_will_not_do_is_one_sentence(
    command: list[str], kind: str, tmp_path: Path, profile: Path
) -> None:
    data = tmp_path / "data"
    make, said = BAD_DATA[kind]
    make(data)
    places = {
        "PROFILE": profile,
        "OUT": tmp_path / "out",
        "CLIP": CLIPS / "stud_21.mp4",
        "STUD": PROFILES / "STU-11.toml",
        "STATES": CLIPS / "stud_21.states.jsonl",
    }
    assert said in _refused(_catwalk(*[places.get(word, word) for word in command], "--data", data))


def test_the_database_of_another_program_is_left_as_it_is(tmp_path: Path) -> None:
    data = tmp_path / "data"
    _other_program(data)
    before = (data / "catwalk.db").read_bytes()
    with pytest.raises(StoreError, match="another program's"):
        open_store(data)
    assert [(path.name, path.read_bytes()) for path in data.iterdir()] == [("catwalk.db", before)]


def test_a_database_that_is_there_and_empty_is_taken(tmp_path: Path) -> None:
    (tmp_path / "catwalk.db").touch()
    open_store(tmp_path).close()
    open_store(tmp_path).close()


def test_a_full_disk_is_not_called_a_file_that_is_no_database(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        msg = "database or disk is full"
        raise sqlite3.OperationalError(msg)

    monkeypatch.setattr("audit.store.database._upgrade", full)
    with pytest.raises(StoreError, match="expected a database that can be opened and written, found database or disk"):
        open_database(None)


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    path.write_text("before")
    with pytest.raises(UnicodeEncodeError):
        written(path, "half \udce9")
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("out.json", "before")]
    written(path, "after")
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("out.json", "after")]


def test_what_is_no_plain_file_is_written_as_it_is_and_stays(tmp_path: Path) -> None:
    link, real = tmp_path / "link", tmp_path / "real"
    link.symlink_to(real)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    heard: list[str] = []
    reader = threading.Thread(target=lambda: heard.append(pipe.read_text()))
    reader.start()
    for path in (link, pipe):
        check_target(path)
        written(path, "told")
    reader.join(timeout=10)
    assert (real.read_text(), heard, link.is_symlink(), pipe.is_fifo()) == ("told", ["told"], True, True)


@pytest.mark.parametrize("name", ["none/out.json", "folder", "file/out.json"])
def test_a_place_that_takes_no_file_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    with pytest.raises(RefusedError, match="expected a file that can be written, found"):
        check_target(tmp_path / name)


@pytest.mark.parametrize(
    "command",
    [
        ["audit", "STATES", "--profile", "STUD", "--json"],
        ["evaluate", "CLIP", "--profile", "STUD", "--from-states", "STATES", "--json"],
        ["evaluate", "CLIP", "--profile", "STUD", "--from-states", "STATES", "--states"],
        ["profile", "new", "CLIP", "--like", "STUD", "--out"],
        ["profile", "new", "CLIP", "--like", "STUD", "--proof"],
        ["resettle", "--rules", "shoe-eight-deck", "--data", "DATA", "--json"],
        ["bench", "--json"],
        ["run", "NIGHT", "--profile", "PROFILE", "--data", "DATA", "--json"],
        ["run", "NIGHT", "--profile", "PROFILE", "--data", "DATA", "--states"],
    ],
    ids=" ".join,
)
def test_a_result_that_cannot_be_written_is_refused_before_the_work(
    command: list[str], tmp_path: Path, profile: Path
) -> None:
    (tmp_path / "file").touch()
    places = {
        "PROFILE": profile,
        "DATA": tmp_path / "data",
        "CLIP": CLIPS / "stud_21.mp4",
        "STUD": PROFILES / "STU-11.toml",
        "STATES": CLIPS / "stud_21.states.jsonl",
        "NIGHT": write_video(tmp_path / "night.mp4", seconds=1),
    }
    done = _catwalk(*[places.get(word, word) for word in command], tmp_path / "file" / "out.png")
    assert "that can be written, found" in _refused(done)
    assert done.stdout == ""


def test_a_folder_to_render_to_that_cannot_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    session = ROOT / "sample_footage" / "sessions" / "blackjack.toml"
    done = _catwalk("render", session, "--no-video", "--out", tmp_path / "file" / "out")
    assert "expected a folder that can be written, found" in _refused(done)


def test_two_files_of_one_name_are_refused_before_anything_is_stored(tmp_path: Path, profile: Path) -> None:
    for night, seconds in (("n1", 1), ("n2", 2)):
        (tmp_path / night).mkdir()
        write_video(tmp_path / night / "cam.mp4", seconds=seconds)
    nights, data = [tmp_path / "n1", tmp_path / "n2"], tmp_path / "data"
    places = ["--profile", profile, "--data", data, "--workers", 1]
    for option in ("--json", "--states"):
        sentence = _refused(_catwalk("run", *nights, *places, option, tmp_path / "out"))
        assert f"found {tmp_path}/n1/cam.mp4 and {tmp_path}/n2/cam.mp4" in sentence
    assert not data.exists()
    assert _catwalk("run", *nights, *places).exit_code == 0  # without results to write the names do not matter


def test_evaluate_refuses_two_files_of_one_name_that_share_their_states(tmp_path: Path) -> None:
    for folder in ("e1", "e2"):
        (tmp_path / folder).mkdir()
        for ending in ("mp4", "truth.json"):
            shutil.copy(CLIPS / f"stud_21.{ending}", tmp_path / folder / f"cam.{ending}")
    shutil.copy(CLIPS / "stud_21.states.jsonl", tmp_path / "cam.jsonl")
    clips = [tmp_path / "e1", tmp_path / "e2"]
    sentence = _refused(_catwalk("evaluate", *clips, "--profile", PROFILES, "--from-states", tmp_path))
    assert "expected footage of different names" in sentence


def test_one_file_named_twice_is_one_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    refuse_equal_names([Path("a.mp4"), tmp_path / "a.mp4", Path("b.mp4")])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (PROFILE.split("[camera]")[0] + PROFILE[PROFILE.index("[[zone]]") :], "[camera]: expected"),
        (PROFILE.replace("[62, 44]", "[2, 44]"), "camera.points_px: expected"),
        (PROFILE.replace('minimum = "', 'rules = "shoe-nine-deck"\nminimum = "'), "rules: expected one of"),
    ],
)
def test_a_profile_with_which_nothing_can_be_audited_is_found_before_anything_is_stored(
    text: str, said: str, tmp_path: Path
) -> None:
    profile, data = tmp_path / "own.toml", tmp_path / "data"
    profile.write_text(text)
    video = write_video(tmp_path / "night.mp4", seconds=1)
    sentence = _refused(_catwalk("run", video, "--profile", profile, "--data", data))
    assert sentence.startswith(f"{profile}: {said}")
    assert not data.exists()


@pytest.mark.parametrize("sent_before", [0, 1])
def test_a_message_that_cannot_be_written_says_where_and_why(sent_before: int, settings: Settings) -> None:
    app = create_app(settings)
    for number in range(sent_before):
        app.send_task(queue.AUDIT_RUN, args=[number])
    before = sorted(settings.broker_dir.rglob("*"))
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, limits[1]))  # no file takes a byte more, as on a full disk
    try:
        with pytest.raises(SpoolError, match=r"broker/.*: expected a folder that can be written, found File too large"):
            app.send_task(queue.AUDIT_RUN, args=[9])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert sorted(settings.broker_dir.rglob("*")) == before
    app.send_task(queue.AUDIT_RUN, args=[9])
    app.close()


def test_a_run_that_is_stopped_says_how_it_goes_on(tmp_path: Path, profile: Path) -> None:
    data = tmp_path / "data"
    words = ["run", write_video(tmp_path / "night.mp4", seconds=1), "--profile", profile, "--data", data]
    code = "from workers import batch; from tests.workers.conftest import FAKE_WORKER; from workers.cli import main\n"
    code += "batch.WORKER_COMMAND = FAKE_WORKER; main()"
    command = [sys.executable, "-c", code, *map(str, words)]
    run = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "FAKE_SECONDS": "60"}, stderr=subprocess.PIPE)
    until = time.monotonic() + 60
    while run.poll() is None and not ((data / "logs").is_dir() and _is_at_work(data)):
        assert time.monotonic() < until
        time.sleep(0.2)
    run.send_signal(signal.SIGINT)
    _, said = run.communicate(timeout=60)
    assert (run.returncode, said.decode()) == (130, "stopped; the same command goes on from here\n")
    assert _catwalk(*words).exit_code == 0


def _is_at_work(data: Path) -> bool:
    db = open_store(data)
    try:
        return bool(stored.claiming_workers(db))
    finally:
        db.close()


def test_scores_are_printed_though_they_cannot_be_written_in_the_end() -> None:
    full = Path("/dev/full")  # opens, and takes nothing
    states = CLIPS / "stud_21.states.jsonl"
    done = _catwalk("evaluate", CLIPS / "stud_21.mp4", "--profile", PROFILES, "--from-states", states, "--json", full)
    assert _refused(done) == "/dev/full: expected a file that can be written, found No space left on device"
    assert "rounds entirely right" in done.stdout
