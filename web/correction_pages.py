"""Saying what an object on the felt really is, and taking that back."""

from __future__ import annotations

from typing import Any, Final

from flask import Blueprint, abort, flash, g, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from audit.corrections import Correction, parse_reading
from audit.store import corrections, review
from audit.store.database import StoreError
from audit.store.resettling import first_reading, reading_record, settle_again, standing_corrections
from audit.store.review import RoundRow
from web.auth import MAY_DECIDE, needs_role
from web.correcting import in_words
from web.database import get_db, now
from web.queue_filter import kept
from web.round_pages import round_or_404

blueprint = Blueprint("corrections", __name__)

_FAR_MM: Final = 1e5


@blueprint.post("/rounds/<int:round_id>/corrections")
@needs_role(MAY_DECIDE)
def correct(round_id: int) -> AnyResponse:
    """Append a correction, settle the round again with it, and go back to the page at the same moment."""
    row = round_or_404(round_id)
    try:
        said = _asked()
        first = _first(row, said)
        text = f"{in_words(said.kind, first)} is {in_words(said.kind, reading_record(said.reading))}"
        rest = [*standing_corrections(get_db(), row.id), said]
        _store(row, said, first=first, rest=rest, text=text)
    except (ValueError, StoreError) as error:
        flash(f"Nothing was corrected: {error}.")
    return _back(row)


@blueprint.post("/rounds/<int:round_id>/corrections/<int:correction_id>/withdraw")
@needs_role(MAY_DECIDE)
def withdraw(round_id: int, correction_id: int) -> AnyResponse:
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
        flash(f"Nothing was withdrawn: {error}.")
    return _back(row)


def _first(row: RoundRow, said: Correction) -> dict[str, Any]:
    """Return the object that is meant as recognition listed it.

    Raises:
        ValueError: if there is none.
    """
    first = first_reading(get_db(), row, said)
    if first is None:
        msg = f"expected {said.kind.replace('_', ' ')} at that place and moment, found none"
        raise ValueError(msg)
    return first


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
    before = len(review.findings_of_round(db, row.id))
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
        "reading": {} if withdraws is not None else reading_record(said.reading),
    }
    record, findings = again or (None, None)
    corrections.append(db, row.id, said=entry, record=record, findings=findings, user_id=g.user.id, at=now())
    after = len(review.findings_of_round(db, row.id))
    flash(f"Settled again, {text}: findings before {before}, now {after}.")


def _asked() -> Correction:
    form = request.form
    at, x, y = form.get("at_ms", type=int), form.get("x_mm", type=float), form.get("y_mm", type=float)
    if at is None or x is None or y is None or not (abs(x) < _FAR_MM and abs(y) < _FAR_MM and 0 <= at < 10**12):
        msg = "expected the moment and the place of the object, found none"
        raise ValueError(msg)
    kind = form.get("kind", "")
    return Correction(kind=kind, at_ms=at, xy_mm=(x, y), reading=parse_reading(kind, form.get("reading", "")[:400]))


def _back(row: RoundRow) -> AnyResponse:
    """Go back to the finding, if it still stands, else to the round."""
    finding = request.args.get("finding", type=int)
    still = finding in {one.id for one in review.findings_of_round(get_db(), row.id)}
    way = {**kept(request.args), "at": request.form.get("at_ms", type=int)}
    if still and finding is not None:
        return redirect(url_for("rounds.show_finding", finding_id=finding, **way))  # type: ignore[arg-type]
    return redirect(url_for("rounds.show", round_id=row.id, **way))  # type: ignore[arg-type]  # text or numbers
