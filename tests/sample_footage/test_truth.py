"""The truth beside the clip, against its schema, the contract of states and the script."""

import json
from typing import Any

import jsonschema
import numpy as np
import pytest

from audit.states import format_state, read_states
from audit.table import load_profile
from sample_footage.choreography import Performance
from sample_footage.geometry import Camera
from sample_footage.script import SessionScript
from sample_footage.settled import Settled
from sample_footage.truth import truth_record
from tests.sample_footage.conftest import ROOM


@pytest.fixture(scope="module")
def truth(session: SessionScript, performance: Performance, moments: list[Settled], camera: Camera) -> dict[str, Any]:
    return truth_record(session, performance, moments, camera)


def test_the_truth_follows_its_schema(truth: dict[str, Any]) -> None:
    schema = json.loads((ROOM / "truth.schema.json").read_text())
    jsonschema.validate(truth, schema)


def test_the_schema_refuses_a_card_that_is_none(truth: dict[str, Any]) -> None:
    schema = json.loads((ROOM / "truth.schema.json").read_text())
    broken = json.loads(json.dumps(truth))
    next(o for m in broken["moments"] for o in m["objects"] if o["kind"] == "card")["card"] = "1s"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(broken, schema)


def test_the_states_are_read_back_as_they_were_written(moments: list[Settled]) -> None:
    lines = [format_state(settled.state) for settled in moments]
    read = list(read_states(lines))
    assert [format_state(state) for state in read] == lines
    assert len(read) > 200


def test_the_committed_truth_and_states_are_those_of_the_session(truth: dict[str, Any], moments: list[Settled]) -> None:
    committed = json.loads((ROOM / "clips" / "blackjack.truth.json").read_text())
    assert committed == json.loads(json.dumps(truth))
    states = (ROOM / "clips" / "blackjack.states.jsonl").read_text().splitlines()
    assert states == [format_state(settled.state) for settled in moments]


def test_the_third_round_is_told_as_it_is_scripted(truth: dict[str, Any]) -> None:
    told = truth["rounds"][2]
    assert told["table"]["dealer"] == ["8c", "Jd"]
    assert told["table"]["seats"]["2"] == {"initial": ["7h", "4d"], "hands": [{"cards": ["7h", "4d", "5s"]}]}
    assert [(b["seat"], b["bet"], b["amount"]) for b in told["bets"]] == [
        (1, "main", "10.00"),
        (2, "main", "35.00"),
        (3, "main", "50.00"),
    ]
    assert [(p["seat"], p["amount"]) for p in told["pays"]] == [(3, "100.00"), (1, "10.00")]
    assert [(p["seat"], p["amount"]) for p in told["takes"]] == [(2, "35.00")]


def test_a_split_is_told_with_its_hands_left_to_right(truth: dict[str, Any]) -> None:
    told = truth["rounds"][3]
    assert told["table"]["seats"]["2"]["hands"] == [{"cards": ["8d", "Jh"]}, {"cards": ["8h", "3d", "Qc"]}]
    assert [(b["seat"], b["hand"], b["bet"]) for b in told["bets"]] == [
        (1, 1, "main"),
        (2, 1, "main"),
        (2, 2, "split"),
        (3, 1, "main"),
    ]


def test_wagers_stand_in_their_seat_s_zone_when_the_first_card_comes(
    moments: list[Settled], truth: dict[str, Any]
) -> None:
    profile = load_profile(ROOM / "profiles" / "BJ-07.toml")
    for told in truth["rounds"]:
        before = [m for m in moments if m.moment.last_ms < told["start_ms"]][-1]
        standing = {
            zone.seat: obj.stack
            for obj in before.state.objects
            for zone in profile.zones_at(obj.xy_mm)
            if obj.kind == "chips" and zone.bet == "main"
        }
        assert standing == {b["seat"]: tuple(b["stack"]) for b in told["bets"] if b["bet"] == "main"}


def test_cards_lie_in_the_zone_of_whoever_they_were_dealt_to(moments: list[Settled]) -> None:
    profile = load_profile(ROOM / "profiles" / "BJ-07.toml")
    homes = {"dealer.cards", "ace_finder"} | {f"seat{n}.cards" for n in (1, 2, 3)}
    for settled in moments:
        for obj in settled.state.objects:
            if obj.kind in ("card", "card_back"):
                zones = {zone.name for zone in profile.zones_at(obj.xy_mm)}
                assert len(zones & homes) == 1 or abs(obj.xy_mm[0] + 40) < 3, obj


def test_polygons_are_the_projected_corners(truth: dict[str, Any], camera: Camera) -> None:
    card = next(o for m in truth["moments"] for o in m["objects"] if o["kind"] == "card")
    corners = np.array(card["polygon_px"])
    middle = camera.to_plane(corners).mean(axis=0)
    assert middle == pytest.approx(card["xy_mm"], abs=0.3)
    sides = np.linalg.norm(np.diff(camera.to_plane(corners), axis=0), axis=1)
    assert sorted(sides) == pytest.approx([63, 63, 88] if sides[1] > 80 else [63, 88, 88], abs=0.3) or sorted(
        sides
    ) == pytest.approx([63, 63, 88], abs=0.3)
