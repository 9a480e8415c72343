"""From round to round, side wagers in turn, limits of the games, and the older checks of every game."""

from __future__ import annotations

from dataclasses import replace

from audit.money import parse_money
from tests.audit.pairs.pair import Pair, put
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


def stud(*, sweep: bool = False, dealer_first: bool = False, cards: int = 2, down: bool = False, pay: str = "") -> Felt:
    """Two seats lose at 21 Stud; their cards go after each Base bet, in a later sweep, or after the dealer's."""
    felt = Felt(wide_profile("stud_21", ("match1", "match2", "mirror", "base")))
    felt.bets({1: "10", 2: "10"}, "base")
    for place in range(cards):
        for seat in (1, 2):
            felt.card(seat, "back" if down and (seat, place) == (2, 1) else f"{'T7'[place]}{'cd'[seat - 1]}")
    felt.dealer_zone_card("dealer.card1", "back").dealer_zone_card("dealer.card2", "back")
    felt.dealer_zone_card("dealer.card1", "Js").dealer_zone_card("dealer.card2", "9s")
    if down:
        put(felt, "s2.h1.1", "card", felt.things["s2.h1.1"].xy_mm, angle_deg=0.0, card="7d")
    for seat in (2, 1):
        if dealer_first and seat == 1:
            dealer_away(felt)
        if pay and seat == 1:
            felt.pay_spot(seat, "base", pay).collect_spot(seat, "base")
        else:
            felt.take_spot(seat, "base")
        if not sweep:
            felt.pick_up_seat(seat)
    if sweep:
        felt.pick_up_seat(2).pick_up_seat(1)
    return felt if dealer_first else dealer_away(felt)


def dealer_away(felt: Felt) -> Felt:
    felt.hand("dealer", "dealer.card1", "dealer.card2", "discard")
    for name in felt.names("d."):
        felt.remove(name)
    return felt.snap()


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
    ("P231", "a wager below the minimum dealt", lambda: bet("1"), lambda: bet("5"), "violation"),
    ("P085", "cards left for a later sweep", lambda: stud(sweep=True), stud, "violation"),
    ("P086", "the dealer's cards away before the last Base bet", lambda: stud(dealer_first=True), stud, "violation"),
    ("P078", "Base bets settled from the left", lambda: settled_left("stud_21"), stud, "violation"),
)


# -- dice --------------------------------------------------------------------------------------------------------------
_CHUCKS = tuple(f"chuck{n}" for n in range(1, 7))
SKILL = "[variant]\nskill_game = true\n"


def dice(game: str = "draw_n_shoot_21", *, extra: str = "") -> Felt:
    bets = ("craps", "ante", "raise") if game == "draw_n_shoot_21" else ("ante", "raise", *_CHUCKS)
    return Felt(wide_profile(game, bets, extra=extra))


def two_seats(
    game: str = "draw_n_shoot_21",
    *,
    order: tuple[int, ...] = (1, 2),
    settle: tuple[int, ...] = (2, 1),
    third_die: bool = False,
    ante: str = "10",
    cards_first: bool = False,
    skip: bool = False,
    upright: bool = True,
) -> Felt:
    """Two antes on tens, dice of nine: both are paid evenly."""
    felt = dice(game)
    felt.bets({1: "10", 2: ante}, "ante")
    for seat in order:
        if not (skip and seat == 2):
            felt.card(seat, f"T{'cd'[seat - 1]}", sideways=not upright)
    felt.roll(*((4, 5) if game == "draw_n_shoot_21" else (4, 5, 2)), *((6,) if third_die else ()))
    if third_die:
        put(felt, "die.9", "die", felt.at("dice", 80.0), value=6, colour="white")
        felt.snap()
    for seat in settle:
        if cards_first and seat == 2:
            felt.pick_up_seat(2)
        if skip and seat == 2:
            felt.collect_spot(2, "ante")
            continue
        felt.pay_spot(seat, "ante", ante if seat == 2 else "10").collect_spot(seat, "ante")
        if not (cards_first and seat == 2):
            felt.pick_up_seat(seat)
    return felt.cover_dice()


