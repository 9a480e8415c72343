"""Waves, pats, bets broken down and hands built up again: what the dealer shows the table at blackjack."""

from __future__ import annotations

from collections.abc import Sequence

from tests.audit.pairs.deal import peek, push, start, table, turn_cards
from tests.audit.pairs.pair import Pair, put
from tests.audit.pairs.paying import over, paid, spread_bet, won
from tests.notation import Felt

REDS = " ".join(["red"] * 24)


# -- insurance ---------------------------------------------------------------------------------------------------------
def wave(felt: Felt) -> Felt:
    """The dealer's hand passes over the insurance line."""
    return felt.hand("dealer", "insurance").snap()


def waved(acts: str, felt: Felt | None = None) -> Felt:
    """Both seats have 19 against an ace; ``acts``: waves, insurance of seats 1 and 2, seat 1's made less, the look."""
    felt = start(felt or table(), {1: "Th 9c", 2: "Ts 9d"}, "Ad 8s")
    turn_cards(felt, 90.0)
    for act in acts.split():
        if act == "wave":
            wave(felt)
        elif act == "look":
            peek(felt, sideways=True)
        elif act == "less":
            felt.hand("player", "insurance", seat=1)
            felt.put_chips("s1.insurance.1", "white white", felt.things["s1.insurance.1"].xy_mm)
            felt.snap()
        else:
            felt.insure(int(act), "5", opened=False)
    turn_cards(felt, 0.0)
    for seat in (2, 1):
        if str(seat) in acts.split():
            felt.take_spot(seat, "insurance")
    return push(felt, 2, 1)


def one_line(right: float) -> Felt:
    """Seat 1's insurance on the line of all seats, so far to the dealer's right of his place's middle."""
    felt = start(table(), {1: "Th 9c", 2: "Ts 9d"}, "Ad 8s")
    turn_cards(felt, 90.0)
    felt.hand("player", "insurance", seat=1)
    felt.put_chips("s1.insurance.1", "5", (felt.at("seat1.cards")[0] + right, felt.at("insurance")[1]))
    peek(felt.snap(), sideways=True)
    turn_cards(felt, 0.0)
    return push(felt.take_spot(1, "insurance"), 2, 1)


# -- paying ------------------------------------------------------------------------------------------------------------
def topped_up(*, brought_back: bool, watched: bool = True) -> Felt:
    """Five reds are paid three; the rest comes upon them, or they go back (``watched``: a look shows it), and five."""
    felt = paid(won_open("red red red red red"), 2, ("red red red", 42.0, 0.0))
    if brought_back:
        felt.hand("dealer", "seat2.main", "rack").remove("s2.pay.0")
        felt = felt.snap() if watched else felt
    return over(paid(felt, 2, ("red red red red red", 42.0, 0.0)))


def won_open(bet: str) -> Felt:
    return table().bets({2: bet}).deal({2: "Th 9c"}, dealer="Td 8s").turn()


def purples(*, proved: bool) -> Felt:
    """Four purples are paid with four, shown before the rack or not."""
    felt = won_open("purple purple purple purple")
    if proved:
        felt.hand("dealer", "rack").put_chips("proof", "purple purple purple purple", (-100.0, 40.0))
        felt.snap().remove("proof")
    return over(paid(felt, 2, ("purple purple purple purple", 42.0, 0.0)))


def purple_and_blacks(*, mixed: bool) -> Felt:
    """A purple and two blacks, broken down, are paid with the same, in one pile or in two."""
    pays = (("purple black black", 0.0),) if mixed else (("purple", -25.0), ("black black", 25.0))
    return spread_bet(("purple", -25.0), ("black black", 25.0), pays=pays)


def long_stack(*, cut: bool) -> Felt:
    """Twenty-four reds are paid with greens and reds, cut down before or not."""
    felt = won_open(REDS)
    if cut:
        felt.hand("dealer", "seat2.main").remove("s2.main.1")
        for number, height in enumerate((5, 5, 5, 5, 4)):
            place = felt.at("seat2.main", -80.0 + 40.0 * number, 20.0)
            felt.put_chips(f"s2.main.{number}c", " ".join(["red"] * height), place)
        felt.snap()
    return over(paid(felt, 2, ("green green green green", -20.0, -28.0), ("red red red red", 20.0, -28.0)))


def passed_over(*, patted: bool) -> Felt:
    """Seat 3 wins, seat 2 pushes, seat 1 wins; over the push the dealer pats the table, or not."""
    felt = start(table(), {1: "Th 9c", 2: "Ts 8c", 3: "Tc 9d"}, "Td 8s").turn().pay(3, "10")
    if patted:
        felt.pat(2)
    felt.pay(1, "10").collect(3).collect(2).collect(1)
    return felt.pick_up()


