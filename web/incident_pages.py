"""Incident reports: written in the page, printed, as PDF, and as an evidence pack; every copy is logged."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    flash,
    g,
    redirect,
    render_template,
    request,
    send_file,
    url_for,
)
from werkzeug.wrappers import Response as AnyResponse

from audit.store import incidents, ledger, review
from audit.store.database import StoreError
from audit.store.incidents import Incident
from audit.store.review import FindingRow
from web.auth import MAY_DECIDE, MAY_SEE_FOOTAGE, needs_role
from web.blind import WITHHELD, unread_reports, unseen_by_me, unseen_decisions
from web.database import get_db, now
from web.incident_report import STILLS, Hides, Report, notice_of_dismissal, pdf_of, proposed_fields, report_of
from web.pack_request import told_in_log, told_in_pack, write_request
from web.round_pages import finding_or_404
from web.words import finding_view

blueprint = Blueprint("incidents", __name__)

EXPORTS: Final = "exports"


@blueprint.get("/incidents")
@needs_role(MAY_SEE_FOOTAGE)
def index() -> str:
    """List the reports, the latest first."""
    db = get_db()
    found = incidents.incidents(db)
    hidden, unread = unseen_by_me(one.finding_id for one in found), unread_reports(found)
    rows = [
        {
            "incident": one,
            "finding": finding_view(review.finding(db, one.finding_id)),
            "second": one.finding_id in hidden,
            "fields": {} if one.id in unread else one.fields,
        }
        for one in found
    ]
    return render_template("incidents.html", page="incidents", rows=rows)


@blueprint.get("/findings/<int:finding_id>/report")
@needs_role(MAY_SEE_FOOTAGE)
def of_finding(finding_id: int) -> AnyResponse | str:
    """Show the report of a finding, or the form for a new one."""
    finding = finding_or_404(finding_id)
    known = incidents.incident_of(get_db(), finding.id)
    if known is not None:
        return redirect(url_for("incidents.show", incident_id=known.id))
    if g.user.role not in MAY_DECIDE:
        abort(404, "No incident report was written on this finding.")
    fields = proposed_fields(get_db(), finding, reporter=g.user.name, now=now())
    return _page(finding, None, fields=fields, hides=Hides.DECISIONS if unseen_by_me([finding.id]) else Hides.NOTHING)


@blueprint.post("/findings/<int:finding_id>/report")
@needs_role(MAY_DECIDE)
def begin(finding_id: int) -> AnyResponse:
    """Open the report of a finding with what the form says."""
    finding = finding_or_404(finding_id)
    try:
        incident_id = incidents.open_incident(get_db(), finding.id, fields=request.form, user_id=g.user.id, at=now())
    except StoreError as error:
        flash(f"Nothing was written: {error}.")
        return redirect(url_for("incidents.of_finding", finding_id=finding.id))
    flash("The report is open.")
    return redirect(url_for("incidents.show", incident_id=incident_id))


@blueprint.get("/incidents/<int:incident_id>")
@needs_role(MAY_SEE_FOOTAGE)
def show(incident_id: int) -> str:
    """Show the report with its form, and the copies that were made."""
    incident = _incident(incident_id)
    finding = review.finding(get_db(), incident.finding_id)
    return _page(finding, incident, fields=incident.fields, hides=_hides(incident))


@blueprint.post("/incidents/<int:incident_id>")
@needs_role(MAY_DECIDE)
def write(incident_id: int) -> AnyResponse:
    """Append a version of the report; what its writer must not read yet, he does not write over."""
    incident = _incident(incident_id)
    if _hides(incident) is Hides.TEXT_TOO:
        flash("Nothing was written: your second answer on the finding comes first.", "refused")
        return redirect(url_for("incidents.show", incident_id=incident.id))
    incidents.write(get_db(), incident.id, fields=request.form, user_id=g.user.id, at=now())
    flash("Saved as a new version.")
    return redirect(url_for("incidents.show", incident_id=incident.id))


@blueprint.post("/incidents/<int:incident_id>/print")
@needs_role(MAY_DECIDE)
def print_view(incident_id: int) -> str:
    """Show the report as a page for the printer; this is a copy."""
    incident = _incident(incident_id)
    text = _as_html(incident)
    _keep(incident, "html", f"incident-{incident.number}.html", text.encode())
    return text


@blueprint.post("/incidents/<int:incident_id>/pdf")
@needs_role(MAY_DECIDE)
def pdf(incident_id: int) -> Response:
    """Send the report as PDF; this is a copy."""
    incident = _incident(incident_id)
    content = pdf_of(report_of(get_db(), incident, hides=_hides(incident)), now=now())
    name = f"incident-{incident.number}.pdf"
    _keep(incident, "pdf", name, content)
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, mimetype="application/pdf", headers=headers)


@blueprint.post("/incidents/<int:incident_id>/pack")
@needs_role(MAY_DECIDE)
def pack(incident_id: int) -> AnyResponse:
    """Ask for the evidence pack: what the pages know is written now, a worker adds stills and clip."""
    incident = _incident(incident_id)
    make: Callable[[int], None] | None = current_app.config["MAKE_PACK"]
    finding = review.finding(get_db(), incident.finding_id)
    if make is None or finding.round_id is None:
        abort(409, "There is no worker to cut the clip, or the finding belongs to no round.")
    own = {finding.id, *(one.id for one in review.findings_of_round(get_db(), finding.round_id))}
    if unseen := unseen_decisions() & (own | told_in_log(get_db(), incident)):
        flash(f"No evidence pack was made: {_words(len(unseen))}", "refused")
        return redirect(url_for("incidents.show", incident_id=incident.id))
    name = f"incident-{incident.number}.zip"
    copy_id = incidents.begin_copy(get_db(), incident.id, kind="pack", file_name=name, user_id=g.user.id, at=now())
    report = report_of(get_db(), incident, hides=Hides.NOTHING)
    papers = {"report.html": _printed(report).encode(), "report.pdf": pdf_of(report, now=now())}
    folder = current_app.config["DATA_DIR"] / EXPORTS / str(copy_id)
    write_request(get_db(), incident, folder, papers=papers, made_by=g.user.name, now=now())
    make(copy_id)
    flash("The evidence pack is being made.")
    return redirect(url_for("incidents.show", incident_id=incident.id))


@blueprint.get("/incidents/<int:incident_id>/copies.json")
@needs_role(MAY_SEE_FOOTAGE)
def copies(incident_id: int) -> dict[str, Any]:
    """Return how far the copies of a report are."""
    rows = incidents.copies(get_db(), _incident(incident_id).id)
    return {"copies": [{"id": one.id, "status": one.status} for one in rows]}


@blueprint.get("/incidents/<int:incident_id>/copies/<int:copy_id>")
@needs_role(MAY_DECIDE)
def download(incident_id: int, copy_id: int) -> Response:
    """Send an evidence pack that was made; each time is logged."""
    incident = _incident(incident_id)
    if _hides(incident) is not Hides.NOTHING:
        abort(409, WITHHELD)
    copy = next((one for one in incidents.copies(get_db(), incident.id) if one.id == copy_id), None)
    path: Path = current_app.config["DATA_DIR"] / EXPORTS / f"{copy_id}.zip"
    if copy is None or copy.kind != "pack" or copy.status != "done" or not path.is_file():
        abort(404, "There is no such evidence pack.")
    if hashlib.sha256(path.read_bytes()).hexdigest() != copy.sha256:
        abort(409, "The evidence pack is no longer what was made; it is not sent.")
    if unseen := unseen_decisions() & told_in_pack(path):
        abort(409, f"The evidence pack is not sent: {_words(len(unseen))}")
    ledger.record_access(get_db(), actor=g.user.name, evidence={"copy": copy.id, "incident": incident_id}, at=now())
    return send_file(path.absolute(), as_attachment=True, download_name=copy.file_name)


def _words(count: int) -> str:
    of = "a finding" if count == 1 else f"{count} findings"
    return f"it tells of the decision on {of} of the round or of its log, and your second answer comes first."


def _as_html(incident: Incident) -> str:
    report = report_of(get_db(), incident, hides=_hides(incident))
    return _printed(report)


def _printed(report: Report) -> str:
    """Return the report as a page that needs nothing beside it: its stills are in it."""
    stills = [(one.caption, b64encode(one.jpeg).decode()) for one in report.stills.taken]
    return render_template("incident_print.html", report=report, stills=stills, heading=STILLS)


def _page(finding: FindingRow, incident: Incident | None, *, fields: Mapping[str, str], hides: Hides) -> str:
    """Return the page of a report, or of the form for a new one."""
    return render_template(
        "incident.html",
        page="incidents",
        incident=incident,
        finding=finding_view(finding),
        dismissal=notice_of_dismissal(get_db(), finding) if hides is Hides.NOTHING else "",
        withheld=WITHHELD if hides is not Hides.NOTHING else "",
        unread=hides is Hides.TEXT_TOO,
        fields=fields,
        copies=() if incident is None else incidents.copies(get_db(), incident.id),
        can_pack=current_app.config["MAKE_PACK"] is not None and hides is Hides.NOTHING,
    )


def _hides(incident: Incident) -> Hides:
    """Return what of a report this user must not see before his second answer."""
    if not unseen_by_me([incident.finding_id]):
        return Hides.NOTHING
    return Hides.TEXT_TOO if unread_reports([incident]) else Hides.DECISIONS


def _keep(incident: Incident, kind: str, name: str, content: bytes) -> None:
    """Note, and log, a copy that is handed out at once."""
    db = get_db()
    number = incidents.begin_copy(db, incident.id, kind=kind, file_name=name, user_id=g.user.id, at=now())
    incidents.finish_copy(db, number, sha256=hashlib.sha256(content).hexdigest(), size_bytes=len(content), at=now())


def _incident(incident_id: int) -> Incident:
    try:
        return incidents.incident(get_db(), incident_id)
    except (StoreError, OverflowError):
        abort(404, f"There is no incident report with the number {incident_id}.")
