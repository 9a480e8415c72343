"""The tubes of the rack: which one is worked, what lies in them, and lammers on them.

A tube is an object of kind ``rack_tube`` with ``colour`` and ``count``, and ``stack`` where its cheques are mixed; a
lammer is an object of kind ``lammer``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from audit.money import Money
from audit.procedures.before_rack import states_with
from audit.procedures.drafts import ALL_GAMES, Audited, AuditedTable, Case, Draft, Session, found
from audit.procedures.limits import limit
from audit.procedures.moments import opening, things
from audit.reconstruction.amounts import worth
from audit.reconstruction.places import distance
from audit.states import SeenObject, TableState
from audit.timing import Span

_SAME_MM: Final = 15.0
_LAMMER_MM: Final = 30.0


@dataclass(frozen=True, kw_only=True)
class _Lowered:
    """A tube from which cheques were taken between two looks, with all tubes before."""

    tube: SeenObject
    before: tuple[SeenObject, ...]
    state: TableState
    span: Span


def count_in(tube: SeenObject) -> int | None:
    """Return how many cheques a tube holds, None where that was not read."""
    count = tube.extra.get("count")
    return count if isinstance(count, int) else None


def _lowered(session: Session) -> Iterator[_Lowered]:
    carried = {id(state) for state in states_with(session, "carrier")}  # a credit takes whole stacks of any tube
    looks = [place for place, state in enumerate(session.states) if things(state, "rack_tube")]
    for before, after in pairwise(looks):
        early, late = session.states[before], session.states[after]
        unseen = any(state.view != "ok" or id(state) in carried for state in session.states[before : after + 1])
        for tube in things(late, "rack_tube") if not unseen else ():
            old = [one for one in things(early, "rack_tube") if distance(one.xy_mm, tube.xy_mm) <= _SAME_MM]
            then, now = count_in(old[0]) if old else None, count_in(tube)
            if then is not None and now is not None and now < then:
                span = Span.of(early.span.last, max(early.span.last, late.span.first))
                yield _Lowered(tube=old[0], before=things(early, "rack_tube"), state=early, span=span)


def _told(session: Session, lowered: _Lowered, procedure: str, expected: str, observed: str) -> Iterator[Draft]:
    yield from found(
        session,
        procedure,
        code="rack-tube",
        span=lowered.span,
        expected=expected,
        observed=observed,
        name=("rack-tube", procedure, lowered.tube.xy_mm),
    )


def worked_from_outside(session: Session) -> Iterator[Draft]:
    """Yield a tube worked while one of its colour farther out on its side held cheques: P155."""
    for one in _lowered(session):
        x = one.tube.xy_mm[0]
        outer = [
            tube
            for tube in one.before
            if tube.colour == one.tube.colour
            and tube.xy_mm[0] * x > 0
            and abs(tube.xy_mm[0]) > abs(x)
            and count_in(tube)
        ]
        if outer:
            yield from _told(
                session, one, "P155", "the rack worked from the outside in", f"an inner {one.tube.colour} tube"
            )


def one_working_tube(session: Session) -> Iterator[Draft]:
    """Yield a second tube of a colour worked on one side: P156; a left tube of $100 or more: P157."""
    worked: dict[tuple[str | None, bool], SeenObject] = {}
    for one in _lowered(session):
        right = one.tube.xy_mm[0] > 0
        known = worked.setdefault((one.tube.colour, right), one.tube)
        if distance(known.xy_mm, one.tube.xy_mm) > _SAME_MM and _left(known, one):
            yield from _told(session, one, "P156", f"one working tube of {one.tube.colour} a side", "a second one")
        worked[one.tube.colour, right] = one.tube
        value = worth((one.tube.colour or "",), session.chips) or Money(0)
        if value >= limit("wagers", "approval_from") > session.places.profile.minimum and not right:
            yield from _told(session, one, "P157", f"{one.tube.colour} worked from the right side", "the left tube")


def _left(known: SeenObject, one: _Lowered) -> bool:
    """Whether the tube worked before still held cheques."""
    return any(distance(tube.xy_mm, known.xy_mm) <= _SAME_MM and count_in(tube) for tube in one.before)


def lammers_off_working_tubes(session: Session) -> Iterator[Draft]:
    """Yield a tube worked under its lammer: P161."""
    for one in _lowered(session):
        if any(distance(item.xy_mm, one.tube.xy_mm) <= _LAMMER_MM for item in things(one.state, "lammer")):
            yield from _told(
                session, one, "P161", "the lammer taken off a working tube", f"one on the {one.tube.colour} tube"
            )


def tubes_unmixed(case: Case) -> Iterator[Draft]:
    """Yield a tube of $100 cheques or more that holds others when the first card comes: P275."""
    for tube in things(opening(case), "rack_tube"):
        value = worth((tube.colour or "",), case.chips) or Money(0)
        others = sorted(set(tube.stack or ()) - {tube.colour})
        if value >= limit("wagers", "approval_from") and others:
            yield from found(
                case,
                "P275",
                code="tube-mixed",
                span=opening(case).span,
                expected=f"only {tube.colour} in its tube",
                observed=f"{others[0]} in it",
                name=("tube-mixed", tube.colour),
            )


CHECKS: Final = (Audited(check=tubes_unmixed, games=ALL_GAMES, ids=("P275",)),)
TABLE_CHECKS: Final = (
    AuditedTable(check=worked_from_outside, games=ALL_GAMES, ids=("P155",)),
    AuditedTable(check=one_working_tube, games=ALL_GAMES, ids=("P156", "P157")),
    AuditedTable(check=lammers_off_working_tubes, games=ALL_GAMES, ids=("P161",)),
)
