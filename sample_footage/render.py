"""From a session's script to a clip with its truth, its table states and its profile beside it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from sample_footage.choreography import Performance, perform
from sample_footage.geometry import Camera
from sample_footage.paint.canvas import Picture
from sample_footage.paint.frame import Studio
from sample_footage.paint.look import look_of
from sample_footage.profile import profile_toml, table_camera
from sample_footage.script import SessionScript
from sample_footage.settled import frame_times, settled
from sample_footage.stacks import ScriptError
from sample_footage.truth import states_text, truth_record
from sample_footage.video import write_video


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendering:
    """A session made ready to render: what is acted, the camera, and which frames are wanted."""

    session: SessionScript
    performance: Performance
    camera: Camera
    times: tuple[int, ...]

    @property
    def name(self) -> str:
        """The stem of all its files."""
        return self.session.session_id

    @property
    def truth_name(self) -> str:
        """The name of its truth."""
        return f"{self.name}.truth.json"


def prepare(session: SessionScript, *, size: tuple[int, int], frames: tuple[int, int] | None = None) -> Rendering:
    """Act the session out; ``frames`` cuts it to the frames from the first to before the last.

    Raises:
        ScriptError: if the session ends before the first of the frames.
    """
    performance = perform(session)
    view = look_of(session.look).view if "view" in session.look else performance.table.view
    camera = table_camera(view, size=size)
    times = tuple(frame_times(performance))
    if frames is not None and frames[0] >= len(times):
        msg = f"{session.session_id}: expected frames of the {len(times)} that it has, found {frames[0]}:{frames[1]}"
        raise ScriptError(msg)
    return Rendering(
        session=session,
        performance=performance,
        camera=camera,
        times=times if frames is None else times[frames[0] : frames[1]],
    )


def papers_of(rendering: Rendering) -> dict[str, str]:
    """Return what belongs beside the clip, by the names of its files: truth, table states and profile."""
    moments = settled(rendering.performance, rendering.camera)
    session = rendering.session
    record = truth_record(session, rendering.performance, moments, rendering.camera)
    return {
        rendering.truth_name: json.dumps(record, separators=(",", ":")) + "\n",
        f"{rendering.name}.states.jsonl": states_text(moments),
        f"{session.table}.toml": profile_toml(session.table, rendering.camera),
    }


def write_truth(rendering: Rendering, folder: Path) -> None:
    """Write truth, table states and profile beside the clip."""
    for name, text in papers_of(rendering).items():
        write_whole(folder / name, text)


def write_clip(
    rendering: Rendering,
    folder: Path,
    *,
    on_frame: Callable[[], None],
    shown: Iterator[Picture] | None = None,
) -> Path:
    """Render the clip (or encode the frames ``shown``); it appears under its name only when it is whole."""
    path = folder / f"{rendering.name}.mp4"
    part = folder / f".{rendering.name}.{os.getpid()}.part"
    try:
        frames = pictures(rendering) if shown is None else shown
        write_video(part, frames, size=rendering.camera.size, seed=rendering.session.seed, on_frame=on_frame)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return path


def pictures(rendering: Rendering) -> Iterator[Picture]:
    """Yield the wanted frames, before the sensor."""
    studio = Studio(rendering.performance, rendering.camera, look_of(rendering.session.look))
    for t_ms in rendering.times:
        yield studio.paint(t_ms)


def write_whole(path: Path, text: str) -> None:
    """Write a file that is never there half-written."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)
