"""What detections are taken for, with a detector and readers that say what the test wants."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from models.camera import camera_of
from models.dice_reader import DieReading
from models.eyes import Eyes
from tests.models.toy_table import profile

PLACE = [(-60.0, 40.0), (60.0, 40.0), (60.0, 160.0), (-60.0, 160.0)]


def look(xy_mm: tuple[float, float]) -> Any:
    """Return the kind and face of one small thing that the detector calls chips, at a point of the felt."""
    camera = camera_of(profile())
    x, y = camera.to_pixels([(*xy_mm, 0.0)])[0]
    quad = np.array([[[x - 8, y - 8], [x + 8, y - 8], [x + 8, y + 8], [x - 8, y + 8]]])
    found = SimpleNamespace(polygons_px=quad, kinds=["chips"], confidences=np.array([0.7]))
    die = DieReading(value=5, candidates={5: 0.99}, colour="red", colour_p=0.9)
    pile = SimpleNamespace(candidates=[(("red",), 0.9)], base_mm=xy_mm, top_colour="red", count=1)
    eyes = Eyes(
        detector=SimpleNamespace(detect=lambda *_, **__: found),
        corners=None,
        cards=None,
        chips=SimpleNamespace(read=lambda *_: [pile]),
        dice=SimpleNamespace(read=lambda *_: [die]),
        camera=camera,
        dice_places=[PLACE],
    )
    (seen,) = eyes.look(np.zeros((8, 8, 3), np.uint8))
    return seen


def test_small_thing_in_the_place_of_the_dice_is_a_die_and_read_as_one() -> None:
    seen = look((0.0, 100.0))
    assert (seen.kind, seen.face, seen.faces, seen.colour) == ("die", "5", {"5": 0.99}, "red")


def test_small_thing_elsewhere_stays_a_pile() -> None:
    seen = look((0.0, 250.0))
    assert (seen.kind, seen.stacks[0].stack) == ("chips", ("red",))
