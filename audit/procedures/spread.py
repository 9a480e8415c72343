"""Cards spread out on the layout: inspected from both sides, washed, and how they lie on a dead game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Final

from audit.procedures.drafts import BLACKJACK, STUD, AuditedTable, Draft, Session, found
from audit.procedures.limits import limit
from audit.procedures.moments import things
from audit.procedures.shuffle import past_the_line
from audit.reconstruction.clearing import lies_as
from audit.reconstruction.places import distance
from audit.reconstruction.slices import is_spread
from audit.states import CARD_KINDS, SeenObject, TableState
from audit.timing import Span

_ARCS: Final = 2
_APART_MM: Final = 40.0
_TOUCH_MM: Final = 15.0
_GAP: Final = 4.0  # times as far as neighbours lie apart as a rule: there a row ends
_UNEVEN: Final = 0.3


@dataclass(frozen=True, kw_only=True)
class Spread:
    """A run of states in which a set of cards lies spread out; ``up`` and ``down``: faces and backs were seen."""

    states: tuple[TableState, ...]

    @property
    def span(self) -> Span:
        """From the first of its states to the last."""
        return self.states[0].span.hull(self.states[-1].span)

    @property
    def up(self) -> bool:
        """Whether most cards showed their faces in some state."""
        return any(2 * len(things(state, "card")) > len(_cards(state)) for state in self.states)

    @property
    def down(self) -> bool:
        """Whether most cards showed their backs in some state."""
        return any(2 * len(things(state, "card_back")) > len(_cards(state)) for state in self.states)


def _cards(state: TableState) -> tuple[SeenObject, ...]:
    return things(state, *CARD_KINDS)


def spreads(session: Session) -> Iterator[Spread]:
    """Yield every spread of cards."""
    run: list[TableState] = []
    for state in session.states:
        if is_spread(state):
            run.append(state)
        elif run and state.view == "ok":
            yield Spread(states=tuple(run))
            run = []
    if run:
        yield Spread(states=tuple(run))


def inspected_on_both_sides(session: Session) -> Iterator[Draft]:
    """Yield cards inspected before play from one side only: P061, P350, P346. They may be spread anew for the other."""
    stud = session.rules.game in STUD
    begun = min((case.seen.observed.start.first for case in session.cases), default=0)
    before = [one for one in spreads(session) if one.span.last < begun]
    lost = any(state.view != "ok" for state in session.states if before and state.span.first < before[-1].span.last)
    up, down = any(one.up for one in before), any(one.down for one in before)
    if (up or (stud and down)) and not (up and down) and not lost:
        yield from found(
            session,
            *(("P061",) if stud else ("P350", "P346")),
            code="inspection",
            span=before[0].span,
            expected="the cards spread face up and face down",
            observed="only face up" if up else "only face down",
            capped=True,  # the other side may not have settled
            name=("inspection", before[0].span.first),
        )


def spread_on_a_dead_game(session: Session) -> Iterator[Draft]:
    """Yield cards that do not lie in two even rows, face down and behind the line, on a dead game: P119, P150, P218."""
    for one in spreads(session):
        state = one.states[-1]
        dead = one.span.last - one.span.first >= limit("time", "dead_game_ms")
        played = any(case.seen.observed.span.last < one.span.first for case in session.cases)
        if not dead and _unattended_ms(session, one) < limit("time", "idle_ms" if played else "unattended_ms"):
            continue
        past = any(past_the_line(session, item.xy_mm) > 0 for item in _cards(state))
        arcs = _arcs(_cards(state))
        uneven = len(arcs) != _ARCS or abs(arcs[0] - arcs[1]) > _UNEVEN * sum(arcs)
        problems = (
            ("P150", past, "cards past the insurance line"),
            ("P119", uneven, f"{len(arcs)} rows of {' and '.join(map(str, arcs))} cards"),
            ("P218", one.up, "cards face up"),
        )
        for procedure, wrong, words in problems:
            if wrong:
                yield from found(
                    session,
                    procedure,
                    code="dead-game-spread",
                    span=one.span,
                    expected="two even rows, face down, behind the insurance line",
                    observed=words,
                    capped=not dead,
                    name=("dead-game-spread", procedure, one.span.first),
                )


def washed_with_players(session: Session) -> Iterator[Draft]:
    """Yield a bet that a player laid while the cards were washed: P118. Their turns cannot be counted."""
    for one in spreads(session):
        for before, state in pairwise(one.states):
            came = _spots(session, state) - _spots(session, before)
            laid = [hand for hand in state.hands if hand.side == "player" and not came.isdisjoint(hand.zones)]
            if laid and one.down and _were_mixed(before, state):
                yield from found(
                    session,
                    "P118",
                    code="money-in-shuffle",
                    span=laid[0].span,
                    expected="nobody seated while the cards are washed",
                    observed=f"a bet laid at {min(came)}",
                    seat=laid[0].seat,
                    name=("washed-with-players", one.span.first),
                )
                break


def _spots(session: Session, state: TableState) -> set[str]:
    return {spot for pile in things(state, "chips") if (spot := session.places.spot(pile.xy_mm)) is not None}


def _were_mixed(before: TableState, after: TableState) -> bool:
    """Whether most cards of a spread lie elsewhere than a look before."""
    lay, lie = _cards(before), _cards(after)
    return 2 * sum(not any(lies_as(card, one) for one in lay) for card in lie) > len(lie)


def _unattended_ms(session: Session, one: Spread) -> int:
    """Return how long a spread lay at its end without any hand over the table: nobody inspects it then."""
    last = one.states[-1]
    touched = [state.span.first for state in session.states if state.hands and state.span.first <= last.span.last]
    return last.span.last - max([one.span.first, *touched])


def _arcs(cards: tuple[SeenObject, ...]) -> list[int]:
    """Return how many cards lie in each row: in rows that touch, no card lies as near as its neighbours."""
    left, sizes, within = set(range(len(cards))), [], _row_gap_mm(cards)
    while left:
        row, new = set(), {left.pop()}
        while new:
            row |= new
            new = {i for i in left for j in new if distance(cards[i].xy_mm, cards[j].xy_mm) < within}
            left -= new
        sizes.append(len(row))
    return sorted(sizes)


def _row_gap_mm(cards: tuple[SeenObject, ...]) -> float:
    """Return how far apart two cards may lie that are neighbours in a row: less where the cards lie closely."""
    nearest = [min(distance(card.xy_mm, one.xy_mm) for one in cards if one is not card) for card in cards]
    return min(_APART_MM, max(_TOUCH_MM, _GAP * median(nearest)))


CHECKS: Final = (
    AuditedTable(check=inspected_on_both_sides, games=BLACKJACK | STUD, ids=("P061", "P346", "P350")),
    AuditedTable(check=washed_with_players, games=BLACKJACK, ids=("P118",)),
    AuditedTable(check=spread_on_a_dead_game, games=BLACKJACK, ids=("P119", "P150", "P218")),
)
