"""The round page: the clip of one round, what was recognised, the settlement, the findings and the decision."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from flask import Blueprint, Response, abort, flash, g, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from audit.store import footage as store
from audit.store import ledger, review
from audit.store.database import StoreError
from audit.store.ledger import Decision
from audit.store.review import FindingRow, QueueFilter, RoundRow
from web.auth import MAY_DECIDE, MAY_SEE_FOOTAGE, may_decide, needs_role
from web.database import get_db, now
from web.round_view import bets, hands, marks, zones
from web.words import DECISIONS, clock, finding_view

blueprint = Blueprint("rounds", __name__)

MARGIN_MS: Final = 1500
_VERDICTS: Final = {
    "confirm": Decision.CONFIRM,
    "dismiss": Decision.DISMISS,
    "cant_tell": Decision.CANNOT_TELL,
    "escalate": Decision.ESCALATE,
    "withdraw": Decision.UNDO,
}


@blueprint.get("/findings/<int:finding_id>")
@needs_role(MAY_SEE_FOOTAGE)
def show_finding(finding_id: int) -> str:
    """Show the finding in its round."""
    row = _finding(finding_id)
    return _page(_round_near(row), row)


@blueprint.get("/rounds/<int:round_id>")
@needs_role(MAY_SEE_FOOTAGE)
def show(round_id: int) -> str:
    """Show the round with its first finding, if it has any."""
    findings = review.findings_of_round(get_db(), round_id)
    return _page(_round(round_id), findings[0] if findings else None)


@blueprint.post("/findings/<int:finding_id>/decide")
@needs_role(MAY_DECIDE)
def decide(finding_id: int) -> AnyResponse:
    """Append a decision and go on to the next unreviewed finding; after a withdrawal stay."""
    row = _finding(finding_id)
    kind = _VERDICTS.get(request.form.get("verdict", ""))
    if kind is None:
        abort(400, f"Expected one of {', '.join(_VERDICTS)}, found {request.form.get('verdict', '')!r:.40}.")
    note = request.form.get("note", "").strip()[:2000]
    try:
        ledger.decide(get_db(), row.id, user_id=g.user.id, kind=kind, note=note, at=now())
    except StoreError as error:
        flash(str(error))
        return redirect(url_for("rounds.show_finding", finding_id=row.id))
    onward = None if kind is Decision.UNDO else review.next_unreviewed(get_db(), QueueFilter(), after=row.id)
    if kind is not Decision.UNDO:
        flash(f"{DECISIONS[kind.value].capitalize()}: {finding_view(row).title}, {finding_view(row).where}.")
    if onward is None and kind is not Decision.UNDO:
        return redirect(url_for("queue.show"))
    return redirect(url_for("rounds.show_finding", finding_id=onward or row.id))


@blueprint.get("/rounds/<int:round_id>/states.json")
@needs_role(MAY_SEE_FOOTAGE)
def states(round_id: int) -> Response:
    """Return what the player draws: states, zones, marks and the bounds of the clip."""
    db = get_db()
    row = _round(round_id)
    chosen = request.args.get("finding", type=int)
    run = store.run(db, row.run_id)
    footage = store.footage(db, run.footage_id)
    first, last = max(0, row.start_ms - MARGIN_MS), row.end_ms + MARGIN_MS
    last = min(last, footage.duration_ms or last)
    lines = store.states_between(db, row.run_id, first_ms=first, last_ms=last)
    findings = review.findings_of_round(db, row.id)
    incident = next(([one.first_ms, one.last_ms] for one in findings if one.id == chosen), [row.start_ms, row.end_ms])
    profile = store.profile(db, run.profile_id)
    text = json.dumps(
        {
            "clip_ms": [first, last],
            "incident_ms": [max(first, incident[0]), min(last, incident[1])],
            "frame_ms": 40,
            "zones": zones(profile.toml, [json.loads(line) for line in lines[:1]]),
            "marks": marks(row, findings),
        }
    )
    body = f'{text[:-1]},"states":[{",".join(lines)}]}}'
    return Response(body, mimetype="application/json", headers={"Cache-Control": "no-store"})


def _page(row: RoundRow, finding: FindingRow | None) -> str:
    db = get_db()
    run = store.run(db, row.run_id)
    footage = store.footage(db, run.footage_id)
    findings = review.findings_of_round(db, row.id)
    onward = review.next_unreviewed(db, QueueFilter(), after=finding.id if finding else None)
    decisions = ledger.decisions_of(db, finding.id) if finding else ()
    ledger.record_access(db, actor=g.user.name, evidence={"round": row.id, "run": row.run_id}, at=now())
    return render_template(
        "round.html",
        page="round",
        round={
            **hands(row),
            "bets": bets(row, findings, finding),
            "number": row.ordinal + 1,
            "status": row.status,
            "missing": row.record.get("missing", []),
            "when": f"{clock(row.start_ms)} to {clock(row.end_ms)}",
            "game": row.game.replace("_", " "),
            "table_id": store.profile(db, run.profile_id).name,
            "footage": Path(footage.path).name,
            "width": footage.width or 1920,
            "height": footage.height or 1080,
            "software": run.software,
            "weights": run.weights_sha256,
            "rules": run.rules_sha256,
            "profile": store.profile(db, run.profile_id).sha256,
        },
        finding=finding_view(finding) if finding else None,
        others=[finding_view(one) for one in findings],
        decisions=[
            {
                "verdict": one.kind,
                "text": DECISIONS[one.kind],
                "user": one.user_name,
                "at": one.at[:19] + " UTC",
                "note": one.note,
            }
            for one in decisions
        ],
        may_decide=may_decide(),
        decide_url=url_for("rounds.decide", finding_id=finding.id) if finding else "",
        states_url=url_for("rounds.states", round_id=row.id, finding=finding.id if finding else None),
        video_url=url_for("footage.video", footage_id=run.footage_id),
        next_url=url_for("rounds.show_finding", finding_id=onward) if onward else None,
        previous_url=_neighbour(row, -1),
        waiting=review.queue_counts(db).unreviewed,
    )


def _neighbour(row: RoundRow, by: int) -> str | None:
    wanted = row.ordinal + by
    if wanted < 0:
        return None
    found = review.rounds_of_run(get_db(), row.run_id, limit=1, offset=wanted)
    return url_for("rounds.show", round_id=found[0].id) if found else None


def _finding(finding_id: int) -> FindingRow:
    try:
        return review.finding(get_db(), finding_id)
    except StoreError as error:
        abort(404, str(error))


def _round(round_id: int) -> RoundRow:
    try:
        return review.round_row(get_db(), round_id)
    except StoreError as error:
        abort(404, str(error))


def _round_near(row: FindingRow) -> RoundRow:
    """Return the finding's round; for one that belongs to none, the last round that began before it."""
    if row.round_id is not None:
        return _round(row.round_id)
    rounds = review.rounds_of_run(get_db(), row.run_id)
    if not rounds:
        abort(404, "No round was audited in this recording.")
    return max((one for one in rounds if one.start_ms <= row.first_ms), key=lambda one: one.start_ms, default=rounds[0])
