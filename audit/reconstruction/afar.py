"""Payments laid a little farther from a wager than payments stand: they are that wager's all the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from audit.reconstruction.elements import Element
from audit.reconstruction.observation import MoneyMove
from audit.reconstruction.pile_track import PileTrack
from audit.reconstruction.places import JITTER_MM, PAYS_WITHIN_MM, STILL_MM, Places
from audit.reconstruction.slices import Slice

AFAR_MM: Final = 100.0 + JITTER_MM
"""Half a spot farther than payments stand (``PAYS_WITHIN_MM``), as far as places jitter; beyond, a player's cheques."""


def pay_from_afar(elements: Sequence[Element], tracks: Sequence[PileTrack], piece: Slice, places: Places) -> None:
    """Give each wager that stood unpaid what the dealer laid nearest to it, farther off than payments stand."""
    held = {id(pile) for one in elements for pile in (one.track, one.original, *one.parts, *one.payments)}
    free = [track for track in tracks if id(track) not in held and track.appeared.state <= piece.last]
    for track in free:
        wager = _nearest(track, elements, places)
        if wager is not None and wager.taken is None and all(move.afar for move in wager.pays):
            came = MoneyMove(before=(), after=(track.versions()[0].stacks,), change=track.appeared, afar=True)
            wager.pays.append(came)
            wager.payments.append(track)


def _nearest(track: PileTrack, elements: Sequence[Element], places: Places) -> Element | None:
    """Return the settled wager that a pile of the dealer's is for by its place, None where that does not tell it.

    It lies in no zone but the seat's own, no other wager stands as near, and the dealer did not take it back.
    """
    state = track.appeared.state
    if not track.appeared.by_dealer or (track.gone is not None and track.gone.by_dealer):
        return None
    standing = [one for one in elements if one.track.stands_in(state)]
    wager = min(standing, key=lambda one: one.apart(track, state), default=None)
    if wager is None:
        return None
    least = wager.apart(track, state)
    others = [one for one in standing if one.spot != wager.spot]
    if any(one.apart(track, state) - least <= STILL_MM for one in others):
        return None
    seat = wager.spot.partition(".")[0]
    own = all(zone.partition(".")[0] == seat for zone in places.zones(track.looks[0][1].xy_mm))
    settled = wager.decided is not None and state >= wager.decided
    return wager if own and settled and PAYS_WITHIN_MM < least <= AFAR_MM else None
