"""``catwalk stills``: the still frames that a report asks for, taken by a process of its own."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False, exists=True))
def stills(folder: Path) -> None:
    """Write the stills that FOLDER/request.json asks for into FOLDER."""
    from models.frames import FootageError
    from workers.evidence import take_stills

    try:
        take_stills(folder)
    except (FootageError, OSError, ValueError) as error:
        click.echo(f"{error}", err=True)
        raise SystemExit(2) from None
