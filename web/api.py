"""The JSON interface: what the pages show, described at ``/api/openapi.json``."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from importlib.metadata import version
from typing import Any, Final

from flask import Blueprint, Response, abort, g, jsonify, request

from audit.store import users
from audit.store.users import Role
from web.database import get_db
from web.openapi import Operation, Parameter, Schema, document

blueprint = Blueprint("api", __name__, url_prefix="/api")

OPERATIONS: Final[list[Operation]] = []
MOST: Final = 500
LIMIT: Final = Parameter(
    name="limit", text="how many at most", schema={"type": "integer", "minimum": 1, "maximum": MOST, "default": 100}
)
OFFSET: Final = Parameter(
    name="offset",
    text="how many are passed over",
    schema={"type": "integer", "minimum": 0, "maximum": 10**9, "default": 0},
)
PERIOD: Final = (
    Parameter(name="first", text="first gaming day, with last", schema={"type": "string", "format": "date"}),
    Parameter(name="last", text="last gaming day, with first", schema={"type": "string", "format": "date"}),
    Parameter(
        name="days",
        text="days up to the latest that was counted; the latest 28 if nothing is given",
        schema={"type": "string", "enum": ["7", "28", "91", "all"]},
    ),
)


def operation(
    path: str,
    *,
    text: str,
    roles: frozenset[Role],
    answer: Schema,
    parameters: tuple[Parameter, ...] = (),
    media: str = "application/json",
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a view under a path such as ``/rounds/{round_id}`` and describe it."""

    def decorate(view: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(view)
        def guarded(**values: Any) -> Any:
            if g.user is None:
                abort(401, "expected a signed-in user or a token, found none")
            if g.user.role not in roles:
                abort(403, f"expected one of {', '.join(sorted(role.value for role in roles))}, found {g.user.role}")
            sent = view(**values)
            return jsonify(sent) if isinstance(sent, dict) else sent

        OPERATIONS.append(
            Operation(
                path=f"/api{path}", text=text, roles=roles, parameters=parameters, answer=answer, media=media, view=view
            )
        )
        blueprint.get(_rule(path, parameters))(guarded)
        return view

    return decorate


@blueprint.before_request
def enter_by_token() -> None:
    """Let a program in that sends a user's token."""
    sent = request.headers.get("Authorization", "")
    if g.user is None and sent.startswith("Bearer "):
        g.user = users.user_of_api_token(get_db(), sent.removeprefix("Bearer ").strip())


@blueprint.get("/openapi.json")
def openapi() -> Response:
    """Describe the interface; nothing of the store is in it, so that it needs no user."""
    return jsonify(document(OPERATIONS, version=version("catwalk")))


def whole_number(name: str, *, default: int, least: int, most: int) -> int:
    """Return a number of the address, or answer 400 in a sentence."""
    text = request.args.get(name, "")
    if text == "":
        return default
    if not text.isascii() or not text.lstrip("-").isdecimal() or len(text) > 12 or not least <= int(text) <= most:  # noqa: PLR2004
        abort(400, f"{name}: expected a whole number from {least} to {most}, found {text!r:.40}")
    return int(text)


def page_of() -> tuple[int, int]:
    """Return (limit, offset) of the address, or answer 400 in a sentence."""
    limit = whole_number("limit", default=100, least=1, most=MOST)
    return limit, whole_number("offset", default=0, least=0, most=10**9)


def _rule(path: str, parameters: tuple[Parameter, ...]) -> str:
    for one in parameters:
        if one.in_path:
            kind = "int" if one.schema["type"] == "integer" else "string"
            path = path.replace(f"{{{one.name}}}", f"<{kind}:{one.name}>")
    return path


def _load_views() -> None:
    """Register the views; they import this module."""
    from web import api_pit, api_review  # noqa: F401, PLC0415 - importing registers them


_load_views()
