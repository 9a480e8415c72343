"""What lies on the felt because a person says so: what was written, how long it lay there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.additions import in_the_way, lying, parse_added
from audit.corrections import Correction, Reading, corrected
from audit.states import HandSeen, SeenObject, TableState
from audit.table import TableProfile, parse_profile
from audit.timing import Span

PROFILE: TableProfile = parse_profile(
    '[table]\nid = "T"\ngame = "blackjack"\nminimum = "5.00"\nmaximum = "500.00"\n'
    '[[zone]]\nname = "seat1.main"\npolygon_mm = [[-50, 300], [50, 300], [50, 400], [-50, 400]]\n'
    '[[zone]]\nname = "seat1.cards"\npolygon_mm = [[-50, 100], [50, 100], [50, 200], [-50, 200]]\n'
)
MAIN, CARDS = PROFILE.zones
NINE = SeenObject(kind="card", xy_mm=(0.0, 150.0), card="9c")


def state(i: int, *items: SeenObject, by: str | None = None, over: str = "seat1.cards", view: str = "ok") -> TableState:
    """The i-th state, of half a second in each second; a hand of a side reached over a zone before it."""
    hand = HandSeen(side=by or "", zones=(over,), span=Span.of(max(0, 1000 * i - 300), 1000 * i))
    return TableState(span=Span.of(1000 * i, 1000 * i + 500), objects=items, hands=(hand,) if by else (), view=view)


@pytest.mark.parametrize(
    ("text", "kind", "reading"),
    [
        ("td", "card", Reading(card="Td")),
        ("10h", "card", Reading(card="Th")),
        ("3", "die", Reading(value=3)),
        ("red 3", "die", Reading(value=3, colour="red")),
        ("3 red", "chips", Reading(stack=("red", "red", "red"))),
        ("1 green + 2 red", "chips", Reading(stack=("green", "red", "red"))),
    ],
)
def test_what_lies_there_is_told_by_how_it_is_written(text: str, kind: str, reading: Reading) -> None:
    assert parse_added(text) == (kind, reading)


@pytest.mark.parametrize("text", ["", "7", "nothing", "Xx", "red 7", "mauve"])
def test_what_is_no_card_die_or_pile_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        parse_added(text)


def test_a_card_lies_from_the_dealers_hand_until_the_zone_is_cleared() -> None:
    seen = [
        state(0),
        state(1, by="dealer"),
        state(2, by="player"),
        state(3, NINE, by="dealer"),
        state(4, NINE),
        state(5, by="dealer"),
        state(6),
    ]
    assert lying(seen, kind="card", at_ms=2400, zones=[CARDS]) == Span.of(1000, 4500)


def test_a_card_of_a_hand_whose_others_are_unseen_goes_with_the_next_hand_of_the_dealer() -> None:
    seen = [state(0, by="dealer"), state(1), state(2, by="dealer"), state(3)]
    assert lying(seen, kind="card", at_ms=900, zones=[CARDS]) == Span.of(0, 1500)
    assert lying(seen, kind="card", at_ms=1900, zones=[CARDS]) == Span.of(0, 1900)


def test_chips_lie_from_anybodys_hand_until_the_dealers() -> None:
    seen = [
        state(0),
        state(1, by="player", over="seat1.main"),
        state(2, by="dealer", over="seat1.cards"),
        state(3, by="player", over="seat1.main"),
        state(4, by="dealer", over="seat1.main"),
    ]
    assert lying(seen, kind="chips", at_ms=2000, zones=[MAIN]) == Span.of(1000, 3500)


def test_nothing_is_said_of_a_moment_before_the_first_state_or_of_a_lost_view() -> None:
    assert lying([state(1)], kind="card", at_ms=500, zones=[CARDS]) is None
    assert lying([state(1, view="lost")], kind="card", at_ms=1500, zones=[CARDS]) is None


def test_a_card_that_was_seen_there_is_in_the_way_of_a_card_and_not_of_chips() -> None:
    back = SeenObject(kind="card_back", xy_mm=(0.0, 150.0))
    assert in_the_way(state(0, back), kind="card", place=(10.0, 150.0)) == back
    assert in_the_way(state(0, back), kind="card", place=(17.0, 150.0)) is None
    assert in_the_way(state(0, back), kind="chips", place=(0.0, 150.0)) is None


def added(text: str, *, until: int = 2500, place: tuple[float, float] = (0.0, 150.0)) -> Correction:
    kind, reading = parse_added(text)
    return Correction(kind=kind, at_ms=1000, xy_mm=place, reading=reading, lies=Span.of(1000, until), angle_deg=0.0)


def test_an_added_card_is_in_every_state_of_its_stretch_and_in_no_other() -> None:
    seen = [state(0), state(1), state(2, view="lost"), state(2), state(3)]
    found = corrected(seen, [added("Jc")], PROFILE)
    assert [[item.card for item in one.objects] for one in found] == [[], ["Jc"], [], ["Jc"], []]
    assert found[1].objects[0].extra == {"first_reading": {"absent": True}}


def test_where_recognition_saw_one_for_a_moment_there_are_not_two() -> None:
    found = corrected([state(1), state(2, replace(NINE, xy_mm=(4.0, 154.0)))], [added("Jc")], PROFILE)
    assert [[item.card for item in one.objects] for one in found] == [["Jc"], ["Jc"]]


def test_what_was_added_can_be_said_to_be_another_card_or_none() -> None:
    nothing = replace(added("Jc"), reading=Reading(absent=True))
    assert [item.card for item in corrected([state(1)], [added("Jc"), added("Qc")], PROFILE)[0].objects] == ["Qc"]
    assert corrected([state(1)], [added("Jc"), nothing], PROFILE)[0].objects == ()
    assert corrected([state(1)], [nothing], PROFILE)[0].objects == ()


def test_an_added_die_and_pile_read_as_they_were_written() -> None:
    die, pile = added("red 3"), added("2 green", place=(0.0, 350.0))
    seen = corrected([state(1)], [die, pile], PROFILE)[0].objects
    assert (seen[0].kind, seen[0].value, seen[0].colour) == ("die", 3, "red")
    assert (seen[1].kind, seen[1].stack) == ("chips", ("green", "green"))
