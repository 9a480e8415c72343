"""A round with what people said of its readings: its states as they stand then, and the round settled again."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any, Final

from sqlite_utils import Database

from audit.corrections import Correction, Reading, audit_again, corrected, find
from audit.reports import audited_round_record
from audit.states import TableState, format_state, parse_state
from audit.store import corrections, review
from audit.store import footage as store
from audit.store.corrections import CorrectionRow
from audit.store.review import RoundRow
from audit.table import TableProfile, parse_profile
from audit.timing import Span

_BEFORE_MS: Final = 120_000
"""How far back the felt before a round is looked for, where no round precedes it."""


def as_corrected_lines(db: Database, row: RoundRow, *, first_ms: int, last_ms: int) -> tuple[str, ...]:
    """Return the states of a stretch as JSON lines, as they stand after the round's corrections.

    A corrected object carries ``first_reading`` as recognition listed it.
    """
    lines = store.states_between(db, row.run_id, first_ms=first_ms, last_ms=last_ms)
    said = corrections.standing(corrections.entries(db, row.id))
    if not said:
        return lines
    first = [parse_state(line) for line in lines]
    return tuple(
        _marked(line, before, after)
        for line, before, after in zip(lines, first, corrected(first, _said(said), profile_of(db, row)), strict=True)
    )


def settle_again(
    db: Database, row: RoundRow, said: list[Correction]
) -> tuple[dict[str, Any], list[dict[str, Any]]] | None:
    """Return the round and its findings with the corrections, in the shape of ``contracts/audit.md``.

    None if the corrected states show no round at all.
    """
    profile = profile_of(db, row)
    states = corrected(around(db, row), said, profile)
    again = audit_again(states, profile, span=Span.of(row.start_ms, row.end_ms))
    if again is None:
        return None
    record = audited_round_record(again)
    return {key: value for key, value in record.items() if key != "findings"}, list(record["findings"])


def around(db: Database, row: RoundRow) -> list[TableState]:
    """Return the states of a round with the felt before it and after it, up to its neighbours."""
    before, after = review.neighbours(db, row)
    first = review.round_row(db, before).end_ms if before else max(0, row.start_ms - _BEFORE_MS)
    last = review.round_row(db, after).start_ms - 1 if after else row.end_ms + _BEFORE_MS
    lines = store.states_between(db, row.run_id, first_ms=first, last_ms=max(last, row.end_ms))
    return [parse_state(line) for line in lines]


def profile_of(db: Database, row: RoundRow) -> TableProfile:
    """Return the profile that the round was audited with."""
    return parse_profile(store.profile(db, store.run(db, row.run_id).profile_id).toml)


def standing_corrections(db: Database, round_id: int, *, without: int | None = None) -> list[Correction]:
    """Return the round's corrections that nobody withdrew."""
    rows = corrections.standing(corrections.entries(db, round_id))
    return _said([row for row in rows if row.id != without])


def first_reading(db: Database, row: RoundRow, correction: Correction) -> dict[str, Any] | None:
    """Return the object that is meant, as recognition listed it; None if there is none."""
    begun = [state for state in around(db, row) if state.span.first <= correction.at_ms]
    place = find(begun[-1], correction) if begun else None
    if place is None:
        return None
    found: dict[str, Any] = json.loads(format_state(begun[-1]))["objects"][place]
    return found


def reading_record(said: Correction) -> dict[str, Any]:
    """Return what a person said as it is stored; of an added object also when and in which direction it lay."""
    record = {key: value for key, value in asdict(said.reading).items() if value not in (None, False)}
    if said.lies is not None:
        record["lies_ms"] = [said.lies.first, said.lies.last]
    if said.angle_deg is not None:
        record["angle_deg"] = round(said.angle_deg, 1)
    return record


def _said(rows: list[CorrectionRow] | tuple[CorrectionRow, ...]) -> list[Correction]:
    return [_correction(row) for row in rows]


def _correction(row: CorrectionRow) -> Correction:
    record = dict(row.reading)
    lies, angle = record.pop("lies_ms", None), record.pop("angle_deg", None)
    stack = record.pop("stack", None)
    return Correction(
        kind=row.kind,
        at_ms=row.at_ms,
        xy_mm=(row.x_mm, row.y_mm),
        reading=Reading(**record, stack=None if stack is None else tuple(stack)),
        lies=None if lies is None else Span.of(*lies),
        angle_deg=angle,
    )


def _marked(line: str, before: TableState, after: TableState) -> str:
    """Return the corrected state as a line in which every changed object carries what it was read as first."""
    if before == after:
        return line
    first = json.loads(format_state(before))["objects"]
    record = json.loads(format_state(after))
    for item in record["objects"]:
        if item not in first and "first_reading" not in item:
            near = [one for one in first if one["xy_mm"] == item["xy_mm"]]
            item["first_reading"] = near[0] if near else None
    return json.dumps(record, separators=(",", ":"))
