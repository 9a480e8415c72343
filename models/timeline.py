"""The states of a table in time: which content held from when to when, and which hands came in between."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Protocol

from audit.states import HandSeen, SeenObject, TableState
from audit.table import TableProfile
from audit.timing import Millis, Span

_STEADY_MS: Final = 160
_PATIENCE_MS: Final = 5_000
_BRIEF_MS: Final = 2_000  # a zone covered for longer before or after a state stays covered in it


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
    long_covered: frozenset[str]
    stalled: bool = False


@dataclass(slots=True)
class _Closed:
    """A closed state, with the zones of which it is not yet known whether anything had changed under cover."""

    state: TableState
    undecided: set[str]


@dataclass(frozen=True, slots=True)
class _Change:
    dirty_ms: int
    rested_ms: int
    zones: frozenset[str]


class Timeline:
    """Opens a state when the content has changed or a hand has left, and closes it when something covers more.

    A state is handed out some time after it is closed, so that it carries all that was read while it held. A zone that
    was covered then and is seen again, with every change found in it to have begun after the state, held what the
    state says: it is not reported as covered. What is not seen again soon stays covered.
    """

    def __init__(self, hands: HandSource, profile: TableProfile) -> None:
        self._hands = hands
        self._profile = profile
        self._all_zones = frozenset(zone.name for zone in profile.zones)
        self._seen_ms: dict[str, int] = {}
        self._open: _Open | None = None
        self._closed_until = self._told_until = -1
        self._uncovered_since: int | None = None
        self._waiting: list[_Closed] = []
        self._changes: list[_Change] = []
        self._ready: list[TableState] = []

    def take(self) -> list[TableState]:
        """Return the states that have become final since the last call.

        What was hidden all the while in a zone that stays covered was not seen: it is not told, and so not gone either.
        """
        ready, self._ready = self._ready, []
        return [replace(state, objects=tuple(self._told(state))) for state in ready]

    def held(self) -> tuple[TableState, ...]:
        """Return the states that are not final yet, the last of which still holds, as far as they are known now."""
        closed = [one.state for one in self._waiting]
        return tuple(replace(state, objects=tuple(self._told(state))) for state in (*closed, *self._still()))

    def _told(self, state: TableState) -> Iterator[SeenObject]:
        for item in state.objects:
            hidden_ms = item.extra.get("hidden_ms")
            zones = {zone.name for zone in self._profile.zones_at(item.xy_mm)}
            if hidden_ms is None:
                yield item
            elif hidden_ms >= state.span.first or zones.isdisjoint(state.covered):
                yield replace(item, extra={key: value for key, value in item.extra.items() if key != "hidden_ms"})

    def tick(self, t_ms: int, covered: frozenset[str], objects: tuple[SeenObject, ...], *, calm: bool) -> None:
        """Extend the open state while nothing more is covered; begin another when less is.

        Not before it is ``calm``: while a changed place still waits to be looked at, what is there may differ.
        """
        if calm:
            self._settle(t_ms, covered)
        self._seen_ms.update(dict.fromkeys(self._all_zones - covered, t_ms))
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

    def change(
        self,
        *,
        rested_ms: int,
        dirty_ms: int,
        t_ms: int,
        zones: frozenset[str],
        covered: frozenset[str],
        objects: tuple[SeenObject, ...],
    ) -> None:
        """Begin a state whose content differs.

        Args:
            rested_ms: When the changed places had come to rest.
            dirty_ms: The last moment at which they still looked as before.
            t_ms: Now.
            zones: The zones of what has changed.
            covered: Zones covered now.
            objects: The content now.
        """
        now = self._open
        hands: tuple[HandSeen, ...] = ()
        self._changes.append(_Change(dirty_ms, rested_ms, zones))
        if now is not None and now.first < rested_ms:
            if dirty_ms < now.first:  # the other change came to rest while something was over this one's place
                now.covered |= zones
                now.last = max(now.first, min(now.last, rested_ms - 1))
            else:
                now.last = max(now.first, min(now.last, dirty_ms))
        elif now is not None:  # what has come since then would be told too early, what changed then may be told later
            hands, rested_ms, self._open = now.hands, now.first, None
        self._begin(first=rested_ms, last=t_ms, covered=covered, objects=objects, hands=hands)

    def break_off(self, first_ms: int, objects: tuple[SeenObject, ...]) -> None:
        """End what is known with the moment before the view was lost, and tell the hands seen until then.

        A frozen picture is noticed late: what it showed since it froze is not what lay on the table.
        """
        now = self._open
        if now is not None and now.first < first_ms:
            now.last = min(now.last, first_ms - 1)
            self._close()
        self._open = None
        self._waiting[:] = [one for one in self._waiting if one.state.span.first < first_ms]
        for one in self._waiting:
            span = one.state.span
            one.state = replace(one.state, span=Span.of(span.first, min(span.last, first_ms - 1)))
        self._closed_until = min(self._closed_until, max(first_ms - 1, self._told_until))
        self._release()
        self._tell_hands(max(first_ms - 1, self._closed_until + 1), self._all_zones, objects)

    def lose(self, first_ms: int, last_ms: int, reason: str) -> None:
        """Add a stretch of which nothing is said."""
        first = max(first_ms, self._closed_until + 1)
        span = Span.of(first, max(first, last_ms))
        self._hand_out(TableState(span=span, view="lost", reason=reason))

    def finish(self, t_ms: int, covered: frozenset[str], objects: tuple[SeenObject, ...]) -> None:
        """Close the open state at the end; hands seen after it began need one more to be told."""
        now = self._open
        if now is not None and not now.stalled:
            now.last = max(now.last, t_ms)
        self._close()
        self._settle(t_ms, covered)
        self._release()
        self._tell_hands(t_ms, covered, objects)

    def _tell_hands(self, t_ms: int, covered: frozenset[str], objects: tuple[SeenObject, ...]) -> None:
        """Add a state of one moment that tells the hands seen since the one before, if there were any."""
        hands = self._hands.take(t_ms)
        if hands and t_ms > self._closed_until:
            self._hand_out(TableState(span=Span.of(t_ms), objects=objects, covered=covered, hands=hands))

    def _hand_out(self, state: TableState) -> None:
        self._ready.append(state)
        self._told_until = int(state.span.last)
        self._closed_until = max(self._closed_until, self._told_until)

    def _settle(self, t_ms: int, covered: frozenset[str]) -> None:
        """Decide of closed states what the zones that are seen now had held, and hand out what is decided."""
        for closed in self._waiting:
            span = closed.state.span
            seen = {
                zone for zone in closed.undecided if zone not in covered and span.last < t_ms <= span.last + _BRIEF_MS
            }
            closed.undecided = closed.undecided if t_ms - span.last <= _BRIEF_MS else set()
            closed.undecided = closed.undecided - seen
            for zone in sorted(seen):
                closed.state = self._uncovered(closed.state, zone)
        while self._waiting and (
            not self._waiting[0].undecided or self._waiting[0].state.span.last < t_ms - _PATIENCE_MS
        ):
            self._hand_out(self._waiting.pop(0).state)
        oldest = self._waiting[0].state.span.first if self._waiting else t_ms
        self._changes = [change for change in self._changes if change.rested_ms > oldest - _PATIENCE_MS]

    def _uncovered(self, state: TableState, zone: str) -> TableState:
        """Return the state without the covered zone, as far as nothing can have changed there before its end.

        If something did begin to change there while the state held, the state ends with that moment.
        """
        span = state.span
        within = [
            change.dirty_ms
            for change in self._changes
            if zone in change.zones and change.dirty_ms < span.last and change.rested_ms > span.first
        ]
        if min(within, default=span.last) < span.first:
            return state
        last = Millis(min(within, default=span.last))
        return replace(state, span=Span(span.first, last), covered=state.covered - {zone})

    def _release(self) -> None:
        for closed in self._waiting:
            self._hand_out(closed.state)
        self._waiting.clear()
        self._changes.clear()

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
        long = {zone for zone in covered if first - self._seen_ms.get(zone, -_PATIENCE_MS) > _BRIEF_MS}
        self._open = _Open(
            first=first, last=last, objects=objects, covered=covered, hands=seen, long_covered=frozenset(long)
        )
        self._uncovered_since = None

    def _close(self) -> None:
        state, now = next(self._still(), None), self._open
        if state is None or now is None:
            return
        self._waiting.append(_Closed(state=state, undecided=set(now.covered) - now.long_covered))
        self._closed_until, self._open = now.last, None

    def _still(self) -> Iterator[TableState]:
        """The state that is open now, if one is."""
        now = self._open
        if now is not None:
            span = Span(Millis(now.first), Millis(now.last))
            yield TableState(span=span, objects=now.objects, covered=now.covered, hands=now.hands)
