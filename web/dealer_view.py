"""Dealers as the pages and the interface write them: rates with their intervals, compared with the rest of the pit."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Final

from audit.accuracy import PER, Corrected, Quality, corrected_rate, observed_rate
from audit.intervals import Estimate, rate_ratio
from audit.store.accuracy import NOTHING, Record
from audit.store.dealers import NOT_KNOWN, DealerRow
from web.charts import Point
from web.pit_view import interval, number

_WEEK: Final = 7
_WEEKS_FROM: Final = 42


@dataclass(frozen=True, kw_only=True)
class DealerView:
    """One dealer's record in a period."""

    id: int
    name: str
    record: Record
    observed: Estimate | None
    corrected: Corrected
    ratio: Estimate | None

    @property
    def compared(self) -> str:
        """How often findings stand in this dealer's rounds, compared with the rest of the pit, in words."""
        if self.ratio is None:
            return "nothing to compare"
        if self.ratio.low <= 1 <= self.ratio.high:
            return "no difference shown"
        more = "more" if self.ratio.low > 1 else "fewer"
        return f"{more}: {number(self.ratio.value)} times the rest ({interval(self.ratio)})"


def dealer_views(
    records: Mapping[int, Record], dealers: Sequence[DealerRow], quality: Quality
) -> tuple[list[DealerView], DealerView]:
    """Return every dealer with rounds or findings in the period, and the whole pit."""
    names = {row.id: row.name for row in dealers} | {NOT_KNOWN: "Dealer not known"}
    pit = NOTHING
    for record in records.values():
        pit = pit.plus(record)
    views = [_view(key, names[key], record, pit, quality) for key, record in records.items() if key in names]
    whole = _view(-1, "Whole pit", pit, pit, quality)
    return views, whole


def _view(key: int, name: str, record: Record, pit: Record, quality: Quality) -> DealerView:
    own, all_of_them = record.errors.standing, pit.errors.standing
    rest = pit.exposure.rounds - record.exposure.rounds
    return DealerView(
        id=key,
        name=name,
        record=record,
        observed=observed_rate(record.errors, record.exposure),
        corrected=corrected_rate(record.in_whole, record.exposure, quality),
        ratio=rate_ratio(own, record.exposure.rounds, all_of_them - own, rest),
    )


ORDERS: Final[Mapping[str, tuple[str, Callable[[DealerView], Any]]]] = {
    "name": ("Dealer", lambda one: one.name.casefold()),
    "rounds": ("Rounds", lambda one: -one.record.exposure.rounds),
    "rate": ("Findings per 1,000 rounds", lambda one: -one.observed.value if one.observed else 1.0),
    "over": ("Overpaid", lambda one: -one.record.errors.over_cents),
    "short": ("Underpaid", lambda one: one.record.errors.short_cents),
    "pace": ("Rounds an hour", lambda one: -(one.record.exposure.rounds_per_hour or 0.0)),
}
"""By what the dealers may be put in order: the heading and the key."""


def ordered(views: Sequence[DealerView], by: str) -> list[DealerView]:
    """Return the dealers in the order asked for, equal ones by name; the rounds of nobody known come last."""
    key = ORDERS[by][1]
    return sorted(views, key=lambda one: (one.id == NOT_KNOWN, key(one), one.name.casefold()))


def points_of(days: Mapping[str, Record]) -> tuple[tuple[Point, Record], ...]:
    """Return a trend by day, by week where there are more than six weeks; undated rounds are left out."""
    dated = {day: record for day, record in days.items() if day}
    if not dated:
        return ()
    span = (date.fromisoformat(max(dated)) - date.fromisoformat(min(dated))).days
    by_week: dict[str, Record] = {}
    for day, record in dated.items():
        name = _monday(day) if span >= _WEEKS_FROM else day
        by_week[name] = record.plus(by_week.get(name, NOTHING))
    kind = "week from " if span >= _WEEKS_FROM else ""
    return tuple((_point(name, record, kind), record) for name, record in sorted(by_week.items()))


def as_record(view: DealerView) -> dict[str, Any]:
    """Return the dealer as the interface sends it."""
    exposure, errors = view.record.exposure, view.record.errors
    return {
        "id": view.id if view.id > 0 else None,
        "name": view.name,
        "rounds": exposure.rounds,
        "rounds_wholly_audited": exposure.whole,
        "coverage": estimate_record(exposure.coverage),
        "findings_standing": errors.standing,
        "findings_confirmed": errors.confirmed,
        "findings_dismissed": errors.dismissed,
        "seen_by_people": errors.seen_by_people,
        "observed_per_1000": estimate_record(view.observed),
        "corrected_per_1000": estimate_record(view.corrected.rate),
        "not_corrected_because": view.corrected.reason or None,
        "overpaid": f"{errors.over_cents / 100:.2f}",
        "underpaid": f"{-errors.short_cents / 100:.2f}",
        "rounds_per_hour": None if exposure.rounds_per_hour is None else round(exposure.rounds_per_hour, 1),
        "shuffle_seconds": None if exposure.shuffle_s is None else round(exposure.shuffle_s, 1),
        "compared_with_the_rest": estimate_record(view.ratio),
    }


def estimate_record(one: Estimate | None) -> dict[str, float | None] | None:
    """Return an estimate as the interface sends it: an infinite limit is null."""
    if one is None:
        return None
    limits = {"value": one.value, "low": one.low, "high": one.high}
    return {name: None if math.isinf(value) else round(value, 4) for name, value in limits.items()}


def _monday(day: str) -> str:
    at = date.fromisoformat(day)
    return (at - timedelta(days=at.weekday() % _WEEK)).isoformat()


def _point(name: str, record: Record, kind: str) -> Point:
    rate = observed_rate(record.errors, record.exposure)
    words = f"{kind}{name}: {record.errors.standing} in {record.exposure.rounds} rounds"
    if rate is not None:
        words += f", {number(rate.value)} per {PER:,} ({interval(rate)})"
    return Point(label=name[5:], estimate=rate, words=words)
