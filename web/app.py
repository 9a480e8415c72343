"""The Flask application."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from flask import Flask, Response, abort, render_template, request, session
from werkzeug.exceptions import HTTPException

from web import auth, footage_pages, queue_pages, round_pages

_POLICY = (
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline';"
    " object-src 'none'; frame-ancestors 'none'"
)


def create_app(data_dir: Path, *, clock: Callable[[], datetime] | None = None) -> Flask:
    """Return the application over one data directory; ``clock`` returns the moment in UTC."""
    app = Flask(__name__)
    app.config.update(
        DATA_DIR=Path(data_dir),
        CLOCK=clock or _now,
        SECRET_KEY=_secret(Path(data_dir)),
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        MAX_CONTENT_LENGTH=1024 * 1024,
    )
    app.jinja_env.globals["csrf_token"] = _csrf_token
    app.before_request(_refuse_forged_posts)
    app.before_request(auth.load_user)
    app.after_request(_harden)
    app.register_error_handler(HTTPException, _problem)
    for blueprint in (auth.blueprint, queue_pages.blueprint, round_pages.blueprint, footage_pages.blueprint):
        app.register_blueprint(blueprint)
    return app


def _now() -> datetime:
    return datetime.now(tz=UTC)


def _secret(data_dir: Path) -> bytes:
    """Return the key that signs sessions; made at the first start, readable by its owner only."""
    data_dir.mkdir(parents=True, exist_ok=True)
    path = data_dir / "session.key"
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_bytes()
    with os.fdopen(handle, "wb") as file:
        file.write(secrets.token_bytes(32))
    return path.read_bytes()


def _csrf_token() -> str:
    if "csrf" not in session:
        session["csrf"] = secrets.token_urlsafe(24)
    token: str = session["csrf"]
    return token


def _refuse_forged_posts() -> None:
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return
    if not secrets.compare_digest(request.form.get("csrf", "").encode(), str(session.get("csrf", "-")).encode()):
        abort(400, "The form was not made by this page, or is too old; load the page again.")


def _harden(response: Response) -> Response:
    response.headers.setdefault("Content-Security-Policy", _POLICY)
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Referrer-Policy", "same-origin")
    if response.mimetype == "text/html":
        response.headers["Cache-Control"] = "no-store"
    return response


def _problem(error: HTTPException) -> tuple[str, int]:
    title = {403: "Not for your role", 404: "Not here"}.get(error.code or 500, error.name)
    return render_template("message.html", title=title, text=error.description), error.code or 500
