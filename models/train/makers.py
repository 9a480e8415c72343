"""Processes that draw what networks learn from as long as it is needed."""

from __future__ import annotations

import multiprocessing
import os
import queue
from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import Any, Final, Generic, Self, TypeVar

import cv2

Made = TypeVar("Made")
_WAITING: Final = 24  # things at most wait to be taken


class MakersError(RuntimeError):
    """No process is left that draws."""


class Makers(Generic[Made]):
    """One process for each source of things without end: ``with Makers([partial(packs, 1)], what="looks") as makers``.

    Args:
        sources: called in a process each; they can be pickled.
        what: they make, for the message that none is left.
    """

    def __init__(self, sources: Sequence[Callable[[], Iterator[Made]]], *, what: str) -> None:
        context = multiprocessing.get_context("spawn")
        self._what = what
        self._box: Any = context.Queue(maxsize=_WAITING)
        self._processes = [context.Process(target=_make, args=(one, self._box), daemon=True) for one in sources]

    def __enter__(self) -> Self:
        for process in self._processes:
            process.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in self._processes:
            process.kill()

    def __call__(self) -> list[Made]:
        """Return what was made since the last call.

        Raises:
            MakersError: if all makers have failed; each has said why.
        """
        things: list[Made] = []
        while len(things) < _WAITING:
            try:
                things.append(self._box.get_nowait())
            except queue.Empty:
                break
        if not things and not any(process.is_alive() for process in self._processes):
            msg = f"expected {len(self._processes)} makers of {self._what} at work, found none"
            raise MakersError(msg)
        return things


def _make(source: Callable[[], Iterator[Any]], box: Any) -> None:
    cv2.setNumThreads(1)
    os.nice(3)
    for one in source():
        box.put(one)
