"""The bench measures what it says: small sizes here, the budgets on an idle machine."""

import json
import time
from pathlib import Path

from click.testing import CliRunner

from models.live import LiveCamera
from workers.bench_live import _Pace
from workers.cli import catwalk
from workers.cli.bench import _row


def test_a_budget_is_kept_or_missed() -> None:
    assert _row("a", "1 s", under=2, value=1.0) == ("a", "1 s", "under 2", True)
    assert _row("a", "2 s", under=2, value=2.0) == ("a", "2 s", "under 2", False)
    assert _row("a", "14", least=15, value=14.9) == ("a", "14", "at least 15", False)
    assert _row("a", "15", least=15, value=15.0) == ("a", "15", "at least 15", True)


def test_bench_without_footage_measures_rules_store_and_pages(tmp_path: Path) -> None:
    out = tmp_path / "bench.json"
    done = CliRunner().invoke(catwalk, ["bench", "--rounds", "1000", "--cores", "1", "--json", str(out)])
    assert done.exit_code == 0, done.output
    figures = json.loads(out.read_text())
    assert len(figures) == 5
    assert all(any(c in "123456789" for c in row["measured"]) for row in figures)


def test_bench_wants_the_profile_of_the_footage() -> None:
    done = CliRunner().invoke(catwalk, ["bench", "night.mp4"])
    assert (done.exit_code, done.stderr) == (2, "--profile: expected the footage's table profile, found none\n")


def test_a_clip_is_sent_no_faster_than_it_was_taken(video: Path, tmp_path: Path) -> None:
    pace = _Pace(video, most_s=1.5)
    pace.start()
    camera = LiveCamera(pace.address, lambda number: tmp_path / f"{number}.mp4")
    camera.start()
    times = [int(frame.t_ms) for frame in camera.frames()]
    took_s = time.monotonic() - pace.began
    camera.join()
    assert times[:3] == [0, 100, 200]
    assert 1_300 <= times[-1] <= 1_900
    assert took_s >= 1.3
