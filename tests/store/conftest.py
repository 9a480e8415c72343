"""A store in memory with one audited piece of footage, written by hand."""

from datetime import UTC, datetime
from typing import Any

import pytest
from sqlite_utils import Database

from audit.store.audits import store_audit
from audit.store.database import open_database
from audit.store.footage import Pins, open_run, register_footage, store_profile

NOW = datetime(2026, 11, 21, 4, 0, tzinfo=UTC)
PINS = Pins(software="0.1.0", weights_sha256="w" * 64, rules_sha256="r" * 64)


def finding(**changes: Any) -> dict[str, Any]:
    """A finding in the shape of contracts/audit.md."""
    return {
        "procedures": ["P280"],
        "code": "pay-amount",
        "verdict": "violation",
        "probability": 1.0,
        "seat": 3,
        "hand": 1,
        "bet": "main",
        "expected": "3 to 2 on 25.00: 37.50",
        "observed": "50.00 in red",
        "amount": "12.50",
        "first_ms": 40100,
        "last_ms": 41000,
        "citation": "Blackjack manual, Blackjack Payouts 2 (004:L585)",
        "because_of": None,
    } | changes


def round_(*findings: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A round in the shape of contracts/audit.md."""
    return {
        "start_ms": 18200,
        "end_ms": 51240,
        "status": "complete",
        "missing": [],
        "game": "blackjack",
        "variant": {"decks": 6},
        "table": {
            "dealer": ["Kd", "7c"],
            "seats": {"3": {"initial": ["As", "Kh"], "hands": [{"cards": ["As", "Kh"]}]}},
        },
        "bets": [{"seat": 3, "hand": 1, "bet": "main", "amount": "25.00"}],
        "settled": [],
        "pays": [],
        "takes": [],
        "findings": list(findings),
    } | changes


@pytest.fixture
def db() -> Database:
    return open_database(None)


def new_run(db: Database, *, content: str = "a" * 64, pins: Pins = PINS, table: str = "BJ-07") -> int:
    """A run of two segments, 0-1000 and 1000-2000 ms."""
    footage_id = register_footage(db, sha256=content, path=f"/nights/{content[0]}.mp4", size_bytes=9, at=NOW)
    profile_id = store_profile(db, name=table, game="blackjack", toml="[table]", sha256=table.ljust(64, "p"), at=NOW)
    return open_run(
        db, footage_id=footage_id, profile_id=profile_id, pins=pins, segments=[(0, 1000), (1000, 2000)], at=NOW
    )


def audited(db: Database, *findings: dict[str, Any], **place: Any) -> int:
    """A finished run with one round that has the findings."""
    run_id = new_run(db, **place)
    assert store_audit(db, run_id, rounds=[round_(*findings)], findings=[], at=NOW)
    return run_id
