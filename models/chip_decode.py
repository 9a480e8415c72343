"""From evidence along a strip to whole stacks with their probabilities.

The network says at every step of the strip how much speaks for the foot, for the rim of the uppermost face, for a line
between two chips, for being inside the stack, and for every colour. Where the chips may lie, and how many they are, is
weighed in ``models.chip_places``; the colours of chips are read at their middles.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from models.chip_geometry import COLOURS
from models.chip_places import FIRST_COLOUR, Ways, ways_to_lie

_LEAST: Final = 5e-4
_FLOOR: Final = 1e-5
_SAME_AS_BELOW: Final = 0.3
_UNDER: Final = {("black", "green"): 2.0, ("purple", "black"): 2.0}
"""What speaks for a dark foot under a colour besides what the network says: in its own shadow, and with the one above
run into its own, as video stores it, it is told by too little. Of 312 looks of four sources at stacks with a green
second chip, 12 of them on black, 288 were coloured rightly with e^2 and one wrongly with 0.9 (283 and 4 without,
273 and 3 with the e^4.5 that an earlier network needed)."""
_SELDOM: Final = {"pink": 2.0}
"""How seldom a colour is beforehand, as a logarithm: pink cheques, worth half a red one, come out to pay a half. Red
ones with many pale spots look much like them: of 1,522 looks of eight sources, 22 pink cheques among them, 1,431 were
coloured rightly so, 1,409 without, 1,203 and 1,164 of these with 0.9 and one wrongly both times."""
_FACE: Final = 0.75
"""How much the other witness of the uppermost chip's colour counts: an inlay nearly as wide as the chip was taken for
the chip's colour. Of 120 looks at such a table 102 are coloured rightly so, 99 where it counts in full and 104 where it
counts half; but at another, whose sides say less, half of it is too little (surprise 2.5 nats instead of 2.2)."""
_WAYS: Final = 8
_NUMBERS: Final = 4
_HOPELESS: Final = -5.0
_NONE_LEFT: Final = 1e-9

Answer = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Temper:
    """How much the evidence is softened, so that of readings with probability p the share p is right.

    ``place`` for foot, rim and lines, ``colour`` for the chips' colours; 1 leaves it as the network says it.
    """

    place: float = 1.0
    colour: float = 1.0


PLAIN: Final = Temper()
_Way = tuple[float, Answer]
Floats = NDArray[np.float64]


class Beside(Protocol):
    """Another witness of a stack's colours; all it says are log likelihoods up to a constant, None: nothing."""

    def chips(self, middles: NDArray[np.int64]) -> Floats | None:
        """Return what speaks for the colours (n, colours) of chips with their middles at these steps."""

    def stacks(self, middles: NDArray[np.int64], answers: Sequence[Answer]) -> Floats | None:
        """Return what speaks for whole stacks (n,) with their chips' middles at these steps."""


def softmax(scores: NDArray[Any], *, temperature: float = 1.0) -> Floats:
    """Return probabilities along the last axis."""
    level = scores.astype(np.float64) / temperature
    level -= level.max(axis=-1, keepdims=True)
    chances = np.exp(level)
    return np.asarray(chances / chances.sum(axis=-1, keepdims=True), dtype=np.float64)


def likely_stacks(
    evidence: NDArray[np.float32],
    *,
    calibrated: bool,
    top: NDArray[Any] | None = None,
    temper: Temper = PLAIN,
    beside: Beside | None = None,
    where: Ways | None = None,
) -> list[tuple[Answer, float]]:
    """Return the most probable stacks as colour numbers from 1, bottom to top, best first, together at most 1.

    Args:
        evidence: (STEPS, …), see above.
        calibrated: whether the camera is known.
        top: probabilities (colours,) of the uppermost chip's colour by another witness.
        temper: how much the evidence is softened.
        beside: another witness of the colours.
        where: the ways in which the chips may lie, if they were weighed already.
    """
    found: dict[Answer, float] = {}
    where = where or ways_to_lie(evidence, calibrated=calibrated, temper=temper.place)
    colours = chip_colours(evidence, temperature=temper.colour)
    for count in np.argsort(-where.numbers)[:_NUMBERS]:
        if where.numbers[count] < _LEAST or count == 0:
            continue
        ways: list[tuple[Answer, float]] = []
        for lie in where.lies[count]:
            chips = np.log(colours[lie.middles] + _FLOOR)
            if top is not None:
                chips[-1] += _FACE * np.log(top + _FLOOR)
            ways += _weighed(chips, lie.middles, beside, start=float(np.log(lie.p)))
        for (answer, _), p in zip(ways, softmax(np.array([score for _, score in ways])), strict=True):
            if answer:
                found[answer] = found.get(answer, 0.0) + float(p * where.numbers[count])
    return sorted(found.items(), key=lambda one: -one[1])


