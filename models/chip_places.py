"""Where the chips of a stack lie, as the evidence along its strip tells.

Where the camera is known every chip has a place of its own: chips lie up to some millimetres aside of the one below, so
that one laid towards the camera seems lower and hides a part of the next. All ways in which so many chips can lie are
summed up. What one seems too high the next seems too low: from foot to rim a pile is about as high as its chips.
Where the camera was guessed all chips of a stack are equally high, however high that is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from models.cheque_size import HIGHEST_STACK
from models.chip_geometry import CHIPS_BELOW, STEPS, STEPS_PER_CHIP

FOOT: Final = 0
RIM: Final = 1
LINE: Final = 2
INSIDE: Final = 3
FIRST_COLOUR: Final = 4
"""Columns of the network's answer; from ``FIRST_COLOUR`` on the colours, in the order of ``COLOURS``, then "other"."""

FEET: Final = 23
HEIGHTS: Final = 9
"""From one rim to the next are 1 to so many steps."""
EXPECTED_FOOT: Final = round(CHIPS_BELOW * STEPS_PER_CHIP)
_FOOT_SPREAD: Final = 3.0
_ONE_MORE: Final = 0.3  # speaks against each chip more: wagers are lower than the stacks of the training
_TIDY: Final = 0.95  # of the chips lie nearly straight upon the one below
_TIDY_SPREAD: Final = 0.6
_LOOSE_SPREAD: Final = 1.3
_UPRIGHT: Final = 0.9  # of the stacks are about as high as their chips
_UPRIGHT_SPREAD: Final = 1.5
_ASKEW_SPREAD: Final = 4.0
_PITCHES: Final = tuple(0.62 * 1.03**number for number in range(27))
_PITCH_SPREAD: Final = 0.12
_NUMBERS: Final = 4  # that are likeliest, of which the ways are told
_PLACES: Final = 4
_PLACE_SHARE: Final = 0.02
_OF_ALL: Final = 0.01  # of all ways to lie, of whatever number; the likeliest of each number is told anyway
_NEVER: Final = -1e9

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lie:
    """One way in which a number of chips may lie: the steps of their middles (n,), and how likely it is."""

    middles: NDArray[np.int64]
    p: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ways:
    """How likely each number of chips is (HIGHEST_STACK + 1,), 0 of none, and for the likeliest the ways to lie.

    What the numbers lack to 1: there is no stack.
    """

    numbers: Floats
    lies: Sequence[tuple[Lie, ...]]


def ways_to_lie(evidence: NDArray[Any], *, calibrated: bool, temper: float = 1.0) -> Ways:
    """Return how many chips there may be, and where.

    Args:
        evidence: (STEPS, at least FIRST_COLOUR).
        calibrated: whether the camera is known, so that the height of a chip is.
        temper: how much the evidence is softened.
    """
    (ways,) = ways_of_many([evidence], calibrated=[calibrated], tempers=[temper])
    return ways


def ways_of_many(
    evidence: Sequence[NDArray[Any]], *, calibrated: Sequence[bool], tempers: Sequence[float]
) -> list[Ways]:
    """Return the same for several stacks, for each whether its camera is known and how much is softened."""
    told = [one[:, :FIRST_COLOUR].astype(np.float64) for one in evidence]
    loose = [number for number, known in enumerate(calibrated) if known]
    ways = dict(zip(loose, _loose_ways([told[n] for n in loose], [tempers[n] for n in loose]), strict=True))
    return [ways[n] if n in ways else _rigid_ways(one, tempers[n]) for n, one in enumerate(told)]


def foot_expected() -> Floats:
    """Return what is expected of the foot's step (FEET,) before anything is seen, up to a constant."""
    return -(((np.arange(FEET) - EXPECTED_FOOT) / _FOOT_SPREAD) ** 2) / 2


@lru_cache(maxsize=1)
def height_expected() -> Floats:
    """Return the log likelihood of each height of a chip in steps (HEIGHTS,), from the highest to a single step."""
    off = np.arange(HEIGHTS, 0, -1) - STEPS_PER_CHIP
    chances = sum(
        share * np.exp(-((off / spread) ** 2) / 2) / np.exp(-((off / spread) ** 2) / 2).sum()
        for share, spread in ((_TIDY, _TIDY_SPREAD), (1 - _TIDY, _LOOSE_SPREAD))
    )
    return np.asarray(np.log(chances))


