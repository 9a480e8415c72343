"""Table profiles: every version, and the editor over a frame of the table. A stored version never changes."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from flask import Blueprint, Response, abort, flash, g, jsonify, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from audit.paytables import rules_of
from audit.store import footage as store
from audit.store import ledger, library
from audit.store.database import StoreError, transaction
from audit.table import CHIP_VALUES, GAMES, parse_profile
from web.auth import MAY_EDIT_PROFILES, MAY_SEE_PIT, may, needs_role
from web.database import get_db, now
from web.profile_check import Verdict, check_profile
from web.recording_names import recording_name
from web.toml_text import TomlError, write_toml

blueprint = Blueprint("profiles", __name__)

_LONGEST: Final = 200_000
_RECORDINGS: Final = 50
_LINE: Final = re.compile(r"at line (\d+)")


@blueprint.get("/profiles")
@needs_role(MAY_SEE_PIT)
def index() -> str:
    """List the profiles with their versions."""
    db = get_db()
    groups = [(one, library.versions_of(db, one.name)) for one in library.latest_profiles(db)]
    return render_template("profiles.html", page="profiles", groups=groups, may_edit=may(MAY_EDIT_PROFILES))


@blueprint.get("/profiles/<int:profile_id>")
@needs_role(MAY_EDIT_PROFILES)
def show(profile_id: int) -> str:
    """Show the editor over a version."""
    return _editor(_profile(profile_id))


def _editor(row: store.ProfileRow, *, text: str | None = None, problems: Sequence[str] = ()) -> str:
    """Return the editor over a version; ``text`` is what was sent instead of it, with what is wrong with it."""
    db = get_db()
    own = library.footage_of_profile(db, row.name)
    others = [one.id for one in store.footage_list(db, limit=_RECORDINGS) if one.id not in own]
    known = (store.footage(db, number) for number in (*own, *others)[:_RECORDINGS])
    recordings = [one for one in known if Path(one.path).is_file()]
    return render_template(
        "profile.html",
        page="profiles",
        profile=row,
        record=_readable(row.toml),
        versions=library.versions_of(db, row.name),
        recordings=[(one.id, recording_name(one.path)) for one in recordings],
        games=GAMES,
        rules={game: rules_of(game) for game in GAMES},
        chips=list(CHIP_VALUES),
        text=row.toml if text is None else text,
        text_problems=problems,
        line=_line(problems),
    )


def _line(problems: Sequence[str]) -> int | None:
    """Return the line of the text that the problems name first, None if they name none."""
    found = _LINE.search("\n".join(problems))
    return int(found[1]) if found else None


@blueprint.post("/profiles/check")
@needs_role(MAY_EDIT_PROFILES)
def check() -> Response | tuple[Response, int]:
    """Say what the check says of what stands in the editor."""
    try:
        text = _text()
    except TomlError as error:
        return jsonify(problems=[str(error)]), 400
    verdict = check_profile(text)
    return jsonify(_said(verdict)), 400 if verdict.problems else 200


@blueprint.post("/profiles/<int:profile_id>")
@needs_role(MAY_EDIT_PROFILES)
def save(profile_id: int) -> AnyResponse | tuple[Response | str, int]:
    """Store what stands in the editor as a new version, if the check finds nothing wrong."""
    before = _profile(profile_id)
    try:
        text = _text()
    except TomlError as error:
        if "toml" in request.form:
            return _editor(before, text=request.form["toml"], problems=[str(error)]), 400
        return jsonify(problems=[str(error)]), 400
    verdict = check_profile(text)
    if verdict.problems and "toml" in request.form:
        return _editor(before, text=text, problems=verdict.problems), 400
    if verdict.problems:
        return jsonify(_said(verdict)), 400
    profile = parse_profile(text)
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    with transaction(get_db()):
        number = store.store_profile(
            get_db(),
            name=profile.table_id,
            game=profile.game,
            toml=text,
            sha256=sha256,
            at=now(),
            stored_by=g.user.name,
        )
        details = {"profile": number, "before": before.id, "name": profile.table_id, "sha256": sha256}
        ledger.append(get_db(), actor=g.user.name, action="profile stored", details=details, at=now())
    flash(f"Stored as a new version of {profile.table_id}; audits from now on use it.")
    if "toml" in request.form:
        return redirect(url_for("profiles.show", profile_id=number))
    return jsonify(profile=number, address=url_for("profiles.show", profile_id=number))


@blueprint.get("/profiles/<int:profile_id>.toml")
@needs_role(MAY_EDIT_PROFILES)
def as_toml(profile_id: int) -> Response:
    """Send a version as the file that it is."""
    row = _profile(profile_id)
    headers = {"Content-Disposition": f"attachment; filename=profile-{row.id}.toml"}
    return Response(row.toml, mimetype="application/toml", headers=headers)


def _text() -> str:
    """Return the profile of the form: as text, or as the editor's record.

    Raises:
        TomlError: if it is neither.
    """
    if "toml" in request.form:
        text = request.form["toml"].replace("\r\n", "\n")
    else:
        try:
            record = json.loads(request.form.get("record", ""))
        except (ValueError, RecursionError):
            msg = "record: expected a profile in JSON, found something else"
            raise TomlError(msg) from None
        if not isinstance(record, dict):
            msg = f"record: expected a profile, found {type(record).__name__}"
            raise TomlError(msg)
        text = write_toml(record)
    if len(text) > _LONGEST:
        msg = f"expected a profile of at most {_LONGEST} characters, found {len(text)}"
        raise TomlError(msg)
    return text


def _said(verdict: Verdict) -> dict[str, Any]:
    return {"problems": list(verdict.problems), "verdict": verdict.record}


def _readable(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return {}


def _profile(profile_id: int) -> store.ProfileRow:
    try:
        return store.profile(get_db(), profile_id)
    except StoreError as error:
        abort(404, str(error))
