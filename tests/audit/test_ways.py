"""A way to lay cards, kept to in many rounds of a run, is told once."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import pytest

from tests.audit.asking import audited
from tests.audit.pairs.deal import table
from tests.audit.pairs.rounds import shown
from tests.notation import Felt


def rounds(number: int, near: Collection[int]) -> Felt:
    """So many rounds in a row; in some the second card lies nearly on the first."""
    felt = table()
    for place in range(number):
        felt.bets({1: "10"}).card(1, "Th").dealer_card("up", "back", -250.0).card(1, "Qc", snap=False)
        first, second = felt.names("s1.h1.")
        x, y = felt.things[first].xy_mm
        if place in near:
            felt.things[second] = replace(felt.things[second], xy_mm=(x - 4.0, y - 16.0))
        shown(felt.snap()).turn().pat(1).collect(1).pick_up()
    return felt


@pytest.mark.parametrize(
    ("number", "near", "told"),
    [
        (4, (0, 1, 3), [[", and so in 2 of the 3 rounds after it"], [], [], []]),
        (2, (0, 1), [[""], [""]]),
        (3, (1,), [[], [""], []]),
    ],
)
def test_cards_laid_over_others_round_after_round_are_told_once(
    number: int, near: Collection[int], told: list[list[str]]
) -> None:
    """004:L533: in two rounds, or in one, they are told each time."""
    result = audited(rounds(number, near))
    found = [[one for one in each.findings if "P185" in one.procedures] for each in result.rounds]
    assert [[one.observed.partition(" of Th")[2] for one in each] for each in found] == told
