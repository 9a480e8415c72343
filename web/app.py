"""The Flask application."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from flask import (
    Flask,
    Response,
    abort,
    current_app,
    flash,
    g,
    jsonify,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from werkzeug.exceptions import HTTPException, MethodNotAllowed, NotFound
from werkzeug.wrappers import Response as AnyResponse

from web import (
    account_pages,
    api,
    auth,
    correction_pages,
    dealer_pages,
    decision_pages,
    export_pages,
    footage_pages,
    health_pages,
    help_pages,
    incident_pages,
    log_pages,
    profile_pages,
    queue_pages,
    report_pages,
    rota_pages,
    round_pages,
    second_pages,
    seen_pages,
    settings_pages,
    table_pages,
    user_pages,
)
from web.local_time import FILTERS, zone_name
from web.pages import pages_for
from web.pit_view import WORDS
from web.tour import tour_steps

_POLICY = (
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline';"
    " object-src 'none'; frame-ancestors 'none'"
)
_REVIEW = (queue_pages, round_pages, decision_pages, correction_pages, seen_pages, second_pages, incident_pages)
_PIT = (footage_pages, dealer_pages, rota_pages, table_pages, report_pages, profile_pages, export_pages)
_HOUSE = (health_pages, user_pages, account_pages, log_pages, settings_pages, help_pages)
_SUBJECTS = (auth, *_REVIEW, *_PIT, *_HOUSE)


def create_app(
    data_dir: Path,
    *,
    clock: Callable[[], datetime] | None = None,
    make_pack: Callable[[int], None] | None = None,
) -> Flask:
    """Return the application over one data directory; ``clock`` returns the moment in UTC.

    ``make_pack`` has the evidence pack of that number made, now or soon, outside of the pages; without it none is
    offered.
    """
    app = Flask(__name__)
    app.config.update(
        DATA_DIR=Path(data_dir),
        CLOCK=clock or _now,
        MAKE_PACK=make_pack,
        SECRET_KEY=_secret(Path(data_dir)),
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        MAX_CONTENT_LENGTH=8 * 1024 * 1024,
        MAX_FORM_MEMORY_SIZE=4 * 1024 * 1024,
    )
    app.jinja_env.globals["csrf_token"] = _csrf_token
    app.before_request(auth.load_user)
    app.before_request(_refuse_forged_posts)
    app.after_request(_harden)
    app.register_error_handler(HTTPException, _problem)
    app.register_error_handler(MethodNotAllowed, _to_its_page)
    app.register_error_handler(OverflowError, _beyond)
    app.jinja_env.globals.update(pages_for=pages_for, tour_steps=tour_steps, zone_name=zone_name, **WORDS)
    app.jinja_env.filters.update(FILTERS)
    for module in _SUBJECTS:
        app.register_blueprint(module.blueprint)
    app.register_blueprint(api.blueprint)
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


def _refuse_forged_posts() -> AnyResponse | None:
    """Refuse what no page of ours sent; who is signed out meanwhile is led to sign in and back to that page."""
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return None
    given = request.headers.get("X-Catwalk-Token") or request.form.get("csrf", "")
    if secrets.compare_digest(given.encode(), str(session.get("csrf", "-")).encode()):
        return None
    if g.user is not None or "X-Catwalk-Token" in request.headers:
        abort(400, "The form was not made by this page, or is too old; load the page again.")
    signing = request.path == url_for("auth.sign_in")
    flash("The form was too old: sign in again." if signing else "You were signed out: nothing was stored.")
    then = request.form.get("next", "") if signing else auth.page_before()
    return redirect(url_for("auth.sign_in", next=then))


def _harden(response: Response) -> Response:
    response.headers.setdefault("Content-Security-Policy", _POLICY)
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Referrer-Policy", "same-origin")
    if response.mimetype == "text/html":
        response.headers["Cache-Control"] = "no-store"
    return response


def _beyond(_: OverflowError) -> tuple[str | Response, int]:
    """A number in the address that no stored thing can have."""
    return _problem(NotFound("Nothing stored has so high a number."))


def _to_its_page(error: MethodNotAllowed) -> AnyResponse | tuple[str | Response, int]:
    """Lead an address that only takes forms to the page above it: ``/findings/8/decide`` to ``/findings/8``."""
    if request.method != "GET" or request.path.startswith("/api/"):
        return _problem(error)
    adapter = current_app.create_url_adapter(request)
    path = request.path
    while adapter is not None and path.count("/") > 1:
        path = path.rpartition("/")[0]
        if adapter.test(path, method="GET"):
            asked = request.query_string.decode("latin-1")
            return redirect(f"{path}?{asked}" if asked else path)
    return redirect(url_for("auth.home"))


def _problem(error: HTTPException) -> tuple[str | Response, int]:
    if request.path.startswith("/api/"):
        return jsonify(error=error.description or error.name), error.code or 500
    title = {403: "Not for your role", 404: "Not here"}.get(error.code or 500, error.name)
    text = "There is no page at this address." if error.description == NotFound.description else error.description
    return render_template("message.html", title=title, text=text), error.code or 500
