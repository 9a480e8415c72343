"""The footage library: recordings with their state, uploads, registered folders; and the video of a recording."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    flash,
    g,
    jsonify,
    redirect,
    render_template,
    request,
    url_for,
)
from flask import send_file as send
from werkzeug.wrappers import Response as AnyResponse

from audit.store import footage as store
from audit.store import library
from audit.store.database import StoreError
from audit.store.library import LibraryRow
from audit.store.rota_csv import moment
from audit.store.settings import house
from web import uploads
from web.auth import MAY_EDIT_PROFILES, MAY_KEEP_FOOTAGE, MAY_SEE_FOOTAGE, MAY_SEE_HEALTH, may, needs_role
from web.database import get_db, now
from web.recording_names import named_profile, recording_name, with_name
from web.uploads import UploadError
from web.words import clock

blueprint = Blueprint("footage", __name__)

_STATES: Final = {"running": "being audited", "failed": "failed", "done": "audited"}
_PAGE: Final = 100
_TYPES = {
    ".mp4": "video/mp4",
    ".m4v": "video/mp4",
    ".webm": "video/webm",
    ".mkv": "video/x-matroska",
    ".mov": "video/mp4",
}
_IN_NAME: Final = re.compile(r"(20\d\d)[-_.]?(\d\d)[-_.]?(\d\d)[-_ T.]+(\d\d)[-_.:h]?(\d\d)(?:[-_.:m]?(\d\d))?")


@blueprint.get("/footage")
@needs_role(MAY_SEE_HEALTH)
def index() -> str:
    """List the recordings with their state."""
    return _page()


@blueprint.get("/footage/<int:footage_id>/video")
@needs_role(MAY_SEE_FOOTAGE)
def video(footage_id: int) -> AnyResponse:
    """Send the recording, or the part of it that the browser asks for."""
    try:
        path = Path(store.footage(get_db(), footage_id).path)
    except StoreError:
        abort(404, "No recording has that number.")
    if not path.is_file():
        abort(404, "The recording is no longer where it was registered.")
    kind = _TYPES.get(path.suffix.lower(), "application/octet-stream")
    return send(path, mimetype=kind, conditional=True, etag=True)


@blueprint.post("/footage/uploads")
@needs_role(MAY_KEEP_FOOTAGE)
def begin_upload() -> Response | tuple[Response, int]:
    """Begin an upload and return where its parts go."""
    size = request.form.get("size", 0, type=int)
    try:
        upload = uploads.begin(_data_dir(), name=request.form.get("name", ""), size=size, user=g.user.name, now=now())
    except UploadError as error:
        return jsonify(error=str(error)), 400
    return jsonify(upload=upload.token, received=0, piece=uploads.PIECE)


@blueprint.put("/footage/uploads/<token>")
@needs_role(MAY_KEEP_FOOTAGE)
def add_part(token: str) -> Response | tuple[Response, int]:
    """Store one part of an upload."""
    offset = request.args.get("from", -1, type=int)
    try:
        upload = uploads.find(_data_dir(), token, user=g.user.name)
        have = uploads.add(_data_dir(), upload, offset=offset, body=request.stream)
    except UploadError as error:
        return jsonify(error=str(error)), 400
    return jsonify(received=have)


@blueprint.post("/footage/uploads/<token>/finish")
@needs_role(MAY_KEEP_FOOTAGE)
def finish_upload(token: str) -> Response | tuple[Response, int]:
    """Register a whole upload and ask for its audit, if a profile was chosen."""
    profile_id = request.form.get("profile", type=int)
    try:
        upload = uploads.find(_data_dir(), token, user=g.user.name)
        recorded_at = _moment(request.form.get("recorded_at", ""))
        footage_id = uploads.finish(get_db(), _data_dir(), upload, recorded_at=recorded_at, now=now())
        if profile_id is not None:
            library.want_audit(get_db(), footage_id, profile_id, actor=g.user.name, at=now())
    except (UploadError, StoreError) as error:
        return jsonify(error=str(error)), 400
    return jsonify(footage=footage_id)


@blueprint.post("/footage/<int:footage_id>")
@needs_role(MAY_KEEP_FOOTAGE)
def change(footage_id: int) -> AnyResponse | tuple[str, int]:
    """Say when a recording began, or ask for its audit."""
    act = request.form.get("act", "")
    try:
        if act == "date":
            recorded_at = _moment(request.form.get("recorded_at", ""))
            library.date_footage(get_db(), footage_id, recorded_at, actor=g.user.name, at=now())
            flash("Stored. The rounds of this recording are counted anew.")
        elif act == "audit":
            profile_id = request.form.get("profile", 0, type=int)
            if not profile_id:
                return _page(problem="profile: expected that of the table which the recording shows, found none"), 400
            library.want_audit(get_db(), footage_id, profile_id, actor=g.user.name, at=now())
            flash("The audit waits for a worker.")
        else:
            return _page(problem=f"expected date or audit, found {act!r:.40}"), 400
    except StoreError as error:
        return _page(problem=str(error)), 400
    return redirect(url_for("footage.index"))


@blueprint.post("/footage/folders")
@needs_role(MAY_KEEP_FOOTAGE)
def add_folder() -> AnyResponse | tuple[str, int]:
    """Register a folder of the machine that serves the pages."""
    path = request.form.get("folder", "").strip()
    try:
        if "\x00" in path or not Path(path).is_absolute():
            return _page(problem=f"expected the whole path of a folder on the server, found {path!r:.200}"), 400
        if not Path(path).is_dir():
            found = "a file" if Path(path).exists() else "none"
            return _page(problem=f"expected a folder on the server, found {found} at {path:.200}"), 400
    except OSError as error:
        return _page(problem=f"expected a folder that can be read, found {error.strerror}"), 400
    try:
        profile_id = request.form.get("profile", type=int)
        library.add_folder(get_db(), path, profile_id=profile_id, actor=g.user.name, at=now())
    except StoreError as error:
        return _page(problem=str(error)), 400
    flash("Registered. Its recordings appear here as they are found.")
    return redirect(url_for("footage.index"))


@blueprint.post("/footage/folders/<int:folder_id>")
@needs_role(MAY_KEEP_FOOTAGE)
def change_folder(folder_id: int) -> AnyResponse | tuple[str, int]:
    """Ask for another look into a folder, or forget it."""
    try:
        if request.form.get("act") == "forget":
            library.remove_folder(get_db(), folder_id, actor=g.user.name, at=now())
        else:
            library.ask_for_folder(get_db(), folder_id, at=now())
    except StoreError as error:
        return _page(problem=str(error)), 400
    return redirect(url_for("footage.index"))


def _page(**more: object) -> str:
    db = get_db()
    offset = max(0, request.args.get("from", 0, type=int))
    rows = library.library(db, limit=_PAGE, offset=offset)
    total = library.count_footage(db)
    profiles = library.latest_profiles(db)
    return render_template(
        "footage.html",
        page="footage",
        items=[written(row) | {"proposed": _proposed(row, profiles)} for row in rows],
        waits=library.something_waits(db) or any(row.grows for row in rows),
        folders=library.folders(db),
        profiles=profiles,
        may_keep=may(MAY_KEEP_FOOTAGE),
        may_see=may(MAY_SEE_FOOTAGE),
        may_edit_profiles=may(MAY_EDIT_PROFILES),
        zone=house(db).zone,
        total=total,
        older=_link(offset + _PAGE) if offset + _PAGE < total else None,
        newer=_link(max(0, offset - _PAGE)) if offset else None,
        suffixes=",".join(uploads.SUFFIXES),
        **more,
    )


def written(row: LibraryRow) -> dict[str, Any]:
    """Return a recording as the library shows it."""
    name = recording_name(row.path)
    tz = house(get_db()).tz
    recorded = None if row.recorded_at is None else datetime.fromisoformat(row.recorded_at).astimezone(tz)
    return {
        "id": row.id,
        "name": name,
        "sha256": "" if row.grows else row.sha256,
        "table": row.table_name or "",
        "size_mb": row.size_bytes / 1e6,
        "length": "" if row.duration_ms is None else clock(row.duration_ms),
        "picture": f"{row.width} × {row.height}" if row.width else "",
        "recorded": "" if recorded is None else recorded.strftime("%Y-%m-%dT%H:%M:%S"),
        "suggested": "" if recorded is not None else in_name(name),
        "state": _state(row),
        "grows": bool(row.grows),
        "progress": None if row.run_status != "running" or row.grows else (row.segments_done, row.segments),
        "error": with_name(row.refused_error or row.run_error or row.error, row.path),
        "complaint": with_name(row.error, row.path),
        "failure": _failure(row),
        "rounds": row.rounds,
        "findings": row.findings,
        "first_round": row.first_round,
    }


def in_name(name: str) -> str:
    """Return the moment that a file's name gives, as a suggestion; empty if it gives none."""
    match = _IN_NAME.search(name)
    if match is None:
        return ""
    year, month, day, hour, minute, second = (int(part or 0) for part in match.groups())
    try:
        return datetime(year, month, day, hour, minute, second, tzinfo=UTC).strftime("%Y-%m-%dT%H:%M:%S")
    except ValueError:
        return ""


