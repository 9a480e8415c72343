"""A row of piles on one spot, from left to right, and the piles that a later look shows there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from typing import Final

from audit.reconstruction.evidence import may_be_same, stack_chances
from audit.reconstruction.pile_track import PileTrack
from audit.reconstruction.places import PAYS_WITHIN_MM, SAME_PLACE_MM, distance
from audit.states import SeenObject

_MOST: Final = 5  # piles whose orders are all tried


def set_beside(row: Sequence[PileTrack], now: Sequence[SeenObject]) -> bool:
    """Return whether a pile came nearer to one of a row that has stayed than to every one that is gone."""
    stay = [track for track in row if any(distance(track.xy_mm, item.xy_mm) <= SAME_PLACE_MM for item in now)]
    gone = [track for track in row if track not in stay]
    came = [item for item in now if all(distance(track.xy_mm, item.xy_mm) > SAME_PLACE_MM for track in stay)]

    def apart(item: SeenObject, tracks: Sequence[PileTrack]) -> float:
        return min((distance(track.xy_mm, item.xy_mm) for track in tracks), default=float("inf"))

    return any(apart(item, stay) < apart(item, gone) for item in came)


def likeliest_same(row: Sequence[PileTrack], now: Sequence[SeenObject]) -> list[SeenObject]:
    """Return those of more piles that may be a row, from left to right, and are moved least for that; else all."""
    ways = [list(some) for some in combinations(now, len(row)) if same_piles(row, some)]
    return min(ways, key=lambda some: _apart(row, some), default=list(now))


def in_another_order(row: Sequence[PileTrack], now: Sequence[SeenObject]) -> list[SeenObject]:
    """Return as many piles in the order in which they may be those of a row and are moved least for that; else all.

    Where the dealer puts a split's new bet between two others, those that stood apart change places.
    """
    if same_piles(row, now) or len(now) > _MOST:
        return list(now)
    ways = [list(some) for some in permutations(now) if same_piles(row, some)]
    return min(ways, key=lambda some: _apart(row, some), default=list(now))


def _apart(row: Sequence[PileTrack], now: Sequence[SeenObject]) -> float:
    return sum(distance(track.xy_mm, item.xy_mm) for track, item in zip(row, now, strict=True))


def drawn_in(row: Sequence[PileTrack], alive: Sequence[PileTrack], items: Sequence[SeenObject]) -> list[PileTrack]:
    """Return the piles that stood in no zone beside those of a spot and are gone: they may have been drawn into it."""
    return [
        track
        for track in alive
        if track.spot is None
        and any(distance(track.xy_mm, one.xy_mm) <= PAYS_WITHIN_MM for one in row)
        and all(distance(track.xy_mm, item.xy_mm) > SAME_PLACE_MM for item in items)
    ]


def same_piles(row: Sequence[PileTrack], now: Sequence[SeenObject]) -> bool:
    """Return whether a row of piles may be the same from left to right as another, as far as both were read."""
    looks = ([chances for _, item in track.looks if (chances := stack_chances(item))] for track in row)
    before = [read[-1] if read else {} for read in looks]
    after = [stack_chances(item) for item in now]
    pairs = list(zip(before, after, strict=False))
    read = any(one and other for one, other in pairs)
    return len(before) == len(after) and read and all(may_be_same(one, other) for one, other in pairs)


def nearest(
    tracks: Sequence[PileTrack], items: Sequence[SeenObject], within_mm: float
) -> Iterator[tuple[PileTrack, SeenObject]]:
    """Yield pairs of piles and what is seen of them now, the nearest first, each of them once."""
    priced = sorted(
        (distance(track.xy_mm, item.xy_mm), t, i) for t, track in enumerate(tracks) for i, item in enumerate(items)
    )
    used_tracks: set[int] = set()
    used_items: set[int] = set()
    for apart, t, i in priced:
        if apart <= within_mm and t not in used_tracks and i not in used_items:
            used_tracks.add(t)
            used_items.add(i)
            yield tracks[t], items[i]
