"""A running camera: its stream is recorded as it comes, and decoded.

A thread of its own takes the stream, so that nothing is lost while recognition lags. Nothing is encoded anew: the
packets go into fragmented MP4 files, which can be read and played while they grow, and as far as they go if everything
is cut off.
"""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from queue import Queue
from typing import Any, Final

import av
from av.error import FFmpegError

from audit.timing import Millis
from models.as_shown import AsShown
from models.frames import FootageError, Frame

SCHEMES: Final = ("rtsp", "rtsps", "rtmp", "rtmps", "http", "https", "srt", "rtp", "udp", "tcp")
PIPE: Final = "-"
_PROTOCOLS: Final = ",".join((*SCHEMES, "tls", "crypto", "hls", "pipe"))
_FRAGMENTS: Final = {"movflags": "frag_keyframe+empty_moov+default_base_moof", "flush_packets": "1"}
_WAIT_S: Final = 10.0
_ADDRESS: Final = re.compile(r"^([a-z]+)://(?:[^/@]*@)?(.*)$", re.IGNORECASE | re.DOTALL)

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """A file that the stream is recorded in, and the moment of the stream at which it begins."""

    path: Path
    begins: Millis


def address_without_login(source: str) -> str:
    """Return a camera's address without the name and password in it."""
    match = _ADDRESS.match(source)
    return source if match is None else f"{match[1].lower()}://{match[2]}"


def check_source(source: str) -> None:
    """Check that a source is an address that can be followed, or the standard input.

    Raises:
        FootageError: if it is not.
    """
    match = _ADDRESS.match(source)
    if source != PIPE and (match is None or match[1].lower() not in SCHEMES):
        kinds = ", ".join(f"{scheme}://" for scheme in SCHEMES)
        msg = f"{address_without_login(source)}: expected a camera's address ({kinds}) or - for the standard input"
        raise FootageError(msg)


