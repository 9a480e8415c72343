"""A way to lay cards that a dealer keeps to, round after round, is one finding and not one of every round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from audit.procedures.drafts import Draft

_WAYS: Final = frozenset({"card-covered"})
_ROUNDS: Final = 3
_SHARE: Final = 0.25


def with_ways_told_once(of_rounds: Sequence[Sequence[Draft]]) -> list[list[Draft]]:
    """Return what was found, round by round; how cards are laid in many of them is told where it was seen first.

    That is in three rounds at least, and in a quarter of those from the first such one to the last.
    """
    told = [list(drafts) for drafts in of_rounds]
    for code in sorted(_WAYS):
        rounds = [place for place, drafts in enumerate(told) if any(one.finding.code == code for one in drafts)]
        if len(rounds) < _ROUNDS or len(rounds) < _SHARE * (rounds[-1] + 1 - rounds[0]):
            continue
        also = f", and so in {len(rounds) - 1} of the {rounds[-1] - rounds[0]} rounds after it"
        for place in rounds:
            own = [one for one in told[place] if one.finding.code == code]
            first = min(own, key=lambda one: one.finding.span)
            finding = replace(first.finding, observed=first.finding.observed + also)
            kept = [replace(first, finding=finding)] if place == rounds[0] else []
            told[place] = [*(one for one in told[place] if one not in own), *kept]
    return told
