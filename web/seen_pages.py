"""What a person saw and no audit reported: a finding of its own, added on the page of its round."""

from __future__ import annotations

import re
from datetime import timedelta
from fractions import Fraction
from typing import Any, Final

from flask import Blueprint, Response, flash, g, jsonify, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from audit.money import format_money
from audit.procedures.catalogue import Procedure, catalogue
from audit.procedures.registry import procedures_at
from audit.store import corrections, seen_by_people
from audit.store import footage as store
from audit.store.database import StoreError
from audit.store.review import RoundRow
from web.adding import moment
from web.auth import MAY_DECIDE, needs_role
from web.database import get_db, now
from web.queue_filter import cents, kept
from web.round_pages import MARGIN_MS, finding_or_404, round_or_404, seats_of
from web.words import clock

blueprint = Blueprint("seen", __name__)

_NUMBER: Final = re.compile(r"\s*(P[0-9]{3})\b.*", re.DOTALL | re.IGNORECASE)
_CLOCK: Final = re.compile(
    r"(?:(?:(?P<h>[0-9]{1,3}):)?(?P<m>[0-9]{1,2}):)?(?P<s>[0-9]{1,5}(?:\.[0-9]{1,3})?)", re.ASCII
)
_CENTS: Final = 100


@blueprint.get("/procedures.json")
@needs_role(MAY_DECIDE)
def procedures() -> Response:
    """Return every procedure with its title, those that hold at a table of the game first."""
    own = dict.fromkeys(procedures_at(request.args.get("game", "")))
    every = catalogue()
    ordered = [every[number] for number in (*own, *(one for one in every if one not in own))]
    return jsonify(procedures=[{"id": one.id, "title": one.title} for one in ordered])


@blueprint.post("/rounds/<int:round_id>/findings")
@needs_role(MAY_DECIDE)
def add(round_id: int) -> AnyResponse | tuple[str, int]:
    """Store what the form says was seen in the round, and go to it."""
    row = corrections.as_corrected(get_db(), round_or_404(round_id))
    try:
        number = seen_by_people.add(get_db(), row, _asked(row), user_id=g.user.id, at=now())
    except ValueError as error:
        return _refused(row, f"Nothing was added: {error}.")
    flash("Added: it stands in the queue as seen by you. u takes it back.")
    at = request.form.get("shown_ms", type=int)
    return redirect(url_for("rounds.show_finding", finding_id=number, at=at, **kept(request.args)))  # type: ignore[arg-type]


@blueprint.post("/findings/<int:finding_id>/take-back")
@needs_role(MAY_DECIDE)
def take_back(finding_id: int) -> AnyResponse:
    """Take back a finding that the user added and nobody has decided on."""
    row = finding_or_404(finding_id)
    try:
        seen_by_people.take_back(get_db(), row, user_id=g.user.id, at=now())
        flash("Taken back: it stands in no queue and no figure any more.")
    except StoreError as error:
        flash(f"Nothing was changed: {error}.", "refused")
    return redirect(url_for("rounds.show_finding", finding_id=row.id, **kept(request.args)))  # type: ignore[arg-type]


def _asked(row: RoundRow) -> dict[str, Any]:
    """Return the finding that the form describes, in the shape of ``contracts/audit.md``.

    Raises:
        ValueError: saying what was expected and what was found.
    """
    procedure = _procedure(request.form.get("procedure", ""))
    first, last = _stretch(row)
    due, paid = _money("due"), _money("paid")
    if (due is None) != (paid is None):
        msg = "expected what was due and what was paid, or neither, found one of them"
        raise ValueError(msg)
    note = " ".join(request.form.get("note", "").split())[:2000] or procedure.violation
    return {
        "procedures": [procedure.id],
        "expected": procedure.title if due is None else f"{procedure.title}: {_text(due)} due",
        "observed": note if paid is None else f"{_text(paid)} paid: {note}",
        "amount": None if due is None or paid is None else _text(paid - due),
        "seat": _seat(row),
        "first_ms": first,
        "last_ms": last,
        "citation": procedure.citation,
    }


def _procedure(text: str) -> Procedure:
    """Return the procedure that is named by its number, or by its whole title."""
    found = _NUMBER.fullmatch(text)
    every = catalogue()
    named = every.get(found[1].upper()) if found else None
    titled = [one for one in every.values() if one.title.casefold() == text.strip().casefold()]
    if named is None and len(titled) != 1:
        msg = f"expected a procedure of the list, found {text.strip()[:60] or 'none'}"
        raise ValueError(msg)
    return named or titled[0]


def _stretch(row: RoundRow) -> tuple[int, int]:
    """Return from when to when it was seen; what the form leaves open is the moment that the player shows."""
    shown = moment(request.form, "shown_ms")
    first, last = (_moment(request.form.get(name, ""), shown) for name in ("from", "to"))
    if first > last or last < row.start_ms - MARGIN_MS or first > row.end_ms + MARGIN_MS:
        whole = f"{clock(row.start_ms)} to {clock(row.end_ms)}"
        msg = f"expected a stretch of the round, {whole}, found {clock(first)} to {clock(last)}"
        raise ValueError(msg)
    return first, last


def _moment(text: str, shown: int | None) -> int:
    """Return a moment of the recording that is written ``0:01:02.5``, in milliseconds."""
    if not text.strip() and shown is not None:
        return shown
    found = _CLOCK.fullmatch(text.strip())
    if found is None:
        msg = f"expected a time of the recording such as 0:01:02.5, found {text.strip()[:20] or 'none'}"
        raise ValueError(msg)
    at = timedelta(hours=int(found["h"] or 0), minutes=int(found["m"] or 0), seconds=float(found["s"]))
    return round(at / timedelta(milliseconds=1))


def _seat(row: RoundRow) -> int | None:
    text = request.form.get("seat", "").strip()
    profile = store.profile(get_db(), store.run(get_db(), row.run_id).profile_id)
    seats = {str(number): number for number in seats_of(profile.toml)}
    if text and text not in seats:
        msg = f"expected a seat of the table, found {text[:20]}"
        raise ValueError(msg)
    return seats.get(text)


def _money(name: str) -> int | None:
    text = request.form.get(name, "").strip()
    if text and cents(text) is None:
        msg = f"expected an amount such as 50 or 12.50, found {text[:20]}"
        raise ValueError(msg)
    return cents(text)


def _text(amount_cents: int) -> str:
    return format_money(Fraction(amount_cents, _CENTS))


def _refused(row: RoundRow, text: str) -> AnyResponse | tuple[str, int]:
    """Say what was refused: to the page's script, which says it beside the form, else on the page itself."""
    if request.headers.get("X-Requested-With") == "catwalk":
        return render_template("message.html", title="Nothing was stored", text=text), 422
    flash(text, "refused")
    return redirect(url_for("rounds.show", round_id=row.id, **kept(request.args)))  # type: ignore[arg-type]
