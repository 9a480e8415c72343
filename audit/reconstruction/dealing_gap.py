"""What the house did to wagers between the same two states as the deal: whether before it or after, nobody saw."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import Final

from audit.reconstruction.changes import Change, change_between
from audit.reconstruction.handing import IN_RACK
from audit.reconstruction.pile_track import PileTrack
from audit.reconstruction.places import PAYS_WITHIN_MM, distance
from audit.reconstruction.slices import Slice

DEALT: Final = "the dealer's hand was over it between the two states between which the first card came"


@dataclass(frozen=True, slots=True, kw_only=True)
class DealingGap:
    """Piles of spots that the house may have settled then: the wagers that stood before, and what came beside."""

    wagers: tuple[PileTrack, ...]
    beside: tuple[PileTrack, ...]

    @classmethod
    def of(cls, tracks: Iterable[PileTrack], piece: Slice) -> DealingGap:
        """Return those of a round: a wager that stood there may be settled, raised by a payment upon it, or gone.

        A Blazing 7's wager is lifted then, as it should be.
        """
        every = list(tracks)
        spots = [track for track in every if track.spot is not None and not track.spot.endswith(IN_RACK)]
        stood = [track for track in spots if _stood(track, piece)]
        came = [track for track in every if track.appeared.state == piece.first]
        wagers: list[PileTrack] = []
        beside: list[PileTrack] = []
        for spot in sorted({str(track.spot) for track in stood}):
            own = [track for track in stood if track.spot == spot]
            new = [track for track in came if _is_set_beside(track, own, piece)]
            new = [track for track in new if _by_house(track.appeared, spot, piece)]
            if new or any(_by_house(change, spot, piece) for track in own for change in _changes(track, piece)):
                wagers += own
                beside += new
        bare = [track for track in spots if track in came and all(one.spot != track.spot for one in stood)]
        wagers += [track for track in bare if _is_laid_and_settled(track, piece)]
        return cls(wagers=tuple(wagers), beside=tuple(beside))


def unseen_payment(spot: str, piece: Slice) -> str:
    """Return why it is not known whether a wager was paid there then, and that collected; nothing if it is known."""
    if piece.begun_unseen:
        return ""
    change = change_between(piece.states, piece.first - 1, piece.first, {spot})
    return DEALT if _came_back(change, spot, piece) else ""


def came_back_to_wagers(piece: Slice) -> bool:
    """Return whether the dealer's hand was over a seat's wagers after it had dealt there, before the first look."""
    hands = piece.states[piece.first].hands
    zones = {zone for hand in hands if hand.side == "dealer" for zone in hand.zones}
    spots = [zone for zone in zones if zone.startswith("seat") and not zone.endswith(".cards")]
    gap = ((spot, change_between(piece.states, piece.first - 1, piece.first, {spot})) for spot in spots)
    return any(_came_back(change, spot, piece) for spot, change in gap)


def _stood(track: PileTrack, piece: Slice) -> bool:
    """Return whether a pile stood there in the state before the one that shows the first card."""
    return not piece.begun_unseen and track.looks[0][0] < piece.first and track.stands_in(piece.first - 1)


def _changes(track: PileTrack, piece: Slice) -> Iterator[Change]:
    """Yield how a pile became another, or went, when the first card came."""
    changes = [version.change for version in track.versions()[1:]]
    changes += [] if track.gone is None else [track.gone]
    return (change for change in changes if change.state == piece.first)


def _by_house(change: Change, spot: str, piece: Slice) -> bool:
    return change.by_dealer or _came_back(change, spot, piece)


def _came_back(change: Change, spot: str, piece: Slice) -> bool:
    """Return whether the dealer's hand was over a spot after one that dealt to its seat, and not to deal."""
    cards = f"{spot.partition('.')[0]}.cards"
    hands = change_between(piece.states, piece.first - 1, piece.first, {cards}).hands
    dealing = [hand.span for hand in hands if hand.side == "dealer"]
    dealt_ms = min((span.first for span in dealing), default=inf)
    later = (hand.span for hand in change.hands if hand.side == "dealer" and hand.span.first > dealt_ms)
    return any(not any(span.overlaps(other) for other in dealing) for span in later)


def _is_laid_and_settled(track: PileTrack, piece: Slice) -> bool:
    """Return whether a pile that came then may hold its payment: both hands were there, the dealer's after the deal."""
    watched = not piece.begun_unseen and track.appeared.sides == {"dealer", "player"}
    return watched and _came_back(track.appeared, str(track.spot), piece)


def _is_set_beside(track: PileTrack, own: Sequence[PileTrack], piece: Slice) -> bool:
    """Return whether a pile came to a spot's wagers, in its zone or outside all of them."""
    if track.spot is not None:
        return track.spot == own[0].spot
    at = piece.first
    return any(distance(one.xy_at(at), track.xy_at(at)) <= PAYS_WITHIN_MM for one in own)