def _weighed(
    chips: Floats, middles: NDArray[np.int64], beside: Beside | None, *, start: float
) -> list[tuple[Answer, float]]:
    """The likeliest colourings of chips (n, colours) and what speaks for each, with what another witness says.

    The last, without chips, stands for all others: that witness is taken to say of them what it says of these.
    """
    said = None if beside is None else beside.chips(middles)
    if said is not None:  # of colours only: where the stack stands is not for a chip's likeness to say
        chips = chips + said - said.max(axis=1, keepdims=True)
    ways, others = likely_colours(chips)
    scores = np.array([score for _, score in ways])
    told = None if beside is None else beside.stacks(middles, [answer for answer, _ in ways])
    if told is not None:
        others += float(np.logaddexp.reduce(scores + told) - np.logaddexp.reduce(scores))
        scores = scores + told
    named = [(answer, start + float(score)) for (answer, _), score in zip(ways, scores, strict=True)]
    return [*named, ((), start + others)]


def likeliest_number(stacks: Iterable[tuple[Sequence[Any], float]]) -> tuple[int, float]:
    """Return the likeliest number of chips, whatever their colours, and its probability; 0 of no stacks."""
    numbers: dict[int, float] = {}
    for stack, p in stacks:
        numbers[len(stack)] = numbers.get(len(stack), 0.0) + float(p)
    return max(numbers.items(), key=lambda item: item[1], default=(0, 0.0))


def chip_colours(evidence: NDArray[np.float32], *, temperature: float = 1.0) -> Floats:
    """Return the probabilities (STEPS, colours) of a chip with its middle at each step, seen there and beside."""
    scores = evidence[:, FIRST_COLOUR:].astype(np.float64)
    padded = np.pad(scores, ((1, 1), (0, 0)), mode="edge")
    return softmax((padded[:-2] + padded[1:-1] + padded[2:]) / 3, temperature=temperature)


def likely_colours(chips: Floats) -> tuple[list[tuple[Answer, float]], float]:
    """Return the likeliest colourings of chips and their log likelihoods, best first, and that of all others together.

    Args:
        chips: log likelihoods (n, colours), bottom to top. Most chips are of the colour of the one below.
    """
    chips = chips - _seldom(chips.shape[1])
    change = _changes_from_foot(chips.shape[1])
    close = chips - chips.max(axis=1, keepdims=True) > _HOPELESS
    open_ = np.flatnonzero(close.any(axis=0))
    total = chips[0]
    paths: list[list[_Way]] = [[(float(chips[0, colour]), (int(colour) + 1,))] for colour in open_]
    for chip in chips[1:]:
        total = chip + np.logaddexp.reduce(total[:, None] + change, axis=0)
        paths = [_best_ways(paths, change[open_, colour], float(chip[colour]), int(colour)) for colour in open_]
        change = _changes(chips.shape[1])
    ends = sorted((way for ways in paths for way in ways), reverse=True)[:_WAYS]
    whole = float(np.logaddexp.reduce(total))
    named = float(np.logaddexp.reduce([score for score, _ in ends]))
    others = whole + float(np.log(max(1 - np.exp(named - whole), _NONE_LEFT)))
    return [(answer, score) for score, answer in ends], others


def _best_ways(paths: list[list[_Way]], change: Floats, chip: float, colour: int) -> list[_Way]:
    """The best few ways to come to a chip of one colour from the chips below."""
    ways = [
        (score + float(cost) + chip, answer) for cost, some in zip(change, paths, strict=True) for score, answer in some
    ]
    return [(score, (*answer, colour + 1)) for score, answer in sorted(ways, reverse=True)[:_WAYS]]


@lru_cache(maxsize=4)
def _seldom(colours: int) -> Floats:
    """What speaks against each of so many colours beforehand."""
    told = np.zeros(colours)
    for colour, against in _SELDOM.items() if colours == len(COLOURS) + 1 else ():
        told[COLOURS.index(colour)] = against
    return told


@lru_cache(maxsize=4)
def _changes_from_foot(colours: int) -> Floats:
    """As ``_changes``, of the second chip, with what speaks for a dark foot under it."""
    change = _changes(colours).copy()
    if colours == len(COLOURS) + 1:
        for (foot, second), told in _UNDER.items():
            change[COLOURS.index(foot), COLOURS.index(second)] += told
    return np.asarray(change - np.logaddexp.reduce(change, axis=None) + np.log(colours), dtype=np.float64)


@lru_cache(maxsize=4)
def _changes(colours: int) -> Floats:
    """Log probability of a chip's colour (columns) given that of the one below (rows)."""
    change = np.full((colours, colours), np.log((1 - _SAME_AS_BELOW) / (colours - 1)))
    np.fill_diagonal(change, np.log(_SAME_AS_BELOW))
    return change
