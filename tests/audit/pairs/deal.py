"""Misdeals, positions, insurance and the ace finder of blackjack."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from tests.audit.pairs.pair import Pair, change
from tests.notation import Felt, wide_profile

_LOOK_MS = 1000


def table(*bets: str, game: str = "blackjack", extra: str = "") -> Felt:
    return Felt(wide_profile(game, bets or ("main",), extra=extra))


def start(felt: Felt, cards: dict[int, str], dealer: str, *, bet: str = "10") -> Felt:
    return felt.bets(dict.fromkeys(cards, bet)).deal(cards, dealer=dealer)


def push(felt: Felt, *seats: int) -> Felt:
    felt.turn()
    for seat in seats or (1,):
        felt.pat(seat).collect(seat)
    return felt.pick_up()


def second_seat_first(felt: Felt) -> Felt:
    """Seat 2 gets its card before seat 1, to whose empty place the dealer's arm reached on its way."""
    felt.bets({1: "10", 2: "10"})
    felt.hand("dealer", "shoe", "seat1.cards").card(2, "Th").card(1, "Ts").dealer_card("up", "back", -250.0)
    felt.card(1, "9c").card(2, "8c").hand("dealer", "dealer.cards", "shoe")
    felt.put_card("d.up", "Td", felt.at("dealer.cards", -250.0), 0.0)
    felt.put_card("d.hole", "back", felt.at("dealer.cards", -244.0, -6.0), 0.0)
    felt.hole = "8d"
    felt.snap().turn().pay(1, "10").collect(1).pat(2).collect(2).pick_up()
    return felt


# -- the ace finder ----------------------------------------------------------------------------------------------------
def peek(felt: Felt, *, sideways: bool = False) -> Felt:
    """Both cards slide into the ace finder, are looked at, and slide back."""
    cards = {name: felt.things[name] for name in ("d.up", "d.hole")}
    felt.hand("dealer", "dealer.cards", "ace_finder")
    for name, right in (("d.up", 0.0), ("d.hole", 4.0)):
        change(felt, name, xy_mm=felt.at("ace_finder", right), angle_deg=90.0 if sideways else 0.0)
    felt.snap()
    felt.now += _LOOK_MS
    felt.hand("dealer", "dealer.cards", "ace_finder")
    felt.things |= cards
    return felt.snap()


def two_tens(*, second: bool = True, sideways: bool = False) -> Felt:
    """Two rounds against a ten; the dealer looks at his hole card in the first, and perhaps in the second."""
    felt = table()
    push(peek(start(felt, {1: "Th Qc"}, "Td Ks"), sideways=sideways))
    start(felt, {1: "Ts Qh"}, "Tc Kh")
    return push(peek(felt) if second else felt)


def side_after(*, late: bool, bet: str = "trilux") -> Felt:
    """A Trilux wager is taken after the look at the hole card, or before."""
    felt = table("trilux", "main").bets({1: "5"}, bet)
    start(felt, {1: "Th Qc"}, "Td Ks")
    if not late:
        felt.take_spot(1, bet)
    peek(felt)
    if late:
        felt.take_spot(1, bet)
    return push(felt)


def insured(felt: Felt, seat: int = 1, *, after_peek: bool = False, sideways: bool = True) -> Felt:
    """Insurance is opened, taken by a seat, closed; the dealer looks; it is lost and collected."""
    start(felt, {seat: "Th 9c"}, "Ad 8s")
    if sideways:
        turn_cards(felt, 90.0)
    if after_peek:
        peek(felt, sideways=True)
    felt.insure(seat, "5", opened=False)
    if not after_peek:
        peek(felt, sideways=True)
    if sideways:
        turn_cards(felt, 0.0)
    return push(felt.take_spot(seat, "insurance"), seat)


