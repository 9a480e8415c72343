"""Whose card lies at a point of the felt."""

from __future__ import annotations

from audit.reconstruction.places import DEALER, Places
from audit.states import SeenObject
from audit.table import parse_profile

OVERLAPPING = """
[table]
id = "T-1"
game = "blackjack"
rules = "shoe-six-deck"
minimum = "10.00"
maximum = "500.00"

[[zone]]
name = "seat2.cards"
polygon_mm = [[-126.0, 68.0], [96.0, 68.0], [96.0, 308.0], [-126.0, 308.0]]

[[zone]]
name = "dealer.cards"
polygon_mm = [[-140.0, 54.0], [160.0, 54.0], [160.0, 156.0], [-140.0, 156.0]]
"""


def test_where_zones_overlap_a_card_belongs_to_the_one_it_lies_deepest_in() -> None:
    """A hit of the middle seat whose centre lay 12 mm inside the dealer's zone was told as drawn by the dealer."""
    places = Places(parse_profile(OVERLAPPING))
    assert places.owner((-59.0, 143.5)) == "seat2"
    assert {places.owner((x, y)) for x in (-60.0, 0.0, 60.0) for y in (85.0, 105.0, 120.0)} == {DEALER}
    assert places.owner((0.0, 250.0)) == "seat2"
    assert places.owner((120.0, 100.0)) == DEALER
    assert places.owner((0.0, 700.0)) is None


INSURED = """
[table]
id = "T-1"
game = "double_deck"
rules = "double-deck"
minimum = "10.00"
maximum = "500.00"

[[zone]]
name = "seat2.cards"
polygon_mm = [[33.7, 218.0], [326.0, 150.5], [358.2, 289.8], [65.9, 357.3]]

[[zone]]
name = "seat2.main"
polygon_mm = [[66.8, 361.2], [359.1, 293.7], [385.2, 406.8], [92.9, 474.3]]

[[zone]]
name = "seat2.insurance"
polygon_mm = [[192.8, 142.3], [290.2, 119.8], [298.3, 154.9], [200.9, 177.4]]
"""


def test_the_insurance_line_beyond_a_seats_cards_does_not_turn_its_axis() -> None:
    """A double's card laid across the hand was told as upright: the line's middle was taken for one of the wagers'."""
    profile = parse_profile(INSURED)
    assert abs(profile.seat_axis_deg(2) + 13.0) < 1.0
    across, along = (SeenObject(kind="card", xy_mm=(118.0, 222.0), angle_deg=angle) for angle in (79.0, -9.0))
    assert (Places(profile).sideways("seat2", across), Places(profile).sideways("seat2", along)) == (True, False)
