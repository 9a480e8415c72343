"""Cards that lie outside every zone, or on a bet's, and beside no hand."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Final

from audit.reconstruction.card_track import CardTrack
from audit.reconstruction.cards import lain_before
from audit.reconstruction.evidence import best, card_chances
from audit.reconstruction.places import DEALER, STILL_MM, Places, away_mm, distance
from audit.reconstruction.slices import Slice
from audit.states import CARD_KINDS, SeenObject, TableState
from audit.table import Point

_SURE: Final = 0.9
_SHOE: Final = "shoe"
_MOUTH_MM: Final = 20.0


def strays(tracks: Sequence[CardTrack], piece: Slice, places: Places) -> tuple[Point, ...]:
    """Return where cards lay, in at least two states, outside every zone, or on a bet's, and beside no hand.

    Or in one, if its face was surely read and the dealer's hand had just been at the shoe, unless that hand goes on and
    lays a card with this face down by the next look: it was on its way. One with the face of a card that had gone is
    that card, picked up and laid down with others. What lay there before the round and has no face that is likely is no
    card of it: a sign with the table's limits.
    """
    lay_there = lain_before(piece, places, "card")
    known = {(index, id(item)) for track in tracks for index, item in track.looks}
    before: list[Point] = []
    found: list[Point] = []
    for index in range(piece.first, piece.last + 1):
        cards = [item for item in piece.states[index].objects if item.kind in CARD_KINDS]
        went = {
            best(card_chances(track.last)) for track in tracks if track.gone is not None and track.gone.state <= index
        }
        cards = [c for c in cards if not card_chances(c) or best(card_chances(c)) not in went]
        loose = [c.xy_mm for c in cards if (index, id(c)) not in known and _is_nowhere(places, c.xy_mm)]
        loose = [point for point in loose if not any(distance(point, other) <= STILL_MM for other in lay_there)]
        laid = {best(card_chances(track.looks[0][1])) for track in tracks if track.looks[0][0] == index + 1}
        drawn = [c.xy_mm for c in cards if _is_drawn(c, piece.states[index]) and not _on_its_way(c, laid, piece, index)]
        found += [p for p in loose if p in drawn or any(distance(p, other) <= STILL_MM for other in before)]
        before = loose
    return tuple(found)


def _is_nowhere(places: Places, point: Point) -> bool:
    """Whether a point lies where no card belongs: outside every zone, or on a bet's."""
    return not at_the_mouth(places, point) and (not places.zones(point) or places.spot(point) is not None)


def at_the_mouth(places: Places, point: Point) -> bool:
    """Return whether a card lies so that it may be half out of the shoe."""
    shoe = places.profile.zone(_SHOE)
    return shoe is not None and away_mm(shoe.polygon_mm, point) <= _MOUTH_MM


def _on_its_way(card: SeenObject, laid: Set[str | None], piece: Slice, index: int) -> bool:
    """Whether the dealer's hand is still there while a card is seen whose face is among those laid by the next look."""
    now = piece.states[index].span
    moving = any(hand.side == DEALER and hand.span.overlaps(now) for hand in piece.states[index].hands)
    return moving and best(card_chances(card)) in laid


def _is_drawn(card: SeenObject, state: TableState) -> bool:
    """Whether a card shows a face that is surely read, the dealer's hand having been at the shoe before that look."""
    read = card.kind == "card" and max(card_chances(card).values(), default=0.0) >= _SURE
    return read and any(hand.side == DEALER and _SHOE in hand.zones for hand in state.hands)
