"""A row of a seat's cards that grows towards the dealer and reaches his place."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.reconstruction.cards import track_cards
from audit.reconstruction.evidence import card_chances
from audit.reconstruction.places import Places
from audit.reconstruction.slices import slices
from tests.notation import Felt, wide_profile


def row_towards_the_dealer(*, dealers_right: float | None) -> Felt:
    """Seat 2 draws a card that lies upon its last one, and 8 mm within the place of the dealer's cards."""
    profile = wide_profile("blackjack", ("main",), seats=2)
    outline = {
        "dealer.cards": ((-330.0, 78.0), (330.0, 78.0), (330.0, 248.0), (-330.0, 248.0)),
        "seat2.cards": ((10.0, 248.0), (390.0, 248.0), (390.0, 390.0), (10.0, 390.0)),
    }
    zones = tuple(replace(zone, polygon_mm=outline.get(zone.name, zone.polygon_mm)) for zone in profile.zones)
    felt = Felt(replace(profile, zones=zones)).bets({2: "10"}).deal({2: "5d Jd"}, dealer="7d Ts")
    for number, name in enumerate(("d.up", "d.hole")):
        if dealers_right is None:
            felt.remove(name)
        else:
            place = felt.at("dealer.cards", dealers_right + 6.0 * number, -6.0 * number)
            felt.things[name] = replace(felt.things[name], xy_mm=place)
    for number, place in enumerate([(240.0, 320.0), (220.0, 284.0)]):
        felt.things[f"s2.h1.{number}"] = replace(felt.things[f"s2.h1.{number}"], xy_mm=place)
    felt.states.clear()
    felt.snap().hand("player", "seat2.cards", seat=2).hand("dealer", "shoe", "seat2.cards")
    felt.put_card("s2.h1.2", "4h", (200.0, 240.0), 0.0)
    return felt.snap()


@pytest.mark.parametrize(
    ("dealers_right", "cards"), [(-250.0, ["5d", "Jd", "4h"]), (110.0, ["5d", "Jd"]), (None, ["5d", "Jd"])]
)
def test_row_of_cards_that_reaches_the_dealers_place_far_from_his_own_is_the_seats(
    dealers_right: float | None, cards: list[str]
) -> None:
    """A third card 12 mm beyond its seat's zone was drawn by the dealer, 49 s: four wagers seemed settled wrongly."""
    felt = row_towards_the_dealer(dealers_right=dealers_right)
    places = Places(profile=felt.profile)
    (piece,) = slices(felt.states, places)
    own = [track.last for track in track_cards(piece, places) if track.owner == "seat2"]
    assert [max(card_chances(card)) for card in own] == cards
