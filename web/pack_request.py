"""What of a round belongs in an evidence pack, written down for the worker that adds stills and clip."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from sqlite_utils import Database

from audit.store import corrections, incidents, ledger, review
from audit.store import footage as store
from audit.store.database import stamp
from audit.store.incidents import Incident
from audit.store.resettling import as_corrected_lines
from audit.store.review import FindingRow, RoundRow
from web.correcting import in_words

_AROUND_MS: Final = 1000
_ALL: Final = -1


def write_request(
    db: Database, incident: Incident, folder: Path, *, papers: Mapping[str, bytes], made_by: str, now: datetime
) -> None:
    """Write the papers, the round and its findings as data, its states and its log, and what is wanted of the video.

    Raises:
        StoreError: if the finding belongs to no round.
    """
    finding = review.finding(db, incident.finding_id)
    audited = review.round_row(db, finding.round_id or 0)
    row = corrections.as_corrected(db, audited)
    footage = store.footage(db, finding.footage_id)
    lines = as_corrected_lines(db, row, first_ms=row.start_ms, last_ms=row.end_ms)
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in papers.items():
        (folder / name).write_bytes(content)
    (folder / "states.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    last = row.end_ms if footage.duration_ms is None else min(row.end_ms, footage.duration_ms)
    records: dict[str, Any] = {
        "round.json": {"round": row.record, "as_audited": audited.record, "corrections": _corrections(db, row)},
        "findings.json": [_finding(one) for one in review.findings_of_round(db, row.id)],
        "log.json": _log(db, finding, incident),
        "request.json": {
            "incident": incident.number,
            "made_by": made_by,
            "made_at": stamp(now),
            "footage": footage.path,
            "recording_sha256": footage.sha256 if footage.recorder is None else None,
            "first_ms": row.start_ms,
            "last_ms": last,
            "stills": stills_of(finding, lines, last_ms=last),
        },
    }
    for name, record in records.items():
        (folder / name).write_text(json.dumps(record, indent=1), encoding="utf-8")


def stills_of(finding: FindingRow, lines: tuple[str, ...], *, last_ms: int) -> list[dict[str, Any]]:
    """Return the moments to be shown, with the boxes of what lay on the felt then."""
    states = [json.loads(line) for line in lines]
    moments = {
        "before": max(0, finding.first_ms - _AROUND_MS),
        "begins": finding.first_ms,
        "ends": finding.last_ms,
        "after": min(last_ms, finding.last_ms + _AROUND_MS),
    }
    return [{"name": name, "ms": ms, "boxes": _boxes(states, ms)} for name, ms in moments.items()]


def _boxes(states: list[dict[str, Any]], ms: int) -> list[dict[str, Any]]:
    held = [state for state in states if state["t_ms"][0] <= ms]
    return [
        {"kind": item["kind"], "polygon_px": item["polygon_px"], "label": in_words(item["kind"], item)}
        for item in (held[-1]["objects"] if held else [])
        if item.get("polygon_px") and item["kind"] in ("card", "card_back", "chips", "die")
    ]


def _finding(row: FindingRow) -> dict[str, Any]:
    left_out = ("footage_path", "current", "rank", "amount_cents")
    return {key: value for key, value in vars(row).items() if key not in left_out}


def _corrections(db: Database, row: RoundRow) -> list[dict[str, Any]]:
    return [
        {key: value for key, value in vars(one).items() if key != "record"} for one in corrections.entries(db, row.id)
    ]


def told_in_log(db: Database, incident: Incident) -> frozenset[int]:
    """Return the findings of which the log of a pack made now tells, those of other rounds among them."""
    log = _log(db, review.finding(db, incident.finding_id), incident)
    return frozenset(entry["details"]["finding"] for entry in log if entry["details"].get("finding") is not None)


def told_in_pack(path: Path) -> frozenset[int]:
    """Return the findings of which a pack tells: those of its round, and those in its log."""
    with zipfile.ZipFile(path) as pack:
        own, log = (json.loads(pack.read(name)) for name in ("findings.json", "log.json"))
    told = {entry["details"].get("finding") for entry in log} | {one["id"] for one in own}
    return frozenset(one for one in told if one is not None)


def _log(db: Database, finding: FindingRow, incident: Incident) -> list[dict[str, Any]]:
    """Return the log from the first entry about the finding or the report on, so that the chain is whole."""
    numbers = [one.log_id for one in ledger.decisions_of(db, finding.id)]
    numbers += [one.log_id for one in incidents.copies(db, incident.id)]
    if finding.round_id is not None:
        numbers += [one.log_id for one in corrections.entries(db, finding.round_id)]
    if not numbers:
        return []
    return [vars(one) for one in ledger.log_entries(db, after=min(numbers) - 1, limit=_ALL)]