@lru_cache(maxsize=1)
def whole_expected() -> Floats:
    """Return what speaks for a stack (4 STEPS + 1,) by how many steps its height is off its chips', 0 if by none.

    The middle one is of none. The networks were trained without it.
    """
    off = np.arange(-2 * STEPS, 2 * STEPS + 1)
    shapes = [(share, -((off / spread) ** 2) / 2) for share, spread in
              ((_UPRIGHT, _UPRIGHT_SPREAD), (1 - _UPRIGHT, _ASKEW_SPREAD))]  # fmt: skip
    parts = [np.log(share) + shape - np.logaddexp.reduce(shape) for share, shape in shapes]
    expected = np.logaddexp(*parts)
    return np.asarray(expected - expected[2 * STEPS])


def _loose_ways(stacks: Sequence[Floats], tempers: Sequence[float]) -> list[Ways]:
    """All ways of stacks (STEPS, FIRST_COLOUR) of which the height of a chip is known, chip by chip, all at once."""
    if not stacks:
        return []
    temper = np.array(tempers)[:, None]
    told = np.array(stacks)
    told[..., LINE] -= _ONE_MORE
    told, expected = told / temper[..., None], height_expected() / temper
    expected = expected - np.logaddexp.reduce(expected, axis=1, keepdims=True)  # the heights of a chip are one question
    inside = np.zeros(told.shape[:2])
    inside[:, 1:] = np.cumsum(told[:, :-1, INSIDE], axis=1)
    way = np.full(told.shape[:2], _NEVER)
    way[:, :FEET] = told[:, :FEET, FOOT] + foot_expected() / temper - inside[:, :FEET]
    best, ends, lines = way.copy(), told[..., RIM] + inside, told[..., LINE]
    back = np.empty((HIGHEST_STACK, *way.shape), dtype=np.int64)
    lasts = np.empty((HIGHEST_STACK, *way.shape))
    steps = np.arange(STEPS)
    feet = np.broadcast_to(steps, way.shape)  # on which the likeliest way to each step stands
    for number in range(HIGHEST_STACK):
        way, best, back[number] = _one_chip_more(way, best, expected)
        feet = np.take_along_axis(feet, back[number].clip(0), axis=1)
        off = steps - feet - STEPS_PER_CHIP * (number + 1)
        lasts[number] = way + ends + whole_expected()[off + 2 * STEPS]
        way, best = way + lines, best + lines
    return [_loose(lasts[:, stack], back[:, stack]) for stack in range(len(stacks))]


def _loose(lasts: Floats, back: NDArray[np.int64]) -> Ways:
    """The ways of one stack.

    Args:
        lasts: for each number of chips from 1 the logs of what speaks for its upper end at each step.
        back: the likeliest step of each chip's lower rim, by its upper one's.
    """
    scores = np.logaddexp.reduce(lasts, axis=1)
    whole = np.logaddexp(np.logaddexp.reduce(scores), 0.0)
    numbers = np.concatenate([[0.0], np.exp(scores - whole)])
    likely = set(np.argsort(-scores)[:_NUMBERS].tolist())
    lies = [
        _lies(last - score, list(back[: n + 1]), number_p=float(numbers[n + 1])) if n in likely else ()
        for n, (last, score) in enumerate(zip(lasts, scores, strict=True))
    ]
    return Ways(numbers=numbers, lies=[(), *lies])


def _one_chip_more(way: Floats, best: Floats, expected: Floats) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """What speaks for a chip's upper rim at each step, from all its lower ones and from the likeliest, and that step.

    Args:
        way: what speaks for a rim at each step (stacks, STEPS), in whatever ways the chips below lie.
        best: the same in the likeliest way.
        expected: of each height of a chip (stacks, HEIGHTS), see ``height_expected``.
    """
    padded = np.full((2, len(way), HEIGHTS + STEPS), _NEVER)
    padded[0, :, HEIGHTS:], padded[1, :, HEIGHTS:] = way, best
    below = np.lib.stride_tricks.sliding_window_view(padded, HEIGHTS, axis=2)[:, :, :STEPS]
    every = below + expected[:, None]
    most = every.max(axis=3)
    chosen = every[1].argmax(axis=2)
    summed = most[0] + np.log(np.exp(every[0] - most[0][..., None]).sum(axis=2))
    return summed, most[1], np.arange(STEPS) - HEIGHTS + chosen


