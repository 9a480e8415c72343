"""The sample clip, audited once by the real command with real workers, for all tests here."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
CLIP = ROOT / "sample_footage/clips/blackjack.mp4"
TRUTH = ROOT / "sample_footage/clips/blackjack.truth.json"
PROFILE = ROOT / "sample_footage/profiles/BJ-07.toml"
CATWALK = (sys.executable, "-m", "workers.cli")


@dataclass(frozen=True)
class Done:
    """What a finished command said."""

    status: int
    out: str
    err: str


@dataclass(frozen=True)
class Audited:
    """A data directory with the audited clip, and what the audit wrote."""

    data: Path
    record: dict[str, Any]
    states: str
    said: Done


def catwalk_run(data: Path, *arguments: object, profile: Path = PROFILE) -> Done:
    """Run ``catwalk run`` as a user does."""
    command = [*CATWALK, "run", *map(str, arguments), "--profile", str(profile), "--data", str(data)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=900)
    return Done(done.returncode, done.stdout, done.stderr)


@pytest.fixture(scope="session")
def truth() -> dict[str, Any]:
    record: dict[str, Any] = json.loads(TRUTH.read_text())
    return record


@pytest.fixture(scope="session")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Audited:
    folder = tmp_path_factory.mktemp("audited")
    out, states = folder / "out.json", folder / "out.jsonl"
    said = catwalk_run(folder / "data", CLIP, "--json", out, "--states", states)
    assert said.status == 0, said.err
    return Audited(folder / "data", json.loads(out.read_text()), states.read_text(), said)
