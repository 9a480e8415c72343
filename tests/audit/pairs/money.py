"""Cheques before the rack, currency, the rack's tubes, and things that do not belong on the table."""

from __future__ import annotations

from dataclasses import replace

from audit.money import parse_money
from audit.reconstruction.places import Places
from tests.audit.pairs.pair import Pair, change, put
from tests.notation import Felt, wide_profile


def table(*bets: str, game: str = "blackjack", minimum: str = "5.00") -> Felt:
    profile = wide_profile(game, bets or ("main",))
    return Felt(replace(profile, minimum=parse_money(minimum)))


def push(felt: Felt, seat: int = 1, bet: str = "10") -> Felt:
    felt.bets({seat: bet}).deal({seat: "Th Qc"}, dealer="Td Ks").turn()
    return felt.pat(seat).collect(seat).pick_up()


# -- in front of the rack ----------------------------------------------------------------------------------------------
def cut(
    *heights: int, colour: str = "red", then: tuple[int, ...] = (), apart: float = 41.0, right: float = 60.0
) -> Felt:
    """Cheques of one colour are cut out in front of the rack, perhaps proved, and put back."""
    felt = table()
    for row in (heights, then or heights):
        if row:
            felt.hand("dealer", "rack")
            for name in felt.names("cut."):
                felt.remove(name)
            for place, height in enumerate(row):
                put_pile(felt, f"cut.{place}", colour, height, right + apart * place - 200.0)
            felt.snap()
    felt.hand("dealer", "rack")
    for name in felt.names("cut."):
        felt.remove(name)
    return push(felt.snap())


def put_pile(felt: Felt, name: str, colour: str, height: int, x: float, y: float = 40.0) -> None:
    felt.put_chips(name, " ".join([colour] * height), (x, y))


def rows(*piles: tuple[str, float, float]) -> Felt:
    """Piles of one cheque each stand in front of the rack for a moment, then go back."""
    felt = table().hand("dealer", "rack")
    for number, (colours, x, y) in enumerate(piles):
        felt.put_chips(f"cut.{number}", colours, (x, y))
    felt.snap().hand("dealer", "rack").snap().hand("dealer", "rack")
    for name in felt.names("cut."):
        felt.remove(name)
    return push(felt.snap())


def proved_for_a_wager(*piles: tuple[str, float, float], wager: str = "30", pays: tuple[str, ...] = ()) -> Felt:
    """A payment is cut out before the rack, stands there, and is set beside the wager: in one pile, or as told."""
    felt = Felt().bets({1: wager}).deal({1: "Th 9c"}, dealer="Td 8s").turn().hand("dealer", "rack")
    for number, (colours, x, y) in enumerate(piles):
        felt.put_chips(f"cut.{number}", colours, (x, y))
    felt.snap().hand("dealer", "rack").snap()
    for name in felt.names("cut."):
        felt.remove(name)
    felt.hand("dealer", "rack", "seat1.main")
    for number, pile in enumerate(pays or (wager,)):
        felt.put_chips(f"s1.pay.{number}", pile, felt.at("seat1.main", 42.0 * number, -42.0))
    return felt.snap().collect(1).pick_up()


def changed(change_: tuple[tuple[str, float, float], ...], *, sent: tuple[str, float, float] | None = None) -> Felt:
    """A player brings a black for change; it lies at the left, the change at the right; a stack is sent out."""
    felt = table().hand("player", "insurance", seat=1)
    felt.put_chips("brought", "black", (-80.0, 60.0))
    for number, (colours, x, y) in enumerate(change_):
        felt.put_chips(f"cut.{number}", colours, (x, y))
    spots = [] if sent is None else sorted(Places(felt.profile).zones(sent[1:]))
    felt.snap().hand("dealer", "rack", *spots)
    felt.remove("brought")
    for name in felt.names("cut."):
        felt.remove(name)
    if sent is not None:
        colours, x, y = sent
        felt.put_chips("sent", colours, (x, y))
    felt.snap().hand("player", "seat1.cards", seat=1)
    if sent is not None:
        felt.remove("sent")
    return push(felt.snap())


FOUR_GREENS = (("green green green green", 60.0, 60.0),)


