"""A pile that the detector found: what it takes to believe it."""

from __future__ import annotations

import numpy as np
import pytest

from audit.states import StackCandidate
from models.detected_piles import stands_there
from models.sighting import Sighting

PLACE = np.full((10, 10), 255, np.uint8)


def part(share: float) -> np.ndarray:
    mask = np.zeros(PLACE.shape, np.uint8)
    mask.ravel()[: round(share * mask.size)] = 255
    return mask


@pytest.mark.parametrize(
    ("out", "differing", "p", "confidence", "on_spot", "there"),
    [
        (0.5, 0.0, 0.6, 0.4, True, True),
        (0.5, 0.0, 0.6, 0.4, False, False),  # not sure enough where no wager stands
        (0.5, 0.0, 0.4, 0.9, True, False),  # hardly read
        (0.0, 0.97, 0.99, 0.7, True, True),  # a green cheque on grey-green felt, at the first look
        (0.0, 0.97, 0.99, 0.7, False, False),
        (0.0, 0.97, 0.99, 0.4, True, False),
        (0.0, 0.97, 0.9, 0.7, True, False),
        (0.0, 0.3, 0.99, 0.7, True, False),  # lines and letters
    ],
)
def test_a_detected_pile_stands_out_or_is_surely_read_and_differs_from_the_felt(
    out: float, differing: float, p: float, confidence: float, *, on_spot: bool, there: bool
) -> None:
    """Draw 'n Shoot in dim light, 46 s: a green wager was missed at the first look, and its payment was another's."""
    one = Sighting(
        kind="chips",
        polygon_px=np.zeros((4, 2)),
        confidence=confidence,
        xy_mm=(0.0, 0.0),
        stacks=(StackCandidate(stack=("green",), p=p),),
    )
    assert stands_there(one, PLACE, part(out), lambda: part(differing), on_spot=on_spot) is there
