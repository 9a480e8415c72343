"""Arms that pass between the camera and the table: what hands alone say is not decided while such arms are about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from audit.procedures.drafts import OTHERS_PASSED, Judged
from audit.procedures.moments import things
from audit.reconstruction.places import Places
from audit.states import HandSeen, TableState
from audit.timing import Span

DEALER_TOO: Final = "whose arm it was: the dealer's was there too"
_ABOUT_MS: Final = 120_000
"""Who stands or serves behind the players stays about for a round or two: two minutes before and after."""


def passing_arms(states: Sequence[TableState], places: Places) -> tuple[Span, ...]:
    """Return when an arm from the players' side hid the places of several seats at once and nothing came of it.

    A player reaches over his own places. One who bets on a neighbour's spot leaves cheques there, or takes some.
    """
    clear = [state for state in states if state.view == "ok"]
    found = (span for before, after in pairwise(clear) for span in _passing(before, after, places))
    return tuple(dict.fromkeys(found))


def _passing(before: TableState, after: TableState, places: Places) -> Iterator[Span]:
    hands = [hand for hand in after.hands if hand.side == "player" and _seats(hand)]
    for hand in hands:
        arm = [one for one in hands if one.seat == hand.seat and one.span.overlaps(hand.span)]
        several = len(frozenset[str]().union(*map(_seats, arm))) > 1
        if several and not any(_did_something(one, before, after, places) for one in arm):
            yield hand.span


def _seats(hand: HandSeen) -> frozenset[str]:
    """Return the seats over whose places a hand was."""
    return frozenset(zone.partition(".")[0] for zone in hand.zones if zone.startswith("seat"))


def _did_something(hand: HandSeen, before: TableState, after: TableState, places: Places) -> bool:
    """Whether piles came to a neighbour's spot that a player's hand was over, or went from it, without the dealer."""
    own = f"seat{hand.seat}."
    dealers = {zone for other in after.hands if other.side == "dealer" for zone in other.zones}
    spots = {zone for zone in hand.zones if not zone.startswith(own)} - dealers
    return any(_piles(before, spot, places) != _piles(after, spot, places) for spot in spots)


def _piles(state: TableState, spot: str, places: Places) -> int:
    return sum(places.spot(pile.xy_mm) == spot for pile in things(state, "chips"))


def arms_were_about(case: Judged, span: Span) -> bool:
    """Return whether arms passed before the camera not long before or after a time: another may be one of them."""
    about = Span.of(max(0, span.first - _ABOUT_MS), span.last + _ABOUT_MS)
    return any(about.overlaps(one) for one in case.passed)


def doubt_about_arm(case: Judged, hand: HandSeen, hands: Sequence[HandSeen], spots: Iterable[str]) -> tuple[str, ...]:
    """Return why it is not known that a player's hand was over some places, nothing where it is.

    An arm that is listed as the dealer's, too, at the same moments over the same places, is nobody's for sure.
    """
    dealers = [one for one in hands if one.side == "dealer" and one.span.overlaps(hand.span)]
    with_his = any(not frozenset(spots).isdisjoint(one.zones) for one in dealers)
    told_twice = any(one.span == hand.span and set(one.zones) == set(hand.zones) for one in dealers)
    if told_twice or (with_his and not case.thresholds.hands_sure):
        return (DEALER_TOO,)
    return (OTHERS_PASSED,) if arms_were_about(case, hand.span) else ()
