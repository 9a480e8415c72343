"""A worker process that sees without networks: one state for each segment, after as long as FAKE_SECONDS says.

FAKE_DEATHS names a file; while it exists, the first segment taken removes it and kills the process in the middle.
"""

import argparse
import os
import signal
import time
import warnings
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from celery.exceptions import SecurityWarning

from audit.states import TableState
from audit.table import TableProfile
from audit.timing import Span
from models.frames import FootageError, Segment
from workers import crew, jobs, tasks
from workers.celery_app import create_app
from workers.settings import read_settings


def recognise(path: Path, segment: Segment, profile: TableProfile) -> Iterator[TableState]:
    """Yield one empty state over the segment."""
    del profile
    deaths = Path(os.environ.get("FAKE_DEATHS", "/nowhere"))
    time.sleep(float(os.environ.get("FAKE_SECONDS", "0")))
    if deaths.exists():
        deaths.unlink()
        os.kill(os.getpid(), signal.SIGKILL)
    if segment.index == int(os.environ.get("FAKE_BROKEN", "-1")):
        msg = f"{path.name}: expected a frame at {segment.start_ms} ms, found none"
        raise FootageError(msg)
    yield TableState(span=Span.of(segment.start_ms, segment.end_ms - 1))


def main() -> None:
    """Work as ``catwalk worker`` does."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path)
    parser.add_argument("--only-while", type=int)
    chosen = parser.parse_args()
    crew.end_with(chosen.only_while)
    warnings.simplefilter("ignore", SecurityWarning)
    settings = read_settings(data_dir=chosen.data)
    station = jobs.Station(
        worker=crew.worker_name(os.getpid()),
        clock=lambda: datetime.now(UTC),
        recognise=recognise,
        lease=timedelta(minutes=15),
    )
    app = create_app(settings)
    tasks.register(app, settings, station)
    app.Worker(pool="solo", without_gossip=True, without_mingle=True, without_heartbeat=True, loglevel="ERROR").start()


if __name__ == "__main__":
    main()
