"""Recognition health: accuracy on the standing evaluation, and what each camera leaves unread over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from flask import Blueprint, render_template, url_for

from audit.intervals import Estimate, wilson
from audit.store.health import EvaluationRow, HealthRow, evaluations, health_by_day, together
from web.auth import MAY_SEE_HEALTH, needs_role
from web.charts import Point, trend
from web.database import get_db
from web.pit_view import PERIODS, Period, chosen_period, interval, number

blueprint = Blueprint("health", __name__)


@blueprint.get("/health")
@needs_role(MAY_SEE_HEALTH)
def show() -> str:
    """Show how well is recognised."""
    db = get_db()
    period = chosen_period()
    rows = health_by_day(db, first=period.first, last=period.last)
    names = sorted({row.table_name for row in rows})
    kept = evaluations(db)
    return render_template(
        "health.html",
        page="health",
        period=period,
        periods=PERIODS,
        cameras=[_camera(name, [row for row in rows if row.table_name == name]) for name in names],
        evaluations=kept,
        standing=_stages(kept[0]) if kept else [],
        end_to_end=_end_to_end(kept[0]) if kept else [],
        link=_linker(period),
    )


def _camera(name: str, rows: Sequence[HealthRow]) -> dict[str, Any]:
    days = [(row, _unread(row)) for row in rows]
    points = [
        Point(
            label=row.day[5:] or "?",
            estimate=share,
            words=f"{row.day or 'not dated'}: {number(share.value)} % unread ({interval(share)})",
        )
        for row, share in days
        if share is not None
    ]
    whole = together(rows)
    assert whole is not None  # noqa: S101 - a camera has rows
    heading = f"Share of readings unread at {name} by day, per cent, with 95 % intervals"
    return {"name": name, "sum": whole, "share": _unread(whole), "chart": trend(points, title=heading), "days": days}


def _unread(row: HealthRow) -> Estimate | None:
    share = wilson(row.cards_unread + row.wagers_unread + row.moves_unread, row.cards + row.wagers + row.moves)
    return None if share is None else share.times(100)


def _stages(row: EvaluationRow) -> list[dict[str, Any]]:
    """Return one row a stage: what was right, wrong, unread and missed, and the share right of what was there."""
    stages: Mapping[str, Mapping[str, int]] = row.scores.get("stages", {})
    there = ("right", "wrong", "unread", "missed")
    return [
        {
            "name": name,
            "counts": dict(counts),
            "right": _percent(counts.get("right", 0), sum(counts.get(verdict, 0) for verdict in there)),
        }
        for name, counts in stages.items()
    ]


def _end_to_end(row: EvaluationRow) -> list[dict[str, Any]]:
    """Return the counts end to end, each with what it is a share of, where it is one."""
    scores: Mapping[str, Any] = row.scores.get("end_to_end", {})
    wholes = {
        "rounds entirely right": "rounds",
        "wagers right": "wagers",
        "pays right": "pays",
        "takes right": "takes",
        "found": "planted",
        "found as suspect": "planted",
    }
    return [
        {
            "name": name,
            "value": value,
            "share": _percent(value, scores.get(wholes[name], 0)) if name in wholes else None,
        }
        for name, value in scores.items()
    ]


def _percent(part: float, whole: float) -> Estimate | None:
    share = wilson(part, whole)
    return None if share is None else share.times(100)


def _linker(period: Period) -> object:
    def link(**changes: str) -> str:
        kept = {} if "days" in changes else dict(period.query)
        return url_for("health.show", **(kept | changes))  # type: ignore[arg-type]  # values are text

    return link
