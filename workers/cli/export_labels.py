"""``catwalk export-labels``: the corrections of reviewers as labels for training."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("export-labels")
@click.argument("out", type=click.Path(file_okay=False, path_type=Path))
@click.option("--data", type=click.Path(path_type=Path), help="Data directory (CATWALK_DATA, else ./data).")
@click.option(
    "--format", "formats", multiple=True, type=click.Choice(["yolo", "coco"]), help="Which labels; both by default."
)
def export_labels(out: Path, data: Path | None, formats: tuple[str, ...]) -> None:
    """Write the frames in which reviewers corrected a reading to the folder OUT, with labels of all that lies there.

    Withdrawn corrections are left out; what could not be written is named, and the exit status is then 1.
    """
    from workers.cli.places import opened
    from workers.labels import FORMATS
    from workers.labels import export_labels as write_labels
    from workers.settings import read_settings

    with opened(read_settings(data_dir=data).data_dir) as db:
        done = write_labels(db, out, formats=formats or FORMATS)
    click.echo(
        f"{out}: {done.pictures} pictures, {done.labels} labels, {done.corrected} of them corrected by reviewers"
    )
    for line in done.left_out:
        click.echo(f"left out: {line}", err=True)
    raise SystemExit(1 if done.left_out else 0)
