"""From footage to settled table states.

A segment needs nothing from its neighbours: it begins with a look at the whole table, and what it could not see then is
covered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Final

from audit.states import TableState
from audit.table import TableProfile
from models.camera import Camera
from models.camera_drift import CameraDrift
from models.cup_watch import CupWatch
from models.frames import Frame
from models.proposals import Eyes
from models.steadied import Steadied
from models.table_watch import TableWatch

INTERVAL_MS: Final = 60.0
"""Least time between two pictures that are watched: 12.5 a second of 25, 15 of 30 and all of 15."""


class Recogniser:
    """Turns frames, in time order, into table states."""

    def __init__(self, profile: TableProfile, camera: Camera, eyes: Eyes, *, drift: CameraDrift | None = None) -> None:
        drift = drift or CameraDrift(None)
        self._steadied = Steadied(profile, camera, drift)
        self._cup = CupWatch(profile, camera)
        self._watching = partial(TableWatch, profile, camera, eyes, cup=self._cup, drift=drift)
        self._table: TableWatch | None = None  # until the first frame tells how large the pictures are

    def states(self, footage: Iterable[Frame]) -> Iterator[TableState]:
        """Yield the states of the frames, the last when they end."""
        last: Frame | None = None
        for frame in self._steadied.frames(footage):
            table = self._table = self._table or self._watching(shape=frame.small.luma.shape, start_ms=int(frame.t_ms))
            table.see(frame)
            last = frame
            yield from self._told(table.take())
        if last is not None and self._table is not None:
            self._table.end(last)
            yield from self._told(self._table.take())

    def provisional(self) -> tuple[TableState, ...]:
        """Return what seems to follow the states told so far; what comes may still change it."""
        held = () if self._table is None else self._table.held()
        return tuple(map(self._steadied.as_shown, self._cup.foreseen(held)))

    def _told(self, states: Iterable[TableState]) -> Iterator[TableState]:
        return map(self._steadied.as_shown, self._cup.told(states))
