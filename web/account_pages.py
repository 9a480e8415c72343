"""A user's own account: the password, and tokens for programs."""

from __future__ import annotations

import secrets

from flask import Blueprint, abort, flash, g, redirect, render_template, request, url_for
from werkzeug.security import check_password_hash, generate_password_hash
from werkzeug.wrappers import Response

from audit.store import ledger, users
from web.auth import EVERYBODY, needs_role
from web.database import get_db, now
from web.user_pages import SHORTEST_PASSWORD

blueprint = Blueprint("account", __name__)


@blueprint.get("/account")
@needs_role(EVERYBODY)
def show() -> str:
    """Show the signed-in user's account."""
    return _page()


@blueprint.post("/account/password")
@needs_role(EVERYBODY)
def change_password() -> Response | tuple[str, int]:
    """Set a new password; whoever has one proves it first."""
    known = g.user.password_hash
    if known is not None and not check_password_hash(known, request.form.get("before", "")):
        return _page(problem="The password before is not right."), 400
    wanted = request.form.get("password", "")
    if len(wanted) < SHORTEST_PASSWORD:
        text = f"password: expected at least {SHORTEST_PASSWORD} characters, found {len(wanted)}"
        return _page(problem=text), 400
    users.change_user(get_db(), g.user.id, password_hash=generate_password_hash(wanted))
    ledger.append(get_db(), actor=g.user.name, action="user password", details={"name": g.user.name}, at=now())
    flash("Your password is set.")
    return redirect(url_for("account.show"))


@blueprint.post("/account/tokens")
@needs_role(EVERYBODY)
def add_token() -> str:
    """Make a token, shown once."""
    token = f"catwalk-{secrets.token_urlsafe(32)}"
    number = users.add_api_token(get_db(), token=token, user_id=g.user.id, at=now())
    ledger.append(get_db(), actor=g.user.name, action="token made", details={"token": number}, at=now())
    return _page(token=token)


@blueprint.post("/account/tokens/<int:token_id>/end")
@needs_role(EVERYBODY)
def end_token(token_id: int) -> Response:
    """End one of the user's own tokens."""
    if not users.end_api_token(get_db(), token_id, user_id=g.user.id, at=now()):
        abort(404, "No token of yours has that number, or it has ended already.")
    ledger.append(get_db(), actor=g.user.name, action="token ended", details={"token": token_id}, at=now())
    flash("The token has ended.")
    return redirect(url_for("account.show"))


def _page(**more: object) -> str:
    tokens = users.api_tokens_of(get_db(), g.user.id)
    return render_template("account.html", page="account", tokens=tokens, shortest=SHORTEST_PASSWORD, **more)
