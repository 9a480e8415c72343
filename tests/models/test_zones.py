"""Where a table ends: what is white behind the rack is the dealer's cuffs."""

from __future__ import annotations

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
