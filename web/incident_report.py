"""What an incident report says: what people wrote, and what follows from the finding, its round and its recording."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import Enum, auto
from typing import Any, Final

from sqlite_utils import Database

from audit.store import corrections, dealers, incidents, ledger, review, settings
from audit.store import footage as store
from audit.store.database import stamp
from audit.store.incidents import Incident
from audit.store.review import FindingRow, RoundRow
from web.blind import WITHHELD
from web.correcting import correction_views
from web.incident_stills import Stills, take_stills
from web.local_time import local, zone_name, zoned, zoned_minute
from web.pdf import Paper
from web.recording_names import recording_name
from web.round_view import bets
from web.summary import summary_of, with_titles
from web.words import bet_name, clock, decided, signed, title

STILLS: Final = "Still frames, with what was read"
_COPY_WORDS: Final = {"html": "printed view", "pdf": "PDF", "pack": "evidence pack"}
_SETTLED: Final = ("Wager", "Stake", "Outcome and rule", "Due", "Paid", "Taken", "Difference")


class Hides(Enum):
    """What of a report is kept back from its reader until he has given his second answer."""

    NOTHING = auto()
    DECISIONS = auto()
    TEXT_TOO = auto()


@dataclass(frozen=True, kw_only=True)
class Table:
    """One table of a report; ``widths`` are proportions, ``right`` the columns of numbers."""

    title: str
    heading: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    widths: tuple[float, ...]
    right: tuple[int, ...] = ()
    empty: str = "none"


@dataclass(frozen=True, kw_only=True)
class Report:
    """A whole report, ready to be laid out."""

    number: str
    facts: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    tables: tuple[Table, ...]
    stills: Stills
    notice: str
    summary: str
    written: str


def proposed_fields(db: Database, finding: FindingRow, *, reporter: str, now: datetime) -> dict[str, str]:
    """Return what a new report says before anybody has written in it; what is not known stays empty."""
    house = settings.house(db)
    duty = None
    if finding.happened_at is not None:
        began = datetime.fromisoformat(finding.happened_at)
        duty = dealers.on_duty(
            db, finding.table_name, began, began + timedelta(milliseconds=finding.last_ms - finding.first_ms)
        )
    return {
        "property": house.property_name,
        "occurred_at": zoned(finding.happened_at),
        "reported_at": zoned_minute(stamp(now)),
        "reported_by": reporter,
        "dealer": duty.dealer if duty else "",
        "supervisor": duty.supervisor if duty else "",
        "error_type": title(finding.code),
        "rule": finding.citation,
        "money": money_words(finding),
        "disposition": "",
        "summary": summary_of(finding, _round_of(db, finding)),
    }


def money_words(finding: FindingRow) -> str:
    """Return who lost how much, without saying why."""
    if not finding.amount_cents:
        return "no money at stake"
    who = "loss to the house" if finding.amount_cents > 0 else "loss to the player"
    return f"{who}, {(finding.amount or '').lstrip('-')}"


def report_of(db: Database, incident: Incident, *, hides: Hides) -> Report:
    """Return the report as its latest version says it, but for what its reader must not see yet."""
    finding = review.finding(db, incident.finding_id)
    row = _round_of(db, finding)
    written = f"written by {incident.written_by} on {zoned_minute(incident.written_at)}"
    if hides is Hides.TEXT_TOO:
        fields = proposed_fields(db, finding, reporter="", now=datetime.fromisoformat(incident.opened_at))
        incident = replace(incident, fields=fields | {"reported_at": ""})
        written = "its text is kept back"
    return Report(
        number=incident.number,
        facts=(
            ("Incident", _incident_facts(incident, finding, row)),
            ("Finding", _finding_facts(finding, hides=hides)),
            ("Recording", _recording_facts(db, finding)),
        ),
        tables=(
            _settlement(db, finding, row),
            _decisions(db, finding, hides=hides),
            _corrections(db, row),
            _copies(db, incident),
        ),
        stills=take_stills(db, finding),
        notice=notice_of_dismissal(db, finding) if hides is Hides.NOTHING else WITHHELD,
        summary=incident.fields.get("summary", ""),
        written=f"version {incident.versions}, {written}",
    )


def notice_of_dismissal(db: Database, finding: FindingRow) -> str:
    """Return in a sentence that the finding was dismissed, by whom and when; empty if it was not."""
    if finding.decision != "dismiss":
        return ""
    last = [one for one in ledger.decisions_of(db, finding.id) if one.kind == "dismiss"][-1]
    why = f": {last.reason}" if last.reason else ""
    what = "No breach was seen" if finding.verdict == "undetermined" else "The finding was dismissed"
    return f"{what} by {last.user_name} on {zoned_minute(last.at)}{why}."


def _round_of(db: Database, finding: FindingRow) -> RoundRow | None:
    """Return the finding's round as it stands, None if it belongs to none."""
    return None if finding.round_id is None else corrections.as_corrected(db, review.round_row(db, finding.round_id))


def pdf_of(report: Report, *, now: datetime) -> bytes:
    """Return the report as PDF."""
    paper = Paper(
        f"Incident report {report.number}", footer=f"Catwalk · incident {report.number} · {report.written}", made=now
    )
    if report.notice:
        paper.text(report.notice)
    for name, facts in report.facts:
        paper.heading(name)
        paper.facts(facts)
        if name == "Incident" and report.summary:
            paper.heading("Summary")
            paper.text(report.summary)
    paper.heading(STILLS, room_mm=75 if report.stills.taken else 20)
    paper.pictures([(one.caption, one.jpeg) for one in report.stills.taken])
    if report.stills.missing:
        paper.text(report.stills.missing)
    for table in report.tables:
        paper.heading(table.title)
        if table.rows:
            paper.table(table.heading, table.rows, widths=table.widths, right=table.right)
        else:
            paper.text(table.empty)
    return paper.as_bytes()


