"""Whose card lies at a point of the felt."""

from __future__ import annotations

from audit.reconstruction.places import DEALER, Places
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
