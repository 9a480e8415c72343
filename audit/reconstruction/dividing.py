"""A wager that the dealer breaks down on its spot before he pays it (004:L741): what was one pile stands as several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Final

from audit.reconstruction.evidence import Stack, best
from audit.reconstruction.piles import PileTrack

_MOST_PARTS: Final = 3


def parts_of(wager: PileTrack, state: int, came: Sequence[PileTrack]) -> tuple[PileTrack, ...]:
    """Return the new piles on a wager's spot that hold what is gone from its pile; none if it was not divided.

    Args:
        wager: the pile of the wager; it became lower at the state, or is gone.
        state: the state that first shows the change.
        came: the piles that this state shows for the first time.
    """
    lost = _lost(wager, state)
    if not lost:
        return ()
    here = [track for track in came if track.spot == wager.spot]
    stands = wager.gone is None or wager.gone.state != state
    for number in range(1 if stands else 2, min(len(here), _MOST_PARTS) + 1):
        for some in combinations(here, number):
            stacks = [best(track.versions()[0].stacks) for track in some]
            if None not in stacks and sum((Counter(stack) for stack in stacks), Counter[str]()) == lost:
                return some
    return ()


def _lost(wager: PileTrack, state: int) -> Counter[str]:
    """The cheques that a pile lost at a state; none if it gained any, or was not read."""
    before: Stack | None
    after: Stack | None
    if wager.gone is not None and wager.gone.state == state:
        before, after = best(wager.versions()[-1].stacks), ()
    else:
        change = next((n for n, one in enumerate(wager.versions()) if n and one.change.state == state), None)
        if change is None:
            return Counter()
        before, after = (best(one.stacks) for one in wager.versions()[change - 1 : change + 1])
    if before is None or after is None or Counter(after) - Counter(before):
        return Counter()
    return Counter(before) - Counter(after)
