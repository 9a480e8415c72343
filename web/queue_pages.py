"""The queue of findings."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, render_template, request, url_for

from audit.store import review
from audit.store.review import QueueFilter
from web.auth import MAY_SEE_FOOTAGE, needs_role
from web.database import get_db
from web.words import finding_view

blueprint = Blueprint("queue", __name__)

PAGE: Final = 50
_STATES: Final = (
    ("unreviewed", "unreviewed"),
    ("reviewed", "reviewed"),
    ("any", "all"),
    ("confirm", "confirmed"),
    ("dismiss", "dismissed"),
    ("cannot_tell", "can't tell"),
    ("escalate", "escalated"),
)
_VERDICTS: Final = (("", "all"), ("violation", "violation"), ("suspect", "suspect"), ("undetermined", "undetermined"))


@blueprint.get("/")
@needs_role(MAY_SEE_FOOTAGE)
def show() -> str:
    """Show the findings, most money times probability first."""
    db = get_db()
    counts = review.queue_counts(db)
    chosen = chosen_filter()
    offset = max(0, request.args.get("from", 0, type=int))
    page = review.queue_page(db, chosen, limit=PAGE, offset=offset)
    return render_template(
        "queue.html",
        page="queue",
        findings=[finding_view(row) for row in page.rows],
        counts=counts,
        chosen=chosen,
        states=_STATES,
        verdicts=_VERDICTS,
        tables=list(counts.by_table),
        codes=list(counts.by_code),
        total=page.total,
        first=offset + 1,
        last=offset + len(page.rows),
        older=_link(offset + PAGE) if offset + PAGE < page.total else None,
        newer=_link(max(0, offset - PAGE)) if offset else None,
    )


def chosen_filter() -> QueueFilter:
    """Return what the address asks for; what it does not know is passed over."""
    state = request.args.get("state", "unreviewed")
    verdict = request.args.get("verdict", "")
    return QueueFilter(
        state=state if state in dict(_STATES) else "unreviewed",
        verdict=verdict if verdict and verdict in dict(_VERDICTS) else None,
        code=request.args.get("code") or None,
        table_name=request.args.get("table") or None,
    )


def _link(offset: int) -> str:
    kept = {key: value for key, value in request.args.items() if key != "from"}
    return url_for("queue.show", **kept, **{"from": offset})  # type: ignore[arg-type]  # query values are text or numbers