def _proposed(row: LibraryRow, profiles: Sequence[store.ProfileRow]) -> str | None:
    """Return the profile to choose first: of the latest audit, else the one that the file's name speaks of."""
    return row.table_name or named_profile(recording_name(row.path), [one.name for one in profiles])


def _link(offset: int) -> str:
    return url_for("footage.index", **{"from": offset})  # type: ignore[arg-type]  # a query value


def _failure(row: LibraryRow) -> dict[str, str] | None:
    """Return why the latest audit failed or could not be begun, under which profile, and when."""
    if row.refused_error is not None:
        error = with_name(row.refused_error, row.path) or ""
        return {"under": row.refused_under or "", "at": row.refused_at or "", "error": error}
    if row.run_error is not None:
        error = with_name(row.run_error, row.path) or ""
        return {"under": row.table_name or "", "at": row.run_ended or "", "error": error}
    return None


def _state(row: LibraryRow) -> str:
    if row.grows:
        return "camera running"
    if row.wanted:
        return "waiting for a worker"
    if row.refused_error is not None and row.run_status != "done":
        return "failed"
    if row.run_status is not None:
        return _STATES[row.run_status]
    if row.error is not None:
        return "cannot be audited" if row.duration_ms is None else "not audited"
    return "being checked" if row.duration_ms is None else "not audited"


def _moment(text: str) -> datetime | None:
    """Return the moment of a form, None if it is left empty.

    Raises:
        StoreError: if it is none.
    """
    if not text.strip():
        return None
    try:
        return moment(text, house(get_db()).tz)
    except (ValueError, OverflowError) as error:
        msg = f"recorded at: {error}"
        raise StoreError(msg) from None


def _data_dir() -> Path:
    folder: Path = current_app.config["DATA_DIR"]
    return folder
