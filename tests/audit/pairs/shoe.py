"""The shoe: burn card, cut card, shuffle, spreads. Whole shoes are dealt by hand-made rules of standing players."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

from tests.audit.pairs.dice import dicey, faces, shoot
from tests.audit.pairs.pair import Pair, change, put
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


def face_in_shoe(*, loading: bool, shown: bool) -> Felt:
    """A card in the mouth of the shoe, while it is loaded or in play."""
    felt = blackjack(seats=2)
    shoe = cards()
    stand_all(felt, shoe)
    if loading:
        put(felt, "discards", "discards", felt.at("discard"), height_mm=40.0)
        felt.snap().hand("dealer", "discard").remove("discards")
        felt.snap()
    felt.hand("dealer", "shoe")
    if shown:
        felt.put_card("mouth", "9c", felt.at("shoe"), 0.0)
    felt.snap()
    if shown:
        felt.remove("mouth")
    felt.hand("dealer", "shoe", "discard").snap()
    return stand_all(felt, shoe)


def early_shuffle(*, left: bool) -> Felt:
    """The dealer takes the discards while seat 1's cards still lie there, or after they are away."""
    felt = blackjack(seats=1)
    put(felt, "discards", "discards", felt.at("discard"), height_mm=40.0)
    felt.snap().bets({1: "10"}).deal({1: "Tc 9h"}, dealer="Td 8s").turn().pay_spot(1, "main", "10")
    felt.collect_spot(1, "main")
    if not left:
        felt.pick_up()
    felt.hand("dealer", "discard").remove("discards")
    felt.snap().snap()
    return felt.pick_up() if left else felt


def counted(height: float) -> Felt:
    """The rack before the shuffle, filled from the shoe."""
    felt = blackjack(seats=1)
    shoe = cards()
    stand_all(felt, shoe)
    put(felt, "discards", "discards", felt.at("discard"), height_mm=20.0)
    felt.snap().hand("dealer", "shoe", "discard")
    change(felt, "discards", height_mm=height)
    felt.snap().hand("dealer", "discard").remove("discards")
    felt.snap().hand("dealer", "shoe", "discard").snap()
    return stand_all(felt, shoe)


def spread(felt: Felt, kind: str, *, rows: tuple[int, ...] = (26, 26), y: float = 100.0) -> Felt:
    """Cards lie in rows on the felt."""
    for row, count in enumerate(rows):
        for place in range(count):
            xy = (-300.0 + 320.0 * row + 8.0 * place, y)
            put(felt, f"sp.{row}.{place}", kind, xy, angle_deg=0.0, card="9c" if kind == "card" else None)
    return felt


def clear(felt: Felt) -> Felt:
    for name in felt.names("sp."):
        felt.remove(name)
    return felt


def inspected(felt: Felt, play: Callable[..., Felt], *kinds: str) -> Felt:
    """New cards are spread face up, face down or both; then a round is dealt."""
    for kind in kinds:
        clear(felt)
        spread(felt, kind).hand("dealer", "dealer.cards").snap()
    clear(felt).hand("dealer", "shoe").snap()
    return play(felt, cards())


def dead(kind: str = "card_back", rows: tuple[int, ...] = (26, 26), y: float = 100.0) -> Felt:
    """The cards lie spread for five minutes on a table without players."""
    felt = blackjack(seats=1)
    stand_all(felt, cards())
    spread(felt, kind, rows=rows, y=y).hand("dealer", "dealer.cards").snap()
    felt.now += 300_000
    return felt.snap()


def given(seat: int) -> Felt:
    """The dealer gets the cut card at 21 Stud and gives it to a seat."""
    felt = stud(seats=3)

    def lay(table: Felt) -> None:
        table.hand("dealer", "shoe", "dealer.card2")
        put(table, "cut", "cut_card", table.at("dealer.card2", 10.0, 10.0), angle_deg=90.0)
        table.snap().hand("dealer", f"seat{seat}.cards")
        change(table, "cut", xy_mm=table.at(f"seat{seat}.cards", 0.0, -80.0))
        table.snap()

    match_all(felt, cards(), lay)
    felt.remove("cut")
    return felt.snap()


