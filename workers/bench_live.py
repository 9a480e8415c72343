"""How late a running camera's rounds are told: a clip sent at its own pace to ``workers.follow``."""

from __future__ import annotations

import os
import socket
import threading
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import av

from audit.store.database import open_store
from audit.table import load_profile
from models.camera import camera_of
from models.eyes import load_eyes
from models.live import LiveCamera
from workers import crew, jobs
from workers.follow import Follower, Told, Watch
from workers.pins import sha256_of

_FILE_MS: Final = 3_600_000


def measure_live(path: Path, profile: Path, *, scratch: Path, most_s: float) -> list[float]:
    """Return, for each round told while a clip runs, the seconds from its end until it is stored.

    Args:
        path: the clip.
        profile: its table profile.
        scratch: an empty folder.
        most_s: how much of the clip is sent.
    """
    late: list[float] = []
    pace = _Pace(path, most_s=most_s)

    def tell(told: Told) -> None:
        now = time.monotonic()
        late.extend(now - pace.began - one["end_ms"] / 1000 for one in told.rounds)

    table = load_profile(profile)
    db = open_store(scratch)
    watch = Watch(
        profile=table,
        profile_id=jobs.store_profile(db, table, sha256=sha256_of(profile), now=_now()),
        eyes=load_eyes(camera_of(table), profile=table, threads=1),
        recorder=crew.worker_name(os.getpid()),
        clock=_now,
        file_ms=_FILE_MS,
        tell=tell,
    )
    pace.start()
    camera = LiveCamera(pace.address, lambda number: scratch / f"{number}.mp4")
    Follower(db, camera, watch).follow()
    db.close()
    return late


class _Pace(threading.Thread):
    """Sends a clip over a connection of this machine as fast as it was taken, to the first who connects."""

    def __init__(self, path: Path, *, most_s: float) -> None:
        super().__init__(daemon=True)
        self._server = socket.create_server(("127.0.0.1", 0))
        self.address = f"tcp://127.0.0.1:{self._server.getsockname()[1]}"
        self._path = path
        self._most_s = most_s
        self.began = 0.0

    def run(self) -> None:
        """Send the packets, each when its time has come."""
        connection, _ = self._server.accept()
        with connection, connection.makefile("wb", buffering=0) as wire, av.open(str(self._path)) as clip:
            stream = clip.streams.video[0]
            with av.open(wire, mode="w", format="mpegts", options={"flush_packets": "1"}) as out:
                track = out.add_stream_from_template(stream)
                self.began = time.monotonic()
                for packet in clip.demux(stream):
                    if packet.dts is None or packet.pts is None:
                        continue
                    due_s = float(packet.dts * packet.time_base)
                    if due_s > self._most_s:
                        break
                    time.sleep(max(0.0, self.began + due_s - time.monotonic()))
                    packet.stream = track
                    out.mux(packet)
        self._server.close()


def _now() -> datetime:
    return datetime.now(UTC)
