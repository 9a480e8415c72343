"""Splits of which nothing was seen but what came of them: the cards of one hand overlap, the hands lie apart."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.audit.asking import accused, only_round
from tests.notation import Felt, merged, wide_profile

LEFT, COLUMN = -155.0, 85.0


def table(bet: str = "10") -> Felt:
    return Felt(wide_profile("blackjack", ("main",), seats=1, finder=False)).bets({1: bet})


def parted(felt: Felt, *hands: str, piles: int | None = None, column: float = COLUMN, sideways: str = "") -> Felt:
    """Between two looks a pair is split, and every hand gets its cards; the bets are moved to the left for new ones."""
    for _ in hands[1:]:
        felt.hand("player", "seat1.main", seat=1).hand("dealer", "seat1.main", "seat1.cards")
    felt.hand("player", "seat1.cards", seat=1).hand("dealer", "shoe").hand("dealer", "seat1.cards")
    return laid_out(felt, *hands, piles=piles, column=column, sideways=sideways).snap()


def laid_out(felt: Felt, *hands: str, piles: int | None, column: float = COLUMN, sideways: str = "") -> Felt:
    for name in felt.names("s1."):
        felt.remove(name)
    for number, codes in enumerate(hands):
        for place, code in enumerate(codes.split()):
            spot = felt.at("seat1.cards", LEFT + column * number, 50.0 - 55.0 * place)
            felt.put_card(f"s1.h{number + 1}.{place}", code, spot, 90.0 * (code in sideways.split()))
    for number in range(len(hands) if piles is None else piles):
        felt.put_chips(f"s1.main.{number + 1}", "10", felt.at("seat1.main", -60.0 + 41.0 * number))
    return felt


def paid(felt: Felt) -> Felt:
    """The dealer's 15 draws a ten, and every wager is paid from the right."""
    felt.turn().dealer_hits("Tc")
    for name in sorted(felt.names("s1.main."), reverse=True):
        felt.pay(1, "10", beside=name.removeprefix("s1."))
    return felt.collect(1).pick_up()


def dealt(pair: str = "8d 8s") -> Felt:
    return table().deal({1: pair}, dealer="6d 9h")


def hands_of(felt: Felt) -> list[str]:
    return [" ".join(map(str, hand)) for hand in only_round(felt).observed.round.seats[1].hands]


@pytest.mark.parametrize(
    ("pair", "hands"),
    [
        ("8d 8s", ("8d 2c", "8h 4c", "8s 3h")),
        ("Td Qs", ("Td 2h", "Qs 2c", "Jc 4c")),
        ("8d 8s", ("8d 2c", "8h 4c 5h", "8c 5c", "8s 3h")),
    ],
)
def test_hands_of_two_splits_between_two_looks_are_as_they_lie(pair: str, hands: tuple[str, ...]) -> None:
    """Jc 4c was told with the hand beside it, and as one that broke and was paid."""
    felt = paid(parted(dealt(pair), *hands, column=COLUMN if len(hands) < 4 else 72.0))
    assert accused(felt) == []
    assert hands_of(felt) == list(hands)


def test_more_hands_than_are_allowed_are_told_though_no_look_shows_the_splits() -> None:
    profile = wide_profile("double_deck", ("main",), seats=1, finder=False)
    felt = Felt(profile).bets({1: "10"}).deal({1: "8d 8s"}, dealer="6d 9h")
    felt = paid(parted(felt, "8d Tc", "8h Ts", "8s 9c"))
    assert [one[:2] for one in accused(felt)] == [("violation", "P393")]


def test_second_split_of_which_the_card_came_and_was_parted_between_two_looks() -> None:
    """The right hand's second card, an eight, is parted from it, and the hand gets another one."""
    felt = dealt()
    parted(felt, "8d 3c", "8s")
    for name in felt.names("s1.h"):
        felt.things[name] = replace(felt.things[name], xy_mm=felt.at("seat1.cards", -100.0))
    parted(felt, "8d 3c", "8s", column=COLUMN + 60.0)
    parted(felt, "8d 3c", "8s 5d", "8c")
    felt.hand("player", "seat1.cards", seat=1).hand("dealer", "shoe").hand("dealer", "seat1.cards")
    felt.put_card("s1.h3.1", "Ah", felt.at("seat1.cards", LEFT + 2 * COLUMN, -5.0), 0.0)
    felt = paid(felt.snap())
    assert accused(felt) == []
    assert hands_of(felt) == ["8d 3c", "8s 5d", "8c Ah"]


def unseen_deal(*hands: str, piles: int = 2, column: float = 105.0) -> Felt:
    """The deal, too, was not seen."""
    felt = parted(table().deal({1: "Ad As"}, dealer="6d 9h"), *hands, piles=piles, column=column, sideways="5c 4d")
    felt = paid(felt)
    shown = [n for n, state in enumerate(felt.states) if any(one.kind == "card" for one in state.objects)]
    first = next(n for n in shown if any(one.card == hands[0].split()[-1] for one in felt.states[n].objects))
    felt.states = merged(felt.states, range(shown[0], first))
    return felt


