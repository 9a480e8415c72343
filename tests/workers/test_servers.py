"""Another broker by one setting: a Redis server, where there is one."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlite_utils import Database

from audit.store import footage as stored
from audit.table import load_profile
from tests.workers.conftest import FAKE_WORKER
from workers import batch, jobs
from workers.settings import Settings, read_settings


@pytest.fixture
def redis_url(tmp_path: Path) -> Iterator[str]:
    """A Redis server of our own, gone with the test."""
    program = shutil.which("redis-server")
    if program is None:
        reason = "expected redis-server for this test, found none: apt-get install redis-server"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as server:
        deadline = time.monotonic() + 10
        while not _answers(port):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        yield f"redis://127.0.0.1:{port}/0"
        server.terminate()


def _answers(port: int) -> bool:
    with socket.socket() as asking:
        return asking.connect_ex(("127.0.0.1", port)) == 0


def test_a_run_is_worked_off_through_redis(
    db: Database,
    settings: Settings,
    video: Path,
    profile: Path,
    redis_url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(batch, "WORKER_COMMAND", FAKE_WORKER)
    monkeypatch.setenv("CATWALK_BROKER_URL", redis_url)
    chosen = read_settings(data_dir=settings.data_dir)
    profile_id = jobs.store_profile(db, load_profile(profile), sha256="p" * 64, now=datetime.now(UTC))
    intake = batch.take_in(db, [video], profile_id=profile_id, clock=lambda: datetime.now(UTC))
    run_id = intake.pieces[0].run_id
    told: list[batch.Progress] = []
    batch.work_off(db, chosen, [run_id], crew_size=2, threads=1, clock=lambda: datetime.now(UTC), tell=told.append)
    assert told[-1].status == "done"
    assert len(stored.states_of(db, run_id)) == 3
    assert not (settings.data_dir / "broker").exists()


@pytest.mark.parametrize(
    ("environment", "data_dir", "broker_url"),
    [
        ({}, "data", None),
        ({"CATWALK_DATA": "/night", "CATWALK_BROKER_URL": ""}, "/night", None),
        ({"CATWALK_BROKER_URL": "amqp://pit"}, "data", "amqp://pit"),
    ],
)
def test_settings_come_from_the_environment(environment: dict[str, str], data_dir: str, broker_url: str | None) -> None:
    settings = read_settings(environment)
    assert (settings.data_dir, settings.broker_url) == (Path(data_dir).absolute(), broker_url)


def test_the_command_lines_data_directory_goes_first(tmp_path: Path) -> None:
    assert read_settings({"CATWALK_DATA": "/night"}, data_dir=tmp_path).data_dir == tmp_path
