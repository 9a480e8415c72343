"""Signing in and out, and who may do what."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from typing import Final, ParamSpec, TypeVar
from urllib.parse import urlsplit

from flask import Blueprint, abort, g, redirect, render_template, request, session, url_for
from werkzeug.security import check_password_hash, generate_password_hash
from werkzeug.wrappers import Response

from audit.store import ledger, users
from audit.store.users import Role
from web.database import get_db, now
from web.pages import home_of

blueprint = Blueprint("auth", __name__)

P = ParamSpec("P")
R = TypeVar("R")

NOBODY: Final = "(nobody signed in)"
"""Who is named in the log where nobody was let in."""
_LONGEST_NAME: Final = 80
MAY_SEE_FOOTAGE: Final = frozenset({Role.SURVEILLANCE, Role.PIT_MANAGER})
MAY_DECIDE: Final = frozenset({Role.SURVEILLANCE})
MAY_SEE_PIT: Final = frozenset({Role.SURVEILLANCE, Role.PIT_MANAGER})
MAY_KEEP_ROTA: Final = frozenset({Role.PIT_MANAGER})
MAY_KEEP_FOOTAGE: Final = frozenset({Role.SURVEILLANCE, Role.ADMINISTRATOR})
MAY_EDIT_PROFILES: Final = frozenset({Role.SURVEILLANCE})
MAY_SEE_HEALTH: Final = frozenset({Role.SURVEILLANCE, Role.PIT_MANAGER, Role.ADMINISTRATOR})
MAY_READ_LOG: Final = frozenset({Role.AUDITOR, Role.ADMINISTRATOR})
MAY_ADMINISTER: Final = frozenset({Role.ADMINISTRATOR})
EVERYBODY: Final = frozenset(Role)


def load_user() -> None:
    """Put the signed-in user into ``g.user``, None if nobody is signed in."""
    user_id = session.get("user")
    user = users.user(get_db(), user_id) if isinstance(user_id, int) else None
    g.user = user if user is not None and user.disabled_at is None else None


def needs_role(roles: frozenset[Role]) -> Callable[[Callable[P, R]], Callable[P, R | Response]]:
    """Let only users of these roles through; others are sent to sign in, or told that it is not for them."""

    def decorate(view: Callable[P, R]) -> Callable[P, R | Response]:
        @wraps(view)
        def guarded(*args: P.args, **kwargs: P.kwargs) -> R | Response:
            if g.user is None:
                asked = request.full_path if request.method == "GET" else page_before()
                return redirect(url_for("auth.sign_in", next=asked))
            if g.user.role not in roles:
                abort(403, f"This page is for {' and '.join(sorted(role_name(role) for role in roles))}.")
            return view(*args, **kwargs)

        return guarded

    return decorate


def page_before() -> str:
    """Return the page of ours from which a form was sent, empty if that is not known."""
    parts = urlsplit(request.referrer or "")
    if parts.netloc != request.host or parts.path == url_for("auth.sign_in"):
        return ""
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


def role_name(role: str) -> str:
    """Return the role in words."""
    return str(role).replace("_", " ")


def may(roles: frozenset[Role]) -> bool:
    """Return whether the signed-in user has one of these roles."""
    return g.user is not None and g.user.role in roles


def may_decide() -> bool:
    """Return whether the signed-in user may decide on findings."""
    return g.user is not None and g.user.role in MAY_DECIDE


@blueprint.get("/sign-in")
def sign_in() -> str:
    """Show the form."""
    return render_template("signin.html", next=request.args.get("next", ""), error=None)


@blueprint.post("/sign-in")
def check_password() -> Response | tuple[str, int]:
    """Sign in by name and password."""
    user = users.user_named(get_db(), request.form.get("name", ""))
    usable = user is not None and user.disabled_at is None and user.password_hash is not None
    expected = user.password_hash if user is not None and user.password_hash is not None else _nobodys_hash()
    right = check_password_hash(expected, request.form.get("password", ""))
    if user is None or not usable or not right:
        _note_refusal("wrong name or password", request.form.get("name", ""))
        page = render_template("signin.html", next=request.form.get("next", ""), error="Name or password is not right.")
        return page, 401
    return _enter(user, how="password", then=request.form.get("next", ""))


@blueprint.get("/login/<token>")
def one_time_login(token: str) -> Response | tuple[str, int]:
    """Sign in by a link that works once."""
    user = users.use_one_time_login(get_db(), token=token, now=now())
    if user is None:
        _note_refusal("login link used already or too old", "")
        text = "This login was used already or is too old. Starting the pages again prints a new one."
        return render_template("message.html", title="Login not valid", text=text), 401
    return _enter(user, how="one-time login", then="")


@blueprint.get("/home")
def home() -> Response:
    """Go where the signed-in role begins."""
    return redirect(url_for("auth.sign_in") if g.user is None else url_for(home_of(g.user.role)))


@blueprint.post("/sign-out")
def sign_out() -> Response:
    """Sign out."""
    if g.user is not None:
        ledger.append(get_db(), actor=g.user.name, action="sign out", details=_from(), at=now())
    session.clear()
    return redirect(url_for("auth.sign_in"))


def _enter(user: users.UserRow, *, how: str, then: str) -> Response:
    session.clear()
    session["user"] = user.id
    ledger.append(get_db(), actor=user.name, action="sign in", details={"by": how, **_from()}, at=now())
    return redirect(then if _is_local(then) else url_for(home_of(user.role)))


def _note_refusal(why: str, name: str) -> None:
    """Log that somebody was not let in, with the name that was tried."""
    tried = name.replace("\x00", "").encode(errors="replace").decode()[:_LONGEST_NAME]
    details = {"why": why, "name": tried, **_from()}
    ledger.append(get_db(), actor=NOBODY, action="sign-in refused", details=details, at=now())


def _from() -> dict[str, str]:
    return {"address": request.remote_addr or "not known"}


@cache
def _nobodys_hash() -> str:
    """Return a hash to compare with where there is no user, so that the answer takes as long."""
    return generate_password_hash("no such user")


def _is_local(address: str) -> bool:
    parts = urlsplit(address)
    return address.startswith("/") and not address.startswith(("//", "/\\")) and not parts.netloc
