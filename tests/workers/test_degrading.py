"""``catwalk degrade``: a worse clip with its papers beside it."""

import json
from pathlib import Path

import av
from click.testing import CliRunner, Result

from tests.workers.conftest import PROFILE, write_video
from workers.cli import catwalk


def _degrade(*arguments: object) -> Result:
    return CliRunner().invoke(catwalk, ["degrade", *map(str, arguments)])


def _times(path: Path) -> list[float]:
    with av.open(str(path)) as container:
        return [float(frame.pts * frame.time_base) for frame in container.decode(container.streams.video[0])]


def test_a_clip_keeps_its_truth_its_profile_and_the_times_of_its_frames(tmp_path: Path) -> None:
    clip, out = write_video(tmp_path / "night.mp4", seconds=6), tmp_path / "bad"
    truth = {"profile": "BJ-07", "moments": [], "rounds": [], "findings": []}
    (tmp_path / "night.truth.json").write_text(json.dumps(truth))
    (tmp_path / "BJ-07.toml").write_text(PROFILE)
    done = _degrade(clip, "--out", out, "--kinds", "drops,flicker")
    assert done.exit_code == 0, done.output
    assert sorted(path.name for path in out.iterdir()) == ["BJ-07.toml", "night.mp4", "night.truth.json"]
    assert json.loads((out / "night.truth.json").read_text()) == truth
    good, bad = _times(clip), _times(out / "night.mp4")
    assert 40 < len(bad) < 60 == len(good)
    assert {round(t, 3) for t in bad} < {round(t, 3) for t in good}


def test_a_clip_that_is_there_is_left_alone(tmp_path: Path) -> None:
    clip = write_video(tmp_path / "night.mp4", seconds=1)
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad/night.mp4").write_bytes(b"whole")
    done = _degrade(clip, "--out", tmp_path / "bad")
    assert (done.exit_code, done.output) == (0, f"{tmp_path / 'bad/night.mp4'} is there already\n")
    assert (tmp_path / "bad/night.mp4").read_bytes() == b"whole"


def test_what_is_no_footage_or_no_kind_is_one_sentence(tmp_path: Path) -> None:
    text = tmp_path / "notes.mp4"
    text.write_text("not a video\n")
    done = _degrade(text, "--out", tmp_path / "bad")
    assert (done.exit_code, done.stderr) == (2, "notes.mp4: expected a video, found text\n")
    clip = write_video(tmp_path / "night.mp4", seconds=1)
    done = _degrade(clip, "--out", tmp_path / "bad", "--kinds", "fog")
    assert done.exit_code == 2
    assert done.stderr.startswith("expected kinds of degradation among ")
    assert not (tmp_path / "bad/night.mp4").exists()
