"""The bankroll counted: fills and credits, the table's opening and its closing.

A fill or a credit goes on while an object of kind ``carrier`` (the cheque carrier) is listed; ``slip`` is its paper,
with ``amount`` (dollars as text), as a ``marker`` has it. The bankroll is closed where a ``float_cover`` lies in the
zone of the rack. Where none of them is ever listed, full stacks that come out of the rack and go back into it while no
cards lie on the table are such a count, whichever it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import Final

from audit.cheques import FULL_STACK, UNITS, break_down
from audit.money import Money
from audit.procedures.before_rack import (
    COUNTED,
    FRONT,
    LIKELIEST,
    SURE,
    Show,
    hue_of,
    is_bankroll,
    is_front_hidden,
    shows,
    states_with,
    total_worth,
)
from audit.procedures.drafts import ALL_GAMES, AuditedTable, Draft, Session, dollars, found, not_seen
from audit.procedures.limits import limit
from audit.procedures.moments import things, written_amount
from audit.procedures.proving import one_off
from audit.procedures.rack import count_in
from audit.reconstruction.amounts import worth
from audit.reconstruction.places import distance
from audit.states import TableState
from audit.timing import Span

_SAME_MM: Final = 15.0
_STACK: Final = "one stack of the highest cheques cut down, short stacks singly"


@dataclass(frozen=True, kw_only=True)
class Counting:
    """A stretch in which cheques are counted; ``before`` and ``after`` are the states next to it."""

    states: tuple[TableState, ...]
    before: TableState | None
    after: TableState

    @property
    def span(self) -> Span:
        """From the first of its states to the last."""
        return self.states[0].span.hull(self.states[-1].span)

    @property
    def seen(self) -> bool:
        """Whether the felt in front of the rack was in view all the time."""
        return all(state.view == "ok" and state.covered.isdisjoint(FRONT) for state in self.states)

    @property
    def may_hide_a_proof(self) -> bool:
        """Whether a hand was at the rack between two states for as long as a stack takes to be cut and put back."""
        looks = [self.before] if self.before is not None else []
        return any(
            late.span.first - early.span.last >= limit("time", "proof_ms")
            and any(hand.side == "dealer" and not FRONT.isdisjoint(hand.zones) for hand in late.hands)
            for early, late in pairwise([*looks, *self.states, self.after])
        )


def fills(session: Session) -> Iterator[Counting]:
    """Yield every stretch with the cheque carrier at the table after which the rack holds more than before it."""
    yield from (one for one in with_the_carrier(session) if _rise(session, one) > 0)


def given_back(session: Session) -> Iterator[Counting]:
    """Yield every stretch with the cheque carrier at the table after which the rack holds less than before it."""
    yield from (one for one in with_the_carrier(session) if _rise(session, one) < 0)


def with_the_carrier(session: Session) -> Iterator[Counting]:
    """Yield the stretches with the carrier whose end was seen."""
    run: list[int] = []
    there = {id(state) for state in states_with(session, "carrier")}
    for place, state in enumerate(session.states):
        if id(state) in there:
            run.append(place)
        elif run:
            before = session.states[run[0] - 1] if run[0] else None
            yield Counting(states=session.states[run[0] : run[-1] + 1], before=before, after=state)
            run = []


def _rise(session: Session, counting: Counting) -> int:
    """Return by how many cheques the tubes rose that were listed before and after; by the hands where none were."""
    pairs = list(_tubes(counting))
    if not pairs:
        return _way_of_the_cheques(session, counting)
    return sum(now - then for then, now in pairs if then is not None and now is not None)


def _tubes(counting: Counting) -> Iterator[tuple[int | None, int | None]]:
    """Yield what every tube held before and after."""
    old = things(counting.before, "rack_tube") if counting.before is not None else ()
    for tube in things(counting.after, "rack_tube"):
        yield from ((count_in(known), count_in(tube)) for known in old if distance(known.xy_mm, tube.xy_mm) <= _SAME_MM)


def _way_of_the_cheques(session: Session, counting: Counting) -> int:
    """Return 1 where cheques came before the rack without a hand at it and went with one, -1 where it was otherwise."""
    own = _shows_in(session, counting)
    place = session.place_of(own[-1].states[-1]) + 1 if own else len(session.states)
    if place >= len(session.states):
        return 0
    came, went = (
        any(hand.side == "dealer" and "rack" in hand.zones for hand in state.hands)
        for state in (own[0].states[0], session.states[place])
    )
    return went - came


def openings(session: Session) -> Iterator[Counting]:
    """Yield what was seen between the float cover's removal from the rack and the first card after it."""
    for place, state in enumerate(session.states[1:], start=1):
        if not _is_covered(session, session.states[place - 1]) or state.view != "ok" or _is_covered(session, state):
            continue
        firsts = [case.seen.observed.start.last for case in session.cases]
        until = min((first for first in firsts if first >= state.span.first), default=None)
        if until is not None:
            states = [one for one in session.states[place:] if one.span.last < until]
            last = session.states[place + len(states)]
            if states and not any(_is_covered(session, one) for one in states):
                yield Counting(states=tuple(states), before=session.states[place - 1], after=last)


