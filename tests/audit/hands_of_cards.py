"""Hands of 21 Stud and of Lucky Draw Baccarat at seat 2, step by step."""

from __future__ import annotations

from tests.notation import Felt


def dealt(felt: Felt, cards: str, **bets: str) -> Felt:
    """Seat 2 bets, gets two cards, and the dealer two face down."""
    for bet, amount in bets.items():
        felt.bets({2: amount}, bet)
    for code in cards.split():
        felt.card(2, code)
    return felt.dealer_zone_card("dealer.card1", "back").dealer_zone_card("dealer.card2", "back")


def finished(felt: Felt) -> Felt:
    felt.collect_spot(2, "base").pick_up_seat(2).hand("dealer", "dealer.card1", "dealer.card2")
    for name in felt.names("d."):
        felt.remove(name)
    return felt.snap()


def turned(felt: Felt, one: str, two: str) -> Felt:
    return felt.dealer_zone_card("dealer.card1", one).dealer_zone_card("dealer.card2", two)


def changed(felt: Felt, bet: str, text: str) -> Felt:
    """The player of seat 2 changes his wager to other cheques."""
    felt.hand("player", f"seat2.{bet}", seat=2)
    felt.put_chips(f"s2.{bet}.1", text, felt.at(f"seat2.{bet}"))
    return felt.snap()


def opened(felt: Felt, cards: str, up: str, **bets: str) -> Felt:
    """Seat 2 bets and gets two cards; the dealer one face down and one face up."""
    for bet, amount in bets.items():
        felt.bets({2: amount}, bet)
    for code in cards.split():
        felt.card(2, code)
    return felt.dealer_card("down", "back", -60.0).dealer_card("up", up, 20.0)


def shown(felt: Felt, down: str, third: str | None = None) -> Felt:
    felt.dealer_card("down", down, -60.0)
    return felt if third is None else felt.dealer_card("third", third, 100.0)


def closed(felt: Felt) -> Felt:
    if felt.names("s2.enter"):
        felt.collect_spot(2, "enter")
    return felt.pick_up()


def drawn(felt: Felt, amount: str = "20") -> Felt:
    """Seat 2 draws on 5 and gets a four."""
    return opened(felt, "5h Tc", "5d", enter="20").bets({2: amount}, "draw").card(2, "4c")


def over(felt: Felt) -> Felt:
    """Seat 2 collects its ante, its cards are picked up and the dice are covered."""
    return felt.collect_spot(2, "ante").pick_up_seat(2).cover_dice()
