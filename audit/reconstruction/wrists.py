"""Hands that are listed where the wrist was: a recogniser may follow that, not the fingers that change something.

So the hand that pays a wager is listed over the cards of its seat, and a player's that bets over nothing. Where one in
five changes of cheques is so, the hand nearest to it is taken to have been over it; elsewhere hands are as told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from audit.reconstruction.evidence import may_be_same, stack_chances
from audit.reconstruction.places import Places, lies_there
from audit.states import HandSeen, SeenObject, TableState

_SHARE: Final = 0.2
_FEW: Final = 6


def with_fingers(states: Sequence[TableState], places: Places) -> tuple[TableState, ...]:
    """Return the states, hands listed by the wrist also over the wagers that they changed."""
    listed, reached = 0, dict[int, list[tuple[HandSeen, str]]]()
    for number, (before, after) in enumerate(pairwise(states), start=1):
        for spot in _changed(before, after, places):
            if any(spot in hand.zones for hand in after.hands):
                listed += 1
            elif (hand := _nearest(after.hands, spot)) is not None:
                reached.setdefault(number, []).append((hand, spot))
    count = sum(map(len, reached.values()))
    if count < _FEW or count < _SHARE * (listed + count):
        return tuple(states)
    return tuple(_reaching(state, reached.get(number, ())) for number, state in enumerate(states))


def _changed(before: TableState, after: TableState, places: Places) -> Iterator[str]:
    """Yield the spots of seats on which cheques came, went or grew between two clear looks, each once."""
    if not before.view == after.view == "ok":
        return
    there = [[item for item in state.objects if item.kind == "chips"] for state in (before, after)]
    moved = [
        pile
        for these, others in (there, there[::-1])
        for pile in these
        if not any(lies_there(pile, one) and _perhaps_as_high(pile, one) for one in others)
    ]
    spots = {spot for pile in moved if (spot := places.spot(pile.xy_mm)) is not None and spot.startswith("seat")}
    yield from sorted(spots - before.covered - after.covered)


def _perhaps_as_high(one: SeenObject, other: SeenObject) -> bool:
    """Whether two looks at a place may show the same cheques: a pile read otherwise was not changed by that."""
    return may_be_same(stack_chances(one), stack_chances(other))


def _nearest(hands: Sequence[HandSeen], spot: str) -> HandSeen | None:
    """Return the last hand over the spot's seat, or its player's; None where hands of both sides were there."""
    seat = spot.partition(".")[0]
    near = [
        hand for hand in hands if any(zone.startswith(f"{seat}.") for zone in hand.zones) or f"seat{hand.seat}" == seat
    ]
    return max(near, key=lambda hand: hand.span.last) if len({hand.side for hand in near}) == 1 else None


def _reaching(state: TableState, reached: Sequence[tuple[HandSeen, str]]) -> TableState:
    if not reached:
        return state
    hands = tuple(
        replace(hand, zones=(*hand.zones, *dict.fromkeys(spot for other, spot in reached if other is hand)))
        for hand in state.hands
    )
    return replace(state, hands=hands)
