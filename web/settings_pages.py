"""Settings of the property, for administrators."""

from __future__ import annotations

from zoneinfo import available_timezones

from flask import Blueprint, flash, g, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from audit.store.database import StoreError
from audit.store.settings import checked_house, house, store_house
from web.auth import MAY_ADMINISTER, needs_role
from web.database import get_db, now

blueprint = Blueprint("settings", __name__)


@blueprint.get("/settings")
@needs_role(MAY_ADMINISTER)
def show() -> str:
    """Show the settings."""
    return render_template("settings.html", page="settings", form=vars(house(get_db())), zones=_zones(), problem=None)


@blueprint.post("/settings")
@needs_role(MAY_ADMINISTER)
def change() -> Response | tuple[str, int]:
    """Store the settings, all or none."""
    form = {
        name: request.form.get(name, "").strip() for name in ("property_name", "zone", "day_starts", "shift_starts")
    }
    try:
        chosen = checked_house(**form)
    except StoreError as error:
        page = render_template("settings.html", page="settings", form=form, zones=_zones(), problem=str(error))
        return page, 400
    store_house(get_db(), chosen, actor=g.user.name, at=now())
    flash("Settings stored.")
    return redirect(url_for("settings.show"))


def _zones() -> list[str]:
    return sorted(available_timezones())
