"""What a person says lies on the felt where recognition saw nothing: what it is, where, and how long it lay there."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Final

from audit.corrections import SAME_PLACE_MM, Reading, parse_reading
from audit.states import CARD_KINDS, SeenObject, TableState
from audit.table import Point, Zone
from audit.timing import Span

_DIE: Final = re.compile(r"(?:([a-z]{1,20}) )?([1-6])")


def parse_added(text: str) -> tuple[str, Reading]:
    """Return the kind and the reading of what was written: a card ``Td``, a die ``3`` or ``red 3``, piles ``5 red``.

    Raises:
        ValueError: saying what was expected and what was found.
    """
    words = text.strip()
    die = _DIE.fullmatch(words)
    if die is not None:
        return "die", Reading(value=int(die[2]), colour=die[1])
    try:
        reading = parse_reading("card", words)
    except ValueError:
        reading = _pile(words)
    if reading.absent:
        msg = "expected what lies there, found 'nothing'"
        raise ValueError(msg)
    return "card" if reading.card is not None else "chips", reading


def lying(states: Sequence[TableState], *, kind: str, at_ms: int, zones: Sequence[Zone]) -> Span | None:
    """Return from when to when an object that recognition did not see lay in its zones; None if the view was lost.

    A card came with the last of the dealer's hands over its zones before that moment, chips and dice with the last of
    any. A card goes when the dealer's hand has left no card there, chips and dice with the dealer's next hand.
    """
    now = max((i for i, state in enumerate(states) if state.span.first <= at_ms), default=None)
    if now is None or states[now].view != "ok":
        return None
    first = last = now
    sides = ("dealer",) if kind in CARD_KINDS else ("dealer", "player")
    while first > 0 and not _reached(states[first], zones, sides):
        first -= 1
    while last + 1 < len(states) and not _gone(states[last + 1], kind, zones):
        last += 1
    return Span.of(states[first].span.first, max(at_ms, states[last].span.last))


def in_the_way(state: TableState, *, kind: str, place: Point) -> SeenObject | None:
    """Return the object of the same sort that recognition saw at that place, None if it saw none."""
    sort = CARD_KINDS if kind in CARD_KINDS else {kind}
    near = (item for item in state.objects if item.kind in sort and math.dist(item.xy_mm, place) <= SAME_PLACE_MM)
    return next(near, None)


def _pile(words: str) -> Reading:
    try:
        return parse_reading("chips", words)
    except ValueError:
        msg = f"expected a card (Td), a die (3, red 3) or a pile from below (5 red + 2 green), found {words!r:.40}"
        raise ValueError(msg) from None


def _gone(state: TableState, kind: str, zones: Sequence[Zone]) -> bool:
    """Return whether what lay there is gone in this state, or may be."""
    if state.view != "ok" or not _reached(state, zones, ("dealer",)):
        return False
    cards = (item.xy_mm for item in state.objects if item.kind in CARD_KINDS)
    return kind not in CARD_KINDS or not any(not zones or any(zone.holds(card) for zone in zones) for card in cards)


def _reached(state: TableState, zones: Sequence[Zone], sides: tuple[str, ...]) -> bool:
    """Return whether a hand of these sides was over one of the zones since the state before."""
    names = {zone.name for zone in zones}
    hands = (hand for hand in state.hands if hand.side in sides)
    return any(not names or not hand.zones or names & set(hand.zones) for hand in hands)