PAIRS = (
    Pair(
        procedure="P002",
        error="the cut card in the first round after the shuffle",
        wrong=lambda: dealt_shoe(shoot(seats=7), roll_all, 1),
        right=lambda: dealt_shoe(shoot(seats=7), roll_all, 18),
    ),
    Pair(
        procedure="P039",
        error="the cut card in the first round after the shuffle at Dicey 21",
        wrong=lambda: dealt_shoe(dicey(seats=6), roll_all, 1),
        right=lambda: dealt_shoe(dicey(seats=6), roll_all, 21),
    ),
    Pair(
        procedure="P063",
        error="the cut card in the first round of 21 Stud after the shuffle",
        wrong=lambda: stud_shoe(1),
        right=lambda: stud_shoe(16),
    ),
    Pair(
        procedure="P142",
        error="the cut card nearly six decks from the back",
        wrong=lambda: dealt_shoe(blackjack(), stand_all, 1),
        right=lambda: dealt_shoe(blackjack(), stand_all, 13),
    ),
    Pair(
        procedure="P143",
        error="the cut card nearly six decks from the back when the shoe was loaded",
        wrong=lambda: dealt_shoe(blackjack(), stand_all, 2),
        right=lambda: dealt_shoe(blackjack(), stand_all, 13),
    ),
    Pair(
        procedure="P397",
        error="fewer than 26 cards behind the cut card of two decks",
        wrong=lambda: double_deck_shoe(6),
        right=lambda: double_deck_shoe(4),
    ),
    Pair(
        procedure="P417",
        error="another round of dice after the cut card",
        wrong=lambda: goes_on(shoot(), roll_all, shuffled=False),
        right=lambda: goes_on(shoot(), roll_all, shuffled=True),
    ),
    Pair(
        procedure="P121",
        error="another round after the cut card",
        wrong=lambda: goes_on(blackjack(seats=2), stand_all, shuffled=False),
        right=lambda: goes_on(blackjack(seats=2), stand_all, shuffled=True),
    ),
    Pair(
        procedure="P087",
        error="another round of 21 Stud after the cut card",
        wrong=lambda: goes_on(stud(seats=2), match_all, shuffled=False),
        right=lambda: goes_on(stud(seats=2), match_all, shuffled=True, burn="9c"),
    ),
    Pair(
        procedure="P088",
        error="the dealer's cut card given to the leftmost player",
        wrong=lambda: given(1),
        right=lambda: given(3),
    ),
    Pair(
        procedure="P062",
        error="the cards of 21 Stud cut by the dealer",
        wrong=lambda: goes_on(stud(seats=2), match_all, shuffled=True, burn="9c", cut_card=True, cutter=None),
        right=lambda: goes_on(stud(seats=2), match_all, shuffled=True, burn="9c", cut_card=True, cutter=1),
    ),
    Pair(
        procedure="P139",
        error="the dealer cuts and no player was asked",
        wrong=lambda: cut_by(blackjack(seats=2), None),
        right=lambda: cut_by(blackjack(seats=2), 1),
        verdict="suspect",
    ),
    Pair(
        procedure="P139",
        error="the dealer cuts, long after he put away the cut card that came out",
        wrong=lambda: cut_by(blackjack(seats=2), None, left=True),
        right=lambda: cut_by(blackjack(seats=2), 1, left=True),
        verdict="suspect",
    ),
    Pair(
        procedure="P138",
        error="cut by another player than the one with the cut card",
        wrong=lambda: cut_by(blackjack(seats=2), 2),
        right=lambda: cut_by(blackjack(seats=2), 1),
        verdict="suspect",
    ),
    Pair(
        procedure="P146",
        error="no burn card",
        wrong=lambda: shuffled_round(blackjack(seats=2), burn=""),
        right=lambda: shuffled_round(blackjack(seats=2)),
    ),
    Pair(
        procedure="P146",
        error="two burn cards",
        wrong=lambda: shuffled_round(blackjack(seats=2), burn="back back"),
        right=lambda: shuffled_round(blackjack(seats=2)),
    ),
    Pair(
        procedure="P148",
        error="the burn card shown",
        wrong=lambda: shuffled_round(blackjack(seats=2), burn="9c"),
        right=lambda: shuffled_round(blackjack(seats=2)),
        verdict="suspect",
    ),
    Pair(
        procedure="P398",
        error="the burn card of a double deck shown",
        wrong=lambda: shuffled_round(blackjack(seats=2, game="double_deck"), height=20.0, burn="9c"),
        right=lambda: shuffled_round(blackjack(seats=2, game="double_deck"), height=20.0),
    ),
    Pair(
        procedure="P064",
        error="the first card of a 21 Stud shoe burnt unseen",
        wrong=lambda: shuffled_round(stud(seats=2), match_all, burn="back"),
        right=lambda: shuffled_round(stud(seats=2), match_all, burn="9c"),
    ),
    Pair(
        procedure="P144",
        error="a face shown while the shoe is loaded",
        wrong=lambda: face_in_shoe(loading=True, shown=True),
        right=lambda: face_in_shoe(loading=True, shown=False),
    ),
    Pair(
        procedure="P292",
        error="a card face up in the shoe",
        wrong=lambda: face_in_shoe(loading=False, shown=True),
        right=lambda: face_in_shoe(loading=False, shown=False),
    ),
    Pair(
        procedure="P126",
        error="the discards taken while cards lie on the layout",
        wrong=lambda: early_shuffle(left=True),
        right=lambda: early_shuffle(left=False),
    ),
    Pair(
        procedure="P128",
        error="cheques set down during the shuffle",
        wrong=lambda: shuffled_round(blackjack(seats=2), money=True),
        right=lambda: shuffled_round(blackjack(seats=2)),
    ),
    Pair(
        procedure="P130",
        error="the cards to be shuffled past the insurance line",
        wrong=lambda: shuffled_round(blackjack(seats=2), stack_y=260.0),
        right=lambda: shuffled_round(blackjack(seats=2), stack_y=120.0),
    ),
    Pair(
        procedure="P137",
        error="the cut offered past the insurance line",
        wrong=lambda: shuffled_round(blackjack(seats=2), cut_y=260.0, cut_card=True),
        right=lambda: shuffled_round(blackjack(seats=2), cut_y=176.0, cut_card=True),
    ),
    Pair(
        procedure="P418",
        error="two decks too many in the rack",
        wrong=lambda: counted(125.0),
        right=lambda: counted(93.0),
        verdict="suspect",
    ),
    Pair(
        procedure="P127",
        error="three decks too many in the rack; two decks missing may stand elsewhere",
        wrong=lambda: counted(140.0),
        right=lambda: counted(62.0),
        verdict="suspect",
    ),
    Pair(
        procedure="P061",
        error="the cards of 21 Stud inspected from the face only",
        wrong=lambda: inspected(stud(seats=2), match_all, "card"),
        right=lambda: inspected(stud(seats=2), match_all, "card", "card_back"),
        verdict="suspect",
    ),
    Pair(
        procedure="P350",
        error="cards inspected from the face only before play",
        wrong=lambda: inspected(blackjack(seats=2), stand_all, "card"),
        right=lambda: inspected(blackjack(seats=2), stand_all, "card", "card_back"),
        verdict="suspect",
    ),
    Pair(
        procedure="P346",
        error="backs not inspected",
        wrong=lambda: inspected(blackjack(seats=2), stand_all, "card"),
        right=lambda: inspected(blackjack(seats=2), stand_all, "card_back", "card"),
        verdict="suspect",
    ),
    *(
        Pair(procedure=procedure, error=f"{error} on a dead game", wrong=wrong, right=dead, verdict=verdict)
        for procedure, error, wrong, verdict in (
            ("P119", "one row", lambda: dead(rows=(52,)), "violation"),
            ("P150", "cards past the insurance line", lambda: dead(y=300.0), "suspect"),
            ("P218", "cards face up", lambda: dead(kind="card"), "violation"),
        )
    ),
)
