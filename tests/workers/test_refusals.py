"""What commands cannot use, they name in one sentence, with the file or the option."""

import json
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from audit.table import parse_profile
from tests.workers.conftest import PROFILE, write_video
from workers.cli import catwalk

ROOT = Path(__file__).parents[2]
CLIP = ROOT / "sample_footage" / "clips" / "stud_21.mp4"
STATES = ROOT / "sample_footage" / "clips" / "stud_21.states.jsonl"
STUD = ROOT / "sample_footage" / "profiles" / "STU-11.toml"
BLACKJACK = ROOT / "sample_footage" / "profiles" / "BJ-07.toml"


def _catwalk(*arguments: object) -> Result:
    return CliRunner().invoke(catwalk, list(map(str, arguments)))


def _refused(done: Result) -> str:
    """Return the last sentence with which a command refused."""
    assert done.exit_code == 2, (done.output, done.exception)
    assert isinstance(done.exception, SystemExit)
    return str(done.stderr.splitlines()[-1])


@pytest.mark.parametrize("text", ["", "\n\n"])
@pytest.mark.parametrize("command", [["audit"], ["evaluate", CLIP, "--from-states"]], ids=lambda words: words[0])
def test_an_empty_file_of_states_is_no_clean_night(command: list[object], text: str, tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_text(text)
    sentence = _refused(_catwalk(*command, empty, "--profile", STUD))
    assert sentence == f"{empty}: expected table states, found an empty file"


@pytest.mark.parametrize("command", [["audit"], ["evaluate", CLIP, "--from-states"]], ids=lambda words: words[0])
def test_states_that_cannot_be_read_name_their_file(command: list[object], tmp_path: Path) -> None:
    path = tmp_path / "states.jsonl"
    assert _refused(_catwalk(*command, path, "--profile", STUD)).startswith(f"{path}: expected a readable file")
    path.write_bytes(b"\xff\xfe")
    sentence = _refused(_catwalk(*command, path, "--profile", STUD))
    assert sentence == f"{path}: expected table states as JSON lines in UTF-8, found other bytes"


def test_zones_that_the_profile_lacks_are_named_once_and_the_audit_goes_on(tmp_path: Path) -> None:
    lines = [json.loads(line) for line in STATES.read_text().splitlines()]
    for line in lines:
        line["covered"] = [*line["covered"], "seat1.manes"]
    first, last = lines[3]["t_ms"]
    lines[3]["hands"] = [{"from": "player", "zones": ["nosuch"], "first_ms": first, "last_ms": last}]
    path = tmp_path / "states.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    done = _catwalk("audit", path, "--profile", STUD)
    assert done.exit_code == 0, done.output
    assert [line.split("found ")[1].split(",")[0] for line in done.stderr.splitlines()] == ["'seat1.manes'", "'nosuch'"]
    assert _catwalk("audit", STATES, "--profile", STUD).stderr == ""


def test_rules_that_there_are_none_of_are_named_with_the_profile(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(re.sub("^rules = .*$", 'rules = "shoe-nine-deck"', STUD.read_text(), flags=re.MULTILINE))
    assert _refused(_catwalk("audit", STATES, "--profile", own)).startswith(f"{own}: rules: expected one of")


def test_evaluate_has_no_fewer_than_no_workers() -> None:
    done = _catwalk("evaluate", CLIP, "--profile", STUD, "--workers", "-3")
    assert "--workers" in done.stderr
    assert done.exit_code == 2


def test_missing_footage_is_not_told_as_a_missing_truth(tmp_path: Path) -> None:
    path = tmp_path / "missing.mp4"
    sentence = _refused(_catwalk("evaluate", path, "--profile", STUD))
    assert sentence == f"{path}: expected a video file, found no such file"


@pytest.mark.parametrize("name", ["proof.nope", "proof"])
def test_a_proof_that_is_no_picture_is_refused_before_the_work(name: str, tmp_path: Path) -> None:
    out = tmp_path / "own.toml"
    done = _catwalk("profile", "new", CLIP, "--like", STUD, "--proof", tmp_path / name, "--out", out)
    assert "expected a picture's name such as proof.png, found" in _refused(done)
    assert list(tmp_path.iterdir()) == []


def test_a_moment_beyond_the_footage_is_refused(tmp_path: Path) -> None:
    video = write_video(tmp_path / "night.mp4", seconds=2)
    sentence = _refused(_catwalk("profile", "new", video, "--like", STUD, "--at", "999999"))
    assert sentence.startswith(f"{video}: expected a second of the footage, at most 2.0, found 999999.0")


def test_a_table_may_have_any_name(tmp_path: Path) -> None:
    out, name = tmp_path / "own.toml", 'BJ"13\\'
    done = _catwalk("profile", "new", CLIP, "--like", STUD, "--table", name, "--out", out)
    assert done.exit_code == 0, done.output
    assert parse_profile(out.read_text()).table_id == name


def test_footage_of_a_broken_truth_is_not_degraded(tmp_path: Path) -> None:
    shutil.copy(CLIP, tmp_path / "cam.mp4")
    (tmp_path / "cam.truth.json").write_text('{"a": 1}')
    done = _catwalk("degrade", tmp_path / "cam.mp4", "--out", tmp_path / "out", "--kinds", "bump")
    assert _refused(done).startswith(f"{tmp_path / 'cam.truth.json'}: moments: expected a list")
    assert done.stdout == ""
    assert list((tmp_path / "out").iterdir()) == []


def test_no_kind_of_degradation_is_refused(tmp_path: Path) -> None:
    sentence = _refused(_catwalk("degrade", CLIP, "--out", tmp_path / "out", "--kinds", ","))
    assert sentence.startswith("--kinds: expected kinds of degradation among occlusion")


@pytest.mark.parametrize("game", ["XX", "blackjack"])
def test_procedures_of_a_game_that_there_is_none_of_are_refused(game: str) -> None:
    assert "--game" in _refused(_catwalk("procedures", "--game", game))


def test_bench_of_what_is_no_footage_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.mp4"
    path.write_text("no video\n" * 50)
    assert "expected a video, found text" in _refused(_catwalk("bench", path, "--profile", STUD))


@pytest.mark.parametrize(
    ("command", "found"),
    [
        (["profile", "check"], "no such file or directory"),
        (["render", "--out", "OUT"], "no such file or directory"),
    ],
    ids=lambda words: words[0],
)
def test_no_class_of_the_programs_is_named_in_a_sentence(command: list[str], found: str, tmp_path: Path) -> None:
    words = [tmp_path / "out" if word == "OUT" else word for word in command]
    done = _catwalk(*words, tmp_path / "none.toml")
    assert _refused(done).endswith(f"expected a readable TOML file, found {found}")
    done = _catwalk(*words, tmp_path)
    assert _refused(done).endswith("found is a directory")
    (tmp_path / "latin.toml").write_bytes(b"\xff")
    done = _catwalk(*words, tmp_path / "latin.toml")
    assert _refused(done).endswith("found other bytes than UTF-8")


NEAR = {
    "rule for rules": ("[table]\n", '[table]\nrule = "shoe-eight-deck"\n', "table.rule: expected rules"),
    "chip for chips": ("[camera]", '[chip]\nred = "25.00"\n[camera]', "[chip]: expected [chips]"),
    "varient for variant": ("[camera]", "[varient]\n[camera]", "[varient]: expected [variant]"),
    "distorsion for distortion": (
        "image_size",
        "distorsion = [0.1]\nimage_size",
        "camera.distorsion: expected distortion",
    ),
}


@pytest.mark.parametrize("kind", NEAR)
def test_a_name_nearly_right_in_a_profile_is_refused(kind: str, tmp_path: Path) -> None:
    before, after, said = NEAR[kind]
    path = tmp_path / "own.toml"
    path.write_text(PROFILE.replace(before, after, 1))
    assert _refused(_catwalk("profile", "check", path)).startswith(f"{path}: {said}, found")


def test_what_a_profile_holds_beside_is_listed_as_not_used(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(BLACKJACK.read_text().replace("[table]\n", '[lamp]\nwatts = 60\n[table]\nhall = "north"\n', 1))
    done = _catwalk("profile", "check", path)
    assert done.exit_code == 0, done.output
    assert done.stderr.splitlines() == [f"{path}: not used: [lamp], table.hall"]
    assert _catwalk("profile", "check", BLACKJACK).stderr == ""


def test_names_like_those_that_are_there_are_no_mistakes(tmp_path: Path) -> None:
    """Others may add a table's name beside its game, or points of a zone in pixels beside those in millimetres."""
    path = tmp_path / "own.toml"
    text = BLACKJACK.read_text().replace("[table]\n", '[table]\nname = "north"\nminimum_bet = "5"\n', 1)
    path.write_text(text.replace("[[zone]]\n", "[[zone]]\npolygon_px = [[1, 2], [3, 4], [5, 6]]\n", 1))
    done = _catwalk("profile", "check", path)
    assert done.exit_code == 0, done.output
    assert done.stderr.splitlines() == [f"{path}: not used: table.name, table.minimum_bet, zone.polygon_px"]
