"""Draw 'n Shoot 21 and Dicey 21: spaces, hit cards, raises and the cup."""

from __future__ import annotations

from tests.audit.pairs.pair import Pair, change, put
from tests.notation import Felt, wide_profile

_CHUCKS = tuple(f"chuck{n}" for n in range(1, 7))


def shoot(*, seats: int = 3) -> Felt:
    return Felt(wide_profile("draw_n_shoot_21", ("craps", "ante", "raise"), seats=seats))


def dicey(*, seats: int = 3) -> Felt:
    return Felt(wide_profile("dicey_21", ("ante", "raise", *_CHUCKS), seats=seats))


def faces(felt: Felt) -> tuple[int, ...]:
    """Two dice, or three of which the white ones count."""
    return (4, 5) if felt.profile.game == "draw_n_shoot_21" else (4, 5, 2)


def many_seats(felt: Felt, count: int, *, leave_out: int | None = None) -> Felt:
    """So many antes, one perhaps left out, each with a ten; four and five make 19 of it."""
    seats = [seat for seat in range(1, count + 1) if seat != leave_out]
    felt.bets(dict.fromkeys(seats, "20"), "ante")
    for seat in seats:
        felt.card(seat, "TJQK"[seat % 4] + "cdhs"[seat % 3])
    felt.roll(*faces(felt))
    for seat in reversed(seats):
        felt.pay_spot(seat, "ante", "20").collect_spot(seat, "ante").pick_up_seat(seat)
    return felt.cover_dice()


def game(
    felt: Felt,
    *,
    shakes: int | None = 3,
    early: int = 0,
    away: float = 0.0,
    tipped: float = 0.0,
    first: str = "Ts",
    hit: str = "",
    sideways: bool = False,
    lid: str = "on",
    take_early: bool = False,
    tray: str = "",
    ante_grows: bool = False,
) -> Felt:
    """Seat 2 antes 20 on a ten, perhaps hits; the cup is shaken, put down and opened over a four and a five."""
    centre = felt.at("dice")
    put(felt, "cup", "dice_cup", centre, lid=lid, shakes=0)
    felt.bets({2: "20"}, "ante").card(2, first)
    if ante_grows:
        felt.hand("player", "seat2.ante", seat=2)
        felt.put_chips("s2.ante.1", "40", felt.at("seat2.ante"))
        felt.snap()
    if early:
        change(felt, "cup", shakes=early).hand("dealer", "dice").snap()
        change(felt, "cup", shakes=0)
    if hit:
        felt.hand("player", "seat2.cards", seat=2).card(2, hit, sideways=sideways)
    if take_early:
        felt.take_spot(2, "ante")
    change(felt, "cup", shakes=shakes, lid="on", xy_mm=(centre[0] + away, centre[1])).hand("dealer", "dice").snap()
    change(felt, "cup", shakes=0, lid="off")
    felt.roll(*faces(felt))
    for name in felt.names("die."):
        x, y = felt.things[name].xy_mm
        change(felt, name, xy_mm=(x + away + tipped, y))
    felt.states.pop()
    felt.hand("dealer", "dice").snap()
    if not take_early:
        felt.pay_spot(2, "ante", "20").collect_spot(2, "ante")
    if tray:
        felt.put_card("tray", tray, felt.at("discard"), 0.0)
    felt.pick_up_seat(2)
    felt.remove("cup")
    put(felt, "cup", "dice_cup", centre, lid="on", shakes=0)
    return felt.cover_dice()


def cup_covered(felt: Felt, *, shakes: int = 0) -> Felt:
    """The cover goes on the dice again, perhaps with the cup shaken at once."""
    felt.remove("cup")
    put(felt, "cup", "dice_cup", felt.at("dice"), lid="on", shakes=shakes)
    return felt.cover_dice()


def cup_opened(felt: Felt, *dice: int) -> Felt:
    """The cover comes off where the cup stands."""
    change(felt, "cup", lid="off", shakes=0)
    return felt.roll(*dice)


def one_ten(felt: Felt) -> Felt:
    """Seat 2 antes 20 on a ten; the cup is shaken."""
    put(felt, "cup", "dice_cup", felt.at("dice"), lid="on", shakes=0)
    felt.bets({2: "20"}, "ante").card(2, "Ts")
    change(felt, "cup", shakes=3).hand("dealer", "dice").snap()
    return felt


