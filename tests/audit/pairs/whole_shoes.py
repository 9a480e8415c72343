"""Whole shoes of all games, dealt by hand-made rules of standing players, shuffled and cut."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

from tests.audit.pairs.dice import faces
from tests.audit.pairs.pair import change, put
from tests.notation import Felt, wide_profile

SUITS = "cdhs"
POINTS = {rank: 10 if rank in "TJQK" else place for place, rank in enumerate("A23456789TJQK", start=1)}


def blackjack(*, seats: int = 7, game: str = "blackjack") -> Felt:
    return Felt(wide_profile(game, ("main",), seats=seats))


def stud(*, seats: int = 7) -> Felt:
    return Felt(wide_profile("stud_21", ("match1", "match2", "mirror", "base"), seats=seats))


def cards() -> Iterator[str]:
    """A shoe without aces, each face once in 48 cards."""
    return itertools.cycle("T29384756QKJ"[i % 12] + SUITS[(i + i // 12) % 4] for i in range(48))


def total(hand: list[str]) -> int:
    return sum(POINTS[card[0]] for card in hand)


# -- rounds in which every player stands -------------------------------------------------------------------------------
def stand_all(felt: Felt, shoe: Iterator[str], cut: Callable[[Felt], None] | None = None) -> Felt:
    """A blackjack round by the book: 10 a seat, nobody draws; ``cut`` lays the cut card down when the deal is over."""
    seats = felt.profile.seats
    hands = {seat: [next(shoe), next(shoe)] for seat in seats}
    dealer = [next(shoe), next(shoe)]
    felt.bets(dict.fromkeys(seats, "10")).deal({s: " ".join(hands[s]) for s in seats}, dealer=" ".join(dealer))
    if cut is not None:
        cut(felt)
    felt.turn()
    while total(dealer) < 17:
        dealer.append(next(shoe))
        felt.dealer_hits(dealer[-1])
    for seat in reversed(seats):
        own, house = total(hands[seat]), total(dealer)
        if house > 21 or own > house:
            felt.pay_spot(seat, "main", "10").collect_spot(seat, "main")
        elif own < house:
            felt.take_spot(seat, "main")
        else:
            felt.pat(seat).collect_spot(seat, "main")
    return felt.pick_up()


def roll_all(felt: Felt, shoe: Iterator[str], cut: Callable[[Felt], None] | None = None) -> Felt:
    """A dice round by the book: ante 10, a second card to everybody who has less than 19, the dice count seven."""
    seats = felt.profile.seats
    hands = {seat: [next(shoe)] for seat in seats}
    felt.bets(dict.fromkeys(seats, "10"), "ante")
    for seat in seats:
        felt.card(seat, hands[seat][0])
    for seat in seats:
        hands[seat].append(next(shoe))
        felt.hit(seat, hands[seat][1])
    if cut is not None:
        cut(felt)
    felt.roll(*((3, 4) if len(faces(felt)) == 2 else (3, 4, 2)))
    for seat in reversed(seats):
        score = total(hands[seat]) + 7
        if score > 21 or score < 17:
            felt.take_spot(seat, "ante")
        else:
            if score > 17:
                felt.pay_spot(seat, "ante", "12" if score == 21 else "10")
            felt.collect_spot(seat, "ante")
        felt.pick_up_seat(seat)
    return felt.cover_dice()


def stud_shoe(rounds: int) -> Felt:
    """A shuffle with its card shown and removed, and rounds of 21 Stud until the cut card comes."""
    return dealt_shoe(shuffle(stud(), burn="9c"), match_all, rounds, before=False)


def double_deck_shoe(rounds: int) -> Felt:
    """A shuffle of two decks, and rounds until the cut card comes."""
    return dealt_shoe(shuffle(blackjack(game="double_deck", seats=6), height=20.0), stand_all, rounds, before=False)


def match_all(felt: Felt, shoe: Iterator[str], cut: Callable[[Felt], None] | None = None) -> Felt:
    """A round of 21 Stud by the book: base 10, the higher of two cards' totals wins, ties lose."""
    seats = felt.profile.seats
    hands = {seat: [next(shoe), next(shoe)] for seat in seats}
    one, two = next(shoe), next(shoe)
    felt.bets(dict.fromkeys(seats, "10"), "base")
    for place in (0, 1):
        for seat in seats:
            felt.card(seat, hands[seat][place])
    felt.dealer_zone_card("dealer.card1", "back").dealer_zone_card("dealer.card2", "back")
    if cut is not None:
        cut(felt)
    felt.dealer_zone_card("dealer.card1", one).dealer_zone_card("dealer.card2", two)
    for seat in reversed(seats):
        if total(hands[seat]) > total([one, two]):
            felt.pay_spot(seat, "base", "10").collect_spot(seat, "base")
        else:
            felt.take_spot(seat, "base")
        felt.pick_up_seat(seat)
    felt.hand("dealer", "dealer.card1", "dealer.card2", "discard")
    for name in felt.names("d."):
        felt.remove(name)
    return felt.snap()


