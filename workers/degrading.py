"""Footage made worse, with its truth: what a degraded clip is written from."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import av
import numpy as np

from models.evaluation import TruthError, load_truth
from models.frames import Footage, frames, probe
from sample_footage.degrade import Degradation, Planes, moved_truth
from sample_footage.render import write_whole
from workers.evaluating import TRUTH_SUFFIX

_PIXELS_PER_BIT: Final = 8.0
_BASE: Final = Fraction(1, 1000)


def degrade_clip(footage: Path, folder: Path, *, kinds: Iterable[str], seed: int, on_frame: Callable[[], None]) -> Path:
    """Write the degraded clip to the folder, with its truth and the profiles beside the footage; return the clip.

    Raises:
        FootageError: if it is no footage.
        DegradeError: for an unknown kind.
    """
    held = probe(footage)
    bad = Degradation(kinds=frozenset(kinds), seed=seed, size=held.size, length_ms=held.readable_ms)
    _copy_papers(footage, folder, bad)
    clip = folder / f"{footage.stem}.mp4"
    part = folder / f".{footage.stem}.{os.getpid()}.part"
    try:
        _encode(part, bad.applied(_planes(footage, on_frame)), held, low_bit_rate="bitrate" in bad.kinds)
        part.replace(clip)
    finally:
        part.unlink(missing_ok=True)
    return clip


def check_papers(footage: Path) -> None:
    """Refuse footage whose truth, if one lies beside it, is none.

    Raises:
        TruthError: naming the file, what was expected and what was found.
    """
    truth = footage.with_name(footage.stem + TRUTH_SUFFIX)
    if truth.is_file():
        load_truth(truth)


def _copy_papers(footage: Path, folder: Path, bad: Degradation) -> None:
    truth = footage.with_name(footage.stem + TRUTH_SUFFIX)
    if truth.is_file():
        try:
            record = moved_truth(dict(load_truth(truth).record), bad)
        except (KeyError, TypeError) as error:
            msg = f"{truth}: expected an outline (polygon_px) of every object, found none: {error}"
            raise TruthError(msg) from None
        write_whole(folder / truth.name, json.dumps(record, separators=(",", ":")) + "\n")
        profile = footage.with_name(f"{Path(str(record.get('profile'))).name}.toml")
        if profile.is_file():
            shutil.copy(profile, folder)


def _planes(footage: Path, on_frame: Callable[[], None]) -> Iterator[tuple[int, Planes]]:
    for frame in frames(footage, threads=2):
        planes: Planes = frame.source.to_ndarray(format="yuv420p")
        yield int(frame.t_ms), planes
        on_frame()


def _encode(path: Path, shown: Iterable[tuple[int, Planes]], held: Footage, *, low_bit_rate: bool) -> None:
    """Write the frames at their times; a low bit rate smears what is fine and what moves."""
    width, height = held.size
    with av.open(str(path), mode="w", format="mp4", options={"movflags": "+faststart"}) as container:
        stream: Any = container.add_stream("libx264", rate=Fraction(round(held.frames_per_second)))
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.time_base = stream.codec_context.time_base = _BASE
        stream.codec_context.gop_size = 250
        stream.codec_context.thread_count = 2
        rate = int(width * height / _PIXELS_PER_BIT)
        limits = {"maxrate": str(rate), "bufsize": str(rate)} if low_bit_rate else {}
        stream.options = {"crf": "33" if low_bit_rate else "27", "preset": "veryfast", **limits}
        for t_ms, planes in shown:
            frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(planes), format="yuv420p")
            frame.pts, frame.time_base = t_ms, _BASE
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
