"""``catwalk tend``: do what the pages asked for."""

from __future__ import annotations

import logging
import os
from datetime import UTC, datetime
from pathlib import Path

import click


@click.command()
@click.option("--data", type=click.Path(path_type=Path), help="Data directory (CATWALK_DATA, else ./data).")
@click.option("--workers", type=click.IntRange(1), default=None, help="Worker processes (one for each core).")
@click.option("--only-while", type=int, hidden=True, help="End when the parent is no longer this process.")
def tend(data: Path | None, workers: int | None, only_while: int | None) -> None:
    """Look at uploaded files and registered folders, work off the audits that were asked for in the pages, and end.

    ``catwalk serve`` starts it whenever something waits.
    """
    from workers import crew, library
    from workers.batch import BatchError
    from workers.cli.places import opened
    from workers.settings import read_settings

    if only_while is not None:
        crew.end_with(only_while)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(message)s")
    settings = read_settings(data_dir=data)
    with opened(settings.data_dir) as db:
        try:
            library.tend(db, settings, crew_size=workers or os.cpu_count() or 1, clock=lambda: datetime.now(UTC))
        except BatchError as error:
            click.echo(str(error), err=True)
            raise SystemExit(1) from None
