"""A bet of several colours that is broken down is worth what it was, though its piles hide one another (004:L740)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.states import StackCandidate
from tests.audit.asking import accused
from tests.notation import Felt

BET = "green green red red red white white"


def broken_down(felt: Felt, *zones: str) -> Felt:
    """Greens and reds touch and are hardly read; the whites stand apart; each colour is paid beside."""
    felt.bets({1: BET}).deal({1: "Th 9c"}, dealer="Td 7s").turn().hand("dealer", "seat1.main", *zones)
    wager = felt.things["s1.main.1"]
    hardly = (StackCandidate(stack=("red",), p=0.46), StackCandidate(stack=("black", "red"), p=0.1))
    felt.things["s1.main.1"] = replace(wager, stack=None, stacks=hardly)
    felt.put_chips("s1.whites", "white white", felt.at("seat1.main", 0.0, 62.0))
    felt.snap()
    for place, colours in enumerate(("green green", "red red red", "white white")):
        felt.hand("dealer", "rack", "seat1.main")
        felt.put_chips(f"s1.pay.{place}", colours, felt.at("seat1.main", 46.0, 46.0 * place - 30.0))
        felt.snap()
    for name in [*felt.names("s1.main"), *felt.names("s1.pay"), "s1.whites"]:
        felt.remove(name)
    return felt.hand("player", "seat1.main", seat=1).snap().pick_up()


@pytest.mark.parametrize(("zones", "told"), [((), False), (("rack",), True)])
def test_what_is_broken_down_without_the_rack_is_neither_paid_nor_taken(
    felt: Felt, zones: tuple[str, ...], told: bool
) -> None:
    assert any(procedure == "P280" for _, procedure, _ in accused(broken_down(felt, *zones))) is told
