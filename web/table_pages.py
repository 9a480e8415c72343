"""Tables and games: where findings lie, what they cost, what could not be audited and why, camera health."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from flask import Blueprint, abort, render_template, url_for

from audit.accuracy import PER, Errors, observed_rate
from audit.phases import PHASES, phase_of
from audit.store import accuracy
from audit.store.accuracy import NOTHING, Record
from audit.store.health import health_by_day, together
from web.auth import MAY_SEE_PIT, needs_role
from web.charts import trend, whisker
from web.database import get_db
from web.dealer_view import points_of
from web.pit_view import PERIODS, Period, chosen_period

blueprint = Blueprint("tables", __name__)


@blueprint.get("/tables")
@needs_role(MAY_SEE_PIT)
def index() -> str:
    """Show every table of the period, and where findings lie over all of them."""
    db = get_db()
    period = chosen_period()
    games = dict(accuracy.tables_and_games(db))
    records = accuracy.records_by(db, period.scope, "table_name")
    pit = NOTHING
    for record in records.values():
        pit = pit.plus(record)
    rates = {name: observed_rate(record.errors, record.exposure) for name, record in records.items()}
    whole = observed_rate(pit.errors, pit.exposure)
    top = 1.15 * max([min(one.high, max(3 * one.value, 5.0)) for one in rates.values() if one], default=0.0)
    health = health_by_day(db, first=period.first, last=period.last)
    rows = [
        {
            "name": name,
            "game": games.get(name, ""),
            "record": record,
            "rate": rates[name],
            "chart": whisker(rates[name], top=top, reference=whole),
            "health": together(one for one in health if one.table_name == name),
        }
        for name, record in records.items()
    ]
    return render_template(
        "tables.html",
        page="tables",
        period=period,
        periods=PERIODS,
        rows=rows,
        games=_by_game(records, games),
        pit=pit,
        whole=whole,
        places=places(accuracy.errors_by_place(db, period.scope)),
        reasons=accuracy.undetermined_by_reason(db, period.scope),
        link=_linker("tables.index", period),
    )


@blueprint.get("/tables/<name>")
@needs_role(MAY_SEE_PIT)
def show(name: str) -> str:
    """Show one table."""
    db = get_db()
    period = chosen_period()
    games = dict(accuracy.tables_and_games(db))
    if name not in games:
        abort(404, "No round was audited at a table of that name.")
    scope = replace(period.scope, table_name=name)
    record = accuracy.records_by(db, scope, "table_name").get(name, NOTHING)
    points = points_of(accuracy.records_by(db, scope, "day"))
    health = health_by_day(db, first=period.first, last=period.last, table_name=name)
    heading = f"Findings per {PER:,} rounds at {name} over time, with 95 % intervals"
    return render_template(
        "table.html",
        page="tables",
        name=name,
        game=games[name],
        period=period,
        periods=PERIODS,
        record=record,
        rate=observed_rate(record.errors, record.exposure),
        places=places(accuracy.errors_by_place(db, scope)),
        reasons=accuracy.undetermined_by_reason(db, scope),
        chart=trend([point for point, _ in points], title=heading),
        points=points,
        health=health,
        health_sum=together(health),
        link=_linker("tables.show", period, name=name),
    )


def places(found: Mapping[tuple[str, int | None], Errors]) -> dict[str, object]:
    """Return findings as a grid: one row a kind, under its phase, one column a seat; the first column is the table."""
    seats = sorted({seat for _, seat in found if seat is not None})
    most = max((errors.standing for errors in found.values()), default=0)
    codes = sorted({code for code, _ in found}, key=lambda code: (PHASES.index(phase_of(code)), code))
    rows = []
    for code in codes:
        cells = [found.get((code, seat), Errors()) for seat in (None, *seats)]
        total = Errors()
        for one in cells:
            total = total.plus(one)
        shares = [round(100 * one.standing / most) if most else 0 for one in cells]
        rows.append(
            {"code": code, "phase": phase_of(code), "cells": list(zip(cells, shares, strict=True)), "total": total}
        )
    return {"seats": seats, "rows": [row for row in rows if row["total"].standing]}  # type: ignore[attr-defined]  # Errors


def _by_game(records: Mapping[str, Record], games: Mapping[str, str]) -> list[dict[str, object]]:
    sums: dict[str, Record] = {}
    for name, record in records.items():
        game = games.get(name, "")
        sums[game] = record.plus(sums.get(game, NOTHING))
    return [
        {"game": game, "record": record, "rate": observed_rate(record.errors, record.exposure)}
        for game, record in sorted(sums.items())
    ]


def _linker(endpoint: str, period: Period, **fixed: str) -> object:
    def link(**changes: str) -> str:
        kept = {} if "days" in changes else dict(period.query)
        return url_for(endpoint, **fixed, **(kept | changes))  # type: ignore[arg-type]  # values are text

    return link