def _lies(shares: Floats, back: Sequence[NDArray[np.int64]], *, number_p: float) -> tuple[Lie, ...]:
    """The likeliest ways with rims at the likeliest steps; ``shares`` (STEPS,): logs of how likely the upper end is."""
    best = [int(step) for step in np.argsort(-shares)[:_PLACES]]
    least = np.log(max(_PLACE_SHARE, _OF_ALL / max(number_p, _OF_ALL)))
    ends = [step for place, step in enumerate(best) if place == 0 or shares[step] >= least]
    return tuple(Lie(middles=_middles(_rims(end, back)), p=float(np.exp(shares[end]))) for end in ends)


def _rims(end: int, back: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    rims = [end]
    for step in reversed(back):
        rims.append(int(max(0, step[rims[-1]])))
    return np.array(rims[::-1])


def _middles(rims: NDArray[np.int64]) -> NDArray[np.int64]:
    """The middle of what shows of each chip; where the next lies farther away its face shows, and the rest is side."""
    upper = np.minimum(rims[1:], rims[:-1] + STEPS_PER_CHIP)
    return np.asarray((rims[:-1] + upper) // 2).clip(0, STEPS - 1)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StackSteps:
    """Steps of the strip for every pitch, foot and number of chips: (pitches, feet, HIGHEST_STACK + 1).

    ``pitches``: heights of a chip that are tried, over the expected one. ``rims``: of the upper end of ``n`` chips,
    ``middles`` (last axis HIGHEST_STACK): of each chip. ``possible``: the stack ends within the strip. ``prior``: what
    is expected of foot and pitch before anything is seen (pitches, feet, 1), up to a constant.
    """

    pitches: Floats
    rims: NDArray[np.int64]
    middles: NDArray[np.int64]
    possible: NDArray[np.bool_]
    prior: Floats


@lru_cache(maxsize=1)
def rigid_steps() -> StackSteps:
    """Return the steps of all stacks whose chips are equally high."""
    pitches = np.array(_PITCHES)
    pitch = pitches[:, None, None] * STEPS_PER_CHIP
    feet = np.arange(FEET)[None, :, None]
    rims = np.round(feet + pitch * np.arange(HIGHEST_STACK + 1)).astype(np.int64)
    middles = np.round(feet + pitch * (np.arange(HIGHEST_STACK) + 0.5)).astype(np.int64)
    possible = (rims < STEPS) & (np.arange(HIGHEST_STACK + 1) > 0)
    expected = -((np.log(pitches) / _PITCH_SPREAD) ** 2)[:, None, None] / 2 + foot_expected()[None, :, None]
    return StackSteps(
        pitches=pitches,
        rims=rims.clip(0, STEPS - 1),
        middles=middles.clip(0, STEPS - 1),
        possible=possible,
        prior=expected,
    )


def _rigid_ways(told: Floats, temper: float) -> Ways:
    where = rigid_steps()
    inside = np.concatenate([[0.0], np.cumsum(told[:, INSIDE])])
    lines = np.cumsum(
        np.concatenate([np.zeros((*where.rims.shape[:2], 1)), told[where.rims[..., 1:], LINE]], axis=2), axis=2
    )
    lines[..., 1:] = lines[..., :-1]  # between n chips there are n - 1 lines
    feet = np.arange(FEET)[None, :, None]
    score = told[feet, FOOT] + told[where.rims, RIM] + lines + inside[where.rims] - inside[feet]
    score = np.where(where.possible, (score + where.prior) / temper, -np.inf)
    most = max(float(score.max()), 0.0)
    chances = np.exp(score - most)
    chances /= chances.sum() + np.exp(-most)
    numbers = chances.sum(axis=(0, 1))
    return Ways(numbers=numbers, lies=[_rigid_lies(chances[..., n], where, n) for n in range(HIGHEST_STACK + 1)])


def _rigid_lies(chances: Floats, where: StackSteps, number: int) -> tuple[Lie, ...]:
    """The likeliest places of a stack of some number of chips, at most one for each foot."""
    whole = float(chances.sum())
    if number == 0 or whole <= 0:
        return ()
    pitches = chances.argmax(axis=0)
    best = chances[pitches, np.arange(chances.shape[1])]
    feet = [int(foot) for foot in np.argsort(-best)[:_PLACES] if best[foot] >= _PLACE_SHARE * best.max()]
    return tuple(Lie(middles=where.middles[pitches[foot], foot, :number], p=float(best[foot] / whole)) for foot in feet)
