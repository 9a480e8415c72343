"""A clock that is written into the picture is soon not heeded; what moves in a zone always is."""

from __future__ import annotations

import numpy as np
import pytest

from audit.table import parse_profile
from models.camera import camera_of
from models.frames import SmallPicture
from models.motion import Mask, Watcher
from models.ticking import Ticking
from models.zones import ZoneMap
from tests.models.toy_table import PROFILE

SHAPE = (270, 480)
CORNER = np.s_[6:14, 440:446]
NOTHING: Mask = np.zeros(SHAPE, dtype=np.uint8)
EVERY_MS = 40


class Table:
    """A felt in small pictures, and what watches it."""

    def __init__(self, begin_ms: int = 0) -> None:
        profile = parse_profile(PROFILE)
        self.zones = ZoneMap(profile, camera_of(profile), SHAPE)
        self.watcher, self.ticking = Watcher(SHAPE), Ticking(self.zones)
        self.things = NOTHING
        self.t_ms = self.begin_ms = begin_ms

    def see(self, *, seconds: float, where: tuple[slice, slice] | None, every_ms: int, arms: Mask = NOTHING) -> None:
        """Let a place look otherwise every so often."""
        for t_ms in range(self.t_ms, self.t_ms + round(seconds * 1000), EVERY_MS):
            self.t_ms = t_ms
            luma = np.full(SHAPE, 90, dtype=np.uint8)
            if where is not None:
                luma[where] = 90 + 60 * (self.t_ms // every_ms % 2)
            grey = np.full(SHAPE, 128, dtype=np.uint8)
            self.watcher.see(self.t_ms, SmallPicture(luma=luma, blue=grey, red=grey))
            self.ticking.tell(self.watcher, arms, lambda _: self.things)
            if self.t_ms == self.begin_ms:
                self.watcher.account(np.full(SHAPE, 255, dtype=np.uint8))

    def heeds(self, where: tuple[slice, slice]) -> bool:
        """Whether a place that is another from now on is seen to change."""
        luma = np.full(SHAPE, 90, dtype=np.uint8)
        luma[where] = 30
        grey = np.full(SHAPE, 128, dtype=np.uint8)
        self.watcher.see(self.t_ms + EVERY_MS, SmallPicture(luma=luma, blue=grey, red=grey))
        return bool(self.watcher.moving[where].any() and self.watcher.changed[where].any())


def middle_of(table: Table, zone: str) -> tuple[slice, slice]:
    place = table.zones.camera.to_pixels(np.array([(*table.zones.profile.zone(zone).centre_mm, 0.0)]))[0]
    x, y = (round(float(v) * table.zones.scale) for v in place)
    return np.s_[y - 4 : y + 4, x - 4 : x + 4]


@pytest.mark.parametrize("every_ms", [40, 1_000])
def test_a_clock_is_not_heeded_after_a_while_but_its_neighbourhood_is(every_ms: int) -> None:
    table = Table()
    table.see(seconds=2, where=CORNER, every_ms=every_ms)
    assert every_ms == 40 or table.heeds(CORNER)
    table.see(seconds=28, where=CORNER, every_ms=every_ms)
    assert not table.heeds(CORNER)
    assert table.heeds(np.s_[40:48, 440:446])


def test_what_has_come_to_rest_is_heeded_again() -> None:
    table = Table()
    table.see(seconds=30, where=CORNER, every_ms=400)
    assert not table.heeds(CORNER)
    table.see(seconds=40, where=None, every_ms=1)
    assert table.heeds(CORNER)


def test_a_place_of_the_play_and_what_lies_there_are_always_heeded() -> None:
    table = Table()
    zone = middle_of(table, "seat1.main")
    table.see(seconds=30, where=zone, every_ms=400)
    assert table.heeds(zone)
    table.things = NOTHING.copy()
    table.things[CORNER] = 255
    table.see(seconds=30, where=CORNER, every_ms=400)
    assert table.heeds(CORNER)


def test_an_arm_that_moves_for_long_does_not_tick() -> None:
    table = Table()
    arms = NOTHING.copy()
    arms[CORNER] = 255
    table.see(seconds=30, where=CORNER, every_ms=40, arms=arms)
    assert table.heeds(CORNER)


def test_after_a_lost_view_all_is_heeded() -> None:
    table = Table()
    table.see(seconds=30, where=CORNER, every_ms=400)
    table.ticking.forget()
    table.see(seconds=0.2, where=None, every_ms=1)
    assert table.heeds(CORNER)


@pytest.mark.parametrize("begin_ms", [0, 150_000])
def test_what_moves_once_is_heeded_however_late_watching_begins(begin_ms: int) -> None:
    """In a later piece of footage it was ignored for half a minute, as if the ten seconds before had been watched."""
    table = Table(begin_ms)
    table.see(seconds=0.04, where=None, every_ms=1)
    table.ticking = Ticking(table.zones)  # begins when the table has been looked at
    table.see(seconds=0.3, where=CORNER, every_ms=40)
    table.see(seconds=0.3, where=None, every_ms=1)
    assert table.heeds(CORNER)
