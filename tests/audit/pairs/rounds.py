"""From round to round at a blackjack table: side wagers in turn, limits, the deal, wagers that change, splits."""

from __future__ import annotations

from dataclasses import replace

from audit.money import parse_money
from tests.audit.pairs.pair import Pair
from tests.notation import Felt, wide_profile

PUSH = "Th Qc"


def table(*bets: str, game: str = "blackjack", seats: int = 3, most: str = "2000.00") -> Felt:
    profile = wide_profile(game, bets or ("main",), seats=seats)
    return Felt(replace(profile, maximum=parse_money(most)))


def open_loser(*, taken: bool) -> Felt:
    """A losing wager is taken, or still stands when the next round begins."""
    felt = table().bets({1: "10"}).deal({1: "Th 7c"}, dealer="Td 8s").turn()
    if taken:
        felt.take_spot(1, "main")
    felt.pick_up()
    if taken:
        felt.bets({1: "10"})
    return felt.deal({1: "Ts Qh"}, dealer="Tc Ks").turn().pat(1).collect(1).pick_up()


def side(
    order: str, *, hands: dict[int, str], up: str = "9h", bets: tuple[str, ...] = ("trilux",), pays: str = "45"
) -> Felt:
    """Trilux and Blazing 7's wagers of 5 are settled in an order such as ``take:3.trilux pay:1.trilux``."""
    felt = table("blazing7", "trilux", "super3", "main").bets(dict.fromkeys(hands, "10"))
    for seat in hands:
        for bet in bets:
            felt.bets({seat: "5"}, bet)
            if bet == "blazing7":
                felt.take_spot(seat, bet)
    felt.deal(hands, dealer=f"{up} Ts")
    for act, seat, bet in (part.replace(":", ".").split(".") for part in order.split()):
        if act == "take":
            felt.take_spot(int(seat), bet)
        else:
            amount = pays if bet == "trilux" else "10"
            felt.pay_spot(int(seat), bet, amount).collect_spot(int(seat), bet)
    felt.turn()
    for seat in sorted(hands, reverse=True):
        felt.take_spot(seat, "main")
    return felt.pick_up()


def side_left(*, handed: bool) -> Felt:
    """A Trilux flush is paid; bet and payment are handed over, or stand until the next round."""
    felt = table("trilux", "main").bets({1: "10"}).bets({1: "5"}, "trilux").deal({1: "Th 7h"}, dealer="9h Ts")
    felt.pay_spot(1, "trilux", "45")
    if handed:
        felt.collect_spot(1, "trilux")
    felt.turn().take_spot(1, "main").pick_up()
    if handed:
        felt.bets({1: "5"}, "trilux")
    felt.bets({1: "10"}).deal({1: "Ts Qh"}, dealer="Tc Ks")
    if handed:
        felt.take_spot(1, "trilux")
    else:
        felt.hand("dealer", "seat1.trilux", "rack")
        for name in felt.names("s1.trilux"):
            felt.remove(name)
        felt.snap()
    return felt.turn().pat(1).collect(1).pick_up()


def jackpot(*, early: bool) -> Felt:
    """Three sevens of one colour; the jackpot is paid at once, or after the dealer's hand."""
    felt = table("blazing7", "main").bets({1: "10"}).bets({1: "5"}, "blazing7").take_spot(1, "blazing7")
    felt.deal({1: "7h 7d"}, dealer="7d Ks")
    if early:
        felt.pay_spot(1, "blazing7", "5000").collect_spot(1, "blazing7")
    felt.turn()
    if not early:
        felt.pay_spot(1, "blazing7", "5000").collect_spot(1, "blazing7")
    return felt.take_spot(1, "main").pick_up()


def bet(amount: str, *, game: str = "blackjack", most: str = "2000.00") -> Felt:
    felt = table(game=game, most=most).bets({1: amount}).deal({1: PUSH}, dealer="Td Ks").turn()
    return felt.pat(1).collect(1).pick_up()