def alone(game: str, bet_: str, *, ante: bool, extra: str = SKILL, second: bool = False) -> Felt:
    """A side bet with or without an ante, where the jurisdiction demands one; nothing matches."""
    felt = dice(game, extra=extra)
    if ante:
        felt.bets({2: "10"}, "ante")
    felt.bets({2: "10"}, bet_).card(2, "9s", sideways=True)
    if second:
        felt.hit(2, "3c")
    felt.roll(*((3, 2) if game == "draw_n_shoot_21" else (3, 2, 4))).take_spot(2, bet_)
    if ante:
        felt.take_spot(2, "ante")
    return felt.pick_up_seat(2).cover_dice()


def craps_on_three(*, taken: bool) -> Felt:
    """A craps bet with a total of three wins evenly; the dealer takes it."""
    felt = dice().bets({2: "10"}, "craps").card(2, "9s", sideways=True).roll(1, 2)
    if taken:
        felt.take_spot(2, "craps")
    else:
        felt.pay_spot(2, "craps", "10").collect_spot(2, "craps")
    return felt.pick_up_seat(2).cover_dice()


def score(game: str, paid: str, *, faces: tuple[int, ...] = (4, 5), raised: str = "", late: bool = False) -> Felt:
    """Seat 2 antes 20 on a ten, perhaps raises; the ante is paid an amount, or taken."""
    felt = dice(game).bets({2: "20"}, "ante").card(2, "Ts")
    if raised:
        felt.bets({2: raised}, "raise")
    felt.roll(*faces)
    if raised:
        felt.pay_spot(2, "raise", raised).collect_spot(2, "raise")
    if paid == "take":
        felt.take_spot(2, "ante")
    elif paid:
        felt.pay_spot(2, "ante", paid)
    if late:
        felt.snap()
    if paid != "take":
        felt.collect_spot(2, "ante")
    return felt.pick_up_seat(2).cover_dice()


def chuck_late(*, late: bool) -> Felt:
    """A number bet comes before the first card or after it; it loses."""
    felt = dice("dicey_21").bets({1: "10"}, "ante")
    if not late:
        felt.bets({2: "10"}, "chuck6").card(1, "Tc").card(2, "9s", sideways=True)
    else:
        felt.card(1, "Tc").bets({2: "10"}, "chuck6").card(2, "9s", sideways=True)
    felt.roll(4, 5, 2).take_spot(2, "chuck6").pick_up_seat(2).pay_spot(1, "ante", "10").collect_spot(1, "ante")
    return felt.pick_up_seat(1).cover_dice()


# -- 21 Stud and Lucky Draw Baccarat -----------------------------------------------------------------------------------
def settled_left(game: str) -> Felt:
    """Two losing Base bets are taken from the left."""
    felt = Felt(wide_profile(game, ("match1", "match2", "mirror", "base"))).bets({1: "10", 2: "10"}, "base")
    for code in ("T", "7"):
        for seat in (1, 2):
            felt.card(seat, code + "cd"[seat - 1])
    felt.dealer_zone_card("dealer.card1", "back").dealer_zone_card("dealer.card2", "back")
    felt.dealer_zone_card("dealer.card1", "Js").dealer_zone_card("dealer.card2", "9s")
    felt.take_spot(1, "base").take_spot(2, "base").pick_up_seat(2).pick_up_seat(1)
    return dealer_away(felt)


