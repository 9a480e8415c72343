"""Why it is not known what became of a wager's pile though each of its looks was followed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from audit.reconstruction.changes import Change, change_between, is_watched
from audit.reconstruction.dividing import perhaps_parted
from audit.reconstruction.elements import Element
from audit.reconstruction.evidence import best
from audit.reconstruction.handing import came_a_little_later, came_back, came_before_him
from audit.reconstruction.pile_track import PileTrack
from audit.reconstruction.places import Places
from audit.reconstruction.slices import Slice
from audit.states import TableState

BOTH_SIDES: Final = "hands of both sides were"
"""Why it is not known what became of a pile: it may have been settled and collected at once."""
SUDDEN: Final = "it was missing a moment after it was seen"
MISSING: Final = "it was missing for a while"
UNSEEN: Final = "not every hand was seen that changed the table while it stood"
UNREAD: Final = "it was read no more, and a pile beside it may be a part of it"
PART: Final = "only a part of it was taken"
TO_THE_RACK: Final = "the dealer's hand came to the rack next"
LOST: Final = "the view was lost while it stood"
LOST_SINCE: Final = "the view was lost after it was paid"
BOTH_SINCE: Final = "it went under hands of both sides after it was paid"
SINCE_PAID: Final = frozenset({LOST_SINCE, BOTH_SINCE})
"""It is known what was paid until then; whether more came is not."""
NO_DOUBLE: Final = "its hand has a double's card, and no double was seen"
WITH_MORE: Final = "its cheques and more stand before the player, and a payment may have gone unseen"
SENT_UNSEEN: Final = "the dealer's hand came to it from the rack and again, and then its player's, between two looks"
SENT_LATER: Final = "more cheques than it had stood before its player a moment later"
NOT_RACKED: Final = "it went with what was paid on it, and the dealer's hand did not come to the rack"
REACHED_PAST: Final = "its payment may be that which stands in the zone of another wager, where no hand came"
_RACK: Final = frozenset({"rack"})
_PAID_AND_COLLECTED_MS: Final = 3000


def doubt(element: Element, piece: Slice, tracks: Sequence[PileTrack], places: Places, *, settling: int | None) -> str:
    """Return why it is not known what became of a pile; nothing if it is.

    It may have been taken, and another like it put there, while hands of both sides were over the spot; where no hand
    was ever seen, so may any pile that was missing for a while.
    """
    reason = _of_its_looks(element, piece) or _of_what_came(element, piece, tracks, places)
    for before, after in pairwise([index for index, _ in element.track.looks]):
        change = change_between(piece.states, before, after, element.track.zones)
        if settling is None or after <= settling or element.pays:
            continue
        if change.sides == {"dealer", "player"}:
            reason = f"{BOTH_SIDES} over it between two states"
        elif not change.hands and _others_unseen(change, piece, places, before):
            reason = UNSEEN
    return reason


def shown_settled(element: Element, piece: Slice) -> int | None:
    """Return the first look at a wager that was paid when all cards are away: what comes of it later is its player's.

    None without one.
    """
    if not element.pays:
        return None
    settled = max(piece.last, *(move.change.state for move in element.pays))
    return min((index for index, _ in element.track.looks if index > settled), default=None)


def went_unseen(element: Element, change: Change) -> str:
    """Return why nobody knows who has a pile that went when no hand, or hands of both sides, were seen there."""
    if change.blind:
        return "" if element.pays else LOST
    if element.pays and change.sides == {"dealer", "player"}:
        return BOTH_SINCE
    return f"{BOTH_SIDES if change.hands else 'no hand was'} seen over it when it went"


def _of_its_looks(element: Element, piece: Slice) -> str:
    """Why the looks at a pile do not tell what became of it."""
    if element.track.handled:
        return f"{MISSING}, and may be another one like it"
    if element.track.lapsed and not any(state.hands for state in piece.states):
        return f"{MISSING}, and no hands were seen"
    return UNREAD if perhaps_parted(element.track, element.payments) else ""


def _of_what_came(element: Element, piece: Slice, tracks: Sequence[PileTrack], places: Places) -> str:
    """Why a pile that went may stand before its player."""
    if _handed_with_more(element, piece, tracks, places):
        return WITH_MORE
    return SENT_LATER if came_a_little_later(element, piece.states, tracks, places) else ""


def _others_unseen(change: Change, piece: Slice, places: Places, before: int) -> bool:
    """Whether between two looks all cards of a seat went though no hand was seen over them, and there was time to pay.

    So hands may have come to the wager unseen, too: the dealer's with its payment, and the player's for that.
    """
    if change.seen.last - change.seen.first < _PAID_AND_COLLECTED_MS or not is_watched(piece.states):
        return False
    shown, left = (_card_zones(piece.states[at], places) for at in (before, change.state))
    return any(not change_between(piece.states, before, change.state, {zone}).hands for zone in shown - left)


def _card_zones(state: TableState, places: Places) -> set[str]:
    """Return the seats' places where cards lie."""
    zones = {name for item in state.objects if item.kind == "card" for name in places.zones(item.xy_mm)}
    return {name for name in zones if name.startswith("seat") and name.endswith(".cards")}


def _handed_with_more(element: Element, piece: Slice, tracks: Sequence[PileTrack], places: Places) -> bool:
    """Whether a pile that the dealer lifted stands before its player with cheques added to it.

    His hand did not come to the rack meanwhile, or it came from there and to the wager again.
    """
    gone = element.track.gone
    if gone is None or not gone.by_dealer or (element.taken is None and element.collected is None):
        return False
    if any(move.before and move.after and move.change.state == gone.state for move in element.pays):
        return False  # what it became was counted
    piles = dict.fromkeys((element.track, *element.parts, *element.payments))
    stacks = [best(one.versions()[-1].stacks) for one in piles if one.goes_at(gone.state)]
    racked = change_between(piece.states, element.track.looks[-1][0], gone.state, _RACK).sides
    if None in stacks or not ("dealer" not in racked or came_back(element, gone, piece.states)):
        return False
    whole = Counter(cheque for stack in stacks for cheque in stack or ())
    came = (best(one.versions()[0].stacks) for one in came_before_him(element, gone, tracks, places))
    least = whole.total() + (element.taken is None)  # what went to the player whole is no less than that
    return any(one is not None and not whole - Counter(one) and len(one) >= least for one in came)
