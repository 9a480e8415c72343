"""Whose turn it is, and how cards come out of the shoe: signals out of turn, cards in anticipation, hits face down."""

from __future__ import annotations

from dataclasses import replace

from tests.audit.pairs.pair import Pair, put
from tests.notation import Felt, wide_profile

_UP = "Th"


def table(game: str = "blackjack") -> Felt:
    """Two seats with 12 and 18 against a ten."""
    felt = Felt(wide_profile(game, ("main",), seats=2))
    return felt.bets({1: "10", 2: "10"}).deal({1: "Td 8c", 2: "5d 7c"}, dealer=f"{_UP} 9s")


def signal(felt: Felt, seat: int) -> Felt:
    return felt.hand("player", f"seat{seat}.cards", seat=seat).snap()


def end(felt: Felt) -> Felt:
    for seat in (2, 1):
        felt.take(seat)
    return felt.pick_up()


def stands_late() -> Felt:
    """Seat 2 is hit, and only then seat 1 stands."""
    felt = signal(table(), 2).hit(2, "6h")
    return end(signal(signal(felt, 1), 2).turn())


def stands_in_turn() -> Felt:
    felt = signal(signal(table(), 1), 2).hit(2, "6h")
    return end(signal(felt, 2).turn())


def hole(*, early: bool) -> Felt:
    """The hole card is turned before, or after, the last player stands."""
    felt = signal(table(), 1)
    felt = signal(felt.turn(), 2) if early else signal(felt, 2).turn()
    return end(felt)


def hit(*, back: bool, signalled: bool = True) -> Felt:
    """A hit comes face down and is turned over; its signal has a look of its own, or not."""
    felt = signal(table(), 1).hand("player", "seat2.cards", seat=2)
    felt = felt.snap() if signalled else felt
    if back:
        felt.card(2, "back")
        (name,) = felt.names("s2.h1.2")
        felt.hand("dealer", "seat2.cards")
        felt.things[name] = replace(felt.things[name], kind="card", card="6h")
        felt.snap()
    else:
        felt.card(2, "6h")
    return end(signal(felt, 2).turn())


def double(*, back: bool) -> Felt:
    """A double's card comes face down."""
    felt = signal(signal(table(), 1), 2).double(2, "10", "back" if back else "6h")
    if back:
        felt.hand("dealer", "seat2.cards")
        felt.things["s2.h1.2"] = replace(felt.things["s2.h1.2"], kind="card", card="6h")
        felt.snap()
    return end(felt.turn())


def at_the_mouth(*, early: bool) -> Felt:
    """A card is pulled half out of the shoe before, or after, the player's signal."""
    felt = signal(table(), 1)
    if not early:
        felt.hand("player", "seat2.cards", seat=2)
    put(felt.hand("dealer", "shoe"), "mouth", "card_back", felt.at("shoe"), angle_deg=0.0).snap()
    felt.remove("mouth")
    if early:
        felt.hand("player", "seat2.cards", seat=2)
    return end(signal(felt.hit(2, "6h"), 2).turn())


def seated(arm: int) -> Felt:
    """The wager of seat 2 is placed, and its signals are given, by the arm of a seat."""
    felt = Felt(wide_profile("blackjack", ("main",), seats=3)).bets({1: "10"})
    felt.hand("player", "seat2.main", seat=arm)
    felt.put_chips("s2.main.1", "10", felt.at("seat2.main"))
    felt.snap().deal({1: "Td 8c", 2: "Kd 8d"}, dealer=f"{_UP} 9s")
    signal(felt, 1).hand("player", "seat2.cards", seat=arm).snap()
    return end(felt.turn())


PAIRS = (
    Pair(
        procedure="P219",
        error="a player sits at another spot than his",
        wrong=lambda: seated(3),
        right=lambda: seated(2),
        verdict="suspect",
    ),
    Pair(
        procedure="P241",
        error="a player stands only after the next was hit",
        wrong=stands_late,
        right=stands_in_turn,
        verdict="suspect",
    ),
    Pair(
        procedure="P252",
        error="the hole card turned before the last player stood",
        wrong=lambda: hole(early=True),
        right=lambda: hole(early=False),
        verdict="suspect",
    ),
    Pair(procedure="P242", error="a hit face down", wrong=lambda: hit(back=True), right=lambda: hit(back=False)),
    Pair(
        procedure="P242",
        error="a hit face down, in one gap with the signal for it",
        wrong=lambda: hit(back=True, signalled=False),
        right=lambda: hit(back=False, signalled=False),
    ),
    Pair(
        procedure="P318",
        error="a double's card face down",
        wrong=lambda: double(back=True),
        right=lambda: double(back=False),
    ),
    Pair(
        procedure="P243",
        error="a card half out of the shoe before the signal",
        wrong=lambda: at_the_mouth(early=True),
        right=lambda: at_the_mouth(early=False),
        verdict="suspect",
    ),
)
