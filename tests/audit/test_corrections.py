"""What a correction changes in the states, and what it leaves as it was."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.corrections import Correction, Reading, corrected, parse_reading
from audit.states import HandSeen, SeenObject, TableState
from audit.table import TableProfile, parse_profile
from audit.timing import Span

PROFILE: TableProfile = parse_profile(
    '[table]\nid = "T"\ngame = "blackjack"\nminimum = "5.00"\nmaximum = "500.00"\n'
    '[[zone]]\nname = "seat1.main"\npolygon_mm = [[-50, 300], [50, 300], [50, 400], [-50, 400]]\n'
)
CARD = SeenObject(kind="card", xy_mm=(0.0, 200.0), card="2c", candidates={"2c": 0.9, "Jc": 0.1})
PILE = SeenObject(kind="chips", xy_mm=(0.0, 350.0), stack=None)


def states(*contents: tuple[SeenObject, ...]) -> list[TableState]:
    return [TableState(span=Span.of(1000 * i, 1000 * i + 500), objects=items) for i, items in enumerate(contents)]


def cards(found: tuple[TableState, ...]) -> list[list[str | None]]:
    return [[item.card for item in state.objects] for state in found]


def is_jack(at_ms: int = 1000) -> Correction:
    return Correction(kind="card", at_ms=at_ms, xy_mm=(1.0, 201.0), reading=Reading(card="Jc"))


def test_no_correction_changes_nothing() -> None:
    seen = states((CARD,))
    assert corrected(seen, [], PROFILE) == tuple(seen)


def test_a_card_is_the_same_in_every_state_in_which_one_lies_there() -> None:
    moved = replace(CARD, xy_mm=(5.0, 204.0), card="Qd")
    found = corrected(states((), (CARD,), (moved,), (), (CARD,)), [is_jack()], PROFILE)
    assert cards(found) == [[], ["Jc"], ["Jc"], [], ["2c"]]
    assert found[1].objects[0].candidates == {}


def test_another_card_far_enough_away_is_left_as_it_is() -> None:
    other = replace(CARD, xy_mm=(30.0, 200.0))
    assert cards(corrected(states((CARD, other)), [is_jack(0)], PROFILE)) == [["Jc", "2c"]]


def test_a_moment_before_the_first_state_or_an_empty_place_changes_nothing() -> None:
    seen = states((), (CARD,))
    assert corrected(seen, [is_jack(0)], PROFILE) == tuple(seen)
    assert corrected([], [is_jack()], PROFILE) == ()


def test_a_view_that_was_lost_does_not_end_what_lies_there() -> None:
    seen = states((CARD,), (), (CARD,))
    seen[1] = replace(seen[1], view="lost", reason="dark")
    assert cards(corrected(seen, [is_jack(0)], PROFILE)) == [["Jc"], [], ["Jc"]]


def test_a_pile_that_nobody_reached_over_stays_the_same_pile() -> None:
    said = Correction(kind="chips", at_ms=1000, xy_mm=(0.0, 350.0), reading=Reading(stack=("red", "green")))
    found = corrected(states((PILE,), (PILE,), (PILE,)), [said], PROFILE)
    assert [state.objects[0].stack for state in found] == [("red", "green")] * 3


def test_a_hand_over_the_pile_ends_what_is_known_of_it() -> None:
    seen = states((PILE,), (PILE,), (PILE,))
    seen[2] = replace(seen[2], hands=(HandSeen(side="dealer", zones=("seat1.main",), span=Span.of(1600, 1900)),))
    said = Correction(kind="chips", at_ms=0, xy_mm=(0.0, 350.0), reading=Reading(stack=("red",)))
    assert [state.objects[0].stack for state in corrected(seen, [said], PROFILE)] == [("red",), ("red",), None]


def test_a_hand_over_another_zone_changes_nothing_about_the_pile() -> None:
    seen = states((PILE,), (PILE,))
    seen[1] = replace(seen[1], hands=(HandSeen(side="dealer", zones=("rack",), span=Span.of(600, 900)),))
    said = Correction(kind="chips", at_ms=0, xy_mm=(0.0, 350.0), reading=Reading(stack=("red",)))
    assert [state.objects[0].stack for state in corrected(seen, [said], PROFILE)] == [("red",), ("red",)]


def test_what_is_not_there_is_taken_out() -> None:
    said = Correction(kind="card", at_ms=0, xy_mm=(0.0, 200.0), reading=Reading(absent=True))
    assert cards(corrected(states((CARD, PILE), (CARD,)), [said], PROFILE)) == [[None], []]


@pytest.mark.parametrize(
    ("kind", "text", "reading"),
    [
        ("card", "td", Reading(card="Td")),
        ("card", "10H", Reading(card="Th")),
        ("card_back", "As", Reading(card="As")),
        ("die", "6", Reading(value=6)),
        ("chips", "2 red + 1 green", Reading(stack=("red", "red", "green"))),
        ("chips", "black, 2 red", Reading(stack=("black", "red", "red"))),
        ("chips", "nothing", Reading(absent=True)),
    ],
)
def test_readings_are_written_as_people_write_them(kind: str, text: str, reading: Reading) -> None:
    assert parse_reading(kind, text) == reading


@pytest.mark.parametrize(
    ("kind", "text", "message"),
    [
        ("card", "", "a card is a rank"),
        ("card", "1s", "a card is a rank"),
        ("die", "7", "a die shows 1 to 6"),
        ("chips", "5 mauve", "a pile is written"),
        ("chips", "-5 red", "a pile is written"),
        ("chips", "61 red", "a pile has 1 to 60 chips"),
        ("chips", "0 red", "a pile has 1 to 60 chips"),
        ("chips", "99999999999999999999 red", "a pile has 1 to 60 chips"),
        ("hand", "x", "can be corrected"),
    ],
)
def test_a_reading_that_is_none_is_refused_with_what_was_expected(kind: str, text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_reading(kind, text)
