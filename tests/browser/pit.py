"""A data directory for the pit's browser tests: the sample's profile, a dealer, an administrator's house."""

from __future__ import annotations

import hashlib
from pathlib import Path

from audit.store import footage
from audit.store.database import open_store
from tests.web.conftest import AT, fill
from tests.web.pit import put_on_duty

SAMPLE = Path(__file__).parents[2] / "sample_footage" / "profiles" / "BJ-07.toml"


def prepare(data_dir: Path, clip: Path) -> None:
    """Store one audited recording, a dealer on duty, and the sample's profile as the latest version."""
    db = open_store(data_dir)
    fill(db, clip)
    text = SAMPLE.read_text()
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    footage.store_profile(db, name="BJ-07", game="blackjack", toml=text, sha256=sha256, at=AT)
    db.close()
    put_on_duty(data_dir)
