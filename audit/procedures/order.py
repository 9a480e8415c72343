"""Comparing when things happened: only what is certain is an inversion."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, groupby, permutations, product
from typing import Final

from audit.reconstruction.changes import Change
from audit.reconstruction.observation import SeenCard
from audit.timing import Span, before

_MOST_AT_ONCE: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """Something done in a place that has a rank in the order demanded: rank 1 comes first.

    Acts of one group are not compared. Without a hand over its place the moment of a change is not known: it may have
    been missed for a while. ``doubtful``: it rests on a reading that is not sure, and may not have been done at all.
    """

    rank: float
    change: Change
    words: str
    seat: int | None = None
    group: int | None = None
    doubtful: bool = False

    @property
    def span(self) -> Span:
        """When it was done."""
        return self.change.span


@dataclass(frozen=True, slots=True, kw_only=True)
class Inversion:
    """Two acts, of which the first came although the second was to come before. ``certain``: their spans are apart."""

    early: Act
    late: Act
    certain: bool


def inversions(acts: Iterable[Act]) -> Sequence[Inversion]:
    """Return every pair out of the order demanded, certain ones first.

    Pairs that overlap are not certain, nor those of which a hand was not seen or one act is doubtful.
    """
    found = []
    for one, other in combinations(sorted(acts, key=lambda act: act.rank), 2):
        if one.rank == other.rank or (one.group is not None and one.group == other.group):
            continue
        right = before(one.span, other.span)
        if right is not True:
            seen = bool(one.change.hands and other.change.hands) and not (one.doubtful or other.doubtful)
            found.append(Inversion(early=other, late=one, certain=right is False and seen))
    return sorted(found, key=lambda pair: (not pair.certain, pair.early.span))


def possible_orders(cards: Sequence[SeenCard]) -> list[tuple[int, ...]]:
    """Return every order in which cards may have come, by their places: those of one gap between states in any order.

    Empty where so many came in one gap that nothing is known of their order.
    """
    places = sorted(range(len(cards)), key=lambda place: cards[place].appeared.state)
    gaps = [tuple(gap) for _, gap in groupby(places, key=lambda place: cards[place].appeared.state)]
    if max(map(len, gaps), default=0) > _MOST_AT_ONCE:
        return []
    return [tuple(chain(*order)) for order in product(*map(permutations, gaps))]
