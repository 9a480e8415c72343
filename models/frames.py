"""Footage as frames: the only place that decodes video.

Media time comes from the container's timestamps, counted from the stream's first moment. Footage that ends before
its header says is read as far as it goes, and the shortage is told, never passed over.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, Final

import av
import cv2
import numpy as np
from av.error import FFmpegError
from numpy.typing import NDArray

from audit.timing import Millis
from models.as_shown import AsShown

Pixels = NDArray[np.uint8]

SMALL_WIDTH: Final = 480
SEGMENT_MS: Final = 150_000
"""About so long are the pieces of short footage: a round around a cut is harder to see, and minutes are one piece."""
LONGEST_SEGMENT_MS: Final = 300_000
_PIECES: Final = 12  # of an hour: two, three, four or six workers share them evenly
_SHORTAGE_MS: Final = 1_000
_SPARED_GAP_MS: Final = 125
_STEP_BACK_MS: Final = 1_000  # pictures that are shown in another order than stored are apart far less
_LOOKS_BACK_MS: Final = (2_000, 60_000)
_SEEKS_BACK_MS: Final = (0, 5_000, 30_000, 120_000)
# Demuxers of recorded video only: a playlist named .mp4 must not make us open other files or addresses.
_FORMATS: Final = "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,h264,hevc,flv,asf,mxf,m4v,mpegvideo"
_BARE: Final = frozenset({"h264", "hevc", "m4v", "mpegvideo"})
"""Without a container nothing says when a picture was taken."""
_PICTURES: Final = (b"\xff\xd8\xff", b"\x89PNG", b"GIF8", b"BM", b"RIFF")
_PLANAR: Final = ("yuv420p", "yuvj420p")
_TEXT_SAMPLE: Final = 4096

logger = logging.getLogger(__name__)


class FootageError(ValueError):
    """A file that cannot be audited as footage; the message says what was expected and what was found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Footage:
    """What the container says about a file, and how far it can be read.

    ``promised_ms`` is the length the header gives, None if it gives none; ``readable_ms`` that of the packets that are
    there. ``keyframes_ms`` are the moments at which decoding can start. ``begins_anew``: its times do so after that.
    """

    path: Path
    size: tuple[int, int]
    codec: str
    frame_count: int
    keyframes_ms: tuple[int, ...]
    readable_ms: int
    promised_ms: int | None
    begins_anew: bool = False

    @property
    def shortage(self) -> str | None:
        """One sentence if the file ends well before its header says, or its times begin anew, else None."""
        if self.begins_anew:
            return (
                f"{self.path.name}: expected times that go on, found that they begin anew after"
                f" {self.readable_ms / 1000:.1f} s: what follows is another recording and is not looked at"
            )
        if self.promised_ms is None or self.promised_ms - self.readable_ms < _SHORTAGE_MS:
            return None
        return (
            f"{self.path.name}: expected {self.promised_ms / 1000:.1f} s as the header says,"
            f" readable up to {self.readable_ms / 1000:.1f} s: the file is cut off"
        )

    @property
    def frames_per_second(self) -> float:
        """Mean frame rate over what is readable."""
        return self.frame_count * 1000 / max(self.readable_ms, 1)


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Segment:
    """A stretch of footage that begins at a keyframe; ``end_ms`` is the next one's beginning, not included."""

    index: int
    start_ms: int
    end_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallPicture:
    """A frame scaled to 480 pixels in width by averaging: brightness and the two colour differences (h, w) uint8.

    ``glare`` (h, w), 0 or 255: what was too bright for the camera, and is told darker than it is; None: nothing.
    ``doubt``: by what share of its light the brightness may be off, since the lamps' flicker was taken out.
    """

    luma: Pixels
    blue: Pixels
    red: Pixels
    glare: Pixels | None = None
    doubt: float = 0.0