def stud_round(
    cards: str = "Th 7c",
    *,
    bets: tuple[tuple[str, str], ...] = (("base", "10"),),
    ones: tuple[str, str] = ("Js", "9s"),
    early: bool = False,
    acts: str = "take:base",
    base_at: int = 2,
) -> Felt:
    """One seat plays 21 Stud; ``acts`` after the dealer's cards, those of the mirror bet before."""
    felt = Felt(wide_profile("stud_21", ("match1", "match2", "mirror", "base")))
    for name, amount in bets:
        felt.bets({base_at if name == "base" else 2: amount}, name)
    first, second = cards.split()
    felt.card(2, first)
    if early:
        felt.dealer_zone_card("dealer.card1", ones[0]).card(2, second)
        felt.dealer_zone_card("dealer.card2", "back")
    else:
        felt.card(2, second).dealer_zone_card("dealer.card1", "back").dealer_zone_card("dealer.card2", "back")
    do(felt, acts, "mirror")
    if not early:
        felt.dealer_zone_card("dealer.card1", ones[0])
    do(felt, acts, "match1")
    felt.dealer_zone_card("dealer.card2", ones[1])
    do(felt, acts, "match2")
    do(felt, acts, "base", seat=base_at)
    dealer_away(felt.pick_up_seat(2))
    for spot in ("mirror", "match1", "match2"):
        if felt.names(f"s2.{spot}."):
            felt.collect_spot(2, spot)
    return felt


def do(felt: Felt, acts: str, name: str, *, seat: int = 2) -> None:
    for act in acts.split():
        kind, spot, *amount = act.split(":")
        if spot != name:
            continue
        if kind == "take":
            felt.take_spot(seat, spot)
        elif kind == "pay":
            felt.pay_spot(seat, spot, amount[0]).collect_spot(seat, spot)
        else:
            felt.collect_spot(seat, spot)


def lucky(
    cards: str = "2h 3c",
    *,
    down: bool = True,
    order: tuple[int, ...] = (2,),
    draw: tuple[str, ...] = (),
    extra: str = "",
    block: str = "",
    up: str = "9d",
) -> Felt:
    """A hand of Lucky Draw Baccarat that loses its Enter bet of 10 to a nine."""
    felt = Felt(wide_profile("lucky_draw_baccarat", ("block_bonus", "draw", "enter"), extra=extra))
    seats = sorted(order)
    felt.bets(dict.fromkeys(seats, "10"), "enter")
    if block:
        felt.bets({2: "5"}, "block_bonus")
    for place in (0, 1):
        for seat in order:
            felt.card(seat, cards.split()[place] if seat == 2 else f"{'24'[place]}s")
    felt.dealer_card("down", "back" if down else "Kc", -60.0).dealer_card("up", up, 20.0)
    if block:
        felt.pay_spot(2, "block_bonus", block).collect_spot(2, "block_bonus")
    if draw:
        felt.bets({2: "10"}, "draw")
        for code in draw:
            felt.card(2, code)
    felt.dealer_card("down", "Kc", -60.0)
    if draw:
        felt.take_spot(2, "draw")
    for seat in reversed(seats):
        felt.take_spot(seat, "enter")
    return felt.pick_up()


BLOCK_ODDS = '[variant]\nblock_odds = {ultimate = "40:1", pair = "9:1", flush = "5:1", normal = "2:1"}\n'


def copies(game: str, bets: tuple[str, ...], rounds: int, cards: tuple[str, str]) -> Felt:
    """So many rounds of Lucky Draw Baccarat in which the same face comes, else all differ."""
    felt = Felt(wide_profile(game, bets))
    for number in range(rounds):
        first = cards[0] if number or cards[1] == cards[0] else cards[1]
        felt.bets({2: "10"}, "enter").card(2, first).card(2, "3456"[number % 4] + "cdhs"[number % 4])
        felt.dealer_card("down", "back", -60.0).dealer_card("up", "9" + "cdhs"[number % 4], 20.0)
        felt.dealer_card("down", "K" + "cdhs"[number % 4], -60.0).take_spot(2, "enter").pick_up()
    return felt


