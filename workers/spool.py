"""The embedded broker: Celery's filesystem transport, made safe against being killed or read halfway.

A message is written under another name and renamed when it is whole, and is taken by a rename as well, so that two
workers cannot take the same one and nobody reads half of one. A message that is lost with its worker is no loss: the
database knows what has not been done.
"""

from __future__ import annotations

import uuid
from pathlib import Path
from queue import Empty
from time import monotonic_ns
from typing import Any

from kombu.transport import filesystem
from kombu.utils.json import dumps, loads


class Channel(filesystem.Channel):  # type: ignore[misc]  # kombu is untyped
    """A channel whose messages appear and disappear as a whole."""

    def _put(self, queue: str, payload: Any, **_: Any) -> None:
        folder = Path(self.data_folder_out)
        name = f"{monotonic_ns():020d}_{uuid.uuid4().hex}"
        unfinished = folder / f"{name}.unfinished"
        unfinished.write_text(dumps(payload), encoding="utf-8")
        unfinished.rename(folder / f"{name}.{queue}.msg")

    def _get(self, queue: str) -> Any:
        folder = Path(self.data_folder_in)
        for message in sorted(folder.glob(f"*.{queue}.msg")):
            taken = message.with_suffix(f".{uuid.uuid4().hex}.taken")
            try:
                message.rename(taken)
            except FileNotFoundError:
                continue  # another worker was quicker
            payload = loads(taken.read_text(encoding="utf-8"))
            taken.unlink()
            return payload
        raise Empty


class Transport(filesystem.Transport):  # type: ignore[misc]  # kombu is untyped
    """The embedded broker's transport."""

    Channel = Channel
