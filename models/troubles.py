"""What makes footage hard to judge by, watched while it runs: pictures that are lost and light that flickers.

Each is made up for where it can be (``models.light``, ``models.motion``). But where several come together more is read
wrongly than the readings' own probabilities say: so every state tells which there were, and the audit is less sure.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from audit.states import LIGHT_FLICKERS, PICTURES_LOST, TROUBLES, TableState
from models.frames import Frame
from models.light import EvenFrame

_BEFORE_MS: Final = 60_000
_KEPT_MS: Final = 600_000  # a state is told long before it is so old
_LONG_MS: Final = 220  # between two pictures of which none was lost
_BRIGHTER: Final = 0.02  # of the light, on average over the rows
_LEAST: Final = {PICTURES_LOST: 2, LIGHT_FLICKERS: 100}  # of some 750 pictures in a minute


class Troubles:
    """Notes when pictures were lost and when the light was another than in the picture before."""

    def __init__(self) -> None:
        self._times: dict[str, list[int]] = {PICTURES_LOST: [], LIGHT_FLICKERS: []}
        self._before: tuple[int, NDArray[np.float32] | float] | None = None

    def see(self, frame: Frame) -> None:
        """Take in the next frame, as the watcher of the light returned it."""
        t_ms, gain = int(frame.t_ms), frame.gain if isinstance(frame, EvenFrame) else 1.0
        if self._before is not None:
            before_ms, other = self._before
            if t_ms - before_ms > _LONG_MS:
                self._note(PICTURES_LOST, t_ms)
            if float(np.mean(np.abs(gain - other))) > _BRIGHTER:
                self._note(LIGHT_FLICKERS, t_ms)
        self._before = t_ms, gain

    def _note(self, name: str, t_ms: int) -> None:
        times = self._times[name]
        times.append(t_ms)
        if times[0] < t_ms - 2 * _KEPT_MS:  # half of them go at once
            del times[: bisect_left(times, t_ms - _KEPT_MS)]

    def told(self, state: TableState) -> TableState:
        """Return the state with the troubles of the minute before it ended, if there were any."""
        names = [name for name, least in _LEAST.items() if self._count(name, state) >= least]
        return replace(state, extra={**state.extra, TROUBLES: names}) if names else state

    def _count(self, name: str, state: TableState) -> int:
        first, last = int(state.span.last) - _BEFORE_MS, int(state.span.last)
        return bisect_right(self._times[name], last) - bisect_left(self._times[name], first)
