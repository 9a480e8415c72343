"""Why it is not known what became of a wager's pile though each of its looks was followed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from audit.reconstruction.changes import change_between
from audit.reconstruction.dividing import perhaps_parted
from audit.reconstruction.elements import Element
from audit.reconstruction.evidence import best
from audit.reconstruction.handing import came_before_him
from audit.reconstruction.pile_track import PileTrack
from audit.reconstruction.places import Places
from audit.reconstruction.slices import Slice

BOTH_SIDES: Final = "hands of both sides were"
"""Why it is not known what became of a pile: it may have been settled and collected at once."""
SUDDEN: Final = "it was missing a moment after it was seen"
MISSING: Final = "it was missing for a while"
UNREAD: Final = "it was read no more, and a pile beside it may be a part of it"
PART: Final = "only a part of it was taken"
TO_THE_RACK: Final = "the dealer's hand came to the rack next"
LOST: Final = "the view was lost while it stood"
NO_DOUBLE: Final = "its hand has a double's card, and no double was seen"
WITH_MORE: Final = "its cheques and more stand before the player, and a payment may have gone unseen"
NOT_RACKED: Final = "it went with what was paid on it, and the dealer's hand did not come to the rack"
REACHED_PAST: Final = "its payment may be that which stands in the zone of another wager, where no hand came"
_RACK: Final = frozenset({"rack"})


def doubt(element: Element, piece: Slice, tracks: Sequence[PileTrack], places: Places, *, settling: int | None) -> str:
    """Return why it is not known what became of a pile; nothing if it is.

    It may have been taken, and another like it put there, while hands of both sides were over the spot; where no hand
    was ever seen, so may any pile that was missing for a while.
    """
    reason = ""
    if element.track.handled:
        reason = f"{MISSING}, and may be another one like it"
    elif element.track.lapsed and not any(state.hands for state in piece.states):
        reason = f"{MISSING}, and no hands were seen"
    elif perhaps_parted(element.track, element.payments):
        reason = UNREAD
    elif _handed_with_more(element, piece, tracks, places):
        reason = WITH_MORE
    for before, after in pairwise([index for index, _ in element.track.looks]):
        change = change_between(piece.states, before, after, element.track.zones)
        if settling is not None and after > settling and not element.pays and change.sides == {"dealer", "player"}:
            reason = f"{BOTH_SIDES} over it between two states"
    return reason


def _handed_with_more(element: Element, piece: Slice, tracks: Sequence[PileTrack], places: Places) -> bool:
    """Whether a pile that the dealer lifted, not to the rack, stands before its player with cheques added to it."""
    gone, stack = element.track.gone, best(element.track.versions()[-1].stacks)
    if element.taken is None or element.pays or gone is None or not gone.by_dealer or stack is None:
        return False
    racked = change_between(piece.states, element.track.looks[-1][0], gone.state, _RACK).sides
    came = (best(one.versions()[0].stacks) for one in came_before_him(element, gone, tracks, places))
    return "dealer" not in racked and any(one is not None and not Counter(stack) - Counter(one) for one in came)