# -- between rounds ----------------------------------------------------------------------------------------------------
def shuffle(
    felt: Felt,
    *,
    height: float = 40.0,
    burn: str = "back",
    hands: int = 1,
    stack_y: float = 60.0,
    money: bool = False,
    cutter: int | None = 1,
    cut_card: bool = False,
    seat_bet: int = 1,
    cut_y: float | None = None,
) -> Felt:
    """The discards go to the middle, are cut by a player and loaded; ``burn``: how the burn cards lie in the rack."""
    put(felt, "discards", "discards", felt.at("discard"), height_mm=height)
    felt.snap().hand("dealer", "discard")
    felt.remove("discards")
    put(felt, "stack", "card_back", (0.0, stack_y), angle_deg=0.0)
    felt.snap()
    _put_away_the_cut_card(felt)
    if money:
        felt.hand("dealer", f"seat{seat_bet}.main").put_chips("lent", "25", felt.at(f"seat{seat_bet}.main"))
        felt.snap()
    if cut_card:
        cut_y = stack_y if cut_y is None else cut_y
        put(felt, "cut", "cut_card", (60.0, cut_y), angle_deg=0.0)
        felt.hand("dealer", "dealer.cards")
        change(felt, "stack", xy_mm=(0.0, cut_y))
        felt.snap()
        felt.hand("dealer" if cutter is None else "player", "insurance", seat=cutter)
        felt.remove("cut")
        felt.snap()
    felt.hand("dealer", "shoe")
    felt.remove("stack")
    if "lent" in felt.things:
        felt.remove("lent")
    felt.snap()
    if burn:
        felt.hand("dealer", "shoe", "discard")
        for number, code in enumerate(burn.split()):
            felt.put_card(f"burn.{number}", code, felt.at("discard", 6.0 * number), 0.0)
        felt.snap()
        put(felt, "discards", "discards", felt.at("discard"), height_mm=0.3)
        for name in felt.names("burn."):
            if name != "burn.0" or burn != "back back":
                felt.remove(name)
        if burn == "back back":
            put(felt, "burn.1", "card_back", felt.at("discard", 8.0))
    return felt.snap()


def _put_away_the_cut_card(felt: Felt) -> None:
    """The dealer puts the cut card away that lay where it came out."""
    if "out" in felt.things:
        felt.hand("dealer", "dealer.cards").remove("out")
        felt.snap()


def lay_cut(*, zone: str = "seat1.cards") -> Callable[[Felt], None]:
    """The cut card comes out and is laid beside a hand."""

    def lay(felt: Felt) -> None:
        felt.hand("dealer", "shoe", zone)
        put(felt, "cut", "cut_card", felt.at(zone, 0.0, -80.0 if zone.startswith("seat") else 0.0), angle_deg=90.0)
        felt.snap()

    return lay


def dealt_shoe(
    felt: Felt, play: Callable[..., Felt], rounds: int, *, before: bool = True, zone: str = "seat1.cards"
) -> Felt:
    """A shuffle, some rounds, and a last one in which the cut card comes out."""
    shoe = cards()
    if before:
        shuffle(felt)
    for _ in range(rounds - 1):
        play(felt, shoe)
    play(felt, shoe, lay_cut(zone=zone))
    felt.remove("cut")
    return felt.snap()


def goes_on(felt: Felt, play: Callable[..., Felt], *, shuffled: bool, left: bool = False, **how: object) -> Felt:
    """The cut card comes out in a round, the shoe is shuffled or not, and another round is dealt.

    ``left``: the cut card lies where it came out until the cards lie before the dealer.
    """
    shoe = cards()
    put(felt, "discards", "discards", felt.at("discard"), height_mm=30.0)
    play(felt.snap(), shoe, lay_cut())
    out = felt.things.pop("cut")
    if left:
        felt.things["out"] = out
    if shuffled:
        shuffle(felt, **how)  # type: ignore[arg-type]
    return play(felt.snap(), shoe)


def shuffled_round(felt: Felt, play: Callable[..., Felt] = stand_all, **how: object) -> Felt:
    """A round, a shuffle, another round."""
    shoe = cards()
    play(felt, shoe)
    return play(shuffle(felt, **how), shoe)  # type: ignore[arg-type]


def cut_by(felt: Felt, seat: int | None, play: Callable[..., Felt] = stand_all, *, left: bool = False) -> Felt:
    return goes_on(felt, play, shuffled=True, cut_card=True, cutter=seat, left=left)
