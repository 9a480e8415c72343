"""The bankroll counted in several goes and colours, with short stacks: P340, P348, P352 (004:L896, L935-957)."""

from __future__ import annotations

import pytest

from tests.audit.asking import accused
from tests.audit.pairs.bankroll import BLACK_X, FIVES, LAYOUT, RACK
from tests.audit.pairs.money import push, put_pile, table
from tests.audit.pairs.pair import change, put
from tests.notation import Felt

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