def covered(*, far: bool) -> Felt:
    """The second card lies at the first one's corner, or nearly on it."""
    felt = table().bets({1: "10"}).card(1, "Th").dealer_card("up", "back", -250.0)
    felt.card(1, "Qc", snap=False)
    x, y = felt.things["s1.h1.0"].xy_mm
    if not far:
        felt.things["s1.h1.1"] = replace(felt.things["s1.h1.1"], xy_mm=(x - 4.0, y - 16.0))
    felt.snap()
    return shown(felt).turn().pat(1).collect(1).pick_up()


def hit_covers(*, near: bool) -> Felt:
    """A hit lies at the second card's corner, or so near it that its centre is hidden."""
    felt = shown(table().bets({1: "10"}).card(1, "5h").dealer_card("up", "back", -250.0).card(1, "4c"))
    felt.hand("player", "seat1.cards", seat=1).card(1, "Ad", snap=False)
    if near:
        x, y = felt.things["s1.h1.1"].xy_mm
        felt.things["s1.h1.2"] = replace(felt.things["s1.h1.2"], xy_mm=(x - 5.0, y - 15.0))
    return felt.snap().turn().pat(1).collect(1).pick_up()


def shown(felt: Felt, up: str = "Td", hole: str = "Ks", *, early: bool = False) -> Felt:
    felt.hole = hole
    felt.hand("dealer", "dealer.cards", "shoe")
    if not early:
        felt.put_card("d.up", up, felt.at("dealer.cards", -250.0), 0.0)
    felt.put_card("d.hole", "back", felt.at("dealer.cards", -244.0, -6.0), 0.0)
    return felt.snap()


def up_early(*, early: bool) -> Felt:
    felt = table().bets({1: "10"}).card(1, "Th").dealer_card("up", "Td" if early else "back", -250.0).card(1, "Qc")
    return shown(felt).turn().pat(1).collect(1).pick_up()


def grown(when: str, amount: str = "20", *, winner: bool = False) -> Felt:
    """A player changes his bet: never, during play, or after the hole card was turned."""
    cards, dealer = ("Th 9c", "Td 8s") if winner else (PUSH, "Td Ks")
    felt = table().bets({1: "10"}).deal({1: cards}, dealer=dealer)
    if when == "play":
        touched(felt, amount)
    felt.turn()
    if winner:
        return felt.pay_spot(1, "main", "10").collect(1).pick_up()
    return felt.pat(1).collect(1).pick_up()


def touched(felt: Felt, amount: str) -> None:
    felt.hand("player", "seat1.main", seat=1)
    felt.put_chips("s1.main.1", amount, felt.things["s1.main.1"].xy_mm)
    felt.snap()


def capped_payoff(*, capped: bool) -> Felt:
    """After the dealer's hand is shown the bet grows, before it is paid."""
    felt = table().bets({1: "10"}).deal({1: "Th 9c"}, dealer="Td 8s")
    felt.hand("dealer", "dealer.cards")
    felt.put_card("d.hole", "8s", felt.at("dealer.cards", -180.0), 0.0)
    if capped:
        felt.hand("player", "seat1.main", seat=1)
        felt.put_chips("s1.main.1", "20", felt.things["s1.main.1"].xy_mm)
    felt.snap()
    return felt.pay_spot(1, "main", "10").collect(1).pick_up()


def lifted(*, first: bool) -> Felt:
    """Losing cards are lifted before or after their wager is taken."""
    felt = table().bets({1: "10"}).deal({1: "Th 7c"}, dealer="Td 8s").turn()
    if first:
        return felt.pick_up_seat(1).take_spot(1, "main").pick_up()
    return felt.take_spot(1, "main").pick_up()


