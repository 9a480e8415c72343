"""An object that recognition did not see, as the form of the round page sends it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sqlite_utils import Database
from werkzeug.datastructures import MultiDict

from audit.additions import in_the_way, lying, parse_added
from audit.corrections import Correction
from audit.states import TableState
from audit.store.resettling import around, profile_of
from audit.store.review import RoundRow
from audit.table import Point, TableProfile, Zone
from audit.timing import Span
from web.words import clock

_FAR_MM: Final = 1e5
_LATEST_MS: Final = 10**12


def asked_addition(db: Database, row: RoundRow, form: MultiDict[str, str]) -> Correction:
    """Return what the form says lies where recognition saw nothing.

    From when and until when it lay there is said in the form, or follows from the hands that were seen.

    Raises:
        ValueError: saying what was expected and what was found.
    """
    kind, reading = parse_added(form.get("reading", "")[:400])
    profile, states = profile_of(db, row), around(db, row)
    at_ms, now = _seen(states, moment(form, "at_ms"))
    x, y = place_of(form)
    other = in_the_way(now, kind=kind, place=(x, y))
    if other is not None:
        msg = f"expected a place where recognition saw nothing, found a {other.kind.replace('_', ' ')} to be corrected"
        raise ValueError(msg)
    zones = profile.zones_at((x, y))
    return Correction(
        kind=kind,
        at_ms=at_ms,
        xy_mm=(round(x, 1), round(y, 1)),
        reading=reading,
        lies=_stretch(form, at_ms, lying(states, kind=kind, at_ms=at_ms, zones=zones)),
        angle_deg=_direction(profile, zones, across=bool(form.get("sideways"))) if kind == "card" else None,
    )


def moment(form: MultiDict[str, str], name: str) -> int | None:
    """Return a media time that a form sent, None if it is none."""
    value = form.get(name, type=int)
    return value if value is not None and 0 <= value < _LATEST_MS else None


def place_of(form: MultiDict[str, str]) -> Point:
    """Return the place on the felt that a form sent.

    Raises:
        ValueError: if there is none.
    """
    x, y = form.get("x_mm", type=float), form.get("y_mm", type=float)
    if x is None or y is None or not (abs(x) < _FAR_MM and abs(y) < _FAR_MM):
        msg = "expected a place on the felt, found none"
        raise ValueError(msg)
    return x, y


def _seen(states: Sequence[TableState], at_ms: int | None) -> tuple[int, TableState]:
    begun = [one for one in states if at_ms is not None and one.span.first <= at_ms]
    if at_ms is None or not begun or begun[-1].view != "ok":
        msg = "expected a moment of the round at which the table was seen, found none"
        raise ValueError(msg)
    return at_ms, begun[-1]


def _stretch(form: MultiDict[str, str], at_ms: int, followed: Span | None) -> Span:
    """Return the stretch that the form names; what it does not name follows from the hands."""
    since, until = moment(form, "since_ms"), moment(form, "until_ms")
    first = since if since is not None else at_ms if followed is None else followed.first
    last = until if until is not None else at_ms if followed is None else followed.last
    if not first <= at_ms <= last:
        msg = f"expected a stretch that holds {clock(at_ms)}, found {clock(first)} to {clock(last)}"
        raise ValueError(msg)
    return Span.of(first, last)


def _direction(profile: TableProfile, zones: Sequence[Zone], *, across: bool) -> float:
    """Return how a card lies, upright or across its seat's axis: degrees in (-90, 90]."""
    seat = next((zone.seat for zone in zones if zone.seat is not None), None)
    upright = 0.0 if seat is None else profile.seat_axis_deg(seat)
    return 90 - (90 - upright - (90 if across else 0)) % 180
