"""Comparing when things happened: only what is certain is an inversion."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from audit.timing import Span, before


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """Something done in a place that has a rank in the order demanded: rank 1 comes first."""

    rank: float
    span: Span
    words: str
    seat: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Inversion:
    """Two acts, of which the first came although the second was to come before. ``certain``: their spans are apart."""

    early: Act
    late: Act
    certain: bool


def inversions(acts: Iterable[Act]) -> Sequence[Inversion]:
    """Return every pair out of the order demanded, certain ones first; pairs that overlap are not certain."""
    found = []
    for one, other in combinations(sorted(acts, key=lambda act: act.rank), 2):
        if one.rank == other.rank:
            continue
        right = before(one.span, other.span)
        if right is not True:
            found.append(Inversion(early=other, late=one, certain=right is False))
    return sorted(found, key=lambda pair: (not pair.certain, pair.early.span))
