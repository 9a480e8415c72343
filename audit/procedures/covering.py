"""The dice lie open from the reveal until all is settled: not covered before, nor covered and thrown again."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from audit.procedures.drafts import DICE, DICEY, Audited, Case, Draft, found, too_late
from audit.procedures.moments import last_decision, settlements, things
from audit.reconstruction.changes import Change, change_between
from audit.reconstruction.evidence import die_chances
from audit.reconstruction.places import lies_there
from audit.states import TableState

_READ: Final = 0.9


def covered_when_all_is_settled(case: Case) -> Iterator[Draft]:
    """Yield bets settled after the dice were covered, which ends the round: P038, P059, P022 (000:L55, 001:L54)."""
    covered = _covered_for_good(case)
    for wager in case.seen.wagers if covered is not None and not case.seen.piece.missing else ():
        for change in settlements(wager):
            yield from too_late(
                case,
                change,
                covered,
                *(("P059",) if case.rules.game == DICEY else ("P038", "P022")),
                code="covered-early",
                expected="the dice covered when every bet is settled",
                observed="a bet settled after they were covered",
                capped=not case.thresholds.hands_sure,
                name=("covered-early",),
            )


def _covered_for_good(case: Case) -> Change | None:
    """Return when the dice were covered after the last reveal, None if they were not, or were shown once more."""
    piece, reveal = case.seen.piece, case.seen.hole_turned
    if reveal is None:
        return None
    closed = next((n for n in range(reveal.state + 1, piece.last + 1) if _stands_closed(piece.states[n])), None)
    if closed is None or any(things(state, "die") for state in piece.states[closed : piece.last + 1]):
        return None
    return change_between(piece.states, closed - 1, closed, ("dice",))


def _stands_closed(state: TableState) -> bool:
    """Whether a state shows the cup with its cover on, and all of the dice's place with no die."""
    closed = any(cup.lid == "on" for cup in things(state, "dice_cup"))
    return state.view == "ok" and closed and "dice" not in state.covered and not things(state, "die")


def none_taken_away(case: Case) -> Iterator[Draft]:
    """Yield a die that was taken away, the others lying where they lay, before a bet was settled: P022, P050.

    A hand was over the dice then, and no look shows it again.
    """
    gone = _taken_away(case)
    done = [change for wager in case.seen.wagers for change in settlements(wager)]
    if gone is not None and any(change.span.certainly_after(gone.span) for change in done if change.hands):
        yield from found(
            case,
            case.dice_id("P022", "P050"),
            code="die-gone",
            span=gone.span,
            expected="dice as revealed until the round is settled",
            observed="a die taken away before the last bet was settled",
            capped=not case.thresholds.hands_sure,
            follows=(("dice-count",), ("thrown-again",)),
        )


def _taken_away(case: Case) -> Change | None:
    """Return when one of the dice, or more, but not all, went under a hand and did not come back; None if none did."""
    piece, reveal = case.seen.piece, case.seen.hole_turned
    if piece.missing or reveal is None:
        return None
    clear = [n for n in range(reveal.state, piece.last + 1) if _shows_the_dice(piece.states[n])]
    for before, after in pairwise(clear):
        lay, lie = (things(piece.states[n], "die") for n in (before, after))
        change = change_between(piece.states, before, after, ("dice",))
        later = [some for n in clear if n >= after and (some := things(piece.states[n], "die"))]
        fewer = all(len(some) < len(lay) for some in later) and len(later) > 1
        if lie and change.hands and fewer and all(any(lies_there(die, one) for one in lay) for die in lie):
            return change
    return None


def _shows_the_dice(state: TableState) -> bool:
    """Whether a state shows the dice's place in full, and no cover on it."""
    closed = any(cup.lid == "on" for cup in things(state, "dice_cup"))
    return state.view == "ok" and "dice" not in state.covered and not closed


def thrown_once(case: Case) -> Iterator[Draft]:
    """Yield dice that lay open, all read, and were covered, shaken and opened again for the same round: P022, P050.

    At most suspect: a die that did not lie flat, of which 000 and 001 say nothing, may have been read all the same.
    """
    piece, reveal, last = case.seen.piece, case.seen.hole_turned, last_decision(case)
    if piece.missing or reveal is None or last is None:
        return
    begun = next(
        (place for place in range(piece.first, reveal.state) if _stands_closed(piece.states[place])), last.state
    )
    looks = range(max(begun, last.state), reveal.state)  # what lay open before are the dice of the round before
    shown = [place for place in looks if _lie_open(case, piece.states[place])]
    since = piece.states[shown[-1] + 1 : reveal.state] if shown else ()
    if any(cup.shakes for state in since if _stands_closed(state) for cup in things(state, "dice_cup")):
        yield from found(
            case,
            case.dice_id("P022", "P050"),
            code="thrown-again",
            span=piece.states[shown[-1]].span.hull(reveal.span),
            expected="dice as revealed until the round is settled",
            observed="covered, shaken and opened again",
            capped=True,
        )


def _lie_open(case: Case, state: TableState) -> bool:
    """Whether a state shows as many dice as were settled by, each of them read."""
    looks = [die_chances(die) for die in things(state, "die")]
    return len(looks) == len(case.seen.dice) and all(max(look.values(), default=0.0) >= _READ for look in looks)


CHECKS: Final = (
    Audited(check=covered_when_all_is_settled, games=DICE, ids=("P038", "P059", "P022")),
    Audited(check=none_taken_away, games=DICE, ids=("P022", "P050")),
    Audited(check=thrown_once, games=DICE, ids=("P022", "P050")),
)
