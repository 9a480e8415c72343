"""What a camera does to states must not change what is found: jitter, covers, cuts, missed states, unread cards."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from audit.cards import DECK
from audit.reconstruction.changes import change_between
from audit.states import TableState, format_state, read_states
from audit.timing import Span
from tests.audit.asking import accused, audited, found
from tests.notation import Felt, covering, doubtful, jittered, merged, unread

QUIET = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def quiet_round(felt: Felt) -> Felt:
    """Everything right: a blackjack, a split with a double, a broken hand."""
    felt.bets({1: "25", 2: "50", 3: "10"}).deal({1: "As Kd", 2: "8c 8d", 3: "9c 7d"}, dealer="Th 6c")
    felt.pay(1, "37.50").collect(1).pick_up_seat(1)
    felt.split(2, "50").hit(2, "3d").double(2, "50", "Ts").hit(2, "Jd", hand=2)
    felt.hit(3, "Tc").take(3).pick_up_seat(3)
    felt.turn().dealer_hits("5d").pat(2)
    return felt.take(2, "main.2").collect(2).pick_up()


def wrong_round(felt: Felt) -> Felt:
    """A push paid, a winner short-paid, a dealer who drew on 17."""
    felt.bets({1: "25", 2: "50", 3: "100"}).deal({1: "Ts Kd", 2: "9h 8d", 3: "9c Jd"}, dealer="Th 7c")
    felt.turn().dealer_hits("2d").pay(3, "100").collect(3).take(2).pay(1, "20").collect(1)
    return felt.pick_up()


@cache
def states_of(play: Callable[[Felt], Felt]) -> tuple[TableState, ...]:
    return tuple(play(Felt()).states)


WRONG = [("violation", "P254", None), ("violation", "P281", "100.00"), ("violation", "P280", "-5.00")]


def test_the_rounds_as_they_are() -> None:
    assert found(states_of(quiet_round)) == []
    assert found(states_of(wrong_round)) == WRONG


@QUIET
@given(seed=st.integers(0, 10_000))
def test_jitter_changes_nothing(seed: int) -> None:
    assert found(jittered(states_of(quiet_round), seed)) == []
    assert found(jittered(states_of(wrong_round), seed)) == WRONG


@QUIET
@given(index=st.integers(1, 60), zone=st.sampled_from(["cards", "main"]), seat=st.integers(1, 3))
def test_short_cover_never_makes_a_finding(index: int, zone: str, seat: int) -> None:
    for play, right in ((quiet_round, []), (wrong_round, WRONG)):
        states = states_of(play)
        if index < len(states) - 1:
            hidden = covering(states, index, Felt().profile, f"seat{seat}.{zone}")
            assert set(accused(hidden)) <= set(right)


@QUIET
@given(index=st.integers(1, 60))
def test_cover_of_the_dealers_cards_never_makes_a_finding(index: int) -> None:
    for play, right in ((quiet_round, []), (wrong_round, WRONG)):
        states = states_of(play)
        if index < len(states) - 1:
            hidden = covering(states, index, Felt().profile, "dealer.cards")
            assert set(accused(hidden)) <= set(right)


@QUIET
@given(dropped=st.sets(st.integers(1, 60), max_size=4))
def test_states_never_settled_make_no_false_finding(dropped: set[int]) -> None:
    assert accused(merged(states_of(quiet_round), dropped)) == []
    assert {one[:2] for one in accused(merged(states_of(wrong_round), dropped))} <= {one[:2] for one in WRONG}


@QUIET
@given(cut=st.integers(1, 60))
def test_cutting_the_stream_into_segments_changes_nothing(cut: int) -> None:
    states = states_of(wrong_round)
    head = [format_state(state) for state in states[:cut]]
    tail = [format_state(state) for state in states[cut:]]
    assert found(list(read_states([*head, *tail]))) == WRONG


@pytest.mark.parametrize("code", ["As", "Kd", "8c", "8d", "9c", "7d", "Th", "6c", "3d", "Ts", "Jd", "Tc", "5d"])
def test_one_card_unread_in_a_right_round_accuses_nobody(code: str) -> None:
    assert accused(unread(states_of(quiet_round), code)) == []


@QUIET
@given(codes=st.sets(st.sampled_from(["Ts", "Kd", "9h", "8d", "9c", "Jd", "Th", "7c", "2d"]), min_size=1, max_size=4))
def test_unread_cards_give_no_violation_that_an_allowed_reading_contradicts(codes: set[str]) -> None:
    states = list(states_of(wrong_round))
    for code in codes:
        states = unread(states, code)
    claimed = [
        set(finding.procedures)
        for one in audited(states).rounds
        for finding in one.findings
        if finding.verdict.value == "violation"
    ]
    for replacement in ("2c", "5h", "9s", "Kh", "Ah", "7h"):
        concrete: list[TableState] = list(states_of(wrong_round))
        for code in codes:
            concrete = doubtful(concrete, code, {replacement: 1.0})
        broken = {procedure for one in audited(concrete).rounds for f in one.findings for procedure in f.procedures}
        assert all(procedures & broken for procedures in claimed), (codes, replacement)


@QUIET
@given(code=st.sampled_from(["As", "Kd", "3d", "Ts", "Tc", "5d", "6c"]), other=st.sampled_from(sorted(DECK)))
def test_doubtful_cards_in_a_right_round_give_no_violation(code: str, other: str) -> None:
    states = doubtful(states_of(quiet_round), code, {code: 0.6, other: 0.39} if other != code else {code: 0.99})
    assert [one for one in found(states) if one[0] == "violation"] == []


def test_view_lost_in_the_round_makes_it_partial_and_names_it(felt: Felt) -> None:
    felt.bets({1: "25"}).deal({1: "Th 9c"}, dealer="Td 8s").lost().turn().pay(1, "25").collect(1).pick_up()
    (one,) = audited(felt).rounds
    assert one.observed.status.value == "partial"
    assert "view lost (blocked)" in one.observed.missing[0]
    (gap,) = [finding for finding in one.findings if "view lost" in finding.observed]
    assert gap.verdict.value == "undetermined"
    assert "P241" in gap.procedures


def test_round_running_at_the_start_is_partial_and_the_next_is_clean(felt: Felt) -> None:
    felt.bets({1: "25"}).deal({1: "Th 9c"}, dealer="Td 8s")
    begun = len(felt.states) - 1
    felt.turn().pay(1, "25").collect(1).pick_up()
    felt.bets({1: "50"}).deal({1: "Th 9c"}, dealer="Td 8s").turn().pay(1, "50").collect(1).pick_up()
    first, second = audited(felt.states[begun:]).rounds
    assert first.observed.status.value == "partial"
    assert "already running" in first.observed.missing[0]
    assert second.observed.status.value == "complete"
    assert [str(wager.amount) for wager in second.observed.round.wagers] == ["50"]


def test_no_states_give_no_rounds() -> None:
    assert audited([]).rounds == ()


def test_empty_table_gives_no_rounds(felt: Felt) -> None:
    assert audited(felt.snap().snap()).rounds == ()


def test_changes_on_both_sides_of_a_momentary_state_have_a_certain_order() -> None:
    states = [TableState(span=Span.of(first, last)) for first, last in ((0, 100), (200, 200), (300, 400))]
    early, late = change_between(states, 0, 1, ()), change_between(states, 1, 2, ())
    assert (early.seen, late.seen) == (Span.of(101, 200), Span.of(201, 300))
    assert early.seen.certainly_before(late.seen)
