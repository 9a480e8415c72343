"""A camera on this machine: a clip sent as a stream, some times as fast as it was taken."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path

import av

from models.frames import Frame

_PARTS_PER_S = 50


def write_clip(path: Path, frames: Iterable[Frame], *, step_ms: int, keyframe_ms: int = 800) -> Path:
    """Write frames as MPEG-TS, H.264 with a keyframe every so often."""
    with av.open(str(path), mode="w", format="mpegts") as container:
        stream = None
        for frame in frames:
            if stream is None:
                options = {"preset": "ultrafast", "crf": "14", "sc_threshold": "0"}
                stream = container.add_stream("libx264", rate=Fraction(1000, step_ms), options=options)
                stream.width, stream.height, stream.pix_fmt = frame.source.width, frame.source.height, "yuv420p"
                stream.gop_size = keyframe_ms // step_ms
            frame.source.pts = None
            container.mux(stream.encode(frame.source))
        assert stream is not None
        container.mux(stream.encode(None))
    return path


@contextmanager
def sent(path: Path, *, seconds: float) -> Iterator[str]:
    """Send a file, evenly over so many seconds, to whoever connects; yield the address."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=_send, args=(server, path.read_bytes(), seconds), daemon=True)
        thread.start()
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"
    thread.join(timeout=30)


@contextmanager
def sent_again(path: Path, *, times: int) -> Iterator[str]:
    """Send a file at once to each of so many that connect one after the other, then refuse; yield the address."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        thread = threading.Thread(target=_send_each, args=(server, path.read_bytes(), times), daemon=True)
        thread.start()
        yield address
    thread.join(timeout=30)


def _send_each(server: socket.socket, data: bytes, times: int) -> None:
    for _ in range(times):
        _send(server, data, 0.1)
    server.close()


def _send(server: socket.socket, data: bytes, seconds: float) -> None:
    try:
        connection, _ = server.accept()
    except OSError:  # nobody came
        return
    count = max(1, round(seconds * _PARTS_PER_S))
    size = -(-len(data) // count)
    with connection:
        try:
            for begin in range(0, len(data), size):
                connection.sendall(data[begin : begin + size])
                time.sleep(1 / _PARTS_PER_S)
        except OSError:  # whoever came has gone
            return
