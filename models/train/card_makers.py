"""Processes that draw scenes of cards and new decks while networks learn from them."""

from __future__ import annotations

import multiprocessing
import os
import queue
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Literal, Self

import cv2
import numpy as np

from models.train.card_bank import Faces, faces_of
from models.train.card_crops import Crops, crops
from models.train.deck_packs import endless, unpack
from models.train.decks import Deck

Made = tuple[Literal["scenes", "deck", "held"], Crops | Faces]
"""Scenes to learn from, a new deck, or scenes of other decks that only measure."""

KEPT: Final = ("whole", "corners", "rank", "suit", "long_px")
_PACK: Final = 100
_OWN_DECKS: Final = 40  # drawn ones that a maker of scenes has at a time
_PACKS_OF_A_DECK: Final = 3
_WAITING: Final = 48  # packs at most wait to be taken


class MakersError(RuntimeError):
    """No process is left that draws."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """Files of packed decks to learn from and to measure with, and the folder of fonts for new ones, if any."""

    train: Path
    held: Path
    fonts: Path | None


def scenes(decks: Sequence[Deck], rng: np.random.Generator, size: int) -> Crops:
    """Return the readers' crops of so many scenes."""
    rows = list(islice(crops(decks, rng), size))
    return {key: np.stack([row[key] for row in rows]) for key in KEPT}


def made(sources: Sources, seed: tuple[int, ...], *, held: int, new_decks: bool) -> Iterator[Made]:
    """Yield what one process makes, without end: so many scenes that only measure, then new decks or scenes."""
    if held:
        yield "held", scenes(unpack(sources.held), np.random.default_rng((5, seed[-1])), held)
    rng = np.random.default_rng(seed)
    packed = unpack(sources.train)
    fresh = endless(packed, rng, fonts=sources.fonts)
    if new_decks:
        for deck in fresh:
            yield "deck", faces_of(deck)
    own: list[Deck] = []
    for turn in count():
        if turn % _PACKS_OF_A_DECK == 0:
            own = [*own[-_OWN_DECKS + 1 :], next(fresh)]
        yield "scenes", scenes([*packed, *own], rng, _PACK)


def _make(sources: Sources, seed: tuple[int, ...], held: int, new_decks: bool, box: Any) -> None:  # noqa: FBT001
    cv2.setNumThreads(1)
    os.nice(3)
    for one in made(sources, seed, held=held, new_decks=new_decks):
        box.put(one)


class Makers:
    """Processes that draw as long as they are needed: ``with Makers(8, sources, seed=(1,), held=900) as makers``.

    The scenes that only measure are the same for the same number of processes; one process in four makes decks.
    """

    def __init__(self, number: int, sources: Sources, *, seed: tuple[int, ...], held: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._box: Any = context.Queue(maxsize=_WAITING)
        share = -(-held // number)
        self._processes = [
            context.Process(target=_make, args=(sources, (*seed, maker), share, maker % 4 == 1, self._box), daemon=True)
            for maker in range(number)
        ]

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
            msg = f"expected {len(self._processes)} makers of cards at work, found none"
            raise MakersError(msg)
        return things
