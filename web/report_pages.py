"""The shift report: as a page, as PDF, as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from flask import Blueprint, Response, g, render_template, request, url_for

from audit.accuracy import Errors, Exposure, observed_rate
from audit.store import accuracy, dealers, ledger, tallies
from audit.store.accuracy import NOTHING, Record, Scope
from audit.store.database import stamp
from audit.store.dealers import NOT_KNOWN
from audit.store.settings import House, house
from audit.store.shift import KEPT_BACK, ShiftFinding, decisions_in, findings_in, recordings_in, scope_of, span_of
from web.auth import MAY_SEE_PIT, needs_role
from web.blind import blind_reviewer, unseen_decisions
from web.database import get_db, now
from web.local_time import zoned
from web.pdf import Paper
from web.pit_view import AT_ONCE, day_in, interval, number, percent, told_apart
from web.recording_names import recording_name, with_name
from web.words import DECISIONS, signed, title

blueprint = Blueprint("reports", __name__)

_HEADING: Final = ("finding", "at", "table", "round", "dealer", "kind", "verdict", "probability", "seat", "bet")
_REST: Final = ("expected", "observed", "amount", "decision", "added_by")
_STEERING: Final = ("=", "+", "@", "\t", "\r", "-")
ALL_DAY: Final = 0
_NOT_YET: Final = "not shown before your own"


@dataclass(frozen=True, kw_only=True)
class Shift:
    """One shift of a gaming day, or the whole day, with everything that its report says."""

    day: str
    number: int
    first: datetime
    end: datetime
    chosen: House
    tables: dict[str, Record]
    dealers: list[tuple[int, str, Record]]
    total: Record
    findings: tuple[ShiftFinding, ...]
    found: int
    reasons: tuple[tuple[str, int], ...]
    decisions: dict[str, int]
    recordings: list[dict[str, str]]
    waiting: int

    @property
    def name(self) -> str:
        """Shift and day in words."""
        which = "whole day" if self.number == ALL_DAY else f"shift {self.number}"
        span = f"{self._local(self.first)} to {self._local(self.end)}, {self.chosen.zone}"
        return f"{self.day}, {which} ({span})"

    @property
    def hours(self) -> dict[str, str]:
        """What the address of the queue says of the hours of a shift, nothing for the whole day."""
        if self.number == ALL_DAY:
            return {}
        moments = {"since": self.first, "until": self.end}
        return {name: at.astimezone(self.chosen.tz).strftime("%Y-%m-%dT%H:%M") for name, at in moments.items()}

    def _local(self, at: datetime) -> str:
        return at.astimezone(self.chosen.tz).strftime("%H:%M")


@blueprint.get("/reports/shift")
@needs_role(MAY_SEE_PIT)
def shift() -> str:
    """Show the report of a shift."""
    one = _shift()
    links = {kind: url_for(f"reports.shift_{kind}", day=one.day, shift=one.number) for kind in ("pdf", "csv")}
    return render_template(
        "shift.html",
        page="shift",
        shift=one,
        rate=observed_rate(one.total.errors, one.total.exposure),
        rates={name: observed_rate(record.errors, record.exposure) for name, record in one.tables.items()},
        dealer_rates=[(*row, observed_rate(row[-1].errors, row[-1].exposure)) for row in one.dealers],
        days={"first": one.day, "last": one.day},
        hours=one.hours,
        decision_words=_decision_words(one),
        clock=_clock(one.chosen),
        word=decision_word,
        links=links,
    )


@blueprint.get("/reports/shift.csv")
@needs_role(MAY_SEE_PIT)
def shift_csv() -> Response:
    """Send the findings of a shift as CSV."""
    one = _shift(limit=100_000)
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow((*_HEADING, *_REST))
    clock = _clock(one.chosen)
    for row in one.findings:
        at = clock(row.at) if row.at else ""
        head = (row.id, at, row.table_name, row.round_number, row.dealer or "not known", row.code, row.verdict)
        rest = (
            row.probability,
            row.seat,
            row.bet,
            row.expected,
            row.observed,
            row.amount,
            row.decision,
            row.added_name,
        )
        writer.writerow([harmless(cell) for cell in (*head, *rest)])
    _note(one, "csv")
    headers = {"Content-Disposition": f"attachment; filename=shift-{one.day}-{one.number}.csv"}
    return Response(out.getvalue(), mimetype="text/csv", headers=headers)


@blueprint.get("/reports/shift.pdf")
@needs_role(MAY_SEE_PIT)
def shift_pdf() -> Response:
    """Send the report of a shift as PDF."""
    one = _shift()
    _note(one, "pdf")
    headers = {"Content-Disposition": f"attachment; filename=shift-{one.day}-{one.number}.pdf"}
    return Response(_on_paper(one), mimetype="application/pdf", headers=headers)


def _shift(*, limit: int = 200) -> Shift:
    """Return the shift of the address; the latest day that was counted if it names none."""
    db = get_db()
    waiting = tallies.count_runs(db, limit=AT_ONCE)
    chosen = house(db)
    counted = accuracy.days_counted(db)
    day = day_in(request.args.get("day")) or (counted[1] if counted else chosen.day_of(now()))
    asked = request.args.get("shift", ALL_DAY, type=int)
    which = asked if 1 <= asked <= len(chosen.shifts) else ALL_DAY
    scope = replace(scope_of(chosen, day, which or None), blind_for=blind_reviewer())
    first, end = span_of(chosen, day, which or None)
    findings, found = findings_in(db, scope, limit=limit)
    kept_back = unseen_decisions()
    findings = tuple(replace(one, decision=KEPT_BACK) if one.id in kept_back else one for one in findings)
    tables = accuracy.records_by(db, scope, "table_name")
    total = NOTHING
    for record in tables.values():
        total = total.plus(record)
    return Shift(
        day=day,
        number=which,
        first=first,
        end=end,
        chosen=chosen,
        tables=tables,
        dealers=_dealers(scope),
        total=total,
        findings=findings,
        found=found,
        reasons=accuracy.undetermined_by_reason(db, scope),
        decisions=decisions_in(db, scope),
        recordings=_recordings(chosen, first, end),
        waiting=waiting,
    )


def _dealers(scope: Scope) -> list[tuple[int, str, Record]]:
    """Return the dealers of the shift by name; the rounds of nobody known come last."""
    names = {row.id: row.name for row in dealers.all_dealers(get_db())} | {NOT_KNOWN: "Dealer not known"}
    records = accuracy.records_by(get_db(), scope, "dealer_id")
    known = [(key, names[key], record) for key, record in records.items() if key in names]
    return sorted(known, key=lambda row: (row[0] == NOT_KNOWN, row[1]))


def _recordings(chosen: House, first: datetime, end: datetime) -> list[dict[str, str]]:
    clock = _clock(chosen)
    return [
        {
            "name": recording_name(row.path),
            "table": row.table_name or "",
            "from": clock(row.recorded_at),
            "minutes": "" if row.duration_ms is None else number(row.duration_ms / 60_000, 0),
            "status": {"done": "audited", "running": "being audited", "failed": "failed", None: "not audited"}[
                row.status
            ],
            "error": with_name(row.error, row.path) or "",
        }
        for row in recordings_in(get_db(), first, end)
    ]


def _on_paper(one: Shift) -> bytes:
    name = one.chosen.property_name or "Catwalk"
    made = now()
    footer = f"{name} · shift report {one.day} · made {zoned(stamp(made))} by {g.user.name}"
    paper = Paper(f"Shift report: {one.name}", footer=footer, made=made, landscape=True)
    paper.facts(_facts(one))
    paper.heading("Tables")
    paper.table(_COLUMNS, [_cells(name, record) for name, record in one.tables.items()], widths=_WIDTHS, right=_RIGHT)
    paper.heading("Dealers")
    paper.text("A rate says nothing without its interval; rounds without an entry in the rota are nobody's.")
    paper.table(_COLUMNS, [_cells(name, record) for _, name, record in one.dealers], widths=_WIDTHS, right=_RIGHT)
    paper.heading(f"Findings: {len(one.findings)} of {one.found}, most money first")
    clock = _clock(one.chosen)
    paper.table(
        ("At", "Table", "Round", "Dealer", "Kind", "Verdict", "Seat", "Expected", "Observed", "Amount", "Decision"),
        [_line(row, clock) for row in one.findings],
        widths=(15, 7, 6, 13, 13, 11, 5, 22, 22, 9, 11),
        right=(2, 6, 9),
    )
    paper.heading("What could not be decided")
    paper.table(("Reason", "Times"), [(reason, str(n)) for reason, n in one.reasons], widths=(9, 1), right=(1,))
    paper.heading("Recordings")
    rows = [(r["name"], r["table"], r["from"], r["minutes"], r["status"], r["error"]) for r in one.recordings]
    headings = ("File", "Table", "From", "Minutes", "Status", "Error")
    paper.table(headings, rows, widths=(10, 3, 5, 3, 4, 9), right=(3,))
    return paper.as_bytes()


_COLUMNS: Final = (
    "",
    "Rounds",
    "Wholly audited",
    "Findings",
    "Per 1,000 rounds (95 % interval)",
    "Over",
    "Under",
    "Rounds/h",
)
_WIDTHS: Final = (5, 2, 3, 2, 6, 3, 3, 2)
_RIGHT: Final = (1, 2, 3, 4, 5, 6, 7)


def _cells(name: str, record: Record) -> tuple[str, ...]:
    rate = observed_rate(record.errors, record.exposure)
    exposure: Exposure = record.exposure
    errors: Errors = record.errors
    return (
        name,
        number(exposure.rounds, 0),
        percent(exposure.coverage),
        str(errors.standing),
        "–" if rate is None else f"{number(rate.value)} ({interval(rate)})",
        told_apart(errors.over_cents, errors.suspected_over_cents),
        told_apart(-errors.short_cents, -errors.suspected_short_cents),
        number(exposure.rounds_per_hour, 0),
    )


def _facts(one: Shift) -> list[tuple[str, str]]:
    rate = observed_rate(one.total.errors, one.total.exposure)
    return [
        ("Rounds seen", number(one.total.exposure.rounds, 0)),
        ("Wholly audited", percent(one.total.exposure.coverage, 1)),
        ("Findings", f"{one.total.errors.standing}; {_decision_words(one)}"),
        ("Seen by people", f"{one.total.errors.seen_by_people}, in no other figure"),
        ("Per 1,000 rounds", "–" if rate is None else f"{number(rate.value)} (95 % interval {interval(rate)})"),
        ("Overpaid", told_apart(one.total.errors.over_cents, one.total.errors.suspected_over_cents)),
        ("Underpaid", told_apart(-one.total.errors.short_cents, -one.total.errors.suspected_short_cents)),
        *([("Not counted yet", f"{one.waiting} recordings")] if one.waiting else []),
    ]


def _decision_words(one: Shift) -> str:
    words = DECISIONS | {"unreviewed": "not reviewed", KEPT_BACK: _NOT_YET}
    return ", ".join(f"{count} {words.get(kind, kind)}" for kind, count in sorted(one.decisions.items())) or "none"


def _line(row: ShiftFinding, clock: Callable[[str], str]) -> tuple[str, ...]:
    return (
        clock(row.at) if row.at else "",
        row.table_name,
        str(row.round_number or ""),
        row.dealer or "not known",
        title(row.code),
        f"seen by {row.added_name}" if row.added_name else f"{row.verdict} {row.probability:.2f}",
        str(row.seat or ""),
        row.expected,
        row.observed,
        signed(row.amount),
        decision_word(row.decision),
    )


def _clock(chosen: House) -> Callable[[str], str]:
    def local(text: str) -> str:
        return datetime.fromisoformat(text).astimezone(chosen.tz).strftime("%Y-%m-%d %H:%M:%S")

    return local


def decision_word(decision: str | None) -> str:
    """Return how a finding stands, in words."""
    return _NOT_YET if decision == KEPT_BACK else DECISIONS.get(decision or "", "not reviewed")


def harmless(cell: object) -> object:
    """Return the cell so that a spreadsheet takes no text for a formula; numbers stay as they are."""
    if not isinstance(cell, str) or not cell.startswith(_STEERING):
        return cell
    return cell if cell.lstrip("+-").replace(".", "", 1).isdecimal() else f"'{cell}"


def _note(one: Shift, kind: str) -> None:
    details = {"report": "shift", "day": one.day, "shift": one.number, "as": kind}
    ledger.append(get_db(), actor=g.user.name, action="report", details=details, at=now())
