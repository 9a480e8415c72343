"""A camera whose connection breaks is followed again, and nothing that came before is lost."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from audit.store import footage as stored
from audit.store.database import open_store
from models import eyes
from tests.models.toy_table import PROFILE, PixelEyes, Toy
from tests.workers.stream import sent_again, write_clip
from workers.cli import catwalk
from workers.cli import follow as command

STEP_MS = 80


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    toy = Toy(things=(), arms=(), length_ms=3_000)
    return write_clip(tmp_path / "empty.ts", toy.frames(step_ms=STEP_MS), step_ms=STEP_MS)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    kept = {name: signal.getsignal(name) for name in (signal.SIGINT, signal.SIGTERM)}
    monkeypatch.setattr(command, "_PAUSES_S", (0.1,))
    monkeypatch.setattr(eyes, "load_eyes", lambda *_, **__: PixelEyes())
    yield
    for name, handler in kept.items():
        signal.signal(name, handler)


def test_a_lost_connection_is_made_again_until_too_many_were_lost(clip: Path, tmp_path: Path) -> None:
    profile, data = tmp_path / "toy.toml", tmp_path / "data"
    profile.write_text(PROFILE, encoding="utf-8")
    with sent_again(clip, times=2) as address:
        told = CliRunner().invoke(
            catwalk, ["follow", address, "--profile", str(profile), "--data", str(data), "--tries", "2"]
        )
    assert told.exit_code == 0, told.output
    assert told.output.count("is followed") == 2
    assert "expected a camera's stream, found none" in told.output
    db = open_store(data)
    later, first = stored.footage_list(db)
    states = [run.status for one in (first, later) for run in stored.runs_of(db, one.id)]
    db.close()
    assert Path(first.path) != Path(later.path)
    assert Path(first.path).read_bytes() == Path(later.path).read_bytes()  # a still picture, sent twice
    assert later.sha256.startswith(first.sha256)
    assert states == ["done", "done"]
