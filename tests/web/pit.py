"""Helpers of the pit's tests: date the recording, put a dealer at the table."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from audit.store import dealers
from audit.store.database import open_store
from audit.store.dealers import Duty, Source

EVENING = datetime(2026, 2, 28, 20, 0, tzinfo=UTC)
LATER = datetime(2026, 2, 28, 21, 0, tzinfo=UTC)


def date_footage(data_dir: Path) -> None:
    """Let the recording have begun at eight in the evening."""
    db = open_store(data_dir)
    db.execute("UPDATE footage SET recorded_at = ?", [EVENING.isoformat(timespec="milliseconds")])
    db.close()


def put_on_duty(data_dir: Path, dealer: str = "Ana Ruiz") -> None:
    """Let the dealer stand at BJ-07 for that hour."""
    date_footage(data_dir)
    db = open_store(data_dir)
    duty = Duty(dealer=dealer, table_name="BJ-07", starts=EVENING, ends=LATER, supervisor="Kim")
    dealers.add_duties(db, [duty], source=Source.IMPORT, actor="pat", at=EVENING)
    db.close()
