"""The manner of paying a wager of blackjack."""

from __future__ import annotations

from tests.audit.pairs.pair import Pair, change
from tests.notation import Felt, wide_profile


def table() -> Felt:
    return Felt(wide_profile("blackjack", ("main",)))


def won(bet: str, *payments: tuple[str, float, float], cards: str = "Th 9c", dealer: str = "Td 8s") -> Felt:
    """A bet wins; each payment is a pile at so many mm to the right of it and away from the dealer."""
    felt = table().bets({2: bet}).deal({2: cards}, dealer=dealer).turn()
    return over(paid(felt, 2, *payments))


def paid(felt: Felt, seat: int, *payments: tuple[str, float, float]) -> Felt:
    for number, (pile, right, away) in enumerate(payments):
        felt.hand("dealer", "rack", f"seat{seat}.main")
        felt.put_chips(f"s{seat}.pay.{number}", pile, felt.at(f"seat{seat}.main", right, away))
        felt.snap()
    return felt


def over(felt: Felt) -> Felt:
    return felt.collect(2).pick_up()


def spread_bet(*piles: tuple[str, float], pays: tuple[tuple[str, float], ...]) -> Felt:
    """The bet is broken down in the circle, each colour so far from the dealer, and paid beside."""
    bet = " ".join(pile for pile, _ in piles)
    felt = table().bets({2: bet}).deal({2: "Th 9c"}, dealer="Td 8s").turn()
    felt.hand("dealer", "rack", "seat2.main").remove("s2.main.1")
    for number, (pile, away) in enumerate(piles):
        felt.put_chips(f"s2.main.{number}b", pile, felt.at("seat2.main", 0.0, away))
    for number, (pile, away) in enumerate(pays):
        felt.put_chips(f"s2.pay.{number}", pile, felt.at("seat2.main", 42.0, away))
    return over(felt.snap())


def brought_back(*, late: bool) -> Felt:
    """Seat 3 is paid 40 of 50; the rest comes at once, or after seat 1 was taken."""
    felt = table().bets({1: "10", 3: "red red red red red red red red red red"})
    felt.deal({1: "Th 7c", 3: "Ts 9c"}, dealer="Td 8s").turn()
    paid(
        felt,
        3,
        ("red red red red red red red red red red" if not late else "red red red red red red red red", 42.0, 0.0),
    )
    felt.take_spot(1, "main")
    if late:
        felt.hand("dealer", "rack", "seat3.main")
        felt.put_chips("s3.pay.1", "red red", felt.at("seat3.main", 42.0, 42.0))
        felt.snap()
    return felt.collect(3).pick_up()


def converted(*, colours: str, cards: str = "Th 9c", pay: str = "25") -> Felt:
    """The dealer puts other cheques in the place of the bet before he pays it."""
    felt = table().bets({2: "red red red red red"}).deal({2: cards}, dealer="Td 8s")
    if cards[0] != "A":
        felt.turn()
    felt.hand("dealer", "rack", "seat2.main")
    change(felt, "s2.main.1", stack=tuple(colours.split()))
    felt.snap()
    paid(felt, 2, (pay, 42.0, 0.0)).collect(2)
    return felt.pick_up_seat(2).turn().pick_up() if cards[0] == "A" else felt.pick_up()


def broken(payment: str) -> Felt:
    """Seat 2 breaks and stays; the dealer breaks too."""
    felt = table().bets({2: "10"}).deal({2: "Th 7c"}, dealer="Td 6s").hit(2, "Kd").turn().dealer_hits("9h")
    if payment:
        return over(paid(felt, 2, (payment, 42.0, 0.0)))
    return felt.take_spot(2, "main").pick_up()


GREENS = "green green green green green green green"
PAIRS = (
    Pair(
        procedure="P268",
        error="reds paid before blacks",
        wrong=lambda: won("black red red", ("red red", 42.0, 42.0), ("black", 42.0, 0.0)),
        right=lambda: won("black red red", ("black", 42.0, 0.0), ("red red", 42.0, 42.0)),
    ),
    Pair(
        procedure="P267",
        error="the black farther from the dealer than the reds",
        wrong=lambda: spread_bet(("black", 25.0), ("red red", -25.0), pays=(("black", 25.0), ("red red", -25.0))),
        right=lambda: spread_bet(("black", -25.0), ("red red", 25.0), pays=(("black", -25.0), ("red red", 25.0))),
    ),
    Pair(
        procedure="P269",
        error="a green paid with reds",
        wrong=lambda: won("green", ("red red red red red", 42.0, 0.0)),
        right=lambda: won("green", ("green", 42.0, 0.0)),
        verdict="suspect",
    ),
    Pair(
        procedure="P277",
        error="five reds paid with a green",
        wrong=lambda: won("red red red red red", ("green", 42.0, 0.0)),
        right=lambda: won("red red red red red", ("red red red red red", 42.0, 0.0)),
        verdict="suspect",
    ),
    Pair(
        procedure="P271",
        error="four greens paid with a black at a $5 game",
        wrong=lambda: won("green green green green", ("black", 42.0, 0.0)),
        right=lambda: won("green green green green", ("green green green green", 42.0, 0.0)),
        verdict="suspect",
    ),
    Pair(
        procedure="P273",
        error="175 in green paid with black, green and reds",
        wrong=lambda: won(GREENS, ("black", 42.0, 0.0), ("green green red red red red red", 42.0, 42.0)),
        right=lambda: won(GREENS, (GREENS, 42.0, 0.0)),
        verdict="suspect",
    ),
    Pair(
        procedure="P263",
        error="four greens paid in two piles",
        wrong=lambda: won("green green green green", ("green green", 42.0, 0.0), ("green green", 42.0, 42.0)),
        right=lambda: won("green green green green", ("green green green green", 42.0, 0.0)),
        verdict="suspect",
    ),
    Pair(
        procedure="P265",
        error="a short payment topped up after the next seat",
        wrong=lambda: brought_back(late=True),
        right=lambda: brought_back(late=False),
        also=("P263", "P259"),
    ),
    Pair(
        procedure="P278",
        error="the bet changed into a green",
        wrong=lambda: converted(colours="green"),
        right=lambda: converted(colours="red red red red red", pay="red red red red red"),
        verdict="suspect",
    ),
    Pair(
        procedure="P279",
        error="the bet of a blackjack changed into a green",
        wrong=lambda: converted(colours="green", cards="Ah Kc", pay="37.50"),
        right=lambda: converted(colours="red red red red red", cards="Ah Kc", pay="37.50"),
        verdict="suspect",
    ),
    Pair(
        procedure="P258",
        error="a broken hand paid when the dealer broke",
        wrong=lambda: broken("10"),
        right=lambda: broken(""),
    ),
)
