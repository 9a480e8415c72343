"""How far two reviewers agree: the share of equal answers, and Cohen's kappa, which takes off what chance gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

Pair = tuple[str, str]
"""What the first and what the second reviewer said of the same thing."""


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """``n`` pairs of answers; ``share`` and ``kappa`` are None where nothing, or only one answer by both, was given."""

    n: int
    agreed: int
    share: float | None
    kappa: float | None


def agreement(pairs: Sequence[Pair]) -> Agreement:
    """Return how far the pairs agree.

    Cohen (1960), "A coefficient of agreement for nominal scales": kappa = (observed - by chance) / (1 - by chance).
    """
    n = len(pairs)
    agreed = sum(one == other for one, other in pairs)
    if n == 0:
        return Agreement(n=0, agreed=0, share=None, kappa=None)
    first, second = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    chance = sum(first[answer] * second[answer] for answer in first)  # of n * n
    kappa = None if chance == n * n else (agreed * n - chance) / (n * n - chance)
    return Agreement(n=n, agreed=agreed, share=agreed / n, kappa=kappa)
