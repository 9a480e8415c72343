"""Fills, and the bankroll counted when the table is opened and closed."""

from __future__ import annotations

from tests.audit.pairs.money import push, put_pile, table
from tests.audit.pairs.pair import Pair, change, put
from tests.notation import Felt

BLACK_X = -60.0
LAYOUT = (0.0, 560.0)
RACK = (0.0, -80.0)


def shown(felt: Felt, *rows: tuple[str, tuple[int, ...]]) -> Felt:
    """Stacks stand in front of the rack, colour by colour from the left; so many take a while to cut."""
    felt.hand("dealer", "rack")
    felt.now += 800 * sum(len(heights) for _, heights in rows)
    x = -190.0
    for colour, heights in rows:
        for height in heights:
            put_pile(felt, f"cut.{x}", colour, height, x)
            x += 41.0
    felt.snap().hand("dealer", "rack")
    for name in felt.names("cut."):
        felt.remove(name)
    return felt


def fill(
    *rows: tuple[str, tuple[int, ...]], slip: str = "2000.00", added: bool = True, left: int = 40, bet: bool = False
) -> Felt:
    """A carrier comes with black cheques and a slip; they are shown, and put in the rack or back in the carrier."""
    felt = table()
    put(felt, "tube", "rack_tube", (BLACK_X, -80.0), colour="black", count=20)
    felt.snap()
    if bet:
        felt.bets({2: "10"})
    put(felt, "carrier", "carrier", (0.0, 300.0))
    put(felt, "slip", "slip", (250.0, 300.0), amount=slip)
    felt.snap()
    shown(felt, *rows)
    if added:
        change(felt, "tube", extra={"count": left})
    felt.snap()
    if bet:
        felt.collect(2)
    felt.hand("dealer", "dealer.cards")
    felt.remove("carrier")
    felt.remove("slip")
    return push(felt.snap())


def opened(*rows: tuple[str, tuple[int, ...]], busy_ms: int = 0) -> Felt:
    """The cover is taken off a rack with black and red cheques; a stack is run down; the first round is dealt."""
    felt = table()
    put(felt, "cover", "float_cover", RACK)
    felt.snap().hand("dealer", "rack").remove("cover")
    put(felt, "tube.0", "rack_tube", (BLACK_X, -80.0), colour="black", count=40)
    put(felt, "tube.1", "rack_tube", (60.0, -80.0), colour="red", count=40)
    felt.snap().hand("dealer", "rack")
    felt.now += busy_ms
    felt.snap()
    return push(shown(felt, *rows).snap())


def closed(*rows: tuple[str, tuple[int, ...]], cover_shown: bool = True) -> Felt:
    """After a round the cover is held over the rack, then laid on the layout; stacks are shown; it goes back."""
    felt = push(table())
    if cover_shown:
        felt.hand("dealer", "rack")
        put(felt, "cover", "float_cover", RACK)
        felt.snap()
    felt.hand("dealer", "rack")
    put(felt, "cover", "float_cover", LAYOUT)
    felt.snap()
    shown(felt, *rows).snap().hand("dealer", "rack").remove("cover")
    put(felt, "cover", "float_cover", RACK)
    return felt.snap()


def counted(*looks: tuple[tuple[int, ...], ...], before: int = 1, after: int = 1, bet: bool = False) -> Felt:
    """Between rounds blacks and reds come out of the rack, stand so and so, and go back; nothing else is listed."""
    felt = table()
    for _ in range(before):
        push(felt)
    if bet:
        felt.bets({2: "10"})
    for blacks, *reds in looks:
        felt.snap().hand("dealer", "rack")
        _stand(felt, blacks, *reds)
        felt.snap()
    felt.hand("dealer", "rack")
    _stand(felt, ())
    felt.snap()
    if bet:
        felt.collect(2)
    for _ in range(after):
        push(felt)
    return felt


def _stand(felt: Felt, blacks: tuple[int, ...], *reds: tuple[int, ...]) -> None:
    for name in felt.names("cut."):
        felt.remove(name)
    for place, height in enumerate(blacks):
        put_pile(felt, f"cut.b{place}", "black", height, -41.0 * place - 20.0)
    for place, height in enumerate(reds[0] if reds else ()):
        put_pile(felt, f"cut.r{place}", "red", height, 41.0 * place + 40.0)