def changed_line(to: str, *, after_peek: bool) -> Felt:
    """A player changes his insurance, or takes it back where it becomes nothing, before or after the look."""
    felt = start(table(), {1: "Th 9c"}, "Ad 8s", bet="50")
    turn_cards(felt, 90.0)
    felt.insure(1, "red red", opened=False)
    if after_peek:
        peek(felt, sideways=True)
    felt.hand("player", "insurance", seat=1)
    place = felt.things.pop("s1.insurance.1").xy_mm
    if to:
        felt.put_chips("s1.insurance.1", to, place)
    felt.snap()
    if not after_peek:
        peek(felt, sideways=True)
    turn_cards(felt, 0.0)
    return push(felt.take_spot(1, "insurance") if to else felt)


def turn_cards(felt: Felt, angle: float) -> None:
    felt.hand("dealer", "dealer.cards")
    for name in ("d.up", "d.hole"):
        change(felt, name, angle_deg=angle)
    felt.snap()


def twice_insured(*, second: bool) -> Felt:
    """Insurance in two rounds; in the second one the ace is turned or not."""
    felt = insured(table())
    return insured(felt, sideways=second)


def own_line(right: float) -> Felt:
    """Insurance on a line of the seat's own, so far to the dealer's right of the hand."""
    zone = '[[zone]]\nname = "seat1.insurance"\npolygon_mm = [[-600, 130], [-150, 130], [-150, 165], [-600, 165]]\n'
    felt = table(extra=zone)
    start(felt, {1: "Th 9c"}, "Ad 8s")
    turn_cards(felt, 90.0)
    felt.hand("player", "seat1.insurance", seat=1)
    x = felt.at("seat1.cards")[0]
    felt.put_chips("s1.insurance.1", "5", (x + right, 148.0))
    felt.snap()
    peek(felt, sideways=True)
    turn_cards(felt, 0.0)
    felt.hand("dealer", "seat1.insurance", "rack").remove("s1.insurance.1")
    return push(felt.snap())


def missed(*, drawn: bool, up: str = "Td", hole: str = "As", shown_first: bool = False) -> Felt:
    """The dealer has blackjack; it is shown at once, or after seat 1 drew a card, or he draws one then."""
    felt = start(table(), {1: "5h 6c"}, f"{up} {hole}")
    if shown_first:
        felt.turn()
    if drawn:
        felt.hit(1, "7c")
    if not shown_first:
        felt.turn()
    return felt.take_spot(1, "main").pick_up()


def put_back(*, signalled: bool) -> Felt:
    """The dealer looks at a blackjack and puts it back; seat 1 stands before he shows it, or does not."""
    felt = peek(start(table(), {1: "Th 6c"}, "Td As"))
    if signalled:
        felt.hand("player", "seat1.cards", seat=1).snap()
    return felt.turn().take_spot(1, "main").pick_up()


def late_double(*, taken: bool) -> Felt:
    """A double is found to have played against a blackjack: its second wager is given back."""
    felt = start(table(), {1: "5h 6c"}, "Td As").double(1, "10", "7c").turn()
    felt.take(1, "main.1")
    if taken:
        felt.take(1, "double.1")
    else:
        felt.collect(1)
    return felt.pick_up()


def paid_too_soon() -> Felt:
    """A player's blackjack was paid when the dealer's is found, and keeps its payout."""
    felt = start(table(), {1: "As Kd", 2: "5h 6c"}, "Td Ac")
    return peek(felt).pay(1, "15").hit(2, "7c").turn().take(2, "main.1").collect(1).pick_up()


def two_insured(order: tuple[str, ...]) -> Felt:
    """The dealer has blackjack with an ace up; seat 3 is insured, seat 1 is not."""
    felt = start(table(), {1: "Th 9c", 3: "Ts 9d"}, "Ad Ks")
    turn_cards(felt, 90.0)
    felt.insure(3, "5")
    peek(felt, sideways=True)
    felt.turn()
    for act in order:
        if act == "insurance":
            felt.pay_spot(3, "insurance", "10")
        else:
            felt.take_spot(int(act), "main")
    return felt.collect_spot(3, "insurance").pick_up()


