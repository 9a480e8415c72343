"""The rota: who dealt at which table when; imported as CSV, edited in the page."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from flask import Blueprint, abort, flash, g, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from audit.store import accuracy, dealers
from audit.store.database import StoreError
from audit.store.dealers import Duty, Imported, RotaRow, Source
from audit.store.rota_csv import ALLOWED, RotaLine, moment, read_rota
from audit.store.settings import House, house
from web.auth import MAY_KEEP_ROTA, MAY_SEE_PIT, may, needs_role
from web.database import get_db, now
from web.local_time import local_minute, with_local_times
from web.pit_view import day_in

blueprint = Blueprint("rota", __name__)

_SHOWN: Final = 500
_SOURCES: Final = {"import": "imported", "page": "by hand", "tap_in": "tap-in"}


@blueprint.get("/rota")
@needs_role(MAY_SEE_PIT)
def index() -> str:
    """Show a gaming day of the rota."""
    return _page()


@blueprint.post("/rota/import")
@needs_role(MAY_KEEP_ROTA)
def import_csv() -> str | Response | tuple[str, int]:
    """Store every good line of a CSV and hand the bad ones back with a sentence each."""
    sent = request.files.get("file")
    raw = sent.read() if sent is not None and sent.filename else request.form.get("text", "").encode()
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return _page(import_problem=f"expected UTF-8 text, found another byte at position {error.start}"), 400
    read = read_rota(text, house(get_db()).tz)
    if read.problem:
        return _page(import_problem=read.problem, csv_text=text), 400
    done = dealers.import_rota(get_db(), read.lines, actor=g.user.name, at=now())
    flash(_told(done))
    if done.problems:
        rest = "\n".join((read.heading, *done.refused))
        return _page(problems=[with_local_times(one) for one in done.problems], csv_text=rest), 400
    return redirect(url_for("rota.index", day=_day_to_show(read.lines)))


@blueprint.post("/rota/entries")
@needs_role(MAY_KEEP_ROTA)
def add() -> Response | tuple[str, int]:
    """Store one entry, or a tap-in."""
    try:
        duty = _duty()
        if request.form.get("kind") == "tap_in":
            dealers.tap_in(get_db(), duty, actor=g.user.name, at=now())
        else:
            dealers.add_duties(get_db(), [duty], source=Source.PAGE, actor=g.user.name, at=now())
    except StoreError as error:
        return _page(entry_problem=with_local_times(str(error))), 400
    flash(f"Stored: {duty.dealer} at {duty.table_name}.")
    return redirect(url_for("rota.index", day=house(get_db()).day_of(duty.starts)))


@blueprint.post("/rota/entries/<int:entry_id>")
@needs_role(MAY_KEEP_ROTA)
def change(entry_id: int) -> Response | tuple[str, int]:
    """Change an entry, or take it out."""
    try:
        before = dealers.rota_entry(get_db(), entry_id)
        if request.form.get("act") == "remove":
            dealers.remove_duty(get_db(), entry_id, actor=g.user.name, at=now())
            flash(f"Taken out: {before.dealer} at {before.table_name}. The log keeps it.")
        else:
            dealers.change_duty(get_db(), entry_id, _duty(), actor=g.user.name, at=now())
            flash("Changed. The log keeps what was there before.")
    except StoreError as error:
        return _page(entry_problem=with_local_times(str(error))), 400
    return redirect(url_for("rota.index", day=house(get_db()).day_of(datetime.fromisoformat(before.starts_at))))


@blueprint.get("/rota/entries/<int:entry_id>")
@needs_role(MAY_KEEP_ROTA)
def edit(entry_id: int) -> str:
    """Show the form to change an entry."""
    try:
        row = dealers.rota_entry(get_db(), entry_id)
    except StoreError:
        abort(404, "No entry of the rota has that number.")
    chosen = house(get_db())
    return render_template(
        "rota_entry.html",
        page="rota",
        entry=row,
        starts=local_minute(row.starts_at),
        ends=local_minute(row.ends_at),
        day=chosen.day_of(datetime.fromisoformat(row.starts_at)),
        zone=chosen.zone,
    )


def _page(**problems: object) -> str:
    db = get_db()
    chosen = house(db)
    day = _chosen_day(chosen)
    first, last = chosen.shift_span(day, 1)[0], chosen.shift_span(day, len(chosen.shifts))[1]
    rows = dealers.rota_between(db, first, last, limit=_SHOWN + 1)
    at = datetime.fromisoformat(day)
    return render_template(
        "rota.html",
        page="rota",
        day=day,
        previous=(at - timedelta(days=1)).date().isoformat(),
        following=(at + timedelta(days=1)).date().isoformat(),
        entries=[_written(row, chosen) for row in rows[:_SHOWN]],
        more=len(rows) > _SHOWN,
        zone=chosen.zone,
        names=[row.name for row in dealers.all_dealers(db)],
        tables=sorted({name for name, _ in accuracy.tables_and_games(db)} | {row.table_name for row in rows}),
        may_edit=may(MAY_KEEP_ROTA),
        columns=",".join(ALLOWED),
        form=request.form,
        **problems,
    )


def _chosen_day(chosen: House) -> str:
    """Return the day of the address; else the latest that has an entry, else today."""
    asked = day_in(request.args.get("day"))
    latest = dealers.latest_start(get_db())
    return asked or chosen.day_of(now() if latest is None else latest)


def _duty() -> Duty:
    """Return the entry that the form gives.

    Raises:
        StoreError: naming the field, what was expected and what was found.
    """
    tz = house(get_db()).tz
    moments = {}
    for name in ("from", "to"):
        try:
            moments[name] = moment(request.form.get(name, ""), tz)
        except (ValueError, OverflowError) as error:
            msg = f"{name}: {error}"
            raise StoreError(msg) from None
    return Duty(
        dealer=request.form.get("dealer", "").strip(),
        table_name=request.form.get("table", "").strip(),
        starts=moments["from"],
        ends=moments["to"],
        number=request.form.get("number", "").strip() or None,
        supervisor=request.form.get("supervisor", "").strip(),
    )


def _written(row: RotaRow, chosen: House) -> dict[str, object]:
    starts, ends = _local(row.starts_at, chosen.tz), _local(row.ends_at, chosen.tz)
    return {
        "id": row.id,
        "dealer": row.dealer,
        "dealer_id": row.dealer_id,
        "table": row.table_name,
        "from": starts.strftime("%Y-%m-%d %H:%M"),
        "to": ends.strftime("%H:%M" if ends.date() == starts.date() else "%Y-%m-%d %H:%M"),
        "supervisor": row.supervisor,
        "source": _SOURCES[row.source],
        "by": row.changed_by,
    }


def _local(text: str, tz: object) -> datetime:
    at = datetime.fromisoformat(text).replace(tzinfo=UTC)
    return at.astimezone(tz)  # type: ignore[arg-type]  # a ZoneInfo


def _told(done: Imported) -> str:
    parts = [f"{done.stored} stored"]
    if done.known:
        parts.append(f"{done.known} were there before")
    if done.refused:
        parts.append(f"{len(done.refused)} to correct")
    return f"Rota: {', '.join(parts)}."


def _day_to_show(lines: Sequence[RotaLine]) -> str | None:
    """Return the day that was shown, if a line is of it, else the first day of the lines."""
    chosen = house(get_db())
    days = {chosen.day_of(line.duty.starts) for line in lines if line.duty is not None}
    asked = day_in(request.args.get("day"))
    return asked if asked in days else min(days, default=asked)
