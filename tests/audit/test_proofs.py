"""What was proved before the rack tells how many cheques a payment has (004:L73-95)."""

from __future__ import annotations

import pytest

from audit.pipeline import audit_states
from audit.readings import RECOGNISED, Thresholds
from tests.audit.pairs.deal import table
from tests.notation import Felt, doubtful_stack

NINE, TEN = ("red",) * 9, ("red",) * 10


def paid_ten(*heights: int, left: bool = False) -> Felt:
    """Ten reds win as many, after piles of so many were shown before the rack; the payment is likelier nine."""
    felt = table().bets({2: " ".join(["green", "green"])}).deal({2: "Th 9c"}, dealer="Td 8s").turn()
    felt.hand("dealer", "rack")
    for place, height in enumerate(heights):
        felt.put_chips(f"cut.{place}", " ".join(["red"] * height), (-110.0 - 44.0 * place, 32.0))
    felt.snap()
    for name in felt.names("cut.") if not left else ():
        felt.remove(name)
    return felt.pay(2, " ".join(TEN)).collect(2).pick_up()


def suspicion(felt: Felt, thresholds: Thresholds = RECOGNISED) -> float:
    """How likely the payment is said to be wrong."""
    states = doubtful_stack(felt.states, TEN, {NINE: 0.95, TEN: 0.04})
    (one,) = audit_states(states, felt.profile, thresholds=thresholds).rounds
    return max((it.probability for it in one.findings if it.code == "pay-amount"), default=0.0)


def test_payment_that_was_proved_is_as_high_as_its_proof() -> None:
    assert suspicion(paid_ten(5, 5)) < suspicion(paid_ten()) / 4


@pytest.mark.parametrize(("heights", "left"), [((4, 3), False), ((5, 5), True)])
def test_cheques_that_are_not_the_payment_say_nothing_of_it(heights: tuple[int, ...], left: bool) -> None:
    assert suspicion(paid_ten(*heights, left=left)) == pytest.approx(suspicion(paid_ten()), abs=0.02)


def test_readings_taken_as_they_are_stay_so() -> None:
    assert suspicion(paid_ten(5, 5), Thresholds()) == pytest.approx(suspicion(paid_ten(), Thresholds()))