def covered(felt: Felt, *, early: bool) -> Felt:
    """Nineteen is paid; the dice are covered before that, or after the cards are away."""
    cup_opened(one_ten(felt), *faces(felt))
    if early:
        cup_covered(felt)
    felt.pay_spot(2, "ante", "20").collect_spot(2, "ante").pick_up_seat(2)
    return felt if early else cup_covered(felt)


def thrown_again(felt: Felt, *, flat: bool) -> Felt:
    """The dice are covered, shaken and opened once more, all having lain flat at first, or not."""
    first, *rest = faces(felt)
    cup_opened(one_ten(felt), 6, *rest)
    if not flat:
        change(felt, "die.0", value=None, candidates={"6": 0.5, "5": 0.4})
        felt.states.pop()
        felt.hand("dealer", "dice").snap()
    cup_opened(cup_covered(felt, shakes=3), first, *rest)
    return cup_covered(felt.pay_spot(2, "ante", "20").collect_spot(2, "ante").pick_up_seat(2))


def dice_carried(felt: Felt, aside: float) -> Felt:
    """After the reveal the dealer's hand lays all dice so far aside, each with the face it showed; then he pays."""
    felt.bets({2: "20"}, "ante").card(2, "Ts").roll(*faces(felt)).hand("dealer", "dice")
    for name in felt.names("die."):
        x, y = felt.things[name].xy_mm
        change(felt, name, xy_mm=(x - aside, y + 8.0))
    return felt.snap().pay_spot(2, "ante", "20").collect_spot(2, "ante").pick_up_seat(2).cover_dice()


def beside_the_spaces(felt: Felt, *, dealt: bool) -> Felt:
    """Cheques lie on the bare felt beyond the last seat, and a card is dealt to them, or none."""
    felt.put_chips("beyond", "red red", (680.0, 160.0))
    felt.bets({2: "20"}, "ante").card(2, "Ts").hand("dealer", "shoe")
    if dealt:
        felt.put_card("beyond.card", "9c", (680.0, 20.0), 0.0)
    felt.snap().snap().roll(*faces(felt)).pay_spot(2, "ante", "20").collect_spot(2, "ante").pick_up_seat(2)
    for name in felt.names("beyond.card"):
        felt.remove(name)
    return felt.cover_dice()


def die_gone(felt: Felt, *, before_the_last: bool) -> Felt:
    """Two antes of 20 win; the dealer takes a die away before he pays the second, or after that."""
    felt.bets({1: "20", 2: "20"}, "ante").card(1, "Ts").card(2, "Jd").roll(*faces(felt))
    felt.pay_spot(2, "ante", "20").collect_spot(2, "ante").pick_up_seat(2)
    if not before_the_last:
        felt.pay_spot(1, "ante", "20")
    felt.hand("dealer", "dice").remove("die.0")
    felt.snap()
    if before_the_last:
        felt.pay_spot(1, "ante", "20")
    return felt.collect_spot(1, "ante").pick_up_seat(1).cover_dice()


