"""The connection to the store: one for each thread that answers requests, closed when thread or application end."""

from __future__ import annotations

import threading
from datetime import datetime
from pathlib import Path
from typing import Final

from flask import current_app
from sqlite_utils import Database

from audit.store.database import open_store

_CONNECTIONS: Final = "catwalk-connections"


def get_db() -> Database:
    """Return this thread's connection to the application's database."""
    data_dir: Path = current_app.config["DATA_DIR"]
    mine = current_app.extensions.setdefault(_CONNECTIONS, threading.local())
    if not hasattr(mine, "db"):
        mine.db = open_store(data_dir)
    db: Database = mine.db
    return db


def now() -> datetime:
    """Return the moment by the application's clock."""
    moment: datetime = current_app.config["CLOCK"]()
    return moment
