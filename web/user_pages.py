"""Users and their roles, for administrators."""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import Final

from flask import Blueprint, abort, flash, g, redirect, render_template, request, url_for
from werkzeug.security import generate_password_hash
from werkzeug.wrappers import Response

from audit.store import ledger, users
from audit.store.database import StoreError
from audit.store.users import Role, UserRow
from web.auth import MAY_ADMINISTER, needs_role, role_name
from web.database import get_db, now

blueprint = Blueprint("users", __name__)

SHORTEST_PASSWORD: Final = 10
_LINK_FOR: Final = timedelta(hours=12)
ROLES: Final = (
    (Role.SURVEILLANCE, "sees footage, decides on findings, edits table profiles"),
    (Role.PIT_MANAGER, "sees footage, findings and dealers, keeps the rota; cannot decide on findings"),
    (Role.AUDITOR, "reads the log and checks that nothing in it was changed; sees nothing else"),
    (Role.ADMINISTRATOR, "keeps users, settings and the footage library; cannot read the footage"),
)


@blueprint.get("/users")
@needs_role(MAY_ADMINISTER)
def index() -> str:
    """List the users."""
    return _page()


@blueprint.post("/users")
@needs_role(MAY_ADMINISTER)
def add() -> Response | tuple[str, int]:
    """Add a user; without a password a login link is given that works once."""
    name = request.form.get("name", "").strip()
    try:
        role = _role()
        hashed = _password_hash(request.form.get("password", ""))
        user_id = users.add_user(get_db(), name=name, role=role, at=now(), password_hash=hashed)
    except StoreError as error:
        return _page(problem=str(error)), 400
    _log("user added", name=name, role=role.value)
    flash(f"Added: {name}, {role_name(role)}.")
    if hashed is None:
        return _page(link=_login_link(user_id), link_for=name), 200
    return redirect(url_for("users.index"))


@blueprint.post("/users/<int:user_id>")
@needs_role(MAY_ADMINISTER)
def change(user_id: int) -> str | Response | tuple[str, int]:
    """Change a user's role or password, let the user in or not, or make a login link."""
    one = _user(user_id)
    act = request.form.get("act", "")
    if act == "link":
        if one.disabled_at is not None:
            return _page(problem=f"expected a user who may enter, found {one.name} disabled"), 400
        _log("login link", name=one.name)
        return _page(link=_login_link(user_id), link_for=one.name)
    try:
        told = _change(one, act)
    except StoreError as error:
        return _page(problem=str(error)), 400
    flash(told)
    return redirect(url_for("users.index"))


def _change(one: UserRow, act: str) -> str:
    db = get_db()
    if act == "role":
        role = _role()
        users.change_user(db, one.id, role=role)
        _log("user role", name=one.name, before=one.role, after=role.value)
        return f"{one.name} is now {role_name(role)}."
    if act == "password":
        hashed = _password_hash(request.form.get("password", ""))
        if hashed is None:
            msg = f"password: expected at least {SHORTEST_PASSWORD} characters, found none"
            raise StoreError(msg)
        users.change_user(db, one.id, password_hash=hashed)
        _log("user password", name=one.name)
        return f"The password of {one.name} is set."
    if act == "disable":
        users.change_user(db, one.id, disabled_at=now())
        _log("user disabled", name=one.name)
        return f"{one.name} can no longer sign in."
    if act == "enable":
        users.enable_user(db, one.id)
        _log("user enabled", name=one.name)
        return f"{one.name} can sign in again."
    msg = f"expected one of role, password, disable, enable, link, found {act!r:.40}"
    raise StoreError(msg)


def _page(**more: object) -> str:
    return render_template("users.html", page="users", users=users.all_users(get_db()), roles=ROLES, **more)


def _role() -> Role:
    text = request.form.get("role", "")
    if text not in set(Role):
        msg = f"role: expected one of {', '.join(Role)}, found {text!r:.40}"
        raise StoreError(msg)
    return Role(text)


def _password_hash(password: str) -> str | None:
    if not password:
        return None
    if len(password) < SHORTEST_PASSWORD:
        msg = f"password: expected at least {SHORTEST_PASSWORD} characters, found {len(password)}"
        raise StoreError(msg)
    return generate_password_hash(password)


def _login_link(user_id: int) -> str:
    token = secrets.token_urlsafe(24)
    users.add_one_time_login(get_db(), token=token, user_id=user_id, expires=now() + _LINK_FOR)
    return url_for("auth.one_time_login", token=token, _external=True)


def _log(action: str, **details: str) -> None:
    ledger.append(get_db(), actor=g.user.name, action=action, details=details, at=now())


def _user(user_id: int) -> UserRow:
    found = users.user(get_db(), user_id)
    if found is None:
        abort(404, "No user of that number.")
    return found
