"""Hands are no hands where nothing stands out from the felt."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from models.camera import camera_of
from models.felt_view import FeltView
from models.ghosts import Ghosts
from models.sighting import Sighting
from tests.models.toy_table import profile


@pytest.mark.parametrize(
    ("share", "at", "left"),
    [(0.4, (0.0, 250.0), 1), (0.15, (0.0, 250.0), 0), (0.0, (0.0, -900.0), 1)],
    ids=["an arm", "a felt with a pattern", "out of view"],
)
def test_a_hand_is_none_where_nothing_stands_out(share: float, at: tuple[float, float], left: int) -> None:
    """Blackjack on a felt of hexagons, 0.3 s: fifty hands were detected, and most of the table was covered by them."""
    camera = camera_of(profile())
    felt = FeltView(profile(), camera)
    box = (0, 0, felt.shape[1], felt.shape[0])
    (x, y), out = at, np.zeros(felt.shape, dtype=np.uint8)
    corners = np.array([(x - 50, y - 40), (x + 50, y - 40), (x + 50, y + 40), (x - 50, y + 40)])
    right = np.array(
        [(x - 50, y - 40), (x - 50 + 100 * share, y - 40), (x - 50 + 100 * share, y + 40), (x - 50, y + 40)]
    )
    felt.fill(out, right, box)
    hand = Sighting(kind="hand", polygon_px=camera.to_pixels(corners), confidence=0.8, xy_mm=at)
    scene = SimpleNamespace(box=box, out=out)
    assert len(Ghosts(profile(), camera, felt).without_flat_hands([hand], scene)) == left