def shoot_copies(extra: bool) -> Felt:
    """Seven spades of ten at seven seats of Draw 'n Shoot 21, or six."""
    felt = Felt(wide_profile("draw_n_shoot_21", ("craps", "ante", "raise"), seats=7))
    felt.bets(dict.fromkeys(range(1, 8), "10"), "ante")
    for seat in range(1, 8):
        felt.card(seat, "Ts" if extra or seat > 1 else "Td")
    felt.roll(4, 5)
    for seat in range(7, 0, -1):
        felt.pay_spot(seat, "ante", "10").collect_spot(seat, "ante").pick_up_seat(seat)
    return felt.cover_dice()


# -- blackjack ---------------------------------------------------------------------------------------------------------
def covered(*, far: bool) -> Felt:
    """The second card lies at the first one's corner, or nearly on it."""
    felt = table().bets({1: "10"}).card(1, "Th").dealer_card("up", "back", -250.0)
    felt.card(1, "Qc", snap=False)
    x, y = felt.things["s1.h1.0"].xy_mm
    if not far:
        felt.things["s1.h1.1"] = replace(felt.things["s1.h1.1"], xy_mm=(x - 4.0, y - 16.0))
    felt.snap()
    return shown(felt).turn().pat(1).collect(1).pick_up()


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


def split(times: int, game: str = "blackjack") -> Felt:
    """Eights are split so many times; every hand is made eighteen, as the dealer's."""
    felt = Felt(wide_profile(game, ("main",), seats=1)).bets({1: "10"}).deal({1: "8c 8d"}, dealer="Td 8s")
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
            felt.put_card(hands[-1], f"8{suits[number]}", (x - 16.0, y - 24.0), 0.0)
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


