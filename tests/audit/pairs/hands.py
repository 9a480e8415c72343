"""Hands over the felt, and tokes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from audit.timing import Span
from tests.audit.pairs.dice import dicey, faces, shoot
from tests.audit.pairs.pair import Pair, change
from tests.notation import Felt, wide_profile


def table(game: str = "blackjack") -> Felt:
    return Felt(wide_profile(game, ("blazing7", "main", "toke")))


def pushed(felt: Felt, *, seat: int = 1, bet: str = "10") -> Felt:
    """20 against 20: nothing is taken or paid."""
    return felt.bets({seat: bet}).deal({seat: "Th Qc"}, dealer="Td Ks").turn().pat(seat).collect(seat).pick_up()


def two_hits(*, signal: bool) -> Felt:
    """Two rounds with a hit each; the player shows that he wants the first one, perhaps also the second one."""
    felt = table()
    felt.bets({1: "10"}).deal({1: "5h 6c"}, dealer="Td Ks").hit(1, "9c").turn().pat(1).collect(1).pick_up()
    felt.bets({1: "10"}).deal({1: "5d 6s"}, dealer="Th Qc")
    if signal:
        felt.hit(1, "9h")
    else:
        felt.card(1, "9h")
    return felt.turn().pat(1).collect(1).pick_up()


def two_dice_hits(felt: Felt, *, signal: bool) -> Felt:
    """Two seats hit; the second one perhaps without a signal. Both push with 17."""
    felt.bets({1: "10", 2: "10"}, "ante").card(1, "4s").card(2, "4h").hit(1, "4c")
    if signal:
        felt.hit(2, "4d")
    else:
        felt.card(2, "4d")
    felt.roll(*faces(felt))
    felt.collect_spot(2, "ante").pick_up_seat(2)
    return felt.collect_spot(1, "ante").pick_up_seat(1).cover_dice()


def reaching(zone: str) -> Felt:
    felt = table()
    felt.bets({1: "10"}).deal({1: "Th Qc"}, dealer="Td Ks").hand("player", zone, seat=1).snap()
    return felt.turn().pat(1).collect(1).pick_up()


def handled(side: str, game: str = "blackjack") -> Felt:
    """Seat 1's cards are lifted by the dealer or by the player."""
    felt = table(game)
    felt.bets({1: "10"}).deal({1: "Th Qc"}, dealer="Td Ks").turn().pat(1).collect(1)
    felt.hand(side, "seat1.cards", seat=1 if side == "player" else None)
    for name in felt.names("s1.h"):
        felt.remove(name)
    return felt.snap().pick_up()


def pushed_card(way: float) -> Felt:
    """A card lies so far from where it lay once the player has signalled to stand."""
    felt = table().bets({1: "10"}).deal({1: "Th Qc"}, dealer="Td Ks").hand("player", "seat1.cards", seat=1)
    name = felt.names("s1.h")[-1]
    x, y = felt.things[name].xy_mm
    change(felt, name, xy_mm=(x, y - way))
    return felt.snap().turn().pat(1).collect(1).pick_up()


def resting(*, still: bool) -> Felt:
    """The player's hand stays on his wager while the first card comes, or leaves before."""
    felt = table().bets({1: "10"})
    begin = felt.now
    if not still:
        felt.hand("player", "seat1.main", seat=1)
    felt.hand("dealer", "shoe", "seat1.cards")
    if still:
        felt.now += 100
        long = felt.hands.pop()
        felt.hand("player", "seat1.main", seat=1)
        player = felt.hands.pop()
        felt.hands += [long, replace(player, span=Span.of(begin - 50, felt.now))]
    felt.put_card("s1.h1.0", "Th", felt.at("seat1.cards", 66.0, 34.0), 0.0)
    felt.snap().dealer_card("up", "back", -250.0).card(1, "Qc")
    felt.hole = "Ks"
    felt.hand("dealer", "dealer.cards", "shoe")
    felt.put_card("d.up", "Td", felt.at("dealer.cards", -250.0), 0.0)
    felt.put_card("d.hole", "back", felt.at("dealer.cards", -244.0, -6.0), 0.0)
    return felt.snap().turn().pat(1).collect(1).pick_up()


