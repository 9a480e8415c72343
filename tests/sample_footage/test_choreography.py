"""What is acted: nothing jumps, things rest long enough to be seen, hands do the moving."""

import itertools

import numpy as np
import pytest

from sample_footage.choreography import Performance, perform
from sample_footage.invent import invented_session
from sample_footage.script import SessionScript, parse_session
from sample_footage.settled import Settled
from sample_footage.tracks import FRAME_MS, Arm, Thing, with_rests

_FASTEST_MM_PER_MS = 3.6


@pytest.fixture(scope="module", params=["sample", "invented"])
def acted(request: pytest.FixtureRequest, performance: Performance) -> Performance:
    if request.param == "sample":
        return performance
    return perform(parse_session(invented_session(rounds=12, seed=5, errors=0.5)))


def test_nothing_teleports(acted: Performance) -> None:
    for thing in acted.stage.things:
        end = thing.gone_ms or acted.end_ms
        places = [thing.pose_at(t).place for t in range(thing.born_ms, end, FRAME_MS)]
        for a, b in itertools.pairwise(places):
            assert np.hypot(a.x - b.x, a.y - b.y) <= _FASTEST_MM_PER_MS * FRAME_MS, thing.key


def test_legs_follow_each_other_in_time_and_place(acted: Performance) -> None:
    for thing in acted.stage.things:
        at, since = thing.home, thing.born_ms
        for leg in thing.legs:
            assert leg.origin == at
            assert leg.start_ms >= since
            at, since = leg.goal, leg.end_ms
        assert thing.gone_ms is None or thing.gone_ms >= since


def test_arms_move_without_a_break(acted: Performance) -> None:
    for arm in acted.stage.arms.values():
        at, since = arm.home, 0
        for leg in arm.legs:
            assert leg.origin == at
            assert leg.start_ms >= since
            at, since = leg.goal, leg.end_ms


def test_an_arm_that_is_told_nothing_stays_at_home() -> None:
    idle = with_rests(Arm(key="player3", anchor=(0.0, 900.0), home=(0.0, 800.0, 0.0), mirrored=False))
    assert idle.legs == []
    assert idle.is_home_at(5000)


def test_every_moving_thing_is_at_some_hand_s_fingertips(acted: Performance) -> None:
    for thing in acted.stage.things:
        for leg in thing.legs:
            middle = (leg.start_ms + leg.end_ms) // 2
            place = thing.pose_at(middle).place
            tips = [arm.tip_at(middle) for arm in acted.stage.arms.values()]
            assert min(np.hypot(x - place.x, y - place.y) for x, y, _ in tips) < 140, (thing.key, leg)


def test_rounds_do_not_overlap(acted: Performance) -> None:
    for before, after in itertools.pairwise(acted.rounds):
        assert before.start_ms < before.end_ms < after.start_ms


def test_payments_rest_a_second_before_the_player_takes_them(acted: Performance) -> None:
    for payment in acted.stage.payments:
        if payment.kind == "pay":
            pile = _landed(acted, payment.last_ms)
            assert pile.legs[1].start_ms - payment.last_ms >= 1000


def _landed(acted: Performance, when_ms: int) -> Thing:
    return next(t for t in acted.stage.things if t.stack and t.legs and t.legs[0].end_ms == when_ms)


def test_whatever_rests_is_seen_uncovered_for_long_enough(moments: list[Settled], performance: Performance) -> None:
    shown: dict[tuple[str, int], int] = {}
    for settled in moments:
        for thing in settled.things:
            if thing is not None:
                legs = sum(leg.end_ms <= settled.moment.first_ms for leg in thing.legs)
                length = settled.moment.last_ms - settled.moment.first_ms
                shown[thing.key, legs] = shown.get((thing.key, legs), 0) + length
    for thing in performance.stage.things:
        best = max(length for (key, _), length in shown.items() if key == thing.key)
        assert best >= 400, (thing.key, thing.card, thing.stack)


def test_the_same_seed_acts_the_same(session: SessionScript, performance: Performance) -> None:
    again = perform(session)
    assert [thing.legs for thing in again.stage.things] == [thing.legs for thing in performance.stage.things]


def test_the_sample_lasts_about_four_minutes(performance: Performance) -> None:
    assert len(performance.rounds) == 10
    assert 200_000 <= performance.end_ms <= 260_000
