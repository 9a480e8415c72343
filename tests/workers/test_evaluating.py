"""Footage is evaluated with the truth beside it and its table's profile; states recognised before are only audited."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from audit.table import ProfileError
from models.evaluation import TruthError
from workers.cli import catwalk
from workers.evaluating import PiecesError, pieces_of

SAMPLES = Path(__file__).parents[2] / "sample_footage"
CLIPS = ("stud_21", "side_bets")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two clips with their truth, their profiles beside them."""
    for name in CLIPS:
        for suffix in (".mp4", ".truth.json"):
            shutil.copy(SAMPLES / f"clips/{name}{suffix}", tmp_path)
    for table in ("STU-11", "BJ-12"):
        shutil.copy(SAMPLES / f"profiles/{table}.toml", tmp_path)
    return tmp_path


def test_truth_and_profile_lie_beside_the_footage(folder: Path) -> None:
    pieces = pieces_of([folder], [], [])
    assert [(one.footage.stem, one.profile.table_id) for one in pieces] == [
        ("side_bets", "BJ-12"),
        ("stud_21", "STU-11"),
    ]


def test_of_a_folder_of_profiles_the_one_that_the_truth_names_is_taken() -> None:
    pieces = pieces_of([SAMPLES / "clips/stud_21.mp4"], [], [SAMPLES / "profiles"])
    assert [one.profile.table_id for one in pieces] == ["STU-11"]


def test_the_script_of_a_session_beside_its_profile_is_no_profile(folder: Path) -> None:
    (folder / "random-7.toml").write_text('[session]\nid = "random-7"\ntable = "STU-11"\n')
    pieces = pieces_of([folder / "stud_21.mp4"], [], [folder])
    assert [one.profile.table_id for one in pieces] == ["STU-11"]
    (folder / "DD-04.toml").write_text("game = 1\n")
    with pytest.raises(ProfileError, match=r"DD-04\.toml: \[table\]: expected a section"):
        pieces_of([folder / "stud_21.mp4"], [], [folder])


def test_a_single_profile_holds_whatever_the_truth_names() -> None:
    pieces = pieces_of([SAMPLES / "clips/stud_21.mp4"], [], [SAMPLES / "profiles/BJ-07.toml"])
    assert [one.profile.table_id for one in pieces] == ["BJ-07"]


def test_what_is_missing_is_named(folder: Path) -> None:
    other = [SAMPLES / "profiles/BJ-07.toml", SAMPLES / "profiles/DD-04.toml"]
    with pytest.raises(PiecesError, match=r"expected a profile of table 'BJ-12', found BJ-07, DD-04"):
        pieces_of([folder], [], other)
    with pytest.raises(PiecesError, match=r"--truth: expected one for each of 2 files, found 1"):
        pieces_of([folder], [folder / "stud_21.truth.json"], [])
    (folder / "stud_21.truth.json").unlink()
    with pytest.raises(TruthError, match=r"stud_21\.truth\.json: expected a truth file"):
        pieces_of([folder], [], [])


def test_a_truth_may_not_name_a_profile_elsewhere(folder: Path) -> None:
    path = folder / "stud_21.truth.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"profile": "../secret"}))
    with pytest.raises(TruthError, match=r"expected a table's id, found '\.\./secret'"):
        pieces_of([folder / "stud_21.mp4"], [], [])


def _evaluate(*arguments: object) -> Result:
    return CliRunner().invoke(catwalk, ["evaluate", *map(str, arguments)])


def test_true_states_of_several_clips_are_entirely_right_one_by_one_and_together(folder: Path) -> None:
    states, out = folder / "states", folder / "scores.json"
    states.mkdir()
    for name in CLIPS:
        shutil.copy(SAMPLES / f"clips/{name}.states.jsonl", states / f"{name}.jsonl")
    done = _evaluate(folder, "--from-states", states, "--json", out)
    assert done.exit_code == 0, done.output
    record = json.loads(out.read_text())
    assert sorted(Path(name).stem for name in record["clips"]) == sorted(CLIPS)
    assert [record["end_to_end"][key] for key in ("rounds", "rounds entirely right", "planted", "found")] == [
        7,
        7,
        10,
        10,
    ]
    assert "side_bets.mp4" in done.stdout
    assert "planted P304 insurance-over-half: 1 planted, 1 violation, 0 suspect, 0 missed" in done.stdout


def test_states_that_are_none_are_one_sentence(folder: Path) -> None:
    bad = folder / "bad.jsonl"
    bad.write_text("{}\n")
    done = _evaluate(folder / "stud_21.mp4", "--from-states", bad)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith(f"{bad}: ")
