"""The connection to the store: one for each thread that answers requests."""

from __future__ import annotations

import threading
from datetime import datetime
from pathlib import Path

from flask import current_app
from sqlite_utils import Database

from audit.store.database import open_store

_local = threading.local()


def get_db() -> Database:
    """Return this thread's connection to the application's database."""
    data_dir: Path = current_app.config["DATA_DIR"]
    connections: dict[Path, Database] = _local.__dict__.setdefault("connections", {})
    if data_dir not in connections:
        connections[data_dir] = open_store(data_dir)
    return connections[data_dir]


def now() -> datetime:
    """Return the moment by the application's clock."""
    moment: datetime = current_app.config["CLOCK"]()
    return moment
