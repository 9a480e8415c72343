"""Whose payment a pile is that stands where the zones of two wagers meet: it goes to the one the dealer reached for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from audit.reconstruction.changes import Change, hand_spans
from audit.reconstruction.doubts import REACHED_PAST
from audit.reconstruction.elements import Element
from audit.reconstruction.handing import IN_RACK
from audit.reconstruction.pile_track import PileTrack
from audit.reconstruction.places import PAYS_WITHIN_MM, STILL_MM, Places
from audit.reconstruction.slices import Slice
from audit.states import TableState

_RACK: Final = "rack"
_SIDE: Final = (".trilux", ".super3")
_LATER: Final = frozenset({"raise", "draw"})


def reached_for(track: PileTrack, wagers: Sequence[Element], piece: Slice, places: Places) -> list[Element]:
    """Return the wagers of the one spot to which the dealer came with a pile whose place does not tell whose it is.

    That is so as near to a zone's edge, or as evenly between two wagers, as places jitter (contracts/states.md). None
    where its place tells it, or where the dealer's hand came to several of those spots, or to none.
    """
    around = places.spots_around(track.looks[0][1].xy_mm)
    if around == {track.spot} and track.spot is not None:
        return []
    apart = [(one.apart(track, track.appeared.state), one) for one in wagers]
    least = min((far for far, _ in apart), default=math.inf)
    close = [one for far, one in apart if far <= PAYS_WITHIN_MM and _may_be_for(one, far - least, around)]
    reached = {one.spot for one in close} & _under_the_dealer(track.appeared, piece)
    return [one for one in close if one.spot in reached] if len(reached) == 1 else []


def passed_over(element: Element, change: Change, elements: Sequence[Element], states: Sequence[TableState]) -> bool:
    """Whether the dealer came to a side wager before its player lifted it, as he settled those of the table, and went.

    He had settled another before, and his hand was over nothing but this seat's side wagers: it is not in play still.
    What he laid upon it, so that it seems to have grown, may be its payment.
    """
    if not element.spot.endswith(_SIDE) or element.raised:
        return False
    seat = element.spot.partition(".")[0]
    own = {seat + bet for bet in _SIDE}
    moves = [move.change for one in elements if one.spot.endswith(_SIDE) and one.spot not in own for move in one.pays]
    moves += [one.taken.change for one in elements if one.spot.endswith(_SIDE) and one.taken is not None]
    begun = min((move.state for move in moves if move.by_dealer), default=len(states))
    came = (hand for state in states[begun : change.state] for hand in state.hands if hand.side == "dealer")
    return any(element.spot in hand.zones and own.issuperset(hand.zones) for hand in came)


def _may_be_for(wager: Element, farther: float, around: frozenset[str | None]) -> bool:
    return wager.spot in around or (None in around and farther <= STILL_MM)


def _under_the_dealer(change: Change, piece: Slice) -> set[str]:
    """Return the zones over which the dealer's hand was seen in the stretch in which something changed."""
    gap = [state for state in piece.states[: change.state + 1] if state.span.last >= change.seen.first]
    return {zone for state in gap for hand in state.hands if hand.side == "dealer" for zone in hand.zones}


def is_later_bet(track: PileTrack, beside: Element | None, settling: int | None) -> bool:
    """Whether a pile that nobody was seen to lay is a raise or a Draw bet, which stands in its own zone.

    What is paid on the bet beside it stands there only where the dealer's hand brought it, once that bet is decided:
    before, he set a bet straight whose player's hand was missed. ``settling``: the state from which the table is
    settled, None if that is not known.
    """
    bet, came = (track.spot or "").partition(".")[2], track.appeared
    if bet not in _LATER or (beside is not None and beside.spot == track.spot):
        return False
    if came.by_dealer:
        decided = settling if beside is None else beside.decided
        return settling is not None and decided is not None and came.state < min(settling, decided)
    return not came.hands and (settling is None or came.state < settling)


