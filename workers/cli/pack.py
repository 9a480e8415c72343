"""``catwalk pack``: make an evidence pack that the pages asked for."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click


@click.command()
@click.argument("copy", type=int)
@click.option("--data", type=click.Path(path_type=Path), help="Data directory (CATWALK_DATA, else ./data).")
def pack(copy: int, data: Path | None) -> None:
    """Make the evidence pack number COPY (the number that its line in the incident report shows)."""
    from audit.store.database import StoreError
    from workers.cli.places import opened
    from workers.evidence import PackError, make_pack
    from workers.settings import read_settings

    data_dir = read_settings(data_dir=data).data_dir
    with opened(data_dir) as db:
        try:
            path = make_pack(db, copy, data_dir=data_dir, now=datetime.now(UTC))
        except (StoreError, PackError) as error:
            click.echo(f"{error}", err=True)
            raise SystemExit(2) from None
    click.echo(f"{path}")