def both_hands(*, at_once: bool) -> Felt:
    """Two losing wagers are taken with both hands at once, or one after the other."""
    felt = table()
    felt.bets({1: "10", 2: "10"}).deal({1: "Th 7c", 2: "Ts 7d"}, dealer="Td 8s").turn()
    if not at_once:
        return felt.take_spot(2, "main").take_spot(1, "main").pick_up()
    felt.hand("dealer", "seat2.main", "rack")
    left = felt.hands[-1]
    felt.hands.append(replace(left, zones=("seat1.main",)))
    felt.remove("s1.main.1")
    felt.remove("s2.main.1")
    return felt.snap().pick_up()


def many_hands(felt: Felt, amounts: dict[int, str], *, arm: int | None) -> Felt:
    """Wagers placed by one arm, or by each seat's own; everybody pushes with 20."""
    for seat, amount in amounts.items():
        felt.hand("player", f"seat{seat}.main", seat=arm or seat)
        felt.put_chips(f"s{seat}.main.1", amount, felt.at(f"seat{seat}.main"))
    cards = {seat: f"T{'cdhs'[seat % 4]} Q{'cdhs'[seat % 4]}" for seat in amounts}
    felt.snap().deal(cards, dealer="Jd Ks").turn()
    for seat in sorted(amounts, reverse=True):
        felt.pat(seat).collect(seat)
    return felt.pick_up()


def stud_hands(count: int) -> Felt:
    """One arm bets on so many spaces of 21 Stud; all lose with 17."""
    felt = Felt(wide_profile("stud_21", ("match1", "match2", "mirror", "base")))
    for seat in range(1, count + 1):
        felt.hand("player", f"seat{seat}.base", seat=1)
        felt.put_chips(f"s{seat}.base.1", "10", felt.at(f"seat{seat}.base"))
    felt.snap()
    for code in ("T", "7"):
        for seat in range(1, count + 1):
            felt.card(seat, code + "cdh"[seat - 1])
    felt.dealer_zone_card("dealer.card1", "back").dealer_zone_card("dealer.card2", "back")
    felt.dealer_zone_card("dealer.card1", "Js").dealer_zone_card("dealer.card2", "9s")
    for seat in range(count, 0, -1):
        felt.take_spot(seat, "base").pick_up_seat(seat)
    felt.hand("dealer", "dealer.card1", "dealer.card2")
    for name in felt.names("d."):
        felt.remove(name)
    return felt.snap()


def lucky(arm: int, bet: str = "block_bonus") -> Felt:
    """Seat 2's Block Bonus, or more on its Enter bet, is placed by an arm; everything loses."""
    felt = Felt(wide_profile("lucky_draw_baccarat", ("block_bonus", "draw", "enter")))
    felt.bets({2: "10"}, "enter").hand("player", f"seat2.{bet}", seat=arm)
    if bet == "enter":
        felt.put_chips("s2.enter.2", "10", felt.at("seat2.enter", 0.0, 42.0))
        felt.snap().bets({2: "5"}, "block_bonus")
    else:
        felt.put_chips("s2.block_bonus.1", "5", felt.at("seat2.block_bonus"))
        felt.snap()
    felt.card(2, "2h").card(2, "3c").dealer_card("down", "back", -60.0).dealer_card("up", "9d", 20.0)
    felt.take_spot(2, "block_bonus").dealer_card("down", "Kc", -60.0).take_spot(2, "enter")
    return felt.pick_up()


def sensor(arm: int) -> Felt:
    """A Blazing 7's wager at seat 2, placed by an arm; the hand has no seven."""
    felt = table().bets({1: "10", 2: "10"}).hand("player", "seat2.blazing7", seat=arm)
    felt.put_chips("s2.blazing7.1", "5", felt.at("seat2.blazing7"))
    felt.snap().hand("dealer", "seat2.blazing7", "rack").remove("s2.blazing7.1")
    felt.snap().deal({1: "Th Qc", 2: "Ts Qh"}, dealer="Td Ks").turn()
    return felt.pat(2).collect(2).pat(1).collect(1).pick_up()


