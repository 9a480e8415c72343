"""The stack laid before a player to cut, a back alone on his place with the cut card put to it: no card of his."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from audit.reconstruction.places import Places, distance, lies_there
from audit.states import CARD_KINDS, SeenObject, TableState

TO_CUT: Final = "to_cut"
"""What ``SeenObject.extra`` says of such a stack."""
_BESIDE_MM: Final = 60.0


def with_offered_stacks(states: Sequence[TableState], places: Places) -> Iterator[TableState]:
    """Yield the states, the stacks that a player cuts marked: those that came from no shoe, and got the cut card."""
    run: list[tuple[TableState, SeenObject]] = []
    for state in states:
        stack = _alone(state, places)
        if run and (stack is None or not lies_there(stack, run[-1][1])):
            yield from _told(run)
            run = []
        if stack is None:
            yield state
        else:
            run.append((state, stack))
    yield from _told(run)


def _alone(state: TableState, places: Places) -> SeenObject | None:
    """Return the back that is the only card on any place, and lies on a seat's; None without one."""
    cards = [item for item in state.objects if item.kind in CARD_KINDS and places.owner(item.xy_mm) is not None]
    only = len(cards) == 1 and cards[0].kind == "card_back"
    return cards[0] if only and (places.owner(cards[0].xy_mm) or "").startswith("seat") else None


def _told(run: Sequence[tuple[TableState, SeenObject]]) -> Iterator[TableState]:
    dealt = any(hand.side == "dealer" and "shoe" in hand.zones for state, _ in run[:1] for hand in state.hands)
    offered = not dealt and any(_has_cut_card(state, stack) for state, stack in run)
    for state, stack in run:
        marked = (replace(i, extra={**i.extra, TO_CUT: True}) if i is stack else i for i in state.objects)
        yield replace(state, objects=tuple(marked)) if offered else state


def _has_cut_card(state: TableState, stack: SeenObject) -> bool:
    return any(item.kind == "cut_card" and distance(item.xy_mm, stack.xy_mm) <= _BESIDE_MM for item in state.objects)
