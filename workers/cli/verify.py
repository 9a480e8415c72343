"""``catwalk verify``: whether an evidence pack is what its manifest says."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("pack", type=click.Path(path_type=Path))
def verify(pack: Path) -> None:
    """Check every file of an evidence pack against the SHA-256 in its manifest; needs no database."""
    import zipfile

    from workers.evidence import PackError, check_pack

    try:
        files, number = check_pack(pack)
    except (PackError, OSError, KeyError, TypeError, ValueError, zipfile.BadZipFile) as error:
        click.echo(f"{pack}: expected an evidence pack as its manifest says, found {error}", err=True)
        raise SystemExit(2) from None
    click.echo(f"{pack}: incident {number}, all {files} files are what the manifest says")
