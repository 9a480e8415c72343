"""Cards, cheques, dice and bills that lie where they should not, or are laid there too soon."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from audit.states import TableState
from audit.table import Point
from tests.audit.pairs import money
from tests.audit.pairs.deal import peek, start, turn_cards
from tests.audit.pairs.dice import shoot
from tests.audit.pairs.hands import table
from tests.audit.pairs.pair import Pair, change, put
from tests.audit.pairs.paying import spread_bet
from tests.audit.pairs.shoe import spread
from tests.audit.pairs.whole_shoes import blackjack, cards, goes_on, stand_all
from tests.notation import Felt, wide_profile


# -- cards -------------------------------------------------------------------------------------------------------------
def one_hit(right: float, away: float) -> Felt:
    """Seat 2 hits at Draw 'n Shoot 21; the hit comes to lie so far from the first card. It loses with either total."""
    felt = shoot().bets({2: "20"}, "ante").card(2, "5s").hand("player", "seat2.cards", seat=2).snap()
    felt.hand("dealer", "shoe", "seat2.cards")
    (first,) = felt.names("s2.h1.")
    x, y = felt.things[first].xy_mm
    felt.put_card("s2.h1.9", "4s", (x + right, y + away), 0.0)
    felt.snap().roll(1, 2).take_spot(2, "ante")
    return felt.pick_up_seat(2).cover_dice()


def two_antes(*, together: bool) -> Felt:
    """Seats 3 and 2 lose; seat 3's card is laid beside seat 2's before both go, or goes by itself."""
    felt = shoot().bets({2: "20", 3: "20"}, "ante").card(2, "6s").card(3, "6h").roll(1, 2).take_spot(3, "ante")
    if together:
        (own,), (other,) = felt.names("s2.h1."), felt.names("s3.h1.")
        x, y = felt.things[own].xy_mm
        change(felt.hand("dealer", "seat3.cards", "seat2.cards"), other, xy_mm=(x + 66.0, y + 20.0))
        felt.snap()
    else:
        felt.pick_up_seat(3)
    felt.take_spot(2, "ante").hand("dealer", "seat2.cards", "discard")
    for name in felt.names("s"):
        felt.remove(name)
    return felt.snap().cover_dice()


def second_card(*, on_the_bet: bool) -> Felt:
    """Seat 1's second card comes to lie on its betting spot, or beside the first card."""
    felt = start(table(), {1: "Th Qc"}, "Td Ks")
    if on_the_bet:
        at = felt.at("seat1.main", 20.0, -20.0)
        felt.states = [_moved(state, "Qc", at) for state in felt.states]
        change(felt, felt.names("s1.h")[-1], xy_mm=at)
    return felt.turn().pat(1).collect(1).pick_up()


def _moved(state: TableState, code: str, at: Point) -> TableState:
    return replace(state, objects=tuple(replace(one, xy_mm=at) if one.card == code else one for one in state.objects))


def drawn_in_error(at: str | Point | None) -> Felt:
    """After the deal a card comes out of the shoe and is laid down face up; at a point, it is discarded at once."""
    felt = start(table(), {1: "Th Qc"}, "Td 8s")
    if at is not None:
        felt.hand("dealer", "shoe").put_card("surplus", "9c", felt.at(at) if isinstance(at, str) else at, 0.0)
        felt.snap()
    if at is not None and not isinstance(at, str):
        felt.hand("dealer", "discard").remove("surplus")
        felt.snap()
    felt.turn().pat(1)
    if "surplus" in felt.things:
        felt.remove("surplus")
    return felt.pay_spot(1, "main", "10").collect(1).pick_up()


def pushed_from_under(way: float) -> Felt:
    """The second card lies so far from where it lay on the first, once the player has signalled to stand."""
    felt = start(table(), {1: "Th Qc"}, "Td Ks")
    first, second = felt.names("s1.h")
    x, y = felt.things[first].xy_mm
    felt.states = [_moved(state, "Qc", (x - 16.0, y - 16.0)) for state in felt.states]
    change(felt, second, xy_mm=(x - 16.0, y - 16.0))
    change(felt.hand("player", "seat1.cards", seat=1), second, xy_mm=(x - 16.0 - way, y - 16.0))
    return felt.snap().turn().pat(1).collect(1).pick_up()