class LiveCamera:
    """A stream that is recorded and decoded at once; times are counted from its first keyframe.

    Args:
        source: the camera's address, or ``-`` for the standard input.
        name_of: gives each file of the recording its place.
        wait_s: how long the camera may say nothing before it is given up.
        most_ahead: packets that may be recorded before they are decoded, 0 for any number: a camera does not wait, but
            whatever fills a pipe does.

    Raises:
        FootageError: if there is no stream, no video in it, or one that an MP4 cannot hold.
    """

    def __init__(
        self, source: str, name_of: Callable[[int], Path], *, wait_s: float = _WAIT_S, most_ahead: int = 0
    ) -> None:
        check_source(source)
        self.address = address_without_login(source)
        self._name_of = name_of
        self._input = _opened(source, self.address, wait_s)
        self._stream = _video_of(self._input, self.address)
        context = self._stream.codec_context
        self._stored = (int(context.width), int(context.height))
        self._as_shown = AsShown(self._stream)
        self.size = self._as_shown.size(self._stored)
        self.codec = str(context.name)
        self._time_base = self._stream.time_base
        self._decoder = av.CodecContext.create(context.name, "r")
        self._decoder.extradata = context.extradata
        self._packets: Queue[Any] = Queue(maxsize=most_ahead)
        self.files: list[Recorded] = []
        self.ended = ""
        self._origin: int | None = None
        self._base = 0
        self._output: Any = None
        self._track: Any = None
        self._newest_ms = self._shown_ms = 0
        self._wants_cut, self._stops = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._record, daemon=True)

    def start(self) -> None:
        """Begin to record."""
        self._thread.start()

    def cut(self) -> None:
        """Begin another file at the next keyframe."""
        self._wants_cut.set()

    def stop(self) -> None:
        """Stop recording; what was recorded is still decoded."""
        self._stops.set()

    @property
    def behind_ms(self) -> int:
        """How much more has been recorded than was handed on."""
        return max(0, self._newest_ms - self._shown_ms)

    def frames(self, *, interval_ms: float = 0.0) -> Iterator[Frame]:
        """Yield the pictures as they come, at least so far apart, until the stream ends or is stopped."""
        last = -1e12
        for picture in self._decoded():
            if picture.pts is None or picture.is_corrupt:
                continue
            if (picture.width, picture.height) != self._stored:
                self._end_with(f"expected {_as_text(self._stored)}, found {picture.width}x{picture.height}")
                return
            t_ms = self._shown_ms = self._millis(picture.pts)
            if t_ms >= 0 and t_ms - last >= max(interval_ms, 1e-9):
                last = t_ms
                yield Frame(t_ms=Millis(t_ms), source=self._as_shown.picture(picture))

    def _end_with(self, why: str) -> None:
        """Stop, as the stream is another now; what was recorded of it is not decoded."""
        self.ended = why
        self.stop()
        while self._packets.get() is not None:
            pass

    def _decoded(self) -> Iterator[Any]:
        more = True
        while more:
            packet = self._packets.get()
            more = packet is not None
            try:
                yield from self._decoder.decode(packet)
            except FFmpegError as error:
                logger.warning("passed over a broken packet of %s: %s", self.address, error)

    def join(self) -> None:
        """Wait until the last file is closed."""
        self._thread.join()

    def _record(self) -> None:
        try:
            for packet in self._input.demux(self._stream):
                if self._stops.is_set():
                    break
                if packet.pts is not None and packet.dts is not None and packet.size and not packet.is_corrupt:
                    self._take(packet)
            self.ended = self.ended or ("stopped" if self._stops.is_set() else "the stream ended")
        except (FFmpegError, OSError, ValueError) as error:
            self.ended = f"the stream broke off: {getattr(error, 'strerror', None) or error}"
        finally:
            self._close_file()
            self._input.close()
            self._packets.put(None)

    def _take(self, packet: Any) -> None:
        if packet.is_keyframe and (self._output is None or self._wants_cut.is_set()):
            self._begin_file(packet.pts)
        if self._output is None:
            return
        copy = av.Packet(bytes(packet))
        copy.pts, copy.dts, copy.time_base = packet.pts, packet.dts, packet.time_base
        packet.pts, packet.dts = packet.pts - self._base, packet.dts - self._base
        packet.stream = self._track
        self._output.mux(packet)
        self._newest_ms = max(self._newest_ms, self._millis(copy.pts))
        self._packets.put(copy)

    def _begin_file(self, pts: int) -> None:
        self._close_file()
        self._wants_cut.clear()
        path = self._name_of(len(self.files))
        path.parent.mkdir(parents=True, exist_ok=True)
        self._output = av.open(str(path), mode="w", format="mp4", options=_FRAGMENTS)
        self._track = self._output.add_stream_from_template(self._stream)
        self._origin = pts if self._origin is None else self._origin
        self._base = pts
        self.files.append(Recorded(path=path, begins=Millis(self._millis(pts))))

    def _close_file(self) -> None:
        output, self._output = self._output, None
        if output is not None:
            output.close()

    def _millis(self, pts: int) -> int:
        return round(float((pts - (self._origin or 0)) * self._time_base * 1000))


def _as_text(size: tuple[int, int]) -> str:
    return f"{size[0]}x{size[1]}"


def _opened(source: str, address: str, wait_s: float) -> Any:
    options = {"protocol_whitelist": _PROTOCOLS, "rtsp_transport": "tcp"}
    where = "pipe:0" if source == PIPE else source
    try:
        return av.open(where, options=options, timeout=(wait_s, wait_s))
    except (FFmpegError, OSError) as error:
        msg = f"{address}: expected a camera's stream, found none ({getattr(error, 'strerror', None) or error})"
        raise FootageError(msg) from None


def _video_of(container: Any, address: str) -> Any:
    if not container.streams.video:
        container.close()
        msg = f"{address}: expected a stream with video, found none in it"
        raise FootageError(msg)
    return container.streams.video[0]