# -- misdeals ----------------------------------------------------------------------------------------------------------
def short(*, late: bool | None) -> Felt:
    """Seat 2 gets its second card in turn, or only after seat 1 drew (True), or never (None)."""
    felt = table().bets({1: "10", 2: "10"}).card(1, "5h").card(2, "Ts").dealer_card("up", "back", -250.0).card(1, "6c")
    if late is False:
        felt.card(2, "8c")
    felt.hole = "8s"
    felt.hand("dealer", "dealer.cards", "shoe")
    felt.put_card("d.up", "Td", felt.at("dealer.cards", -250.0), 0.0)
    felt.put_card("d.hole", "back", felt.at("dealer.cards", -230.0, -6.0), 0.0)
    felt.snap().hit(1, "7c")
    if late:
        felt.card(2, "8c")
    felt.turn()
    if late is None:
        felt.take_spot(2, "main")
        return felt.pat(1).collect(1).pick_up()
    return felt.pat(2).collect(2).pat(1).collect(1).pick_up()


def dealer_short(*, late: bool) -> Felt:
    """The dealer's hole card comes in turn, or only after seat 1 drew."""
    felt = table().bets({1: "10"}).card(1, "5h").dealer_card("up", "back", -250.0).card(1, "6c")
    felt.hole = "8s"
    felt.hand("dealer", "dealer.cards")
    felt.put_card("d.up", "Td", felt.at("dealer.cards", -250.0), 0.0)
    felt.snap()
    if late:
        felt.hit(1, "7c")
    felt.dealer_card("hole", "back", -225.0)
    if not late:
        felt.hit(1, "7c")
    return push(felt)


def moved(*, card: bool) -> Felt:
    """A hit card goes from seat 1 to seat 2, or each gets its own."""
    felt = start(table(), {1: "5h 6c", 2: "5s 4c"}, "Td Ks")
    felt.hit(1, "9c")
    if card:
        felt.hand("player", "seat2.cards", seat=2).hand("dealer", "seat1.cards", "seat2.cards")
        felt.remove("s1.h1.2")
        felt.put_card("s2.h1.2", "9c", felt.at("seat2.cards", 0.0, 16.0), 0.0)
        felt.snap()
        felt.turn().take_spot(2, "main")
        return felt.take_spot(1, "main").pick_up()
    felt.hit(2, "Js").turn()
    return felt.take_spot(2, "main").pat(1).collect(1).pick_up()


def stray(*, there: bool) -> Felt:
    """A card is exposed beside the shoe after the deal."""
    felt = start(table(), {1: "Th Qc"}, "Td Ks").hand("dealer", "shoe")
    if there:
        felt.put_card("stray", "9c", (-380.0, 150.0), 0.0)
    felt.snap().snap()
    return push(felt)


def swept(*, back: bool) -> Felt:
    """A card that the player did not ask for is drawn to his hand; the dealer puts it among the discards, or not."""
    felt = start(table(), {1: "9h 5c"}, "Td 4s" if back else "Td 8s").hit(1, "4d")
    if back:
        felt.hand("dealer", "seat1.cards", "discard").remove(felt.names("s1.h1.")[-1])
        return felt.snap().snap().turn().dealer_hits("Qh").pay(1, "10").pick_up()
    return push(felt)


def drew(*, on_17: bool) -> Felt:
    """The dealer draws to 17 or 16; the card is used."""
    felt = start(table(), {1: "Th 9c"}, "Td 7s" if on_17 else "Td 6s").turn()
    felt.dealer_hits("2c" if on_17 else "3c")
    return felt.pat(1).collect(1).pick_up()


# -- positions ---------------------------------------------------------------------------------------------------------
def row(right: float) -> Felt:
    """The dealer's third card lies so far to the right of the middle of his place."""
    felt = start(table(), {1: "Th 9c"}, "Td 6s").turn()
    felt.dealer_card("hit", "3c", right)
    return felt.pat(1).collect(1).pick_up()


def laid(*steps: float) -> Felt:
    """Seat 1's cards lie at these places, to the dealer's right of the middle."""
    felt = start(table(), {1: "2h 3c"}, "Td 8s")
    for number, code in enumerate(("2c", "3d", "4s", "4h"), start=2):
        felt.hit(1, code)
        change(felt, f"s1.h1.{number}", xy_mm=felt.at("seat1.cards", steps[number - 2], 40.0 - 26.0 * number))
        felt.states[-1] = replace(felt.states[-1], objects=tuple(felt.things.values()))
    return push(felt)


