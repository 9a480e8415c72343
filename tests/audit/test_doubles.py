"""Doubles and splits whose wagers stand beside the zone of the bet, or were not seen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.findings import Verdict
from tests.audit.asking import accused, found, only_round
from tests.notation import Felt, merged, wide_profile

BESIDE = pytest.mark.parametrize(("right", "away"), [(42.0, 0.0), (58.0, 0.0), (74.0, 0.0), (70.0, 20.0)])


@pytest.fixture
def narrow() -> Felt:
    """A table with small zones: what stands beside a bet stands in no zone."""
    return Felt(wide_profile("blackjack", ("trilux", "main"), finder=False))


@pytest.fixture
def doubling(narrow: Felt) -> Felt:
    return narrow.bets({1: "20"}).deal({1: "6h 5c"}, dealer="Td 6s")


def put_beside(felt: Felt, name: str, amount: str, right: float, away: float = 0.0) -> Felt:
    """Seat 1 puts cheques so many millimetres from the middle of his bet."""
    felt.hand("player", "seat1.main", seat=1)
    felt.put_chips(name, amount, felt.at("seat1.main", right, away))
    return felt.snap()


def doubled(felt: Felt, amount: str, right: float, away: float = 0.0) -> Felt:
    put_beside(felt, "s1.double.1", amount, right, away)
    return felt.card(1, "Kh", sideways=True).turn().dealer_hits("8c")


def ended(felt: Felt) -> Felt:
    return felt.collect(1).pick_up()


@BESIDE
def test_double_outside_the_zone_is_a_double(doubling: Felt, right: float, away: float) -> None:
    doubled(doubling, "20", right, away)
    assert found(ended(doubling.pay(1, "20", beside="double.1").pay(1, "20"))) == []


def test_double_outside_the_zone_without_a_seen_hand(doubling: Felt) -> None:
    doubling.put_chips("s1.double.1", "20", doubling.at("seat1.main", 58.0))
    doubling.snap().card(1, "Kh", sideways=True).turn().dealer_hits("8c")
    assert accused(ended(doubling.pay(1, "20", beside="double.1").pay(1, "20"))) == []


@BESIDE
def test_double_outside_the_zone_paid_short(doubling: Felt, right: float, away: float) -> None:
    doubled(doubling, "20", right, away).pay(1, "10", beside="double.1").pay(1, "20")
    assert accused(ended(doubling)) == [("violation", "P280", "-10.00")]


@BESIDE
def test_lost_double_outside_the_zone_is_taken_with_its_bet(doubling: Felt, right: float, away: float) -> None:
    put_beside(doubling, "s1.double.1", "20", right, away).card(1, "2h", sideways=True).turn().dealer_hits("4c")
    assert found(doubling.take(1).pick_up()) == []


def test_lost_double_outside_the_zone_is_not_left(doubling: Felt) -> None:
    put_beside(doubling, "s1.double.1", "20", 58.0).card(1, "2h", sideways=True).turn().dealer_hits("4c")
    doubling.take(1, "main.1").collect(1).pick_up()
    assert [(verdict, amount) for verdict, _, amount in accused(doubling)] == [("violation", "20.00")]


@pytest.mark.parametrize("right", [44.0, 60.0, 76.0])
def test_split_outside_the_zone_is_a_wager(narrow: Felt, right: float) -> None:
    narrow.bets({1: "20"}).deal({1: "9h 9c"}, dealer="Td 6s")
    put_beside(narrow, "s1.main.2", "20", right)
    for hand, name in enumerate(("s1.h1.0", "s1.h1.1"), start=1):
        card = narrow.things.pop(name)
        narrow.things[f"s1.h{hand}.0"] = replace(card, xy_mm=narrow.at("seat1.cards", (hand - 1.5) * 130.0, 18.0))
    narrow.hand("dealer", "seat1.cards").snap().hit(1, "Kh").hit(1, "Jd", hand=2).turn().dealer_hits("2c")
    narrow.pay(1, "20", beside="main.2").pay(1, "20").collect(1).pick_up()
    assert found(narrow) == []


def test_cheques_of_a_player_beside_his_bet_are_no_wager(doubling: Felt) -> None:
    put_beside(doubling, "own", "50", 58.0).hit(1, "Kh").turn().dealer_hits("8c").pay(1, "20")
    assert found(ended(doubling)) == []


@pytest.mark.parametrize("paid", ["20", "40"])
def test_payment_of_a_hand_whose_double_was_not_seen_is_open(doubling: Felt, paid: str) -> None:
    doubling.card(1, "Kh", sideways=True).turn().dealer_hits("8c").pay(1, paid)
    ((verdict, _, amount),) = found(ended(doubling))
    assert (verdict, amount) == ("undetermined", None)


@pytest.mark.parametrize("seen", [True, False])
def test_double_whose_card_and_hand_went_between_two_looks_is_no_late_wager_for_certain(
    felt: Felt, *, seen: bool
) -> None:
    """Its card broke the hand: money and cards are gone in the next look. A hand still lying there had no such card."""
    felt.bets({2: "25", 3: "25"}).deal({2: "Qc 2s", 3: "Th 9c"}, dealer="Td 7s").hand("player", "seat2.main", seat=2)
    felt.put_chips("s2.double.1", "25", felt.at("seat2.main", 42.0))
    felt.snap().hand("dealer", "shoe", "seat2.cards").hand("dealer", "seat2.main")
    for name in ("s2.main.1", "s2.double.1"):
        felt.remove(name)
    if seen:
        felt.snap()
    told = found(felt.pick_up_seat(2).turn().pay(3, "25").collect(3).pick_up())
    assert [verdict for verdict, procedure, _ in told if procedure == "P205"] == [
        "violation" if seen else "undetermined"
    ]


def test_double_of_which_nothing_more_is_seen_until_all_is_gone_is_no_late_wager(felt: Felt) -> None:
    """The player doubles; no state shows the card, the dealer's draw or the payment, and then the felt is bare."""
    felt.bets({1: "25"}).deal({1: "6h 5c"}, dealer="7d 8s").double(1, "25", "Kc").turn().dealer_hits("Ks")
    felt.pay(1, "25").pay(1, "25", beside="double.1").collect(1).pick_up()
    doubled = next(n for n, one in enumerate(felt.states) if len([o for o in one.objects if o.kind == "chips"]) > 1)
    told = accused(merged(felt.states, range(doubled + 1, len(felt.states) - 1)))
    assert [one for one in told if one[1] in ("P205", "P221")] == []


def test_wager_added_without_a_double_and_collected_is_late(felt: Felt) -> None:
    felt.bets({1: "25"}).deal({1: "Th 8c"}, dealer="7d Ts").hit(1, "2c").hand("player", "seat1.main", seat=1)
    felt.put_chips("s1.main.2", "25", felt.at("seat1.main", 41.0))
    felt.snap().turn().pay(1, "25").collect(1).pick_up()
    assert ("violation", "P205", None) in accused(felt)


@pytest.mark.parametrize(("laid", "as_a_double"), [("50", True), ("25", False)])
def test_as_much_as_the_bet_laid_beside_it_without_a_card_names_the_double(
    felt: Felt, laid: str, as_a_double: bool
) -> None:
    felt.bets({1: "50"}).deal({1: "6h 5c"}, dealer="Td 8s").hand("player", "seat1.main", seat=1)
    felt.put_chips("s1.double.1", laid, felt.at("seat1.main", 42.0))
    felt.snap().turn().take(1, "double.1", "main.1").pick_up()
    (late,) = (one for one in only_round(felt).findings if one.code == "late-wager")
    assert late.verdict is Verdict.VIOLATION
    assert ("P317" in late.procedures) is as_a_double