def _incident_facts(incident: Incident, finding: FindingRow, row: RoundRow | None) -> tuple[tuple[str, str], ...]:
    said = incident.fields
    when = "" if row is None else f"{clock(row.start_ms)} to {clock(row.end_ms)} of the recording"
    return (
        ("Number", incident.number),
        ("Property", said["property"]),
        ("Table", finding.table_name),
        ("Game", finding.game.replace("_", " ")),
        ("Round", "" if row is None else f"{row.ordinal + 1}, {row.status}"),
        ("Start and end", when),
        ("Occurred", said["occurred_at"] or f"{clock(finding.first_ms)} of the recording"),
        ("Reported", f"{said['reported_at']} by {said['reported_by']}"),
        ("Dealer", said["dealer"]),
        ("Supervisor", said["supervisor"]),
        ("Type of error", said["error_type"]),
        ("Rule", said["rule"]),
        ("Savings or losses", said["money"]),
        ("Disposition", said["disposition"]),
    )


def _finding_facts(finding: FindingRow, *, hides: Hides) -> tuple[tuple[str, str], ...]:
    standing = "open" if finding.decision is None else decided(finding.decision, verdict=finding.verdict)
    where = bet_name({"seat": finding.seat, "bet": finding.bet, "hand": finding.hand, "number": finding.number})
    return (
        ("Finding", f"{finding.id}, {title(finding.code)}"),
        ("Verdict", _verdict(finding)),
        ("Where", where or "table"),
        ("When", f"{clock(finding.first_ms)} to {clock(finding.last_ms)} of the recording"),
        ("Expected", finding.expected),
        ("Observed", finding.observed),
        ("Difference", signed(finding.amount)),
        ("Procedures", ", ".join(finding.procedures)),
        ("Standing", standing if hides is Hides.NOTHING else "second review"),
    )


def _verdict(finding: FindingRow) -> str:
    if finding.added_by is None:
        return f"{finding.verdict}, probability {finding.probability:.3f}"
    return f"none of the audit: seen by {finding.added_name}, who added it on {zoned(finding.added_at)}"


def _recording_facts(db: Database, finding: FindingRow) -> tuple[tuple[str, str], ...]:
    run = store.run(db, finding.run_id)
    footage = store.footage(db, run.footage_id)
    profile = store.profile(db, run.profile_id)
    return (
        ("File", recording_name(footage.path)),
        ("SHA-256", footage.sha256 if footage.recorder is None else "not yet: the recording still grows"),
        ("Recorded", zoned(footage.recorded_at) or "not known"),
        ("Software", run.software),
        ("Weights", run.weights_sha256),
        ("Rules", run.rules_sha256),
        ("Table profile", f"{profile.name}, {profile.sha256}"),
    )


def _settlement(db: Database, finding: FindingRow, row: RoundRow | None) -> Table:
    found = [] if row is None else bets(row, review.findings_of_round(db, row.id), finding)
    return Table(
        title="Settlement of the round",
        heading=_SETTLED,
        rows=tuple(_settled(bet) for bet in found),
        widths=(15, 9, 35, 9, 9, 9, 14),
        right=(1, 3, 4, 5, 6),
        empty="The finding belongs to no round, or no wager was seen.",
    )


def _settled(bet: dict[str, Any]) -> tuple[str, ...]:
    source = f" ({bet['source']})" if bet["source"] and bet["source"] not in bet["why"] else ""
    outcome = " ".join(filter(None, (bet["outcome"], bet["odds"])))
    rule = f"{outcome}: {bet['why']}{source}"
    return (bet["name"], bet["stake"], with_titles(rule), bet["due"], bet["paid"], bet["taken"], bet["difference"])


def _decisions(db: Database, finding: FindingRow, *, hides: Hides) -> Table:
    rows = ledger.decisions_of(db, finding.id) if hides is Hides.NOTHING else ()
    return Table(
        title="Decisions",
        heading=(f"When ({zone_name()})", "Who", "Decision", "Reason and note", "Log entry"),
        rows=tuple(
            (
                local(one.at),
                one.user_name,
                decided(one.kind, verdict=finding.verdict),
                ". ".join(filter(None, (one.reason, one.note))),
                str(one.log_id),
            )
            for one in rows
        ),
        widths=(18, 14, 20, 38, 10),
        right=(4,),
        empty="Nobody has decided on the finding yet." if hides is Hides.NOTHING else "Kept back.",
    )


def _corrections(db: Database, row: RoundRow | None) -> Table:
    found = [] if row is None else correction_views(db, row.id)
    return Table(
        title="Corrections of readings",
        heading=(f"When ({zone_name()})", "Who", "Object", "First reading", "Corrected to", "Standing"),
        rows=tuple(
            (
                one["at"][:19],
                one["user"],
                f"{one['kind']} at {clock(one['at_ms'])}",
                one["first"],
                one["said"],
                "stands" if one["stands"] else f"withdrawn by {one['withdrawn_by']}",
            )
            for one in found
        ),
        widths=(18, 12, 20, 18, 18, 14),
        empty="No reading of the round was corrected.",
    )


def _copies(db: Database, incident: Incident) -> Table:
    return Table(
        title="Media and copies made",
        heading=(f"When ({zone_name()})", "Who", "Copy", "File", "SHA-256"),
        rows=tuple(
            (
                local(one.at),
                one.user_name,
                _COPY_WORDS[one.kind],
                one.file_name,
                one.sha256 or one.error or one.status,
            )
            for one in incidents.copies(db, incident.id)
        ),
        widths=(16, 10, 12, 24, 38),
        empty="No copy was made before this one.",
    )
