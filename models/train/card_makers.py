"""Processes that draw scenes of cards and new decks while networks learn from them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count, islice
from pathlib import Path
from typing import Final, Literal

import numpy as np

from models.train.card_bank import Faces, faces_of
from models.train.card_crops import Crops, crops
from models.train.deck_packs import endless, unpack
from models.train.decks import Deck
from models.train.makers import Makers

Made = tuple[Literal["scenes", "deck", "held"], Crops | Faces]
"""Scenes to learn from, a new deck, or scenes of other decks that only measure."""

KEPT: Final = ("whole", "corners", "rank", "suit", "long_px")
_PACK: Final = 100
_OWN_DECKS: Final = 40  # drawn ones that a maker of scenes has at a time
_PACKS_OF_A_DECK: Final = 3


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


def makers(number: int, sources: Sources, *, seed: tuple[int, ...], held: int) -> Makers[Made]:
    """Return so many processes that draw scenes and decks.

    The scenes that only measure are the same for the same number of processes; one process in four makes decks.
    """
    share = -(-held // number)
    jobs = [partial(made, sources, (*seed, k), held=share, new_decks=k % 4 == 1) for k in range(number)]
    return Makers(jobs, what="cards")
