"""The states of a table in time: which content held from when to when, and which hands came in between."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from audit.states import HandSeen, SeenObject, TableState
from audit.timing import Millis, Span

_STEADY_MS: Final = 160


class HandSource(Protocol):
    """What tells the hands seen since it was last asked."""

    def take(self, until_ms: int) -> tuple[HandSeen, ...]:
        """Return them, open intervals cut at ``until_ms``."""


@dataclass(slots=True)
class _Open:
    first: int
    last: int
    objects: tuple[SeenObject, ...]
    covered: frozenset[str]
    hands: tuple[HandSeen, ...]
    stalled: bool = False


class Timeline:
    """Opens a state when the content has changed or a hand has left, and closes it when something covers more.

    A state is handed out when it is closed, so that it carries all that was read while it held.
    """

    def __init__(self, hands: HandSource) -> None:
        self._hands = hands
        self._open: _Open | None = None
        self._closed_until = -1
        self._uncovered_since: int | None = None
        self._ready: list[TableState] = []

    def take(self) -> list[TableState]:
        """Return the states closed since the last call."""
        ready, self._ready = self._ready, []
        return ready

    def tick(self, t_ms: int, covered: frozenset[str], objects: tuple[SeenObject, ...], *, calm: bool) -> None:
        """Extend the open state while nothing more is covered; begin another when less is.

        Not before it is ``calm``: while a changed place still waits to be looked at, what is there may differ.
        """
        now = self._open
        if now is None:
            return
        if covered - now.covered:
            now.stalled = True
            self._uncovered_since = None
            return
        if not now.stalled and covered == now.covered:
            now.last, now.objects = t_ms, objects
            self._uncovered_since = None
            return
        if not now.stalled:
            now.last, now.objects = t_ms, objects
        if self._uncovered_since is None:
            self._uncovered_since = t_ms
        if calm and t_ms - self._uncovered_since >= _STEADY_MS:
            self._begin(first=self._uncovered_since, last=t_ms, covered=covered, objects=objects)

    def refresh(self, objects: tuple[SeenObject, ...]) -> None:
        """Let the open state carry better readings of the same objects."""
        if self._open is not None:
            self._open.objects = objects

    def change(
        self, *, settled_ms: int, dirty_ms: int, t_ms: int, covered: frozenset[str], objects: tuple[SeenObject, ...]
    ) -> None:
        """Begin a state whose content differs.

        Args:
            settled_ms: When the changed places had come to rest.
            dirty_ms: The last moment at which they still looked as before.
            t_ms: Now.
            covered: Zones covered now.
            objects: The content now.
        """
        now = self._open
        if now is not None and now.first >= min(settled_ms, dirty_ms + 1):
            hands = now.hands
            self._open = None
            self._begin(first=settled_ms, last=t_ms, covered=covered, objects=objects, hands=hands)
            return
        if now is not None:
            now.last = max(now.first, min(now.last, dirty_ms))
        self._begin(first=settled_ms, last=t_ms, covered=covered, objects=objects)

    def lose(self, first_ms: int, last_ms: int, reason: str) -> None:
        """Close the open state and add a stretch of which nothing is said."""
        self._close()
        first = max(first_ms, self._closed_until + 1)
        span = Span.of(first, max(first, last_ms))
        self._ready.append(TableState(span=span, view="lost", reason=reason))
        self._closed_until = span.last

    def finish(self, t_ms: int, covered: frozenset[str], objects: tuple[SeenObject, ...]) -> None:
        """Close the open state at the end; hands seen after it began need one more to be told."""
        now = self._open
        if now is not None and not now.stalled:
            now.last = max(now.last, t_ms)
        self._close()
        hands = self._hands.take(t_ms)
        if hands and t_ms > self._closed_until:
            span = Span.of(t_ms)
            self._ready.append(TableState(span=span, objects=objects, covered=covered, hands=hands))

    def _begin(
        self,
        *,
        first: int,
        last: int,
        covered: frozenset[str],
        objects: tuple[SeenObject, ...],
        hands: tuple[HandSeen, ...] = (),
    ) -> None:
        self._close()
        first = max(first, self._closed_until + 1)
        last = max(first, last)
        seen = (*hands, *self._hands.take(last))
        self._open = _Open(first=first, last=last, objects=objects, covered=covered, hands=seen)
        self._uncovered_since = None

    def _close(self) -> None:
        now, self._open = self._open, None
        if now is None:
            return
        span = Span(Millis(now.first), Millis(now.last))
        self._ready.append(TableState(span=span, objects=now.objects, covered=now.covered, hands=now.hands))
        self._closed_until = now.last