def is_of_none(track: PileTrack, elements: Sequence[Element]) -> bool:
    """Whether a pile is no wager and pays none: it is a bet for the next round, or pays a wager that nobody saw.

    That is one that plays from the rack, as what the dealer sets on the bare spot of such a bet does.
    """
    spot, came = track.spot or "", track.appeared
    bare = all(element.spot != spot for element in elements) and spot.endswith(IN_RACK)
    paid = bare and came.by_dealer and any(spot in hand.zones for hand in came.hands)
    return paid or _is_next_bet(track, elements)


def _is_next_bet(track: PileTrack, elements: Sequence[Element]) -> bool:
    """Whether a pile is a player's bet for the next round: it came when his wager on that spot was paid and away.

    So it is with a blackjack, or even money, that is settled before the round ends. The dealer's hand was not the last
    there, though the player's may have been missed; he may have put his wager and its payment together. What was paid
    may have come and gone between two looks, with hands of both sides.
    """
    before = [one for one in elements if one.spot == track.spot]
    came = track.appeared.state
    piles = [pile for one in before for pile in (one.track, *one.parts, *one.payments)]
    away = all(pile.gone is not None and pile.gone.state <= came + 1 for pile in piles)
    away = away and all(index != came for pile in piles for index, _ in pile.looks)
    paid = any(one.pays or _may_have_been_paid(one) for one in before) and not any(one.taken for one in before)
    players, dealers = hand_spans(track.appeared)
    laid = not dealers or (bool(players) and max(one.last for one in players) > max(one.last for one in dealers))
    return paid and away and laid


def _may_have_been_paid(wager: Element) -> bool:
    return wager.track.gone is not None and wager.track.gone.sides == {"dealer", "player"}


def is_laid_in_play(track: PileTrack, elements: Sequence[Element], states: Sequence[TableState]) -> bool:
    """Whether a player, whose hand was missed, laid a double or split wager over which the dealer's hand was seen.

    That is so of a pile beside a wager that is still in play, if the dealer's hand, seen over the rack else, did not
    come there before: he had nothing to pay with.
    """
    spot, came = track.spot or "", track.appeared
    if not spot.endswith(".main") or not came.by_dealer or all(one.spot != spot for one in elements):
        return False
    racked = [hand for state in states for hand in state.hands if hand.side == "dealer" and _RACK in hand.zones]
    return bool(racked) and not any(hand.span.overlaps(came.seen) for hand in racked)


def reach_past(elements: Sequence[Element], piece: Slice) -> None:
    """Give payments that stand in the zone of another wager than the one to which the dealer's hand came to that one.

    So it is where the wager whose zone holds a payment has one of its own, or was taken. Where it has none, and the
    other none either, nobody knows which of the two was paid.
    """
    for holder in elements:
        for pile in tuple(holder.payments):
            meant = _meant_instead(pile, elements, piece) if pile.spot == holder.spot else None
            moves = [move for move in holder.pays if move.change is pile.appeared]
            if meant is None or not moves:
                continue
            if len(holder.payments) > 1 or holder.taken is not None:
                holder.pays.remove(moves[0])
                holder.payments.remove(pile)
                meant.pays.append(moves[0])
                meant.payments.append(pile)
            elif not meant.pays:
                holder.unclear = meant.unclear = REACHED_PAST


def _meant_instead(pile: PileTrack, wagers: Sequence[Element], piece: Slice) -> Element | None:
    """Return the one wager beside a payment over which the dealer's hand was, not over the one whose zone holds it."""
    zones = _under_the_dealer(pile.appeared, piece)
    if pile.spot in zones or not pile.appeared.by_dealer:
        return None
    state = pile.appeared.state
    some = [one for one in wagers if one.spot in zones and one.track.stands_in(state)]
    some = [one for one in some if one.apart(pile, state) <= PAYS_WITHIN_MM]
    return some[0] if len(some) == 1 else None
