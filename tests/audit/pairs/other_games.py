"""Draw 'n Shoot 21, Dicey 21, 21 Stud and Lucky Draw Baccarat: the deal, the order of settling, the payouts."""

from __future__ import annotations

from tests.audit.pairs.pair import Pair, put
from tests.notation import Felt, wide_profile

_CHUCKS = tuple(f"chuck{n}" for n in range(1, 7))
SKILL = "[variant]\nskill_game = true\n"
BLOCK_ODDS = '[variant]\nblock_odds = {ultimate = "40:1", pair = "9:1", flush = "5:1", normal = "2:1"}\n'


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


_PAIRS = (
    ("P085", "cards left for a later sweep", lambda: stud(sweep=True), stud, "violation"),
    ("P086", "the dealer's cards away before the last Base bet", lambda: stud(dealer_first=True), stud, "violation"),
    ("P078", "Base bets settled from the left", lambda: settled_left("stud_21"), stud, "violation"),
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
    (
        "P067",
        "a Mirror bet below the posted minimum, where less may be posted for it",
        lambda: stud_round(bets=(("base", "10"), ("mirror", "2.50")), acts="take:base take:mirror"),
        lambda: stud_round(bets=(("base", "10"), ("mirror", "5")), acts="take:base take:mirror"),
        "suspect",
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
)
ALSO = {"P065": ("P069",)}
PAIRS = tuple(
    Pair(procedure=procedure, error=error, wrong=wrong, right=right, verdict=verdict, also=ALSO.get(procedure, ()))
    for procedure, error, wrong, right, verdict in _PAIRS
)
