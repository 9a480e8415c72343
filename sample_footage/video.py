"""Frames to H.264 in an mp4 that browsers play, with the sensor's noise and the lens's softness."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path
from typing import Final

import av
import cv2
import numpy as np
from numpy.typing import NDArray

from sample_footage.paint.canvas import Picture
from sample_footage.tracks import FRAME_MS

_KEYFRAME_EVERY: Final = 250
_QUALITY: Final = "31"
_NOISE: Final = 1.4
_SHEETS: Final = 12


class Sensor:
    """A camera's sensor: a little noise, new in every frame, the same for the same seed."""

    def __init__(self, *, seed: int, size: tuple[int, int]) -> None:
        rng = np.random.default_rng(seed)
        width, height = size
        shape = (height + 64, width + 64)
        self._size = size
        self._seed = seed
        self._sheets = [
            cv2.GaussianBlur(src=rng.normal(0, _NOISE, shape).astype(np.float32), ksize=(0, 0), sigmaX=0.6).round()
            for _ in range(_SHEETS)
        ]

    def expose(self, picture: Picture, number: int) -> NDArray[np.uint8]:
        """Return the frame as planar YUV 4:2:0 (h * 3 / 2, w)."""
        soft = cv2.GaussianBlur(src=picture, ksize=(3, 3), sigmaX=0.55)
        planes: NDArray[np.uint8] = cv2.cvtColor(src=soft, code=cv2.COLOR_BGR2YUV_I420)
        rng = np.random.default_rng((self._seed, number))
        down, across = rng.integers(0, 64, 2)
        width, height = self._size
        sheet = self._sheets[number % _SHEETS][down : down + height, across : across + width]
        cv2.add(src1=planes[:height], src2=sheet, dst=planes[:height], dtype=cv2.CV_8U)
        return planes


def write_video(
    path: Path,
    pictures: Iterable[Picture],
    *,
    size: tuple[int, int],
    seed: int,
    on_frame: Callable[[], None],
) -> None:
    """Encode the pictures at 25 a second; ``on_frame`` is called after each."""
    sensor = Sensor(seed=seed, size=size)
    with av.open(str(path), mode="w", format="mp4", options={"movflags": "+faststart"}) as container:
        stream = container.add_stream("libx264", rate=Fraction(1000, FRAME_MS))
        stream.width, stream.height = size
        stream.pix_fmt = "yuv420p"
        stream.time_base = Fraction(1, 12800)
        stream.codec_context.gop_size = _KEYFRAME_EVERY
        stream.codec_context.thread_count = 2
        stream.options = {"crf": _QUALITY, "preset": "medium", "bf": "5", "x264-params": "b-adapt=2:rc-lookahead=50"}
        for number, picture in enumerate(pictures):
            frame = av.VideoFrame.from_ndarray(sensor.expose(picture, number), format="yuv420p")
            frame.pts = number
            frame.time_base = Fraction(FRAME_MS, 1000)
            container.mux(stream.encode(frame))
            on_frame()
        container.mux(stream.encode(None))
