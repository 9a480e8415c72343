"""The round page: the clip of one round, what was recognised, the settlement, the findings and the decision."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any, Final

from flask import Blueprint, Response, abort, g, render_template, request, url_for
from sqlite_utils import Database

from audit.store import corrections, desk, ledger, review, second_reviews, settings
from audit.store import footage as store
from audit.store.database import StoreError, stamp, transaction
from audit.store.resettling import as_corrected_lines
from audit.store.review import FindingRow, QueueFilter, RoundRow
from audit.store.second_reviews import Item
from audit.table import parse_profile
from web.auth import MAY_SEE_FOOTAGE, may_decide, needs_role
from web.blind import WITHHELD, unseen_by_me
from web.correcting import correction_views
from web.database import get_db, now
from web.local_time import property_zone, zoned
from web.queue_filter import chosen_filter, kept
from web.recording_names import recording_name
from web.round_view import bets, counting, felt_grid, hands, marks, moments, zone_of, zones
from web.words import REASONS, clock, decided, finding_view

blueprint = Blueprint("rounds", __name__)

MARGIN_MS: Final = 1500
_COUNTED: Final = 99
"""Rounds that wait for a second answer and are counted; beyond these there are more."""
LOOK_FOR: Final = timedelta(minutes=10)
"""How long a finding that a reviewer opens is his, so that no other is led to it."""


@blueprint.get("/findings/<int:finding_id>")
@needs_role(MAY_SEE_FOOTAGE)
def show_finding(finding_id: int) -> str:
    """Show the finding in its round."""
    row = finding_or_404(finding_id)
    return page(_round_near(row), row)


@blueprint.get("/rounds/<int:round_id>")
@needs_role(MAY_SEE_FOOTAGE)
def show(round_id: int) -> str:
    """Show the round with its first finding, if it has any."""
    findings = review.findings_of_round(get_db(), round_id)
    return page(round_or_404(round_id), findings[0] if findings else None)


@blueprint.get("/rounds/<int:round_id>/states.json")
@needs_role(MAY_SEE_FOOTAGE)
def states(round_id: int) -> Response:
    """Return what the player draws: states, zones, marks and the bounds of the clip."""
    db = get_db()
    row = corrections.as_corrected(db, round_or_404(round_id))
    chosen = request.args.get("finding", type=int)
    run = store.run(db, row.run_id)
    footage = store.footage(db, run.footage_id)
    first, last = max(0, row.start_ms - MARGIN_MS), row.end_ms + MARGIN_MS
    last = min(last, footage.duration_ms or last)
    lines = as_corrected_lines(db, row, first_ms=first, last_ms=last)
    findings = [
        one for one in review.findings_of_round(db, row.id) if request.args.get("blind") is None or one.id == chosen
    ]
    incident = next(([one.first_ms, one.last_ms] for one in findings if one.id == chosen), [row.start_ms, row.end_ms])
    toml = store.profile(db, run.profile_id).toml
    parsed = [json.loads(line) for line in lines]
    text = json.dumps(
        {
            "clip_ms": [first, last],
            "round_ms": [row.start_ms, row.end_ms],
            "incident_ms": [max(first, incident[0]), min(last, incident[1])],
            "at_ms": request.args.get("at", type=int),
            "frame_ms": 40,
            "wall": _wall(footage),
            "zones": zones(toml, parsed[:1]),
            "here": zone_of(toml, None if chosen is None else finding_or_404(chosen)),
            **counting(toml, row),
            **felt_grid(toml),
            "marks": sorted(marks(row, findings) + moments(toml, parsed, row), key=lambda mark: int(mark["ms"])),
        }
    )
    body = f'{text[:-1]},"states":[{",".join(lines)}]}}'
    return Response(body, mimetype="application/json", headers={"Cache-Control": "no-store"})


def seats_of(toml: str) -> tuple[int, ...]:
    """Return the seats of a stored profile; none of one that cannot be read: its rounds are shown all the same."""
    try:
        return tuple(parse_profile(toml).seats)
    except ValueError:
        return ()


def page(audited: RoundRow, finding: FindingRow | None, second: Item | None = None) -> str:
    """Return the round page; for a blind second review nothing that others said is on it."""
    db = get_db()
    row = corrections.as_corrected(db, audited)
    run = store.run(db, row.run_id)
    asked = kept(request.args)
    findings = review.findings_of_round(db, row.id)
    if second is not None:
        findings = tuple(one for one in findings if finding is not None and one.id == finding.id)
    held = _open(row, finding, looking=second is None)
    hidden = unseen_by_me([one.id for one in (*findings, *([finding] if finding else ()))])
    return render_template(
        "round.html",
        page="round",
        round={**hands(row), "bets": bets(row, findings, finding), **_facts(db, row, run)},
        finding=finding_view(finding) if finding else None,
        overtaken=finding is not None and is_overtaken(finding),
        is_mine=finding is not None and finding.added_by == g.user.id,
        others=[(finding_view(one), one.id in hidden) for one in findings],
        decisions=_decisions(finding, hidden),
        has_decided=may_decide() and ledger.last_standing(db, g.user.id) is not None,
        is_hidden=finding is not None and finding.id in hidden,
        withheld=WITHHELD,
        may_decide=may_decide(),
        asked=asked,
        reasons=REASONS,
        held_by=held,
        second=second,
        second_left="" if second is None else waiting_words(db),
        second_url=None if second is None else _second_url(second),
        correction_list=correction_views(db, row.id),
        states_url=_states_url(row, finding, second),
        video_url=url_for("footage.video", footage_id=run.footage_id),
        **_ways(row, finding, asked, second),
    )


def _facts(db: Database, row: RoundRow, run: store.RunRow) -> dict[str, Any]:
    """Return where a round comes from, by its words on the page."""
    footage, profile = store.footage(db, run.footage_id), store.profile(db, run.profile_id)
    return {
        "id": row.id,
        "number": row.ordinal + 1,
        "status": row.status,
        "missing": row.record.get("missing", []),
        "complaint": footage.error,
        "when": f"{clock(row.start_ms)} to {clock(row.end_ms)}",
        "game": row.game.replace("_", " "),
        "game_key": row.game,
        "places": seats_of(profile.toml),
        "table_id": profile.name,
        "footage": recording_name(footage.path),
        "path": footage.path,
        "sha256": footage.sha256 if footage.recorder is None else "not yet: the recording still grows",
        "width": footage.width or 1920,
        "height": footage.height or 1080,
        "software": run.software,
        "weights": run.weights_sha256,
        "rules": run.rules_sha256,
        "profile": profile.sha256,
    }


def finding_or_404(finding_id: int) -> FindingRow:
    """Return the finding, or end the request with a clear page."""
    try:
        return review.finding(get_db(), finding_id)
    except (StoreError, OverflowError):
        abort(404, f"There is no finding with the number {finding_id}.")


def round_or_404(round_id: int) -> RoundRow:
    """Return the round as it was audited, or end the request with a clear page."""
    try:
        return review.round_row(get_db(), round_id)
    except (StoreError, OverflowError):
        abort(404, f"There is no round with the number {round_id}.")


def waiting_words(db: Database) -> str:
    """Return what waits for this user's second answer: ``2 findings, 7 rounds``; empty if nothing does."""
    findings = second_reviews.waiting(db, user_id=g.user.id)
    rounds = second_reviews.waiting_rounds(db, user_id=g.user.id, most=_COUNTED + 1)
    parts = ((findings, f"{findings:,}", "finding"), (rounds, f"{min(rounds, _COUNTED)}", "round"))
    more = " or more" if rounds > _COUNTED else ""
    return ", ".join(f"{text} {word}{'s' * (n != 1)}" for n, text, word in parts if n) + more


