"""The bankroll counted in several goes and colours, with short stacks: P340, P348, P352 (004:L896, L935-957)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.pipeline import audit_states
from audit.states import SeenObject
from tests.audit.asking import accused
from tests.audit.pairs.bankroll import BLACK_X, FIVES, LAYOUT, RACK
from tests.audit.pairs.money import push, put_pile, table
from tests.audit.pairs.pair import change, put
from tests.notation import Felt, doubtful_stack

FOURS = (4, 4, 4, 4, 4)
Look = tuple[tuple[str, tuple[int, ...]], ...]


def looked_at(felt: Felt, looks: tuple[Look, ...]) -> Felt:
    """Stacks stand before the rack, look by look, and go back."""
    for look in looks:
        felt.hand("dealer", "rack")
        for name in felt.names("cut."):
            felt.remove(name)
        stacks = [(colour, height) for colour, heights in look for height in heights]
        for place, (colour, height) in enumerate(stacks):
            put_pile(felt, f"cut.{place}", colour, height, 41.0 * place - 190.0)
        felt.snap()
    felt.hand("dealer", "rack")
    for name in felt.names("cut."):
        felt.remove(name)
    return felt


def filled(*looks: Look, highest: str = "black") -> Felt:
    felt = table()
    put(felt, "tube", "rack_tube", (BLACK_X, -80.0), colour=highest, count=20)
    felt.snap()
    put(felt, "carrier", "carrier", (0.0, 300.0))
    change(looked_at(felt.snap(), looks), "tube", extra={"count": 40})
    felt.snap().hand("dealer", "dealer.cards").remove("carrier")
    return push(felt.snap())


def opened(*looks: Look, highest: str = "black") -> Felt:
    felt = table()
    put(felt, "cover", "float_cover", RACK)
    felt.snap().hand("dealer", "rack").remove("cover")
    put(felt, "tube", "rack_tube", (BLACK_X, -80.0), colour=highest, count=40)
    return push(looked_at(felt.snap(), looks).snap())


def closed(*looks: Look) -> Felt:
    felt = push(table())
    for place in (RACK, LAYOUT):
        felt.hand("dealer", "rack")
        put(felt, "cover", "float_cover", place)
        felt.snap()
    looked_at(felt, looks).snap().hand("dealer", "rack")
    put(felt, "cover", "float_cover", RACK)
    return felt.snap()


RIGHT = {
    "a fill shown whole, then cut": lambda: filled((("black", (20,)),), (("black", FIVES),)),
    "a fill of two stacks, one of them cut": lambda: filled((("black", (20, *FIVES)),)),
    "a fill of greens, in fours": lambda: filled((("green", FOURS),), highest="green"),
    "a fill with a short stack": lambda: filled((("red", FIVES),), (("red", (20, 5, 5)),), highest="red"),
    "an opening with lower colours aligned": lambda: opened((("black", FIVES),), (("black", (20,)), ("red", (20, 20)))),
    "an opening with purples": lambda: opened((("purple", FOURS),), (("purple", (20,)), ("black", (20,)))),
    "a closing with a remainder": lambda: closed((("black", FIVES),), (("black", (20, 3, 3, 1)),)),
    "a closing with all at once": lambda: closed((("black", (*FIVES, 3, 3, 1)),), (("red", FIVES),)),
}
WRONG = {
    "P340": lambda: filled((("black", (20, 20)),)),
    "P348": lambda: opened((("red", FIVES),), (("black", (20, 20)),)),
    "P352": lambda: closed((("black", (20, 20)),), (("red", FIVES),)),
}


@pytest.mark.parametrize("name", RIGHT)
def test_highest_stack_cut_down_in_any_look_is_proved(name: str) -> None:
    assert accused(RIGHT[name]()) == []


@pytest.mark.parametrize("procedure", WRONG)
def test_highest_stack_cut_down_in_no_look_is_told_though_a_lower_one_was(procedure: str) -> None:
    assert accused(WRONG[procedure]()) == [("violation", procedure, None)]


@pytest.mark.parametrize(("p", "told"), [(0.55, []), (1.0, ["P340"])])
def test_stack_of_which_a_part_was_perhaps_misread_was_perhaps_cut_down(p: float, told: list[str]) -> None:
    felt = filled((("black", (20, *FIVES[1:], 4)),))
    four = ("black",) * 4
    states = doubtful_stack(felt.states, four, {four: p, (*four, "black"): 0.95 - p} if p < 1.0 else {four: p})
    findings = audit_states(states, felt.profile).findings
    assert [one.procedures[0] for one in findings if one.code == "not-proved"] == told


def test_count_read_less_surely_is_a_count() -> None:
    """A stack that stands whole beside another and one that was cut down is no row of forty."""
    felt = looked_at(push(table()), ((("green", (20, 20, 20)),), (("green", (20, 20, *FOURS)),))).snap()
    pile = ("green",) * 20
    unsure = doubtful_stack(felt.states, pile, {pile: 0.98, pile[1:]: 0.02})
    first = next(one for state in unsure for one in state.objects if one.stack == pile)
    states = [
        replace(state, objects=tuple(_surely(one) if one.xy_mm == first.xy_mm else one for one in state.objects))
        for state in unsure
    ]
    assert "P110" not in {number for one in audit_states(states, felt.profile).findings for number in one.procedures}


def _surely(pile: SeenObject) -> SeenObject:
    return replace(pile, stacks=())


@pytest.mark.parametrize(
    ("came", "went", "heights", "told"),
    [
        ("dealer.cards", "rack", (20,), ["P340"]),
        ("rack", "dealer.cards", (20,), ["P343"]),
        ("dealer.cards", "rack", FIVES, []),
        ("rack", "dealer.cards", FIVES, []),
        ("rack", "rack", (20,), []),
    ],
)
def test_without_tubes_the_dealers_hand_tells_a_fill_from_a_credit(
    came: str, went: str, heights: tuple[int, ...], told: list[str]
) -> None:
    felt = table().snap()
    put(felt, "carrier", "carrier", (-253.0, 60.0))
    felt.snap().hand("dealer", came)
    for place, height in enumerate(heights):
        put_pile(felt, f"cut.{place}", "black", height, -60.0 + 41.0 * place)
    felt.snap().hand("dealer", went)
    for name in felt.names("cut."):
        felt.remove(name)
    felt.snap().remove("carrier")
    assert accused(push(felt.snap())) == [("suspect", one, None) for one in told]


@pytest.mark.parametrize(
    ("moved", "told"),
    [("", False), ("from bank", True), ("to bank", True), ("unread bank", True), ("one look", False)],
)
def test_count_that_begins_as_a_player_collects_what_he_won_is_a_count(moved: str, *, told: bool) -> None:
    """A player's hand in that gap brought nothing if the cheques elsewhere are as many before, then and after."""
    felt = push(table())
    put_pile(felt, "won", "black", 4, 300.0, 600.0)
    put_pile(felt, "bank", "black", 20, 500.0, 700.0)
    if moved == "unread bank":
        felt.things["bank"] = replace(felt.things["bank"], stack=None)
    felt.snap().hand("player", "seat2.main", seat=2).remove("won")
    put_pile(felt, "own", "black", 4, 400.0, 700.0)
    if moved.endswith("from bank") or moved == "unread bank":
        felt.remove("bank")
    felt.hand("dealer")
    for place in range(2):
        put_pile(felt, f"whole.{place}", "red", 20, -100.0 + 41.0 * place)
    felt.snap().hand("dealer", "rack")
    for name in felt.names("whole."):
        felt.remove(name)
    if moved == "to bank":
        put_pile(felt, "given", "black", 2, 540.0, 700.0)
    push(felt.snap())
    if moved == "one look":
        shows = [any(item.stack == ("red",) * 20 for item in state.objects) for state in felt.states]
        felt.states = felt.states[shows.index(True) :][:1]
    assert ("P108" in {number for _, number, _ in accused(felt)}) is told


@pytest.mark.parametrize(("zone", "told"), [("discard", []), ("seat1.cards", ["P108", "P110"])])
def test_bankroll_is_counted_beside_a_burnt_card_and_not_beside_cards_in_play(zone: str, told: list[str]) -> None:
    felt = push(table())
    felt.put_card("card", "back" if zone == "discard" else "9d", felt.at(zone), 0.0)
    looked_at(felt.snap(), ((("green", FOURS),), (("green", (20,)), ("red", (20, 20)))))
    felt.snap().snap().remove("card")
    assert [one[1] for one in accused(push(felt.snap())) if one[1] in ("P108", "P110")] == told
