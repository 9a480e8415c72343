"""Exports: findings and rounds of a period as CSV, JSON lines or Parquet, for other programs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any, Final

from flask import Blueprint, Response, abort, g, render_template, request

from audit.store import exports, ledger
from audit.store.shift import KEPT_BACK
from web.auth import MAY_SEE_PIT, needs_role
from web.blind import unseen_decisions
from web.database import get_db, now
from web.parquet import WANTED, is_possible, parquet_file
from web.pit_view import PERIODS, chosen_period
from web.report_pages import harmless

blueprint = Blueprint("export", __name__)

_KINDS: Final = {
    "csv": ("CSV", "text/csv"),
    "jsonl": ("JSON lines", "application/x-ndjson"),
    "parquet": ("Parquet", "application/vnd.apache.parquet"),
}


@blueprint.get("/export")
@needs_role(MAY_SEE_PIT)
def show() -> str:
    """Offer the exports."""
    kinds = {kind: name for kind, (name, _) in _KINDS.items() if kind != "parquet" or is_possible()}
    return render_template("export.html", page="export", period=chosen_period(), periods=PERIODS, kinds=kinds)


@blueprint.get("/export/<what>.<kind>")
@needs_role(MAY_SEE_PIT)
def send(what: str, kind: str) -> Response:
    """Send findings or rounds of the period."""
    if kind not in _KINDS or what not in exports.COLUMNS:
        abort(404, f"expected findings or rounds as csv, jsonl or parquet, found {what}.{kind}"[:200])
    if kind == "parquet" and not is_possible():
        abort(404, WANTED)
    period = chosen_period()
    table = request.args.get("table") or None
    found = exports.rows(get_db(), what, first=period.first, last=period.last, table_name=table)
    rows = _shown(found, unseen_decisions())
    details = {"export": what, "as": kind, "first": period.first, "last": period.last, "table": table}
    ledger.append(get_db(), actor=g.user.name, action="export", details=details, at=now())
    headers = {"Content-Disposition": f"attachment; filename=catwalk-{what}.{kind}"}
    return Response(_written(what, kind, rows), mimetype=_KINDS[kind][1], headers=headers)


def _written(what: str, kind: str, rows: Iterator[dict[str, Any]]) -> Iterator[str] | Iterator[bytes]:
    if kind == "parquet":
        return parquet_file(exports.COLUMNS[what], rows)
    return _csv(what, rows) if kind == "csv" else (json.dumps(row) + "\n" for row in rows)


def _shown(rows: Iterator[dict[str, Any]], kept_back: frozenset[int]) -> Iterator[dict[str, Any]]:
    """Leave out the decisions that a second reviewer must not see yet."""
    for row in rows:
        yield row | {"decision": KEPT_BACK} if row.get("finding") in kept_back else row


def _csv(what: str, rows: Iterator[dict[str, object]]) -> Iterator[str]:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(exports.COLUMNS[what])
    for row in rows:
        writer.writerow([harmless(row[name]) for name in exports.COLUMNS[what]])
        if out.tell() > 65536:  # noqa: PLR2004 - send in pieces of this size
            yield out.getvalue()
            out.seek(0)
            out.truncate()
    yield out.getvalue()
