"""Parts of one pile that a look lists as two: piles stand a cheque's width apart, whatever stands nearer is one pile.

A cheque is 39 mm wide, and places jitter by up to 8 mm (the contract of table states): centres less than 23 mm apart
are of one pile, whose cheques are those of its parts together.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Final

from audit.reconstruction.places import distance
from audit.states import SeenObject, StackCandidate, TableState
from audit.table import TableProfile

_APART_MM: Final = 22.0
_LEAST: Final = 1e-4  # what is less likely is not kept


def with_whole_piles(state: TableState, profile: TableProfile) -> TableState:
    """Return a state in which no pile is listed in parts; piles laid out on their sides stay as they are."""
    whole: list[SeenObject] = []
    joined = False
    for item in state.objects:
        other = next((k for k, one in enumerate(whole) if _are_parts(one, item)), None)
        if other is None:
            whole.append(item)
        else:
            whole[other] = _joined(whole[other], item, profile)
            joined = True
    return replace(state, objects=tuple(whole)) if joined else state


def _are_parts(one: SeenObject, other: SeenObject) -> bool:
    piles = one.kind == other.kind == "chips" and not (one.spread or other.spread)
    return piles and distance(one.xy_mm, other.xy_mm) < _APART_MM


def _joined(one: SeenObject, other: SeenObject, profile: TableProfile) -> SeenObject:
    """Both as one pile, the more valuable cheques at its foot (004:L684); unread if one of them is."""
    lower, upper = sorted((one, other), key=lambda part: -_worth(part, profile))
    watched = [part.since_ms for part in (one, other)]
    larger = max(one, other, key=lambda part: len(part.stack or ()))
    base = replace(
        larger,
        since_ms=None if None in watched else max(since for since in watched if since is not None),
        confidence=min((part.confidence for part in (one, other) if part.confidence is not None), default=None),
    )
    below, above = _readings(lower), _readings(upper)
    if not below or not above:
        return replace(base, stack=None, stacks=())
    chances: dict[tuple[str, ...], float] = {}
    for foot, top in product(below, above):
        stack = (*foot.stack, *top.stack)
        chances[stack] = chances.get(stack, 0.0) + foot.p * top.p
    stacks = tuple(StackCandidate(stack=stack, p=p) for stack, p in chances.items() if p >= _LEAST)
    return replace(base, stack=max(stacks, key=lambda reading: reading.p).stack, stacks=stacks)


def _worth(part: SeenObject, profile: TableProfile) -> int:
    return profile.ranks.get(part.stack[0], 0) if part.stack else 0


def _readings(part: SeenObject) -> tuple[StackCandidate, ...]:
    if part.stacks or part.stack is None:
        return part.stacks
    return (StackCandidate(stack=part.stack, p=1.0),)
