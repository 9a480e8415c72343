"""Right scenes of every procedure as a troubled camera shows them: whatever is not seen, nobody is accused."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from audit.pipeline import audit_states
from audit.states import TableState
from audit.table import TableProfile
from tests.audit.pairs.pair import Pair
from tests.audit.pairs.whole_shoes import blackjack, shuffled_round
from tests.audit.test_every_procedure import PAIRS
from tests.notation import covering, doubtful, jittered, merged, unread

LONG = frozenset({"P002", "P039", "P063", "P142", "P143", "P397"})
SCENES = [pair for pair in PAIRS if pair.procedure not in LONG]
JACKPOT = next(place for place, pair in enumerate(SCENES) if "a jackpot of a small meter" in pair.error)
TROUBLED = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@cache
def right(place: int) -> tuple[TableProfile, tuple[TableState, ...]]:
    felt = SCENES[place].right()
    return felt.profile, tuple(felt.states)


@cache
def wrong(place: int) -> tuple[TableProfile, tuple[TableState, ...]]:
    felt = SCENES[place].wrong()
    return felt.profile, tuple(felt.states)


def place_of(error: str) -> int:
    return next(place for place, pair in enumerate(SCENES) if pair.error.startswith(error))


def violations(states: list[TableState], profile: TableProfile) -> list[frozenset[str]]:
    result = audit_states(states, profile)
    findings = [one for round_ in result.rounds for one in round_.findings] + list(result.findings)
    return [frozenset(one.procedures) for one in findings if one.verdict.value == "violation"]


scenes = st.integers(0, len(SCENES) - 1)


@TROUBLED
@given(place=scenes, seed=st.integers(0, 10_000))
def test_jitter_accuses_nobody(place: int, seed: int) -> None:
    profile, states = right(place)
    assert violations(jittered(states, seed), profile) == []


@TROUBLED
@example(place=place_of("a settled player's cards away"), dropped={3, 4, 5})
@example(place=place_of("a second card without an ante"), dropped={1, 2, 3})
@example(place=place_of("the double card of a split hand upright"), dropped={4, 5})
@example(place=place_of("the ace on a split ten upright"), dropped={3, 4, 5})
@example(place=place_of("the double of a split hand to the left"), dropped={4, 5, 6})
@example(place=place_of("a winning toke left for the next round"), dropped={13, 14, 15})
@example(place=place_of("Trilux taken by the exposed hole card"), dropped={2, 6, 8})
@given(place=scenes, dropped=st.sets(st.integers(1, 40), max_size=3))
def test_states_that_never_settled_accuse_nobody(place: int, dropped: set[int]) -> None:
    profile, states = right(place)
    if not any(item.kind == "dice_cup" for state in states for item in state.objects):  # its shakes belong to a state
        assert violations(merged(states, dropped), profile) == []


@TROUBLED
@example(place=place_of("75 for a hundred"), index=1, zone=16)  # cheques out beside the ace finder
@example(place=place_of("cheques left before the rack, where none lay"), index=20, zone=4)
@example(place=place_of("thirty hundreds at once"), index=22, zone=4)
@example(place=place_of("a hundred in green for a bill that came folded"), index=2, zone=3)
@example(place=place_of("a side wager taken after the look"), index=33, zone=33)  # his cards at the ace finder
@given(place=scenes, index=st.integers(1, 40), zone=st.integers(0, 40))
def test_covered_zones_accuse_nobody(place: int, index: int, zone: int) -> None:
    profile, states = right(place)
    name = profile.zones[zone % len(profile.zones)].name
    assert violations(covering(states, 1 + index % (len(states) - 2), profile, name), profile) == []


@TROUBLED
@example(place=place_of("a push by the white dice paid"), first=3, zone="dice")
@example(place=place_of("a double's card face down"), first=10, zone="seat2.cards")
@example(place=place_of("a double's cheques after its card"), first=4, zone="seat1.cards")
@example(place=place_of("seven reds in one stack in a round"), first=8, zone="seat2.main")
@example(place=place_of("thirty reds set down uncut"), first=7, zone="seat2.main")
@example(place=place_of("craps without the ante a skill game"), first=2, zone="seat2.craps")
@example(place=place_of("the burn card shown"), first=5, zone="seat1.cards")
@example(place=place_of("the dealer cuts and no player was asked"), first=9, zone="discard")
@example(place=place_of("a toke and its payment changed"), first=8, zone="seat2.toke")
@example(place=place_of("a progressive paid after the next"), first=9, zone="seat3.blazing7")
@example(place=place_of("a jackpot paid before the round"), first=3, zone="seat1.blazing7")
@example(place=place_of("the toke not before the left"), first=4, zone="seat2.main")
@given(place=scenes, first=st.integers(1, 40), zone=st.integers(0, 40))
def test_a_place_that_stays_covered_accuses_nobody(place: int, first: int, zone: int | str) -> None:
    """Dicey 21, 60 s: a lost wager of which nothing was seen from before the dice on was told as left."""
    profile, states = right(place)
    spots = [one.name for one in profile.zones if one.bet is not None]
    name, felt = zone if isinstance(zone, str) else spots[zone % len(spots)], list(states)
    for at in range(1 + (first - 1) % (len(states) - 2), len(states)):
        felt = covering(felt, at, profile, name)
    assert violations(felt, profile) == []


@TROUBLED
@example(place=place_of("one row on a dead game"), index=39, gone=4)  # then the cards are spread
@example(place=place_of("cheques before the rack at the next first card"), index=9, gone=9)  # the same cards again
@example(place=place_of("the dealer cuts and no player was asked"), index=7, gone=10)  # the view is back in the shuffle
@example(place=place_of("the dealer cuts and no player was asked"), index=10, gone=7)
@example(place=place_of("full stacks before the first round, none run down"), index=2, gone=1)  # the proof of a count
@example(place=place_of("insurance paid after the other seat was taken"), index=10, gone=4)  # a payment there before
@example(place=place_of("seven reds in one stack in a round"), index=2, gone=8)  # the lost wager they were
@example(place=place_of("a bill across as cheques are set out for it"), index=1, gone=10)  # before it was turned
@example(place=JACKPOT, index=1, gone=2)  # the wager of the jackpot was not seen
@example(place=JACKPOT, index=4, gone=6)  # nor the dealer's cards
@given(place=scenes, index=st.integers(1, 40), gone=st.integers(1, 10))
def test_lost_views_and_cuts_accuse_nobody(place: int, index: int, gone: int) -> None:
    profile, states = right(place)
    cut = 1 + index % (len(states) - 2)
    lost = replace(states[cut], objects=(), hands=(), view="lost", reason="cut")
    assert violations([*states[:cut], lost, *states[cut + gone :]], profile) == []


@TROUBLED
@example(place=next(n for n, pair in enumerate(SCENES) if pair.procedure == "P288"), index=33)  # hands built up again
@example(
    place=place_of("a seat's hand built up before the dealer's"), index=13
)  # it begins before they are built up again
@example(place=place_of("seven reds in one stack in a round"), index=8)  # with cheques before the rack
@given(place=scenes, index=st.integers(1, 40))
def test_a_view_that_begins_in_a_round_accuses_nobody(place: int, index: int) -> None:
    profile, states = right(place)
    assert violations(list(states[1 + index % (len(states) - 2) :]), profile) == []


@TROUBLED
@example(
    place=place_of("a card drawn after the blackjack was turned over"), card=4, other="Kh"
)  # the up card may make a blackjack of the ace under it
@example(place=place_of("a used card laid beside another seat's"), card=0, other="2c")  # which it may be, unread
@given(place=scenes, card=st.integers(0, 30), other=st.sampled_from(["2c", "5h", "9s", "Kh", "Ah", "7h", "Td"]))
def test_unread_card_gives_no_violation_that_an_allowed_reading_contradicts(place: int, card: int, other: str) -> None:
    profile, states = wrong(place)
    codes = sorted({item.card for state in states for item in state.objects if item.card})
    code = codes[card % len(codes)]
    possible = {number for ids in violations(doubtful(states, code, {other: 1.0}), profile) for number in ids}
    for ids in violations(unread(states, code), profile):
        assert ids & possible, (SCENES[place].procedure, code, other)


def test_burn_card_while_the_view_was_lost_accuses_nobody() -> None:
    place = next(place for place, pair in enumerate(SCENES) if pair.procedure == "P418")
    profile, states = right(place)
    lost = [replace(states[cut], objects=(), hands=(), view="lost", reason="cut") for cut in range(len(states))]
    for cut in range(1, len(states) - 2):
        assert violations([*states[:cut], lost[cut], *states[cut + 2 :]], profile) == []


def test_cards_laid_down_to_be_shuffled_as_the_last_are_picked_up_are_none_of_the_dealers() -> None:
    felt = shuffled_round(blackjack(seats=2))
    assert violations(merged(felt.states, {14, 15}), felt.profile) == []


def test_every_scene_is_a_pair() -> None:
    assert all(isinstance(scene, Pair) for scene in SCENES)
    assert len(SCENES) > 150
