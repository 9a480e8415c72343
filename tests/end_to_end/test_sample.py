"""The sample clip through the whole of Catwalk: what is planted is found, and nothing twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from audit.store import review
from audit.store.database import open_store
from audit.store.footage import claiming_workers
from tests.end_to_end.conftest import CATWALK, CLIP, PROFILE, Audited, catwalk_run

pytestmark = pytest.mark.slow


def test_the_rounds_and_their_cards_are_those_that_were_acted(audited: Audited, truth: dict[str, Any]) -> None:
    acted = [_cards(one["table"]) for one in truth["rounds"]]
    assert len(acted) == 10
    assert [_cards(one["table"]) for one in audited.record["rounds"]] == acted
    assert "10 rounds, " in audited.said.out


def test_every_planted_error_is_found(audited: Audited, truth: dict[str, Any]) -> None:
    planted = {_place(one["round"], one) for one in truth["findings"]}
    assert len(planted) == 5
    assert planted <= set(_found(audited, "violation", "suspect"))


def test_every_violation_was_planted_and_hardly_a_suspicion_is_false(audited: Audited, truth: dict[str, Any]) -> None:
    # What rests on cheques of which a reading is not certain is a suspicion, see docs/recognition.md.
    planted = {_place(one["round"], one) for one in truth["findings"]}
    violations = _found(audited, "violation")
    assert violations
    assert set(violations) <= planted
    assert len(set(_found(audited, "suspect")) - planted) <= 1


def _found(audited: Audited, *verdicts: str) -> list[tuple[Any, ...]]:
    return [
        _place(number, finding)
        for number, one in enumerate(audited.record["rounds"])
        for finding in one["findings"]
        if finding["verdict"] in verdicts
    ]


def _place(number: int, finding: dict[str, Any]) -> tuple[Any, ...]:
    return number, finding.get("seat"), finding.get("bet"), finding["code"]


def _cards(table: dict[str, Any]) -> tuple[Any, ...]:
    seats = {seat: [hand["cards"] for hand in one["hands"]] for seat, one in table["seats"].items()}
    return table["dealer"], seats


def test_a_second_run_adds_nothing(audited: Audited, tmp_path: Path) -> None:
    before = _stored(audited.data)
    out = tmp_path / "again.json"
    said = catwalk_run(audited.data, CLIP, "--json", out)
    assert (said.status, said.out.splitlines()[0]) == (0, "nothing to do")
    assert json.loads(out.read_text()) == audited.record
    assert _stored(audited.data) == before


def test_killed_in_the_middle_and_run_again_gives_the_same(audited: Audited, tmp_path: Path) -> None:
    data = tmp_path / "data"
    command = [*CATWALK, "run", str(CLIP), "--profile", str(PROFILE), "--data", str(data)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as first:
        worker = _first_claim(data)
        os.kill(worker, signal.SIGKILL)
        time.sleep(1.0)
        first.kill()
    out, states = tmp_path / "out.json", tmp_path / "out.jsonl"
    said = catwalk_run(data, CLIP, "--json", out, "--states", states)
    assert said.status == 0, said.err
    assert states.read_text() == audited.states
    assert json.loads(out.read_text()) == audited.record


def test_a_text_file_is_one_sentence_and_nothing_is_lost(audited: Audited, tmp_path: Path) -> None:
    path = tmp_path / "notes.mp4"
    path.write_text("not a video\n" * 100)
    _refused(audited, path, "notes.mp4: expected a video, found text\n")


def test_a_clip_cut_off_is_one_sentence_and_nothing_is_lost(audited: Audited, tmp_path: Path) -> None:
    path = tmp_path / "cut.mp4"
    path.write_bytes(CLIP.read_bytes()[: CLIP.stat().st_size // 20])
    before = _stored(audited.data)
    said = catwalk_run(audited.data, path)
    assert said.status == 2
    assert said.err.startswith("cut.mp4: expected ")
    assert said.err.count("\n") == 1
    assert _stored(audited.data)[0] >= before[0]


def test_a_profile_for_another_size_is_one_sentence_and_nothing_is_lost(audited: Audited, tmp_path: Path) -> None:
    profile = tmp_path / "other.toml"
    text = PROFILE.read_text()
    assert "image_size = [1920, 1080]" in text
    profile.write_text(text.replace("image_size = [1920, 1080]", "image_size = [1280, 720]"))
    said = catwalk_run(audited.data, CLIP, profile=profile)
    assert said.status == 2
    assert said.err == "blackjack.mp4: expected 1280x720 as the profile says, found 1920x1080\n"


def _refused(audited: Audited, path: Path, sentence: str) -> None:
    before = _stored(audited.data)
    said = catwalk_run(audited.data, path)
    assert (said.status, said.err) == (2, sentence)
    assert _stored(audited.data) == before


def _stored(data: Path) -> tuple[int, int]:
    """Rounds and findings of all current audits."""
    db = open_store(data)
    counts = review.queue_counts(db)
    db.close()
    return counts.rounds, counts.findings


def _first_claim(data: Path) -> int:
    """Wait until a worker has taken a segment, and return its process number."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        if (data / "catwalk.db").exists():
            db = open_store(data)
            workers = claiming_workers(db)
            db.close()
            if workers:
                return int(workers[0].rpartition(":")[2])
        time.sleep(0.1)
    pytest.fail("expected a worker to take a segment within two minutes, found none")
