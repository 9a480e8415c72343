"""What the pit's pages share: the period that is asked for, and how figures are written."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from flask import request, url_for

from audit.accuracy import PER, Errors
from audit.intervals import Estimate
from audit.store import accuracy, tallies
from audit.store.accuracy import Scope
from web.blind import blind_reviewer
from web.database import get_db
from web.queue_filter import COUNTED
from web.words import signed, title

AT_ONCE: Final = 5
"""Runs that are counted while a page waits; the page says how many are left."""
PERIODS: Final = (("7", "7 days"), ("28", "28 days"), ("91", "13 weeks"), ("all", "everything"))
_DEFAULT: Final = "28"
_UNDATED: Final = ""
_OPEN_END: Final = "9999-12-31"
_ALL: Final = 100
_FIRST_YEAR: Final = 2000
_LAST_YEAR: Final = 2199


@dataclass(frozen=True, kw_only=True)
class Period:
    """The gaming days that a page shows; ``key`` is the choice in the form, ``dates`` if they were given one by one."""

    key: str
    first: str
    last: str
    words: str
    waiting: int = 0

    @property
    def scope(self) -> Scope:
        """What is counted, as the signed-in user may see it."""
        return Scope(first=self.first, last=self.last, blind_for=blind_reviewer())

    @property
    def query(self) -> dict[str, str]:
        """The period as the address writes it."""
        return {"first": self.first, "last": self.last} if self.key == "dates" else {"days": self.key}


def chosen_period() -> Period:
    """Return the period of the address; the latest 28 days that were counted if it names none, all if none is dated."""
    waiting = tallies.count_runs(get_db(), limit=AT_ONCE)
    counted = accuracy.days_counted(get_db())
    first, last = day_in(request.args.get("first")), day_in(request.args.get("last"))
    if first and last and first <= last:
        return Period(key="dates", first=first, last=last, words=f"{first} to {last}", waiting=waiting)
    key = request.args.get("days", _DEFAULT)
    if counted is None or key == "all" or key not in dict(PERIODS):
        words = "everything" if counted is None else f"everything, {counted[0]} to {counted[1]}"
        return Period(key="all", first=_UNDATED, last=_OPEN_END, words=words, waiting=waiting)
    start = (date.fromisoformat(counted[1]) - timedelta(days=int(key) - 1)).isoformat()
    return Period(key=key, first=start, last=counted[1], words=f"{start} to {counted[1]}", waiting=waiting)


def day_in(text: str | None) -> str | None:
    """Return the day that is written, None if none is, or one far from any recording."""
    try:
        day = date.fromisoformat(text or "")
    except ValueError:
        return None
    return day.isoformat() if _FIRST_YEAR <= day.year <= _LAST_YEAR else None


def in_queue(first: str, last: str, **more: object) -> str:
    """Return the address of the queue with the findings that are counted in these gaming days, filtered further."""
    days = {"first": first, "last": "" if last == _OPEN_END else last}
    asked = {"state": COUNTED, **days, **more}
    return url_for("queue.show", **{name: value for name, value in asked.items() if value not in ("", None)})  # type: ignore[arg-type]  # query values


def number(value: float | None, digits: int = 1) -> str:
    """Return a figure with thousands apart; an en dash where there is none."""
    if value is None:
        return "–"
    return "no limit" if math.isinf(value) else f"{value:,.{digits}f}"


def interval(one: Estimate | None, digits: int = 1) -> str:
    """Return the limits of an estimate: ``2.4 to 9.2``."""
    if one is None:
        return ""
    upper = "no upper limit" if math.isinf(one.high) else f"{one.high:,.{digits}f}"
    return f"{one.low:,.{digits}f} to {upper}"


def percent(one: Estimate | float | None, digits: int = 1) -> str:
    """Return a share in per cent; less than all is never written as all, more than nothing never as nothing."""
    if one is None:
        return "–"
    value = _ALL * (one.value if isinstance(one, Estimate) else one)
    least = 10.0**-digits
    if _ALL - least / 2 <= value < _ALL:
        return f"> {_ALL - least:.{digits}f} %"
    if 0 < value < least / 2:
        return f"< {least:.{digits}f} %"
    return f"{value:.{0 if value in (0, _ALL) else digits}f} %"


def money(cents: int) -> str:
    """Return cents as an amount: ``1,234.50``."""
    return f"{cents / 100:,.2f}" if cents else "0.00"


def told_apart(cents: int, suspected: int) -> str:
    """Return a sum with what of it is suspected only told apart: ``25.00 + 75.00 suspected``."""
    return f"{money(cents - suspected)} + {money(suspected)} suspected" if suspected else money(cents)


def per_thousand(cents: int, rounds: int) -> float | None:
    """Return money per 1,000 rounds, in cents; None without rounds."""
    return None if not rounds else cents * PER / rounds


def undecided(errors: Errors) -> int:
    """Return how many findings nobody has confirmed or dismissed."""
    return sum(errors.open.values())


WORDS: Final = {
    "number": number,
    "interval": interval,
    "percent": percent,
    "money": money,
    "signed": signed,
    "title_of": title,
    "in_queue": in_queue,
}
"""How figures are written, under the names by which templates call them."""
