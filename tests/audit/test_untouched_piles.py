"""A pile that two looks read differently while nobody's hand was near, at a table where hands are seen, was misread."""

from __future__ import annotations

from tests.audit.asking import accused, found
from tests.notation import Felt


def played(felt: Felt, before: str, after: str, paid: str, *, touched: bool) -> Felt:
    """Seat 1's wager is read as another amount from its second card on; it wins."""
    felt.bets({1: before, 2: "25"}).deal({1: "Th 9c", 2: "Td 9d"}, dealer="Ts 8s")
    if touched:
        felt.hand("player", "seat1.main", seat=1)
    felt.put_chips("s1.main.1", after, felt.at("seat1.main"))
    return felt.snap().snap().turn().pay(2, "25").collect(2).pay(1, paid).collect(1).pick_up()


def test_wager_read_lower_without_a_hand_near_is_not_pinched(felt: Felt) -> None:
    assert accused(played(felt, "60", "40", "40", touched=False)) == []


def test_wager_read_higher_without_a_hand_near_is_not_capped(felt: Felt) -> None:
    assert accused(played(felt, "40", "60", "60", touched=False)) == []


def test_what_neither_reading_is_due_is_told(felt: Felt) -> None:
    assert ("violation", "P280") in [one[:2] for one in found(played(felt, "60", "40", "50", touched=False))]


def test_pinched_wager_under_a_players_hand_is_told(felt: Felt) -> None:
    assert ("violation", "P206") in [one[:2] for one in accused(played(felt, "60", "40", "40", touched=True))]


def test_capped_wager_under_a_players_hand_is_told(felt: Felt) -> None:
    assert ("violation", "P205") in [one[:2] for one in accused(played(felt, "40", "60", "60", touched=True))]


def test_payment_upon_a_bet_that_one_look_shows_before_the_player_takes_it_is_no_misreading(felt: Felt) -> None:
    """No look shows the hand that set as much upon the pile as it held."""
    felt.bets({1: "red red red red"}).deal({1: "Th 9c"}, dealer="Ts 8s").turn()
    felt.put_chips("s1.main.1", " ".join(["red"] * 8), felt.at("seat1.main"))
    felt.snap().hand("player", "seat1.main", seat=1)
    felt.put_chips("s1.main.1", "red red red red", felt.at("seat1.main"))
    assert accused(felt.snap().pick_up()) == []
