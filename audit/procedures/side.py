"""Insurance and side wagers: when they are settled."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from audit.procedures.drafts import BLACKJACK, TRILUX, Audited, Case, Draft, Name, dollars, found
from audit.procedures.dues import Due, due_readings
from audit.procedures.moments import first_hit, settled, shows_cheques, things
from audit.procedures.resting import unsure_cards
from audit.readings import CERTAIN, UNKNOWN, mass_of
from audit.reconstruction.amounts import best_amount
from audit.reconstruction.changes import Change, first_of
from audit.reconstruction.observation import Ending, SeenWager
from audit.reconstruction.places import STILL_MM, distance
from audit.settlement import Outcome

_INSURANCE_WORDS: Final = ("insurance-late-taken", "lost insurance collected at once, before the play")
_SIDE_WORDS: Final = ("side-wager-late", "side wagers settled before insurance and before any hit")
_BARE_LOOKS: Final = 2  # looks at a bare place that no flicker accounts for
_SIDE_WORDS_AT_THE_HOLE_CARD: Final = ("side-wager-late", "side wagers settled before the hole card is turned")


def sensor_clear_at_the_first_card(case: Case) -> Iterator[Draft]:
    """Yield Blazing 7's wagers still on the sensor at the first card: P407."""
    for wager in case.seen.wagers:
        left = not wager.in_rack or wager.taken is not None
        hidden = wager.spot in case.seen.piece.states[case.seen.piece.first].covered
        if wager.key.bet == "blazing7" and left and not case.seen.piece.begun_unseen and not hidden:
            yield from found(
                case,
                "P407",
                code="sensor-not-cleared",
                span=case.seen.observed.start,
                expected="progressive wagers in the rack before the first card",
                observed=f"{dollars(best_amount(wager.stake))} on the sensor",
                bet=wager.key,
                name=("sensor", wager.key),
            )


def paid_on_the_sensor(case: Case) -> Iterator[Draft]:
    """Yield that it is not known what was paid on a sensor on which no wager was seen: P409."""
    piece = case.seen.piece
    told = {wager.spot for wager in (*case.seen.wagers, *case.seen.late)}
    for before, state in pairwise(piece.states[piece.first : piece.last + 1]):
        reached = {zone for hand in state.hands if hand.side == "dealer" for zone in hand.zones}
        for pile in things(state, "chips"):
            spot = case.places.spot(pile.xy_mm) or ""
            seat, _, bet = spot.partition(".")
            if bet == "blazing7" and spot in reached - told and not shows_cheques(case, before, spot):
                told.add(spot)
                words = f"{seat.replace('seat', 'seat ')} blazing7: paid, and no wager was seen there before"
                yield from found(
                    case,
                    "P409",
                    code="not-seen",
                    mass=UNKNOWN,
                    span=state.span,
                    expected="the award for sevens, on a wager",
                    observed="cheques set on the sensor",
                    seat=int(seat.removeprefix("seat")),
                    unread=[words],
                )


def lost_insurance_collected_at_once(case: Case) -> Iterator[Draft]:
    """Yield insurance collected only after a hit, or left then whatever became of it: P313.

    Where no player drew, only after the hole card was turned, unless that made a blackjack.
    """
    drawn = first_hit(case)
    first = case.seen.hole_turned if drawn is None else drawn
    for wager in case.seen.wagers:
        if wager.key.bet != "insurance" or first is None or case.seen.piece.missing:
            continue
        if wager.taken is None:
            yield from _left(case, wager, first, ("P313",), _INSURANCE_WORDS)
        elif wager.taken.change.span.certainly_after(first.span):
            yield from found(
                case,
                "P313",
                code="insurance-late-taken",
                mass=CERTAIN if drawn is not None else mass_of(due_readings(case, wager).sets, _is_lost),
                span=wager.taken.change.span,
                expected="lost insurance collected at once, before the play",
                observed=f"collected after {'the hole card was turned' if drawn is None else 'a hit'}",
                bet=wager.key,
                name=("insurance-late-taken", wager.key),
                follows=(("insurance-placed-late", wager.key),),
            )


