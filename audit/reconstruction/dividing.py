"""Piles of one wager that are divided or joined on their spot: it stays one wager (004:L741).

A dealer breaks a wager of several colours down before he pays it, and stacks it up with its payment; a player puts his
two piles upon each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Final

from audit.reconstruction.changes import Change, hand_spans
from audit.reconstruction.evidence import Stack, best, cheques_of, stack_chances
from audit.reconstruction.handing import hands_at_rack
from audit.reconstruction.pile_track import PileTrack, PileVersion
from audit.reconstruction.places import distance
from audit.states import TableState

_MOST_PARTS: Final = 8
_READ: Final = 0.9


def parts_of(wager: PileTrack, state: int, came: Sequence[PileTrack]) -> tuple[PileTrack, ...]:
    """Return the new piles on a wager's spot that hold what is gone from its pile; none if it was not divided.

    Of several choices, as where another wager of the spot was paid meanwhile, they are those nearest to it.

    Args:
        wager: the pile of the wager; it became lower at the state, or is gone.
        state: the state that first shows the change.
        came: the piles that this state shows for the first time.
    """
    lost = _lost(wager, state)
    if not lost:
        return ()
    here, stood = [track for track in came if track.spot == wager.spot], wager.xy_at(state - 1)
    stands = wager.gone is None or wager.gone.state != state
    for number in range(1 if stands else 2, min(len(here), _MOST_PARTS) + 1):
        alike = [
            some for some in combinations(here, number) if cheques_of(one.versions()[0].stacks for one in some) == lost
        ]
        if alike:
            return min(alike, key=lambda some: sum(distance(track.looks[0][1].xy_mm, stood) for track in some))
    return ()


def broken_down(
    wager: PileTrack, state: int, came: Sequence[PileTrack], states: Sequence[TableState]
) -> tuple[PileTrack, ...]:
    """Return the new piles on a wager's spot if the dealer broke a bet of several colours down and its rest is unread.

    Piles that touch hide one another's cheques. His hand was not at the rack: nothing was paid or taken.
    """
    before, _ = _before_and_after(wager, state)
    here = tuple(track for track in came if track.spot == wager.spot)
    rest = next((one for n, one in enumerate(wager.versions()) if n and one.change.state == state), None)
    if rest is None or before is None or len(set(before)) <= len(here) or not rest.change.by_dealer:
        return ()
    read = [Counter(best(track.versions()[0].stacks)) for track in here]
    own = all(stack and not stack - Counter(before) for stack in read)
    unread = max(rest.stacks.values(), default=0.0) < _READ
    return here if own and unread and not hands_at_rack(rest.change, states) else ()


def joined_into(wager: PileTrack, state: int, gone: Sequence[PileTrack]) -> tuple[PileTrack, ...]:
    """Return the other piles of a wager, gone at a state, of which all cheques are in its pile since."""
    before, after = _before_and_after(wager, state)
    gained = Counter(after or ()) - Counter(before or ())
    if before is None or after is None or Counter(before) - Counter(after):
        return ()
    some = []
    for track in gone:
        stack = best(track.versions()[-1].stacks)
        own = Counter(stack or ())
        if own and not own - gained:
            gained -= own
            some.append(track)
    return tuple(some)


def exchanged(old: PileVersion, new: PileVersion) -> bool:
    """Return whether a pile lost cheques and gained others at once: it may be another one in the place of the old."""
    before, after = best(old.stacks), best(new.stacks)
    if before is None or after is None:
        return False
    return bool(Counter(before) - Counter(after)) and bool(Counter(after) - Counter(before))


def perhaps_laid_anew(change: Change, last: int) -> bool:
    """Return whether a pile may be the player's next bet: his hand came after the dealer's, and the cards were away.

    ``last``: the last state that shows a card of the round. In between the old one may have been taken.
    """
    players, dealers = hand_spans(change)
    if change.state <= last or not players or not dealers:
        return False
    return max(span.last for span in players) > max(span.last for span in dealers)


def perhaps_parted(wager: PileTrack, payments: Sequence[PileTrack]) -> bool:
    """Return whether a pile beside a wager may be a part of it rather than a payment: no look tells what is left of it.

    So it may be where it came before another one, holds cheques of the wager, and no look since then reads that.
    """
    if len(payments) <= 1:
        return False
    first = min(payments, key=lambda one: one.appeared.state)
    read = [(index, chances) for index, item in wager.looks if (chances := stack_chances(item))]
    before = [best(chances) for index, chances in read if index < first.appeared.state]
    part = best(first.versions()[0].stacks)
    if len(before) < len(read) or not before or part is None:
        return False
    return not Counter(part) - Counter(before[-1]) and len(part) < len(before[-1] or ())


def _lost(wager: PileTrack, state: int) -> Counter[str]:
    """The cheques that a pile lost at a state; none if it gained any, or was not read."""
    before, after = _before_and_after(wager, state)
    if before is None or after is None or Counter(after) - Counter(before):
        return Counter()
    return Counter(before) - Counter(after)


def _before_and_after(wager: PileTrack, state: int) -> tuple[Stack | None, Stack | None]:
    """What a pile was before a state that changed it, and since then; None where that was not read, or did not."""
    if wager.gone is not None and wager.gone.state == state:
        return best(wager.versions()[-1].stacks), ()
    change = next((n for n, one in enumerate(wager.versions()) if n and one.change.state == state), None)
    if change is None:
        return None, None
    before, after = (best(one.stacks) for one in wager.versions()[change - 1 : change + 1])
    return before, after
