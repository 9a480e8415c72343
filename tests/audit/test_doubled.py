"""Things that one look lists twice: they are one, and nobody had a card or a pile too many."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.reconstruction.doubled import without_doubles
from audit.states import SeenObject, TableState
from audit.timing import Span
from tests.audit.asking import accused, only_round
from tests.audit.pairs.deal import push, start, table
from tests.notation import Felt


def look(*objects: SeenObject, first: int = 0) -> TableState:
    return TableState(span=Span.of(first, first + 500), objects=objects)


def card(code: str, x: float, **candidates: float) -> SeenObject:
    return SeenObject(kind="card", xy_mm=(x, 100.0), angle_deg=0.0, card=code, candidates=candidates)


def pile(x: float, count: int = 3) -> SeenObject:
    return SeenObject(kind="chips", xy_mm=(x, 400.0), stack=("red",) * count)


def left(*states: TableState) -> list[int]:
    return [len(state.objects) for state in without_doubles(states)]


@pytest.mark.parametrize(("apart", "cards"), [(10.0, 1), (40.0, 2)])
def test_two_readings_of_one_face_a_little_apart_are_one_card(apart: float, cards: int) -> None:
    assert left(look(card("4s", 0.0), card("4s", apart))) == [cards]
    assert left(look(card("4s", 0.0), card("5s", apart))) == [2]


def test_the_one_that_lay_there_before_is_kept() -> None:
    lay = look(card("4s", 0.0))
    _, after = without_doubles([lay, look(card("4s", 14.0 + 4.0), card("4s", 4.0), first=1000)])
    assert [item.xy_mm[0] for item in after.objects] == [4.0]


def test_two_piles_in_one_place_are_one_if_the_looks_around_show_one() -> None:
    one, two = look(pile(0.0)), look(pile(0.0), pile(12.0))
    assert left(one, two, one) == [1, 1, 1]
    assert left(one, two, two) == [1, 2, 2]
    assert left(two) == [2]
    assert left(one, look(pile(0.0), pile(12.0, 2)), one) == [1, 2, 1]


def test_cards_of_one_face_that_are_spread_side_by_side_stay() -> None:
    spread = look(*(card("4s", 12.0 * n) for n in range(60)))
    assert left(spread) == [60]


def listed_twice(felt: Felt, code: str, place: int) -> Felt:
    """The first card with a face is listed twice in the look that comes so many after it."""
    first = next(n for n, state in enumerate(felt.states) if any(item.card == code for item in state.objects))
    state = felt.states[first + place]
    (item,) = [item for item in state.objects if item.card == code]
    twin = replace(item, xy_mm=(item.xy_mm[0] + 9.0, item.xy_mm[1] - 4.0))
    felt.states[first + place] = replace(state, objects=(*state.objects, twin))
    return felt


def test_dealers_card_and_a_players_listed_twice_in_one_look_change_nothing() -> None:
    """P254, P256, P298: neither drew a card that nobody dealt."""
    for code, place in (("8s", 1), ("Th", 2)):
        felt = push(start(table(), {1: "Th 8c"}, "Td 8s").snap().snap())
        assert accused(listed_twice(felt, code, place)) == []
        assert len(only_round(felt).observed.round.dealer) == 2


@pytest.mark.parametrize("seen", [True, False])
def test_pair_that_was_split_while_looks_were_missing_is_split_though_only_the_players_hand_was_seen(
    *, seen: bool
) -> None:
    """P317, P319: a card came in that gap as well, so the dealer's hand was there unseen."""
    felt = start(table(), {1: "8h 8c"}, "6d Ts").hand("player", "seat1.main", seat=1)
    felt.put_chips("s1.main.2", "10", felt.at("seat1.main", 42.0))
    if seen:
        felt.hand("dealer", "seat1.cards")
    for name, right in (("s1.h1.0", -70.0), ("s1.h1.1", 70.0)):
        felt.things[name] = replace(felt.things[name], xy_mm=felt.at("seat1.cards", right, 20.0))
    felt.things["s1.h2.0"] = felt.things.pop("s1.h1.1")
    felt.hand("player", "seat1.cards", seat=1)
    felt.now += 5_000
    felt.put_card("s1.h1.1", "Th", felt.at("seat1.cards", -60.0, -40.0), 0.0)
    felt.snap().hit(1, "Tc", hand=2)
    assert len(only_round(felt.turn().dealer_hits("9s").pick_up()).observed.round.seats[1].hands) == 2
