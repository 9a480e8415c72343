"""The footage that was registered, and its video."""

from __future__ import annotations

from pathlib import Path

from flask import Blueprint, abort, render_template, send_file
from werkzeug.wrappers import Response

from audit.store import footage as store
from audit.store import review
from audit.store.database import StoreError
from web.auth import MAY_SEE_FOOTAGE, needs_role
from web.database import get_db
from web.words import clock

blueprint = Blueprint("footage", __name__)

_TYPES = {
    ".mp4": "video/mp4",
    ".m4v": "video/mp4",
    ".webm": "video/webm",
    ".mkv": "video/x-matroska",
    ".mov": "video/mp4",
}


@blueprint.get("/footage")
@needs_role(MAY_SEE_FOOTAGE)
def index() -> str:
    """List the footage with what its latest audit gave."""
    db = get_db()
    items = []
    for row in store.footage_list(db):
        run = next(iter(store.runs_of(db, row.id)), None)
        first = next(iter(review.rounds_of_run(db, run.id, limit=1)), None) if run else None
        items.append(
            {
                "name": Path(row.path).name,
                "table_id": store.profile(db, run.profile_id).name if run else "",
                "length": "" if row.duration_ms is None else clock(row.duration_ms),
                "status": run.status if run else "not audited",
                "error": row.error or (run.error if run else None),
                "rounds": run.rounds if run else 0,
                "findings": run.findings if run else 0,
                "first_round": first.id if first else None,
            }
        )
    return render_template("footage.html", page="footage", items=items)


@blueprint.get("/footage/<int:footage_id>/video")
@needs_role(MAY_SEE_FOOTAGE)
def video(footage_id: int) -> Response:
    """Send the recording, or the part of it that the browser asks for."""
    try:
        path = Path(store.footage(get_db(), footage_id).path)
    except StoreError as error:
        abort(404, str(error))
    if not path.is_file():
        abort(404, "The recording is no longer where it was registered.")
    kind = _TYPES.get(path.suffix.lower(), "application/octet-stream")
    return send_file(path, mimetype=kind, conditional=True, etag=True)
