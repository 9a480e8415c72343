"""Saying what an object on the felt really is, adding one that was not seen, and taking either back."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from flask import Blueprint, abort, flash, g, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from audit.corrections import SAME_PLACE_MM, Correction, parse_reading
from audit.store import corrections, review
from audit.store.database import StoreError
from audit.store.resettling import first_reading, reading_record, settle_again, standing_corrections
from audit.store.review import RoundRow
from audit.timing import Span
from web.adding import asked_addition, moment, place_of
from web.auth import MAY_DECIDE, needs_role
from web.correcting import ABSENT, in_words, successor, told, what_changed
from web.database import get_db, now
from web.queue_filter import kept
from web.round_pages import finding_or_404, round_or_404

blueprint = Blueprint("corrections", __name__)

_Answer = AnyResponse | tuple[str, int]


@blueprint.post("/rounds/<int:round_id>/corrections")
@needs_role(MAY_DECIDE)
def correct(round_id: int) -> _Answer:
    """Append a correction, settle the round again with it, and go back to the page at the same moment."""
    row = round_or_404(round_id)
    try:
        said, first = _named(row, _asked())
        text = told(said.kind, first, reading_record(said))
        _store(row, said, first=first, rest=[*standing_corrections(get_db(), row.id), said], text=text)
    except ValueError as error:
        return _refused(row, f"Nothing was corrected: {error}.")
    return _back(row)


@blueprint.post("/rounds/<int:round_id>/additions")
@needs_role(MAY_DECIDE)
def add(round_id: int) -> _Answer:
    """Append an object that recognition did not see, settle the round again with it, and go back to the page."""
    row = round_or_404(round_id)
    try:
        said = asked_addition(get_db(), row, request.form)
        text = f"{in_words(said.kind, reading_record(said))} was added"
        _store(row, said, first=ABSENT, rest=[*standing_corrections(get_db(), row.id), said], text=text)
    except ValueError as error:
        return _refused(row, f"Nothing was added: {error}.")
    return _back(row)


@blueprint.post("/rounds/<int:round_id>/corrections/<int:correction_id>/withdraw")
@needs_role(MAY_DECIDE)
def withdraw(round_id: int, correction_id: int) -> _Answer:
    """Append the withdrawal of a correction and settle the round again without it."""
    row = round_or_404(round_id)
    entry = next((one for one in corrections.entries(get_db(), row.id) if one.id == correction_id), None)
    if entry is None:
        abort(404, "This round has no such correction.")
    said = Correction(
        kind=entry.kind, at_ms=entry.at_ms, xy_mm=(entry.x_mm, entry.y_mm), reading=parse_reading("card", "nothing")
    )
    try:
        rest = standing_corrections(get_db(), row.id, without=correction_id)
        first, text = dict(entry.first_reading), "the correction was withdrawn"
        _store(row, said, first=first, rest=rest, text=text, withdraws=correction_id)
    except StoreError as error:
        return _refused(row, f"Nothing was withdrawn: {error}.")
    return _back(row)


def _named(row: RoundRow, said: Correction) -> tuple[Correction, dict[str, Any]]:
    """Return the correction with the object that is meant as recognition listed it, or as somebody added it.

    Raises:
        ValueError: if there is none.
    """
    first = first_reading(get_db(), row, said)
    if first is not None:
        return said, first
    for one in reversed(standing_corrections(get_db(), row.id)):
        here = one.kind == said.kind and math.dist(one.xy_mm, said.xy_mm) <= SAME_PLACE_MM
        if here and one.lies is not None and one.lies.overlaps(Span.of(said.at_ms)):
            return replace(said, lies=one.lies, angle_deg=one.angle_deg), ABSENT
    msg = f"expected {said.kind.replace('_', ' ')} at that place and moment, found none"
    raise ValueError(msg)


def _store(
    row: RoundRow,
    said: Correction,
    *,
    first: dict[str, Any],
    rest: list[Correction],
    text: str,
    withdraws: int | None = None,
) -> None:
    """Settle the round with the corrections that stand and store the entry with what came of it."""
    db = get_db()
    before = review.findings_of_round(db, row.id)
    again = settle_again(db, row, rest) if rest else None
    if rest and again is None:
        msg = "expected a round in what the felt would show then, found none"
        raise StoreError(msg)
    entry = {
        "withdraws": withdraws,
        "kind": said.kind,
        "at_ms": said.at_ms,
        "x_mm": said.xy_mm[0],
        "y_mm": said.xy_mm[1],
        "first_reading": first,
        "reading": {} if withdraws is not None else reading_record(said),
    }
    record, findings = again or (None, None)
    corrections.append(db, row.id, said=entry, record=record, findings=findings, user_id=g.user.id, at=now())
    flash(f"Settled again, {text}. {what_changed(before, review.findings_of_round(db, row.id))}")


def _asked() -> Correction:
    form = request.form
    at, kind = moment(form, "at_ms"), form.get("kind", "")
    if at is None:
        msg = "expected the moment of the object, found none"
        raise ValueError(msg)
    return Correction(
        kind=kind, at_ms=at, xy_mm=place_of(form), reading=parse_reading(kind, form.get("reading", "")[:400])
    )


def _refused(row: RoundRow, text: str) -> _Answer:
    """Say what was refused: to the page's script, which says it beside the field, else on the page itself."""
    if request.headers.get("X-Requested-With") == "catwalk":
        return render_template("message.html", title="Nothing was stored", text=text), 422
    flash(text, "refused")
    return _back(row)


def _back(row: RoundRow) -> AnyResponse:
    """Go back to the finding, also if it no longer stands, or to what says the same instead; else to the round."""
    number = request.args.get("finding", type=int)
    shown = request.form.get("shown_ms", type=int)
    way = {**kept(request.args), "at": request.form.get("at_ms", type=int) if shown is None else shown}
    if number is None:
        return redirect(url_for("rounds.show", round_id=row.id, **way))  # type: ignore[arg-type]  # text or numbers
    finding = finding_or_404(number)
    standing = review.findings_of_round(get_db(), row.id)
    onto = finding if finding.id in {one.id for one in standing} else successor(finding, standing)
    return redirect(url_for("rounds.show_finding", finding_id=onto.id, **way))  # type: ignore[arg-type]
