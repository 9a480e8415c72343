"""``catwalk audit`` and ``catwalk procedures`` from the command line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from click.testing import CliRunner, Result

from audit.states import format_state
from tests.notation import ROOT, Felt, doubtful_stack
from workers.cli import catwalk

PROFILE = str(ROOT / "sample_footage" / "profiles" / "BJ-07.toml")


def states_file(folder: Path) -> Path:
    felt = Felt().bets({1: "100"}).deal({1: "Th 9c"}, dealer="Td 8s").turn().pay(1, "75").collect(1).pick_up()
    path = folder / "states.jsonl"
    path.write_text("".join(f"{format_state(state)}\n" for state in felt.states), encoding="utf-8")
    return path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(catwalk, list(arguments))


def test_audit_prints_a_table_and_ends_with_0_although_there_are_findings(tmp_path: Path) -> None:
    result = run("audit", str(states_file(tmp_path)), "--profile", PROFILE)
    assert result.exit_code == 0, result.output
    assert "1 violation" in result.output


def test_audit_writes_the_contracts_json(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    result = run("audit", str(states_file(tmp_path)), "--profile", PROFILE, "--json", str(out))
    assert result.exit_code == 0, result.output
    record = json.loads(out.read_text(encoding="utf-8"))
    assert (record["profile"], len(record["rounds"])) == ("BJ-07", 1)
    assert record["findings"] == []
    (one,) = record["rounds"]
    assert one["pays"] == [
        {"seat": 1, "bet": "main", "hand": 1, "amount": "75.00"}
        | {key: one["pays"][0][key] for key in ("first_ms", "last_ms")}
    ]
    assert one["settled"][0]["pay"] == "100.00"
    peek, finding = one["findings"]
    assert (peek["procedures"], peek["verdict"]) == (["P308"], "suspect")  # nobody looked into the ace finder
    assert finding["amount"] == "-25.00"
    assert finding["because_of"] is None
    assert finding["first_ms"] <= finding["last_ms"]


def test_states_recognised_in_footage_are_judged_as_footage_is(tmp_path: Path) -> None:
    """States of the sample clips replay to the verdict of ``catwalk run`` (contracts/states.md); others are as told."""
    felt = Felt().bets({1: "100"}).deal({1: "Th 9c"}, dealer="Td 8s").turn().pay(1, "100").collect(1).pick_up()
    states = doubtful_stack(felt.states, ("black",), {("black",): 0.8, ("black", "black"): 0.2})
    told = {}
    for since in (None, 1000):
        path, out = tmp_path / f"{since}.jsonl", tmp_path / f"{since}.json"
        seen = [replace(one, objects=tuple(replace(item, since_ms=since) for item in one.objects)) for one in states]
        path.write_text("".join(f"{format_state(state)}\n" for state in seen), encoding="utf-8")
        assert run("audit", str(path), "--profile", PROFILE, "--json", str(out)).exit_code == 0
        (one,) = json.loads(out.read_text(encoding="utf-8"))["rounds"]
        told[since] = [finding["verdict"] for finding in one["findings"] if finding["code"] != "no-peek"]
    assert told == {None: ["suspect"], 1000: []}


def test_round_of_the_audit_can_be_settled_as_it_is(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    run("audit", str(states_file(tmp_path)), "--profile", PROFILE, "--json", str(out))
    one = json.loads(out.read_text(encoding="utf-8"))["rounds"][0]
    line = json.dumps({key: one[key] for key in ("game", "variant", "table", "bets")})
    (tmp_path / "rounds.jsonl").write_text(line + "\n", encoding="utf-8")
    result = run("settle", "--json-lines", str(tmp_path / "rounds.jsonl"))
    assert result.exit_code == 0, result.output
    assert json.loads(result.output)["settled"][0]["outcome"] == "win"


def test_broken_line_is_named_with_its_number(tmp_path: Path) -> None:
    path = states_file(tmp_path)
    path.write_text(path.read_text(encoding="utf-8") + '{"t_ms": [5, 1]}\n', encoding="utf-8")
    lines = len(path.read_text(encoding="utf-8").splitlines())
    result = run("audit", str(path), "--profile", PROFILE)
    assert result.exit_code == 2
    assert f"line {lines}: t_ms: expected first <= last" in result.output


def test_file_that_is_not_there_gets_one_sentence(tmp_path: Path) -> None:
    result = run("audit", str(tmp_path / "none.jsonl"), "--profile", PROFILE)
    assert result.exit_code == 2
    assert "expected a readable file of table states" in result.output


def test_video_instead_of_states_gets_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "clip.mp4"
    path.write_bytes(b"\x00\x00\x00\x18ftypmp42\xff\xfe\x81")
    result = run("audit", str(path), "--profile", PROFILE)
    assert result.exit_code == 2
    assert "Traceback" not in result.output


def test_procedures_lists_all_420_with_their_state() -> None:
    result = run("procedures")
    assert result.exit_code == 0
    assert "420 procedures" in result.output
