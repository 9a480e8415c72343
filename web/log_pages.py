"""The log: who did what when, and whether anything in it was changed since."""

from __future__ import annotations

import json
from typing import Final

from flask import Blueprint, Response, render_template, request, url_for

from audit.store.ledger import LogEntry
from audit.store.log_reading import check_chain, latest_entries, log_lines, log_names
from web.auth import MAY_READ_LOG, needs_role
from web.database import get_db

blueprint = Blueprint("log", __name__)

_PAGE: Final = 100


@blueprint.get("/log")
@needs_role(MAY_READ_LOG)
def show() -> str:
    """Show the log, latest first."""
    return _page()


@blueprint.post("/log/check")
@needs_role(MAY_READ_LOG)
def check() -> str:
    """Walk the whole chain and say what was found."""
    return _page(check=check_chain(get_db()))


@blueprint.get("/log.jsonl")
@needs_role(MAY_READ_LOG)
def export() -> Response:
    """Send the whole log as canonical JSON lines."""
    lines = list(log_lines(get_db()))
    headers = {"Content-Disposition": "attachment; filename=catwalk-log.jsonl"}
    return Response(lines, mimetype="application/x-ndjson", headers=headers)


def _page(**more: object) -> str:
    db = get_db()
    actor, action = request.args.get("actor") or None, request.args.get("action") or None
    before = request.args.get("before", type=int)
    entries = latest_entries(db, before=before, actor=actor, action=action, limit=_PAGE + 1)
    actors, actions = log_names(db)
    older = None
    if len(entries) > _PAGE:
        older = url_for("log.show", before=entries[_PAGE - 1].id, actor=actor, action=action)
    return render_template(
        "log.html",
        page="log",
        entries=[_written(one) for one in entries[:_PAGE]],
        older=older,
        actors=actors,
        actions=actions,
        actor=actor,
        action=action,
        **more,
    )


def _written(one: LogEntry) -> dict[str, object]:
    details = ", ".join(f"{key} {_text(value)}" for key, value in one.details.items() if value not in ("", None))
    return {"id": one.id, "at": one.at, "actor": one.actor, "action": one.action, "details": details, "hash": one.hash}


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