def idle(*, hand: bool) -> Felt:
    """After the last round nobody plays for five minutes; the dealer's hand is in the rack or not."""
    felt = pushed(table())
    felt.snap()
    felt.now += 300_000
    if hand:
        felt.hand("dealer", "rack")
    return felt.snap().snap()


# -- tokes -------------------------------------------------------------------------------------------------------------
def toke_down(felt: Felt) -> Felt:
    """The dealer takes the toke of seat 2, and what was paid on it, to his box."""
    felt.hand("dealer", "seat2.toke")
    for name in felt.names("s2.toke"):
        felt.remove(name)
    return felt.snap()


def next_at_seat_1(felt: Felt) -> Felt:
    """The next round: seat 1 alone wins 10."""
    felt.bets({1: "10"}).deal({1: "Tc 9d"}, dealer="Ts 8c").turn().pay_spot(1, "main", "10").collect_spot(1, "main")
    return felt.pick_up()


def toked(
    acts: str,
    *,
    cards: str = "Th 9c",
    toke: str = "5",
    bet: str = "10",
    game: str = "blackjack",
    again: bool = False,
) -> Felt:
    """A bet and a toke against 18; ``acts``: pay, take, pat or collect of m(ain) and t(oke), in order."""
    felt = table(game)
    felt.bets({2: bet}).bets({2: toke}, "toke").deal({2: cards}, dealer="Td 8s").turn()
    for act, what in (pair.split(":") for pair in acts.split()):
        spot = "main" if what == "m" else "toke"
        if act == "pay":
            felt.pay_spot(2, spot, bet if what == "m" else toke)
        elif act in ("take", "collect"):
            (felt.take_spot if act == "take" else felt.collect_spot)(2, spot)
        elif act == "pat":
            felt.pat(2)
        elif act == "drop":
            toke_down(felt)
        elif act == "touch":
            felt.hand("dealer", f"seat2.{spot}")
        elif act == "change":
            felt.hand("dealer", "seat2.toke")
            felt.put_chips("s2.toke.1", "white white white white white", felt.at("seat2.toke"))
            felt.snap()
    felt.pick_up()
    if again:
        felt.bets({2: bet}).deal({2: "Ts 8c"}, dealer="Tc 8h").turn().pat(2).collect_spot(2, "main").pick_up()
    return felt


def beside_trilux(toke: str) -> Felt:
    """The player's greatest Trilux wager with a second pile beside it, for the dealer; the hand is no straight."""
    felt = Felt(wide_profile("blackjack", ("trilux", "main"))).bets({2: "10"}).bets({2: "500"}, "trilux")
    felt.hand("player", "seat2.trilux", seat=2)
    felt.put_chips("s2.trilux.2", toke, felt.at("seat2.trilux", 20.0, 36.0))
    felt.snap().deal({2: "Th 7c"}, dealer="9d Ks").hand("dealer", "seat2.trilux", "rack")
    for name in felt.names("s2.trilux"):
        felt.remove(name)
    return felt.snap().turn().take_spot(2, "main").pick_up()


def thrown_in(*, bet: bool) -> Felt:
    """A player throws cheques onto the layout; the dealer takes them away, or bets them for himself."""
    felt = table().bets({2: "10"}).hand("player", "insurance", seat=2)
    felt.put_chips("thrown", "5", (300.0, 600.0))
    felt.snap().hand("dealer", "seat2.toke" if bet else "rack").remove("thrown")
    if bet:
        felt.put_chips("s2.toke.1", "5", felt.at("seat2.toke"))
    felt.snap().deal({2: "Th 7c"}, dealer="Td 8s").turn().take_spot(2, "main")
    return (felt.take_spot(2, "toke") if bet else felt).pick_up()


