"""Packs of cards between two shoes: shuffled by hand or by the machine, burnt on the felt, counted by their height."""

from __future__ import annotations

from collections.abc import Iterator

from tests.audit.pairs.pair import Pair, change, put
from tests.audit.pairs.whole_shoes import blackjack, cards, shuffle, stand_all
from tests.notation import Felt, wide_profile

LEFT, MIDDLE, RIGHT = (-75.0, 60.0), (0.0, 64.0), (75.0, 60.0)
RIFFLED = ((LEFT, RIGHT), (LEFT, RIGHT, MIDDLE), ((-60.0, 60.0), (60.0, 60.0), MIDDLE), (MIDDLE,))
CUT = ((MIDDLE,), (LEFT, RIGHT), (MIDDLE,))
IN_HAND = ((MIDDLE,), *((LEFT, RIGHT),) * 4, (MIDDLE,))
LOOKED_AT = ((LEFT, RIGHT), (LEFT, RIGHT, MIDDLE), *((tuple((40.0 * i, 60.0) for i in range(6)),)), (MIDDLE,))


def double_deck() -> Felt:
    return blackjack(seats=2, game="double_deck")


def progressive() -> Felt:
    """A table with Blazing 7's sensors."""
    return Felt(wide_profile("blackjack", ("blazing7", "main"), seats=2))


def laid_out(felt: Felt, *looks: tuple[tuple[float, float], ...], by: str = "dealer", pause_ms: int = 0) -> Felt:
    """A round, the discards taken out, their stacks as they lie in one look after the other, and another round."""
    shoe = cards()
    stand_all(felt, shoe)
    put(felt, "discards", "discards", felt.at("discard"), height_mm=20.0)
    felt.snap().hand("dealer", "discard").remove("discards")
    felt.snap()
    for look in looks:
        for name in felt.names("stack."):
            felt.remove(name)
        for place, xy in enumerate(look):
            put(felt, f"stack.{place}", "card_back", xy, angle_deg=0.0)
        felt.now += pause_ms
        felt.hand(by, "dealer.cards", seat=1 if by == "player" else None).snap()
    for name in felt.names("stack."):
        felt.remove(name)
    felt.hand("dealer", "shoe").snap()
    return play_on(burn(felt, "back"), shoe)


def burn(felt: Felt, card: str) -> Felt:
    """One card lies alone on the felt, and goes to the discard rack."""
    felt.hand("dealer", "shoe").put_card("burn", card, (300.0, 100.0), 0.0)
    felt.snap().hand("dealer", "discard").remove("burn")
    put(felt, "discards", "discards", felt.at("discard"), height_mm=0.3)
    return felt.snap()


def play_on(felt: Felt, shoe: Iterator[str]) -> Felt:
    return stand_all(felt, shoe)


def slugged(height: float, *, seen: bool = True) -> Felt:
    """The shoe's cards go into the rack in two halves, and the rack is looked at; or the last half goes unseen."""
    felt = blackjack(seats=1)
    shoe = cards()
    stand_all(felt, shoe)
    put(felt, "discards", "discards", felt.at("discard"), height_mm=height - 9.0)
    felt.snap()
    for half in (height - 4.5, height):
        felt.hand("dealer", "shoe", "discard")
        change(felt, "discards", height_mm=half)
        felt.snap()
    if seen:
        felt.snap()
    else:
        felt.hand("dealer", "shoe", "discard")
    felt.hand("dealer", "discard").remove("discards")
    felt.snap().hand("dealer", "shoe", "discard").snap()
    return stand_all(felt, shoe)


def out_of_sight() -> Felt:
    """A round of two decks; then the discards go, and the view is lost until they are in the shoe again."""
    felt = double_deck()
    stand_all(felt, cards())
    put(felt, "discards", "discards", felt.at("discard"), height_mm=20.0)
    felt.snap().hand("dealer", "discard").remove("discards")
    return felt.snap().lost(ms=60_000).snap()


def cut_card_first(rounds: int) -> Felt:
    """Two decks are shuffled, and after so many rounds the next card of the shoe is the cut card."""
    felt, shoe = shuffle(blackjack(game="double_deck", seats=6), height=20.0), cards()
    for _ in range(rounds):
        stand_all(felt, shoe)
    felt.hand("dealer", "shoe")
    put(felt, "cut", "cut_card", (60.0, 60.0), angle_deg=90.0)
    stand_all(felt.snap(), shoe)
    felt.remove("cut")
    return felt.snap()


PAIRS = [
    Pair(
        procedure="P395",
        error="two decks shuffled by hand; cut in two stacks after the machine",
        wrong=lambda: laid_out(double_deck(), *RIFFLED),
        right=lambda: laid_out(double_deck(), *CUT),
        verdict="suspect",
    ),
    Pair(
        procedure="P395",
        error="two stacks worked at for long, and not for a moment",
        wrong=lambda: laid_out(double_deck(), *IN_HAND, pause_ms=9_000),
        right=lambda: laid_out(double_deck(), *IN_HAND),
        verdict="suspect",
    ),
    Pair(
        procedure="P402",
        error="a shoe with progressives shuffled by hand; elsewhere it may be",
        wrong=lambda: laid_out(progressive(), *RIFFLED),
        right=lambda: laid_out(blackjack(seats=2), *RIFFLED),
        verdict="suspect",
    ),
    Pair(
        procedure="P402",
        error="a shoe with progressives shuffled by hand; decks laid out one after the other are none",
        wrong=lambda: laid_out(progressive(), *RIFFLED),
        right=lambda: laid_out(progressive(), *LOOKED_AT),
        verdict="suspect",
    ),
    Pair(
        procedure="P398",
        error="the burn card of two decks face up on the felt",
        wrong=lambda: stand_all(burn(shuffle(double_deck(), height=20.0, burn=""), "9c"), cards()),
        right=lambda: stand_all(burn(shuffle(double_deck(), height=20.0, burn=""), "back"), cards()),
    ),
    Pair(
        procedure="P398",
        error="the burn card face up on the felt after a shuffle out of sight",
        wrong=lambda: stand_all(burn(out_of_sight(), "9c"), cards()),
        right=lambda: stand_all(burn(out_of_sight(), "back"), cards()),
    ),
    Pair(
        procedure="P418",
        error="forty cards too few in the rack after the shoe was slugged into it; the rest may have followed unseen",
        wrong=lambda: slugged(81.5),
        right=lambda: slugged(81.5, seen=False),
        verdict="suspect",
    ),
    Pair(
        procedure="P127",
        error="forty cards too few in the rack after the shoe was slugged into it; two decks rather stand elsewhere",
        wrong=lambda: slugged(81.5),
        right=lambda: slugged(62.0),
        verdict="suspect",
    ),
    Pair(
        procedure="P397",
        error="the cut card of two decks drawn first with fewer than 26 cards behind it",
        wrong=lambda: cut_card_first(6),
        right=lambda: cut_card_first(5),
    ),
]
