"""When something changed on the felt, and whose hand was there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from audit.states import HandSeen, SeenObject, TableState
from audit.timing import Span

_MOMENT: Final = 2
_LONG_MS: Final = 4_000
_AT_ONCE_MS: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One change: the state that first shows it, the span in which it happened, and the hands over the place then.

    ``seen`` is the whole stretch between the two looks at the place; ``span`` is narrowed to the hands, if any.
    ``blind``: the view was lost between the two, so that nothing is known of hands, nor of what came and went.
    ``sudden``: it was in plain view so shortly before that nobody can have taken it: one of the two looks is wrong.
    ``before_hands``: it was missing before the hands came that were seen there, though no look may have missed it then.
    """

    state: int
    seen: Span
    hands: tuple[HandSeen, ...] = ()
    blind: bool = False
    sudden: bool = False
    before_hands: bool = False

    @property
    def span(self) -> Span:
        """When it happened, as narrowly as the hands allow."""
        if not self.hands:
            return self.seen
        first = max(self.seen.first, min(hand.span.first for hand in self.hands))
        last = min(self.seen.last, max(hand.span.last for hand in self.hands))
        return Span.of(first, max(first, last)) if first <= self.seen.last else self.seen

    @property
    def sides(self) -> frozenset[str]:
        """The sides from which hands came: dealer, player, both or none seen."""
        return frozenset(hand.side for hand in self.hands)

    @property
    def by_dealer(self) -> bool:
        """Whether only the dealer's hand was there."""
        return self.sides == {"dealer"}

    @property
    def by_player(self) -> bool:
        """Whether only a player's hand was there."""
        return self.sides == {"player"}

    @property
    def dealer_last(self) -> bool:
        """Whether the dealer's hand came when every player's had left: what lies there since, he laid so."""
        player, dealer = hand_spans(self)
        return bool(dealer) and all(one.last < other.first for one in player for other in dealer)


def first_of(changes: Iterable[Change | None]) -> Change | None:
    """Return the earliest change, None if there is none."""
    known = [change for change in changes if change is not None]
    return min(known, key=lambda change: change.state, default=None)


def last_of(changes: Iterable[Change | None]) -> Change | None:
    """Return the latest change, None if there is none."""
    known = [change for change in changes if change is not None]
    return max(known, key=lambda change: change.state, default=None)


def of_one_visit(one: Change, later: Change) -> bool:
    """Return whether a hand that made the later of two changes was there when a look showed the earlier one."""
    return any(hand.side in one.sides and hand.span.first <= one.seen.last for hand in later.hands)


def change_between(states: Sequence[TableState], before: int | None, after: int, zones: Iterable[str]) -> Change:
    """Return the change between the state ``before`` (None: before all of them) and the state ``after``.

    Only hands over the named zones are kept. Where the view was lost between the two, none: whose hand it was is not
    known then.
    """
    names = frozenset(zones)
    gap = states[0 if before is None else before + 1 : after + 1]
    hands = tuple(hand for state in gap for hand in state.hands if not names.isdisjoint(hand.zones))
    blind = any(state.view != "ok" for state in gap)
    hands = () if blind else hands
    last = states[after].span.first
    first = states[0].span.first if before is None else states[before].span.last + 1  # at its last moment it still held
    first = min(first, last)
    return Change(state=after, seen=Span.of(first, last), hands=hands, blind=blind)


def departure(
    states: Sequence[TableState], before: int, after: int, zones: Iterable[str], *, hidden: bool = False
) -> Change:
    """Return the change by which something went that the state ``before`` showed and the state ``after`` does not.

    ``hidden``: its place was covered in the state ``before``, so that it may have been taken then. Gone at once where
    another segment of the footage begins, which never saw it, it went at a time, and by a hand, that are not known.
    """
    change = change_between(states, before, after, zones)
    at_once = after == before + 1 and change.seen.last - change.seen.first <= _AT_ONCE_MS
    if hidden or change.blind or not at_once or not _watched_anew(states[before], states[after]):
        return change
    return Change(state=after, seen=Span.of(change.seen.first, states[-1].span.last), sudden=True)


def _watched_anew(before: TableState, after: TableState) -> bool:
    """Return whether two states are told by two watchers: they say differently since when a thing lies there."""
    known = {(item.kind, item.since_ms) for item in before.objects}
    since = [(item.kind, item.since_ms) for item in after.objects if item.since_ms is not None]
    return any(one not in known and one[1] <= before.span.last for one in since)


def hand_spans(change: Change) -> tuple[list[Span], list[Span]]:
    """Return when players' hands and when the dealer's were over the place of a change."""
    of_side = {side: [hand.span for hand in change.hands if hand.side == side] for side in ("player", "dealer")}
    return of_side["player"], of_side["dealer"]


def is_watched(states: Sequence[TableState]) -> bool:
    """Return whether any hand at all was ever seen: else hands were not watched, and nothing is said of them."""
    return any(state.hands for state in states)


def is_unattended(change: Change, states: Sequence[TableState]) -> bool:
    """Return whether something seems to have changed in sight without any hand, where hands are seen."""
    return not (change.hands or change.blind) and is_watched(states)


def is_ghost(
    states: Sequence[TableState], looks: Sequence[tuple[int, SeenObject]], appeared: Change, gone: Change | None
) -> bool:
    """Return whether something seen for a moment came and went without any hand: nothing was there.

    Where no hand at all was ever seen, hands were not watched, and nothing is called a ghost. Neither is what one look
    after the other reads alike for long: the hands were missed.
    """
    brief = len(looks) <= _MOMENT and gone is not None and not appeared.hands and not gone.hands
    return brief and is_watched(states) and not _is_read_for_long(states, looks)


def _is_read_for_long(states: Sequence[TableState], looks: Sequence[tuple[int, SeenObject]]) -> bool:
    lasted = states[looks[-1][0]].span.last - states[looks[0][0]].span.first
    readings = {item.card or item.stack for _, item in looks}
    return len(looks) == _MOMENT and lasted >= _LONG_MS and len(readings) == 1 and None not in readings