def skipped(*, one: bool) -> Felt:
    felt = table().bets({1: "10", 2: "10"})
    felt.deal({1: PUSH} if one else {1: PUSH, 2: "Ts Qh"}, dealer="Td Ks").turn()
    if not one:
        felt.pat(2)
    return felt.collect(2).pat(1).collect(1).pick_up()


def doubled(*, count: int, late: bool = False) -> Felt:
    """A double on ten with so many cards, its cheques before or after the first of them."""
    felt = table().bets({1: "10"}).deal({1: "6h 4c"}, dealer="Td Ks").hand("player", "seat1.main", seat=1)
    if not late:
        felt.put_chips("s1.double.1", "10", felt.at("seat1.main", 45.0))
        felt.snap()
    for number in range(count):
        if number:
            felt.hand("player", "seat1.cards", seat=1)
        felt.card(1, ("8h", "2c")[number] if count > 1 else "Kh", sideways=number == 0)
    if late:
        felt.hand("player", "seat1.main", seat=1)
        felt.put_chips("s1.double.1", "10", felt.at("seat1.main", 45.0))
        felt.snap()
    return felt.turn().pat(1).collect(1).pick_up()


def split(times: int, game: str = "blackjack", rank: str = "8") -> Felt:
    """Eights (or another rank) are split so many times; every hand of eights is made eighteen, as the dealer's."""
    felt = Felt(wide_profile(game, ("main",), seats=1)).bets({1: "10"})
    felt.deal({1: f"{rank}c {rank}d"}, dealer="Td 8s")
    suits = "hscdh"
    hands = ["s1.h1.0", "s1.h1.1"]
    for number in range(1, times + 1):
        felt.hand("player", "seat1.main", seat=1)
        felt.put_chips(f"s1.main.{number + 1}", "10", felt.at("seat1.main", -80.0 + 41.0 * number))
        felt.put_chips("s1.main.1", "10", felt.at("seat1.main", -80.0))
        felt.snap().hand("dealer", "seat1.cards", "seat1.main")
        for place, name in enumerate(hands):
            felt.things[name] = replace(felt.things[name], xy_mm=felt.at("seat1.cards", -160.0 + 78.0 * place, 50.0))
        felt.snap()
        if number < times:
            felt.hand("dealer", "shoe", "seat1.cards")
            x, y = felt.things[hands[-1]].xy_mm
            hands.append(f"s1.h1.{number + 1}")
            felt.put_card(hands[-1], f"{rank}{suits[number]}", (x - 16.0, y - 24.0), 0.0)
            felt.snap()
    for place, name in enumerate(hands):
        felt.hand("player", "seat1.cards", seat=1).hand("dealer", "shoe", "seat1.cards")
        x, y = felt.things[name].xy_mm
        felt.put_card(f"s1.h1.t{place}", f"{'TJQK'[place % 4]}{'cdhs'[place % 4]}", (x - 10.0, y - 30.0), 0.0)
        felt.snap()
    return felt.turn().pat(1).collect(1).pick_up()


def trilux(
    *,
    late: bool = False,
    paid: str = "take",
    cards: str = "Th 7c",
    up: str = "9h",
    hit_first: bool = False,
    game: str = "blackjack",
    hole: str = "8c",
) -> Felt:
    """A Trilux wager of 10 beside a bet that pushes with 17; settled before or after a hit."""
    felt = Felt(wide_profile(game, ("trilux", "main"))).bets({1: "10"})
    if not late:
        felt.bets({1: "10"}, "trilux")
    felt.card(1, cards.split(maxsplit=1)[0])
    if late:
        felt.bets({1: "10"}, "trilux")
    felt.dealer_card("up", "back", -250.0).card(1, cards.split()[1])
    shown(felt, up, hole)
    if hit_first:
        felt.hit(1, "2d")
    if paid == "take":
        felt.take_spot(1, "trilux")
    else:
        felt.pay_spot(1, "trilux", paid).collect_spot(1, "trilux")
    felt.turn()
    if hit_first:
        return felt.pay_spot(1, "main", "10").collect(1).pick_up()
    return felt.pat(1).collect(1).pick_up()


