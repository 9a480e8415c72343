"""Which chips lie in which order on tables of the trade: banks of wagers, chosen from by the picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.cheque_size import HIGHEST_STACK
from models.chip_geometry import COLOURS
from models.train.chip_scenes import random_colours
from models.train.chip_tables import ChipTable

KINDS: Final = (*COLOURS, "other")
NEIGHBOURS: Final = 3
_ANY: Final = 0.15  # of the tables have wagers of any colours
_PAID: Final = 0.4  # of the others' wagers are amounts, in as few cheques as there can be
_VALUES: Final = (1, 2, 5, 10, 50, 200, 1000, 2000, 10_000, 50_000)  # of ``COLOURS``, in half dollars
_HIGHEST: Final = 6.0  # of such an amount, in cheques of its highest colour


@dataclass(frozen=True, slots=True)
class Wagers:
    """Tables with the stack that is looked at and its neighbours.

    ``felts``: number of the felt's colour (n,); ``colours`` (n, 1 + NEIGHBOURS, HIGHEST_STACK) of the stacks from 0,
    bottom to top; ``counts`` (n, 1 + NEIGHBOURS): how many chips each has.
    """

    felts: NDArray[np.int64]
    colours: NDArray[np.int64]
    counts: NDArray[np.int64]


def wagers(seed: int, number: int) -> Wagers:
    """Return so many tables."""
    rng = np.random.default_rng(seed)
    felts = np.zeros(number, np.int64)
    colours = np.zeros((number, 1 + NEIGHBOURS, HIGHEST_STACK), np.int64)
    counts = np.zeros((number, 1 + NEIGHBOURS), np.int64)
    for n in range(number):
        table = ChipTable.random(rng)
        felts[n] = KINDS.index(table.felt)
        anything = rng.random() < _ANY
        for k in range(1 + NEIGHBOURS):
            paid = amount(table, rng) if rng.random() < _PAID else table.wager(rng)
            stack = random_colours(rng) if anything else paid
            counts[n, k] = len(stack)
            colours[n, k, : len(stack)] = [KINDS.index(colour) for colour in stack]
    return Wagers(felts, colours, counts)


def amount(table: ChipTable, rng: np.random.Generator) -> tuple[str, ...]:
    """Return the colours, bottom to top, of an amount as it is paid: the highest cheques first, few of them."""
    some = rng.choice(len(table.colours), int(rng.integers(2, len(table.colours) + 1)), replace=False)
    falling = sorted((COLOURS.index(table.colours[k]) for k in some), reverse=True)
    values = [_VALUES[k] for k in falling]
    left = values[-1] * int(np.exp(rng.uniform(0, np.log(_HIGHEST * values[0] / values[-1]))))
    stack: list[str] = []
    for colour, value in zip(falling, values, strict=True):
        stack += [COLOURS[colour]] * (left // value)
        left %= value
    return tuple(stack) if len(stack) <= HIGHEST_STACK else table.wager(rng)
