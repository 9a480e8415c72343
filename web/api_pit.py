"""The interface of the pit and the house: dealers, tables, shifts, rota, health, log, users, settings."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from flask import abort, request

from audit.accuracy import Errors, observed_rate
from audit.phases import phase_of
from audit.store import accuracy, dealers, users
from audit.store.accuracy import Record, Scope
from audit.store.health import evaluations, health_by_day
from audit.store.log_reading import latest_entries
from audit.store.settings import house
from audit.store.shift import findings_in, scope_of, span_of
from web.api import LIMIT, PERIOD, operation, page_of, whole_number
from web.auth import MAY_ADMINISTER, MAY_READ_LOG, MAY_SEE_HEALTH, MAY_SEE_PIT
from web.blind import blind_reviewer, unseen_decisions
from web.database import get_db, now
from web.dealer_view import as_record, dealer_views, estimate_record
from web.openapi import COUNT, ESTIMATE, NUMBER, TEXT, Parameter, Schema, listing, maybe, record
from web.pit_view import chosen_period, day_in

_DEALER: Final[Schema] = record(
    {
        "id": maybe(COUNT),
        "name": TEXT,
        "rounds": COUNT,
        "rounds_wholly_audited": COUNT,
        "coverage": ESTIMATE,
        "findings_standing": COUNT,
        "findings_confirmed": COUNT,
        "findings_dismissed": COUNT,
        "seen_by_people": COUNT,
        "observed_per_1000": ESTIMATE,
        "corrected_per_1000": ESTIMATE,
        "not_corrected_because": maybe(TEXT),
        "overpaid": TEXT,
        "underpaid": TEXT,
        "rounds_per_hour": maybe(NUMBER),
        "shuffle_seconds": maybe(NUMBER),
        "compared_with_the_rest": ESTIMATE,
    }
)
_COUNTED: Final[Schema] = record(
    {
        "rounds": COUNT,
        "rounds_wholly_audited": COUNT,
        "findings_standing": COUNT,
        "observed_per_1000": ESTIMATE,
        "overpaid": TEXT,
        "underpaid": TEXT,
    }
)
_PLACE: Final[Schema] = record(
    {"code": TEXT, "phase": TEXT, "seat": maybe(COUNT), "findings": COUNT, "overpaid": TEXT, "underpaid": TEXT}
)
_DAY: Final = Parameter(name="day", text="gaming day; today if left out", schema={"type": "string", "format": "date"})
_NAMED: Final = {"first": TEXT, "last": TEXT}


@operation(
    "/dealers",
    text="Every dealer's rates with their intervals, and the whole pit's",
    roles=MAY_SEE_PIT,
    parameters=PERIOD,
    answer=listing(_DEALER, pit=_DEALER, **_NAMED),
)
def dealer_rates() -> dict[str, Any]:
    """Return the dealers of a period."""
    db = get_db()
    period = chosen_period()
    records = accuracy.records_by(db, period.scope, "dealer_id")
    views, pit = dealer_views(records, dealers.all_dealers(db), accuracy.house_quality(db, blind_for=blind_reviewer()))
    return {
        "items": [as_record(one) for one in views],
        "pit": as_record(pit),
        "first": period.first,
        "last": period.last,
    }


@operation(
    "/dealers/{dealer_id}/kinds",
    text="One dealer's findings by kind; number 0 stands for the rounds whose dealer is not known",
    roles=MAY_SEE_PIT,
    parameters=(
        Parameter(
            name="dealer_id", text="number", schema={"type": "integer", "minimum": 0, "maximum": 2**62}, in_path=True
        ),
        *PERIOD,
    ),
    answer=listing(_PLACE, **_NAMED),
)
def dealer_kinds(dealer_id: int) -> dict[str, Any]:
    """Return where a dealer's findings lie."""
    period = chosen_period()
    return _places(replace(period.scope, dealer_id=dealer_id)) | {"first": period.first, "last": period.last}


@operation(
    "/tables",
    text="Every table's rates",
    roles=MAY_SEE_PIT,
    parameters=PERIOD,
    answer=listing(record({"table": TEXT, **_COUNTED["properties"]}), **_NAMED),
)
def table_rates() -> dict[str, Any]:
    """Return the tables of a period."""
    period = chosen_period()
    records = accuracy.records_by(get_db(), period.scope, "table_name")
    items = [{"table": name} | _counted(one) for name, one in records.items()]
    return {"items": items, "first": period.first, "last": period.last}


@operation(
    "/tables/{name}/places",
    text="Findings at a table by kind, phase and seat",
    roles=MAY_SEE_PIT,
    parameters=(
        Parameter(name="name", text="the table", schema={"type": "string", "minLength": 1}, in_path=True),
        *PERIOD,
    ),
    answer=listing(_PLACE, **_NAMED),
)
def table_places(name: str) -> dict[str, Any]:
    """Return where findings lie at a table."""
    if name not in dict(accuracy.tables_and_games(get_db())):
        abort(404, f"expected a table at which rounds were audited, found {name!r:.60}")
    period = chosen_period()
    return _places(replace(period.scope, table_name=name)) | {"first": period.first, "last": period.last}


@operation(
    "/undetermined",
    text="What could not be decided, and how often, by reason",
    roles=MAY_SEE_PIT,
    parameters=PERIOD,
    answer=listing(record({"reason": TEXT, "times": COUNT}), **_NAMED),
)
def undetermined() -> dict[str, Any]:
    """Return the reasons of a period."""
    period = chosen_period()
    rows = accuracy.undetermined_by_reason(get_db(), period.scope)
    items = [{"reason": reason, "times": n} for reason, n in rows]
    return {"items": items, "first": period.first, "last": period.last}