def is_overtaken(finding: FindingRow) -> bool:
    """Return whether the finding no longer stands in its round, though its audit is the one that is shown."""
    db = get_db()
    if finding.round_id is None or not store.run(db, finding.run_id).current:
        return False
    return finding.id not in {one.id for one in review.findings_of_round(db, finding.round_id)}


def next_finding(after: int | None) -> int | None:
    """Return the next finding of the queue that the address carries, that nobody else holds."""
    asked = vars(chosen_filter(request.args, user_id=g.user.id, now=now(), zone=property_zone()))
    free = QueueFilter(**(asked | {"free_for": (g.user.id, stamp(now()))}))
    return review.next_unreviewed(get_db(), free, after=after)


def _wall(footage: store.FootageRow) -> dict[str, Any] | None:
    """Return when by the property's clock the recording began, in milliseconds of its day; None if not known."""
    if footage.recorded_at is None:
        return None
    began = datetime.fromisoformat(footage.recorded_at).astimezone(settings.house(get_db()).tz)
    midnight = began.replace(hour=0, minute=0, second=0, microsecond=0)
    return {"ms": round((began - midnight).total_seconds() * 1000), "zone": began.strftime("%Z")}


def _open(row: RoundRow, finding: FindingRow | None, *, looking: bool) -> str | None:
    """Log the look at the evidence, and hold an open finding for its reviewer; return who else holds it."""
    db = get_db()
    with transaction(db):
        ledger.record_access(db, actor=g.user.name, evidence={"round": row.id, "run": row.run_id}, at=now())
        if finding is None or not looking:
            return None
        desk.note_look(db, finding.id, user_id=g.user.id, at=now())
        if may_decide() and finding.decision is None and not is_overtaken(finding):
            desk.claim(db, [finding.id], user_id=g.user.id, now=now(), until=now() + LOOK_FOR)
        held = desk.claims_on(db, [finding.id], now=now()).get(finding.id)
        return None if held is None or held.user_id == g.user.id else held.user_name


