"""A push shown by patting the table before the bet, before the dealer goes on (004:L739)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from audit.procedures.drafts import BLACKJACK, AuditedTable, Case, Draft, Session, found
from audit.procedures.dues import due_readings
from audit.procedures.moments import settlements
from audit.reconstruction.changes import Change, first_of
from audit.reconstruction.observation import SeenWager
from audit.settlement import Outcome
from audit.states import TableState

_ON_HAND: Final = frozenset({"main", "split", "double", "toke"})


def pushes_patted(session: Session) -> Iterator[Draft]:
    """Yield pushes over which no hand of the dealer's came from the reveal until their cards were picked up: P266.

    The pat may be beside the zones: at most suspect. Where arms may be missed, some pat must have been seen.
    """
    pushes = [one for case in session.cases if not case.seen.piece.missing for one in _pushes(case)]
    patted = [_visits(states, wager.key.seat, until) for _, wager, states, until in pushes]
    if not session.thresholds.hands_sure and not any(patted):
        return
    for (case, wager, states, until), seen in zip(pushes, patted, strict=True):
        if not seen:
            yield from found(
                case,
                "P266",
                code="no-pat",
                span=states[0].span.hull(until.span),
                expected="the table patted before a push",
                observed="no hand before it from the reveal until its cards were picked up",
                bet=wager.key,
                capped=True,
                name=("no-pat", wager.key),
            )


def _pushes(case: Case) -> Iterator[tuple[Case, SeenWager, tuple[TableState, ...], Change]]:
    """Yield bets that surely pushed and that nobody touched, with what was seen until their cards were picked up."""
    turned = case.seen.hole_turned
    if turned is None:
        return
    acts = [change for wager in case.seen.wagers for change in settlements(wager) if change.state >= turned.state]
    if not all(change.hands for change in acts):
        return  # some hands were not seen
    for seat in case.seen.seats:
        until = _picked_up(case, seat)
        if until is None or not until.by_dealer:
            continue
        states = case.seen.piece.states[turned.state : until.state + 1]
        own = [wager for wager in case.seen.wagers if wager.key.seat == seat and wager.key.bet in _ON_HAND]
        zones = {zone.name for zone in case.places.profile.zones if zone.seat == seat}
        seen = all(state.view == "ok" and zones.isdisjoint(state.covered) for state in states)
        main = next((wager for wager in own if wager.key.bet == "main"), None)
        untouched = not any(True for wager in own for _ in settlements(wager))
        gone = main is not None and any(not move.after for move in main.lowered)  # nothing is left to pat before
        if main is not None and seen and untouched and not gone and _is_push(case, main):
            yield case, main, states, until


def _picked_up(case: Case, seat: int) -> Change | None:
    """The first change by which a card of a seat went after the dealer's hole card was shown."""
    turned = case.seen.hole_turned
    return first_of(
        card.gone
        for card in case.seen.seats[seat].cards
        if card.gone is not None and turned is not None and card.gone.state > turned.state
    )


def _is_push(case: Case, wager: SeenWager) -> bool:
    dues = due_readings(case, wager)
    return dues.doubt is None and dues.best is not None and dues.best.outcome is Outcome.PUSH


def _visits(states: tuple[TableState, ...], seat: int, until: Change) -> bool:
    """Whether the dealer's hand was at a seat in some states, other than to pick up the first cards."""
    there = [
        hand
        for state in states
        for hand in state.hands
        if hand.side == "dealer" and any(zone.startswith(f"seat{seat}.") for zone in hand.zones)
    ]
    picking = [hand for hand in there if hand in until.hands]
    return len(there) > min(1, len(picking))


TABLE_CHECKS: Final = (AuditedTable(check=pushes_patted, games=BLACKJACK, ids=("P266",), in_round=True),)
