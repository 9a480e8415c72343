"""A wager that the dealer puts upon its own payment, to push both to the player as one pile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from audit.reconstruction.changes import Change
from audit.reconstruction.dividing import joined_into
from audit.reconstruction.elements import Element
from audit.reconstruction.evidence import Stack
from audit.reconstruction.pile_track import PileTrack
from audit.states import HandSeen, TableState

_RACKED_MS: Final = 3000
_SWEEP_MS: Final = 800  # from one wager to the next that he takes with it
_RACK: Final = "rack"


@dataclass(frozen=True, kw_only=True)
class Stacked:
    """One pile that was a payment and holds its wager since: what each of the two was."""

    wager: Mapping[Stack, float]
    payment: Mapping[Stack, float]


def payment_beneath(element: Element, state: int) -> PileTrack | None:
    """Return the payment of a wager upon which its pile was put at a state, None if it was not."""
    gone = element.track.gone
    if gone is None or gone.state != state or gone.by_player:
        return None
    standing = (pile for pile in element.payments if pile.stands_in(state))
    return next((pile for pile in standing if joined_into(pile, state, [element.track])), None)


def put_along(element: Element, payment: PileTrack, state: int, others: Sequence[Element]) -> list[Element]:
    """Return the other piles of a wager that were put upon its payment together with its first one."""
    own = [one for one in others if one is not element and one.spot == element.spot and one.track.gone is not None]
    tracks = [one.track for one in own if one.track.gone is not None and one.track.gone.state == state]
    some = joined_into(payment, state, [element.track, *tracks])
    return [one for one in own if one.track in some]


def stacked_upon(payment: PileTrack, wager: PileTrack, state: int) -> Stacked:
    """Return what the pile of a wager and the payment were upon which it was put at a state."""
    before = [version for version in payment.versions() if version.change.state < state]
    return Stacked(wager=wager.versions()[-1].stacks, payment=before[-1].stacks)


def never_racked(element: Element, change: Change, states: Sequence[TableState], others: Sequence[Element]) -> bool:
    """Return whether the dealer lifted a paid wager and his hand, seen over the rack else, did not come there.

    He pushed it to its player then, or holds it still: nobody saw where it went. A paid toke goes to the dealer's box,
    and so does one that stands beside a bet that stays. What went with a paid wager of its spot went the same way. An
    arm that had begun to settle another wager brought nothing to the rack, nor one that came for another much later.
    """
    row = [one for one in others if one.spot == element.spot]
    toke = element.spot.endswith(".toke") or any(one.track.stands_in(change.state) for one in row)
    stays = any(pile.stands_in(change.state) for one in row for pile in one.payments)
    if not any(one.pays for one in (element, *row)) or not change.by_dealer or toke or stays:
        return False
    racked = [hand for state in states for hand in state.hands if _is_over_the_rack(hand)]
    return bool(racked) and not any(_may_have_brought(hand, element, change) for hand in racked)


def _may_have_brought(hand: HandSeen, element: Element, change: Change) -> bool:
    """Whether a hand at the rack may have come there with what the dealer lifted."""
    came, left = min(one.span.first for one in change.hands), max(one.span.last for one in change.hands)
    busy = _settles_others(hand, element)
    if hand.span.last < change.seen.first or (busy and hand.span.first < came):
        return False
    return hand.span.first <= left + (_SWEEP_MS if busy else _RACKED_MS)


def _settles_others(hand: HandSeen, element: Element) -> bool:
    """Whether a hand came to other wagers, and not to this one."""
    spots = {zone for zone in hand.zones if zone.startswith("seat") and not zone.endswith(".cards")}
    return bool(spots) and element.spot not in spots


def _is_over_the_rack(hand: HandSeen) -> bool:
    return hand.side == "dealer" and _RACK in hand.zones