@dataclass(frozen=True, kw_only=True, eq=False)
class Frame:
    """One decoded frame. Nothing is converted before it is asked for."""

    t_ms: Millis
    source: Any = field(repr=False)

    @cached_property
    def bgr(self) -> Pixels:
        """The whole frame (h, w, 3), blue first."""
        wide = self.source.height >= 720  # noqa: PLR2004 - untagged HD is BT.709, smaller is BT.601
        tagged = int(self.source.colorspace) not in (0, 2)
        space = None if tagged else ("ITU709" if wide else "ITU601")
        picture: Pixels = self.source.to_ndarray(format="bgr24", src_colorspace=space)
        return picture

    @cached_property
    def luma(self) -> Pixels:
        """The brightness of the whole frame (h, w), as the video stores it."""
        source = self.source if self.source.format.name in _PLANAR else self.source.reformat(format="yuv420p")
        return _plane(source.planes[0])

    @cached_property
    def colours(self) -> tuple[Pixels, Pixels]:
        """The blue and the red colour difference (h / 2, w / 2), as the video stores them."""
        source = self.source if self.source.format.name in _PLANAR else self.source.reformat(format="yuv420p")
        return _plane(source.planes[1]), _plane(source.planes[2])

    @cached_property
    def small(self) -> SmallPicture:
        """The frame at 480 pixels in width."""
        source = self.source if self.source.format.name in _PLANAR else self.source.reformat(format="yuv420p")
        height = round(source.height * SMALL_WIDTH / source.width)
        planes = [reduced(_plane(plane), (SMALL_WIDTH, height)) for plane in source.planes]
        return SmallPicture(luma=planes[0], blue=planes[1], red=planes[2])


