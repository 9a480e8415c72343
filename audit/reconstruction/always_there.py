"""What stands on a bet's spot through every round, and nobody touches, is print, or cheques left for good.

A picture of a cheque printed on the felt is read as one. Cheques that are wagered come and go: they are taken, paid and
collected before the next cards. What does neither from the first state to the last is no wager of any round; nor is
what stands there from the first on where another seat's spot of the same bet holds such a thing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from audit.reconstruction.places import JITTER_MM, Places, distance
from audit.states import SeenObject, TableState


def always_there(states: Sequence[TableState], places: Places) -> list[SeenObject]:
    """Return piles on spots that stand unchanged in every state that shows their place, and their likes.

    Only what was watched is asked (``since_ms``): states of other sources do not say whether a pile was touched.
    """
    clear = [state for state in states if state.view == "ok"]
    first: dict[str, TableState] = {}
    for state in clear:
        for zone in places.profile.zones:
            if zone.bet not in (None, "toke") and zone.name not in state.covered:
                first.setdefault(zone.name, state)
    found = [(spot, pile) for spot, state in first.items() for pile in _piles(state, spot, places)]
    bets = {_bet(spot) for spot, pile in found if _stays(pile, clear, places)}
    return [pile for spot, pile in found if _bet(spot) in bets]


def without(states: Sequence[TableState], piles: Sequence[SeenObject]) -> tuple[TableState, ...]:
    """Return the states without such piles, as long as they do not change."""
    return tuple(
        replace(state, objects=tuple(item for item in state.objects if not any(_is(item, pile) for pile in piles)))
        for state in states
    )


def _bet(spot: str) -> str:
    return spot.partition(".")[2]


def _piles(state: TableState, spot: str, places: Places) -> Iterator[SeenObject]:
    for item in state.objects:
        watched = item.since_ms is not None and item.since_ms <= state.span.last
        if item.kind == "chips" and watched and places.spot(item.xy_mm) == spot:
            yield item


def _stays(pile: SeenObject, states: Sequence[TableState], places: Places) -> bool:
    """Whether a pile is the same in every state that shows its place."""
    shown = [state for state in states if not places.hidden(state, pile.xy_mm)]
    return all(any(_is(item, pile) for item in state.objects) for state in shown)


def _is(item: SeenObject, pile: SeenObject) -> bool:
    same = item.kind == "chips" and item.since_ms == pile.since_ms
    return same and distance(item.xy_mm, pile.xy_mm) <= JITTER_MM
