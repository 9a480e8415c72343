"""One look at a pile beside another: whether it changed, what it gained or lost, which of the two reads it surer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from audit.reconstruction.evidence import Stack, agreement, best, may_be_same, stack_chances
from audit.reconstruction.pile_track import FLICKER
from audit.states import SeenObject, TableState

_SURE: Final = 0.9
_MISREAD: Final = 4


def changed(before: Mapping[Stack, float], after: Mapping[Stack, float], *, handled: bool) -> bool:
    """Return whether two looks show different piles; readings that flicker while no hand is near are no change."""
    if not may_be_same(before, after):
        return True
    return handled and best(before) != best(after) and agreement(before, after) < FLICKER


def is_unchanged(item: SeenObject, earlier: TableState) -> bool:
    """Return whether a pile was watched, and did not change, since a state in which it was seen before."""
    return item.since_ms is not None and item.since_ms <= earlier.span.last


def surer(item: SeenObject, earlier: SeenObject) -> SeenObject:
    """Return a pile with the surer of two readings, if two segments of the footage made them: one saw it come, one not.

    Within a segment the later reading rests on more looks.
    """
    readings = [max(stack_chances(one).values(), default=0.0) for one in (item, earlier)]
    if item.since_ms == earlier.since_ms or readings[0] >= readings[1]:
        return item
    return replace(item, stack=earlier.stack, stacks=earlier.stacks, since_ms=earlier.since_ms)


def reads_alike(earlier: SeenObject, item: SeenObject) -> bool:
    """Return whether two looks at a pile read the same cheques."""
    old, new = best(stack_chances(earlier)), best(stack_chances(item))
    return old is not None and old == new


def is_another(earlier: SeenObject, item: SeenObject) -> bool:
    """Return whether what lies in one place is surely another pile than lay there.

    Each has cheques that the other lacks, and more of them than are misread.
    """
    old, new = (max(stack_chances(one).items(), key=lambda pair: pair[1], default=((), 0.0)) for one in (earlier, item))
    lost, won = Counter(old[0]) - Counter(new[0]), Counter(new[0]) - Counter(old[0])
    return min(old[1], new[1]) >= _SURE and bool(lost and won) and lost.total() + won.total() > _MISREAD


def fewer(before: Mapping[Stack, float], after: Mapping[Stack, float]) -> Counter[str]:
    """Return the cheques that a pile likeliest lost; none if it gained any, or was not read."""
    old, new = best(before), best(after)
    if old is None or new is None or Counter(new) - Counter(old):
        return Counter()
    return Counter(old) - Counter(new)


def higher(item: SeenObject, before: Mapping[Stack, float]) -> bool:
    """Return whether a pile is likeliest to have more cheques than before."""
    now, then = best(stack_chances(item)), best(before)
    return now is not None and then is not None and len(now) > len(then)
