"""Piles that a look lists in two parts, nearer to each other than cheques can stand, are one pile; and pushed ones."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.reconstruction.parted import with_parts_together, with_whole_piles
from audit.states import HandSeen, SeenObject, StackCandidate, TableState
from audit.timing import Span
from tests.audit.asking import accused, only_round
from tests.audit.pairs.dice import shoot
from tests.notation import Felt, sample_profile, wide_profile


def pile(*cheques: str, at: tuple[float, float], spread: bool = False) -> SeenObject:
    return SeenObject(kind="chips", xy_mm=at, stack=cheques or None, spread=spread)


def joined(*piles: SeenObject) -> tuple[SeenObject, ...]:
    state = TableState(span=Span.of(0, 100), objects=piles)
    return with_whole_piles(state, sample_profile()).objects


def test_parts_are_one_pile_with_the_smallest_cheques_on_top() -> None:
    doubtful = replace(
        pile("red", at=(0.0, 0.0)),
        stacks=(StackCandidate(stack=("red",), p=0.9), StackCandidate(stack=("red", "red"), p=0.08)),
    )
    (one,) = joined(doubtful, pile("green", at=(8.0, 9.0)))
    assert one.stack == ("green", "red")
    assert {reading.stack: reading.p for reading in one.stacks} == {
        ("green", "red"): pytest.approx(0.9),
        ("green", "red", "red"): pytest.approx(0.08),
    }


def test_part_that_was_not_read_leaves_the_pile_unread() -> None:
    (one,) = joined(pile("red", at=(0.0, 0.0)), pile(at=(8.0, 9.0)))
    assert (one.stack, one.stacks) == (None, ())


@pytest.mark.parametrize(
    "other",
    [pile("red", at=(24.0, 0.0)), pile("red", at=(8.0, 9.0), spread=True), SeenObject(kind="die", xy_mm=(5.0, 5.0))],
)
def test_piles_beside_each_other_those_laid_out_and_other_things_stay_apart(other: SeenObject) -> None:
    assert len(joined(pile("red", at=(0.0, 0.0)), other)) == 2


def test_raise_that_one_look_lists_in_two_parts_is_the_raise_that_it_was() -> None:
    felt = shoot().bets({2: "25"}, "ante").card(2, "Ts").hand("player", "seat2.raise", seat=2)
    felt.put_chips("s2.raise.1", "green", felt.at("seat2.raise"))
    felt.put_chips("part", "green", felt.at("seat2.raise", 0.0, 12.0))
    felt.snap().remove("part")
    felt.put_chips("s2.raise.1", "green green", felt.at("seat2.raise"))
    felt.snap().roll(4, 5).pay_spot(2, "ante", "25").pay_spot(2, "raise", "50")
    felt.collect_spot(2, "ante").collect_spot(2, "raise").pick_up_seat(2).cover_dice()
    assert accused(felt) == []
    assert [str(wager.amount) for wager in only_round(felt).observed.round.wagers] == ["25", "50"]


def looks(*states: tuple[SeenObject, ...], hand: int | tuple[int, ...] | None = None) -> list[int]:
    """How many piles each of some looks lists; the dealer's hand comes to the bet before one of them, or several."""
    seen = [TableState(span=Span.of(1000 * n, 1000 * n + 100), objects=piles) for n, piles in enumerate(states)]
    for look in (hand,) if isinstance(hand, int) else hand or ():
        span = Span.of(1000 * look - 500, 1000 * look - 400)
        seen[look] = replace(seen[look], hands=(HandSeen(side="dealer", zones=frozenset({"seat2.main"}), span=span),))
    return [len(state.objects) for state in with_parts_together(seen, sample_profile())]


def on_main(*cheques: str, away: float = 0.0) -> SeenObject:
    return pile(*cheques, at=Felt().at("seat2.main", 0.0, away))


WHOLE = (on_main("green", "red"),)
PARTS = (on_main("green", away=-13.0), on_main("red", away=13.0))


def test_look_that_misses_a_pile_beside_the_one_that_lists_its_parts() -> None:
    """A pile read as two by one look, 40 mm apart, and by none the next, stood there all the time."""
    apart = (on_main("green", away=-20.0), on_main("red", away=20.0))
    assert looks(WHOLE, apart, (), WHOLE) == [1, 1, 0, 1]
    assert looks(WHOLE, (), apart, WHOLE) == [1, 0, 1, 1]