def insured_side(*, open_: bool) -> Felt:
    """Insurance is placed while a Trilux wager is open, or after it was taken."""
    felt = table("trilux", "main").bets({1: "10"}).bets({1: "10"}, "trilux").deal({1: "Th 8c"}, dealer="Ad 7s")
    if not open_:
        felt.take_spot(1, "trilux")
    felt.insure(1, "5")
    if open_:
        felt.take_spot(1, "trilux")
    felt.take_spot(1, "insurance").turn()
    return felt.pat(1).collect_spot(1, "main").pick_up()


def even_money(paid: str) -> Felt:
    felt = table().bets({1: "20"}).deal({1: "Ah Kc"}, dealer="Ad 8s").pay_spot(1, "main", "20")
    if paid != "20":
        felt.hand("dealer", "seat1.main", "rack")
        felt.put_chips("s1.main.pay", paid, felt.things["s1.main.pay"].xy_mm)
        felt.snap()
    return felt.collect(1).pick_up_seat(1).turn().pick_up()


def sensor(amount: str) -> Felt:
    felt = table("blazing7", "main").bets({1: "10"}).bets({1: amount}, "blazing7").take_spot(1, "blazing7")
    return felt.deal({1: PUSH}, dealer="Td Ks").turn().pat(1).collect(1).pick_up()


def seven_queens(count: int) -> Felt:
    felt = table()
    for number in range(count):
        suit = "cdhs"[number % 4]
        felt.bets({1: "10"}).deal({1: f"Qc T{suit}"}, dealer=f"J{suit} K{suit}").turn().pat(1).collect(1).pick_up()
    return felt


def crowd(count: int) -> Felt:
    """So many seats push with 20."""
    felt = table(seats=8)
    seats = range(1, count + 1)
    hands = {seat: f"T{'cdhs'[seat % 4]} Q{'cdhs'[seat % 4]}" for seat in seats}
    felt.bets(dict.fromkeys(seats, "10")).deal(hands, dealer="Js Kd").turn()
    for seat in reversed(seats):
        felt.pat(seat).collect_spot(seat, "main")
    return felt.pick_up()


