"""Two piles that a look lists as one: touching piles are easily taken for one, and nobody was there to join them.

Such a look is read as the one before it: both piles stand where they stood, with all of their cheques.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations
from typing import Final

from audit.reconstruction.evidence import best, stack_chances
from audit.reconstruction.places import JITTER_MM, distance
from audit.states import SeenObject, TableState
from audit.table import TableProfile

_BETWEEN_MM: Final = 36.0  # of two that touch: half a cheque's width, and both places jitter
_STAYS_MM: Final = 1.5 * JITTER_MM


def with_touching_piles_apart(states: Iterable[TableState], profile: TableProfile) -> Iterator[TableState]:
    """Yield states in which touching piles that stood before are two, where a look lists one and no hand came."""
    before: TableState | None = None
    for state in states:
        now = state if before is None or state.view != "ok" else _apart(state, before, profile)
        yield now
        before = now


def _apart(state: TableState, before: TableState, profile: TableProfile) -> TableState:
    stood, stands = _piles(before), _piles(state)
    gone = [pile for pile in stood if not _stays(pile, stands)]
    new = [pile for pile in stands if not _stays(pile, stood)]
    things = list(state.objects)
    for pile in new:
        pair = next((two for two in combinations(gone, 2) if _is_both(pile, two)), None)
        if pair is not None and not _reached(pile, pair, state, profile):
            place = next(k for k, one in enumerate(things) if one is pile)
            things[place : place + 1] = pair
            gone = [one for one in gone if one not in pair]
    return state if len(things) == len(state.objects) else replace(state, objects=tuple(things))


def _piles(state: TableState) -> list[SeenObject]:
    return [one for one in state.objects if one.kind == "chips" and not one.spread]


def _stays(pile: SeenObject, others: Iterable[SeenObject]) -> bool:
    return any(distance(pile.xy_mm, other.xy_mm) <= _STAYS_MM for other in others)


def _is_both(pile: SeenObject, two: tuple[SeenObject, SeenObject]) -> bool:
    """Whether a pile lies between two that are gone, and holds their cheques."""
    stacks = [best(stack_chances(one)) for one in (pile, *two)]
    if any(stack is None for stack in stacks) or any(distance(pile.xy_mm, one.xy_mm) > _BETWEEN_MM for one in two):
        return False
    whole, first, second = (Counter(stack) for stack in stacks)
    return whole == first + second


def _reached(pile: SeenObject, two: tuple[SeenObject, SeenObject], state: TableState, profile: TableProfile) -> bool:
    zones = {zone.name for one in (pile, *two) for zone in profile.zones_at(one.xy_mm)}
    return any(not zones.isdisjoint(hand.zones) for hand in state.hands)