@pytest.mark.parametrize(
    ("states", "hand", "counts"),
    [
        (((), (), PARTS, WHOLE), 2, [0, 0, 1, 1]),
        (((), (), PARTS, WHOLE), 3, [0, 0, 2, 1]),
        (((), (), PARTS, WHOLE, PARTS), 2, [0, 0, 2, 1, 2]),  # two that touch, which one look lists as one
        ((WHOLE, PARTS, (), ()), 2, [1, 1, 0, 0]),
        ((WHOLE, PARTS, (), ()), 1, [1, 2, 0, 0]),
    ],
)
def test_pile_in_parts_as_it_comes_or_before_it_goes(
    states: tuple[tuple[SeenObject, ...], ...], hand: int, counts: list[int]
) -> None:
    """Its next look, with no hand between the two, shows it whole; it came or went with one on the other side."""
    assert looks(*states, hand=hand) == counts


@pytest.mark.parametrize("hand", [None, 1, 2])
def test_pile_that_one_look_lists_in_parts_farther_apart_is_the_one_before_and_after_it(hand: int | None) -> None:
    """A hand that was there on one side of the look may have done something; on the other nothing moves by itself."""
    assert looks(WHOLE, PARTS, WHOLE, hand=hand) == [1, 1, 1]
    assert looks(WHOLE, PARTS, (), WHOLE, hand=hand) == [1, 1, 0, 1]


@pytest.mark.parametrize(
    ("states", "hand"),
    [
        ((WHOLE, PARTS, PARTS, WHOLE), None),
        ((WHOLE, PARTS, WHOLE), (1, 2)),
        ((WHOLE, (*WHOLE, on_main("red", away=26.0)), WHOLE), None),
        ((WHOLE, PARTS, (on_main("green", "red", "red"),)), None),
        ((WHOLE, (on_main("green", away=-26.0), on_main("red", away=26.0)), WHOLE), None),
        ((WHOLE, PARTS), None),
        ((WHOLE, PARTS, (), WHOLE), (1, 3)),
    ],
)
def test_piles_that_stay_or_that_a_hand_reached_or_that_hold_others_are_two(
    states: tuple[tuple[SeenObject, ...], ...], hand: tuple[int, int] | None
) -> None:
    assert looks(*states, hand=hand) == [len(piles) for piles in states]


def sized_into(felt: Felt, text: str, mm: float, *sides: str) -> list[tuple[str, str]]:
    """Seat 2 wins 20 beside a wager of seat 1; his pile then stands so far aside with these cheques."""
    felt.bets({1: "20", 2: "20"}).deal({1: "Th 9c", 2: "Ts 9d"}, dealer="Td 8s").turn()
    for side in sides:
        felt.hand(side, "seat2.main", *(["rack"] if side == "dealer" else []))
    felt.put_chips("s2.main.1", text, felt.at("seat2.main", 0.0, -mm))
    felt.snap().pay(1, "20").collect(2).collect(1).pick_up()
    return sorted((str(one.key.seat), str(one.amount)) for one in only_round(felt).observed.pays)


def test_wager_pushed_aside_as_the_dealer_pays_upon_it_is_paid(felt: Felt) -> None:
    assert sized_into(felt, "red red red red red red red red", 30.0, "dealer") == [("1", "20"), ("2", "20")]
    assert accused(felt) == []


@pytest.mark.parametrize(
    ("text", "mm", "sides"),
    [
        ("green", 30.0, ("dealer",)),
        ("red red red red red red red red", 30.0, ("dealer", "player")),
    ],
)
def test_pile_of_other_cheques_or_laid_by_both_is_not_the_wager_grown(
    felt: Felt, text: str, mm: float, sides: tuple[str, ...]
) -> None:
    assert ("2", "20") not in sized_into(felt, text, mm, *sides)


def test_piles_cut_out_before_the_rack_and_stacked_again_are_no_parts_of_one() -> None:
    """P109: eight greens stand in two fours, then in one pile, and nobody knows over what the hand was."""
    felt = Felt(wide_profile("blackjack", ("main",))).snap().hand("dealer", "rack")
    for place in range(2):
        felt.put_chips(f"cut.{place}", " ".join(["green"] * 4), (100.0 + 44.0 * place, 38.0))
    felt.snap().hand("dealer", "ace_finder").remove("cut.1")
    felt.put_chips("cut.0", " ".join(["green"] * 8), (122.0, 40.0))
    felt.snap().hand("dealer", "ace_finder").remove("cut.0")
    felt.snap().bets({1: "10"}).deal({1: "Th 9c"}, dealer="Td 8s").turn().pay(1, "10").collect(1).pick_up()
    assert [one for one in accused(felt) if one[1] == "P109"] == []