def split_side(*, left: bool) -> Felt:
    """The wager of a split is set to the left or to the right of the old one."""
    felt = start(table(), {2: "8c 8d"}, "Td 8s", bet="20").hand("player", "seat2.main", seat=2)
    side = -1.0 if left else 1.0
    felt.put_chips("s2.main.2", "20", felt.at("seat2.main", side * 60.0))
    felt.snap().hand("dealer", "seat2.cards")
    for hand, name in ((1, "s2.h1.0"), (2, "s2.h1.1")):
        card = felt.things.pop(name)
        felt.things[f"s2.h{hand}.0"] = replace(card, xy_mm=felt.at("seat2.cards", (hand - 1.5) * 130.0, 18.0))
    felt.snap().hit(2, "Tc").hit(2, "Th", hand=2)
    return push(felt, 2)


def doubled(right: float, *, split: bool = False, sideways: bool = True) -> Felt:
    """A double stands so far to the right of its bet; with ``split`` it is the double of the left of two hands."""
    if not split:
        felt = start(table(), {1: "6h 4c"}, "Td Ks").hand("player", "seat1.main", seat=1)
        felt.put_chips("s1.double.1", "10", felt.at("seat1.main", right))
        return push(felt.snap().card(1, "Kh", sideways=sideways))
    felt = start(table(), {2: "8c 8d"}, "Td 9s", bet="20").split(2, "20").hit(2, "3d")
    felt.hand("player", "seat2.main", seat=2)
    felt.put_chips("s2.double.1", "20", felt.at("seat2.main", right - 50.0))
    felt.snap().card(2, "8h", sideways=sideways).hit(2, "Ah", hand=2)
    return push(felt, 2)


def tens_split(*, sideways: bool) -> Felt:
    """Tens are split and an ace comes on the left one."""
    felt = start(table(), {2: "Tc Td"}, "Ts Kc", bet="20").split(2, "20").card(2, "Ac", sideways=sideways)
    felt.hit(2, "Qs", hand=2).turn().pay(2, "20", beside="main.1").pat(2)
    return felt.collect(2).pick_up()


def topped(code: str) -> Felt:
    """After the round a card shows on the discards."""
    felt = push(start(table(), {1: "Th Qc"}, "Td Ks"))
    felt.put_card("top", code, felt.at("discard"), 0.0)
    return felt.snap()


