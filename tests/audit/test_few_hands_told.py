"""States that tell of few hands, or show cards in them: what no hand is told of was done all the same."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.audit.asking import accused, audited, found
from tests.audit.pairs.dice import faces, shoot
from tests.audit.pairs.pair import change, put
from tests.notation import Felt


def but_for(felt: Felt, keep: set[int]) -> Felt:
    """Only these states tell of hands."""
    felt.states = [state if place in keep else replace(state, hands=()) for place, state in enumerate(felt.states)]
    return felt


def test_card_that_no_hand_is_told_of_was_drawn_where_none_of_the_deal_is() -> None:
    """The dealer was said to have stood on 14: the ten that broke him came, and went, without a hand."""
    felt = Felt().bets({1: "10"}).deal({1: "Kd 2c"}, dealer="Td 4s").hit(1, "5s")
    told = len(felt.states) - 1
    felt.turn().dealer_hits("Kd").pay(1, "10").things.clear()
    assert accused(but_for(felt.snap(), {told})) == []


def test_card_that_no_hand_is_told_of_is_a_ghost_where_every_other_was_dealt_by_one() -> None:
    felt = Felt().bets({1: "10"}).deal({1: "Kd 2c"}, dealer="Td 4s").hit(1, "5s").turn()
    drawn = len(felt.states)
    felt.dealer_hits("Kd").pay(1, "10").collect(1).pick_up()
    felt.states[drawn] = replace(felt.states[drawn], hands=())
    seen = [tuple(it for it in state.objects if it.card != "Kd" or it.xy_mm[1] > 160.0) for state in felt.states]
    felt.states = [
        state if place == drawn else replace(state, objects=objects)
        for place, (state, objects) in enumerate(zip(felt.states, seen, strict=True))
    ]
    assert ("violation", "P255", None) in accused(felt)


@pytest.mark.parametrize(("players", "rounds"), [("9c 9d", 2), ("8s 4d", 1)])
def test_up_card_that_two_rounds_have_alike_does_not_make_them_one(players: str, rounds: int) -> None:
    """Nobody was told of who lifted the cards; where they all lie again, they were only missed."""
    felt = Felt().bets({1: "10", 2: "10"}).deal({1: "8s 4d", 2: "Ks Ah"}, dealer="As Kd").turn()
    lay = dict(felt.things)
    ends = len(felt.states)
    for name in [name for name, thing in felt.things.items() if thing.kind in ("card", "card_back")]:
        del felt.things[name]
    felt.snap().snap()
    bare = {ends, ends + 1}
    if rounds == 1:
        felt.things |= lay
        felt.snap()
    else:
        dealt = len(felt.states)
        felt.deal({1: players, 2: "Kc 5d"}, dealer="As Kh")
        felt.states[dealt:-1] = []
    felt.states = [replace(state, hands=()) if place in bare else state for place, state in enumerate(felt.states)]
    assert len(audited(felt).rounds) == rounds


@pytest.mark.parametrize("told", [True, False])
def test_cup_of_which_no_shakes_are_told_may_have_been_shaken_whoever_opened_it(told: bool) -> None:
    felt = shoot()
    put(felt, "cup", "dice_cup", felt.at("dice"), lid="on")
    felt.bets({2: "20"}, "ante").card(2, "Ts").hand("player", "seat2.cards", seat=2).snap()
    change(felt, "cup", lid="off")
    opened = len(felt.states)
    felt.roll(*faces(felt))
    felt.states[opened] = replace(felt.states[opened], hands=felt.states[opened].hands if told else ())
    felt.pay_spot(2, "ante", "20").collect_spot(2, "ante").pick_up_seat(2)
    change(felt, "cup", lid="on")
    assert [one[0] for one in found(felt.cover_dice()) if one[1] == "P018"] == ["undetermined"]


@pytest.mark.parametrize("zones", [("dealer.cards",), ("dealer.cards", "discard")])
def test_backs_seen_in_the_hand_that_takes_open_cards_away_are_dealt_to_nobody(zones: tuple[str, ...]) -> None:
    felt = Felt().bets({1: "10"}).deal({1: "Kd 9c"}, dealer="Td 7s").turn()
    felt.pay(1, "10").pick_up_seat(1).hand("dealer", *zones)
    for name in [name for name in felt.things if name.startswith("d.")]:
        del felt.things[name]
    felt.put_card("away.1", "back", felt.at("dealer.cards", -60.0), 10.0)
    felt.put_card("away.2", "back", felt.at("dealer.cards", 90.0, 20.0), 30.0)
    felt.snap().hand("dealer", "discard").remove("away.1")
    felt.remove("away.2")
    felt.snap().collect(1)
    assert accused(felt) == []


def test_back_that_comes_from_the_shoe_as_cards_go_is_dealt() -> None:
    felt = Felt().bets({1: "10", 2: "10"}).deal({1: "Kd 9c", 2: "Kc 9s"}, dealer="Td 7s").turn()
    felt.pay(2, "10").pay(1, "10").hand("dealer", "seat2.cards", "discard")
    for name in felt.names("s2.h"):
        felt.remove(name)
    felt.hand("dealer", "shoe", "dealer.cards").put_card("d.hit0", "back", felt.at("dealer.cards", -60.0), 0.0)
    (one,) = audited(felt.snap().pick_up().collect(1)).rounds
    assert len(one.observed.round.dealer) == 3
