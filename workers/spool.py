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


class SpoolError(RuntimeError):
    """A message that cannot be written; the sentence says where and why."""


class Channel(filesystem.Channel):  # type: ignore[misc]  # kombu is untyped
    """A channel whose messages appear and disappear as a whole."""

    def _put(self, queue: str, payload: Any, **_: Any) -> None:
        name = f"{monotonic_ns():020d}_{uuid.uuid4().hex}.{queue}.msg"
        _write_whole(Path(self.data_folder_out) / name, dumps(payload))

    def _queue_bind(self, exchange: str, routing_key: str, pattern: str, queue: str) -> None:
        """Note the queue beside the others of its exchange, unless it is there."""
        file = self._exchange_file(exchange)
        binding = [routing_key or "", pattern or "", queue or ""]
        try:
            known = loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError):  # there is none yet
            known = []
        if binding not in known:
            _write_whole(file, dumps([binding, *known]))

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


def _write_whole(path: Path, text: str) -> None:
    """Write a file that is never there half-written.

    Raises:
        SpoolError: if it cannot be; kombu would take an OSError for a lost connection.
    """
    unfinished = path.with_name(f"{uuid.uuid4().hex}.unfinished")
    try:
        unfinished.write_text(text, encoding="utf-8")
        unfinished.rename(path)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        msg = f"{path.parent}: expected a folder that can be written, found {error.strerror}"
        raise SpoolError(msg) from None


class Transport(filesystem.Transport):  # type: ignore[misc]  # kombu is untyped
    """The embedded broker's transport."""

    Channel = Channel
