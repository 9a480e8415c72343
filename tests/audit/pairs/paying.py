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


def broken_down(*pays: tuple[str, float]) -> Felt:
    """A black and two reds broken down in the circle, paid in this order, each so far from the dealer."""
    felt = table().bets({2: "black red red"}).deal({2: "Th 9c"}, dealer="Td 8s").turn().hand("dealer", "seat2.main")
    felt.remove("s2.main.1")
    for number, (pile, away) in enumerate((("black", -25.0), ("red red", 25.0))):
        felt.put_chips(f"s2.main.{number}b", pile, felt.at("seat2.main", 0.0, away))
    return over(paid(felt.snap(), 2, *((pile, 42.0, away) for pile, away in pays)))


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


def high_blackjack(*, cut: bool, height: int = 20) -> Felt:
    """A stack of reds wins with a blackjack; its payment is cut out before the rack first, or set down at once."""
    felt = table().bets({2: " ".join(["red"] * height)}).deal({2: "Ah Kc"}, dealer="Td 8s")
    if cut:
        felt.hand("dealer", "rack")
        for place in range(6):
            xy = (-150.0 + 41.0 * (place % 4), 40.0 + 41.0 * (place // 4))
            felt.put_chips(f"cut.{place}", " ".join(["red"] * 5), xy)
        felt.snap()
        for name in felt.names("cut."):
            felt.remove(name)
    paid(felt, 2, (" ".join(["red"] * (height * 3 // 2)), 42.0, 0.0)).collect(2)
    return felt.pick_up_seat(2).turn().pick_up()


def by_halves() -> Felt:
    """Twenty reds win with a blackjack and are paid with three piles of ten."""
    felt = table().bets({2: " ".join(["red"] * 20)}).deal({2: "Ah Kc"}, dealer="Td 8s")
    ten = " ".join(["red"] * 10)
    paid(felt, 2, (ten, 42.0, 0.0), (ten, 42.0, 42.0), (ten, 0.0, 42.0)).collect(2)
    return felt.pick_up_seat(2).turn().pick_up()


def usual_bets(*, changed: bool, reds_left: bool = False) -> Felt:
    """A player bets reds round after round, greens before him; his winning reds are changed into a green, or not."""
    felt = table()
    felt.put_chips("own.1", "green green", (0.0, 640.0))
    if reds_left:
        felt.put_chips("own.2", "red red red", (60.0, 640.0))
    felt.snap()
    for suit in "chs":
        felt.bets({2: "red red red red red"}).deal({2: f"T{suit} Q{suit}"}, dealer=f"J{suit} K{suit}").turn()
        felt.pat(2).collect(2).pick_up()
    felt.bets({2: "red red red red red"}).deal({2: "Th 9c"}, dealer="Td 8s").turn()
    if not changed:
        return paid(felt, 2, ("red red red red red", 42.0, 0.0)).collect(2).pick_up()
    felt.hand("dealer", "rack", "seat2.main")
    change(felt, "s2.main.1", stack=("green",))
    felt.snap()
    return paid(felt, 2, ("green", 42.0, 0.0)).collect(2).pick_up()


GREENS = "green green green green green green green"
PAIRS = (
    Pair(
        procedure="P268",
        error="reds paid before blacks",
        wrong=lambda: broken_down(("red red", 25.0), ("black", -25.0)),
        right=lambda: broken_down(("black", -25.0), ("red red", 25.0)),
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
        error="a short payment topped up with a small pile",
        wrong=lambda: won("green green green green", ("green green green", 42.0, 0.0), ("green", 42.0, 42.0)),
        right=lambda: won("green green green green", ("green green green green", 42.0, 0.0)),
        verdict="suspect",
        also=("P263",),
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
        procedure="P270",
        error="a blackjack on twenty reds paid with thirty in one pile",
        wrong=lambda: high_blackjack(cut=False),
        right=lambda: high_blackjack(cut=True),
        verdict="suspect",
    ),
    Pair(
        procedure="P270",
        error="thirty reds set down uncut, not by halves",
        wrong=lambda: high_blackjack(cut=False),
        right=by_halves,
        verdict="suspect",
    ),
    Pair(
        procedure="P270",
        error="thirty reds on twenty set down at once; twelve on eight are no high stack",
        wrong=lambda: high_blackjack(cut=False),
        right=lambda: high_blackjack(cut=False, height=8),
        verdict="suspect",
    ),
    Pair(
        procedure="P362",
        error="the last reds of a player who bets reds changed into a green",
        wrong=lambda: usual_bets(changed=True),
        right=lambda: usual_bets(changed=False),
        verdict="suspect",
        also=("P278",),
    ),
    Pair(
        procedure="P258",
        error="a broken hand paid when the dealer broke",
        wrong=lambda: broken("10"),
        right=lambda: broken(""),
    ),
)
