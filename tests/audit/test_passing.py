"""Arms that pass between the camera and the table: while such are about, hands alone accuse nobody."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.findings import Verdict
from audit.pipeline import audit_states
from audit.procedures.passing import passing_arms
from audit.readings import RECOGNISED, Thresholds
from audit.reconstruction.places import Places
from audit.states import HandSeen, TableState, hands_in_their_gaps
from audit.timing import Span
from tests.audit.pairs.hands import handled, pushed_card, reaching, resting
from tests.notation import Felt

SEVERAL = ("seat1.cards", "seat2.main", "seat2.cards")
MINUTE_MS = 60_000


def told(felt: Felt, procedure: str, limits: Thresholds = RECOGNISED) -> list[tuple[Verdict, str]]:
    """Every finding of a procedure, in rounds or outside, with what it observed."""
    result = audit_states(felt.states, felt.profile, thresholds=limits)
    findings = [one for round_ in result.rounds for one in round_.findings] + list(result.findings)
    return [(one.verdict, one.observed) for one in findings if procedure in one.procedures]


def passed_after(felt: Felt, ms: int, *zones: str, seat: int = 2) -> Felt:
    """The same scene, so long after whose end an arm is over some zones, and nothing changes."""
    end = felt.states[-1]
    hands = (
        HandSeen(side="player", seat=seat, zones=zones, span=Span.of(end.span.last + ms, end.span.last + ms + 900)),
    )
    felt.states.append(replace(end, span=Span.of(end.span.last + ms + 1000), hands=hands))
    return felt


SCENES = {
    "P202": lambda: reaching("rack"),
    "P203": lambda: reaching("dealer.cards"),
    "P195": lambda: resting(still=True),
}
ARMS = "whether the arm was over the table: arms passed before the camera"


@pytest.mark.parametrize("procedure", SCENES)
def test_a_hand_alone_is_suspect_where_no_arm_passed(procedure: str) -> None:
    felt = passed_after(SCENES[procedure](), MINUTE_MS, "seat2.cards", "seat2.main")
    assert [verdict for verdict, _ in told(felt, procedure)] == [Verdict.SUSPECT]


@pytest.mark.parametrize("procedure", SCENES)
def test_a_hand_alone_is_undetermined_while_arms_pass(procedure: str) -> None:
    felt = passed_after(SCENES[procedure](), MINUTE_MS, *SEVERAL)
    assert told(felt, procedure) == [(Verdict.UNDETERMINED, ARMS)]


@pytest.mark.parametrize("procedure", SCENES)
def test_arms_that_passed_long_after_leave_a_hand_suspect(procedure: str) -> None:
    felt = passed_after(SCENES[procedure](), 20 * MINUTE_MS, *SEVERAL)
    assert [verdict for verdict, _ in told(felt, procedure)] == [Verdict.SUSPECT]


@pytest.mark.parametrize("procedure", SCENES)
def test_states_that_are_sure_of_their_hands_are_taken_at_their_word(procedure: str) -> None:
    felt = passed_after(SCENES[procedure](), MINUTE_MS, *SEVERAL)
    assert [verdict for verdict, _ in told(felt, procedure, Thresholds())] == [Verdict.VIOLATION]


def test_a_hand_on_the_bet_with_the_dealer_s_arm_there_is_not_known_whose() -> None:
    felt = resting(still=True)
    felt.states = [
        replace(state, hands=tuple(_over_the_bet(hand) if hand.side == "dealer" else hand for hand in state.hands))
        for state in felt.states
    ]
    assert told(felt, "P195") == [(Verdict.UNDETERMINED, "whose arm it was: the dealer's was there too")]


def _over_the_bet(hand: HandSeen) -> HandSeen:
    return replace(hand, zones=(*hand.zones, "seat1.main"))


@pytest.mark.parametrize("scene", [lambda: handled("player"), lambda: pushed_card(60.0)])
def test_cards_that_went_while_an_arm_passed_accuse_nobody(scene: object) -> None:
    felt = scene()  # type: ignore[operator]  # a scene of the pairs
    assert {verdict for verdict, _ in told(felt, "P217")} == {Verdict.SUSPECT}
    felt.states = [
        replace(state, hands=(*state.hands, *(replace(hand, zones=SEVERAL) for hand in _players(state))))
        for state in felt.states
    ]
    assert {verdict for verdict, _ in told(felt, "P217")} == {Verdict.UNDETERMINED}


def _players(state: TableState) -> list[HandSeen]:
    return [hand for hand in state.hands if hand.side == "player" and "seat1.cards" in hand.zones]


def test_one_who_bets_on_a_neighbour_s_spot_passes_nothing(felt: Felt) -> None:
    felt.hand("player", "seat1.main", "seat2.main", seat=1)
    felt.put_chips("s2.main.1", "25", felt.at("seat2.main"))
    felt.snap()
    assert passing_arms(felt.states, Places(profile=felt.profile)) == ()
    assert len(passing_arms(passed_after(felt, 0, *SEVERAL).states, Places(profile=felt.profile))) == 1


def test_what_the_dealer_laid_there_is_not_the_arm_s_doing(felt: Felt) -> None:
    felt.hand("player", "seat1.main", "seat2.main", seat=1).hand("dealer", "seat2.main")
    felt.put_chips("s2.main.1", "25", felt.at("seat2.main"))
    assert len(passing_arms(felt.snap().states, Places(profile=felt.profile))) == 1


def test_arms_over_zones_one_after_the_other_pass_nothing(felt: Felt) -> None:
    felt.hand("player", "seat1.main", seat=1).hand("player", "seat2.main", seat=1).snap()
    assert passing_arms(felt.states, Places(profile=felt.profile)) == ()


def test_a_hand_that_came_after_its_state_is_told_by_the_next() -> None:
    """Seen under passing arms: a card that one look missed was lifted by the hand that came after that look."""
    early, late = (HandSeen(side="player", zones=("seat1.cards",), span=Span.of(at, at + 50)) for at in (900, 1300))
    states = [
        TableState(span=Span.of(1000, 1200), hands=(early, late)),
        TableState(span=Span.of(1500, 1600)),
        TableState(span=Span.of(1700, 1800), hands=(late,)),
    ]
    assert [state.hands for state in hands_in_their_gaps(states)] == [(early,), (late,), (late,)]
    assert [list(hands_in_their_gaps(states[:n])) for n in (0, 1)] == [[], states[:1]]


def test_a_hand_on_the_bet_tells_nothing_where_the_first_card_lay_there_when_the_view_began() -> None:
    felt = resting(still=True)
    first = next(n for n, state in enumerate(felt.states) if any(one.kind == "card" for one in state.objects))
    felt.states = felt.states[first:]
    assert Verdict.VIOLATION not in [verdict for verdict, _ in told(felt, "P195", Thresholds())]
