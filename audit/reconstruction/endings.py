"""What became of a pile of a wager by the end of its round, and whether that is known."""

from __future__ import annotations

from typing import Final

from audit.reconstruction.doubts import LOST, LOST_SINCE, SINCE_PAID, shown_settled
from audit.reconstruction.elements import Element
from audit.reconstruction.evidence import stack_chances
from audit.reconstruction.observation import Ending
from audit.reconstruction.places import Places
from audit.reconstruction.slices import Slice
from audit.timing import Span

_DECIDED_TOGETHER: Final = (".main", ".ante", ".raise", ".base", ".enter")
"""Wagers that are settled when the dealer's cards or the dice are shown, not before.

000:L21, 001:L50, 002:L34, 003:L70.
"""
COVERED: Final = "its place was covered until the end, from before the cards were away"


def ending(element: Element, piece: Slice, places: Places) -> tuple[Ending, str]:
    """Return what became of a pile, and why that is not known if it is not."""
    if element.in_rack:
        return Ending.STANDS, element.unclear or (COVERED if _payment_hidden(element, piece, places) else "")
    if element.unclear:
        return Ending.STANDS if element.unclear in SINCE_PAID else Ending.UNKNOWN, element.unclear
    if element.taken is not None:
        return (Ending.UNKNOWN, COVERED) if _went_under_cover(element, piece, places) else (Ending.TAKEN, "")
    if lost := _lost_while_standing(element, piece):
        paid = max((move.change.state for move in element.pays), default=len(piece.states))
        return (Ending.STANDS, LOST_SINCE) if paid < lost[0] else (Ending.UNKNOWN, LOST)
    unseen = _unseen_end(element, piece, places) if element.collected is None else ""
    return (Ending.UNKNOWN, unseen) if unseen else (Ending.STANDS, "")


def _unseen_end(element: Element, piece: Slice, places: Places) -> str:
    """Return why nobody saw what became of a pile that was neither taken nor collected; nothing if it was seen."""
    if piece.ended_unseen:
        return "the view ended before it was settled"
    return COVERED if _covered_to_the_end(element, piece, places) else ""


def _covered_to_the_end(element: Element, piece: Slice, places: Places) -> bool:
    """Whether a pile was seen no more from before the last card was away until the end."""
    track = element.track
    if track.gone is not None:
        return False
    looks = [index for index, _ in track.looks if not places.hidden(piece.states[index], track.xy_mm)]
    last = max(looks, default=0)
    later = piece.states[last + 1 :]
    return last <= piece.last and bool(later) and all(places.hidden(state, track.xy_mm) for state in later)


def _went_under_cover(element: Element, piece: Slice, places: Places) -> bool:
    """Whether a pile's place was covered from when it was seen last until the cards were away: anybody may have it."""
    track = element.track
    if track.gone is None or track.gone.state <= piece.last:
        return False
    between = piece.states[max(index for index, _ in track.looks) + 1 : track.gone.state]
    return len(between) > 1 and all(places.hidden(state, track.xy_mm) for state in between)


def _payment_hidden(element: Element, piece: Slice, places: Places) -> bool:
    """Whether nobody saw if a wager in the rack was paid: its spot was covered from the decision on.

    Once the cards are away its player may have what was paid.
    """
    since = piece.last if element.decided is None else min(element.decided, piece.last)
    settling = piece.states[since : piece.last + 1]
    return not element.pays and all(places.hidden(state, element.track.xy_mm) for state in settling)


def _lost_while_standing(element: Element, piece: Slice) -> list[int]:
    """Return the lost states between the round's first card and the last that was seen of a pile.

    It may have been paid and collected meanwhile, and another one set in its place. What is lost after it was seen
    settled hides nothing.
    """
    until = len(piece.states) if element.track.gone is None else element.track.gone.state + 1
    settled = shown_settled(element, piece)
    until = until if settled is None else min(until, settled)
    since = max(piece.first, _open_until(element, piece))
    return [index for index in range(since, until) if piece.states[index].view != "ok"]


def _open_until(element: Element, piece: Slice) -> int:
    """Return the last clear state before a wager that waits for the dealer was decided, if settled later; else 0.

    What was lost before cannot have settled it.
    """
    moves = [*element.pays, *([element.taken] if element.taken is not None else [])]
    decided = element.decided
    if decided is None or not element.spot.endswith(_DECIDED_TOGETHER) or not moves:
        return 0
    if any(move.change.state < decided for move in moves):
        return 0
    return max((index for index in range(decided) if piece.states[index].view == "ok"), default=0)


def shown_after_dealer(element: Element, piece: Slice, places: Places) -> Span | None:
    """Return a state that shows the pile standing after the last hand of the dealer over its spot, None without one.

    One that does not read it shows nothing: the dealer may have set its payment upon it.
    """
    track = element.track
    read = (index for index, item in track.looks if stack_chances(item))
    looks = [index for index in read if not places.hidden(piece.states[index], track.xy_mm)]
    if not looks:
        return None
    last = max(looks)
    until = len(piece.states) if track.gone is None else track.gone.state
    hands = [
        hand.span.last
        for state in piece.states[:until]
        for hand in state.hands
        if hand.side == "dealer" and not track.zones.isdisjoint(hand.zones)
    ]
    state = piece.states[last]
    return state.span if not hands or state.span.last > max(hands) else None
