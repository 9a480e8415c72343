"""``catwalk profile``: check a table profile."""

from __future__ import annotations

import sys
from pathlib import Path

import click


@click.group()
def profile() -> None:
    """Work with table profiles."""


@profile.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the verdict as JSON.")
def check(file: Path, as_json: bool) -> None:
    """Validate a table profile and say what its camera is good enough for.

    Exit status 2, with one sentence each, for a file that breaks the format, a camera that cannot be, and zones that
    leave the picture or overlap.
    """
    from audit.table import ProfileError, load_profile
    from models.camera import CameraError, camera_of
    from models.suitability import assess

    try:
        table = load_profile(file)
        camera = camera_of(table)
    except ProfileError as error:
        click.echo(str(error), err=True)
        sys.exit(2)
    except CameraError as error:
        click.echo(f"{file}: {error}", err=True)
        sys.exit(2)
    verdict = assess(table, camera)
    _print(verdict, table.table_id, camera, as_json=as_json)
    for problem in verdict.problems:
        click.echo(f"{file}: {problem}", err=True)
    sys.exit(2 if verdict.problems else 0)


def _print(verdict: object, table_id: str, camera: object, *, as_json: bool) -> None:
    import json

    from rich.console import Console
    from rich.table import Table

    from models.camera import Camera
    from models.suitability import Suitability, as_record

    assert isinstance(verdict, Suitability)  # noqa: S101 - late imports keep start-up quick
    assert isinstance(camera, Camera)  # noqa: S101
    if as_json:
        click.echo(json.dumps(as_record(verdict), indent=1))
        return
    table = Table(title=f"{table_id}: camera of {camera.size[0]}x{camera.size[1]}")
    for heading in ("zone", "card index px", "chip edge px", "elevation", "outside"):
        table.add_column(heading, justify="left" if heading == "zone" else "right")
    for view in verdict.zones:
        cells = (f"{view.index_px:.1f}", f"{view.chip_edge_px:.1f}", f"{view.elevation_deg:.0f}°")
        table.add_row(view.name, *cells, f"{view.outside_share:.0%}")
    console = Console()
    console.print(table)
    if camera.reprojection_px is not None:
        console.print(f"solved from point pairs; they fit to {camera.reprojection_px:.1f} px")
    for name, answer in verdict.checks.items():
        console.print(f"{name}: {answer}", highlight=False)
