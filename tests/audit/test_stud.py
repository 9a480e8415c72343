"""21 Stud (002): wagers that wait for dealer card #2, where the dealer's cards lie, and what goes when."""

from __future__ import annotations

import pytest

from tests.audit.asking import accused, found, only_round
from tests.audit.hands_of_cards import changed, dealt, finished, turned
from tests.audit.pairs.other_games import dealer_away, two_seats
from tests.notation import Felt, wide_profile


@pytest.fixture
def stud() -> Felt:
    return Felt(wide_profile("stud_21", ("match1", "match2", "mirror", "base")))


# -- wagers between the dealer's two cards -----------------------------------------------------------------------------
def between(felt: Felt, bet: str, text: str, *, cards: str = "Th 5c") -> Felt:
    """Seat 2 bets 10 on Base and on another spot, and changes one wager while only card #1 is shown."""
    dealt(felt, cards, base="10", **({} if bet == "base" else {bet: "10"}))
    changed(felt.dealer_zone_card("dealer.card1", "Td"), bet, text)
    return felt.dealer_zone_card("dealer.card2", "8s")


def test_base_pinched_after_card_1_and_taken_breaks_p206(stud: Felt) -> None:
    finished(between(stud, "base", "5").take_spot(2, "base"))
    assert accused(stud) == [("violation", "P206", None)]
    (take,) = only_round(stud).observed.takes
    assert str(take.amount) == "5"


def test_payment_of_what_a_pinched_base_was_follows_from_the_pinching(stud: Felt) -> None:
    finished(between(stud, "base", "5", cards="Th 9c").pay_spot(2, "base", "5"))
    assert [(one.code, one.because_of) for one in only_round(stud).findings] == [("pinched", None), ("pay-amount", 0)]


def test_base_withdrawn_after_card_1_is_pinched_not_left(stud: Felt) -> None:
    dealt(stud, "Th 5c", base="10").dealer_zone_card("dealer.card1", "Td").collect_spot(2, "base")
    stud.dealer_zone_card("dealer.card2", "8s")
    assert accused(finished(stud)) == [("violation", "P206", None)]


def test_match_2_pinched_after_card_1_breaks_p206(stud: Felt) -> None:
    between(stud, "match2", "5").take_spot(2, "match2").take_spot(2, "base")
    assert accused(finished(stud)) == [("violation", "P206", None)]


def test_base_capped_before_card_2_is_no_claim_on_a_payment(stud: Felt) -> None:
    finished(between(stud, "base", "15", cards="Th 9c").pay_spot(2, "base", "10"))
    (capped,) = only_round(stud).findings
    assert capped.procedures[0] == "P068"
    assert "P207" not in capped.procedures


def test_losing_base_capped_after_card_1_breaks_p068(stud: Felt) -> None:
    assert accused(finished(between(stud, "base", "20").take_spot(2, "base"))) == [("violation", "P068", None)]


def test_losing_base_pinched_after_card_2_breaks_p206(stud: Felt) -> None:
    changed(turned(dealt(stud, "Th 5c", base="10"), "Td", "8s"), "base", "5").take_spot(2, "base")
    assert accused(finished(stud)) == [("violation", "P206", None)]


def test_losing_base_capped_after_card_2_and_taken_breaks_p068(stud: Felt) -> None:
    changed(turned(dealt(stud, "Th 5c", base="10"), "Td", "8s"), "base", "20").take_spot(2, "base")
    assert accused(finished(stud)) == [("violation", "P068", None)]


def test_pushed_base_may_be_lowered_for_the_next_round(stud: Felt) -> None:
    changed(turned(dealt(stud, "Ah Kc", base="10"), "As", "Qs"), "base", "5")
    assert found(finished(stud)) == []


# -- what goes when ----------------------------------------------------------------------------------------------------
def lost_by_all(felt: Felt, seats: tuple[int, ...]) -> Felt:
    """Every seat loses a Base of 10; the dealer's cards are turned."""
    felt.bets(dict.fromkeys(sorted(seats), "10"), "base")
    for rank in "T7":
        for seat in sorted(seats):
            felt.card(seat, rank + "cdh"[seat - 1])
    felt.dealer_zone_card("dealer.card1", "back").dealer_zone_card("dealer.card2", "back")
    return turned(felt, "Js", "9s")


def test_seats_settled_from_the_left_leave_no_cards_for_a_sweep(stud: Felt) -> None:
    lost_by_all(stud, (1, 2, 3))
    for seat in (1, 3, 2):
        stud.take_spot(seat, "base").pick_up_seat(seat)
    assert [one.procedures[0] for one in only_round(dealer_away(stud)).findings] == ["P078"]


def test_dice_seats_settled_from_the_left_leave_no_cards_for_a_sweep() -> None:
    assert [one.procedures[0] for one in only_round(two_seats(settle=(1, 2))).findings] == ["P028"]


def test_cards_left_until_the_next_base_break_p085(stud: Felt) -> None:
    lost_by_all(stud, (1, 2)).take_spot(2, "base").take_spot(1, "base").pick_up_seat(2).pick_up_seat(1)
    assert accused(dealer_away(stud)) == [("violation", "P085", None)]


def test_dealers_cards_lifted_before_the_last_players_break_p086(stud: Felt) -> None:
    lost_by_all(stud, (2,)).take_spot(2, "base")
    assert accused(dealer_away(stud).pick_up_seat(2)) == [("violation", "P086", None)]