def test_deal_and_split_between_two_looks_are_two_hands_with_their_wagers() -> None:
    felt = unseen_deal("Ad 5c", "As 4d")
    assert accused(felt) == []
    (seat,) = only_round(felt).observed.round.seats.values()
    assert [str(card) for card in seat.initial] == ["Ad", "As"]
    assert hands_of(felt) == ["Ad 5c", "As 4d"]


@pytest.mark.parametrize(
    ("hands", "piles", "column"),
    [
        (("8d 9h", "8s 9s"), 2, 72.0),  # eights with nines drawn to them, or nines with eights
        (("Ad 5c", "As 4d"), 3, 105.0),  # a bet of two piles and one more, or a bet and two
        (("8d 2h", "8s 3h", "8c 4h"), 3, 72.0),  # which of the three eights were dealt
        (("8d 2h", "9s 3h"), 2, 72.0),
        (("8d Th", "8s"), 2, 72.0),  # a split, or a hit that lies apart
    ],
)
def test_deal_and_split_between_two_looks_that_may_be_either_accuses_nobody(
    hands: tuple[str, ...], piles: int, column: float
) -> None:
    felt = unseen_deal(*hands, piles=piles, column=column)
    assert accused(felt) == []
    assert any("P281" in one.procedures for one in only_round(felt).findings)


def moved_a_little(felt: Felt, *hands: str, piles: int, first: float) -> Felt:
    """Hands lie 87 mm apart, those at the sides 25 mm from where they lay, with so many wagers."""
    felt.hand("dealer", "shoe", "seat1.cards").hand("player", "seat1.main", seat=1)
    felt.hand("dealer", "seat1.main", "seat1.cards")
    laid_out(felt, *hands, piles=piles)
    for number, codes in enumerate(hands):
        for place, code in enumerate(codes.split()):
            spot = felt.at("seat1.cards", first + 87.0 * number, 50.0 - 55.0 * place)
            felt.put_card(f"s1.h{number + 1}.{place}", code, spot, 0.0)
    return felt.snap()


@pytest.mark.parametrize(
    ("piles", "hands"),
    [(3, [("8d 2c", "8h 4c", "8s 3h")]), (2, [])],
)
def test_an_eight_between_hands_that_were_moved_a_little_is_a_hand_with_its_wager(
    piles: int, hands: list[tuple[str, ...]]
) -> None:
    """Without a wager of its own it was drawn to one of them."""
    felt = moved_a_little(dealt(), "8d", "8s", piles=2, first=-140.0)
    moved_a_little(felt, "8d", "8h", "8s", piles=piles, first=-165.0)
    laid_out(felt.hand("dealer", "shoe", "seat1.cards"), "8d 2c", "8h 4c", "8s 3h", piles=piles, column=87.0)
    told = hands_of(paid(felt.snap()))
    assert (told == list(hands[0])) if hands else (len(told) == 2)


def test_hand_parted_unseen_from_cards_of_another_value_is_undetermined() -> None:
    felt = paid(parted(dealt(), "8d 2c", "7h 4c", "8s 3h"))
    assert accused(felt) == []
    reasons = [one.observed for one in only_round(felt).findings if "P281" in one.procedures]
    assert any("which are one hand could not be told" in one for one in reasons)


def test_hands_that_seem_to_overlap_a_little_are_undetermined() -> None:
    felt = paid(parted(dealt(), "8d 2c", "8h 4c", "8s 3h", column=57.0))
    assert accused(felt) == []
    assert any("could not be told" in one.observed for one in only_round(felt).findings)


def test_new_wager_of_a_split_is_not_left_of_the_old_one_where_the_dealer_moved_that() -> None:
    felt = paid(parted(dealt(), "8d 2c", "8h 4c", "8s 3h"))
    for number, state in enumerate(felt.states):
        things = tuple(
            replace(one, xy_mm=(one.xy_mm[0] + 19.0, one.xy_mm[1])) if one.kind == "chips" and one.xy_mm[0] else one
            for one in state.objects
        )
        felt.states[number] = replace(state, objects=things)
    assert "P324" not in {procedure for _, procedure, _ in accused(felt)}


def broke(felt: Felt, left: str, right: str, *, gone: int) -> Felt:
    """Between two looks a pair is split, one hand breaks, and is taken and picked up; then the other stands."""
    felt.hand("player", "seat1.main", seat=1).hand("dealer", "seat1.main", "seat1.cards").hand("dealer", "shoe")
    felt.hand("dealer", "seat1.cards").hand("dealer", "seat1.main", "rack").hand("dealer", "seat1.cards", "discard")
    felt.hand("player", "seat1.cards", seat=1)
    laid_out(felt, left, right, piles=2)
    for name in [*felt.names(f"s1.h{gone}."), f"s1.main.{gone}"]:
        felt.remove(name)
    return felt.snap()


@pytest.mark.parametrize("gone", [1, 2])
def test_split_of_which_one_hand_broke_between_two_looks_is_one_round(gone: int) -> None:
    """It was cut into two rounds; which cards the hand had that is gone was not seen."""
    felt = broke(dealt(), "8d 9h Kh" if gone == 1 else "8d 9h", "8s Th Jc" if gone == 2 else "8s Th", gone=gone)
    felt = paid(felt)
    one = only_round(felt)
    assert one.observed.status.value == "complete"
    assert accused(felt) == []
    assert any("cards of it went, between two states" in finding.observed for finding in one.findings)