def closings(session: Session) -> Iterator[Counting]:
    """Yield the stretches after a round in which the float cover lay on the layout, until it covers the rack."""
    run: list[int] = []
    there = {id(state) for state in states_with(session, "float_cover")}
    for place, state in enumerate(session.states):
        if id(state) in there and not _is_covered(session, state):
            run.append(place)
        elif run:
            played = any(case.seen.observed.start.first < session.states[run[0]].span.first for case in session.cases)
            if played and _is_covered(session, state):
                before = session.states[run[0] - 1] if run[0] else None
                yield Counting(states=session.states[run[0] : run[-1] + 1], before=before, after=state)
            run = []


def _is_covered(session: Session, state: TableState) -> bool:
    return any("rack" in session.places.zones(item.xy_mm) for item in things(state, "float_cover"))


def _is_proved(session: Session, counting: Counting) -> bool:
    """Whether some state shows a stack of the highest cheques cut down, or all of them where they make no stack."""
    own = _shows_in(session, counting)
    stood = {hue_of(pile)[0] for show in own for piles in show.piles for pile in piles}
    colours = (stood - {""}) | _full_tubes(counting)
    highest = max(colours, key=lambda colour: worth((colour,), session.chips) or Money(0), default="")
    sure, likely = ([row for show in own for row in show.counts(highest, least) if row] for least in (SURE, LIKELIEST))
    perhaps = [other for row in likely if row not in sure for other in one_off(row)]
    return highest in UNITS and any(_is_cut_down(row, highest) for row in (*sure, *likely, *perhaps))


def _shows_in(session: Session, counting: Counting) -> list[Show]:
    times = [state.span.first for state in counting.states]
    return [show for show in shows(session) if times[0] <= show.states[0].span.first <= times[-1]]


def _full_tubes(counting: Counting) -> set[str]:
    return {
        tube.colour
        for state in counting.states[:1]
        for tube in things(state, "rack_tube")
        if tube.colour is not None and (count_in(tube) or 0) >= FULL_STACK
    }


def _is_cut_down(heights: Sequence[int], colour: str) -> bool:
    """Whether stacks of one colour stand as written: full ones whole but one, the rest in their units."""
    low = sorted((height for height in heights if height < FULL_STACK), reverse=True)
    wanted = sorted((part for row in break_down(sum(low), colour) for part in row), reverse=True)
    return low == wanted and sum(low) >= min(FULL_STACK, sum(heights))


def _unproved(
    session: Session, counting: Counting, *procedures: str, expected: str, capped: bool = False
) -> Iterator[Draft]:
    """Yield that no proof was seen; at most suspect where one may have been given between two states."""
    if _is_proved(session, counting):
        return
    if not counting.seen:
        reason = "the felt in front of the rack while cheques were counted"
        yield from not_seen(session, *procedures, reason=reason, span=counting.span)
        return
    yield from found(
        session,
        *procedures,
        code="not-proved",
        span=counting.span,
        expected=expected,
        observed="none cut down in any state",
        capped=capped or counting.may_hide_a_proof,
        name=("not-proved", procedures[0], counting.span.first),
    )


def fill_proved(session: Session) -> Iterator[Draft]:
    """Yield a fill of which no stack was cut down: P340; one of another value than its slip put in the rack: P341."""
    for fill in fills(session):
        yield from _unproved(session, fill, "P340", expected=_STACK, capped=not any(_tubes(fill)))
        yield from _wrong_fill(session, fill)


def _wrong_fill(session: Session, fill: Counting) -> Iterator[Draft]:
    written = {written_amount(item) for state in fill.states for item in things(state, "slip")}
    shown = [total_worth(session, piles) for show in _shows_in(session, fill) for piles in show.piles]
    if len(written) != 1 or not shown or None in shown:
        return
    (amount,), most = written, max(value for value in shown if value is not None)
    if amount is not None and most != amount:
        yield from found(
            session,
            "P341",
            code="wrong-fill",
            span=fill.span,
            expected=f"a fill of {dollars(amount)}, as its slip says, or none",
            observed=f"{dollars(most)} before the rack, and the rack fuller afterwards",
            name=("wrong-fill", fill.span.first),
        )


def credit_proved(session: Session) -> Iterator[Draft]:
    """Yield a credit of which no stack was cut down before it went into the carrier: P343."""
    for credit in given_back(session):
        yield from _unproved(session, credit, "P343", expected=_STACK, capped=not any(_tubes(credit)))


def bets_away_for_the_carrier(session: Session) -> Iterator[Draft]:
    """Yield wagers that stand on their spots while the cheque carrier is at the table: P338."""
    for one in with_the_carrier(session):
        yield from _bets_left(session, one)