_OLDER = (
    (
        "P001",
        "a seventh ten of spades",
        lambda: shoot_copies(extra=True),
        lambda: shoot_copies(extra=False),
        "violation",
    ),
    ("P005", "an ante below the minimum", lambda: two_seats(ante="1"), two_seats, "violation"),
    (
        "P043",
        "a number bet after the first card",
        lambda: chuck_late(late=True),
        lambda: chuck_late(late=False),
        "violation",
    ),
    (
        "P006",
        "craps without the ante a skill game demands",
        lambda: alone("draw_n_shoot_21", "craps", ante=False),
        lambda: alone("draw_n_shoot_21", "craps", ante=True),
        "violation",
    ),
    (
        "P044",
        "a number without the ante a skill game demands",
        lambda: alone("dicey_21", "chuck6", ante=False),
        lambda: alone("dicey_21", "chuck6", ante=True),
        "violation",
    ),
    (
        "P046",
        "a second card without an ante",
        lambda: alone("dicey_21", "chuck6", ante=False, extra="", second=True),
        lambda: alone("dicey_21", "chuck6", ante=False, extra=""),
        "violation",
    ),
    ("P007", "the deal from the right", lambda: two_seats(order=(2, 1)), two_seats, "violation"),
    (
        "P045",
        "the deal from the right at Dicey 21",
        lambda: two_seats("dicey_21", order=(2, 1)),
        lambda: two_seats("dicey_21"),
        "violation",
    ),
    ("P023", "three dice", lambda: two_seats(third_die=True), two_seats, "violation"),
    (
        "P027",
        "a craps bet taken on three",
        lambda: craps_on_three(taken=True),
        lambda: craps_on_three(taken=False),
        "violation",
    ),
    ("P028", "antes settled from the left", lambda: two_seats(settle=(1, 2)), two_seats, "violation"),
    (
        "P052",
        "antes settled from the left at Dicey 21",
        lambda: two_seats("dicey_21", settle=(1, 2)),
        lambda: two_seats("dicey_21"),
        "violation",
    ),
    ("P029", "cards lifted before the ante was settled", lambda: two_seats(cards_first=True), two_seats, "violation"),
    (
        "P419",
        "cards lifted before money at Dicey 21",
        lambda: two_seats("dicey_21", cards_first=True),
        lambda: two_seats("dicey_21"),
        "violation",
    ),
    (
        "P032",
        "nineteen not paid",
        lambda: score("draw_n_shoot_21", "take"),
        lambda: score("draw_n_shoot_21", "20"),
        "violation",
    ),
    (
        "P056",
        "a push by the white dice paid",
        lambda: score("dicey_21", "20", faces=(3, 4, 2)),
        lambda: score("dicey_21", "", faces=(3, 4, 2)),
        "violation",
    ),
    (
        "P057",
        "an ante paid twice at Dicey 21",
        lambda: score("dicey_21", "40", faces=(4, 5, 2)),
        lambda: score("dicey_21", "20", faces=(4, 5, 2)),
        "violation",
    ),
    (
        "P047",
        "a raise of three antes at Dicey 21",
        lambda: score("dicey_21", "20", faces=(4, 5, 2), raised="60"),
        lambda: score("dicey_21", "20", faces=(4, 5, 2), raised="40"),
        "violation",
    ),
    ("P065", "cards without a Base bet", lambda: stud_round(base_at=1, acts="collect:base"), stud_round, "violation"),
    ("P069", "a player's card face down", lambda: stud(down=True), stud, "violation"),
    (
        "P067",
        "a Base bet above the maximum",
        lambda: stud_round(bets=(("base", "3000"),)),
        lambda: stud_round(bets=(("base", "2000"),)),
        "violation",
    ),
    ("P070", "dealer card #1 shown during the deal", lambda: stud_round(early=True), stud_round, "violation"),
    (
        "P074",
        "a Mirror bet without a pair left",
        lambda: stud_round(bets=(("base", "10"), ("mirror", "5")), acts="take:base"),
        lambda: stud_round(bets=(("base", "10"), ("mirror", "5")), acts="take:base take:mirror"),
        "violation",
    ),
    (
        "P077",
        "a Match 1 bet without a match paid",
        lambda: stud_round(bets=(("base", "10"), ("match1", "5")), acts="take:base pay:match1:20"),
        lambda: stud_round(bets=(("base", "10"), ("match1", "5")), acts="take:base take:match1"),
        "violation",
    ),
    (
        "P082",
        "a blackjack taken against a blackjack",
        lambda: stud_round("Ah Kc", ones=("As", "Qs")),
        lambda: stud_round("Ah Kc", ones=("As", "Qs"), acts="collect:base"),
        "violation",
    ),
    (
        "P091",
        "a ninth copy of a card",
        lambda: copies("lucky_draw_baccarat", ("block_bonus", "draw", "enter"), 9, ("2h", "2h")),
        lambda: copies("lucky_draw_baccarat", ("block_bonus", "draw", "enter"), 9, ("2h", "2d")),
        "violation",
    ),
    (
        "P094",
        "the deal of baccarat from the right",
        lambda: lucky(order=(2, 1)),
        lambda: lucky(order=(1, 2)),
        "violation",
    ),
    ("P095", "the dealer's first card face up", lambda: lucky(down=False), lucky, "violation"),
    ("P100", "a fourth card", lambda: lucky(draw=("Tc", "Jd")), lambda: lucky(draw=("Tc",)), "violation"),
    (
        "P098",
        "a Block Bonus paid less than its odds",
        lambda: lucky("Qh Qd", block="15", up="9d", extra=BLOCK_ODDS),
        lambda: lucky("Qh Qd", block="45", up="9d", extra=BLOCK_ODDS),
        "violation",
    ),
    ("P184", "the second card nearly on the first", lambda: covered(far=False), lambda: covered(far=True), "violation"),
    ("P185", "the first card's centre covered", lambda: covered(far=False), lambda: covered(far=True), "violation"),
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


ALSO = {
    "P410": ("P381",),
    "P078": ("P085",),
    "P065": ("P069",),
    "P323": ("P326",),
    "P393": ("P326",),
}
PAIRS = tuple(
    Pair(procedure=procedure, error=error, wrong=wrong, right=right, verdict=verdict, also=ALSO.get(procedure, ()))
    for procedure, error, wrong, right, verdict in (*_PAIRS, *_OLDER)
)
