"""How far the outlines of piles are to be trusted at a table, learnt from the piles that stand there.

Under some lamps the sides of a pile are as dark as its shadow, and its outline leaves out the chips at the foot,
whatever their colour; under others it is exact. The readers of chips do not go by the outline: where they keep seeing
more chips than it shows, the next outline is believed to show fewer than there are, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from audit.states import StackCandidate
from models.camera import Floats
from models.outline import Outline
from models.proposals import Proposal
from models.sighting import Sighting

_BEFORE: Final = (0.92, 0.08)
"""Piles, as if seen before: nearly all had an outline that left out no chip, few one that left out some."""
_MISSED: Final = np.array([0.0, 0.3, 0.22, 0.17, 0.13, 0.1, 0.08])  # where some are left out: none, one, two, ...
_MISREAD: Final = 0.03  # a number of chips that is read as nothing like it
_ROUNDS: Final = 30
_MOST_PILES: Final = 200
_TRUSTED: Final = 0.7
_OWN_MM: Final = 25.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pile:
    place_mm: tuple[float, float]
    chances: Floats


class OutlineLessons:
    """Remembers, pile by pile, how likely its outline shows all chips, and left out some; the latest of every place."""

    def __init__(self) -> None:
        self._piles: list[_Pile] = []

    def applied(self, one: Proposal) -> Outline | None:
        """Return the outline of what may lie there as it is to be read at this table; None if it has none."""
        return None if one.outline is None else one.outline.lacking(self.left_out(one.xy_mm))

    def trusts_outlines(self, place_mm: tuple[float, float]) -> bool:
        """Return whether a pile may be placed by its outline; not where too many leave out a part of the pile."""
        return self.left_out(place_mm)[0] >= _TRUSTED

    def learn_all(self, proposals: Sequence[Proposal], answers: Sequence[Sighting]) -> None:
        """Take note of the piles among what was proposed, in the order of what was answered."""
        for one, answer in zip(proposals, answers, strict=True):
            if one.outline is not None:
                self.learn(one.xy_mm, one.outline, answer.unweighed)

    def learn(self, place_mm: tuple[float, float], outline: Outline, stacks: Sequence[StackCandidate]) -> None:
        """Take note of a pile.

        Args:
            place_mm: where it stands; what was known of this place is forgotten.
            outline: its outline.
            stacks: what it is by the chips alone, best first. Of a colour that does not show on the felt it teaches
                nothing: what such a foot hides is told by ``Outline.chance``.
        """
        self._piles = self._elsewhere(place_mm)
        if not stacks or stacks[0].stack[0] in outline.faint:
            return
        numbers = np.zeros(1 + max(outline.heights) + len(_MISSED))
        for one in stacks:
            if len(one.stack) < len(numbers):
                numbers[len(one.stack)] += one.p
        left_out = np.zeros(len(_MISSED))
        for number, p in outline.heights.items():
            left_out += p * numbers[number : number + len(_MISSED)]
        chances = np.array([left_out[0], _MISSED @ left_out]) + _MISREAD
        self._piles = [*self._piles, _Pile(place_mm=place_mm, chances=chances)][-_MOST_PILES:]

    def left_out(self, place_mm: tuple[float, float]) -> tuple[float, ...]:
        """Return the probabilities that an outline leaves out 0, 1, 2, ... chips, told by the piles elsewhere."""
        others = self._elsewhere(place_mm)
        shares = np.array(_BEFORE) / sum(_BEFORE)
        if others:
            chances = np.stack([one.chances for one in others])
            for _ in range(_ROUNDS):
                each = chances * shares
                total = (each / each.sum(axis=1, keepdims=True)).sum(axis=0) + _BEFORE
                shares = total / total.sum()
        return tuple(float(p) for p in [shares[0], *shares[1] * _MISSED[1:]])

    def _elsewhere(self, place_mm: tuple[float, float]) -> list[_Pile]:
        x, y = place_mm
        return [one for one in self._piles if np.hypot(one.place_mm[0] - x, one.place_mm[1] - y) > _OWN_MM]
