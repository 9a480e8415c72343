"""Where a table ends: what is white behind the rack is the dealer's cuffs."""

from __future__ import annotations

import numpy as np
import pytest

from audit.table import parse_profile
from models.camera import camera_of
from models.zones import ZoneMap

TABLE = """
[table]
id = "T"
game = "blackjack"
minimum = "10.00"
maximum = "500.00"
[camera]
image_size = [1920, 1080]
points_mm = [[-500, 0], [500, 0], [500, 500], [-500, 500]]
points_px = [[300, 900], [1600, 900], [1500, 300], [400, 300]]
[[zone]]
name = "seat1.main"
polygon_mm = [[-150, 150], [150, 150], [150, 450], [-150, 450]]
"""
RACK = """
[[zone]]
name = "rack"
polygon_mm = [[-200, -120], [200, -120], [200, 0], [-200, 0]]
"""


@pytest.mark.parametrize(
    ("text", "y", "behind"), [(TABLE + RACK, -170.0, True), (TABLE + RACK, -60.0, False), (TABLE, -170.0, False)]
)
def test_behind_the_rack_is_no_table(text: str, y: float, behind: bool) -> None:
    profile = parse_profile(text)
    zones = ZoneMap(profile, camera_of(profile), (270, 480))
    assert zones.is_behind_the_rack((-190.0, y)) is behind


CLOSE_UP = (
    TABLE.replace("[1920, 1080]", "[1920, 930]").replace(
        "[[-150, 150], [150, 150], [150, 450], [-150, 450]]", "[[337, 297], [417, 187], [504, 251], [424, 361]]"
    )
    + """
[[zone]]
name = "seat1.cards"
polygon_mm = [[220, 160], [300, 160], [300, 320], [220, 320]]
"""
)


@pytest.mark.parametrize(
    ("root_px", "side"),
    [
        ([(1700.0, 929.0), (1740.0, 929.0)], "dealer"),  # below the table: a player would reach through the picture
        ([(1919.0, 560.0), (1919.0, 600.0)], "player"),
        ([(960.0, 929.0)], "dealer"),
        ([(1500.0, 560.0)], "player"),  # within the picture whoever is nearest
    ],
)
def test_an_arm_comes_from_outside_the_picture(root_px: list[tuple[float, float]], side: str) -> None:
    """A blackjack clip, 83 s: an arm that took a lost wager, seen from close by, was the player's at that end."""
    profile = parse_profile(CLOSE_UP)
    zones = ZoneMap(profile, camera_of(profile), (270, 480))
    assert zones.side_of(np.array(root_px)).name == side


def test_what_has_rested_long_at_the_edge_of_a_zone_hides_nothing_there() -> None:
    """The cover of a cup, put down beside a seat's cards: no card that came there later was sure to be the last."""
    profile = parse_profile(TABLE)
    zones = ZoneMap(profile, camera_of(profile), (270, 480))
    whole = zones.polygon_mask(zones.camera.zone_px(profile.zones[0]))
    edge, half = np.zeros_like(whole), np.zeros_like(whole)
    rows = np.flatnonzero(whole.any(axis=1))
    edge[: rows[0] + len(rows) // 20], half[: rows[0] + len(rows) // 2] = 255, 255
    nothing = np.zeros_like(whole)
    assert zones.covered(edge, lambda: nothing) == {"seat1.main"}  # it came just now, or is a hand
    assert zones.covered(edge, lambda: edge) == frozenset()
    assert zones.covered(half, lambda: half) == {"seat1.main"}