def _decisions(finding: FindingRow | None, hidden: frozenset[int]) -> list[dict[str, Any]]:
    if finding is None or finding.id in hidden:
        return []
    return [
        {
            "verdict": one.kind,
            "text": decided(one.kind, verdict=finding.verdict),
            "user": one.user_name,
            "at": zoned(one.at),
            "reason": one.reason,
            "note": one.note,
        }
        for one in ledger.decisions_of(get_db(), finding.id)
    ]


def _ways(row: RoundRow, finding: FindingRow | None, asked: dict[str, str], second: Item | None) -> dict[str, Any]:
    """Return where one goes on from the page."""
    onward = next_finding(finding.id if finding else None) if second is None else None
    before, after = review.neighbours(get_db(), row)
    return {
        "next_url": url_for("rounds.show_finding", finding_id=onward, **asked) if onward else None,  # type: ignore[arg-type]
        "previous_round": url_for("rounds.show", round_id=before, **asked) if before else None,  # type: ignore[arg-type]
        "next_round": url_for("rounds.show", round_id=after, **asked) if after else None,  # type: ignore[arg-type]
        "waiting": review.unreviewed_count(get_db()),
        "second_waiting": second_reviews.waiting(get_db(), user_id=g.user.id) if may_decide() else 0,
    }


def _states_url(row: RoundRow, finding: FindingRow | None, second: Item | None) -> str:
    return url_for(
        "rounds.states",
        round_id=row.id,
        finding=finding.id if finding else None,
        at=request.args.get("at", type=int),
        blind="yes" if second is not None else None,
    )


def _second_url(second: Item) -> str:
    if second.finding_id is None:
        return url_for("second.answer_round", round_id=second.round_id)
    return url_for("second.answer_finding", finding_id=second.finding_id)


def _round_near(row: FindingRow) -> RoundRow:
    """Return the finding's round; for one that belongs to none, the last round that began before it."""
    if row.round_id is not None:
        return round_or_404(row.round_id)
    near = review.round_at(get_db(), row.run_id, at_ms=row.first_ms)
    return near or abort(404, "No round was audited in this recording.")
