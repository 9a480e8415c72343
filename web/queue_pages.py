"""The queue of findings: filtered, searched, claimed, dismissed together, and kept up to date while a batch runs."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from flask import Blueprint, Response, flash, g, jsonify, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from audit.store import desk, ledger, review
from audit.store.database import StoreError
from audit.store.dealers import NOT_KNOWN
from audit.store.ledger import Decision
from audit.store.review import FindingRow, QueueFilter
from web.auth import MAY_DECIDE, MAY_SEE_FOOTAGE, may_decide, needs_role
from web.blind import unseen_by_me
from web.database import get_db, now
from web.local_time import property_zone
from web.queue_filter import CLAIMS, SIDES, STATES, VERDICTS, chosen_filter, faults, kept
from web.recording_names import recording_name
from web.words import REASONS, finding_view, title

blueprint = Blueprint("queue", __name__)

PAGE: Final = 50
CLAIM_FOR: Final = timedelta(hours=4)
"""How long findings that a reviewer claims in the queue are his."""
MOST_AT_ONCE: Final = 1000
"""Findings that one bulk dismissal decides at most."""


@blueprint.get("/")
@needs_role(MAY_SEE_FOOTAGE)
def show() -> str:
    """Show the findings, most money times probability first."""
    db = get_db()
    counts = review.queue_counts(db)
    chosen = _chosen()
    offset = max(0, min(request.args.get("from", 0, type=int), 10**9))
    wrong = faults(request.args)
    nothing = review.QueuePage(rows=(), total=0)
    page = nothing if wrong else review.queue_page(db, chosen, limit=PAGE, offset=offset)
    return render_template(
        "queue.html",
        page="queue",
        findings=_rows(page.rows),
        counts=counts,
        mine=desk.claimed_count(db, user_id=g.user.id, now=now()),
        asked=kept(request.args),
        faults=wrong,
        options={
            "state": STATES,
            "verdict": VERDICTS,
            "table": _options(counts.by_table),
            "game": _options(counts.by_game),
            "dealer": _dealer_options(),
            "code": [("", "all"), *((code, f"{title(code)} ({n})") for code, n in counts.by_code.items())],
            "side": SIDES,
            "claim": CLAIMS,
        },
        views=[
            {"id": view.id, "name": view.name, "href": f"{url_for('queue.show')}?{view.query}"}
            for view in desk.views_of(db, user_id=g.user.id)
        ],
        reasons=REASONS,
        may_decide=may_decide(),
        total=page.total,
        first=offset + 1,
        last=offset + len(page.rows),
        more=page.more,
        older=_link(offset + PAGE) if page.more or offset + PAGE < page.total else None,
        newer=_link(max(0, offset - PAGE)) if offset else None,
        news_url=url_for("queue.news", **kept(request.args), after=review.last_finding_id(db)),  # type: ignore[arg-type]
        most_at_once=MOST_AT_ONCE if page.more else min(page.total, MOST_AT_ONCE),
        progress=_progress(),
    )


@blueprint.get("/queue/news.json")
@needs_role(MAY_SEE_FOOTAGE)
def news() -> Response:
    """Return what changed since the page was made: counts, new findings that pass its filter, and running batches."""
    db = get_db()
    counts = review.queue_counts(db)
    after = request.args.get("after", type=int)
    asked = vars(_chosen()) | {"newer_than": review.last_finding_id(db) if after is None else min(max(after, 0), 2**62)}
    answer = jsonify(
        unreviewed=counts.unreviewed,
        verdicts=counts.by_verdict,
        rounds=counts.rounds,
        mine=desk.claimed_count(db, user_id=g.user.id, now=now()),
        new=0 if faults(request.args) else review.queue_size(db, QueueFilter(**asked)),
        progress=_progress(),
    )
    answer.headers["Cache-Control"] = "no-store"
    return answer


@blueprint.post("/queue/claim")
@needs_role(MAY_DECIDE)
def claim() -> AnyResponse:
    """Claim the chosen findings."""
    ids = _picked()
    held = desk.claim(get_db(), ids, user_id=g.user.id, now=now(), until=now() + CLAIM_FOR)
    others = f"; {len(ids) - len(held)} are held by somebody else" if len(held) < len(ids) else ""
    flash(f"Claimed {len(held)} of {len(ids)} findings for four hours{others}.")
    return _back()


@blueprint.post("/queue/release")
@needs_role(MAY_DECIDE)
def release() -> AnyResponse:
    """Release the chosen findings."""
    flash(f"Released {desk.release(get_db(), _picked(), user_id=g.user.id)} findings.")
    return _back()


@blueprint.post("/queue/dismiss")
@needs_role(MAY_DECIDE)
def dismiss() -> AnyResponse:
    """Dismiss the chosen findings, or all that pass the filter, with one reason."""
    db = get_db()
    everything = request.form.get("all") == "yes"
    wrong = faults(request.args)
    if everything and wrong:
        flash(f"Nothing was dismissed: {next(iter(wrong.values()))}.", "refused")
        return _back()
    ids = review.queue_ids(db, _chosen(), limit=MOST_AT_ONCE) if everything else _picked()
    others = desk.claims_on(db, ids, now=now())
    ids = tuple(one for one in ids if one not in others or others[one].user_id == g.user.id)
    reason, note = request.form.get("reason", "").strip()[:200], request.form.get("note", "").strip()[:2000]
    try:
        done = ledger.decide_all(db, ids, user_id=g.user.id, kind=Decision.DISMISS, note=note, reason=reason, at=now())
    except StoreError as error:
        flash(f"Nothing was dismissed: {error}.", "refused")
        return _back()
    desk.release(db, ids, user_id=g.user.id)
    flash(f"Dismissed {done} findings: {reason}. u takes it back.")
    return _back()


@blueprint.post("/queue/views")
@needs_role(MAY_SEE_FOOTAGE)
def save_view() -> AnyResponse:
    """Keep what is shown as a view of this user."""
    query = url_for("queue.show", **kept(request.args)).partition("?")[2]  # type: ignore[arg-type]
    try:
        desk.save_view(get_db(), user_id=g.user.id, name=request.form.get("name", "")[:40], query=query, at=now())
    except StoreError as error:
        flash(f"The view was not saved: {error}.")
    return _back()


@blueprint.post("/queue/views/<int:view_id>/remove")
@needs_role(MAY_SEE_FOOTAGE)
def remove_view(view_id: int) -> AnyResponse:
    """Forget a view."""
    desk.remove_view(get_db(), view_id, user_id=g.user.id)
    return _back()


def _chosen() -> QueueFilter:
    zone = property_zone()
    return chosen_filter(request.args, user_id=g.user.id, now=now(), may_decide=may_decide(), zone=zone)


def _rows(rows: tuple[FindingRow, ...]) -> list[dict[str, Any]]:
    """Return the findings in words, each with who holds it, who dealt and whether this user has opened it."""
    db, ids = get_db(), [row.id for row in rows]
    held = desk.claims_on(db, ids, now=now())
    looked = desk.looked_at(db, ids, user_id=g.user.id)
    dealers = desk.dealt_by(db, ids)
    hidden = unseen_by_me(ids)
    asked = kept(request.args)
    return [
        {
            **vars(finding_view(row)),
            "href": url_for("rounds.show_finding", finding_id=row.id, **asked),  # type: ignore[arg-type]
            "held_by": held[row.id].user_name if row.id in held else None,
            "held_by_me": row.id in held and held[row.id].user_id == g.user.id,
            "looked": row.id in looked,
            "dealer": dealers.get(row.id, ""),
            "second": row.id in hidden,
        }
        for row in rows
    ]


def _dealer_options() -> list[tuple[str, str]]:
    names = desk.dealer_names(get_db())
    known = [(str(key), name) for key, name in names.items()]
    return [("", "all"), *known, *([(str(NOT_KNOWN), "not known")] if known else [])]


def _options(counts: Any) -> list[tuple[str, str]]:
    return [("", "all"), *((name, f"{name.replace('_', ' ')} ({n})") for name, n in counts.items())]


def _progress() -> list[dict[str, Any]]:
    return [
        {"table": one.table_name, "footage": recording_name(one.footage), "done": one.done, "of": one.segments}
        for one in desk.running(get_db())
    ]


def _picked() -> tuple[int, ...]:
    numbers = request.form.getlist("finding")[:MOST_AT_ONCE]
    return tuple(int(one) for one in numbers if one.isascii() and one.isdigit() and len(one) < 19)  # noqa: PLR2004


def _back() -> AnyResponse:
    return redirect(url_for("queue.show", **kept(request.args)))  # type: ignore[arg-type]  # query values are text


def _link(offset: int) -> str:
    return url_for("queue.show", **kept(request.args), **{"from": offset})  # type: ignore[arg-type]  # text or numbers
