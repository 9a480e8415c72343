"""Help: every shortcut, the words, the roles. The shortcuts are those that the pages themselves list."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, current_app, render_template
from jinja2 import Template
from markupsafe import Markup

from audit.store.users import Role
from web.auth import EVERYBODY, needs_role
from web.user_pages import ROLES

blueprint = Blueprint("help", __name__)

_WITH_KEYS: Final = (
    ("queue.html", "Queue"),
    ("round.html", "Round"),
    ("incident.html", "Incident report"),
    ("profile.html", "Table profile"),
)


@blueprint.get("/help")
@needs_role(EVERYBODY)
def show() -> str:
    """Show what every page does and every key."""
    return render_template("help.html", page="help", keys=shortcuts(), roles=ROLES, role_of=Role)


def shortcuts() -> list[tuple[str, Markup]]:
    """Return, for every page with keys of its own, its name and its list of keys."""
    env = current_app.jinja_env
    known = set(env.list_templates())
    return [(name, _keys_of(env.get_template(file))) for file, name in _WITH_KEYS if file in known]


def _keys_of(template: Template) -> Markup:
    return Markup("".join(template.blocks["keys"](template.new_context())))  # noqa: S704 - our own template
