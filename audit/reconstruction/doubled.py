"""Things that one look lists twice: two detections of one card, pile or die, a little apart.

No two cards can be read that lie so nearly on each other, and no two piles or dice stand in one another. Of cards that
are spread two alike may lie side by side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from audit.reconstruction.evidence import best, card_chances, stack_chances
from audit.reconstruction.places import distance, lies_there
from audit.reconstruction.slices import is_spread
from audit.states import SeenObject, TableState

_CARD_MM: Final = 16.0
_PILE_MM: Final = 25.0
_DIE_MM: Final = 8.0


def without_doubles(states: Sequence[TableState]) -> Iterator[TableState]:
    """Yield the states, of what is listed twice once: that which lies there in the look before, else the first listed.

    Piles are one only in a look whose neighbours list one there, too: cheques may have been laid carelessly.
    """
    before: TableState | None = None
    for place, state in enumerate(states):
        after = states[place + 1] if place + 1 < len(states) else None
        one = state if is_spread(state) else _single(state, before, after)
        yield one
        before = one


def _single(state: TableState, before: TableState | None, after: TableState | None) -> TableState:
    left: list[SeenObject] = []
    for item in state.objects:
        other = next((one for one in left if _is_double(item, one, before, after)), None)
        if other is None:
            left.append(item)
        elif _is_known(item, before) > _is_known(other, before):
            left[left.index(other)] = item
    return state if len(left) == len(state.objects) else replace(state, objects=tuple(left))


def _is_double(item: SeenObject, other: SeenObject, before: TableState | None, after: TableState | None) -> bool:
    apart = distance(item.xy_mm, other.xy_mm)
    if item.kind != other.kind or apart > _PILE_MM:
        return False
    match item.kind:
        case "card":
            face = best(card_chances(item))
            return face is not None and face == best(card_chances(other)) and apart <= _CARD_MM
        case "chips":
            alike = best(stack_chances(item)) == best(stack_chances(other))
            neighbours = [state for state in (before, after) if state is not None and state.view == "ok"]
            return alike and bool(neighbours) and all(_stands_once(item, state) for state in neighbours)
        case "die":
            return item.value == other.value and apart <= _DIE_MM
    return False


def _stands_once(pile: SeenObject, state: TableState) -> bool:
    return sum(one.kind == "chips" and distance(one.xy_mm, pile.xy_mm) <= _PILE_MM for one in state.objects) == 1


def _is_known(item: SeenObject, before: TableState | None) -> bool:
    there = () if before is None else before.objects
    return any(one.kind == item.kind and lies_there(one, item) for one in there)