def marker(amount: str) -> Felt:
    """A marker comes; 500 in black are cut out beside it and sent to the player."""
    felt = table().hand("player", "insurance", seat=1)
    put(felt, "marker", "marker", (150.0, 100.0), amount=amount)
    shown(felt.snap(), ("black", (5,)))
    felt.remove("marker")
    return push(felt.snap())


FIVES = (5, 5, 5, 5)
WHOLE = ((20, 20), (20,))
PROVED = (WHOLE, ((*FIVES, 20), (20,)), WHOLE)
PAIRS = (
    Pair(
        procedure="P340",
        error="a fill of twenty blacks not cut down",
        wrong=lambda: fill(("black", (20,))),
        right=lambda: fill(("black", FIVES)),
    ),
    Pair(
        procedure="P340",
        error="the short stack of a fill cut down, the full one not",
        wrong=lambda: fill(("black", (20, 5)), slip="2500.00"),
        right=lambda: fill(("black", (20, *FIVES, 5)), slip="4500.00"),
    ),
    Pair(
        procedure="P341",
        error="a fill of 1,500 for 2,000 put in the rack",
        wrong=lambda: fill(("black", (5, 5, 5))),
        right=lambda: fill(("black", (5, 5, 5)), added=False),
        verdict="suspect",
    ),
    Pair(
        procedure="P348",
        error="five reds shown at the opening, no blacks",
        wrong=lambda: opened(("red", (5,))),
        right=lambda: opened(("black", FIVES)),
    ),
    Pair(
        procedure="P348",
        error="nothing seen run down while a hand was long at the rack",
        wrong=lambda: opened(busy_ms=8000),
        right=lambda: opened(("black", FIVES), busy_ms=8000),
        verdict="suspect",
    ),
    Pair(
        procedure="P352",
        error="full stacks at the closing, none broken down",
        wrong=lambda: closed(("black", (20, 20))),
        right=lambda: closed(("black", (20, *FIVES))),
    ),
    Pair(
        procedure="P343",
        error="a credit of twenty blacks not cut down",
        wrong=lambda: fill(("black", (20,)), left=0),
        right=lambda: fill(("black", FIVES), left=0),
    ),
    Pair(
        procedure="P338",
        error="a wager on its spot during a fill",
        wrong=lambda: fill(("black", FIVES), bet=True),
        right=lambda: fill(("black", FIVES)),
    ),
    Pair(
        procedure="P345",
        error="500 cut out for a marker of 1,000",
        wrong=lambda: marker("1000.00"),
        right=lambda: marker("500.00"),
        verdict="suspect",
    ),
    Pair(
        procedure="P351",
        error="the float cover laid on the layout at once",
        wrong=lambda: closed(("black", (20, *FIVES)), cover_shown=False),
        right=lambda: closed(("black", (20, *FIVES))),
        verdict="suspect",
    ),
    Pair(
        procedure="P340",
        error="full stacks between two rounds, none cut down",
        wrong=lambda: counted(WHOLE),
        right=lambda: counted(*PROVED),
        verdict="suspect",
    ),
    Pair(
        procedure="P343",
        error="full stacks out of the rack and back, only the reds cut down",
        wrong=lambda: counted(WHOLE, ((20, 20), FIVES), WHOLE),
        right=lambda: counted(*PROVED),
        verdict="suspect",
    ),
    Pair(
        procedure="P348",
        error="full stacks before the first round, none run down",
        wrong=lambda: counted(WHOLE, before=0),
        right=lambda: counted(*PROVED, before=0),
        verdict="suspect",
    ),
    Pair(
        procedure="P352",
        error="full stacks after the last round, none broken down",
        wrong=lambda: counted(WHOLE, after=0),
        right=lambda: counted(*PROVED, after=0),
        verdict="suspect",
    ),
    Pair(
        procedure="P338",
        error="a wager on its spot while full stacks are counted",
        wrong=lambda: counted(*PROVED, bet=True),
        right=lambda: counted(*PROVED),
        verdict="suspect",
    ),
)
