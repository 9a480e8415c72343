"""A look that misses the last cards on the table: the next one shows them where they lay, and nobody's hand came.

Without them the look shows a table free of cards, and a round would end there, with its wagers unsettled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from audit.reconstruction.places import JITTER_MM, distance
from audit.states import CARD_KINDS, SeenObject, TableState
from audit.table import TableProfile


def with_last_cards(states: Sequence[TableState], profile: TableProfile) -> Iterator[TableState]:
    """Yield states in which the cards of a single look that shows none lie as before and after it."""
    for at, state in enumerate(states):
        inner = 0 < at < len(states) - 1 and state.view == "ok" and not _cards(state)
        yield _with_them(state, states[at - 1], states[at + 1], profile) if inner else state


def _with_them(state: TableState, before: TableState, after: TableState, profile: TableProfile) -> TableState:
    hands = [hand for look in (state, after) for hand in look.hands]
    reached = frozenset(zone for hand in hands for zone in hand.zones)
    lie = _cards(after)
    missed = [card for card in _cards(before) if any(_is_that(card, one) for one in lie)]
    missed = [card for card in missed if _is_in_play(card, profile, reached)]
    return replace(state, objects=(*state.objects, *missed)) if missed else state


def _is_in_play(card: SeenObject, profile: TableProfile, reached: frozenset[str]) -> bool:
    """Whether a card lies in a zone for cards to which no hand came; a burn card lies in none."""
    zones = {zone.name for zone in profile.zones_at(card.xy_mm)}
    return zones.isdisjoint(reached) and any(name.partition(".")[2].startswith("card") for name in zones)


def _cards(state: TableState) -> list[SeenObject]:
    return [item for item in state.objects if item.kind in CARD_KINDS]


def _is_that(card: SeenObject, later: SeenObject) -> bool:
    near = distance(card.xy_mm, later.xy_mm) <= JITTER_MM
    return near and card.kind == later.kind and card.card == later.card
