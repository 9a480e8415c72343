"""What becomes of a round when a person says what an object on the felt really is.

A correction names an object in one table state. The object is the same in the states before and after for as long as
something of its kind lies there: a card does not change where it lies, a pile only when a hand reaches over it. An
object that recognition did not see is added to the states of the stretch in which it is said to have lain there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from audit.cards import parse_card
from audit.paytables import load_rules
from audit.pipeline import AuditedRound, audit_states
from audit.projection import object_px
from audit.readings import RECOGNISED
from audit.states import CARD_KINDS, SeenObject, TableState
from audit.table import CHIP_VALUES, TableProfile
from audit.timing import Span

SAME_PLACE_MM: Final = 16.0
"""Twice the jitter of places that means nothing (``contracts/states.md``)."""
_MOST_CHIPS: Final = 60
_KINDS: Final = frozenset({*CARD_KINDS, "die", "chips"})


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What a person says that an object is: exactly one of these, and a die's colour. ``absent``: nothing is there."""

    card: str | None = None
    value: int | None = None
    stack: tuple[str, ...] | None = None
    colour: str | None = None
    absent: bool = False


@dataclass(frozen=True, kw_only=True)
class Correction:
    """The object of a kind that lies at a place in the state that holds at ``at_ms``, and what it is.

    ``lies``: from when to when an object that recognition did not see lay there, a card at ``angle_deg``; else None.
    """

    kind: str
    at_ms: int
    xy_mm: tuple[float, float]
    reading: Reading
    lies: Span | None = None
    angle_deg: float | None = None


def parse_reading(kind: str, text: str) -> Reading:
    """Return what was written of an object: a card (``Td``, ``10d``), a die's number, piles as ``5 red + 2 green``.

    ``nothing`` stands for no object at all.

    Raises:
        ValueError: saying what was expected and what was found.
    """
    words = text.strip()
    if words.lower() == "nothing":
        return Reading(absent=True)
    if kind in CARD_KINDS:
        code = words.replace("10", "T")
        return Reading(card=str(parse_card(code[:-1].upper() + code[-1:].lower())))
    if kind == "die":
        if words not in tuple("123456"):
            msg = f"a die shows 1 to 6, got {words!r:.40}"
            raise ValueError(msg)
        return Reading(value=int(words))
    if kind == "chips":
        return Reading(stack=tuple(_stack(words)))
    msg = f"a card, a die or a pile of chips can be corrected, got {kind!r:.40}"
    raise ValueError(msg)


def corrected(
    states: Sequence[TableState], corrections: Sequence[Correction], profile: TableProfile
) -> tuple[TableState, ...]:
    """Return the states with every corrected object as it was said to be, and certain of it."""
    found = list(states)
    for correction in corrections:
        if correction.lies is not None:
            found = [_added(state, correction, profile) for state in found]
            continue
        zones = frozenset(zone.name for zone in profile.zones_at(correction.xy_mm))
        for index, place in list(_appearances(found, correction, zones)):
            found[index] = _with(found[index], place, correction.reading)
    return tuple(found)


def find(state: TableState, correction: Correction) -> int | None:
    """Return which object of the state is meant, None if nothing of the kind lies there."""
    best, least = None, SAME_PLACE_MM
    for place, item in enumerate(state.objects):
        distance = math.dist(item.xy_mm, correction.xy_mm)
        if item.kind == correction.kind and distance <= least:
            best, least = place, distance
    return best


def audit_again(states: Sequence[TableState], profile: TableProfile, *, span: Span) -> AuditedRound | None:
    """Return the round that the states show in this span, settled and checked anew; None if they show none.

    The states are those of the round with what was on the felt before and after it.
    """
    rules = load_rules(profile.game, profile.rules, profile.variant)
    rounds = audit_states(states, profile, rules=rules, thresholds=RECOGNISED).rounds
    return max(rounds, key=lambda one: _shared(one, span), default=None)


def _shared(one: AuditedRound, span: Span) -> int:
    return min(one.observed.end.last, span.last) - max(one.observed.start.first, span.first)


def _appearances(
    states: Sequence[TableState], correction: Correction, zones: frozenset[str]
) -> Iterator[tuple[int, int]]:
    """Yield where the object is listed: the index of the state and its own in it."""
    middle = max((i for i, state in enumerate(states) if state.span.first <= correction.at_ms), default=None)
    place = None if middle is None else find(states[middle], correction)
    if middle is None or place is None or correction.kind not in _KINDS:
        return
    yield middle, place
    for step in (1, -1):
        last = states[middle].objects[place]
        for index in range(middle + step, len(states) if step > 0 else -1, step):
            state = states[index]
            again = find(state, correction)
            if again is None:
                if state.view == "ok" and not zones & state.covered:
                    break
                continue
            after = state if step > 0 else states[index + 1]
            if correction.kind == "chips" and _may_have_changed(last, state.objects[again], after, zones):
                break
            last = state.objects[again]
            yield index, again


def _may_have_changed(one: SeenObject, other: SeenObject, after: TableState, zones: frozenset[str]) -> bool:
    """Return whether a pile may be another one: a hand reached over it meanwhile, and nothing says it is the same."""
    reached = any(not zones or not hand.zones or zones & set(hand.zones) for hand in after.hands)
    return reached and (one.stack is None or one.stack != other.stack)


def _added(state: TableState, correction: Correction, profile: TableProfile) -> TableState:
    """Return the state with the object that recognition did not see, if it lay there then."""
    if correction.lies is None or state.view != "ok" or not state.span.overlaps(correction.lies):
        return state
    place = find(state, correction)
    if place is not None:
        return _with(state, place, correction.reading)
    if correction.reading.absent:
        return state
    height = len(correction.reading.stack or ())
    outline = object_px(profile.camera, correction.kind, correction.xy_mm, correction.angle_deg, height)
    marks = {"first_reading": {"absent": True}} | ({} if outline is None else {"polygon_px": outline})
    seen = SeenObject(kind=correction.kind, xy_mm=correction.xy_mm, angle_deg=correction.angle_deg, extra=marks)
    return replace(state, objects=(*state.objects, _said(seen, correction.reading)))


def _with(state: TableState, place: int, reading: Reading) -> TableState:
    objects = list(state.objects)
    if reading.absent:
        del objects[place]
    else:
        objects[place] = _said(objects[place], reading)
    return replace(state, objects=tuple(objects))


def _said(item: SeenObject, reading: Reading) -> SeenObject:
    kind = "card" if reading.card is not None else item.kind
    colour = reading.colour or item.colour
    return replace(
        item,
        kind=kind,
        card=reading.card,
        value=reading.value,
        stack=reading.stack,
        colour=colour,
        candidates={},
        stacks=(),
    )


def _stack(words: str) -> Iterator[str]:
    """Yield the colours of a pile from the bottom, written as runs: ``5 red + 2 green``."""
    count = 0
    for run in words.replace(",", "+").split("+"):
        number, _, colour = run.strip().rpartition(" ")
        number = number.strip() or "1"
        if colour not in CHIP_VALUES or not (number.isascii() and number.isdigit()):
            msg = f"a pile is written from the bottom as '5 red + 2 green', got {run.strip()!r:.40}"
            raise ValueError(msg)
        count += int(number[:6])
        if not 0 < count <= _MOST_CHIPS:
            msg = f"a pile has 1 to {_MOST_CHIPS} chips, got {words!r:.60}"
            raise ValueError(msg)
        yield from [colour] * int(number)
