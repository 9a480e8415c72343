"""``catwalk worker``: join the work of a data directory."""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from audit.states import TableState
    from audit.table import TableProfile
    from models.eyes import Eyes
    from models.frames import Segment
    from workers.jobs import Recognise


@click.command()
@click.option("--data", type=click.Path(path_type=Path), help="Data directory (CATWALK_DATA, else ./data).")
@click.option("--only-while", type=int, hidden=True, help="End when the parent is no longer this process.")
def worker(data: Path | None, only_while: int | None) -> None:
    """Take segments of footage from the queue and recognise them until told to stop.

    Any number of workers may join; CATWALK_BROKER_URL names a Redis or RabbitMQ server instead of the broker inside the
    data directory.
    """
    from celery.exceptions import SecurityWarning

    from workers import crew, jobs, tasks
    from workers.celery_app import create_app
    from workers.cli.places import opened
    from workers.settings import read_settings

    if only_while is not None:
        crew.end_with(only_while)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(message)s")
    settings = read_settings(data_dir=data)
    with opened(settings.data_dir):  # one that cannot be is told now, not by every task
        pass
    station = jobs.Station(
        worker=crew.worker_name(os.getpid()),
        clock=lambda: datetime.now(UTC),
        recognise=_recogniser(),
        lease=settings.lease,
    )
    app = create_app(settings)
    tasks.register(app, settings, station)
    # One task at a time in this very process: more workers are more processes, and messages are JSON, never code.
    warnings.simplefilter("ignore", SecurityWarning)
    app.Worker(
        pool="solo",
        concurrency=1,
        hostname=f"catwalk-{os.getpid()}@localhost",
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
        loglevel="WARNING",
        quiet=True,
    ).start()


def _recogniser() -> Recognise:
    """Return recognition with the networks of this installation, loaded when the first segment comes."""
    from audit.table import parse_profile
    from models.camera import camera_of
    from models.eyes import load_eyes
    from models.recognise import recognise

    threads = int(os.environ.get("CATWALK_THREADS", "1"))

    @lru_cache(maxsize=1)
    def eyes_for(text: str) -> Eyes:
        # One thread for the networks, however many decode: more would round differently, and a repeat must be the same.
        profile = parse_profile(text)
        return load_eyes(camera_of(profile), profile=profile, threads=1)

    def with_these_eyes(path: Path, segment: Segment, profile: TableProfile) -> Iterable[TableState]:
        return recognise(path, segment, profile, eyes_for(profile.text), threads=threads)

    return with_these_eyes
