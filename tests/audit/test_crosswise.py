"""Hands of a split that are right together, one paid what the other lacks: a suspicion."""

from __future__ import annotations

import pytest

from tests.audit.asking import accused
from tests.audit.test_splits import both_won
from tests.notation import Felt


def test_payments_beside_one_wager_of_a_split_leave_the_other_unpaid() -> None:
    """He has what is due to him in all: a suspicion."""
    assert ("suspect", "P281", "-25.00") in accused(both_won(("25", -70.0), ("25", -92.0)))


@pytest.mark.parametrize(
    ("paid", "told"),
    [
        ("", ["violation"]),
        ("20", ["suspect", "suspect"]),
        ("25", ["violation", "violation"]),
    ],
)
def test_equal_wagers_of_a_split_settled_one_as_the_other_are_suspected(felt: Felt, paid: str, told: list[str]) -> None:
    """Twenty wins and eighteen pushes; beside the wager of the eighteen as much is paid, or more, or nothing."""
    felt.bets({2: "20"}).deal({2: "8c 8d"}, dealer="Td 8s").split(2, "20").hit(2, "2d Th").hit(2, "Tc", hand=2).turn()
    if paid:
        felt.pay(2, paid, beside="main.2")
    felt.collect(2).pick_up()
    found_ = [one for one in accused(felt) if one[1] == "P281"]
    assert [one[0] for one in found_] == told
