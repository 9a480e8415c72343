"""The worker processes that a command starts for itself and stops again."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Final

from workers.settings import Settings

WORKER_COMMAND: Final = (sys.executable, "-m", "workers.cli", "worker")
_GRACE_S: Final = 1.0
_LOOK_S: Final = 0.5


def worker_name(pid: int) -> str:
    """Return the name under which a worker of this machine claims segments."""
    return f"{socket.gethostname()}:{pid}"


def is_gone(worker: str) -> bool:
    """Return whether the name is of a process of this machine that no longer runs; other machines' are never gone."""
    host, _, pid = worker.rpartition(":")
    if host != socket.gethostname() or not pid.isdecimal():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False


class Crew:
    """Worker processes of one data directory. They end with the process that started them, however that ends."""

    def __init__(self, settings: Settings, *, size: int, threads: int, command: Sequence[str] = WORKER_COMMAND) -> None:
        self._settings = settings
        self._command = command
        self._threads = threads
        settings.log_dir.mkdir(parents=True, exist_ok=True)
        self._workers = [self._start(number) for number in range(size)]

    @property
    def pids(self) -> tuple[int, ...]:
        """Process numbers of the workers."""
        return tuple(worker.pid for worker in self._workers)

    def replace_dead(self) -> tuple[str, ...]:
        """Start a new worker for each that has died and return the names of the dead."""
        dead = []
        for number, worker in enumerate(self._workers):
            if worker.poll() is not None:
                dead.append(worker_name(worker.pid))
                self._workers[number] = self._start(number)
        return tuple(dead)

    def stop(self, *, at_work: Collection[str] = ()) -> None:
        """End all workers; those named get a moment, and what one has not finished by then stays to be done."""
        for worker in self._workers:
            worker.send_signal(signal.SIGTERM if worker_name(worker.pid) in at_work else signal.SIGKILL)
        deadline = time.monotonic() + _GRACE_S
        for worker in self._workers:
            try:
                worker.wait(timeout=max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                worker.kill()
                worker.wait()

    def _start(self, number: int) -> subprocess.Popen[bytes]:
        command = [*self._command, "--data", str(self._settings.data_dir)]
        threads = str(self._threads)
        environment = os.environ | {"OMP_NUM_THREADS": threads, "CATWALK_THREADS": threads}
        with self.log_file(number).open("ab") as log:
            return subprocess.Popen(  # noqa: S603 - our own command, no shell
                [*command, "--only-while", str(os.getpid())],
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                env=environment,
            )

    def log_file(self, number: int) -> Path:
        """Where a worker writes what it did."""
        return self._settings.log_dir / f"worker-{number + 1}.log"


def end_with(pid: int) -> None:
    """End this process as soon as its parent is no longer the process of that number."""

    def look() -> None:
        while os.getppid() == pid:
            time.sleep(_LOOK_S)
        os._exit(0)

    threading.Thread(target=look, daemon=True).start()
