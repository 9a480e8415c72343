"""Piles beside a bet that are no part of it: a toke at a table without places for tokes; wagers drawn into the zone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.audit.asking import accused, found
from tests.audit.pairs.dice import shoot
from tests.notation import Felt, wide_profile


def toked(felt: Felt, *, left: float = 70.0, down: bool = True) -> Felt:
    """A bet of 20 and beside it, in the same zone, 5 for the dealer; both win and are paid, the toke comes down."""
    felt.hand("player", "seat1.main", seat=1).put_chips("s1.main.1", "20", felt.at("seat1.main"))
    felt.snap().hand("player", "seat1.main", seat=1).put_chips("s1.toke.1", "5", felt.at("seat1.main", -left))
    felt.snap().deal({1: "Th 9c"}, dealer="Td 8s").turn()
    felt.pay(1, "20").pay(1, "5", beside="toke.1")
    if down:
        felt.hand("dealer", "seat1.main")
        for name in ("s1.toke.1", "s1.pay.1"):
            felt.remove(name)
        felt.snap()
    return felt.collect(1).pick_up()


def test_toke_on_the_spot_of_the_bet_is_taken_down_with_its_pay(felt: Felt) -> None:
    assert found(toked(felt)) == []


@pytest.mark.parametrize("down", [True, False])
def test_toke_beside_an_ante_is_taken_down_with_its_pay(*, down: bool) -> None:
    """000 has no tokes; what stays on the spot is a wager of two piles, and both were paid."""
    felt = shoot().bets({2: "20"}, "ante").hand("player", "seat2.ante", seat=2)
    felt.put_chips("s2.ante.toke", "5", felt.at("seat2.ante", 0.0, 42.0))
    felt.snap().card(2, "Ts").roll(4, 5).pay_spot(2, "ante", "20").hand("dealer", "rack", "seat2.ante")
    felt.put_chips("s2.ante.tokepay", "5", felt.at("seat2.ante", 39.0, 42.0))
    felt.snap()
    if down:
        felt.hand("dealer", "seat2.ante")
        for name in ("s2.ante.toke", "s2.ante.tokepay"):
            felt.remove(name)
        felt.snap()
    assert found(felt.collect_spot(2, "ante").pick_up_seat(2).cover_dice()) == []


def test_two_piles_of_a_bet_that_both_stay_are_one_wager(felt: Felt) -> None:
    assert accused(toked(felt, down=False)) == []


def test_where_tokes_have_a_place_what_stands_on_the_bet_s_is_a_bet() -> None:
    felt = Felt(wide_profile("blackjack", ("main", "toke"), finder=False))
    zone = felt.profile.zone("seat1.main")
    assert zone is not None
    wide = tuple((x + (-40.0 if x < zone.centre_mm[0] else 0.0), y) for x, y in zone.polygon_mm)
    others = tuple(one for one in felt.profile.zones if one.name != "seat1.main")
    felt = toked(Felt(replace(felt.profile, zones=(*others, replace(zone, polygon_mm=wide)))), left=42.0)
    assert "violation" in {verdict for verdict, _, _ in accused(felt)}


def resplit(felt: Felt) -> Felt:
    """Eights split to three hands; the third wager is put outside the zone, and the dealer draws all of them in."""
    felt.bets({2: "10"}).deal({2: "8h 8s"}, dealer="6h Td").split(2, "10")
    x, y = felt.things["s2.h2.0"].xy_mm
    felt.hand("dealer", "shoe", "seat2.cards").put_card("s2.h2.1", "8c", (x - 3.0, y - 57.0), felt.axis(2))
    felt.snap()
    felt.hand("player", "seat2.main", seat=2)
    felt.put_chips("s2.main.3", "10", felt.at("seat2.main", 114.0, 10.0))
    felt.snap().hand("dealer", "seat2.cards", "seat2.main")
    felt.things["s2.h3.0"] = felt.things.pop("s2.h2.1")
    for number, right in ((1, -112.0), (2, 0.0), (3, 75.0)):
        card = felt.things[f"s2.h{number}.0"]
        felt.things[f"s2.h{number}.0"] = replace(card, xy_mm=felt.at("seat2.cards", right, 40.0))
        pile = felt.things[f"s2.main.{number}"]
        felt.things[f"s2.main.{number}"] = replace(pile, xy_mm=felt.at("seat2.main", (number - 2) * 70.0))
    felt.snap()
    for number, card in ((1, "Ts"), (2, "9h"), (3, "Td")):
        felt.hand("dealer", "shoe", "seat2.cards")
        x, y = felt.things[f"s2.h{number}.0"].xy_mm
        felt.put_card(f"s2.h{number}.1", card, (x - 3.0, y - 57.0), felt.axis(2))
        felt.snap()
    felt.turn().dealer_hits("9c")
    for number in (3, 2, 1):
        felt.pay(2, "10", beside=f"main.{number}")
    return felt.collect(2).pick_up()


def test_wagers_of_a_split_drawn_into_the_zone_are_neither_taken_nor_paid(felt: Felt) -> None:
    assert found(resplit(felt)) == []
