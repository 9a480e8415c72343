"""One pile of a wager, and all that happened to it in a round."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from audit.money import Money
from audit.reconstruction.amounts import best_amount
from audit.reconstruction.changes import Change
from audit.reconstruction.evidence import Stack
from audit.reconstruction.observation import MoneyMove
from audit.reconstruction.pile_track import PileTrack
from audit.reconstruction.places import distance


@dataclass(slots=True, eq=False)
class Element:
    """One pile of a wager and all that happened to it. ``stake``: it stood when the round's first card came.

    ``original`` is the pile that was placed, ``track`` the one that stands for it now; ``since``: the state from which
    it counts, that of the round's first card or of a later decision.
    ``altered``: where a player changed its cheques for others of the same worth; ``reconsidered``: where he made it
    more or less while he might.
    ``parts``: the other piles that it was divided into; ``payments``: those that were set beside it.
    ``in_rack``: collected, before the deal or late, in play without cheques (Blazing 7's).
    ``upon``: the pile of another wager of the seat upon which the dealer put it to settle both.
    ``decided``: the state that first showed what it is settled by, None if that was not seen.
    """

    track: PileTrack
    spot: str
    stake: bool
    original: PileTrack
    since: int
    pays: list[MoneyMove] = field(default_factory=list)
    raised: list[MoneyMove] = field(default_factory=list)
    lowered: list[MoneyMove] = field(default_factory=list)
    altered: list[MoneyMove] = field(default_factory=list)
    reconsidered: list[MoneyMove] = field(default_factory=list)
    taken: MoneyMove | None = None
    collected: Change | None = None
    unclear: str = ""
    parts: list[PileTrack] = field(default_factory=list)
    payments: list[PileTrack] = field(default_factory=list)
    in_rack: bool = False
    upon: Element | None = None
    decided: int | None = None

    @property
    def piles(self) -> int:
        """How many piles it became."""
        return 1 + sum(part is not self.track for part in self.parts)

    def apart(self, track: PileTrack, state: int) -> float:
        """Return how far a pile stands from the nearest pile of this one's that stands at a state, in millimetres."""
        standing = [self.track, *(part for part in self.parts if part.stands_in(state))]
        return min(distance(one.xy_at(state), track.xy_at(state)) for one in standing)

    def apart_from_payments(self, track: PileTrack, state: int) -> float:
        """Return how far a pile stands from the nearest payment beside this one at a state; infinite without one."""
        standing = [one for one in self.payments if one.stands_in(state)]
        return min((distance(one.xy_at(state), track.xy_at(state)) for one in standing), default=float("inf"))

    def was_sent(self, state: int) -> bool:
        """Return whether it went to the player at a state, with what was paid on it."""
        return bool(self.pays) and self.collected is not None and self.collected.state == state

    def decided_by(self, closing: Change, *, may_shrink: bool = False) -> None:
        """Take what the player added before a change for a part of the wager, which was not closed until then.

        ``may_shrink``: he might take some of it back, too. What may have come before the change is in time.
        """
        moves = [*self.raised, *(move for move in self.lowered if may_shrink and move.after)]
        open_ = [move for move in moves if not move.change.span.certainly_after(closing.span)]
        self.reconsidered += open_
        if open_:
            self.since = max(move.change.state for move in open_)
            self.raised = [move for move in self.raised if move not in open_]
            self.lowered = [move for move in self.lowered if move not in open_]

    def take_in_parts(self, chips: Mapping[str, Money]) -> None:
        """Take what the dealer lifted off a wager before he took the rest of it for a part of the taking."""
        added = [best_amount(move.net(chips)) for move in self.pays]
        if self.taken is not None and added and all(amount is not None and amount < 0 for amount in added):
            self.taken = replace(self.taken, before=self.pays[0].before)
            self.pays = []

    def share_the_end_of(self, other: Element) -> None:
        """Take over what became of another pile of the wager, upon which this one was put."""
        taken = other.taken
        self.taken = None if taken is None else replace(taken, before=(), after=())
        self.collected, self.unclear = other.collected, other.unclear

    @property
    def placed(self) -> Change:
        """When the pile was put there."""
        return self.original.appeared

    @property
    def stacks(self) -> Mapping[Stack, float]:
        """What the pile was when it was placed, or when the first card came; nothing if it may hold its payment."""
        if self.since < self.original.appeared.state and self.stake:
            return {}
        if self.in_rack:
            return self.original.versions()[-1].stacks
        return self.original.stacks_at(max(self.since, self.original.appeared.state))


def nearest_first(tracks: Iterable[PileTrack], elements: Sequence[Element], state: int) -> list[PileTrack]:
    """Return piles that came to a state, the nearest to a wager that stands there first.

    So the first stack of a payment is known as that before the next, which stands beside it and farther off.
    """
    standing = [element for element in elements if element.track.stands_in(state)]
    return sorted(
        tracks, key=lambda track: min((element.apart(track, state) for element in standing), default=math.inf)
    )
