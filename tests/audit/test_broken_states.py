"""A line that is no state is named with what was expected; what nobody knows of a state accuses nobody."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from audit.pipeline import audit_states
from audit.states import StatesError, TableState, read_states
from tests.audit.asking import accused, found
from tests.audit.pairs.deal import push, start, table
from tests.audit.pairs.pair import put
from tests.notation import ROOT, Felt
from workers.cli import catwalk

PROFILE = str(ROOT / "sample_footage" / "profiles" / "BJ-07.toml")
_HAND = {"from": "player", "zones": ["rack"], "first_ms": 1, "last_ms": 2}


def line(**keys: object) -> str:
    return json.dumps({"t_ms": [5, 10], "objects": [], **keys})


def thing(**keys: object) -> str:
    return line(objects=[{"xy_mm": [0, 0], **keys}])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[" * 100_000, "line 1: expected a JSON object, found more levels of it than can be read"),
        ('{"t_ms": [5, 10]}', "line 1: objects: expected a list of all that lies on the table, found none"),
        (thing(kind="discards", height_mm=-5), "objects[0].height_mm: expected a height of 0 or more, found -5"),
        (thing(kind="dice_cup", shakes=-2), "objects[0].shakes: expected a whole number from 0 on, found -2"),
        (thing(kind="card", candidates=["Kd"]), "objects[0].candidates: expected an object of probabilities"),
        (
            thing(kind="chips", candidates=["red"]),
            "candidates[0]: expected an object with a stack and its p, found 'red'",
        ),
        (thing(kind="chips", candidates={"red": 1}), "objects[0].candidates: expected a list of stacks"),
        (line(hands=[_HAND | {"seat": "one"}]), "hands[0].seat: expected a whole number from 1 on, found 'one'"),
        (line(hands=[_HAND | {"seat": 99}]), "hands[0].seat: expected a seat of the table (1, 2, 3), found 99"),
        (line(hands=[{"from": "dealer"}]), "hands[0].first_ms: expected whole milliseconds, found None"),
        (line(hands=[_HAND | {"first_ms": 9}]), "hands[0]: expected first <= last, found [9, 2]"),
    ],
)
def test_line_that_is_no_state_is_told_in_one_sentence(text: str, told: str) -> None:
    with pytest.raises(StatesError) as error:
        list(read_states([text], seats=(1, 2, 3)))
    assert told in str(error.value)


def test_seat_that_the_table_has_not_is_refused_by_the_command(tmp_path: Path) -> None:
    path = tmp_path / "states.jsonl"
    path.write_text(line() + "\n" + line(hands=[_HAND | {"seat": 99}]) + "\n", encoding="utf-8")
    result = CliRunner().invoke(catwalk, ["audit", str(path), "--profile", PROFILE])
    assert result.exit_code == 2
    assert "line 2: hands[0].seat: expected a seat of the table (1, 2, 3), found 99" in result.output


def test_lost_view_lists_no_objects() -> None:
    (state,) = read_states(['{"t_ms": [5, 10], "view": "lost", "reason": "dark"}'])
    assert (state.view, state.objects) == ("lost", ())


def test_byte_order_mark_before_the_first_line_is_passed_over() -> None:
    first, second = read_states(["\ufeff" + line(), line()])
    assert first == second


# -- kinds that nobody knows -------------------------------------------------------------------------------------------
def misspelt(felt: Felt, kind: str) -> list[TableState]:
    """The states with every object of a kind under a name that the contract has not."""
    return [
        replace(state, objects=tuple(replace(i, kind=f"{kind}z") if i.kind == kind else i for i in state.objects))
        for state in felt.states
    ]


@pytest.mark.parametrize("kind", ["chips", "card", "card_back"])
def test_things_of_an_unknown_kind_accuse_nobody(kind: str) -> None:
    felt = push(start(table(), {1: "Th Qc", 2: "Ts Qh"}, "Td Ks"), 2, 1)
    felt.profile = replace(felt.profile, zones=tuple(z for z in felt.profile.zones if z.name != "ace_finder"))
    assert accused(felt) == []
    result = audit_states(misspelt(felt, kind), felt.profile)
    findings = [*result.findings, *(one for round_ in result.rounds for one in round_.findings)]
    assert {one.verdict.value for one in findings} == {"undetermined"}
    assert f"what a {kind.replace('_', ' ')}z is" in {one.observed for one in findings}


@pytest.mark.parametrize(("kind", "verdict"), [("lammer", "violation"), ("lamer", "suspect")])
def test_error_in_a_round_that_shows_a_thing_of_an_unknown_kind_is_suspected(
    felt: Felt, kind: str, verdict: str
) -> None:
    put(felt, "thing", kind, felt.at("seat3.main"))
    felt.bets({1: "100"}).deal({1: "Th 9c"}, dealer="Td 8s").turn().pay(1, "75").collect(1).pick_up()
    assert [(one[0], one[2]) for one in accused(felt)] == [(verdict, "-25.00")]


def test_thing_that_does_not_belong_on_a_table_is_told(felt: Felt) -> None:
    put(felt, "bag", "bag", (0.0, 560.0))
    assert found(felt.snap()) == [("violation", "P356", None)]
