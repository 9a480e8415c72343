"""``catwalk degrade``: footage made worse, to see how recognition fares."""

from __future__ import annotations

import sys
from pathlib import Path

import click


@click.command()
@click.argument("footage", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="Folder to write to.")
@click.option("--kinds", default="", metavar="KIND,…", help="occlusion, drops, bitrate, flicker, bump (all).")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of all that goes wrong.")
def degrade(footage: tuple[Path, ...], out: Path, kinds: str, seed: int) -> None:
    """Write FOOTAGE (files or folders) once more as a bad camera would show it, with its truth and profile.

    Arms and heads pass before the table, frames are lost, the bit rate is low, the light flickers, and in the middle
    somebody pushes the camera. The same seed gives the same. A clip that is already there is left alone.
    """
    from functools import partial

    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from models.frames import probe
    from sample_footage.degrade import KINDS
    from workers.batch import footage_files
    from workers.cli.places import RefusedError, folder_made
    from workers.degrading import check_papers, degrade_clip

    chosen = tuple(filter(None, map(str.strip, kinds.split(",")))) if kinds else KINDS
    if not chosen:
        msg = f"--kinds: expected kinds of degradation among {', '.join(KINDS)}, found none"
        raise RefusedError(msg)
    folder_made(out)
    try:
        for path in footage_files(footage):
            if (out / f"{path.stem}.mp4").exists():
                click.echo(f"{out / path.stem}.mp4 is there already")
                continue
            check_papers(path)
            frames = probe(path).frame_count
            with Progress(TextColumn("degrading {task.description}"), BarColumn(), TimeRemainingColumn()) as bars:
                task = bars.add_task(path.name, total=frames)
                clip = degrade_clip(path, out, kinds=chosen, seed=seed, on_frame=partial(bars.advance, task))
            click.echo(f"wrote {clip}")
    except (ValueError, OSError) as error:  # footage or kinds that cannot be used: each says what was expected
        click.echo(str(error), err=True)
        sys.exit(2)
