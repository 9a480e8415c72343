"""Two piles that a look lists as one: touching piles are easily taken for one, and nobody was there to join them.

Such a look is read as the one before it: both piles stand where they stood, with all of their cheques. A look that
lists one as another is set beside a pile is read by the next one, which shows two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, permutations
from typing import Final

from audit.reconstruction.evidence import cheques_of, stack_chances
from audit.reconstruction.parted import standing_piles
from audit.reconstruction.places import JITTER_MM, distance
from audit.states import SeenObject, TableState
from audit.table import TableProfile

_BETWEEN_MM: Final = 36.0  # of two that touch: half a cheque's width, and both places jitter
_STAYS_MM: Final = 1.5 * JITTER_MM


def with_touching_piles_apart(states: Sequence[TableState], profile: TableProfile) -> Iterator[TableState]:
    """Yield states in which touching piles are two where a look lists one, and no hand came to join or to part them."""
    before: TableState | None = None
    for state, after in zip(states, [*states[1:], None], strict=False):
        now = state if before is None or state.view != "ok" else _apart(state, before, after, profile)
        yield now
        before = now


def _apart(state: TableState, before: TableState, after: TableState | None, profile: TableProfile) -> TableState:
    stood, stands = standing_piles(before), standing_piles(state)
    gone = [pile for pile in stood if not _stays(pile, stands)]
    new = [pile for pile in stands if not _stays(pile, stood)]
    things = list(state.objects)
    for pile in new:
        pair = next((two for two in combinations(gone, 2) if _is_both(pile, two)), None)
        if pair is None or _reached(pile, pair, state, profile):
            others = [one for one in stands if one is not pile]
            shown = [] if after is None else [one for one in standing_piles(after) if not _stays(one, others)]
            pair = _set_beside(pile, gone, shown, profile) or _stands_again(pile, gone, after)
        if pair is not None:
            place = next(k for k, one in enumerate(things) if one is pile)
            things[place : place + 1] = pair
            gone = [one for one in gone if one not in pair]
    return state if len(things) == len(state.objects) else replace(state, objects=tuple(things))


def _set_beside(
    pile: SeenObject, gone: Sequence[SeenObject], shown: Sequence[SeenObject], profile: TableProfile
) -> tuple[SeenObject, SeenObject] | None:
    """The pile that stood where one is listed between it and another, and that other, as the next look shows two.

    Both hold what they hold then, wherever somebody has moved them in the meantime; the other one stood as far beyond.
    ``shown``: what the next look shows beside what this one does.
    """
    spot = _zones(pile, profile)
    there = [one for one in shown if spot & _zones(one, profile)]
    for old in gone:
        for one, other in permutations(there, 2):
            near = distance(old.xy_mm, pile.xy_mm) <= _BETWEEN_MM
            if near and _cheques(one) == _cheques(old) and _holds_both(pile, one, other):
                x, y = (2.0 * now - before for now, before in zip(pile.xy_mm, old.xy_mm, strict=True))
                return old, replace(other, xy_mm=(x, y), since_ms=pile.since_ms)
    return None


def _stands_again(
    pile: SeenObject, gone: Sequence[SeenObject], after: TableState | None
) -> tuple[SeenObject, SeenObject] | None:
    """The pile that stood beside one that holds its cheques and more, and stands again in the next look; and the rest.

    What was set beside it went before that look.
    """
    there = [] if after is None else standing_piles(after)
    for old in gone:
        again = any(_stays(old, [one]) and _cheques(one) == _cheques(old) for one in there)
        whole, own = _cheques(pile), _cheques(old)
        if not again or whole is None or own is None or own - whole or distance(old.xy_mm, pile.xy_mm) > _BETWEEN_MM:
            continue
        rest = tuple((whole - own).elements())
        if len(rest) > 1:  # one may be misread
            x, y = (2.0 * now - before for now, before in zip(pile.xy_mm, old.xy_mm, strict=True))
            return old, replace(pile, xy_mm=(x, y), stack=rest, stacks=())
    return None


def _zones(pile: SeenObject, profile: TableProfile) -> frozenset[str]:
    return frozenset(zone.name for zone in profile.zones_at(pile.xy_mm))


def _stays(pile: SeenObject, others: Iterable[SeenObject]) -> bool:
    return any(distance(pile.xy_mm, other.xy_mm) <= _STAYS_MM for other in others)


def _is_both(pile: SeenObject, two: tuple[SeenObject, SeenObject]) -> bool:
    """Whether a pile lies between two that are gone, and holds their cheques."""
    return _holds_both(pile, *two) and all(distance(pile.xy_mm, one.xy_mm) <= _BETWEEN_MM for one in two)


def _holds_both(pile: SeenObject, one: SeenObject, other: SeenObject) -> bool:
    whole = _cheques(pile)
    return whole is not None and whole == _cheques(one, other)


def _cheques(*piles: SeenObject) -> Counter[str] | None:
    return cheques_of(stack_chances(pile) for pile in piles)


def _reached(pile: SeenObject, two: tuple[SeenObject, SeenObject], state: TableState, profile: TableProfile) -> bool:
    zones = frozenset().union(*(_zones(one, profile) for one in (pile, *two)))
    return any(not zones.isdisjoint(hand.zones) for hand in state.hands)