# -- cards -------------------------------------------------------------------------------------------------------------
def rebuilt(order: Sequence[str]) -> Felt:
    """After a round all its cards are laid out again from the discard rack, hand by hand."""
    felt = push(start(table(), {1: "Th Qc", 2: "Ts Qh"}, "Td Ks"), 2, 1)
    put(felt, "discards", "discards", felt.at("discard"), height_mm=12.0)
    felt.snap()
    faces = {"1": "Th Qc", "2": "Ts Qh", "dealer": "Td Ks"}
    for owner in order:
        zone = "dealer.cards" if owner == "dealer" else f"seat{owner}.cards"
        felt.hand("dealer", "discard", zone)
        prefix = "d." if owner == "dealer" else f"s{owner}.h1."
        for number, code in enumerate(faces[owner].split()):
            felt.put_card(f"{prefix}{number}", code, felt.at(zone, 33.0 * number, -9.0 * number), 0.0)
        felt.snap()
    return felt.pick_up()


def ran_out(*, lacking: bool) -> Felt:
    """Seat 1 draws; the discards are shuffled before his card comes, or after the round."""
    felt = table()
    put(felt, "discards", "discards", felt.at("discard"), height_mm=70.0)
    start(felt.snap(), {1: "5h 6c"}, "Td 8s").hand("player", "seat1.cards", seat=1)
    if lacking:
        felt.hand("dealer", "discard", "shoe").remove("discards")
        felt.snap()
        felt.now += 40_000
    felt.card(1, "7c").turn().pat(1).collect(1).pick_up()
    if not lacking:
        felt.hand("dealer", "discard", "shoe").remove("discards")
    return felt.snap()


def left_out(*, late: bool) -> Felt:
    """Seat 2 gets both his cards in turn, or only after seat 1 drew."""
    felt = table().bets({1: "10", 2: "10"}).card(1, "5h")
    felt = felt if late else felt.card(2, "Ts")
    felt.dealer_card("up", "back", -250.0).card(1, "6c")
    felt = felt if late else felt.card(2, "8c")
    felt.hole = "8s"
    felt.hand("dealer", "dealer.cards", "shoe")
    felt.put_card("d.up", "Td", felt.at("dealer.cards", -250.0), 0.0)
    felt.put_card("d.hole", "back", felt.at("dealer.cards", -230.0, -6.0), 0.0)
    felt.snap().hit(1, "7c")
    felt = felt.card(2, "Ts").card(2, "8c") if late else felt
    return felt.turn().pat(2).collect(2).pat(1).collect(1).pick_up()


_PAIRS = (
    ("P301", "insurance without a wave before it", lambda: waved("1 wave look"), lambda: waved("wave 1 wave look")),
    (
        "P306",
        "the look without a wave after insurance",
        lambda: waved("wave 1 look"),
        lambda: waved("wave 1 wave look"),
    ),
    ("P309", "the closing wave after the look", lambda: waved("wave 1 look wave"), lambda: waved("wave 1 wave look")),
    (
        "P307",
        "insurance after the closing wave",
        lambda: waved("wave 1 wave 2 look"),
        lambda: waved("wave 1 2 wave look"),
    ),
    (
        "P307",
        "insurance made less after the closing wave",
        lambda: waved("wave 1 wave less look"),
        lambda: waved("wave 1 less wave look"),
    ),
    ("P266", "a push passed over", lambda: passed_over(patted=False), lambda: passed_over(patted=True)),
    ("P265", "a short payment topped up", lambda: topped_up(brought_back=False), lambda: topped_up(brought_back=True)),
    ("P272", "four purples paid unproved", lambda: purples(proved=False), lambda: purples(proved=True)),
    (
        "P272",
        "a purple paid with blacks upon it",
        lambda: purple_and_blacks(mixed=True),
        lambda: purple_and_blacks(mixed=False),
    ),
    ("P273", "twenty-four reds paid with greens, uncut", lambda: long_stack(cut=False), lambda: long_stack(cut=True)),
    (
        "P288",
        "a seat's hand built up before the dealer's",
        lambda: rebuilt(["1", "2", "dealer"]),
        lambda: rebuilt(["dealer", "2", "1"]),
    ),
    ("P296", "both cards after a hit", lambda: left_out(late=True), lambda: left_out(late=False)),
)
PAIRS = (
    *(
        Pair(procedure=procedure, error=error, wrong=wrong, right=right, verdict="suspect")
        for procedure, error, wrong, right in _PAIRS
    ),
    Pair(
        procedure="P303",
        error="insurance on the common line to the left of every hand",
        wrong=lambda: one_line(-130.0),
        right=lambda: one_line(48.0),
    ),
    Pair(
        procedure="P267",
        error="a black and two reds paid without being broken down",
        wrong=lambda: won("black red red", ("black", 42.0, 0.0), ("red red", 42.0, 42.0)),
        right=lambda: spread_bet(("black", -25.0), ("red red", 25.0), pays=(("black", -25.0), ("red red", 25.0))),
    ),
    Pair(
        procedure="P295",
        error="the discards shuffled for the rest of a round",
        wrong=lambda: ran_out(lacking=True),
        right=lambda: ran_out(lacking=False),
    ),
)