def dirty(*, cleaned: bool, cheques: str = "red red", y: float = 40.0, lain: bool = False) -> Felt:
    """A pile in front of the rack, or in it, stays there until the next round, or is cleaned; or it has lain there."""
    felt = table()
    if lain:
        felt.put_chips("dirty", cheques, (60.0, y))
    felt = push(felt).hand("dealer", "rack")
    felt.put_chips("dirty", cheques, (60.0, y))
    felt.snap()
    if cleaned:
        felt.hand("dealer", "rack").remove("dirty")
    felt = push(felt.snap())
    felt.states = felt.states[int(lain) :]  # the first look shows it
    return felt


# -- bills -------------------------------------------------------------------------------------------------------------
def bills(
    *rows_: tuple[int, int, float],
    angle: float = 0.0,
    side: str = "up",
    y: float = 100.0,
    cheques: tuple[tuple[str, float], ...] = (),
    left: bool = False,
    minimum: str = "5.00",
    early: bool = False,
) -> Felt:
    """Rows of bills (amount, how many, x) are laid out, cheques set beside them, and everything is put away."""
    felt = table(minimum=minimum)
    if early:
        set_out(felt, cheques)
        felt.snap().hand("dealer", "rack")
        for name in felt.names("cut."):
            felt.remove(name)
        felt.hand("dealer", "dealer.cards")
    for amount, count, x in rows_:
        for place in range(count):
            at = (x, y - 14.0 * place)
            put(felt, f"bill.{amount}.{x}.{place}", "bill", at, angle_deg=angle, amount=f"{amount}.00", side=side)
    felt.snap()
    if cheques and not early:
        set_out(felt, cheques)
        felt.snap()
    for name in [*felt.names("cut."), *([] if left else felt.names("bill."))]:
        felt.remove(name)
    felt.hand("dealer", "rack").snap()
    return push(felt, bet="100" if minimum != "5.00" else "10")


def set_out(felt: Felt, cheques: tuple[tuple[str, float], ...]) -> None:
    felt.hand("dealer", "rack")
    for number, (colours, x) in enumerate(cheques):
        felt.put_chips(f"cut.{number}", colours, (x, 40.0))