_PAIRS = (
    ("P308", "no look with a ten up", lambda: two_tens(second=False), two_tens, "violation"),
    (
        "P309",
        "insurance placed after the look",
        lambda: insured(table(), after_peek=True),
        lambda: insured(table()),
        "violation",
    ),
    (
        "P310",
        "a side wager taken after the look",
        lambda: side_after(late=True),
        lambda: side_after(late=False),
        "violation",
    ),
    (
        "P380",
        "a Trilux wager taken after the look",
        lambda: side_after(late=True),
        lambda: side_after(late=False),
        "violation",
    ),
    *(
        (
            "P307",
            words,
            partial(changed_line, to, after_peek=True),
            partial(changed_line, to, after_peek=False),
            "violation",
        )
        for words, to in (
            ("insurance added to", "red red red"),
            ("insurance lessened", "red"),
            ("insurance taken back", ""),
        )
    ),
    (
        "P307",
        "insurance placed after it was closed",
        lambda: insured(table(), after_peek=True),
        lambda: insured(table()),
        "violation",
    ),
    (
        "P300",
        "insurance without the ace turned",
        lambda: twice_insured(second=False),
        lambda: twice_insured(second=True),
        "violation",
    ),
    ("P303", "insurance to the left of the hand", lambda: own_line(-60.0), lambda: own_line(40.0), "violation"),
    ("P311", "a card drawn against a blackjack", lambda: missed(drawn=True), lambda: missed(drawn=False), "violation"),
    (
        "P311",
        "a card drawn after the blackjack was turned over",
        lambda: missed(drawn=True, shown_first=True),
        lambda: missed(drawn=False),
        "violation",
    ),
    (
        "P314",
        "a card drawn against a blackjack with an ace up",
        lambda: missed(drawn=True, up="Ad", hole="Ks"),
        lambda: missed(drawn=False, up="Ad", hole="Ks"),
        "suspect",
    ),
    (
        "P314",
        "a blackjack put back and played against",
        lambda: put_back(signalled=True),
        lambda: put_back(signalled=False),
        "suspect",
    ),
    (
        "P312",
        "insurance paid after the other seat was taken",
        lambda: two_insured(("3", "1", "insurance")),
        lambda: two_insured(("3", "insurance", "1")),
        "violation",
    ),
    ("P297", "a second card after a hit", lambda: short(late=True), lambda: short(late=False), "suspect"),
    ("P244", "a hand left with one card", lambda: short(late=None), lambda: short(late=False), "suspect"),
    (
        "P298",
        "the dealer's second card after a hit",
        lambda: dealer_short(late=True),
        lambda: dealer_short(late=False),
        "suspect",
    ),
    ("P245", "a card moved to another hand", lambda: moved(card=True), lambda: moved(card=False), "suspect"),
    ("P293", "a card swept from a hand", lambda: swept(back=True), lambda: swept(back=False), "suspect"),
    ("P293", "a card exposed beside the hands", lambda: stray(there=True), lambda: stray(there=False), "suspect"),
    ("P257", "a card drawn on 17 used", lambda: drew(on_17=True), lambda: drew(on_17=False), "violation"),
    ("P294", "a card drawn on 17", lambda: drew(on_17=True), lambda: drew(on_17=False), "violation"),
    ("P256", "the dealer's hit over his hole card", lambda: row(-150.0), lambda: row(-110.0), "violation"),
    (
        "P186",
        "a zigzag of six cards",
        lambda: laid(90.0, -40.0, 60.0, -40.0),
        lambda: laid(5.0, -23.0, -51.0, -79.0),
        "suspect",
    ),
    (
        "P324",
        "the wager of a split to the left",
        lambda: split_side(left=True),
        lambda: split_side(left=False),
        "suspect",
    ),
    ("P319", "a double to the left", lambda: doubled(-45.0), lambda: doubled(45.0), "violation"),
    (
        "P329",
        "the double card of a split hand upright",
        lambda: doubled(40.0, split=True, sideways=False),
        lambda: doubled(40.0, split=True),
        "violation",
    ),
    (
        "P329",
        "the double of a split hand to the left of its bet",
        lambda: doubled(-40.0, split=True),
        lambda: doubled(40.0, split=True),
        "violation",
    ),
    (
        "P328",
        "the ace on a split ten upright",
        lambda: tens_split(sideways=False),
        lambda: tens_split(sideways=True),
        "violation",
    ),
    ("P286", "a player's card on top of the discards", lambda: topped("Qc"), lambda: topped("Ks"), "violation"),
    ("P285", "a player's first card on top of the discards", lambda: topped("Th"), lambda: topped("Td"), "violation"),
)
ALSO = {"P244": ("P281",), "P245": ("P281", "P255")}
PAIRS = (
    *(
        Pair(procedure=procedure, error=error, wrong=wrong, right=right, verdict=verdict, also=ALSO.get(procedure, ()))
        for procedure, error, wrong, right, verdict in _PAIRS
    ),
    Pair(
        procedure="P291",
        error="a double taken against a blackjack found late",
        wrong=lambda: late_double(taken=True),
        right=lambda: missed(drawn=False),
        also=("P311",),
    ),
    Pair(
        procedure="P291",
        error="a blackjack's payout left where the dealer's was found late",
        wrong=paid_too_soon,
        right=lambda: missed(drawn=False),
        also=("P311",),
    ),
    Pair(
        procedure="P237",
        error="insurance placed after a hit",
        wrong=lambda: push(start(table(), {1: "5h 6c"}, "Ad 8s").hit(1, "8c").insure(1, "5").take_spot(1, "insurance")),
        right=lambda: insured(table()),
        also=("P313",),
    ),
)
