"""Blind second reviews, and how far reviewers agree."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from flask import Blueprint, abort, flash, g, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from audit.agreement import agreement
from audit.store import review, second_reviews
from audit.store.database import StoreError
from audit.store.second_reviews import ANSWERS, ROUND_ANSWERS, Item, SecondReview, Shares
from audit.store.users import Role
from web.auth import MAY_DECIDE, MAY_SEE_FOOTAGE, needs_role
from web.database import get_db, now
from web.local_time import zoned_minute
from web.round_pages import finding_or_404, page, round_or_404, waiting_words
from web.words import ANSWER_WORDS, decided

blueprint = Blueprint("second", __name__)

_MAY_SEE_AGREEMENT: Final = MAY_SEE_FOOTAGE | {Role.ADMINISTRATOR}
_MAY_SET_SHARES: Final = frozenset({Role.ADMINISTRATOR})


@blueprint.get("/second")
@needs_role(MAY_DECIDE)
def offer() -> AnyResponse:
    """Lead to what waits for a second answer: a finding first, else a round without findings."""
    db = get_db()
    item = second_reviews.next_finding(db, user_id=g.user.id) or second_reviews.next_round(db, user_id=g.user.id)
    if item is None:
        flash("Nothing waits for a second review by you.")
        return redirect(url_for("queue.show"))
    if item.finding_id is None:
        return redirect(url_for("second.show_round", round_id=item.round_id))
    return redirect(url_for("second.show_finding", finding_id=item.finding_id))


@blueprint.get("/second/findings/<int:finding_id>")
@needs_role(MAY_DECIDE)
def show_finding(finding_id: int) -> str:
    """Show the finding without anything that the first reviewer said."""
    row = finding_or_404(finding_id)
    if row.id not in second_reviews.hidden(get_db(), [row.id], user_id=g.user.id) or row.round_id is None:
        abort(404, "This finding does not wait for a second review by you.")
    return page(round_or_404(row.round_id), row, Item(round_id=row.round_id, finding_id=row.id))


@blueprint.get("/second/rounds/<int:round_id>")
@needs_role(MAY_DECIDE)
def show_round(round_id: int) -> str:
    """Show a round in which the audit found nothing, to be judged unprompted."""
    row = round_or_404(round_id)
    if review.findings_of_round(get_db(), row.id):
        abort(404, "This round has findings; it does not wait for a second review as one without.")
    return page(row, None, Item(round_id=row.id, finding_id=None))


@blueprint.post("/second/findings/<int:finding_id>")
@needs_role(MAY_DECIDE)
def answer_finding(finding_id: int) -> AnyResponse:
    """Keep the second answer on a finding and go on."""
    row = finding_or_404(finding_id)
    if row.round_id is None:
        abort(404, "This finding belongs to no round.")
    return _answer(Item(round_id=row.round_id, finding_id=row.id))


@blueprint.post("/second/rounds/<int:round_id>")
@needs_role(MAY_DECIDE)
def answer_round(round_id: int) -> AnyResponse:
    """Keep the answer on a round without findings and go on."""
    return _answer(Item(round_id=round_or_404(round_id).id, finding_id=None))


@blueprint.get("/agreement")
@needs_role(_MAY_SEE_AGREEMENT)
def show() -> str:
    """Show how far second reviewers agreed with the first."""
    db = get_db()
    rows = second_reviews.answers(db)
    flagged = [row for row in rows if row.finding_id is not None]
    unflagged = [row for row in rows if row.finding_id is None]
    return render_template(
        "agreement.html",
        page="agreement",
        shares=second_reviews.shares(db),
        may_set=g.user.role in _MAY_SET_SHARES,
        may_open=g.user.role in MAY_SEE_FOOTAGE,
        waiting=waiting_words(db) if g.user.role in MAY_DECIDE else "",
        may_answer=g.user.role in MAY_DECIDE,
        parts=[
            _part("Findings, first and second decision", flagged, ANSWERS),
            _part("Rounds without findings, two reviewers", unflagged, ROUND_ANSWERS),
        ],
        differing=[_words(row) for row in rows if row.kind != row.first_kind][:100],
    )


@blueprint.post("/agreement/shares")
@needs_role(_MAY_SET_SHARES)
def set_shares() -> AnyResponse:
    """Set which part of the rounds is reviewed a second time."""
    flagged, unflagged = (request.form.get(name, -1.0, type=float) / 100 for name in ("flagged", "unflagged"))
    try:
        chosen = Shares(flagged=flagged, unflagged=unflagged)
        second_reviews.set_shares(get_db(), chosen, user_id=g.user.id, actor=g.user.name, at=now())
        flash("The shares hold for what is decided from now on.")
    except StoreError as error:
        flash(f"Nothing was set: {error}.", "refused")
    return redirect(url_for("second.show"))


def _answer(item: Item) -> AnyResponse:
    note = request.form.get("note", "").strip()[:2000]
    verdict = "" if item.finding_id is None else finding_or_404(item.finding_id).verdict
    kind = {"cant_tell": "cannot_tell"}.get(request.form.get("verdict", ""), request.form.get("verdict", ""))
    try:
        second_reviews.answer(get_db(), item, user_id=g.user.id, kind=kind, note=note, at=now())
        flash(f"Kept: {decided(kind, verdict=verdict)}.")
    except StoreError as error:
        flash(f"Nothing was kept: {error}.", "refused")
    return redirect(url_for("second.offer"))


def _part(title: str, rows: list[SecondReview], answers: tuple[str, ...]) -> dict[str, Any]:
    """Return one table of agreement: first answers down, second answers across."""
    pairs = [(row.first_kind or "", row.kind) for row in rows]
    cells = Counter(pairs)
    return {
        "title": title,
        "found": agreement(pairs),
        "answers": [(one, ANSWER_WORDS[one]) for one in answers],
        "cells": {one: {other: cells[one, other] for other in answers} for one in answers},
    }


def _words(row: SecondReview) -> dict[str, Any]:
    finding = row.finding_id
    return {
        "href": url_for("rounds.show", round_id=row.round_id)
        if finding is None
        else url_for("rounds.show_finding", finding_id=finding),
        "what": f"round {row.round_id}" if finding is None else f"finding {finding}",
        "first": decided(row.first_kind or "", verdict=row.verdict or ""),
        "second": decided(row.kind, verdict=row.verdict or ""),
        "user": row.user_name,
        "at": zoned_minute(row.at),
        "note": row.note,
    }