def cut_by_its_owner(seat: int) -> Felt:
    """The cut card comes out before seat 1's card and is laid aside at once; after the shuffle a seat cuts."""
    felt = goes_on(blackjack(seats=2), stand_all, shuffled=True, cut_card=True, cutter=seat)
    out = next(n for n, state in enumerate(felt.states) if any(one.kind == "cut_card" for one in state.objects))
    aside = felt.at("shoe", 0.0, 150.0)
    brought = tuple(replace(hand, zones=frozenset({"shoe"})) for hand in felt.states[out].hands)
    felt.states[out] = replace(felt.states[out], hands=brought)
    felt.states[out:] = [
        replace(state, objects=tuple(replace(o, xy_mm=aside) if o.kind == "cut_card" else o for o in state.objects))
        if any(o.kind == "cut_card" and o.angle_deg == 90.0 for o in state.objects)
        else state
        for state in felt.states[out:]
    ]
    return felt


def spread_dead_game(*, hand: bool) -> Felt:
    """After a round the cards are spread; half a minute later the dealer's hand is in the rack or not."""
    felt = blackjack(seats=1)
    stand_all(felt, cards())
    spread(felt, "card_back").hand("dealer", "dealer.cards").snap()
    felt.now += 30_000
    if hand:
        felt.hand("dealer", "rack")
    return felt.snap().snap()


# -- cheques, dice, bills ----------------------------------------------------------------------------------------------
def beside_the_line(laid: str) -> Felt:
    """With an ace up a player lays cheques among his cards; the dealer looks, has no blackjack, and takes them."""
    felt = start(Felt(wide_profile("blackjack", ("main",))), {1: "Th 9c"}, "Ad 8s", bet="20")
    turn_cards(felt, 90.0)
    if laid:
        felt.snap().hand("player", "seat1.cards", seat=1).put_chips("laid", laid, felt.at("seat1.cards", -90.0, 0.0))
    peek(felt.snap(), sideways=True)
    turn_cards(felt, 0.0)
    if laid:
        felt.hand("dealer", "seat1.cards", "rack").remove("laid")
    return felt.snap().turn().pat(1).collect(1).pick_up()


def column(*, upright: bool) -> Felt:
    """A payment of a green and a red is cut out away from the dealer, or along the rack."""
    piles = (("green", 60.0, 30.0), ("red", 60.0, 75.0)) if upright else (("green", 30.0, 40.0), ("red", 75.0, 40.0))
    return money.proved_for_a_wager(*piles)


def dice_left(*values: int) -> Felt:
    """Seat 2's ten and the dice make 19, or so much that one of them may be missing."""
    felt = shoot().bets({2: "20"}, "ante").card(2, "Ts").roll(*values)
    return felt.pay_spot(2, "ante", "20").collect_spot(2, "ante").pick_up_seat(2).cover_dice()


def bill(*steps: tuple[float, float]) -> Felt:
    """A bill of $100 lies so (x, angle) in look after look; cheques for it stand there from the second one on."""
    felt = money.table()
    for number, (x, angle) in enumerate(steps):
        put(
            felt.hand("dealer", "dealer.cards"), "bill", "bill", (x, 100.0), angle_deg=angle, amount="100.00", side="up"
        )
        if number == 1:
            money.set_out(felt, money.reds(20))
        felt.snap()
    for name in ("bill", *felt.names("cut.")):
        felt.remove(name)
    felt.hand("dealer", "rack").snap()
    return money.push(felt)


def folded(*, early: bool) -> Felt:
    """A bill lies where a player put it; cheques for it are cut out and gone before it is laid out, or after that."""
    felt = money.table().hand("player", "seat1.main", seat=1)
    laid = {"angle_deg": 0.0, "amount": "100.00", "side": "up"}
    put(felt, "bill", "bill", felt.at("seat1.main"), **laid)
    felt.snap()
    if not early:
        put(felt.hand("dealer", "seat1.main"), "bill", "bill", (-100.0, 100.0), **laid)
        felt.snap()
    money.set_out(felt, money.reds(20))
    felt.snap().hand("dealer", "rack")
    if not early:
        felt.remove("bill")
    for name in felt.names("cut."):
        felt.remove(name)
    felt.snap()
    if early:
        put(felt.hand("dealer", "seat1.main"), "bill", "bill", (-100.0, 100.0), **laid)
        felt.snap().hand("dealer", "rack").remove("bill")
        felt.snap()
    return money.push(felt)


