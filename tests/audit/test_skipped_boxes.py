"""A box with a wager that gets no card, though its place is covered for a moment of the deal: P007, P233."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.audit.asking import accused
from tests.audit.pairs.dice import shoot
from tests.notation import Felt, wide_profile


def seats_dealt(felt: Felt, *, covered: int, visits: int) -> Felt:
    """Seat 3 gets its card after seat 1; the dealer's arm is over the place of seat 2 so often, covered for states."""
    felt.bets({1: "20", 2: "20", 3: "20"}, "ante").card(1, "Ts")
    for _ in range(visits):
        felt.hand("dealer", "seat2.cards")
    for _ in range(covered):
        felt.snap(covered=("seat2.cards",))
    felt.hand("dealer", "seat3.cards", "shoe")
    felt.put_card("s3.h1.1", "Tc", felt.at("seat3.cards"), 0.0)
    return felt.snap(covered=("seat2.cards",) if covered > 1 else ())


def finished(felt: Felt) -> Felt:
    felt.roll(4, 5)
    for seat in (3, 1):
        felt.pay_spot(seat, "ante", "20").collect_spot(seat, "ante").pick_up_seat(seat)
    return felt.collect_spot(2, "ante").cover_dice()


def test_box_passed_over_while_its_place_is_covered_for_a_state_was_skipped() -> None:
    felt = finished(seats_dealt(shoot(), covered=1, visits=1))
    assert ("violation", "P007", None) in accused(felt)


def test_box_to_which_the_dealer_came_twice_while_it_was_covered_is_suspected_to_be_skipped() -> None:
    """A card may have come and gone."""
    felt = finished(seats_dealt(shoot(), covered=1, visits=2))
    assert ("suspect", "P007", None) in accused(felt)
    assert ("violation", "P007", None) not in accused(felt)


def test_box_never_in_sight_after_the_deal_is_not_told_as_skipped() -> None:
    felt = seats_dealt(shoot(), covered=2, visits=1).hand("dealer", "dice")
    felt = finished(felt)
    for place, state in enumerate(felt.states):
        if any(item.card is not None for item in state.objects):
            felt.states[place] = replace(state, covered=state.covered | {"seat2.cards"})
    assert "P007" not in {procedure for _, procedure, _ in accused(felt)}


def test_box_that_gets_its_card_under_cover_was_not_skipped() -> None:
    felt = shoot().bets({1: "20", 2: "20"}, "ante").card(1, "Ts").hand("dealer", "shoe", "seat2.cards")
    felt.put_card("s2.h1.1", "Tc", felt.at("seat2.cards"), 0.0)
    felt.snap(covered=("seat2.cards",)).roll(4, 5)
    for seat in (2, 1):
        felt.pay_spot(seat, "ante", "20").collect_spot(seat, "ante").pick_up_seat(seat)
    assert accused(felt.cover_dice()) == []


def in_one_gap(*, settled: bool) -> Felt:
    """21 Stud: a bet is laid, and two cards come; ``settled``: between two looks the bet is taken, too."""
    felt = Felt(wide_profile("stud_21", ("base", "match1", "match2", "mirror")))
    felt.hand("player", "seat2.base", seat=2).card(2, "8h", snap=False).card(2, "5c", snap=False)
    for zone, code in (("dealer.card1", "Td"), ("dealer.card2", "Kd")):
        felt.hand("dealer", "shoe", zone).put_card(f"d.{zone}", code, felt.at(zone), 0.0)
    felt = felt.hand("dealer", "seat2.base", "rack") if settled else felt
    return felt.snap().pick_up_seat(2).hand("dealer", "dealer.card1", "dealer.card2", "discard")


@pytest.mark.parametrize(("settled", "told"), [(True, []), (False, [("suspect", "P065")])])
def test_wager_that_may_have_been_laid_and_settled_in_one_gap_is_open(
    settled: bool,
    told: list[tuple[str, str]],
) -> None:
    felt = in_one_gap(settled=settled)
    for name in felt.names("d."):
        felt.remove(name)
    assert [one[:2] for one in accused(felt.snap()) if one[1] == "P065"] == told
