"""Until when a player may change a wager that he made after the deal: insurance, a double, a split (004:L801, L815)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from audit.reconstruction.changes import Change, change_between
from audit.reconstruction.elements import Element
from audit.reconstruction.observation import SeatSeen
from audit.reconstruction.places import Places
from audit.reconstruction.slices import Slice
from audit.states import CARD_KINDS, SeenObject, TableState

_FINDER: Final = "ace_finder"


def in_finder(state: TableState, places: Places) -> list[SeenObject]:
    """Return the cards that lie in the ace finder."""
    return [item for item in state.objects if item.kind in CARD_KINDS and _FINDER in places.zones(item.xy_mm)]


def look_at_hole_card(piece: Slice, places: Places, turned: Change | None) -> Change | None:
    """Return the change that brought the dealer's cards into the ace finder, None if they were not seen there."""
    until = piece.last if turned is None else turned.state
    for place in range(piece.first + 1, until + 1):
        if in_finder(piece.states[place], places):
            return change_between(piece.states, place - 1, place, ("dealer.cards", _FINDER))
    return None


def open_wagers(
    elements: Sequence[Element], piece: Slice, places: Places, seats: Mapping[int, SeatSeen], turned: Change | None
) -> list[Element]:
    """Return the piles with what was changed in time taken for a part of them; insurance taken back is none.

    Insurance is open until it is closed, at the latest when the dealer looks at his hole card, a player's hit comes or
    the hole card is turned; a double and a split until the seat's next card (004:L801, L815-816).
    """
    hits = [card.appeared for seen in seats.values() for card in seen.drawn]
    insured_until = _first([look_at_hole_card(piece, places, turned), turned, *hits], piece)
    kept = []
    for element in elements:
        if element.spot.endswith("insurance"):
            if _taken_back(element, insured_until):
                continue
            element.decided_by(insured_until, may_shrink=True)
        elif element.spot.endswith(".main") and not element.stake:
            element.decided_by(_next_card(element, piece, seats, turned))
        kept.append(element)
    return kept


def _taken_back(element: Element, closing: Change) -> bool:
    gone = [move.change for move in element.lowered if not move.after]
    return bool(gone) and not gone[-1].span.certainly_after(closing.span)


def _next_card(element: Element, piece: Slice, seats: Mapping[int, SeatSeen], turned: Change | None) -> Change:
    """Return the change that ends a decision on a main wager: the next card to its seat, or the hole card turned."""
    seen = seats.get(int(element.spot.partition(".")[0].removeprefix("seat")))
    cards = [] if seen is None else [card.appeared for card in seen.cards]
    later = [change for change in cards if not change.span.certainly_before(element.placed.span)]
    return _first([turned, *later], piece)


def _first(changes: Iterable[Change | None], piece: Slice) -> Change:
    known = [change for change in changes if change is not None]
    end = Change(state=len(piece.states), seen=piece.states[-1].span)
    return min(known, key=lambda change: change.state, default=end)
