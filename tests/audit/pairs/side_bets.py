"""Trilux wagers in the order of TRI-3, jackpots, tokes changed with their payment, cards picked up and laid down."""

from __future__ import annotations

from tests.audit.pairs import hands, rounds
from tests.audit.pairs.pair import Pair
from tests.notation import Felt

FLUSH = "Th 7h"
"""Makes a flush with the nine of hearts up; a Super 3 beside it loses."""


def three_seats(order: str) -> Felt:
    """Seat 3 wins its Trilux, seats 1 and 2 lose theirs."""
    return rounds.side(order, hands={1: "2c 7s", 2: "Kc 4d", 3: FLUSH})


def both_bets(order: str) -> Felt:
    """Trilux wins and Super 3 loses at one seat."""
    return rounds.side(order, hands={1: FLUSH}, bets=("trilux", "super3"))


def settled_main(table: Felt) -> Felt:
    """The main wager of seat 2 pushes."""
    return table.turn().pat(2).collect_spot(2, "main").pick_up()


def small_jackpot(*, early: bool) -> Felt:
    """Three sevens of one colour win 250, a tenth of the meter; paid amid the round, or cut out after the cards."""
    felt = rounds.table("blazing7", "main").bets({1: "10"}).bets({1: "5"}, "blazing7").take_spot(1, "blazing7")
    felt.deal({1: "7h 7d"}, dealer="7d Ks")
    if early:
        felt.pay_spot(1, "blazing7", "250").collect_spot(1, "blazing7")
    felt.turn().take_spot(1, "main").pick_up()
    if not early:
        felt.hand("dealer", "rack")
        for pile, (x, count) in enumerate(((40.0, 4), (85.0, 4), (130.0, 2))):
            felt.put_chips(f"cut.{pile}", " ".join(["green"] * count), (x, 38.0))
        felt.snap()
        for name in felt.names("cut."):
            felt.remove(name)
        felt.pay_spot(1, "blazing7", " ".join(["green"] * 10)).collect_spot(1, "blazing7")
    return felt


def toke_paid(*, changed: bool) -> Felt:
    """A toke of five reds is paid; both go to the box as they are, or are changed for two greens first."""
    felt = hands.table().bets({2: "50"}).bets({2: "red red red red red"}, "toke")
    felt.deal({2: "Th 9c"}, dealer="Td 8s").turn().pay_spot(2, "main", "50")
    felt.pay_spot(2, "toke", "red red red red red").hand("dealer", "rack", "seat2.toke")
    if changed:
        for name in felt.names("s2.toke"):
            felt.remove(name)
        felt.put_chips("s2.toke.1", "green green", felt.at("seat2.toke"))
        felt.snap().hand("dealer", "seat2.toke")
    for name in felt.names("s2.toke"):
        felt.remove(name)
    return felt.snap().collect_spot(2, "main").pick_up()


def held(*, lifted: bool, game: str = "blackjack", dealer: bool = False, both_ms: int = 0) -> Felt:
    """A player, or the dealer, picks a card up and lays it down where it lay; or the player only signals.

    ``both_ms``: so long both cards are gone.
    """
    felt = hands.table(game).bets({1: "10"}).deal({1: "Th Qc"}, dealer="Td Ks")
    cards = {name: felt.things[name] for name in felt.names("s1.h") if both_ms or name == felt.names("s1.h")[-1]}
    for gone in (True, False):
        felt.now += 0 if gone else both_ms
        felt.hand("player", "seat1.cards", seat=1)
        if dealer:
            felt.hand("dealer", "seat1.cards")
        for name in cards if lifted and gone else ():
            felt.remove(name)
        felt.things = {**felt.things, **cards} if not gone else felt.things
        felt.snap()
    return felt.turn().pat(1).collect(1).pick_up()


PAIRS = [
    Pair(
        procedure="P382",
        error="a winner paid between two losers farther left",
        wrong=lambda: three_seats("take:2.trilux pay:3.trilux take:1.trilux"),
        right=lambda: three_seats("take:2.trilux take:1.trilux pay:3.trilux"),
    ),
    Pair(
        procedure="P381",
        error="neither losers first nor seat by seat",
        wrong=lambda: three_seats("take:2.trilux pay:3.trilux take:1.trilux"),
        right=lambda: three_seats("pay:3.trilux take:2.trilux take:1.trilux"),
    ),
    Pair(
        procedure="P382",
        error="Trilux paid before Super 3 is taken at the same seat",
        wrong=lambda: both_bets("pay:1.trilux take:1.super3"),
        right=lambda: both_bets("take:1.super3 pay:1.trilux"),
        verdict="suspect",
    ),
    Pair(
        procedure="P412",
        error="a jackpot of a small meter paid amid the round; after it, it is no change pushed onto a bet (P173)",
        wrong=lambda: small_jackpot(early=True),
        right=lambda: small_jackpot(early=False),
        verdict="suspect",
    ),
    Pair(
        procedure="P368",
        error="a toke and its payment changed for other colours",
        wrong=lambda: toke_paid(changed=True),
        right=lambda: toke_paid(changed=False),
        verdict="suspect",
    ),
    Pair(
        procedure="P217",
        error="a player picks up a card and lays it down again",
        wrong=lambda: held(lifted=True),
        right=lambda: held(lifted=True, dealer=True),
    ),
    Pair(
        procedure="P390",
        error="a player of two decks picks up a card and lays it down again",
        wrong=lambda: held(lifted=True, game="double_deck"),
        right=lambda: held(lifted=False, game="double_deck"),
    ),
    Pair(
        procedure="P390",
        error="a player of two decks holds both his cards for some seconds; or his hand only hides them",
        wrong=lambda: held(lifted=True, game="double_deck", both_ms=3_000),
        right=lambda: held(lifted=True, game="double_deck", both_ms=100),
        verdict="suspect",
    ),
]
