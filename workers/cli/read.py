"""``catwalk read``: read pictures, one JSON line each."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click


@click.command()
@click.argument("images", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--profile", "profile_path", type=click.Path(path_type=Path), help="Table profile of the camera.")
def read(images: tuple[Path, ...], profile_path: Path | None) -> None:
    """Print what lies in each picture as one line of JSON.

    Any photograph will do without a profile; with one, the picture must have the size of its camera. A picture that
    cannot be read gets one sentence and exit status 2; the others are answered all the same.
    """
    from audit.table import ProfileError, load_profile
    from models.camera import CameraError, camera_of
    from models.eyes import load_eyes
    from models.still import PictureError, read_picture

    try:
        profile = None if profile_path is None else load_profile(profile_path)
        camera = None if profile is None else camera_of(profile)
    except ProfileError as error:
        raise click.UsageError(str(error)) from None
    except CameraError as error:
        msg = f"{profile_path}: {error}"
        raise click.UsageError(msg) from None
    eyes = load_eyes(camera, profile=profile)
    failed = False
    for image in images:
        try:
            record = read_picture(image, eyes, camera)
        except PictureError as error:
            click.echo(str(error), err=True)
            failed = True
        else:
            click.echo(json.dumps(record, separators=(",", ":")))
    sys.exit(2 if failed else 0)
