"""Piles of one wager joined or divided on their spot, by the player or by the dealer: it stays one wager."""

from __future__ import annotations

import pytest

from tests.audit.asking import accused, only_round
from tests.audit.pairs.dice import shoot
from tests.notation import Felt


def two_piles(felt: Felt) -> Felt:
    """Seat 2's ante is 50; he raises in two piles of 25."""
    felt.bets({2: "50"}, "ante").card(2, "Ts").bets({2: "25"}, "raise").hand("player", "seat2.raise", seat=2)
    felt.put_chips("s2.raise.2", "25", felt.at("seat2.raise", 0.0, 42.0))
    return felt.snap()


def one_pile(felt: Felt, text: str, side: str) -> Felt:
    """Everything on the raise spot becomes one pile."""
    felt.hand(side, "seat2.raise", seat=2 if side == "player" else None)
    for name in felt.names("s2.raise.")[1:]:
        felt.remove(name)
    felt.put_chips("s2.raise.1", text, felt.at("seat2.raise"))
    return felt.snap()


def finished(felt: Felt, raised: str) -> Felt:
    felt.pay_spot(2, "ante", "50")
    if raised:
        felt.pay_spot(2, "raise", raised)
    return felt.collect_spot(2, "ante").collect_spot(2, "raise").pick_up_seat(2).cover_dice()


def money(felt: Felt) -> list[tuple[str, str]]:
    return [(wager.key.bet, str(wager.amount)) for wager in only_round(felt).observed.round.wagers]


@pytest.mark.parametrize("side", ["player", "dealer"])
def test_two_piles_put_upon_each_other_are_the_wager_that_they_were(side: str) -> None:
    felt = finished(one_pile(two_piles(shoot()), "green green", side).roll(4, 5), "50")
    assert accused(felt) == []
    assert money(felt) == [("ante", "50"), ("raise", "50")]


def test_one_pile_put_apart_by_the_player_is_the_wager_that_it_was() -> None:
    felt = shoot().bets({2: "50"}, "ante").card(2, "Ts").bets({2: "50"}, "raise").hand("player", "seat2.raise", seat=2)
    felt.put_chips("s2.raise.1", "25", felt.at("seat2.raise"))
    felt.put_chips("s2.raise.2", "25", felt.at("seat2.raise", 0.0, 42.0))
    felt = finished(felt.snap().roll(4, 5), "50")
    assert accused(felt) == []
    assert money(felt) == [("ante", "50"), ("raise", "50")]


def test_two_piles_stacked_up_with_their_payment_are_paid_what_was_added() -> None:
    felt = finished(one_pile(two_piles(shoot()).roll(4, 5), "green green green green", "dealer"), "")
    assert accused(felt) == []
    assert [(pay.key.bet, str(pay.amount)) for pay in only_round(felt).observed.pays] == [
        ("ante", "50"),
        ("raise", "50"),
    ]


def test_joined_piles_that_are_taken_are_taken_whole() -> None:
    felt = one_pile(two_piles(shoot()), "green green", "player").roll(1, 1)
    felt.take_spot(2, "ante").take_spot(2, "raise").pick_up_seat(2).cover_dice()
    assert accused(felt) == []
    assert [str(take.amount) for take in only_round(felt).observed.takes] == ["50", "50"]