def split_toke(moved: float, *, later: bool = False) -> Felt:
    """Eights are split; the toke stays or moves so far to the right. Both hands make 18 against 18.

    ``later``: it moves by a hand of its own, after the cards and the wager have been parted.
    """
    corners = [[-60, 505], [60, 505], [60, 600], [-60, 600]]
    zone = f'[[zone]]\nname = "seat2.toke"\npolygon_mm = {corners}\n'
    felt = Felt(wide_profile("blackjack", ("main",), extra=zone))
    felt.bets({2: "20"}).bets({2: "5"}, "toke").deal({2: "8c 8d"}, dealer="Td 8s").split(2, "20")
    x, y = felt.at("seat2.toke")
    if moved and later:
        change(felt.hand("dealer", "seat2.toke"), "s2.toke.1", xy_mm=(x + moved, y))
        felt.snap()
    elif moved:
        change(felt, "s2.toke.1", xy_mm=(x + moved, y))
        felt.states[-1] = replace(felt.states[-1], objects=tuple(felt.things.values()))
        earlier = [item for item in felt.states[-2].objects if item.xy_mm != (x, y)]
        felt.states[-2] = replace(felt.states[-2], objects=(*earlier, felt.things["s2.toke.1"]))
    felt.hit(2, "Tc").hit(2, "Th", hand=2).turn().pat(2)
    felt.hand("player", "seat2.main", seat=2)
    for name in ("s2.main.1", "s2.main.2"):
        felt.remove(name)
    return felt.snap().pick_up()