def _left(
    case: Case, wager: SeenWager, since: Change, ids: tuple[str, ...], code_and_words: tuple[str, str]
) -> Iterator[Draft]:
    """Yield that a wager that lost still stood in sight after a change that it had to be taken before.

    Who took it afterwards need not have been seen.
    """
    until = len(case.seen.piece.states) if wager.collected is None else wager.collected.state
    shown = next((at for at in _with_it(case, wager, until) if at >= since.state), None)
    dues = due_readings(case, wager)
    code, expected = code_and_words
    lost = mass_of(dues.sets, _is_lost)
    known = dues.doubt is None and lost.broken >= case.thresholds.suspect
    if wager.ending is not Ending.UNKNOWN or wager.pays or wager.in_rack or shown is None or not known:
        return
    yield from found(
        case,
        *ids,
        code=code,
        mass=lost,
        span=since.span.hull(case.seen.piece.states[shown].span),
        expected=expected,
        observed="still there afterwards",
        bet=wager.key,
        name=(code, wager.key),
        follows=(("insurance-placed-late", wager.key),),
        rests_on=unsure_cards(card for _, card in dues.cards),
    )


def _is_lost(due: Due) -> bool:
    return due.outcome is Outcome.LOSE


def _with_it(case: Case, wager: SeenWager, until: int) -> Iterator[int]:
    """Yield the numbers of the states that show a wager, up to the second one on end that shows its place bare.

    What stands there after that may be another one like it.
    """
    bare = 0
    for at in range(wager.placed.state, until):
        state = case.seen.piece.states[at]
        if state.view == "ok" and wager.spot not in state.covered:
            piles = (item.xy_mm for item in things(state, "chips"))
            shown = any(distance(point, wager.xy_mm) <= STILL_MM for point in piles)
            bare = 0 if shown else bare + 1
            if bare == _BARE_LOOKS:
                return
            if shown:
                yield at


def insurance_closed(case: Case) -> Iterator[Draft]:
    """Yield insurance placed after a hit, when it was closed: P307."""
    first = first_hit(case)
    for wager in case.seen.wagers:
        late = first is not None and wager.placed.span.certainly_after(first.span)
        if wager.key.bet == "insurance" and late and not case.seen.piece.missing:
            yield from found(
                case,
                "P307",
                "P237",
                code="insurance-late",
                span=wager.placed.span,
                expected="no insurance after it was closed",
                observed=f"{dollars(best_amount(wager.stake))} placed after a hit",
                bet=wager.key,
                capped=not wager.placed.hands,
                name=("insurance-placed-late", wager.key),
            )


def trilux_settled_first(case: Case) -> Iterator[Draft]:
    """Yield Trilux wagers settled after insurance was placed, a card was hit or the hole card turned: P380, P299."""
    if case.seen.piece.missing:
        return
    turned = case.seen.hole_turned if case.seen.hole_exposed is False else None
    insured = [wager.placed for wager in case.seen.wagers if wager.key.bet == "insurance"]
    first = first_of([first_hit(case), *insured, turned])
    ids = ("P380",) if first is turned else ("P380", "P299")
    words = _SIDE_WORDS_AT_THE_HOLE_CARD if first is turned else _SIDE_WORDS
    for wager in case.seen.wagers:
        change = settled(wager)
        if wager.key.bet not in TRILUX or first is None:
            continue
        if change is None:
            yield from _left(case, wager, first, ids, words)
        elif change.span.certainly_after(first.span):
            yield from found(
                case,
                *ids,
                code="side-wager-late",
                span=first.span.hull(change.span),
                expected=words[1],
                observed="settled afterwards",
                bet=wager.key,
                capped=first is turned and not (change.hands and first.hands),
                name=("side-wager-late", wager.key),
                follows=with_the_last_late(case, wager),
            )


def with_the_last_late(case: Case, wager: SeenWager) -> tuple[Name, ...]:
    """Return the name of the side wager that was settled last, for another one: one act came before them all."""
    moments = {one.key: settled(one) for one in case.seen.wagers if one.key.bet in (*TRILUX, "blazing7")}
    known = {key: change.state for key, change in moments.items() if change is not None}
    last = max(known, key=lambda key: (known[key], -key.seat), default=wager.key)
    return () if last == wager.key else (("side-wager-late", last),)


CHECKS: Final = (
    Audited(check=sensor_clear_at_the_first_card, games=BLACKJACK, ids=("P407",)),
    Audited(check=paid_on_the_sensor, games=BLACKJACK, ids=("P409",)),
    Audited(check=lost_insurance_collected_at_once, games=BLACKJACK, ids=("P313",)),
    Audited(check=insurance_closed, games=BLACKJACK, ids=("P307", "P237")),
    Audited(check=trilux_settled_first, games=BLACKJACK, ids=("P299", "P380")),
)