PAIRS = (
    Pair(
        procedure="P022",
        error="a die taken away before the last bet is paid",
        wrong=lambda: die_gone(shoot(), before_the_last=True),
        right=lambda: die_gone(shoot(), before_the_last=False),
    ),
    Pair(
        procedure="P050",
        error="a die taken away before the last bet is paid at Dicey 21",
        wrong=lambda: die_gone(dicey(), before_the_last=True),
        right=lambda: die_gone(dicey(), before_the_last=False),
    ),
    Pair(
        procedure="P038",
        error="the dice covered before the last bet is paid",
        wrong=lambda: covered(shoot(), early=True),
        right=lambda: covered(shoot(), early=False),
        also=("P022",),
    ),
    Pair(
        procedure="P059",
        error="the dice covered before the last bet is paid at Dicey 21",
        wrong=lambda: covered(dicey(), early=True),
        right=lambda: covered(dicey(), early=False),
    ),
    Pair(
        procedure="P022",
        error="dice that lay flat covered and thrown again",
        wrong=lambda: thrown_again(shoot(), flat=True),
        right=lambda: thrown_again(shoot(), flat=False),
        verdict="suspect",
    ),
    Pair(
        procedure="P050",
        error="dice that lay flat covered and thrown again at Dicey 21",
        wrong=lambda: thrown_again(dicey(), flat=True),
        right=lambda: thrown_again(dicey(), flat=False),
        verdict="suspect",
    ),
    Pair(
        procedure="P022",
        error="the dice carried aside before the last bet is paid",
        wrong=lambda: dice_carried(shoot(), 70.0),
        right=lambda: dice_carried(shoot(), 4.0),
    ),
    Pair(
        procedure="P050",
        error="the dice carried aside at Dicey 21",
        wrong=lambda: dice_carried(dicey(), 130.0),
        right=lambda: dice_carried(dicey(), 4.0),
    ),
    Pair(
        procedure="P003",
        error="a card to cheques beside the spaces",
        wrong=lambda: beside_the_spaces(shoot(), dealt=True),
        right=lambda: beside_the_spaces(shoot(), dealt=False),
        verdict="suspect",
        also=("P016",),
    ),
    Pair(
        procedure="P003",
        error="cards at an eighth space",
        wrong=lambda: many_seats(shoot(seats=8), 8),
        right=lambda: many_seats(shoot(seats=8), 7),
    ),
    Pair(
        procedure="P040",
        error="cards at a seventh space",
        wrong=lambda: many_seats(dicey(seats=7), 7),
        right=lambda: many_seats(dicey(seats=7), 6),
    ),
    Pair(
        procedure="P013",
        error="the ante grows instead of a raise",
        wrong=lambda: game(shoot(), ante_grows=True),
        right=lambda: game(shoot()),
    ),
    Pair(
        procedure="P016",
        error="a hit card laid sideways",
        wrong=lambda: game(shoot(), first="6s", hit="4c", sideways=True),
        right=lambda: game(shoot(), first="6s", hit="4c"),
    ),
    Pair(
        procedure="P049",
        error="a hit card laid sideways at Dicey 21",
        wrong=lambda: game(dicey(), first="6s", hit="4c", sideways=True),
        right=lambda: game(dicey(), first="6s", hit="4c"),
    ),
    Pair(
        procedure="P018",
        error="two shakes",
        wrong=lambda: game(shoot(), shakes=2),
        right=lambda: game(shoot(), shakes=3),
    ),
    Pair(
        procedure="P050",
        error="two shakes at Dicey 21",
        wrong=lambda: game(dicey(), shakes=2),
        right=lambda: game(dicey(), shakes=4),
    ),
    Pair(
        procedure="P019",
        error="shaken before a hit",
        wrong=lambda: game(shoot(), first="6s", hit="4c", early=3),
        right=lambda: game(shoot(), first="6s", hit="4c"),
    ),
    Pair(
        procedure="P020",
        error="opened 400 mm from the centre",
        wrong=lambda: game(shoot(), away=400.0),
        right=lambda: game(shoot(), away=100.0),
    ),
    Pair(
        procedure="P021",
        error="dice tipped out of the cup",
        wrong=lambda: game(shoot(), tipped=220.0),
        right=lambda: game(shoot()),
    ),
    Pair(
        procedure="P036",
        error="a broken hand taken before the reveal",
        wrong=lambda: game(shoot(), first="8s", hit="Kc", take_early=True),
        right=lambda: many_seats(shoot(), 2),
    ),
    Pair(
        procedure="P037",
        error="a used card face up in the tray",
        wrong=lambda: game(shoot(), tray="Ts"),
        right=lambda: game(shoot(), tray="back"),
    ),
    Pair(
        procedure="P058",
        error="a used card face up in the tray at Dicey 21",
        wrong=lambda: game(dicey(), tray="Ts"),
        right=lambda: game(dicey(), tray="back"),
    ),
    Pair(
        procedure="P038",
        error="the cup open at the first card",
        wrong=lambda: game(shoot(), lid="off"),
        right=lambda: game(shoot()),
    ),
    Pair(
        procedure="P059",
        error="the cup open at the first card at Dicey 21",
        wrong=lambda: game(dicey(), lid="off"),
        right=lambda: game(dicey()),
    ),
)
