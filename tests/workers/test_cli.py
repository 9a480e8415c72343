"""``catwalk run`` and ``catwalk serve`` as they are called."""

import json
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sqlite_utils import Database

from audit.store import users
from tests.workers.conftest import PROFILE, write_video
from workers import batch
from workers.cli import catwalk
from workers.cli.serve import one_time_token
from workers.cli.tables import clock_time, printable

NOW = datetime(2026, 11, 21, 4, 0, tzinfo=UTC)


pytestmark = pytest.mark.usefixtures("fake_workers")


def _run(*arguments: object) -> Result:
    return CliRunner().invoke(catwalk, ["run", *map(str, arguments)])


def test_run_audits_what_is_footage_names_what_is_not_and_goes_on(tmp_path: Path, profile: Path) -> None:
    clips = tmp_path / "clips"
    clips.mkdir()
    write_video(clips / "night.mp4", seconds=2)
    (clips / "notes.mp4").write_text("not a video\n" * 50)
    out, states = tmp_path / "out.json", tmp_path / "out.jsonl"
    places = ["--profile", profile, "--data", tmp_path / "data", "--json", out, "--states", states, "--workers", 1]

    first = _run(clips, *places)
    assert first.exit_code == 2
    assert first.stderr == "notes.mp4: expected a video, found text\n"
    assert "0 rounds, 0 violations, 0 suspect, 0 undetermined" in first.stdout
    record = json.loads(out.read_text())
    assert (Path(record["source"]).name, record["profile"], record["rounds"]) == ("night.mp4", "BJ-07", [])
    assert sorted(record["versions"]) == ["profile", "rules", "software", "weights"]
    assert json.loads(states.read_text())["t_ms"] == [0, 2000]

    second = _run(clips / "night.mp4", *places)
    assert second.exit_code == 0
    assert second.stdout.startswith("nothing to do\n")
    assert json.loads(out.read_text()) == record


def test_each_footage_is_audited_with_its_own_profile(tmp_path: Path, profile: Path) -> None:
    other = tmp_path / "STU-11.toml"
    other.write_text(PROFILE.replace("BJ-07", "STU-11"))
    first, second = tmp_path / "one.mp4", tmp_path / "two.mp4"
    write_video(first, seconds=1)
    write_video(second, seconds=2)
    out = tmp_path / "out"
    done = _run(first, second, "--profile", profile, "--profile", other, "--data", tmp_path / "data", "--json", out)
    assert done.exit_code == 0, done.stderr
    tables = {path.stem: json.loads(path.read_text())["profile"] for path in out.iterdir()}
    assert tables == {"one": "BJ-07", "two": "STU-11"}
    assert [line for line in done.stdout.splitlines() if "together" in line]


def test_profiles_that_are_neither_one_nor_one_each_are_one_sentence(tmp_path: Path, profile: Path) -> None:
    clips = [write_video(tmp_path / f"{name}.mp4", seconds=1) for name in ("one", "two", "three")]
    done = _run(*clips, "--profile", profile, "--profile", profile, "--data", tmp_path / "data")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == "--profile: expected one, or one for each of 3 FOOTAGE, found 2\n"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[table", "expected TOML"),
        (PROFILE.replace('game = "blackjack"', 'game = "poker"'), "table.game: expected one of blackjack"),
        (PROFILE.replace('game = "blackjack"', 'game = "blackjack"\nrules = "house"'), "house"),
    ],
)
def test_a_profile_that_cannot_be_used_is_one_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    profile = tmp_path / "BJ-07.toml"
    profile.write_text(text)
    done = _run(write_video(tmp_path / "night.mp4", seconds=1), "--profile", profile, "--data", tmp_path / "data")
    assert (done.exit_code, done.stdout) == (2, "")
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1


def test_footage_of_another_size_is_one_sentence(tmp_path: Path, profile: Path) -> None:
    video = write_video(tmp_path / "wide.mp4", seconds=1, size=(96, 48))
    done = _run(video, "--profile", profile, "--data", tmp_path / "data")
    assert (done.exit_code, done.stderr) == (2, "wide.mp4: expected 64x48 as the profile says, found 96x48\n")


def test_workers_that_do_not_stay_up_are_one_sentence(
    tmp_path: Path, profile: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch, "WORKER_COMMAND", (sys.executable, "-c", "raise SystemExit(1)"))
    done = _run(write_video(tmp_path / "night.mp4", seconds=1), "--profile", profile, "--data", tmp_path / "data")
    assert done.exit_code == 1
    assert done.stderr.startswith("expected workers that stay up, found ")
    assert done.stderr.count("\n") == 1


def test_a_data_directory_that_is_a_file_is_one_sentence(tmp_path: Path, profile: Path) -> None:
    data = tmp_path / "data"
    data.touch()
    done = _run(tmp_path / "night.mp4", "--profile", profile, "--data", data)
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert "expected a data directory that can be written" in done.stderr


def test_a_name_that_would_steer_the_terminal_is_made_harmless() -> None:
    assert (
        printable("\x1b[31mred[/bold]\n.mp4")
        == "\N{REPLACEMENT CHARACTER}[31mred\\[/bold]\N{REPLACEMENT CHARACTER}.mp4"
    )


@pytest.mark.parametrize(("t_ms", "shown"), [(0, "0:00.0"), (61_299, "1:01.2"), (3_600_000, "60:00.0")])
def test_media_time_is_shown_in_minutes(t_ms: int, shown: str) -> None:
    assert clock_time(t_ms) == shown


def test_every_start_of_the_pages_gives_the_reviewer_a_login_that_works_once(db: Database) -> None:
    first, second = one_time_token(db, now=NOW), one_time_token(db, now=NOW)
    assert [user.name for user in users.all_users(db)] == ["reviewer"]
    for token in (first, second):
        known = users.use_one_time_login(db, token=token, now=NOW + timedelta(hours=11))
        assert known is not None
        assert users.use_one_time_login(db, token=token, now=NOW + timedelta(hours=11)) is None


def test_follow_refuses_a_source_that_is_no_camera_in_one_sentence(tmp_path: Path, profile: Path) -> None:
    done = CliRunner().invoke(
        catwalk, ["follow", "night.mp4", "--profile", str(profile), "--data", str(tmp_path / "data")]
    )
    assert done.exit_code == 2
    assert done.stderr.startswith("night.mp4: expected a camera's address (rtsp://")
    assert len(done.stderr.strip().splitlines()) == 1