def reduced(plane: Pixels, size: tuple[int, int]) -> Pixels:
    """Return a plane (h, w) scaled down to (columns, rows) by averaging: halved while it can be, which is quicker."""
    while plane.shape[1] >= 2 * size[0] and not (plane.shape[0] % 2 or plane.shape[1] % 2):
        half = (plane.shape[1] // 2, plane.shape[0] // 2)
        plane = np.asarray(cv2.resize(plane, dsize=half, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    return np.asarray(cv2.resize(plane, dsize=size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _plane(plane: Any) -> Pixels:
    rows: Pixels = np.frombuffer(plane, dtype=np.uint8).reshape(plane.height, plane.line_size)[:, : plane.width]
    return rows


def probe(path: Path) -> Footage:
    """Return what the file holds, by reading its packets without decoding them.

    Raises:
        FootageError: if it is no video, or nothing in it can be decoded.
    """
    with _opened(path) as container:
        stream = _video_stream(container, path)
        starts, keys, ends, begins_anew = _packet_times(container, stream)
        promised = _promised_ms(container, stream)
        codec = stream.codec_context.name
        bare = container.format.name in _BARE
    size = _size_shown(path)
    if not keys or not starts or not all(size):
        found = "a bare stream without times" if bare else "a video track without a readable frame"
        msg = f"{path.name}: expected a video, found {found}"
        raise FootageError(msg)
    return Footage(
        path=path,
        size=size,
        codec=codec,
        frame_count=len(starts),
        keyframes_ms=tuple(sorted(set(keys))),
        readable_ms=max(ends),
        promised_ms=promised,
        begins_anew=begins_anew,
    )


def check_size(footage: Footage, expected: tuple[int, int]) -> None:
    """Check that the footage has the size the profile was made for.

    Raises:
        FootageError: if it has another.
    """
    _require_size(footage.path, footage.size, expected)


def check_header(path: Path, expected: tuple[int, int]) -> None:
    """Check the size by the file's header and first picture, without reading all packets as ``probe`` does.

    Raises:
        FootageError: if the file is no video, or has another size.
    """
    _require_size(path, _size_shown(path), expected)


def _size_shown(path: Path) -> tuple[int, int]:
    """Columns and rows of the pictures as they are to be shown."""
    with _opened(path) as container:
        stream = _video_stream(container, path)
        size = (int(stream.codec_context.width), int(stream.codec_context.height))
        first = next(_decoded(container, stream, path, sparing=False), None)
        return AsShown(stream).size(size, left_deg=0 if first is None else first.rotation)


def _require_size(path: Path, found: tuple[int, int], expected: tuple[int, int]) -> None:
    if found != expected:
        msg = f"{path.name}: expected {expected[0]}x{expected[1]} as the profile says, found {found[0]}x{found[1]}"
        raise FootageError(msg)


def segments(footage: Footage, *, length_ms: int | None = None) -> tuple[Segment, ...]:
    """Return the footage cut at keyframes into pieces of about ``length_ms``; a short rest joins the last piece.

    Long footage is by itself cut into longer pieces: what comes before a piece is watched once more for each.
    """
    length_ms = _length_ms(footage) if length_ms is None else length_ms
    cuts: list[int] = []
    for moment in footage.keyframes_ms:
        if not cuts or moment - cuts[-1] >= length_ms:
            cuts.append(moment)
    if len(cuts) > 1 and footage.readable_ms - cuts[-1] < length_ms / 3:
        cuts.pop()
    ends = [*cuts[1:], footage.readable_ms + 1]
    return tuple(Segment(index=i, start_ms=a, end_ms=b) for i, (a, b) in enumerate(zip(cuts, ends, strict=True)))


def _length_ms(footage: Footage) -> int:
    """The length of a piece; of the footage alone, so that it is cut alike wherever it is audited."""
    of_short = footage.readable_ms / max(1, round(footage.readable_ms / SEGMENT_MS))
    return round(min(max(of_short, footage.readable_ms / _PIECES), LONGEST_SEGMENT_MS))


def frames(
    path: Path,
    segment: Segment | None = None,
    *,
    threads: int = 1,
    interval_ms: float = 0.0,
    sparing: bool = False,
) -> Iterator[Frame]:
    """Yield the frames of a segment (of the whole file without one), in time order.

    Args:
        path: The file.
        segment: The stretch; frames at its ``end_ms`` belong to the next one.
        threads: Decoding threads.
        interval_ms: Least time between two frames that are yielded; 0 yields every frame.
        sparing: Leave frames out that no other frame builds on, a good half of the work, until that leaves a gap of
            more than an eighth of a second.

    Raises:
        FootageError: if the file cannot be opened, or its pictures change their size. Damage inside ends or thins the
            frames and is logged; where the times begin anew (``Footage.shortage``) they end.
    """
    start_ms = 0 if segment is None else segment.start_ms
    last = -1e12
    for t_ms, source in _timed(path, start_ms, threads=threads, sparing=sparing):
        if (segment is not None and t_ms >= segment.end_ms) or t_ms < last - _STEP_BACK_MS:
            return
        if (segment is None or t_ms >= start_ms) and t_ms - last >= max(interval_ms, 1e-9):
            last = t_ms
            yield Frame(t_ms=Millis(t_ms), source=source)


def _timed(path: Path, start_ms: int, *, threads: int, sparing: bool) -> Iterator[tuple[int, Any]]:
    """Yield decoded pictures with their times, from one at or before a moment on if there is one.

    A transport stream is sought by its packets' times, so that decoding may begin a keyframe too late: then it is
    sought from farther back.
    """
    for back_ms in _SEEKS_BACK_MS:
        with _opened(path) as container:
            stream = _video_stream(container, path)
            stream.codec_context.thread_count = threads
            stream.thread_type = "FRAME" if threads > 1 else "NONE"
            size = (int(stream.codec_context.width), int(stream.codec_context.height))
            origin = stream.start_time or 0
            sought_ms = start_ms - back_ms
            if sought_ms > 0:
                container.seek(origin + int(sought_ms / 1000 / stream.time_base), stream=stream, backward=True)
            decoded = _timely(container, _decoded(container, stream, path, sparing=sparing))
            first = next(decoded, None)
            is_late = first is None or _millis(first.pts, origin, stream.time_base) > start_ms
            if is_late and sought_ms > 0 and back_ms != _SEEKS_BACK_MS[-1]:
                continue
            as_shown = AsShown(stream)
            for source in chain(() if first is None else (first,), decoded):
                t_ms = _millis(source.pts, origin, stream.time_base)
                _require_same_size(path, source, size, t_ms)
                yield t_ms, as_shown.picture(source)
            return


def _require_same_size(path: Path, source: Any, size: tuple[int, int], t_ms: int) -> None:
    if (source.width, source.height) != size:
        msg = (
            f"{path.name}: expected {size[0]}x{size[1]} as at its beginning,"
            f" found {source.width}x{source.height} at {t_ms / 1000:.1f} s"
        )
        raise FootageError(msg)


def frame_at(path: Path, t_ms: int) -> Frame:
    """Return the frame shown at a media time: the last that is not later.

    Raises:
        FootageError: if there is none.
    """
    for back_ms in (*_LOOKS_BACK_MS, t_ms):
        shown: Frame | None = None
        for frame in frames(path, Segment(index=0, start_ms=max(0, t_ms - back_ms), end_ms=t_ms + 1)):
            shown = frame
        if shown is not None:
            return shown
    msg = f"{path.name}: expected a frame at {t_ms} ms, found none"
    raise FootageError(msg)


def _opened(path: Path) -> Any:
    """Open a local file; nothing in it may lead to another file or to the network."""
    if not path.is_file():
        msg = f"{path.name}: expected a video file, found {'a folder' if path.is_dir() else 'no such file'}"
        raise FootageError(msg)
    if path.stat().st_size == 0:
        msg = f"{path.name}: expected a video, found an empty file"
        raise FootageError(msg)
    options = {"protocol_whitelist": "file", "format_whitelist": _FORMATS}
    try:
        return av.open(f"file:{path.absolute()}", options=options)
    except (FFmpegError, OSError, UnicodeError) as error:
        msg = f"{path.name}: expected a video, found {_what_it_is(path, error)}"
        raise FootageError(msg) from None


def _what_it_is(path: Path, error: Exception) -> str:
    with path.open("rb") as file:
        head = file.read(_TEXT_SAMPLE)
    if head[4:8] == b"ftyp":
        return "an MP4 without its index (moov box): it was cut off or never closed, nothing in it can be read"
    if any(head.startswith(mark) for mark in _PICTURES) and head[8:11] != b"AVI":
        return "a picture"
    try:
        head.decode("utf-8")
    except UnicodeDecodeError:
        return f"something else ({getattr(error, 'strerror', None) or error.__class__.__name__})"
    return "text" if b"\x00" not in head else "no video data"


def _video_stream(container: Any, path: Path) -> Any:
    if not container.streams.video:
        kinds = sorted({stream.type for stream in container.streams}) or ["nothing"]
        msg = f"{path.name}: expected a video, found a file with {', '.join(kinds)} only"
        raise FootageError(msg)
    return container.streams.video[0]


def _packet_times(container: Any, stream: Any) -> tuple[list[int], list[int], list[int], bool]:
    """Return the times of all whole packets that are shown, of all keyframes, where each ends; whether they begin anew.

    A file cut without being encoded anew begins with packets that only what is shown builds on.
    """
    starts: list[int] = []
    keys: list[int] = []
    ends: list[int] = []
    origin = stream.start_time or 0
    try:
        for packet in container.demux(stream):
            if packet.pts is None or packet.is_corrupt or not packet.size:
                continue
            t_ms = _millis(packet.pts, origin, stream.time_base)
            if packet.is_keyframe and keys and t_ms < keys[-1] - _STEP_BACK_MS:
                return starts, keys, ends, True
            if packet.is_keyframe:
                keys.append(max(t_ms, 0))
            if not packet.is_discard:
                starts.append(t_ms)
                ends.append(_millis(packet.pts + (packet.duration or 0), origin, stream.time_base))
    except FFmpegError as error:
        logger.warning("stopped reading packets of %s: %s", container.name, error)
    return starts, keys, ends, False


def _promised_ms(container: Any, stream: Any) -> int | None:
    if stream.duration is not None:
        return round(float(stream.duration * stream.time_base * 1000))
    return None if container.duration is None else int(container.duration) // 1000


def _decoded(container: Any, stream: Any, path: Path, *, sparing: bool) -> Iterator[Any]:
    """Yield decoded frames that have a time; broken packets are passed over and counted."""
    broken = 0
    spare = _Spare(stream) if sparing else None
    packets = container.demux(stream)
    while True:
        try:
            packet = next(packets)
        except StopIteration:
            break
        except FFmpegError as error:
            logger.warning("stopped decoding %s: %s", path.name, error)
            break
        if packet.is_corrupt:
            broken += 1
            continue
        try:
            decoded = packet.decode()
        except FFmpegError:
            broken += 1
            continue
        whole = [source for source in decoded if source.pts is not None and not source.is_corrupt]
        if spare is not None:
            spare.watch(whole)
        yield from whole
    if broken:
        logger.warning("passed over %d broken packets of %s", broken, path.name)


def _timely(container: Any, decoded: Iterator[Any]) -> Iterator[Any]:
    """Give the pictures of an AVI their times: it has none, and what is made of their order in the file is wrong."""
    if container.format.name != "avi":
        yield from decoded
        return
    late, shown = 0, None
    for source in decoded:
        if shown is None and source.dts is not None:
            late = source.dts - source.pts
        elif shown is not None:  # an AVI counts its pictures
            source.pts = shown + 1 if source.dts is None else source.dts - late
        shown = source.pts
        yield source


class _Spare:
    """Has a decoder leave out the frames that no other builds on, while what is left is close enough in time."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._last: int | None = None
        stream.codec_context.skip_frame = "NONREF"

    def watch(self, decoded: Sequence[Any]) -> None:
        """Take note of frames as they come; after a gap everything is decoded."""
        for source in decoded:
            if self._last is not None and _millis(source.pts, self._last, self._stream.time_base) > _SPARED_GAP_MS:
                self._stream.codec_context.skip_frame = "DEFAULT"
            self._last = source.pts


def _millis(pts: int, origin: int, time_base: Any) -> int:
    return round(float((pts - origin) * time_base * 1000))
