"""Stacks and heaps of cards on players' places: laid before one who cuts, washed, inspected from both sides."""

from __future__ import annotations

import pytest

from tests.audit.asking import accused
from tests.audit.pairs.pair import change, put
from tests.audit.pairs.shoe import clear, spread
from tests.audit.pairs.whole_shoes import blackjack, cards, stand_all, stud
from tests.notation import Felt


def out_of_the_rack(felt: Felt) -> Felt:
    put(felt, "discards", "discards", felt.at("discard"), height_mm=40.0)
    return felt.snap().hand("dealer", "discard").remove("discards") or felt


def burnt(felt: Felt) -> Felt:
    felt.hand("dealer", "shoe").snap().hand("dealer", "shoe").hand("dealer", "discard")
    felt.put_card("burnt", "back", felt.at("discard"), 0.0)
    felt.snap().hand("dealer", "discard").remove("burnt")
    put(felt, "discards", "discards", felt.at("discard"), height_mm=0.3)
    return felt.snap()


def test_stack_that_is_laid_before_a_player_to_cut_is_no_card_of_his() -> None:
    """Where nothing was seen of the discards, it had been the first card of a round, and no card had been burnt."""
    felt, shoe = stud(seats=2), cards()
    felt.hand("dealer", "dealer.card1").snap()
    felt.hand("dealer", "dealer.card1", "seat1.cards")
    put(felt, "stack", "card_back", felt.at("seat1.cards"), angle_deg=90.0)
    felt.snap().hand("player", "seat1.cards", seat=1)
    put(felt, "cut", "cut_card", felt.at("seat1.cards", 20.0, 10.0), angle_deg=90.0)
    felt.snap().hand("dealer", "dealer.card1", "seat1.cards").remove("cut")
    change(felt, "stack", xy_mm=(0.0, 60.0))
    felt.snap().hand("dealer", "shoe").remove("stack")
    felt.snap().hand("dealer", "shoe").put_card("burnt", "9c", felt.at("shoe", 120.0, -20.0), 0.0)
    felt.snap().hand("dealer", "discard").remove("burnt")
    put(felt, "discards", "discards", felt.at("discard"), height_mm=0.3)
    told = accused(stand_all_stud(felt.snap(), shoe))
    assert [one for one in told if one[1] in ("P064", "P065", "P069", "P071")] == []


def stand_all_stud(felt: Felt, shoe: object) -> Felt:
    felt.bets({1: "10", 2: "10"}, "base").card(1, "Th").card(2, "9h").card(1, "8c").card(2, "7c")
    felt.dealer_zone_card("dealer.card1", "back").dealer_zone_card("dealer.card2", "back")
    return felt.dealer_zone_card("dealer.card1", "Js").dealer_zone_card("dealer.card2", "9s")


def test_cards_washed_over_the_felt_are_no_round() -> None:
    felt, shoe = blackjack(seats=2), cards()
    for turn in range(3):
        felt.hand("dealer", "dealer.cards", "seat1.cards", "seat2.cards")
        for place in range(20):
            at = felt.at(
                f"seat{1 + place % 2}.cards", 37.0 * (place % 5) - 80.0, 31.0 * (place % 3) - 40.0 + 5.0 * turn
            )
            put(felt, f"sp.{place}", "card_back", at, angle_deg=20.0 * place)
        felt.snap()
    clear(felt).hand("dealer", "shoe").snap()
    assert accused(stand_all(burnt(felt), shoe)) == []


def test_bet_laid_while_the_cards_are_washed_breaks_p118() -> None:
    felt, shoe = blackjack(seats=2), cards()
    for turn in range(3):
        felt.hand("dealer", "dealer.cards", "seat1.cards", "seat2.cards")
        for place in range(20):
            right, away = 37.0 * (place % 5) - 80.0 + 19.0 * turn, 31.0 * (place % 3) - 40.0 + 17.0 * turn
            put(felt, f"sp.{place}", "card_back", felt.at(f"seat{1 + place % 2}.cards", right, away), angle_deg=0.0)
        if turn == 1:
            felt.bets({1: "10"})
        felt.snap()
    clear(felt).hand("player", "seat1.main", seat=1).remove("s1.main.1")
    felt.snap().hand("dealer", "shoe").snap()
    assert [one[:2] for one in accused(stand_all(burnt(felt), shoe))] == [("violation", "P118")]


def test_stacks_out_of_the_rack_lie_on_players_places_though_the_first_look_shows_them_elsewhere() -> None:
    felt, shoe = blackjack(seats=2), cards()
    stand_all(felt, shoe)
    out_of_the_rack(felt).hand("dealer", "dealer.cards")
    put(felt, "sp.0", "card_back", (0.0, 700.0), angle_deg=90.0)
    felt.snap().hand("dealer", "dealer.cards", "seat1.cards", "seat2.cards")
    for seat in (1, 2):
        put(felt, f"sp.{seat - 1}", "card_back", felt.at(f"seat{seat}.cards"), angle_deg=90.0)
    felt.snap().hand("dealer", "shoe", "seat1.cards", "seat2.cards")
    told = accused(stand_all(burnt(clear(felt)), shoe))
    assert [one for one in told if one[1] in ("P233", "P235", "P146")] == []


def test_cards_inspected_face_up_and_then_spread_anew_face_down_are_seen_from_both_sides() -> None:
    """P350: a look shows the felt bare between the two."""
    felt = blackjack(seats=2)
    for kind in ("card", "card_back"):
        spread(felt, kind).hand("dealer", "dealer.cards").snap()
        clear(felt).hand("dealer", "dealer.cards").snap()
    felt.hand("dealer", "shoe").snap()
    assert [one for one in accused(stand_all(felt, cards())) if one[1] == "P350"] == []


@pytest.mark.parametrize(("played", "told"), [(True, ["suspect"]), (False, [])])
def test_faces_spread_for_some_seconds_without_a_hand_lie_there_for_a_dead_game_once_a_round_was_played(
    *, played: bool, told: list[str]
) -> None:
    """P218: before play they are inspected."""
    felt, shoe = blackjack(seats=1), cards()
    if played:
        stand_all(felt, shoe)
    spread(felt, "card").hand("dealer", "dealer.cards").snap()
    felt.now += 8_000
    clear(felt.snap()).hand("dealer", "dealer.cards").snap()
    spread(felt, "card_back").hand("dealer", "dealer.cards").snap()
    clear(felt).hand("dealer", "shoe").snap()
    assert [one[0] for one in accused(stand_all(felt, shoe)) if one[1] == "P218"] == told