def reds(count: int) -> tuple[tuple[str, float], ...]:
    """Reds in fives, the first nearest the middle."""
    return tuple(("red red red red red", 30.0 + 41.0 * n) for n in range(count // 5))


GREENS = tuple(("green green green green", 30.0 + 41.0 * n) for n in range(5))
BLACKS = (("black black black black black", 30.0),)


def bill_on_spot(*, there: bool) -> Felt:
    felt = table().bets({1: "10"})
    if there:
        x, y = felt.at("seat1.main")
        put(felt, "bill", "bill", (x + 60.0, y), angle_deg=0.0, amount="20.00", side="up")
    felt.snap().deal({1: "Th Qc"}, dealer="Td Ks").turn().pat(1)
    if there:
        felt.remove("bill")
    return felt.collect(1).pick_up()


def coupon(paid: str) -> Felt:
    """A blackjack on a free bet coupon."""
    felt = table().bets({1: "20"})
    put(felt, "coupon", "coupon", felt.at("seat1.main", 40.0), angle_deg=0.0)
    felt.snap().deal({1: "Ah Kc"}, dealer="Td 8s").pay_spot(1, "main", paid)
    felt.remove("coupon")
    return felt.collect(1).pick_up_seat(1).turn().pick_up()


# -- the rack ----------------------------------------------------------------------------------------------------------
def tubes(*moves: tuple[int, int], lammer: bool = False, mixed: str = "", minimum: str = "5.00") -> Felt:
    """Six tubes: red out and in on either side, black within; ``moves``: which tube falls to how many cheques."""
    felt = table(minimum=minimum)
    kinds = (("red", -190.0), ("red", -150.0), ("black", -60.0), ("black", 60.0), ("red", 150.0), ("red", 190.0))
    for place, (colour, x) in enumerate(kinds):
        stack = tuple(mixed.split()) if mixed and place == 3 else None
        put(felt, f"tube.{place}", "rack_tube", (x, -80.0), colour=colour, count=40, stack=stack)
    if lammer:
        put(felt, "lammer", "lammer", (190.0, -80.0))
    felt.snap()
    for place, count in moves:
        change(felt, f"tube.{place}", extra={"count": count})
        felt.hand("dealer", "rack").snap()
    return push(felt, bet="100" if minimum != "5.00" else "10")


def beside(kind: str, xy: tuple[float, float] | None) -> Felt:
    """A thing, or cheques, lie somewhere while a round is played."""
    felt = table()
    if xy is not None and kind == "chips":
        felt.put_chips("thing", "25", xy)
    elif xy is not None:
        put(felt, "thing", kind, xy)
    return push(felt)


def strange(colour: str) -> Felt:
    felt = table().hand("player", "seat1.main", seat=1)
    felt.put_chips("s1.main.1", f"green {colour}", felt.at("seat1.main"))
    felt.snap().deal({1: "Th Qc"}, dealer="Td Ks").turn()
    return felt.pat(1).collect(1).pick_up()


_PAIRS = (
    ("P108", "seven reds in one stack", lambda: cut(7), lambda: cut(3, 3, 1), "violation"),
    (
        "P109",
        "six greens cut four and two",
        lambda: cut(4, 2, colour="green"),
        lambda: cut(3, 3, colour="green"),
        "violation",
    ),
    ("P110", "25 reds in a row", lambda: cut(5, 5, 5, 5, 5), lambda: cut(5, 5, 5, 5), "violation"),
    (
        "P111",
        "ten orange not proved",
        lambda: cut(5, 5, colour="orange"),
        lambda: cut(5, 5, colour="orange", then=(5, 2, 2, 1)),
        "suspect",
    ),
    (
        "P112",
        "eight grey not proved",
        lambda: cut(4, 4, colour="grey", apart=60.0),
        lambda: cut(4, 4, colour="grey", then=(4, 2, 2), apart=60.0),
        "suspect",
    ),
    (
        "P113",
        "grey cheques left touching",
        lambda: cut(4, 1, colour="grey", apart=39.0),
        lambda: cut(4, 1, colour="grey", apart=60.0),
        "violation",
    ),
    (
        "P106",
        "the black farther from the middle than the red",
        lambda: rows(("black", 120.0, 40.0), ("red", 40.0, 40.0)),
        lambda: rows(("red", 120.0, 40.0), ("black", 40.0, 40.0)),
        "violation",
    ),
    (
        "P276",
        "the green farther from the middle than the red",
        lambda: rows(("green", -120.0, 40.0), ("red", -40.0, 40.0)),
        lambda: rows(("red", -120.0, 40.0), ("green", -40.0, 40.0)),
        "violation",
    ),
    (
        "P274",
        "a red on a green before the rack",
        lambda: proved_for_a_wager(("green red", 60.0, 40.0)),
        lambda: proved_for_a_wager(("green", 40.0, 40.0), ("red", 120.0, 40.0)),
        "violation",
    ),
    (
        "P272",
        "purple mixed with black before the rack",
        lambda: proved_for_a_wager(("purple black", 60.0, 40.0), wager="600", pays=("500", "100")),
        lambda: proved_for_a_wager(("purple", 40.0, 40.0), ("black", 120.0, 40.0), wager="600", pays=("500", "100")),
        "violation",
    ),
    (
        "P180",
        "75 in change for a black",
        lambda: changed((("green green green", 60.0, 60.0),)),
        lambda: changed(FOUR_GREENS),
        "violation",
    ),
    (
        "P168",
        "the green of the change beyond the reds",
        lambda: changed((("red red red red red", 60.0, 20.0), ("green green green", 60.0, 80.0))),
        lambda: changed((("red red red red red", 60.0, 80.0), ("green green green", 60.0, 20.0))),
        "violation",
    ),
    (
        "P171",
        "the smaller cheque at the bottom of what is sent",
        lambda: changed(FOUR_GREENS, sent=("red green", -400.0, 200.0)),
        lambda: changed(FOUR_GREENS, sent=("green red", -400.0, 200.0)),
        "violation",
    ),
    (
        "P173",
        "change pushed into the betting square",
        lambda: changed(FOUR_GREENS, sent=("green green green green", -400.0, 450.0)),
        lambda: changed(FOUR_GREENS, sent=("green green green green", -400.0, 200.0)),
        "violation",
    ),
    (
        "P158",
        "cheques before the rack at the next first card",
        lambda: dirty(cleaned=False),
        lambda: dirty(cleaned=True),
        "violation",
    ),
    (
        "P158",
        "cheques left before the rack, where none lay all the while",
        lambda: dirty(cleaned=False, cheques="green"),
        lambda: dirty(cleaned=False, cheques="green", lain=True),
        "violation",
    ),
    (
        "P158",
        "mixed cheques in the rack at the next first card",
        lambda: dirty(cleaned=False, cheques="green red red", y=-30.0),
        lambda: dirty(cleaned=False, cheques="red red red", y=-30.0),
        "violation",
    ),
    (
        "P165",
        "a bill laid across",
        lambda: bills((100, 1, -100.0), angle=90.0),
        lambda: bills((100, 1, -100.0)),
        "violation",
    ),
    (
        "P166",
        "six twenties in one row",
        lambda: bills((20, 6, -100.0)),
        lambda: bills((20, 5, -140.0), (20, 1, -60.0)),
        "violation",
    ),
    (
        "P167",
        "thirty hundreds at once",
        lambda: bills(*((100, 5, -300.0 + 80.0 * n) for n in range(6))),
        lambda: bills(*((100, 5, -300.0 + 80.0 * n) for n in range(5))),
        "violation",
    ),
    (
        "P170",
        "75 for a hundred",
        lambda: bills((100, 1, -100.0), cheques=reds(15)),
        lambda: bills((100, 1, -100.0), cheques=reds(20)),
        "violation",
    ),
    (
        "P177",
        "a hundred in green at a $5 game",
        lambda: bills((100, 1, -100.0), cheques=GREENS[:1]),
        lambda: bills((100, 1, -100.0), cheques=reds(20)),
        "suspect",
    ),
    (
        "P178",
        "500 in black at a $25 game",
        lambda: bills((100, 5, -100.0), cheques=BLACKS, minimum="25.00"),
        lambda: bills((100, 5, -100.0), cheques=GREENS, minimum="25.00"),
        "suspect",
    ),
    (
        "P179",
        "500 in green at a $100 game",
        lambda: bills((100, 5, -100.0), cheques=GREENS, minimum="100.00"),
        lambda: bills((100, 5, -100.0), cheques=BLACKS, minimum="100.00"),
        "suspect",
    ),
    (
        "P174",
        "bills left at the first card",
        lambda: bills((100, 1, -100.0), left=True),
        lambda: bills((100, 1, -100.0)),
        "violation",
    ),
    (
        "P176",
        "cheques gone before the bills were laid out",
        lambda: bills((100, 1, -100.0), cheques=reds(20), early=True),
        lambda: bills((100, 1, -100.0), cheques=reds(20)),
        "violation",
    ),
    (
        "P183",
        "a bill beside the wager",
        lambda: bill_on_spot(there=True),
        lambda: bill_on_spot(there=False),
        "violation",
    ),
    ("P228", "a coupon's blackjack paid 3 to 2", lambda: coupon("30"), lambda: coupon("20"), "violation"),
    ("P155", "an inner red tube before the outer one", lambda: tubes((4, 30)), lambda: tubes((5, 30)), "violation"),
    (
        "P156",
        "two red tubes of the right side worked",
        lambda: tubes((5, 30), (4, 30)),
        lambda: tubes((5, 30), (5, 20)),
        "violation",
    ),
    ("P157", "the left black tube worked", lambda: tubes((2, 30)), lambda: tubes((3, 30)), "violation"),
    ("P161", "a lammer on a working tube", lambda: tubes((5, 30), lammer=True), lambda: tubes((5, 30)), "violation"),
    (
        "P275",
        "a red in the black tube",
        lambda: tubes(mixed="black red"),
        lambda: tubes(mixed="black black"),
        "violation",
    ),
    (
        "P201",
        "cheques beside the discard rack",
        lambda: beside("chips", (455.0, 150.0)),
        lambda: beside("chips", (300.0, 600.0)),
        "violation",
    ),
    (
        "P356",
        "a purse on the layout",
        lambda: beside("purse", (0.0, 560.0)),
        lambda: beside("purse", None),
        "violation",
    ),
    (
        "P361",
        "an ashtray on the layout",
        lambda: beside("ashtray", (0.0, 560.0)),
        lambda: beside("ashtray", None),
        "violation",
    ),
    ("P114", "a foreign cheque in play", lambda: strange("yellow"), lambda: strange("red"), "violation"),
)
ALSO = {"P156": ("P155",), "P174": ("P158",)}
PAIRS = tuple(
    Pair(procedure=procedure, error=error, wrong=wrong, right=right, verdict=verdict, also=ALSO.get(procedure, ()))
    for procedure, error, wrong, right, verdict in _PAIRS
)
