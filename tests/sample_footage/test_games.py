"""The sample sessions of the other games: true to their script, to the schema, and to what an audit says of them."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from audit.pipeline import audit_states
from audit.states import format_state, parse_state
from audit.table import load_profile
from sample_footage.choreography import Performance, perform
from sample_footage.profile import profile_toml, table_camera
from sample_footage.script import SessionScript, load_session
from sample_footage.settled import Settled, settled
from sample_footage.tables import TABLES
from sample_footage.tracks import FRAME_MS
from sample_footage.truth import truth_record
from tests.sample_footage.conftest import ROOM, camera_of_profile

SESSIONS = sorted(path.stem for path in (ROOM / "sessions").glob("*.toml") if path.stem != "blackjack")
COMMITTED = sorted(path.stem for path in (ROOM / "clips").glob("*.mp4") if path.stem != "blackjack")
DECKS = {"DNS-03": 6, "DIC-02": 6, "STU-11": 6, "LDB-05": 8, "DD-04": 2, "BJ-12": 6}


@dataclass(frozen=True)
class Played:
    """One session, acted once for all tests."""

    session: SessionScript
    performance: Performance
    moments: list[Settled]
    truth: dict[str, Any]
    audit: dict[str, Any]


def profile_of(session: SessionScript) -> Path:
    return ROOM / "profiles" / f"{session.table}.toml"


@pytest.fixture(scope="module", params=SESSIONS)
def played(request: pytest.FixtureRequest) -> Played:
    session = load_session(ROOM / "sessions" / f"{request.param}.toml")
    camera = camera_of_profile(profile_of(session))
    performance = perform(session)
    moments = settled(performance, camera)
    truth = json.loads(json.dumps(truth_record(session, performance, moments, camera)))
    states = [parse_state(format_state(moment.state)) for moment in moments]
    return Played(
        session=session,
        performance=performance,
        moments=moments,
        truth=truth,
        audit=audit_states(states, load_profile(profile_of(session))).to_json(),
    )


def test_the_truth_follows_its_schema(played: Played) -> None:
    jsonschema.validate(played.truth, json.loads((ROOM / "truth.schema.json").read_text()))


def test_the_audit_reports_exactly_the_planted_errors(played: Played) -> None:
    planted = [
        (f["round"], f["code"], f["procedures"][0], f.get("seat"), f["amount"]) for f in played.truth["findings"]
    ]
    found = [
        (number, f["code"], f["procedures"][0], f["seat"], f["amount"])
        for number, round_ in enumerate(played.audit["rounds"])
        for f in round_["findings"]
        if f["because_of"] is None
    ]
    assert sorted(map(str, found)) == sorted(map(str, planted))
    assert played.audit["findings"] == []
    assert planted


def test_every_round_is_reconstructed_as_it_was_acted(played: Played) -> None:
    for told, seen in zip(played.truth["rounds"], played.audit["rounds"], strict=True):
        assert seen["table"] == told["table"], told["title"]
        for kind in ("bets", "pays", "takes"):
            assert _amounts(seen[kind]) == _amounts(told[kind]), (told["title"], kind)


def _amounts(moved: list[dict[str, Any]]) -> list[tuple[str, ...]]:
    return sorted(tuple(str(one.get(key)) for key in ("seat", "hand", "number", "bet", "amount")) for one in moved)


@pytest.mark.parametrize("played", COMMITTED, indirect=True)
def test_a_committed_truth_and_its_states_are_those_of_the_session(played: Played) -> None:
    name = played.session.session_id
    assert json.loads((ROOM / "clips" / f"{name}.truth.json").read_text()) == played.truth
    states = (ROOM / "clips" / f"{name}.states.jsonl").read_text().splitlines()
    assert states == [format_state(moment.state) for moment in played.moments]


def test_the_committed_clips_stay_small() -> None:
    clips = list((ROOM / "clips").glob("*.mp4"))
    assert len(clips) > 1
    assert sum(clip.stat().st_size for clip in clips) < 25_000_000


def test_no_card_comes_more_often_than_there_are_decks(played: Played) -> None:
    dealt = Counter(thing.card for thing in played.performance.stage.things if thing.card)
    assert max(dealt.values()) <= DECKS[played.session.table]


def test_moments_and_rounds_follow_each_other(played: Played) -> None:
    spans = [tuple(moment["t_ms"]) for moment in played.truth["moments"]]
    assert all(first <= last for first, last in spans)
    assert all(before[1] < after[0] for before, after in itertools.pairwise(spans))
    rounds = [(r["start_ms"], r["end_ms"]) for r in played.truth["rounds"]]
    assert all(before[0] < before[1] < after[0] for before, after in itertools.pairwise(rounds))
    for told in played.truth["rounds"]:
        for move in (*told["pays"], *told["takes"]):
            assert 0 < move["first_ms"] < move["last_ms"] < told["end_ms"] + 3000


def test_cheques_that_were_taken_or_paid_are_those_that_moved(played: Played) -> None:
    """What a hand sets down or lifts at the rack is what the truth calls paid or taken."""
    things = played.performance.stage.things
    for told in played.truth["rounds"]:
        for pay in told["pays"]:
            assert any(t.stack == tuple(pay["stack"]) and t.born_ms == pay["first_ms"] for t in things)
        for take in told["takes"]:
            assert any(t.stack == tuple(take["stack"]) and t.gone_ms == take["last_ms"] for t in things)


def test_nothing_teleports(played: Played) -> None:
    for thing in played.performance.stage.things:
        at, since = thing.home, thing.born_ms
        for leg in thing.legs:
            assert leg.origin == at
            assert leg.start_ms >= since
            at, since = leg.goal, leg.end_ms


def test_whatever_rests_is_seen_for_long_enough(played: Played) -> None:
    shown: Counter[str] = Counter()
    for moment in played.moments:
        for thing in moment.things:
            if thing is not None:
                shown[thing.key] += moment.moment.last_ms - moment.moment.first_ms + FRAME_MS
    for thing in played.performance.stage.things:
        lies = thing.kind != "lid" and (not thing.legs or thing.legs[0].end_ms != thing.gone_ms)
        assert not lies or shown[thing.key] >= 400, (thing.key, thing.card, thing.stack)


def test_a_session_lasts_one_to_two_minutes(played: Played) -> None:
    assert 55_000 <= played.performance.end_ms <= 120_000


@pytest.mark.parametrize("table_id", sorted(TABLES))
def test_the_committed_profiles_are_those_of_the_tables(table_id: str) -> None:
    committed = ROOM / "profiles" / f"{table_id}.toml"
    assert committed.read_text() == profile_toml(table_id, table_camera(TABLES[table_id].view))
    assert load_profile(committed).game == TABLES[table_id].game


@pytest.mark.parametrize("table_id", sorted(TABLES))
def test_every_zone_lies_in_the_picture(table_id: str) -> None:
    camera = table_camera(TABLES[table_id].view)
    for polygon in TABLES[table_id].polygons.values():
        pixels = camera.project(polygon)
        assert (pixels >= 0).all()
        assert (pixels <= camera.size).all()
