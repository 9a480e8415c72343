"""From session to files: repeatable, whole or not there, and asked for rightly."""

from pathlib import Path

import av
import pytest
from click.testing import CliRunner

from sample_footage.render import prepare, write_clip
from sample_footage.script import SessionScript
from tests.sample_footage.conftest import ROOM
from workers.cli.render import render

SMALL = ["--size", "320x180"]
SESSION = str(ROOM / "sessions" / "blackjack.toml")


def test_two_seconds_render_to_the_same_bytes_again(session: SessionScript, tmp_path: Path) -> None:
    # sides of whole 16s: below the last row of others the encoder codes whatever the memory held
    clips = []
    for name in ("a", "b"):
        folder = tmp_path / name
        folder.mkdir()
        rendering = prepare(session, size=(512, 288), frames=(20, 70))
        clips.append(write_clip(rendering, folder, on_frame=lambda: None).read_bytes())
    assert clips[0] == clips[1]


def test_the_clip_plays_at_25_frames_a_second(session: SessionScript, tmp_path: Path) -> None:
    clip = write_clip(prepare(session, size=(320, 180), frames=(0, 30)), tmp_path, on_frame=lambda: None)
    with av.open(str(clip)) as container:
        stream = container.streams.video[0]
        times = [float(frame.pts * frame.time_base) for frame in container.decode(stream)]
        assert (stream.codec_context.name, stream.pix_fmt) == ("h264", "yuv420p")
        assert (stream.width, stream.height) == (320, 180)
    assert times == pytest.approx([n / 25 for n in range(30)], abs=1e-6)


def test_a_clip_cut_short_is_not_left_behind(session: SessionScript, tmp_path: Path) -> None:
    def stop() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_clip(prepare(session, size=(320, 180), frames=(0, 9)), tmp_path, on_frame=stop)
    assert list(tmp_path.iterdir()) == []


def test_the_command_writes_clip_truth_states_and_profile(tmp_path: Path) -> None:
    done = CliRunner().invoke(render, [SESSION, "--out", str(tmp_path), *SMALL, "--frames", "0:3"])
    assert done.exit_code == 0, done.output
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "BJ-07.toml",
        "blackjack.mp4",
        "blackjack.states.jsonl",
        "blackjack.truth.json",
    ]


def test_a_clip_that_is_there_is_not_rendered_again(tmp_path: Path) -> None:
    assert CliRunner().invoke(render, [SESSION, "--out", str(tmp_path), *SMALL, "--no-video"]).exit_code == 0
    (tmp_path / "blackjack.mp4").write_bytes(b"whole")
    done = CliRunner().invoke(render, [SESSION, "--out", str(tmp_path), *SMALL])
    assert done.exit_code == 0
    assert "is there already" in done.output
    assert (tmp_path / "blackjack.mp4").read_bytes() == b"whole"


def test_an_invented_session_is_written_beside_its_truth(tmp_path: Path) -> None:
    arguments = ["--random", "2", "--seed", "9", "--errors", "1", "--out", str(tmp_path), "--no-video", *SMALL]
    done = CliRunner().invoke(render, arguments)
    assert done.exit_code == 0, done.output
    assert {"random-9.toml", "random-9.truth.json", "random-9.states.jsonl"} <= {p.name for p in tmp_path.iterdir()}


@pytest.mark.parametrize(
    "other", [["--seed", "8", *SMALL], ["--size", "640x360"], ["--no-video", "--seed", "8", *SMALL]]
)
def test_no_other_truth_is_laid_beside_a_clip_that_is_there(other: list[str], tmp_path: Path) -> None:
    assert CliRunner().invoke(render, [SESSION, "--out", str(tmp_path), *SMALL, "--no-video"]).exit_code == 0
    (tmp_path / "blackjack.mp4").write_bytes(b"whole")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    done = CliRunner().invoke(render, [SESSION, "--out", str(tmp_path), *other])
    assert done.exit_code == 2
    assert "blackjack.mp4: expected a clip of the same truth, found another session's" in done.stderr
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_the_profile_of_the_same_table_as_another_session_has_it_stays(tmp_path: Path) -> None:
    """Two invented sessions of one table share a folder; their cameras do not."""
    assert CliRunner().invoke(render, [SESSION, "--out", str(tmp_path), *SMALL, "--no-video"]).exit_code == 0
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    other = tmp_path / "other" / "later.toml"
    other.parent.mkdir()
    other.write_text(Path(SESSION).read_text().replace("[session]\n", '[look]\nview = "shoulder"\n\n[session]\n'))
    done = CliRunner().invoke(render, [str(other), "--out", str(tmp_path), *SMALL, "--no-video"])
    assert done.exit_code == 2
    assert "BJ-07.toml: expected this session's profile, found another one" in done.stderr
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == before


def test_an_invented_session_that_is_not_written_leaves_the_script_that_is_there(tmp_path: Path) -> None:
    invented = ["--random", "2", "--seed", "9", "--out", str(tmp_path), *SMALL]
    assert CliRunner().invoke(render, [*invented, "--no-video"]).exit_code == 0
    (tmp_path / "random-9.mp4").write_bytes(b"whole")
    script = (tmp_path / "random-9.toml").read_text()
    assert CliRunner().invoke(render, ["--random", "3", *invented[2:]]).exit_code == 2
    assert (tmp_path / "random-9.toml").read_text() == script


@pytest.mark.parametrize("video", [[], ["--no-video"]])
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('[look]\nfelt = "purple"\n', "look.felt: expected one of green, blue, red, found 'purple'"),
        ('[look]\nfelf = "red"\n', "look: expected felt, back, chips or view, found 'felf'"),
        ("look = 5\n", "look: expected a section, found 5"),
        ("[session]\nsede = 5\n", "session: expected id, seed, table, found 'sede'"),
    ],
)
def test_a_look_or_an_entry_that_there_is_none_of_is_named(
    line: str, said: str, video: list[str], tmp_path: Path
) -> None:
    text = Path(SESSION).read_text()
    own = text.replace("[session]\n", line) if line.startswith("[session]") else line + text
    script = tmp_path / "own.toml"
    script.write_text(own)
    done = CliRunner().invoke(render, [str(script), "--out", str(tmp_path / "out"), *SMALL, *video])
    assert done.exit_code == 2
    assert said in done.stderr
    assert not (tmp_path / "out").exists()


def test_frames_beyond_the_session_are_refused_before_anything_is_written(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = CliRunner().invoke(render, [SESSION, "--out", str(out), *SMALL, "--frames", "5000000:6000000"])
    assert done.exit_code == 2
    assert "that it has, found 5000000:6000000" in done.stderr
    assert not out.exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([SESSION, "--size", "1000x1000"], "16:9"),
        ([SESSION, "--frames", "9:2"], "frame numbers"),
        ([], "SESSION or --random"),
        ([SESSION, "--random", "3"], "both"),
        (["no-such.toml"], "readable TOML"),
    ],
)
def test_wrong_requests_are_refused_with_what_was_expected(arguments: list[str], said: str, tmp_path: Path) -> None:
    done = CliRunner().invoke(render, [*arguments, "--out", str(tmp_path)])
    assert done.exit_code == 2
    assert said in done.output
