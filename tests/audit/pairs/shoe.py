"""The shoe: burn card, cut card, shuffle, spreads."""

from __future__ import annotations

from collections.abc import Callable

from tests.audit.pairs.dice import dicey, shoot
from tests.audit.pairs.pair import Pair, change, put
from tests.audit.pairs.whole_shoes import (
    blackjack,
    cards,
    cut_by,
    dealt_shoe,
    double_deck_shoe,
    goes_on,
    match_all,
    roll_all,
    shuffled_round,
    stand_all,
    stud,
    stud_shoe,
)
from tests.notation import Felt


def face_in_shoe(*, loading: bool, shown: bool, beside: float = 0.0) -> Felt:
    """A card in the mouth of the shoe, or so far beside, while it is loaded from the pack on the felt, or in play."""
    felt = blackjack(seats=2)
    shoe = cards()
    stand_all(felt, shoe)
    if loading:
        put(felt, "discards", "discards", felt.at("discard"), height_mm=40.0)
        felt.snap().hand("dealer", "discard").remove("discards")
        if beside:
            put(felt, "pack", "card_back", (0.0, 60.0), angle_deg=90.0)
        felt.snap()
    felt.hand("dealer", "shoe")
    if shown:
        felt.put_card("mouth", "9c", felt.at("shoe", beside), 0.0)
    felt.snap()
    if shown:
        felt.remove("mouth")
    for name in felt.names("pack"):
        felt.remove(name)
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


def given(seat: int, zone: str = "cards", away: float = -80.0, *, to: str = "dealer.card2") -> Felt:
    """The dealer or a seat gets the cut card at 21 Stud; it goes to a seat, which lays it by its cards or wagers."""
    felt = stud(seats=3)

    def lay(table: Felt) -> None:
        table.hand("dealer", "shoe", to)
        put(table, "cut", "cut_card", table.at(to, 10.0, 10.0), angle_deg=90.0)
        table.snap().hand("dealer", f"seat{seat}.cards")
        change(table, "cut", xy_mm=table.at(f"seat{seat}.{zone}", 0.0, away))
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
        procedure="P088",
        error="the dealer's cut card given to the leftmost player, who lays it between his wagers",
        wrong=lambda: given(1, "match2", 40.0),
        right=lambda: given(3, "match2", 40.0),
    ),
    Pair(
        procedure="P088",
        error="the dealer's cut card given to the leftmost player, who lays it beyond his wagers",
        wrong=lambda: given(1, "match2", 120.0),
        right=lambda: given(3, "match2", 120.0),
    ),
    Pair(
        procedure="P087",
        error="a player's cut card given to another player",
        wrong=lambda: given(1, to="seat2.cards"),
        right=lambda: given(2, to="seat2.cards"),
    ),
    Pair(
        procedure="P087",
        error="a player's cut card given to another player, who lays it beyond his wagers",
        wrong=lambda: given(3, "match2", 120.0, to="seat1.cards"),
        right=lambda: given(1, "match2", 120.0, to="seat1.cards"),
    ),
    Pair(
        procedure="P062",
        error="the cards of 21 Stud cut by the dealer",
        wrong=lambda: goes_on(stud(seats=2), match_all, shuffled=True, burn="9c", cut_card=True, cutter=None),
        right=lambda: goes_on(stud(seats=2), match_all, shuffled=True, burn="9c", cut_card=True, cutter=1),
        verdict="suspect",
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
        procedure="P144",
        error="a face shown beside the shoe while the pack lies on the felt",
        wrong=lambda: face_in_shoe(loading=True, shown=True, beside=78.0),
        right=lambda: face_in_shoe(loading=True, shown=False, beside=78.0),
        verdict="suspect",
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
        procedure="P418",
        error="half a deck too many, and not a tenth more, as worn cards stand",
        wrong=lambda: counted(108.0),
        right=lambda: counted(103.0),
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
