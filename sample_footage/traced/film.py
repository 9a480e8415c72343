"""``python -m sample_footage.traced.film``: a session of a card table, path-traced, with its truth beside it."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click
import cv2
import numpy as np

from sample_footage.layout import (
    ARC_CENTRE_Y,
    DISCARD,
    EDGE_RADIUS,
    FINDER,
    RACK,
    SHOE,
    TUBE_STEP,
    TUBES,
)
from sample_footage.paint.canvas import Picture
from sample_footage.render import Rendering, prepare, write_clip, write_truth, write_whole
from sample_footage.script import load_session
from sample_footage.settled import frame_times
from sample_footage.traced.piles import piles_only
from sample_footage.traced.scene_plan import CAMERAS, Shot, hands, shots, traced_camera
from sample_footage.traced.textures import FELT_MM, write_textures

SCENE: Final = Path(__file__).parent / "blender_scene.py"


def plan_of(rendering: Rendering, told: list[Shot], *, samples: int, threads: int) -> dict[str, Any]:
    """Return what Blender is told."""
    camera = rendering.camera
    return {
        "size": list(camera.size),
        "focal_px": float(camera.matrix[0, 0]),
        "rotation": camera.rotation.tolist(),
        "eye_mm": camera.eye_mm.tolist(),
        "samples": samples,
        "threads": threads,
        "felt_mm": FELT_MM,
        "rack_mm": RACK,
        "shoe_mm": SHOE,
        "discard_mm": DISCARD,
        "finder_mm": FINDER if "finder" in rendering.performance.table.furniture else None,
        "tubes": TUBES,
        "tube_step_mm": TUBE_STEP,
        "arc_centre_y": ARC_CENTRE_Y,
        "edge_radius_mm": EDGE_RADIUS,
        "hands": hands(),
        "shots": [{**shot.record, "changed": shot.changed} for shot in told],
    }


def pictures(rendering: Rendering, told: list[Shot], folder: Path) -> Iterator[Picture]:
    """Yield the session's frames from the traced pictures, each laid over the one before where it differs."""
    at = {shot.first_ms: (number, shot) for number, shot in enumerate(told)}
    picture: Picture | None = None
    for t_ms in rendering.times:
        if t_ms in at:
            picture = _laid_over(picture, *at[t_ms], folder)
        if picture is not None:
            yield picture


def _laid_over(under: Picture | None, number: int, shot: Shot, folder: Path) -> Picture:
    traced = np.asarray(cv2.imread(str(folder / f"{number:05d}.png"), cv2.IMREAD_COLOR), dtype=np.uint8)
    if shot.changed is None or under is None:
        return traced
    x0, y0, x1, y1 = shot.changed
    whole = under.copy()
    part = cv2.resize(src=traced, dsize=(x1 - x0, y1 - y0)) if traced.shape[:2] != (y1 - y0, x1 - x0) else traced
    whole[y0:y1, x0:x1] = part
    return whole


def _keep_to_plan(path: Path, plan: dict[str, Any]) -> None:
    """Write the plan; pictures that were traced to another one are not mixed with its own.

    Raises:
        click.ClickException: if another plan was begun there.
    """
    now = json.loads(json.dumps(plan))
    if path.exists() and {**json.loads(path.read_text(encoding="utf-8")), "threads": plan["threads"]} != now:
        msg = f"{path}: expected the plan of these options, found another one that was begun; choose another --out"
        raise click.ClickException(msg)
    write_whole(path, json.dumps(plan))


@click.command()
@click.argument("session", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="Folder to write to.")
@click.option("--blender", type=click.Path(exists=True), required=True, help="A Python that has bpy.")
@click.option("--camera", "view", type=click.Choice(sorted(CAMERAS)), default="left", show_default=True)
@click.option("--felt", type=click.Choice(["blue", "burgundy", "green"]), default="blue", show_default=True)
@click.option(
    "--faces", type=click.Path(path_type=Path, file_okay=False), help="Cards as PNG files (As.png, back.png)."
)
@click.option("--samples", default=24, show_default=True, help="Paths for each pixel.")
@click.option("--every", default=2, show_default=True, help="Trace every so many frames and show each so often.")
@click.option("--frames", default=0, help="Only that many frames.")
@click.option("--piles", default=0, help="Instead of the session, so many sets of piles on its table.")
@click.option("--seed", default=1, show_default=True, help="Of the piles.")
@click.option("--processes", default=1, show_default=True, help="Blenders at work at a time.")
def main(  # noqa: PLR0917 - click names every argument
    session: Path,
    out: Path,
    blender: str,
    view: str,
    felt: str,
    faces: Path | None,
    samples: int,
    every: int,
    frames: int,
    piles: int,
    seed: int,
    processes: int,
) -> None:
    """Trace SESSION, a script of a card table, to OUT; pictures that are there already are not traced again."""
    out.mkdir(parents=True, exist_ok=True)
    rendering = prepare(load_session(session), size=(1920, 1080), frames=(0, frames) if frames else None)
    rendering = replace(rendering, camera=traced_camera(view, size=(1920, 1080)))
    if piles:
        shown = piles_only(rendering.performance, sets=piles, seed=seed)
        rendering = replace(rendering, performance=shown, times=tuple(frame_times(shown))[: frames or None])
    write_truth(rendering, out)
    told = shots(rendering.performance, rendering.camera, rendering.times[::every])
    work = out / f"{rendering.name}.traced"
    write_textures(work / "textures", sheet=rendering.performance.table.sheet, felt=felt, faces=faces)
    plan = plan_of(rendering, told, samples=samples, threads=max(1, (os.cpu_count() or 1) // processes))
    _keep_to_plan(work / "plan.json", plan)
    click.echo(f"{len(told)} pictures to trace for {len(rendering.times)} frames")
    told_to = [blender, str(SCENE), str(work / "plan.json"), str(work / "textures"), str(work / "pictures")]
    running = [
        subprocess.Popen([*told_to, str(first), str(processes)], stdout=subprocess.DEVNULL)  # noqa: S603 - the user's own
        for first in range(processes)
    ]
    if sum(process.wait() != 0 for process in running):
        msg = f"{blender}: Blender stopped before the last picture; run again to go on"
        raise click.ClickException(msg)
    filmed = pictures(rendering, told, work / "pictures")
    clip = write_clip(rendering, out, on_frame=lambda: None, shown=filmed)
    click.echo(f"wrote {clip}")


if __name__ == "__main__":
    main()