def _bets_left(session: Session, one: Counting, *, capped: bool = False) -> Iterator[Draft]:
    spots = [
        (state, spot)
        for state in one.states
        for pile in things(state, "chips")
        if (spot := session.places.spot(pile.xy_mm)) is not None
    ]
    for state, spot in spots[:1]:
        yield from found(
            session,
            "P338",
            code="bets-in-a-fill",
            span=state.span,
            expected="the players' bets removed before a fill or a credit",
            observed=f"cheques on {spot}",
            capped=capped,
            name=("bets-in-a-fill", one.span.first),
        )


def counts(session: Session) -> Iterator[tuple[Counting, tuple[str, ...]]]:
    """Yield the counts seen by their cheques alone, each with the procedures of what it may be, the likeliest first.

    A source that ever lists the carrier or the float cover lists them in every count.
    """
    if any(things(state, *COUNTED) for state in session.states):
        return
    starts = [case.seen.observed.start for case in session.cases]
    for show in shows(session):
        one = _count_around(session, show) if is_bankroll(session, show) else None
        if one is None:
            continue
        opening = () if any(start.first < one.span.first for start in starts) else ("P348",)
        closing = () if any(start.last > one.span.last for start in starts) else ("P352",)
        yield one, (*opening, *closing, "P340", "P343")


def _count_around(session: Session, show: Show) -> Counting | None:
    """Return a count with the states beside it that may have hidden more of it; None if its end was not seen."""
    first, end = session.place_of(show.states[0]), session.place_of(show.states[-1]) + 1
    first -= len(list(takewhile(is_front_hidden, reversed(session.states[:first]))))
    end += len(list(takewhile(is_front_hidden, session.states[end:])))
    if end == len(session.states):
        return None
    before = session.states[first - 1] if first else None
    return Counting(states=session.states[first:end], before=before, after=session.states[end])


def count_proved(session: Session) -> Iterator[Draft]:
    """Yield full stacks that came and went uncut: P340, P343, P348, P352.

    At most suspect: the dealer may only have set the bankroll in order.
    """
    for one, ids in counts(session):
        yield from _unproved(session, one, *ids, expected=_STACK, capped=True)


def bets_away_for_a_count(session: Session) -> Iterator[Draft]:
    """Yield wagers that stand on their spots while full stacks are counted: P338, at most suspect."""
    for one, _ in counts(session):
        yield from _bets_left(session, one, capped=True)


def cheques_for_a_marker(session: Session) -> Iterator[Draft]:
    """Yield cheques cut out beside a marker of another amount: P345, at most suspect."""
    for show in shows(session):
        for state, piles in zip(show.states, show.piles, strict=True):
            amounts = [written_amount(item) for item in things(state, "marker")]
            cut = total_worth(session, piles)
            if len(amounts) == 1 and None not in (amounts[0], cut) and amounts[0] != cut and state is show.states[-1]:
                yield from found(
                    session,
                    "P345",
                    code="marker-amount",
                    span=show.span,
                    expected=f"cheques for {dollars(amounts[0])}, as the marker says",
                    observed=f"{dollars(cut)} before the rack",
                    name=("marker-amount", show.span.first),
                )


def opening_proved(session: Session) -> Iterator[Draft]:
    """Yield a table opened without a full stack of its highest cheques run down: P348."""
    for one in openings(session):
        yield from _unproved(session, one, "P348", expected=_STACK)


def closing_proved(session: Session) -> Iterator[Draft]:
    """Yield a table closed without a stack of its highest cheques broken down, P352, or its cover shown, P351."""
    for one in closings(session):
        seen = one.before is not None and one.before.view == "ok" and "rack" not in one.before.covered
        if one.before is not None and seen and not _is_covered(session, one.before):
            yield from found(
                session,
                "P351",
                code="cover-not-shown",
                span=one.states[0].span,
                expected="the float cover placed over the bankroll, then on the layout",
                observed="on the layout at once",
                capped=True,  # it may have been held over it between two states
                name=("cover-not-shown", one.span.first),
            )
        yield from _unproved(session, one, "P352", expected=_STACK)


TABLE_CHECKS: Final = (
    AuditedTable(check=fill_proved, games=ALL_GAMES, ids=("P340", "P341")),
    AuditedTable(check=credit_proved, games=ALL_GAMES, ids=("P343",)),
    AuditedTable(check=bets_away_for_the_carrier, games=ALL_GAMES, ids=("P338",)),
    AuditedTable(check=count_proved, games=ALL_GAMES, ids=("P340", "P343", "P348", "P352")),
    AuditedTable(check=bets_away_for_a_count, games=ALL_GAMES, ids=("P338",)),
    AuditedTable(check=cheques_for_a_marker, games=ALL_GAMES, ids=("P345",)),
    AuditedTable(check=opening_proved, games=ALL_GAMES, ids=("P348",)),
    AuditedTable(check=closing_proved, games=ALL_GAMES, ids=("P351", "P352")),
)
