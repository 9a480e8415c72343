"""Time and pace of a table: reported, not judged. Times are media milliseconds."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from statistics import median
from typing import Any, Final

from audit.cheques import APPROVAL_CHEQUE, APPROVAL_MONEY, SHOE_TIMES, shuffle_rating
from audit.money import Money
from audit.procedures.cash import layouts
from audit.procedures.cut_card import cut_out
from audit.procedures.drafts import Case, Session
from audit.procedures.limits import limit
from audit.procedures.shoe import shoes
from audit.reconstruction.amounts import best_amount, worth
from audit.reconstruction.evidence import best
from audit.timing import Millis

_HOUR_MS: Final = 3_600_000
_NEAR: Final = Money(9) / 10


def pace_record(session: Session) -> dict[str, Any]:
    """Return what was measured, as plain data: rounds, shuffles, shoes, who played, and which calls were due."""
    return {
        "rounds": _rounds(session.cases),
        "shuffles": list(_shuffles(session)),
        "shoes": list(_shoe_times(session)),
        "seats": _seats(session.cases),
        "over_run": list(_over_run(session.cases)),
        "calls_due": list(_calls(session)),
    }


def _rounds(cases: tuple[Case, ...]) -> dict[str, Any]:
    """Rounds per hour and the time of a round: P249. Of rounds that were wholly seen."""
    whole = [case.seen.observed for case in cases if not case.seen.piece.missing]
    if not whole:
        return {"count": len(cases)}
    starts = [one.start.first for one in whole]
    times = [one.end.last - one.start.first for one in whole]
    between = [after - before for before, after in pairwise(starts)]
    hourly = round(_HOUR_MS * len(between) / sum(between), 1) if sum(between) else None
    return {"count": len(cases), "whole": len(whole), "median_ms": round(median(times)), "per_hour": hourly}


def _shuffles(session: Session) -> Iterator[dict[str, Any]]:
    """Each shuffle, from the discards leaving the rack to the next first card at the latest, and its rating: P115."""
    for shoe in shoes(session):
        if shoe.shuffled is not None and shoe.cases:
            first, last = session.states[shoe.shuffled].span.first, shoe.cases[0].seen.observed.start.last
            rating = shuffle_rating(Millis(last - first), session.rules.decks)
            yield {"first_ms": first, "last_ms": last, "at_least": None if rating is None else rating.value}


def _shoe_times(session: Session) -> Iterator[dict[str, Any]]:
    """Each shoe from its first card to its cut card, beside the standard time, with how many seats played: P248."""
    for cut in cut_out(session):
        if cut.shoe.shuffled is None:
            continue
        first, last = cut.shoe.cases[0].seen.observed.start.first, cut.state.span.first
        seats = [len(case.seen.seats) for case in cut.shoe.cases]
        standard = SHOE_TIMES.get(session.rules.decks)
        yield {
            "first_ms": first,
            "last_ms": last,
            "standard_ms": standard,
            "mean_seats": round(sum(seats) / len(seats), 1),
        }


def _seats(cases: tuple[Case, ...]) -> dict[str, dict[str, int]]:
    """For each seat that ever played, how many rounds it played and how many it sat out since: P210."""
    played: dict[int, list[int]] = {}
    for number, case in enumerate(cases):
        for seat in case.seen.seats:
            played.setdefault(seat, []).append(number)
    return {
        str(seat): {"played": len(rounds), "sat_out": rounds[-1] - rounds[0] + 1 - len(rounds)}
        for seat, rounds in sorted(played.items())
    }


def _over_run(cases: tuple[Case, ...]) -> Iterator[dict[str, Any]]:
    """Rounds whose first card came very soon after the last one had left: P250."""
    for case in cases:
        if case.following is None or case.seen.piece.missing:
            continue
        pause = case.following.observed.start.last - case.seen.observed.end.first
        if pause < limit("time", "over_run_ms"):
            yield {"first_ms": case.following.observed.start.first, "pause_ms": pause}


def _calls(session: Session) -> Iterator[dict[str, Any]]:
    """Moments at which the manual demands a call that only sound could prove: P200, P196, P163."""
    most = session.places.profile.maximum
    for case in session.cases:
        for wager in case.seen.wagers:
            stake, ms = best_amount(wager.stake), case.seen.observed.start.first
            colours = {colour for pile in wager.piles for colour in (best(pile) or ())}
            high = [colour for colour in colours if (worth((colour,), session.chips) or 0) >= APPROVAL_CHEQUE]
            if high:
                yield _call("P200", ms, wager.key.seat, f"{sorted(high)[0]} in play")
            if stake is not None and stake >= most * _NEAR and wager.key.bet == "main":
                yield _call("P196", ms, wager.key.seat, "a wager near the table maximum")
    for layout in layouts(session):
        if layout.total >= APPROVAL_MONEY:
            yield _call("P163", layout.span.first, None, f"change of ${layout.total}")


def _call(procedure: str, ms: int, seat: int | None, words: str) -> dict[str, Any]:
    return {"procedure": procedure, "first_ms": ms, "seat": seat, "words": words}