_PAIRS = (
    (
        "P382",
        "a winner paid before a loser farther right",
        lambda: side("pay:1.trilux take:3.trilux", hands={1: "Th 7h", 3: "2c 7s"}),
        lambda: side("take:3.trilux pay:1.trilux", hands={1: "Th 7h", 3: "2c 7s"}),
        "violation",
    ),
    (
        "P384",
        "a progressive paid after its hand's Trilux",
        lambda: side("take:1.trilux pay:1.blazing7", hands={1: "7c 2s"}, bets=("trilux", "blazing7")),
        lambda: side("pay:1.blazing7 take:1.trilux", hands={1: "7c 2s"}, bets=("trilux", "blazing7")),
        "violation",
    ),
    (
        "P410",
        "a progressive paid after the next hand's Trilux",
        lambda: side(
            "take:1.trilux pay:3.blazing7 take:3.trilux", hands={1: "Tc 2s", 3: "7c 2d"}, bets=("trilux", "blazing7")
        ),
        lambda: side(
            "pay:3.blazing7 take:3.trilux take:1.trilux", hands={1: "Tc 2s", 3: "7c 2d"}, bets=("trilux", "blazing7")
        ),
        "violation",
    ),
    (
        "P381",
        "losing Trilux wagers taken from the left",
        lambda: side("take:1.trilux take:3.trilux", hands={1: "Tc 2s", 3: "4c 2d"}),
        lambda: side("take:3.trilux take:1.trilux", hands={1: "Tc 2s", 3: "4c 2d"}),
        "violation",
    ),
    (
        "P383",
        "a paid Trilux wager left up",
        lambda: side_left(handed=False),
        lambda: side_left(handed=True),
        "violation",
    ),
    (
        "P412",
        "a jackpot paid before the round was over",
        lambda: jackpot(early=True),
        lambda: jackpot(early=False),
        "suspect",
    ),
    (
        "P399",
        "more than 10,000 on two decks",
        lambda: bet("11000", game="double_deck", most="20000.00"),
        lambda: bet("10000", game="double_deck", most="20000.00"),
        "violation",
    ),
    ("P231", "a wager below the minimum dealt", lambda: bet("1"), lambda: bet("5"), "suspect"),
    ("P184", "the second card nearly on the first", lambda: covered(far=False), lambda: covered(far=True), "suspect"),
    ("P185", "the first card's centre covered", lambda: covered(far=False), lambda: covered(far=True), "suspect"),
    (
        "P185",
        "a hit over the second card's centre",
        lambda: hit_covers(near=True),
        lambda: hit_covers(near=False),
        "suspect",
    ),
    (
        "P236",
        "the up card shown before the second cards",
        lambda: up_early(early=True),
        lambda: up_early(early=False),
        "violation",
    ),
    (
        "P207",
        "a bet that grows before its payment",
        lambda: capped_payoff(capped=True),
        lambda: capped_payoff(capped=False),
        "violation",
    ),
    ("P208", "a bet that grows during play", lambda: grown("play"), lambda: grown("never"), "violation"),
    ("P223", "a bet that shrinks during play", lambda: grown("play", "5"), lambda: grown("never"), "violation"),
    (
        "P287",
        "cards lifted before the wager was taken",
        lambda: lifted(first=True),
        lambda: lifted(first=False),
        "violation",
    ),
    ("P296", "a wager that gets no cards", lambda: skipped(one=True), lambda: skipped(one=False), "violation"),
    ("P317", "two cards on a double", lambda: doubled(count=2), lambda: doubled(count=1), "violation"),
    (
        "P320",
        "a double's cheques after its card",
        lambda: doubled(count=1, late=True),
        lambda: doubled(count=1),
        "violation",
    ),
    ("P323", "five hands of one pair", lambda: split(4), lambda: split(1), "violation"),
    (
        "P393",
        "three hands of one pair of two decks",
        lambda: split(2, "double_deck"),
        lambda: split(1, "double_deck"),
        "violation",
    ),
    ("P378", "a Trilux bet after the first card", lambda: trilux(late=True), trilux, "violation"),
    (
        "P379",
        "a Trilux flush with the hole card paid",
        lambda: trilux(cards="Th 7h", up="9c", hole="8h", paid="90"),
        lambda: trilux(cards="Th 7h", up="9c", hole="8h"),
        "violation",
    ),
    (
        "P401",
        "a Trilux flush of two decks paid nine to one",
        lambda: trilux(cards="Th 7h", paid="90", game="double_deck"),
        lambda: trilux(cards="Th 7h", paid="25", game="double_deck"),
        "violation",
    ),
    (
        "P299",
        "insurance while a side wager was open",
        lambda: insured_side(open_=True),
        lambda: insured_side(open_=False),
        "violation",
    ),
    ("P305", "even money paid as a blackjack", lambda: even_money("30"), lambda: even_money("20"), "suspect"),
    ("P403", "ten dollars on the sensor", lambda: sensor("10"), lambda: sensor("5"), "violation"),
    ("P204", "a seventh copy in a six-deck shoe", lambda: seven_queens(7), lambda: seven_queens(6), "violation"),
    ("P220", "cards at an eighth space", lambda: crowd(8), lambda: crowd(7), "violation"),
)
ALSO = {"P410": ("P381",)}
PAIRS = tuple(
    Pair(procedure=procedure, error=error, wrong=wrong, right=right, verdict=verdict, also=ALSO.get(procedure, ()))
    for procedure, error, wrong, right, verdict in _PAIRS
)
