"""Settings, read from the environment once, at the edge."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Final

DEFAULT_DATA_DIR: Final = Path("data")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Where things are kept and how work travels.

    ``data_dir``: the database, logs and the embedded broker (CATWALK_DATA). ``broker_url``: a Redis or RabbitMQ server
    (CATWALK_BROKER_URL); None = the embedded broker inside the data directory. ``lease``: how long a worker may hold a
    segment before another may take it.
    """

    data_dir: Path
    broker_url: str | None = None
    lease: timedelta = timedelta(minutes=15)

    @property
    def broker_dir(self) -> Path:
        """Folder of the embedded broker."""
        return self.data_dir / "broker"

    @property
    def log_dir(self) -> Path:
        """Folder of the workers' logs."""
        return self.data_dir / "logs"


def read_settings(environment: Mapping[str, str] = os.environ, *, data_dir: Path | None = None) -> Settings:
    """Return the settings; a data directory given on the command line goes before the environment's."""
    chosen = data_dir or Path(environment.get("CATWALK_DATA") or DEFAULT_DATA_DIR)
    return Settings(data_dir=chosen.absolute(), broker_url=environment.get("CATWALK_BROKER_URL") or None)
