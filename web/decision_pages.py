"""Deciding on findings, and taking decisions back."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, abort, flash, g, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from audit.store import desk, ledger
from audit.store.database import StoreError, transaction
from audit.store.ledger import Decision
from audit.store.review import FindingRow
from web.auth import MAY_DECIDE, needs_role
from web.blind import unseen_by_me
from web.database import get_db, now
from web.local_time import zoned_minute
from web.queue_filter import kept
from web.round_pages import LOOK_FOR, finding_or_404, is_overtaken, next_finding
from web.words import REASONS, decided, finding_view

blueprint = Blueprint("decisions", __name__)

_VERDICTS: Final = {
    "confirm": Decision.CONFIRM,
    "dismiss": Decision.DISMISS,
    "cant_tell": Decision.CANNOT_TELL,
    "escalate": Decision.ESCALATE,
    "withdraw": Decision.UNDO,
}


@blueprint.post("/findings/<int:finding_id>/decide")
@needs_role(MAY_DECIDE)
def decide(finding_id: int) -> AnyResponse:
    """Append a decision and go on to the next unreviewed finding; after a withdrawal stay."""
    row = finding_or_404(finding_id)
    kind = _VERDICTS.get(request.form.get("verdict", ""))
    if kind is None:
        abort(400, f"Expected one of {', '.join(_VERDICTS)}, found {request.form.get('verdict', '')!r:.40}.")
    try:
        _store(row, kind)
    except StoreError as error:
        flash(f"Nothing was changed: {error}.", "refused")
        return _to(row.id)
    if kind is Decision.UNDO:
        return _to(row.id)
    view = finding_view(row)
    flash(f"{decided(kind.value, verdict=row.verdict).capitalize()}: {view.title}, {view.where}. u takes it back.")
    onward = next_finding(row.id)
    if onward is None:
        return redirect(url_for("queue.show", **kept(request.args)))  # type: ignore[arg-type]  # query values are text
    return _to(onward)


@blueprint.post("/decisions/undo")
@needs_role(MAY_DECIDE)
def undo() -> AnyResponse:
    """Take back the user's last decision that still stands, with all that were taken at once, and go there."""
    db = get_db()
    last = ledger.last_standing(db, g.user.id)
    if last is None:
        flash("There is no decision of yours to take back.")
        return redirect(url_for("queue.show", **kept(request.args)))  # type: ignore[arg-type]  # query values are text
    together = ledger.taken_together(db, last)
    with transaction(db):
        for finding_id in together:
            ledger.decide(db, finding_id, user_id=g.user.id, kind=Decision.UNDO, note="", at=now())
    words = decided(last.kind, verdict=finding_or_404(last.finding_id).verdict)
    if len(together) > 1:
        flash(f"Taken back: {words}, on {len(together)} findings.")
        return redirect(url_for("queue.show", **kept(request.args)))  # type: ignore[arg-type]  # query values are text
    flash(f"Taken back: {words}.")
    return _to(last.finding_id)


@blueprint.post("/findings/<int:finding_id>/take-over")
@needs_role(MAY_DECIDE)
def take_over(finding_id: int) -> AnyResponse:
    """Take a finding over from the reviewer who holds it; this is logged."""
    row = finding_or_404(finding_id)
    db = get_db()
    held = desk.claims_on(db, [row.id], now=now()).get(row.id)
    desk.claim(db, [row.id], user_id=g.user.id, now=now(), until=now() + LOOK_FOR, taking_over=True)
    if held is not None and held.user_id != g.user.id:
        details = {"finding": row.id, "from": held.user_name}
        ledger.append(db, actor=g.user.name, action="take over", details=details, at=now())
    return _to(row.id)


def _store(row: FindingRow, kind: Decision) -> None:
    """Store the decision for a finding that nobody else holds.

    Raises:
        StoreError: if somebody does, it no longer stands, waits for a second answer, or there is nothing to take back.
    """
    db = get_db()
    note = request.form.get("note", "").strip()[:2000]
    reason = request.form.get("reason", "")
    if kind is Decision.UNDO and row.decision is None:
        msg = "expected a decision that stands on this finding, found none"
        raise StoreError(msg)
    if kind is not Decision.UNDO and is_overtaken(row):
        msg = "expected a finding that stands, found one that a correction or a later look has overtaken"
        raise StoreError(msg)
    if row.decision is not None and unseen_by_me([row.id]):
        msg = "expected a second answer first, found a first decision that is hidden from you until then"
        raise StoreError(msg)
    if not desk.claim(db, [row.id], user_id=g.user.id, now=now(), until=now() + LOOK_FOR):
        held = desk.claims_on(db, [row.id], now=now())[row.id]
        until = zoned_minute(held.until)[11:]
        msg = f"expected a finding that is free, found one that {held.user_name} holds until {until}"
        raise StoreError(msg)
    chosen = reason if reason in REASONS else ""
    try:
        ledger.decide(db, row.id, user_id=g.user.id, kind=kind, note=note, reason=chosen, at=now())
    finally:
        desk.release(db, [row.id], user_id=g.user.id)


def _to(finding_id: int) -> AnyResponse:
    return redirect(url_for("rounds.show_finding", finding_id=finding_id, **kept(request.args)))  # type: ignore[arg-type]
