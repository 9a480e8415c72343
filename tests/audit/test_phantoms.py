"""What was never read may be no card and no wager: in footage a check of cards does not take it for certain."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from audit.findings import Verdict
from audit.pipeline import audit_states
from audit.readings import RECOGNISED, Thresholds
from audit.states import SeenObject, StackCandidate, TableState
from audit.timing import Span
from tests.audit.pairs.deal import second_seat_first
from tests.audit.pairs.money import beside
from tests.notation import Felt

Unread = Callable[[SeenObject], bool]
THINGS: dict[str, Unread] = {
    "card": lambda one: one.kind == "card" and one.card == "Ts",
    "wager": lambda one: one.kind == "chips",
    "nothing": lambda _: False,
}


def told(states: list[TableState], felt: Felt, which: Unread, limits: Thresholds | None) -> list[Verdict]:
    """What is said of the deal (P233) with some things unread."""
    blurred = [
        replace(state, objects=tuple(_unread(one) if which(one) else one for one in state.objects)) for state in states
    ]
    rounds = audit_states(blurred, felt.profile, thresholds=limits).rounds
    return [one.verdict for round_ in rounds for one in round_.findings if "P233" in one.procedures]


def _unread(one: SeenObject) -> SeenObject:
    return replace(one, card=None, candidates={}, stack=None, stacks=())


@pytest.mark.parametrize(
    ("unread", "limits", "verdict"),
    [
        ("nothing", RECOGNISED, Verdict.VIOLATION),
        ("card", RECOGNISED, Verdict.SUSPECT),
        ("card", None, Verdict.VIOLATION),
    ],
)
def test_an_order_that_rests_on_a_card_never_read_is_suspected(
    felt: Felt, unread: str, limits: Thresholds | None, verdict: Verdict
) -> None:
    second_seat_first(felt)
    assert told(felt.states, felt, THINGS[unread], limits) == [verdict]


@pytest.mark.parametrize(("p", "verdict"), [(0.55, Verdict.VIOLATION), (0.38, Verdict.SUSPECT)])
def test_an_order_that_rests_on_a_card_that_may_be_any_of_several_is_suspected(
    felt: Felt, p: float, verdict: Verdict
) -> None:
    """Two cards that overlapped had a third one's outline: an ace of clubs with 0.38 or of spades with 0.32."""
    second_seat_first(felt)
    several = [
        replace(
            state,
            objects=tuple(
                replace(one, card=None, candidates={one.card: p, "As": 0.8 * p}) if THINGS["card"](one) else one
                for one in state.objects
            ),
        )
        for state in felt.states
    ]
    assert told(several, felt, THINGS["nothing"], RECOGNISED) == [verdict]


@pytest.mark.parametrize(("unread", "verdict"), [("nothing", Verdict.VIOLATION), ("wager", Verdict.SUSPECT)])
def test_a_box_with_a_pile_never_read_is_not_skipped_for_certain(felt: Felt, unread: str, verdict: Verdict) -> None:
    felt.bets({1: "10", 2: "10"}).deal({1: "Th 8c"}, "9c 7h").pat(1).turn().dealer_hits("2d").collect(1).pick_up()
    assert told(felt.states, felt, THINGS[unread], RECOGNISED) == [verdict]


@pytest.mark.parametrize(("unread", "verdict"), [("nothing", Verdict.VIOLATION), ("card", Verdict.SUSPECT)])
def test_a_card_never_read_was_not_dealt_to_an_empty_box_for_certain(felt: Felt, unread: str, verdict: Verdict) -> None:
    felt.bets({2: "10"}).card(1, "Ts").deal({2: "Th 8c"}, "9c 7h").pat(2).turn().dealer_hits("2d").collect(2).pick_up()
    assert verdict in told(felt.states, felt, THINGS[unread], RECOGNISED)
    assert unread == "nothing" or Verdict.VIOLATION not in told(felt.states, felt, THINGS[unread], RECOGNISED)


@pytest.mark.parametrize(("seen", "verdict"), [(True, Verdict.VIOLATION), (False, Verdict.SUSPECT)])
def test_a_box_whose_wager_nobody_laid_down_is_not_skipped_for_certain(
    felt: Felt, *, seen: bool, verdict: Verdict
) -> None:
    felt.bets({1: "10", 2: "10"}).deal({1: "Th 8c"}, "9c 7h").pat(1).turn().dealer_hits("2d").collect(1).pick_up()
    states = [
        replace(state, hands=tuple(hand for hand in state.hands if seen or "seat2.main" not in hand.zones))
        for state in felt.states
    ]
    assert told(states, felt, THINGS["nothing"], RECOGNISED) == [verdict]


@pytest.mark.parametrize(("looks", "told"), [((0.6, 0.6), "suspect"), ((0.0, 0.0), None), ((0.6, 1.0), "violation")])
def test_pile_beside_the_rack_is_told_as_surely_as_it_was_read(looks: tuple[float, float], told: str | None) -> None:
    """Fingers that rest there have been a pink cheque, P201; the surest look counts."""
    felt = beside("chips", (455.0, 150.0))
    once = list(felt.states)
    shift = once[-1].span.last + 1000
    states: list[TableState] = []
    for round_, p in enumerate(looks):
        for state in once:
            items = tuple(_read_with(item, p) if item.xy_mm == (455.0, 150.0) else item for item in state.objects)
            hands = tuple(replace(hand, span=_later(hand.span, round_ * shift)) for hand in state.hands)
            states.append(replace(state, span=_later(state.span, round_ * shift), objects=items, hands=hands))
    findings = audit_states(states, felt.profile).findings
    verdicts = [one.verdict.value for one in findings if one.procedures[0] == "P201"]
    assert verdicts == ([] if told is None else [told])


def _read_with(item: SeenObject, p: float) -> SeenObject:
    if p == 1.0:
        return item
    stacks = (StackCandidate(stack=item.stack or (), p=p),) if p else ()
    return replace(item, stack=None, stacks=stacks)


def _later(span: Span, ms: int) -> Span:
    return Span.of(span.first + ms, span.last + ms)