@operation(
    "/shift",
    text="A shift's rates and findings",
    roles=MAY_SEE_PIT,
    parameters=(
        _DAY,
        Parameter(
            name="shift", text="1 to 3; 0 is the whole day", schema={"type": "integer", "minimum": 0, "maximum": 3}
        ),
    ),
    answer=record(
        {
            "day": TEXT,
            "shift": COUNT,
            "from": TEXT,
            "to": TEXT,
            "total": COUNT,
            "tables": {"type": "object", "additionalProperties": _COUNTED},
            "findings": {"type": "array", "items": {"type": "object"}},
        }
    ),
)
def shift() -> dict[str, Any]:
    """Return a shift report."""
    db = get_db()
    chosen = house(db)
    which = whole_number("shift", default=0, least=0, most=len(chosen.shifts))
    day = _day(chosen.day_of(now()))
    scope = replace(scope_of(chosen, day, which or None), blind_for=blind_reviewer())
    first, end = span_of(chosen, day, which or None)
    chosen_period()  # counts what waits
    found, total = findings_in(db, scope)
    kept_back = unseen_decisions()
    tables = accuracy.records_by(db, scope, "table_name")
    return {
        "day": day,
        "shift": which,
        "from": first.isoformat(),
        "to": end.isoformat(),
        "total": total,
        "tables": {name: _counted(one) for name, one in tables.items()},
        "findings": [vars(one) | ({"decision": None} if one.id in kept_back else {}) for one in found],
    }


@operation(
    "/rota",
    text="Who dealt at which table when, on a gaming day",
    roles=MAY_SEE_PIT,
    parameters=(_DAY,),
    answer=listing(
        record(
            {"id": COUNT, "dealer_id": COUNT, "dealer": TEXT, "table_name": TEXT, "starts_at": TEXT, "ends_at": TEXT}
        )
    ),
)
def rota() -> dict[str, Any]:
    """Return a day of the rota."""
    chosen = house(get_db())
    first, end = span_of(chosen, _day(chosen.day_of(now())), None)
    return {"items": [vars(row) for row in dealers.rota_between(get_db(), first, end)]}


@operation(
    "/health",
    text="What was unread by camera and day, and the stored evaluations",
    roles=MAY_SEE_HEALTH,
    parameters=PERIOD,
    answer=listing(
        record({"day": TEXT, "table_name": TEXT, "cards": COUNT, "cards_unread": COUNT, "lost_ms": COUNT}),
        evaluations={"type": "array", "items": {"type": "object"}},
    ),
)
def health() -> dict[str, Any]:
    """Return the health of recognition."""
    period = chosen_period()
    rows = health_by_day(get_db(), first=period.first, last=period.last)
    return {
        "items": [vars(row) | {"unread_share": row.unread_share} for row in rows],
        "evaluations": [vars(one) for one in evaluations(get_db())],
    }


@operation(
    "/log",
    text="The log, latest first; `before` is the number of the last entry seen",
    roles=MAY_READ_LOG,
    parameters=(
        LIMIT,
        Parameter(name="before", text="entries with lower numbers", schema={"type": "integer", "minimum": 1}),
    ),
    answer=listing(record({"id": COUNT, "at": TEXT, "actor": TEXT, "action": TEXT, "hash": TEXT})),
)
def log() -> dict[str, Any]:
    """Return entries of the log."""
    limit, _ = page_of()
    before = whole_number("before", default=0, least=1, most=10**11)
    rows = latest_entries(get_db(), before=before or None, actor=None, action=None, limit=limit)
    return {"items": [vars(row) for row in rows]}


@operation(
    "/users",
    text="Users and their roles",
    roles=MAY_ADMINISTER,
    answer=listing(record({"id": COUNT, "name": TEXT, "role": TEXT, "created_at": TEXT, "disabled_at": maybe(TEXT)})),
)
def user_list() -> dict[str, Any]:
    """Return the users, without anything by which they sign in."""
    shown = ("id", "name", "role", "created_at", "disabled_at")
    return {"items": [{name: getattr(row, name) for name in shown} for row in users.all_users(get_db())]}


@operation(
    "/settings",
    text="Settings of the property",
    roles=MAY_ADMINISTER,
    answer=record({"property_name": TEXT, "zone": TEXT, "day_starts": COUNT, "shift_starts": TEXT}),
)
def settings() -> dict[str, Any]:
    """Return the settings."""
    return dict(vars(house(get_db())))


def _day(default: str) -> str:
    text = request.args.get("day")
    day = day_in(text) if text else default
    if day is None:
        abort(400, f"day: expected a date such as 2026-11-20, found {text!r:.40}")
    return day


def _counted(one: Record) -> dict[str, Any]:
    return {
        "rounds": one.exposure.rounds,
        "rounds_wholly_audited": one.exposure.whole,
        "findings_standing": one.errors.standing,
        "observed_per_1000": estimate_record(observed_rate(one.errors, one.exposure)),
        **_money(one.errors),
    }


def _places(scope: Scope) -> dict[str, Any]:
    found = accuracy.errors_by_place(get_db(), scope)
    rows = sorted(found.items(), key=lambda item: (item[0][0], item[0][1] or 0))
    return {
        "items": [
            {"code": code, "phase": phase_of(code), "seat": seat, "findings": errors.standing, **_money(errors)}
            for (code, seat), errors in rows
        ]
    }


def _money(errors: Errors) -> dict[str, str]:
    return {"overpaid": f"{errors.over_cents / 100:.2f}", "underpaid": f"{-errors.short_cents / 100:.2f}"}
