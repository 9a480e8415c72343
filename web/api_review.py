"""The interface of the desk: findings, rounds, recordings, profiles."""

from __future__ import annotations

import json
import tomllib
from typing import Any, Final

from flask import abort, g, request

from audit.store import footage as store
from audit.store import incidents, ledger, library, review
from audit.store.database import StoreError
from audit.store.review import FindingRow
from web.api import LIMIT, OFFSET, operation, page_of
from web.auth import MAY_SEE_FOOTAGE, MAY_SEE_HEALTH, may_decide
from web.blind import unread_reports, unseen_by_me
from web.database import get_db, now
from web.footage_pages import written
from web.openapi import COUNT, NUMBER, TEXT, Parameter, Schema, listing, maybe, record
from web.queue_filter import NAMES, STATES, VERDICTS, chosen_filter

_NUMBER: Final = {"type": "integer", "minimum": 1, "maximum": 2**62}
_FINDING_SHAPE: Final[Schema] = record(
    {
        "id": COUNT,
        "round": maybe(COUNT),
        "recording": COUNT,
        "table": TEXT,
        "game": TEXT,
        "code": TEXT,
        "verdict": TEXT,
        "probability": NUMBER,
        "seat": maybe(COUNT),
        "hand": maybe(COUNT),
        "number": maybe(COUNT),
        "bet": maybe(TEXT),
        "expected": TEXT,
        "observed": TEXT,
        "amount": maybe(TEXT),
        "first_ms": COUNT,
        "last_ms": COUNT,
        "happened_at": maybe(TEXT),
        "citation": TEXT,
        "procedures": {"type": "array", "items": TEXT},
        "because_of": maybe(COUNT),
        "decision": maybe(TEXT),
        "added_by": maybe(TEXT),
        "added_at": maybe(TEXT),
    }
)
_SHOWN: Final = (
    *("id", "code", "verdict", "probability", "seat", "hand", "number", "bet", "expected", "observed", "amount"),
    *("first_ms", "last_ms", "happened_at", "citation", "because_of", "game", "decision", "added_at"),
)
_TEXTS: Final = {"state": [name for name, _ in STATES], "verdict": [name for name, _ in VERDICTS if name]}
_FILTERS: Final = tuple(
    Parameter(
        name=name,
        text="as in the address of the queue",
        schema={"type": "string", "enum": _TEXTS[name]} if name in _TEXTS else TEXT,
    )
    for name in NAMES
)


@operation(
    "/findings",
    text="Findings, most money times probability first",
    roles=MAY_SEE_FOOTAGE,
    parameters=(*_FILTERS, LIMIT, OFFSET),
    answer=listing(_FINDING_SHAPE, total=COUNT),
)
def findings() -> dict[str, Any]:
    """Return a page of the queue."""
    limit, offset = page_of()
    chosen = chosen_filter(request.args, user_id=g.user.id, now=now(), may_decide=may_decide())
    page = review.queue_page(get_db(), chosen, limit=limit, offset=offset)
    return {"items": _written(page.rows), "total": page.total}


@operation(
    "/findings/{finding_id}",
    text="One finding",
    roles=MAY_SEE_FOOTAGE,
    parameters=(Parameter(name="finding_id", text="its number", schema=_NUMBER, in_path=True),),
    answer=_FINDING_SHAPE,
)
def finding(finding_id: int) -> dict[str, Any]:
    """Return a finding."""
    try:
        row = review.finding(get_db(), finding_id)
    except StoreError as error:
        abort(404, str(error))
    return _written((row,))[0]


@operation(
    "/rounds/{round_id}",
    text="One round as contracts/audit.md writes it, with its findings",
    roles=MAY_SEE_FOOTAGE,
    parameters=(Parameter(name="round_id", text="its number", schema=_NUMBER, in_path=True),),
    answer=record(
        {
            "id": COUNT,
            "run": COUNT,
            "ordinal": COUNT,
            "record": {"type": "object"},
            "findings": {"type": "array", "items": _FINDING_SHAPE},
        }
    ),
)
def round_(round_id: int) -> dict[str, Any]:
    """Return a round; the log keeps who looked at it."""
    db = get_db()
    try:
        row = review.round_row(db, round_id)
    except StoreError as error:
        abort(404, str(error))
    ledger.record_access(db, actor=g.user.name, evidence={"round": row.id, "run": row.run_id, "by": "api"}, at=now())
    found = _written(review.findings_of_round(db, row.id))
    return {"id": row.id, "run": row.run_id, "ordinal": row.ordinal, "record": dict(row.record), "findings": found}


@operation(
    "/footage",
    text="The footage library",
    roles=MAY_SEE_HEALTH,
    parameters=(LIMIT, OFFSET),
    answer=listing(
        record(
            {
                "id": COUNT,
                "name": TEXT,
                "sha256": TEXT,
                "table": TEXT,
                "recorded": TEXT,
                "length": TEXT,
                "state": TEXT,
                "error": maybe(TEXT),
                "rounds": COUNT,
                "findings": COUNT,
            }
        ),
        total=COUNT,
    ),
)
def footage() -> dict[str, Any]:
    """Return a page of the library; times are the property's."""
    limit, offset = page_of()
    shown = ("id", "name", "sha256", "table", "recorded", "length", "state", "error", "rounds", "findings")
    rows = [written(row) for row in library.library(get_db(), limit=limit, offset=offset)]
    return {"items": [{name: row[name] for name in shown} for row in rows], "total": library.count_footage(get_db())}


@operation(
    "/profiles",
    text="The latest version of every table profile",
    roles=MAY_SEE_FOOTAGE,
    answer=listing(
        record(
            {"id": COUNT, "name": TEXT, "game": TEXT, "sha256": TEXT, "stored_at": TEXT, "profile": {"type": "object"}}
        )
    ),
)
def profiles() -> dict[str, Any]:
    """Return the profiles as plain data."""
    return {"items": [_profile(row) for row in library.latest_profiles(get_db())]}


@operation(
    "/incidents",
    text="Incident reports, latest first",
    roles=MAY_SEE_FOOTAGE,
    answer=listing(
        record({"id": COUNT, "number": TEXT, "finding": COUNT, "opened_at": TEXT, "fields": {"type": "object"}})
    ),
)
def incident_list() -> dict[str, Any]:
    """Return the incident reports in their latest version; of one that a second reviewer must not read, no text."""
    rows = incidents.incidents(get_db())
    hidden = unread_reports(rows)
    return {
        "items": [
            {
                "id": one.id,
                "number": one.number,
                "finding": one.finding_id,
                "opened_at": one.opened_at,
                "fields": {} if one.id in hidden else dict(one.fields),
            }
            for one in rows
        ]
    }


def _profile(row: store.ProfileRow) -> dict[str, Any]:
    head = {"id": row.id, "name": row.name, "game": row.game, "sha256": row.sha256, "stored_at": row.stored_at}
    return head | {"profile": json.loads(json.dumps(tomllib.loads(row.toml), default=str))}


def _written(rows: tuple[FindingRow, ...]) -> list[dict[str, Any]]:
    """A decision that a second reviewer must not see yet is left out."""
    hidden = unseen_by_me(row.id for row in rows)
    return [
        {name: getattr(row, name) for name in _SHOWN}
        | {
            "round": row.round_id,
            "recording": row.footage_id,
            "table": row.table_name,
            "procedures": list(row.procedures),
            "added_by": row.added_name,
            "decision": None if row.id in hidden else row.decision,
        }
        for row in rows
    ]
