"""Table profiles: every version, and the editor over a frame of the table. A stored version never changes."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Callable, Sequence
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
from web.profile_points import points_of
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
    return _list()


def _list(**more: object) -> str:
    db = get_db()
    groups = [(one, library.versions_of(db, one.name)) for one in library.latest_profiles(db)]
    return render_template("profiles.html", page="profiles", groups=groups, may_edit=may(MAY_EDIT_PROFILES), **more)


@blueprint.get("/profiles/new")
@needs_role(MAY_EDIT_PROFILES)
def begin() -> str | tuple[str, int]:
    """Show the editor over the profile of another table, laid out like a stored one; saving stores it."""
    like = _profile(request.args.get("like", 0, type=int))
    name = request.args.get("table", "").strip()
    if not name or library.versions_of(get_db(), name):
        found = f"{name!r:.60}, which has one" if name else "no name"
        return _list(new_problem=f"table: expected a table that has no profile yet, found {found}"), 400
    record = _readable(like.toml)
    record["table"] = {**record.get("table", {}), "id": name}
    record["camera"] = points_of(like.toml) or record.get("camera", {})
    return _editor(like, name=name, record=record)


@blueprint.post("/profiles")
@needs_role(MAY_EDIT_PROFILES)
def add() -> AnyResponse | tuple[Response | str, int]:
    """Store a profile that was sent as a file, as text or by the editor, if the check finds nothing wrong."""
    sent = request.files.get("file")
    if sent is None or not sent.filename:
        return _save(lambda text, problems: _list(text=text, text_problems=problems, line=_line(problems)))
    try:
        text = sent.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return _list(text_problems=[f"expected UTF-8 text, found another byte at position {error.start}"]), 400
    return _save(lambda text, problems: _list(text=text, text_problems=problems, line=_line(problems)), text)


@blueprint.get("/profiles/<int:profile_id>")
@needs_role(MAY_EDIT_PROFILES)
def show(profile_id: int) -> str:
    """Show the editor over a version."""
    return _editor(_profile(profile_id))


def _editor(
    row: store.ProfileRow,
    *,
    text: str | None = None,
    problems: Sequence[str] = (),
    name: str | None = None,
    record: dict[str, Any] | None = None,
) -> str:
    """Return the editor over a version; ``text`` is what was sent instead of it, with what is wrong with it.

    With a ``name`` it is the profile of another table, begun from this version and not stored yet: its ``record``.
    """
    db = get_db()
    own = library.footage_of_profile(db, row.name)
    others = [one.id for one in store.footage_list(db, limit=_RECORDINGS) if one.id not in own]
    known = (store.footage(db, number) for number in (*own, *others)[:_RECORDINGS])
    recordings = [one for one in known if Path(one.path).is_file()]
    return render_template(
        "profile.html",
        page="profiles",
        profile=row,
        name=name,
        record=_readable(row.toml) if record is None else record,
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
    return _save(lambda text, problems: _editor(before, text=text, problems=problems))


def _save(
    again: Callable[[str, Sequence[str]], str], sent: str | None = None
) -> AnyResponse | tuple[Response | str, int]:
    """Store the profile that was ``sent``, else that of the form; ``again`` shows a text that cannot be stored."""
    is_text = sent is not None or "toml" in request.form
    try:
        text = _text() if sent is None else _short_enough(sent)
    except TomlError as error:
        if is_text:
            return again(request.form.get("toml", "") if sent is None else "", [str(error)]), 400
        return jsonify(problems=[str(error)]), 400
    verdict = check_profile(text)
    if verdict.problems and is_text:
        return again(text, verdict.problems), 400
    if verdict.problems:
        return jsonify(_said(verdict)), 400
    address = url_for("profiles.show", profile_id=_store(text))
    return redirect(address) if is_text else jsonify(profile=int(address.rsplit("/", 1)[1]), address=address)


def _store(text: str) -> int:
    """Store the text as a version of its table's profile, with an entry in the log, and return its number."""
    db = get_db()
    profile = parse_profile(text)
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    with transaction(db):
        before = next(iter(library.versions_of(db, profile.table_id)), None)
        number = store.store_profile(
            db, name=profile.table_id, game=profile.game, toml=text, sha256=sha256, at=now(), stored_by=g.user.name
        )
        details = {"profile": number, "name": profile.table_id, "sha256": sha256}
        details |= {} if before is None else {"before": before.id}
        ledger.append(db, actor=g.user.name, action="profile stored", details=details, at=now())
    what = "as the first version" if before is None else "as a new version"
    flash(f"Stored {what} of {profile.table_id}; audits from now on use it.")
    return number


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
    return _short_enough(text)


def _short_enough(text: str) -> str:
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
    except StoreError:
        abort(404, "No profile has that number.")
