"""From scores along a strip to whole stacks with their probabilities.

The strip network answers at every step: gap, or the colour of a chip whose middle is here. A stack is a sequence of
colours; many ways of placing its chips spell it, and its probability is the sum over them (connectionist temporal
classification). A beam search keeps the most probable ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from models.chip_geometry import HIGHEST_STACK

GAP: Final = 0
_BEAM: Final = 10
_NEGLIGIBLE: Final = 2e-3
_LEAST: Final = 1e-4

Answer = tuple[int, ...]


def softmax(scores: NDArray[np.float32], *, temperature: float = 1.0) -> NDArray[np.float64]:
    """Return probabilities along the last axis."""
    level = scores.astype(np.float64) / temperature
    level -= level.max(axis=-1, keepdims=True)
    chances = np.exp(level)
    return np.asarray(chances / chances.sum(axis=-1, keepdims=True), dtype=np.float64)


def likely_sequences(chances: NDArray[np.float64]) -> list[tuple[Answer, float]]:
    """Return the most probable sequences of answers (steps, answers) and their probabilities, best first.

    Together at most 1; what the beam dropped is missing.
    """
    beam: dict[Answer, tuple[float, float]] = {(): (1.0, 0.0)}
    for step in chances:
        symbols = [int(k) for k in np.flatnonzero(step > _NEGLIGIBLE) if k != GAP]
        beam = _kept(_extended(beam, step.tolist(), symbols))
    ranked = sorted(((answer, ended + open_) for answer, (ended, open_) in beam.items()), key=lambda one: -one[1])
    return [(answer, p) for answer, p in ranked if p > _LEAST]


def calibrated(
    likely: list[tuple[Answer, float]], known: Mapping[str, Any], px_per_edge: float
) -> list[tuple[Answer, float]]:
    """Return the sequences with probabilities corrected so that of readings with probability p the share p is right."""
    if not likely:
        return []
    raw = min(max(likely[0][1], 1e-6), 1 - 1e-6)
    fine = min(float(np.log(max(px_per_edge, 0.3))), 2.0)
    level = known["slope"] * np.log(raw / (1 - raw)) + known["offset"] + known["fineness"] * fine
    level += known["height"] * len(likely[0][0])
    best = float(1 / (1 + np.exp(-level)))
    rest = min((1 - best) / (1 - raw), best / max(likely[1][1], 1e-9) if len(likely) > 1 else 1.0)
    return [(likely[0][0], best), *((answer, p * rest) for answer, p in likely[1:])]


def _extended(
    beam: dict[Answer, tuple[float, float]], step: list[float], symbols: list[int]
) -> dict[Answer, tuple[float, float]]:
    """One step further: for every sequence the probability to have ended with a gap, and within its last chip."""
    grown: dict[Answer, tuple[float, float]] = {}

    def add(answer: Answer, ended: float, open_: float) -> None:
        before = grown.get(answer, (0.0, 0.0))
        grown[answer] = (before[0] + ended, before[1] + open_)

    for answer, (ended, open_) in beam.items():
        total = ended + open_
        add(answer, total * step[GAP], open_ * step[answer[-1]] if answer else 0.0)
        if len(answer) >= HIGHEST_STACK + 2:
            continue
        for symbol in symbols:
            same = bool(answer) and answer[-1] == symbol
            add((*answer, symbol), 0.0, (ended if same else total) * step[symbol])
    return grown


def _kept(beam: dict[Answer, tuple[float, float]]) -> dict[Answer, tuple[float, float]]:
    if len(beam) <= _BEAM:
        return beam
    return dict(sorted(beam.items(), key=lambda one: -(one[1][0] + one[1][1]))[:_BEAM])
