"""Beside the pages: starts ``catwalk tend`` in a process of its own whenever something waits to be done."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path
from typing import Final

from audit.store.database import open_store
from audit.store.library import something_waits

TEND_COMMAND: Final = (sys.executable, "-m", "workers.cli", "tend")
_LOOK_S: Final = 1.0
_AFTER_FAILURE_S: Final = 60.0


class Attendant:
    """A thread that looks into the database and has the work done; it ends with ``stop`` or its process."""

    def __init__(self, data_dir: Path, *, workers: int) -> None:
        self._data_dir = data_dir
        self._command = [*TEND_COMMAND, "--data", str(data_dir), "--workers", str(workers)]
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._attend, daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def stop(self) -> None:
        """Stop looking, and end the work that runs; it is continued next time."""
        self._ended.set()
        self._thread.join(timeout=5)

    def _attend(self) -> None:
        with closing(open_store(self._data_dir)) as db:
            while not self._ended.wait(_LOOK_S):
                if something_waits(db) and self._work() != 0:
                    self._ended.wait(_AFTER_FAILURE_S)

    def _work(self) -> int:
        """Run the command to its end, or to ours."""
        log = self._data_dir / "logs" / "tend.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("ab") as out:
            process = subprocess.Popen(  # noqa: S603 - our own command, no shell
                [*self._command, "--only-while", str(os.getpid())], stdout=out, stderr=out, stdin=subprocess.DEVNULL
            )
            while process.poll() is None:
                if self._ended.wait(_LOOK_S):
                    process.terminate()
            return process.wait()