def thrown_among_his_cards(*, bet: bool) -> Felt:
    """A player lays a cheque where his cards are to be dealt; the dealer bets it for himself, or takes it away."""
    felt = table().bets({2: "10"}).hand("player", "seat2.cards", seat=2)
    felt.put_chips("thrown", "5", felt.at("seat2.cards", 20.0, -60.0))
    felt.snap().hand("dealer", "seat2.cards", "seat2.toke" if bet else "rack").remove("thrown")
    if bet:
        felt.put_chips("s2.toke.1", "5", felt.at("seat2.toke"))
    felt.snap().deal({2: "Th 7c"}, dealer="Td 8s").turn().take_spot(2, "main")
    return (felt.take_spot(2, "toke") if bet else felt).pick_up()


_LYING: tuple[tuple[str, str, Callable[[], Felt], Callable[[], Felt], str], ...] = (
    ("P016", "a hit beside the first card", lambda: one_hit(100.0, 0.0), lambda: one_hit(0.0, -30.0), "suspect"),
    ("P016", "a hit far from every card", lambda: one_hit(0.0, -150.0), lambda: one_hit(0.0, -30.0), "suspect"),
    (
        "P037",
        "a used card laid beside another seat's",
        lambda: two_antes(together=True),
        lambda: two_antes(together=False),
        "suspect",
    ),
    (
        "P184",
        "the second card on the betting spot",
        lambda: second_card(on_the_bet=True),
        lambda: second_card(on_the_bet=False),
        "suspect",
    ),
    (
        "P293",
        "a card drawn in error, seen in one look",
        lambda: drawn_in_error((150.0, 20.0)),
        lambda: drawn_in_error(None),
        "suspect",
    ),
    (
        "P293",
        "a card drawn in error and laid at the ace finder",
        lambda: drawn_in_error("ace_finder"),
        lambda: drawn_in_error(None),
        "suspect",
    ),
    (
        "P217",
        "a card drawn from the one below it",
        lambda: pushed_from_under(70.0),
        lambda: pushed_from_under(0.0),
        "suspect",
    ),
    (
        "P138",
        "a cut by seat 2, the cut card before seat 1's",
        lambda: cut_by_its_owner(2),
        lambda: cut_by_its_owner(1),
        "suspect",
    ),
    (
        "P162",
        "a hand in the rack while the cards lie spread",
        lambda: spread_dead_game(hand=True),
        lambda: spread_dead_game(hand=False),
        "suspect",
    ),
    ("P303", "insurance among the cards", lambda: beside_the_line("10"), lambda: beside_the_line(""), "suspect"),
    (
        "P276",
        "a payment cut out away from the dealer",
        lambda: column(upright=True),
        lambda: column(upright=False),
        "suspect",
    ),
    (
        "P274",
        "greens and reds, broken down, paid in one pile",
        lambda: spread_bet(("green", -25.0), ("red", 25.0), pays=(("green red", 0.0),)),
        lambda: spread_bet(("green", -25.0), ("red", 25.0), pays=(("green", -25.0), ("red", 25.0))),
        "suspect",
    ),
    ("P023", "one die under the cover", lambda: dice_left(4), lambda: dice_left(4, 5), "suspect"),
    (
        "P165",
        "a bill across as cheques are set out for it",
        lambda: bill((-100.0, 90.0), (-100.0, 90.0), (-100.0, 0.0)),
        lambda: bill((-100.0, 90.0), (-100.0, 0.0), (-100.0, 0.0)),
        "violation",
    ),
    (
        "P176",
        "cheques out while the bill is not laid out",
        lambda: folded(early=True),
        lambda: folded(early=False),
        "violation",
    ),
    (
        "P373",
        "a cheque among his cards bet by the dealer",
        lambda: thrown_among_his_cards(bet=True),
        lambda: thrown_among_his_cards(bet=False),
        "suspect",
    ),
)
PAIRS = tuple(
    Pair(procedure=procedure, error=error, wrong=wrong, right=right, verdict=verdict)
    for procedure, error, wrong, right, verdict in _LYING
)
