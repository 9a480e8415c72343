"""Scenes in which the same act is seen in another way: shuffles, change, bills, signals and cards put away."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from audit.money import parse_money
from tests.audit.pairs.dice import dicey, faces, game, shoot
from tests.audit.pairs.money import push, put_pile, table
from tests.audit.pairs.pair import Pair, change, put
from tests.audit.pairs.whole_shoes import blackjack, cards, stand_all
from tests.notation import Felt


def cut_and_burnt(*, burns: int = 1, reach: str = "dealer.cards", stack: tuple[float, float] = (0.0, 60.0)) -> Felt:
    """The dealer puts the stack down, a player cuts it, and so many cards are burnt one after the other."""
    felt, shoe = blackjack(seats=2), cards()
    stand_all(felt, shoe)
    put(felt, "discards", "discards", felt.at("discard"), height_mm=40.0)
    felt.snap().hand("dealer", "discard").remove("discards")
    put(felt, "stack", "card_back", stack, angle_deg=90.0)
    felt.snap().hand("player", reach, seat=1)
    put(felt, "cut", "cut_card", stack, angle_deg=90.0)
    felt.snap().hand("dealer", "dealer.cards").remove("cut")
    felt.snap().hand("dealer", "shoe").remove("stack")
    felt.snap()
    for _ in range(burns):
        felt.hand("dealer", "shoe").hand("dealer", "discard").put_card("burnt", "back", felt.at("discard"), 0.0)
        felt.snap()
    felt.hand("dealer", "discard").remove("burnt")
    put(felt, "discards", "discards", felt.at("discard"), height_mm=0.3 * burns)
    return stand_all(felt.snap(), shoe)


def burnt_and_relieved(*, more: int = 0, shown: bool = False) -> Felt:
    """A card is burnt; the dealer, relieved, tucks another under the shoe, which his successor burns (004:L873-882)."""
    felt, shoe = blackjack(seats=2), cards()
    stand_all(felt, shoe)
    put(felt, "discards", "discards", felt.at("discard"), height_mm=40.0)
    felt.snap().hand("dealer", "shoe", "discard").remove("discards")
    felt.snap().snap()
    for _ in range(1 + more):
        felt.hand("dealer", "shoe")
        if shown:
            felt.put_card("burnt", "back", felt.at("shoe", -120.0, 60.0), 0.0)
            felt.snap()
        felt.hand("dealer", "discard").put_card("burnt", "back", felt.at("discard"), 0.0)
        felt.snap()
    (x, y), edge = felt.at("shoe"), min(abs(px) for px, _ in felt.profile.zone("shoe").polygon_mm)
    felt.hand("dealer", "shoe").put_card("tucked", "back", (math.copysign(edge - 12.0, x), y), 0.0)
    felt.snap()
    for zone in ("discard",) if shown else ("shoe", "discard"):
        felt.hand("dealer", zone)
    felt.remove("tucked")
    felt.remove("burnt")
    put(felt, "discards", "discards", felt.at("discard"), height_mm=0.6)
    return stand_all(felt.snap(), shoe)


def burnt_step_by_step(burns: int = 1) -> Felt:
    """Every burn card is drawn onto the felt, carried to the empty rack and seen there before it is a stack of it."""
    felt, shoe = blackjack(seats=2), cards()
    stand_all(felt, shoe)
    put(felt, "discards", "discards", felt.at("discard"), height_mm=40.0)
    felt.snap().hand("dealer", "shoe", "discard").remove("discards")
    felt.snap().snap()
    for number in range(burns):
        felt.hand("dealer", "shoe").put_card("burnt", "back", felt.at("shoe", -120.0, 60.0), 0.0)
        felt.snap().hand("dealer", "discard").remove("burnt")
        felt.put_card("burnt", "back", felt.at("discard"), 0.0)
        felt.snap().remove("burnt")
        put(felt, "discards", "discards", felt.at("discard"), height_mm=0.3 * (number + 1))
        felt.snap()
    return stand_all(felt, shoe)


def piles(felt: Felt, name: str, colour: str, heights: tuple[int, ...], x: float) -> None:
    for place, height in enumerate(heights):
        put_pile(felt, f"{name}.{place}", colour, height, x + (41.0 if x > 0 else -41.0) * place)


def brought(*, own: float = -80.0, cut: tuple[int, ...] = (4, 4)) -> Felt:
    """A player brings a green and three reds; they lie on one side, eight reds for them on the other."""
    felt = table().hand("dealer", "seat1.cards")
    piles(felt, "own.green", "green", (1,), own)
    put_pile(felt, "own.red", "red", 3, own, 90.0)
    felt.snap().hand("dealer", "rack")
    piles(felt, "cut", "red", cut, -own)
    felt.snap().snap().hand("dealer", "rack")
    for name in [*felt.names("own."), *felt.names("cut.")]:
        felt.remove(name)
    felt.put_chips("sent", " ".join(["red"] * sum(cut)), felt.at("seat1.main", 90.0))
    felt.hand("dealer", "seat1.cards").snap().hand("player", "seat1.cards", seat=1).remove("sent")
    return push(felt.snap())


def lost(*, cut: bool) -> Felt:
    """Seven reds lie before the rack while a round goes on: a lost wager, or cheques that were cut out."""
    felt = table().bets({1: "10", 2: "10" if cut else "35"}).deal({1: "Th Qc", 2: "Ts 6c"}, dealer="Td Ks")
    felt.hit(2, "9d").take(2) if cut else felt.hit(2, "9d").hand("dealer", "seat2.main", "rack")
    for name in felt.names("s2.main"):
        felt.remove(name)
    if cut:
        felt.snap().hand("dealer", "rack")
    put_pile(felt, "lost", "red", 7, 60.0)
    felt.snap().hand("dealer", "rack").remove("lost")
    return felt.snap().pick_up_seat(2).turn().pat(1).collect(1).pick_up()


def bought(x: float, *, folded: bool, cheques: tuple[tuple[str, int], ...] = (("red", 20),)) -> Felt:
    """A hundred for a hundred: the bill comes folded from the player perhaps, and is then laid out."""
    felt = table()
    if folded:
        put(felt, "bill", "bill", felt.at("seat1.main", 60.0), angle_deg=40.0)
        felt.hand("player", "seat1.cards", seat=1).snap().remove("bill")
    put(felt, "laid", "bill", (-100.0, 100.0), angle_deg=0.0)
    change(felt, "laid", extra={"value": 100, "side": "up"})
    felt.hand("dealer", "dealer.cards").snap().hand("dealer", "rack")
    for colour, count in cheques:
        unit = 5 if colour == "red" else 4
        piles(felt, f"cut.{colour}", colour, (unit,) * (count // unit), x)
    felt.snap().hand("dealer", "rack")
    for name in felt.names("cut."):
        felt.remove(name)
    felt.snap().hand("dealer", "rack").remove("laid")
    return push(felt.snap())


def straight_to_the_wager(*proof: int) -> Felt:
    """Five orange are paid for five orange; between the rack and the wager they stand once."""
    felt = Felt(replace(Felt().profile, maximum=parse_money("10000.00"))).bets({1: "5000"})
    felt.deal({1: "Th 9c"}, dealer="Td 8s").turn().hand("dealer", "rack")
    for place, height in enumerate(proof):
        put_pile(felt, f"cut.{place}", "orange", height, 60.0 + 41.0 * place)
    felt.snap()
    for name in felt.names("cut."):
        felt.remove(name)
    return felt.pay_spot(1, "main", "5000").collect(1).pick_up()


def only_a_stand_is_shown(felt: Felt, *, signal: bool) -> Felt:
    """Seat 2 stands by a signal, seat 1 gets a card, perhaps without one. Both push."""
    felt.bets({1: "10", 2: "10"}, "ante").card(1, "4s").card(2, "8h")
    felt.hand("player", "seat2.cards", seat=2).snap()
    if signal:
        felt.hand("player", "seat1.cards", seat=1).snap()
    felt.card(1, "4d").roll(*faces(felt))
    felt.collect_spot(2, "ante").pick_up_seat(2)
    return felt.collect_spot(1, "ante").pick_up_seat(1).cover_dice()


def put_away(felt: Felt, *, in_order: bool) -> Felt:
    """Seat 2 is paid; seat 1 pushes with 17, and its cards are away after those of seat 2, or before."""
    felt.bets({1: "10", 2: "10"}, "ante").card(1, "8s").card(2, "Th").roll(*faces(felt))
    felt.pay_spot(2, "ante", "10")
    for seat in (2, 1) if in_order else (1, 2):
        felt.pick_up_seat(seat)
    return felt.collect_spot(2, "ante").collect_spot(1, "ante").cover_dice()


def all_white() -> Felt:
    """Three white dice that lie within 25 mm of each other, and jitter."""
    felt = dicey().bets({2: "20"}, "ante").card(2, "Ts").roll(*faces(dicey()))
    for place, name in enumerate(felt.names("die.")):
        x, y = felt.at("dice")
        change(felt, name, colour="white", xy_mm=(x + (-10, 14, 3)[place], y + (20, 15, 0)[place]))
    felt.states.pop()
    felt.hand("dealer", "dice").snap()
    for place, name in enumerate(felt.names("die.")):
        x, y = felt.things[name].xy_mm
        change(felt, name, xy_mm=(x + (3, -2, 2)[place], y - (2, 1, 0)[place]))
    felt.snap().pay_spot(2, "ante", "20").collect_spot(2, "ante")
    return felt.pick_up_seat(2).cover_dice()


_SCENES: tuple[tuple[str, str, Callable[[], Felt], Callable[[], Felt], str], ...] = (
    (
        "P203",
        "a player who cuts reaches into the shoe",
        lambda: cut_and_burnt(reach="shoe"),
        cut_and_burnt,
        "suspect",
    ),
    ("P146", "two cards burnt one after the other", lambda: cut_and_burnt(burns=2), cut_and_burnt, "violation"),
    (
        "P146",
        "two cards burnt, each seen on the felt and in the rack",
        lambda: burnt_step_by_step(2),
        burnt_step_by_step,
        "violation",
    ),
    ("P146", "two cards burnt before the relief", lambda: burnt_and_relieved(more=1), burnt_and_relieved, "violation"),
    (
        "P146",
        "two cards burnt before the relief, each seen on the felt",
        lambda: burnt_and_relieved(more=1, shown=True),
        lambda: burnt_and_relieved(shown=True),
        "violation",
    ),
    (
        "P130",
        "the stack past the line, shuffled and cut there",
        lambda: cut_and_burnt(stack=(0.0, 262.0)),
        lambda: cut_and_burnt(stack=(0.0, 150.0)),
        "violation",
    ),
    ("P108", "eight reds of a change cut five and three", lambda: brought(cut=(5, 3)), brought, "violation"),
    ("P180", "the player's cheques at the right", lambda: brought(own=80.0), brought, "violation"),
    ("P108", "seven reds in one stack in a round", lambda: lost(cut=True), lambda: lost(cut=False), "violation"),
    (
        "P168",
        "cheques for a bill at the left",
        lambda: bought(-60.0, folded=False),
        lambda: bought(60.0, folded=False),
        "violation",
    ),
    (
        "P177",
        "a hundred in green for a bill that came folded",
        lambda: bought(60.0, folded=True, cheques=(("green", 4),)),
        lambda: bought(60.0, folded=True),
        "suspect",
    ),
    (
        "P111",
        "five orange paid as one stack",
        lambda: straight_to_the_wager(5),
        lambda: straight_to_the_wager(2, 2, 1),
        "suspect",
    ),
    (
        "P015",
        "a card without a signal where another stands by one",
        lambda: only_a_stand_is_shown(shoot(), signal=False),
        lambda: only_a_stand_is_shown(shoot(), signal=True),
        "suspect",
    ),
    ("P041", "three white dice", all_white, lambda: game(dicey()), "violation"),
    (
        "P058",
        "a settled player's cards away after those of a push",
        lambda: put_away(dicey(), in_order=False),
        lambda: put_away(dicey(), in_order=True),
        "violation",
    ),
)
PAIRS = tuple(
    Pair(procedure=procedure, error=error, wrong=wrong, right=right, verdict=verdict)
    for procedure, error, wrong, right, verdict in _SCENES
)
