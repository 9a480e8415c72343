"""Shuffles of which the discard rack tells nothing: it was never seen before them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.states import SeenObject
from tests.audit.asking import accused, found
from tests.audit.pairs import between
from tests.audit.pairs.dice import shoot
from tests.audit.pairs.whole_shoes import blackjack, cards, goes_on, lay_cut, roll_all, stand_all
from tests.notation import Felt, merged, wide_profile


def racked_from(felt: Felt, share: float) -> Felt:
    """The discard rack is only recognised in the last part of the states."""
    since = int(len(felt.states) * share)
    felt.states[:since] = [
        replace(state, objects=tuple(one for one in state.objects if one.kind != "discards"))
        for state in felt.states[:since]
    ]
    return felt


@pytest.mark.parametrize(("share", "verdict"), [(0.0, "violation"), (0.2, "violation"), (0.9, "undetermined")])
def test_a_rack_first_seen_after_the_next_round_began_tells_no_shuffle(share: float, verdict: str) -> None:
    """P121: cards that were never seen in the rack may have been taken out of it, and shuffled, between two rounds."""
    felt = racked_from(goes_on(blackjack(seats=2), stand_all, shuffled=False), share)
    assert [one[0] for one in found(felt) if one[1] == "P121"] == [verdict]


@pytest.mark.parametrize(("discards_mm", "verdicts"), [(30.0, ["violation"]), (0.3, [])])
def test_cut_card_before_the_first_round_in_view_came_out_of_a_shoe_whose_discards_lie_there(
    discards_mm: float, verdicts: list[str]
) -> None:
    """P121: it was the next card when the round was to be dealt; where nothing was played yet it may be a shuffle's."""
    felt, shoe = blackjack(seats=2), cards()
    felt.things["discards"] = SeenObject(kind="discards", xy_mm=felt.at("discard"), height_mm=discards_mm)
    felt.snap().hand("dealer", "shoe", "dealer.cards")
    felt.things["out"] = SeenObject(kind="cut_card", xy_mm=felt.at("dealer.cards", 150.0, 60.0), angle_deg=90.0)
    stand_all(stand_all(felt.snap(), shoe), shoe)
    assert [one[0] for one in found(felt) if one[1] == "P121"] == verdicts


def test_a_player_who_cuts_reaches_for_the_cards_where_no_rack_is_ever_seen() -> None:
    """P203, 004:L171: the looks at the cut card itself and the two after it were never settled."""
    pair = next(one for one in between.PAIRS if one.error == "a player who cuts reaches into the shoe")
    felt = racked_from(pair.right(), 1.0)
    lies = next(n for n, state in enumerate(felt.states) if any(one.kind == "cut_card" for one in state.objects))
    felt.states = merged(felt.states, range(lies, lies + 3))
    assert accused(felt) == []


def thrice(bare_ms: int, *, listed: bool) -> Felt:
    """The same card comes a third time from two decks, after a pause without a card on the table."""
    felt = Felt(wide_profile("double_deck", ("main",), finder=False))
    if listed:
        felt.things["rack"] = SeenObject(kind="discards", xy_mm=felt.at("discard"), height_mm=30.0)
    for turn in range(3):
        felt.now += bare_ms if turn == 2 else 0
        felt.bets({2: "20"}).deal({2: "Tc 9c"}, dealer="Td 9d" if turn < 1 else "9h Tc").turn()
        felt.pat(2).pick_up().collect(2)
    return felt


@pytest.mark.parametrize(
    ("bare_ms", "listed", "verdicts"),
    [(60_000, False, {"undetermined"}), (2_000, False, {"violation"}), (60_000, True, {"violation"})],
)
def test_a_third_copy_after_a_pause_at_a_table_whose_rack_is_never_seen_is_open(
    bare_ms: int, listed: bool, verdicts: set[str]
) -> None:
    told = found(thrice(bare_ms, listed=listed))
    assert {verdict for verdict, first, _ in told if first == "P391"} == verdicts


@pytest.mark.parametrize(
    ("before", "worked", "verdict"),
    [(True, True, "undetermined"), (False, True, "violation"), (True, False, "violation")],
)
def test_a_player_may_have_cut_cards_that_no_state_lists(*, before: bool, worked: bool, verdict: str) -> None:
    """P203, 004:L171: the dealer worked at a place between two rounds that was hidden all the while."""
    hidden = ("dealer.cards",)
    felt = stand_all(blackjack(seats=2), shoe := cards())
    felt.hand("dealer", "dealer.cards").snap(covered=hidden if before else ())
    if worked:
        felt.hand("dealer", "dealer.cards")
    felt.hand("player", "dealer.cards", seat=1).snap(covered=hidden)
    stand_all(felt.snap(), shoe)
    assert [one[0] for one in found(felt) if one[1] == "P203"] == [verdict]


@pytest.mark.parametrize(
    ("empty", "filled", "verdict"),
    [(True, True, "suspect"), (True, False, "undetermined"), (False, True, "undetermined")],
)
def test_cut_card_of_a_shoe_that_began_with_an_empty_rack_came_out_too_early(
    *, empty: bool, filled: bool, verdict: str
) -> None:
    """P002: the shuffle was before the view began; the discards of the rounds since lie in the rack, or never do."""
    felt, shoe = shoot(seats=2), cards()
    if not empty:
        felt.things["discards"] = SeenObject(kind="discards", xy_mm=felt.at("discard"), height_mm=30.0)
    roll_all(felt.snap().snap(), shoe)
    if filled:
        felt.things["discards"] = SeenObject(kind="discards", xy_mm=felt.at("discard"), height_mm=32.0 - 30.0 * empty)
    roll_all(felt.snap(), shoe, lay_cut())
    felt.remove("cut")
    assert [one[0] for one in found(felt.snap()) if one[1] == "P002"] == [verdict]


def test_of_a_shoe_of_which_no_look_precedes_the_first_card_no_depth_is_known() -> None:
    """P002: the view begins in the middle of a round."""
    felt, shoe = shoot(seats=2), cards()
    roll_all(felt.snap().snap(), shoe)
    felt.states = [state for state in felt.states if any(item.kind == "card" for item in state.objects)]
    felt.things["discards"] = SeenObject(kind="discards", xy_mm=felt.at("discard"), height_mm=2.0)
    roll_all(felt.snap(), shoe, lay_cut())
    felt.remove("cut")
    assert [one[0] for one in found(felt.snap()) if one[1] == "P002"] == ["undetermined"]
