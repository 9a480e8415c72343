"""``catwalk profile``: make and check table profiles."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from models.layout_fit import Placed


@click.group()
def profile() -> None:
    """Work with table profiles."""


@profile.command()
@click.argument("frame", type=click.Path(path_type=Path))
@click.option("--like", required=True, type=click.Path(path_type=Path), help="Profile with the table's layout.")
@click.option("--out", type=click.Path(path_type=Path), help="Profile to write (standard output).")
@click.option("--table", "table_id", help="Id of the table (that of the layout).")
@click.option("--point", "points", multiple=True, metavar="MARK=U,V", help="A point of the felt, and where it is seen.")
@click.option("--proof", "proof_path", type=click.Path(path_type=Path), help="Picture to write: what was found.")
@click.option("--at", "at_s", type=click.FloatRange(0), default=0.0, help="Second of the footage to look at.")
def new(
    frame: Path,
    like: Path,
    out: Path | None,
    table_id: str | None,
    points: tuple[str, ...],
    proof_path: Path | None,
    at_s: float,
) -> None:
    """Write the profile of a table for the camera that took FRAME (a picture, or footage).

    The layout (zones, marks, limits) is that of another profile of the same felt. The rings and boxes printed on the
    felt are found and told apart by the layout's marks; where that cannot be done, points are named: a mark, or X,Y in
    millimetres, and where it is seen in pixels, or #N for spot N of the proof picture. Four points do without any
    print. Points off the row of bets, such as the front corners of the rack, make heights surer.
    Exit status 2, with one sentence, if the camera cannot be told: nothing is written then but the proof.
    """
    import cv2

    from audit.table import load_profile
    from models.print_finder import printed_spots
    from workers.cli.places import check_target, written
    from workers.setting_up import frame_of, profile_text, proof, set_up

    placed = None
    if out is not None:
        check_target(out)
    if proof_path is not None:
        _check_picture(proof_path)
    try:
        layout = load_profile(like)
        picture = frame_of(frame, at_ms=round(at_s * 1000))
        spots = printed_spots(picture)
        try:
            placed = set_up(layout, picture, points, spots=spots)
        finally:
            if proof_path is not None and not cv2.imwrite(str(proof_path), proof(picture, layout, spots, placed)):
                click.echo(f"{proof_path}: expected a picture that can be written, found none", err=True)
        text = profile_text(layout, placed, table_id=table_id)
    except (ValueError, OSError, cv2.error) as error:  # frame, layout or points: each says what was expected and found
        click.echo(str(error), err=True)
        sys.exit(2)
    if out is None:
        click.echo(text)
    else:
        written(out, text + "\n")
    _tell_fit(placed, marks=len(layout.marks))


def _tell_fit(placed: Placed, *, marks: int) -> None:
    """Say on standard error how much of the layout was found and how well it fits."""
    fit, by_hand = placed.camera.reprojection_px or 0.0, len(placed.pairs) - placed.marks_seen
    click.echo(
        f"found {placed.marks_seen} of {marks} marks, {by_hand} points by hand; they fit to {fit:.1f} px",
        err=True,
    )
    if not placed.camera.heights_known:
        click.echo("the focal length stays open, so heights are not known: name a point off the bets", err=True)


def _check_picture(path: Path) -> None:
    """Refuse a picture that could not be written.

    Raises:
        RefusedError: if its name ends as no picture's, or its place takes no file.
    """
    import cv2

    from workers.cli.places import RefusedError, check_target

    if not cv2.haveImageWriter(str(path)):
        msg = f"{path}: expected a picture's name such as proof.png, found {path.suffix or 'no ending'}"
        raise RefusedError(msg)
    check_target(path)


@profile.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the verdict as JSON.")
def check(file: Path, as_json: bool) -> None:
    """Validate a table profile and say what its camera is good enough for.

    Exit status 2, with one sentence each, for a file that breaks the format, rules that do not exist or are another
    game's, a camera that cannot be, and zones that leave the picture or overlap.
    """
    from audit.table import ProfileError, not_used
    from models.camera import camera_of
    from models.suitability import assess
    from workers.jobs import load_usable_profile

    try:
        table = load_usable_profile(file)
    except ProfileError as error:
        click.echo(str(error), err=True)
        sys.exit(2)
    camera = camera_of(table)
    verdict = assess(table, camera)
    _print(verdict, table.table_id, camera, as_json=as_json)
    for problem in verdict.problems:
        click.echo(f"{file}: {problem}", err=True)
    unused = not_used(table)
    if unused and not verdict.problems:
        click.echo(f"{file}: not used: {', '.join(unused)}", err=True)
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
