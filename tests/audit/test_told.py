"""A round's record: wagers and payments that go together, as long as that is far likelier than an error."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.findings import Verdict
from audit.money import parse_money
from audit.pipeline import AuditedRound, audit_states
from audit.procedures import joint
from audit.procedures.drafts import Case
from audit.readings import RECOGNISED
from audit.reconstruction.observation import SeenWager
from tests.notation import Felt, doubtful_stack

GREENS = ("green",) * 4


def paid_with(
    felt: Felt, payment: str, seen: dict[int, float], wager: tuple[str, ...] = GREENS, cards: str = "Th 9c"
) -> AuditedRound:
    """One seat wins with a wager and is paid so much; four green cheques may be read as other numbers."""
    felt.bets({1: " ".join(wager)}).deal({1: cards}, dealer="Td 8s").turn()
    felt.pay(1, payment).collect(1).pick_up()
    chances = {("green",) * number: p for number, p in seen.items()}
    states = doubtful_stack(felt.states, GREENS, chances) if seen else felt.states
    (one,) = audit_states(states, felt.profile, thresholds=RECOGNISED).rounds
    return one


def amounts(one: AuditedRound) -> tuple[list[float | None], list[float | None]]:
    wagers, pays = one.observed.round.wagers, one.observed.pays
    return [None if w.amount is None else float(w.amount) for w in wagers], [
        None if p.amount is None else float(p.amount) for p in pays
    ]


def test_wager_that_may_equal_what_was_paid_on_it_was_that(felt: Felt) -> None:
    one = paid_with(felt, "black", {3: 0.6, 4: 0.4})
    assert amounts(one) == ([100.0], [100.0])
    assert one.settlement.settled[0].pay == parse_money("100")
    assert not one.findings


def test_payment_hardly_read_was_most_likely_what_was_due(felt: Felt) -> None:
    one = paid_with(felt, " ".join(GREENS), {3: 0.25, 4: 0.15, 6: 0.1}, wager=("black",))
    assert amounts(one) == ([100.0], [100.0])
    assert [finding.verdict for finding in one.findings] == [Verdict.UNDETERMINED]


def test_what_is_but_faintly_suspected_is_recorded_as_it_most_likely_was(felt: Felt) -> None:
    one = paid_with(felt, "black", {3: 0.8, 4: 0.2})
    assert amounts(one) == ([100.0], [100.0])
    assert [finding.verdict for finding in one.findings] == [Verdict.SUSPECT]


def test_wager_that_hardly_equals_what_was_paid_is_what_was_read(felt: Felt) -> None:
    one = paid_with(felt, "black", {3: 0.93, 4: 0.07})
    assert amounts(one) == ([75.0], [100.0])
    assert [finding.verdict for finding in one.findings] == [Verdict.SUSPECT]


def test_payment_that_fits_no_reading_is_told_as_it_was_read(felt: Felt) -> None:
    one = paid_with(felt, "black green green", {3: 0.6, 4: 0.4})
    assert amounts(one) == ([75.0], [150.0])
    assert [finding.verdict for finding in one.findings] == [Verdict.VIOLATION]


@pytest.mark.parametrize("at_once", [True, False])
def test_parts_of_a_payment_were_what_makes_it_as_due(felt: Felt, *, at_once: bool) -> None:
    felt.bets({1: "black"}).deal({1: "Th 9c"}, dealer="Td 8s").turn()
    x, y = felt.things["s1.main.1"].xy_mm
    felt.hand("dealer", "rack", "seat1.main")
    felt.put_chips("s1.pay.0", "green green green", (x + 42.0, y))
    if not at_once:
        felt.snap().hand("dealer", "rack", "seat1.main")
    felt.put_chips("s1.pay.1", "green", (x + 84.0, y))
    felt.snap().collect(1).pick_up()
    states = doubtful_stack(felt.states, GREENS[:3], {GREENS[:2]: 0.55, GREENS[:3]: 0.45})
    (one,) = audit_states(states, felt.profile, thresholds=RECOGNISED).rounds
    assert amounts(one) == ([100.0], [75.0, 25.0])


def test_payment_of_a_wager_that_was_perhaps_taken_is_what_was_read(
    felt: Felt, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No reading keeps the rule for sure then, and the few that break it are not the likeliest for that."""

    def judged(case: Case, wager: SeenWager) -> joint.Judged:
        whole = joint.judged(case, wager)
        return replace(whole, readings=tuple(replace(one, wrong=one.wrong or None) for one in whole.readings))

    monkeypatch.setattr("audit.procedures.told.judged", judged)
    assert amounts(paid_with(felt, " ".join(GREENS), {4: 0.98, 5: 0.015}, wager=("black",))) == ([100.0], [100.0])


@pytest.mark.parametrize(("three", "amount"), [(0.6, 100.0), (0.93, 75.0)])
def test_blackjack_paid_wrongly_was_most_likely_paid_evenly(felt: Felt, three: float, amount: float) -> None:
    one = paid_with(felt, "black", {3: three, 4: 1.0 - three}, cards="Ah Kc")
    assert amounts(one) == ([amount], [100.0])
    assert Verdict.VIOLATION in {finding.verdict for finding in one.findings}


@pytest.mark.parametrize(("payment", "amount"), [("black", 100.0), ("black green", 125.0), ("green green", 50.0)])
def test_what_was_read_with_certainty_stays(felt: Felt, payment: str, amount: float) -> None:
    assert amounts(paid_with(felt, payment, {})) == ([100.0], [amount])


def test_wager_that_was_taken_is_what_was_read(felt: Felt) -> None:
    felt.bets({1: " ".join(GREENS)}).deal({1: "Th 7c"}, dealer="Td 8s").turn().take(1).pick_up()
    states = doubtful_stack(felt.states, GREENS, {("green",) * 3: 0.6, GREENS: 0.4})
    (one,) = audit_states(states, felt.profile, thresholds=RECOGNISED).rounds
    assert amounts(one) == ([75.0], [])


@pytest.mark.parametrize("recognised", [True, False])
@pytest.mark.parametrize("losing", [True, False])
def test_loser_that_went_under_hands_of_both_sides_was_most_likely_taken(
    felt: Felt, *, losing: bool, recognised: bool
) -> None:
    felt.bets({1: "25"}).deal({1: "Th 7c" if losing else "Th 8c"}, dealer="Td 8s").turn()
    felt.hand("player", "seat1.main", seat=1).take(1).pick_up()
    limits = RECOGNISED if recognised else None
    (one,) = audit_states(felt.states, felt.profile, thresholds=limits).rounds
    assert [float(take.amount or 0) for take in one.observed.takes] == ([25.0] if losing and recognised else [])
    assert Verdict.UNDETERMINED in {finding.verdict for finding in one.findings}
