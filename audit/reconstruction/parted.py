"""Parts of one pile that a look lists as two: piles stand a cheque's width apart, whatever stands nearer is one pile.

A cheque is 39 mm wide, and places jitter by up to 8 mm (the contract of table states): centres less than 23 mm apart
are of one pile, whose cheques are those of its parts together. So are two a little farther apart that one look lists
where the looks before and after it show one pile of their cheques, and nobody's hand was there. A look that shows no
pile there missed it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from itertools import combinations, product
from typing import Final

from audit.reconstruction.evidence import cheques_of, stack_chances
from audit.reconstruction.places import distance
from audit.states import SeenObject, StackCandidate, TableState
from audit.table import TableProfile

_APART_MM: Final = 23.0
_WIDTH_MM: Final = 47.0  # with what places jitter
_MISSED: Final = 2
_LEAST: Final = 1e-4  # what is less likely is not kept
_Around = tuple[Sequence[TableState], Sequence[TableState]]


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


def with_parts_together(states: Sequence[TableState], profile: TableProfile) -> Iterator[TableState]:
    """Yield states in which two piles of a single look are the one that stands there before and after it."""
    for at, state in enumerate(states):
        around = (states[max(0, at - 1 - _MISSED) : at][::-1], states[at + 1 : at + 2 + _MISSED])
        yield _together(state, around, profile)


def _together(state: TableState, around: _Around, profile: TableProfile) -> TableState:
    """A state with the parts of a pile that stands before or after it, and on both sides if it stands on both."""
    things = list(state.objects)
    for one, other in combinations(standing_piles(state), 2):
        alone = len(_near(one, other, standing_piles(state))) == len((one, other))
        whole = _whole(one, other, state, around, profile) if alone else None
        if whole is not None:
            things = [whole if item is one else item for item in things if item is not other]
    return state if len(things) == len(state.objects) else replace(state, objects=tuple(things))


def _whole(
    one: SeenObject, other: SeenObject, state: TableState, around: _Around, profile: TableProfile
) -> SeenObject | None:
    """Return the pile of which two are the parts, None if they may be two.

    Nobody's hand was there between one of the looks that show it whole and this one: nothing falls apart by itself, nor
    together. Where one side shows no pile at all, it came or went there with a hand, and the other side's next look
    tells.
    """
    before, after = around
    zones = {zone.name for part in (one, other) for zone in profile.zones_at(part.xy_mm)}
    earlier, missed = _next_seen(one, other, before)
    later, reached = _next_seen(one, other, after)
    if earlier is not None and later is not None:
        untouched = any(_untouched(zones, looks) for looks in ([state, *missed], after[: len(reached) + 1]))
        return earlier if untouched and _is_whole(earlier, later, one, other) else None
    if later is not None and not reached and _is_bare(one, other, before):
        looks, whole = [after[0]], later if _stays_whole(later, one, other, after[1:]) else None
    elif earlier is not None and not missed and _is_bare(one, other, after):
        looks, whole = [state], earlier if _stays_whole(earlier, one, other, before[1:]) else None
    else:
        return None
    return whole if _untouched(zones, looks) else None


def _untouched(zones: Set[str], looks: Sequence[TableState]) -> bool:
    """Whether no hand was over some zones; outside every zone, as before the rack, any hand may have been there."""
    return all(bool(zones) and zones.isdisjoint(hand.zones) for look in looks for hand in look.hands)


def _stays_whole(whole: SeenObject, one: SeenObject, other: SeenObject, looks: Sequence[TableState]) -> bool:
    """Whether a pile that did not change holds the cheques of two parts, and the look beyond it shows no two there."""
    beyond = [] if not looks else _near(one, other, standing_piles(looks[0]))
    return len(beyond) < len((one, other)) and all(_is_whole(whole, again, one, other) for again in (whole, *beyond))


def _is_bare(one: SeenObject, other: SeenObject, looks: Sequence[TableState]) -> bool:
    """Whether the next look, and those after it as far as they are looked at, show no pile where two parts stand."""
    return bool(looks) and all(look.view == "ok" and not _near(one, other, standing_piles(look)) for look in looks)


def _next_seen(
    one: SeenObject, other: SeenObject, looks: Sequence[TableState]
) -> tuple[SeenObject | None, list[TableState]]:
    """Return the only pile that the next look shows where two parts stand, and the looks before it that missed it."""
    missed: list[TableState] = []
    for look in looks:
        near = _near(one, other, standing_piles(look))
        if near or look.view != "ok":
            return (near[0] if len(near) == 1 and look.view == "ok" else None), missed
        missed.append(look)
    return None, missed


def standing_piles(state: TableState) -> list[SeenObject]:
    """Return the piles of a state that are not laid out on their sides."""
    return [item for item in state.objects if item.kind == "chips" and not item.spread]


def _near(one: SeenObject, other: SeenObject, piles: Sequence[SeenObject]) -> list[SeenObject]:
    """The piles that stand where two parts stand, if those are nearer to each other than a cheque is wide."""
    if distance(one.xy_mm, other.xy_mm) > _WIDTH_MM:
        return []
    return [pile for pile in piles if any(distance(pile.xy_mm, part.xy_mm) <= _APART_MM for part in (one, other))]


def _is_whole(earlier: SeenObject, later: SeenObject, one: SeenObject, other: SeenObject) -> bool:
    """Whether a pile that did not change holds the cheques of two parts together."""
    whole, again, both = (
        cheques_of(stack_chances(pile) for pile in piles) for piles in ([earlier], [later], [one, other])
    )
    return whole is not None and whole == again == both


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
