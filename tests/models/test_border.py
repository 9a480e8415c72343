"""Piles that the picture's border cuts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from audit.states import SeenObject, StackCandidate, TableState
from audit.table import Zone, load_profile
from audit.timing import Span
from models.border import Border
from models.camera import camera_of
from models.pile_edges import hull_px

TABLE = load_profile(Path("sample_footage/profiles/BJ-12.toml"))  # seen from beyond the players
CAMERA = camera_of(TABLE)
RED = (StackCandidate(stack=("red",), p=0.9),)


def at_the_border(beyond_px: float) -> tuple[float, float]:
    """Where a cheque stands that reaches so far beyond the picture's lower border."""
    ways = np.arange(450.0, 800.0, 0.5)
    reach = np.array([hull_px(CAMERA, ((0.0, float(y)), 1)).max(axis=0)[1] - (CAMERA.size[1] - 1) for y in ways])
    return 0.0, float(ways[np.abs(reach - beyond_px).argmin()])


def told(beyond_px: float, *, spot_mm: float = 30.0) -> SeenObject:
    """What a state says of such a cheque, that seems to stand on a spot so long, amid it."""
    x, y = at_the_border(beyond_px)
    half = spot_mm / 2
    corners = ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
    table = replace(TABLE, zones=(Zone(name="seat1.main", polygon_mm=corners),))
    pile = SeenObject(kind="chips", xy_mm=(x, y), stack=("red",), stacks=RED)
    state = TableState(span=Span.of(0, 100), objects=(pile, SeenObject(kind="card_back", xy_mm=(x, y))))
    cut, back = Border(table, CAMERA).told(state).objects
    assert back == state.objects[1]
    return cut


@pytest.mark.parametrize(("beyond_px", "read"), [(-20.0, True), (1.0, True), (10.0, False)])
def test_a_pile_of_which_the_border_hides_the_foot_is_not_read(beyond_px: float, *, read: bool) -> None:
    cut = told(beyond_px)
    assert (cut.stack is not None) is read
    assert bool(cut.stacks) is read
    assert (cut.xy_mm == at_the_border(beyond_px)) is read


def test_of_a_pile_whose_box_lies_in_the_picture_nothing_is_asked() -> None:
    inside = [[100.0, 100.0], [180.0, 100.0], [180.0, 160.0], [100.0, 160.0]]
    pile = SeenObject(kind="chips", xy_mm=at_the_border(10.0), stacks=RED, extra={"polygon_px": inside})
    state = TableState(span=Span.of(0, 100), objects=(pile,))
    assert Border(TABLE, CAMERA).told(state) is state


def test_it_is_no_wager_if_it_may_stand_elsewhere() -> None:
    """Dicey 21 on raspberry felt: the top of a player's own sixteen cheques seemed one more on his number."""
    _, y = told(10.0).xy_mm
    assert 23.0 <= y - at_the_border(10.0)[1] <= 27.0
    everywhere = told(10.0, spot_mm=2000.0)
    assert everywhere.xy_mm == at_the_border(10.0)
    assert not everywhere.stacks
