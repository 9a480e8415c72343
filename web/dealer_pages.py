"""Dealers: findings per 1,000 rounds with their intervals, coverage, money, pace."""

from __future__ import annotations

from dataclasses import replace

from flask import Blueprint, abort, render_template, request, url_for

from audit.accuracy import PER, observed_rate
from audit.store import accuracy, dealers
from audit.store.accuracy import NOTHING, Record
from audit.store.database import StoreError
from audit.store.dealers import NOT_KNOWN, DealerRow
from audit.store.health import standing_recall
from web.auth import MAY_SEE_PIT, needs_role
from web.blind import blind_reviewer
from web.charts import trend, whisker
from web.database import get_db
from web.dealer_view import ORDERS, dealer_views, ordered, points_of
from web.pit_view import PERIODS, Period, chosen_period

blueprint = Blueprint("dealers", __name__)


@blueprint.get("/dealers")
@needs_role(MAY_SEE_PIT)
def index() -> str:
    """Show every dealer of the period beside the whole pit."""
    db = get_db()
    period = chosen_period()
    quality = accuracy.house_quality(db, blind_for=blind_reviewer())
    everyone = dealers.all_dealers(db)
    views, pit = dealer_views(accuracy.records_by(db, period.scope, "dealer_id"), everyone, quality)
    by = request.args.get("order", "name")
    by = by if by in ORDERS else "name"
    top = 1.15 * max([_shown_top(one.observed) for one in [*views, pit]], default=0.0)
    return render_template(
        "dealers.html",
        page="dealers",
        period=period,
        periods=PERIODS,
        views=[(one, whisker(one.observed, top=top, reference=pit.observed)) for one in ordered(views, by)],
        pit=pit,
        pit_chart=whisker(pit.observed, top=top),
        orders={key: heading for key, (heading, _) in ORDERS.items()},
        by=by,
        quality=quality,
        recall=standing_recall(db),
        link=_linker("dealers.index", period),
        known=len(everyone),
    )


@blueprint.get("/dealers/<int:dealer_id>")
@needs_role(MAY_SEE_PIT)
def show(dealer_id: int) -> str:
    """Show one dealer: by kind, over time, beside the pit."""
    db = get_db()
    period = chosen_period()
    row = _dealer(dealer_id)
    quality = accuracy.house_quality(db, blind_for=blind_reviewer())
    records = accuracy.records_by(db, period.scope, "dealer_id")
    views, pit = dealer_views({NOT_KNOWN: NOTHING, dealer_id: NOTHING} | records, dealers.all_dealers(db), quality)
    view = next((one for one in views if one.id == dealer_id), None)
    if view is None:
        abort(404, "No dealer of that number.")
    points = points_of(accuracy.records_by(db, replace(period.scope, dealer_id=dealer_id), "day"))
    heading = f"Findings per {PER:,} rounds of {row.name} over time, with 95 % intervals"
    return render_template(
        "dealer.html",
        page="dealers",
        dealer=row,
        period=period,
        periods=PERIODS,
        view=view,
        pit=pit,
        kinds=_kinds(period, dealer_id, view.record, pit.record),
        chart=trend([point for point, _ in points], title=heading, reference=pit.observed),
        points=points,
        link=_linker("dealers.show", period, dealer_id=dealer_id),
    )


def _kinds(period: Period, dealer_id: int, record: Record, pit: Record) -> list[dict[str, object]]:
    """Return one row a kind of finding: the dealer's rate with its interval, and the whole pit's."""
    db = get_db()
    own = accuracy.errors_by_kind(db, replace(period.scope, dealer_id=dealer_id))
    everybodys = accuracy.errors_by_kind(db, period.scope)
    return [
        {
            "code": code,
            "errors": errors,
            "rate": observed_rate(errors, record.exposure),
            "pit": observed_rate(everybodys[code], pit.exposure) if code in everybodys else None,
        }
        for code, errors in own.items()
    ]


def _linker(endpoint: str, period: Period, **fixed: int) -> object:
    def link(**changes: str) -> str:
        kept = dict(period.query)
        if "order" in request.args:
            kept["order"] = request.args["order"]
        if "days" in changes:
            kept = {key: value for key, value in kept.items() if key not in ("first", "last")}
        return url_for(endpoint, **fixed, **(kept | changes))  # type: ignore[arg-type]  # values are text or numbers

    return link


def _shown_top(estimate: object) -> float:
    value, high = getattr(estimate, "value", 0.0), getattr(estimate, "high", 0.0)
    return float(min(high, max(3 * value, 5.0)))


def _dealer(dealer_id: int) -> DealerRow:
    if dealer_id == NOT_KNOWN:
        return DealerRow(id=NOT_KNOWN, name="Dealer not known", number=None, added_at="")
    try:
        return dealers.dealer(get_db(), dealer_id)
    except StoreError:
        abort(404, "No dealer has that number.")