WON = "pay:m pay:t collect:m drop:t"
_HANDS: tuple[tuple[str, str, Callable[[], Felt], Callable[[], Felt], str], ...] = (
    ("P194", "a hit without a signal", lambda: two_hits(signal=False), lambda: two_hits(signal=True), "suspect"),
    (
        "P015",
        "a hit without a signal at Draw 'n Shoot 21",
        lambda: two_dice_hits(shoot(), signal=False),
        lambda: two_dice_hits(shoot(), signal=True),
        "suspect",
    ),
    (
        "P048",
        "a hit without a signal at Dicey 21",
        lambda: two_dice_hits(dicey(), signal=False),
        lambda: two_dice_hits(dicey(), signal=True),
        "suspect",
    ),
    ("P202", "a player's hand in the rack", lambda: reaching("rack"), lambda: reaching("seat1.main"), "violation"),
    (
        "P203",
        "a hand at the dealer's cards",
        lambda: reaching("dealer.cards"),
        lambda: reaching("insurance"),
        "violation",
    ),
    ("P217", "a player pushes a card", lambda: pushed_card(60.0), lambda: pushed_card(12.0), "suspect"),
    ("P217", "a player lifts his cards", lambda: handled("player"), lambda: handled("dealer"), "suspect"),
    (
        "P390",
        "a player lifts his cards of two decks",
        lambda: handled("player", "double_deck"),
        lambda: handled("dealer", "double_deck"),
        "suspect",
    ),
    (
        "P195",
        "a hand on the wager at the first card",
        lambda: resting(still=True),
        lambda: resting(still=False),
        "violation",
    ),
    (
        "P261",
        "two wagers taken at once",
        lambda: both_hands(at_once=True),
        lambda: both_hands(at_once=False),
        "violation",
    ),
    (
        "P226",
        "three hands of one player at the minimum",
        lambda: many_hands(table(), {1: "25", 2: "25", 3: "10"}, arm=1),
        lambda: many_hands(table(), {1: "25", 2: "25", 3: "25"}, arm=1),
        "violation",
    ),
    (
        "P394",
        "three hands of one player of two decks",
        lambda: many_hands(table("double_deck"), {1: "25", 2: "25", 3: "25"}, arm=1),
        lambda: many_hands(table("double_deck"), {1: "25", 2: "25", 3: "25"}, arm=None),
        "violation",
    ),
    ("P089", "three hands of one player at 21 Stud", lambda: stud_hands(3), lambda: stud_hands(2), "suspect"),
    ("P093", "another player bets on a hand", lambda: lucky(3), lambda: lucky(2), "violation"),
    ("P093", "another player adds to a bet", lambda: lucky(3, "enter"), lambda: lucky(2, "enter"), "suspect"),
    ("P404", "a wager on another's sensor", lambda: sensor(1), lambda: sensor(2), "violation"),
    ("P376", "a bet on another's progressive", lambda: sensor(3), lambda: sensor(2), "violation"),
    ("P162", "a hand in the rack on a dead game", lambda: idle(hand=True), lambda: idle(hand=False), "suspect"),
    ("P152", "the bankroll touched on a dead game", lambda: idle(hand=True), lambda: idle(hand=False), "suspect"),
    ("P190", "cheques played with on a dead game", lambda: idle(hand=True), lambda: idle(hand=False), "suspect"),
    ("P369", "the toke paid first", lambda: toked("pay:t pay:m collect:m drop:t"), lambda: toked(WON), "violation"),
    (
        "P260",
        "the toke taken first",
        lambda: toked("take:t take:m", cards="Th 7c"),
        lambda: toked("take:m take:t", cards="Th 7c"),
        "violation",
    ),
    (
        "P370",
        "a toke taken on a push",
        lambda: toked("pat:m collect:m take:t", cards="Th 8c"),
        lambda: toked("pat:m collect:m", cards="Th 8c"),
        "violation",
    ),
    (
        "P371",
        "a lost bet's toke left",
        lambda: toked("take:m", cards="Th 7c"),
        lambda: toked("take:m take:t", cards="Th 7c"),
        "violation",
    ),
    (
        "P366",
        "a winning toke left for the next round",
        lambda: toked("pay:m pay:t collect:m", again=True),
        lambda: toked(WON, again=True),
        "violation",
    ),
    (
        "P366",
        "a winning toke left at a seat that gets no cards in the next round",
        lambda: next_at_seat_1(toked("pay:m pay:t collect:m")),
        lambda: next_at_seat_1(toked(WON)),
        "violation",
    ),
    (
        "P370",
        "a toke taken on a push, the dealer's hand there twice",
        lambda: toked("pat:m collect:m touch:t take:t", cards="Th 8c"),
        lambda: toked("take:m touch:t take:t", cards="Th 7c"),
        "violation",
    ),
    (
        "P374",
        "a toke above the maximum with its bet",
        lambda: toked(WON, bet="1900", toke="200"),
        lambda: toked(WON, bet="1900", toke="50"),
        "violation",
    ),
    (
        "P400",
        "a toke above a tenth of the maximum of two decks",
        lambda: toked(WON, bet="2000", toke="250", game="double_deck"),
        lambda: toked(WON, bet="2000", toke="75", game="double_deck"),
        "violation",
    ),
    (
        "P367",
        "a black cheque to the toke box",
        lambda: toked(WON, bet="200", toke="100"),
        lambda: toked(WON, bet="200", toke="75"),
        "suspect",
    ),
    (
        "P368",
        "the colour of a toke changed",
        lambda: toked("take:m change:t drop:t", cards="Th 7c"),
        lambda: toked("take:m drop:t", cards="Th 7c"),
        "suspect",
    ),
    (
        "P389",
        "100 for the dealer beside the greatest Trilux wager",
        lambda: beside_trilux("100"),
        lambda: beside_trilux("50"),
        "violation",
    ),
    (
        "P373",
        "a toke thrown in and bet by the dealer",
        lambda: thrown_in(bet=True),
        lambda: thrown_in(bet=False),
        "suspect",
    ),
    (
        "P325",
        "the toke moved to the right wager at a split",
        lambda: split_toke(48.0),
        lambda: split_toke(0.0),
        "violation",
    ),
    (
        "P325",
        "the toke moved to the right wager after a split",
        lambda: split_toke(30.0, later=True),
        lambda: split_toke(-30.0, later=True),
        "violation",
    ),
    ("P325", "the toke not before the left wager", lambda: split_toke(48.0), lambda: split_toke(-48.0), "violation"),
)
ALSO = {"P374": ("P367",), "P400": ("P367",)}
PAIRS = tuple(
    Pair(procedure=procedure, error=error, wrong=wrong, right=right, verdict=verdict, also=ALSO.get(procedure, ()))
    for procedure, error, wrong, right, verdict in _HANDS
)
