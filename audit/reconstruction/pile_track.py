"""A pile of cheques look by look: what it was from one change to the next, and which changes were misreadings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from audit.reconstruction.changes import Change
from audit.reconstruction.evidence import Stack, agreement, best, may_be_same, pooled, stack_chances
from audit.states import SeenObject
from audit.table import Point

_MISREAD: Final = 2
_SURE: Final = 0.99
_LEFT_OPEN: Final = 0.02  # of an unsure reading, for what a sure one shows
FLICKER: Final = 0.5
"""How well two likeliest readings must agree at least to be the same pile, misread."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PileVersion:
    """A pile while nothing about it changed: what its looks say together, and the change that made it so."""

    stacks: Mapping[Stack, float]
    change: Change
    until: int


@dataclass(slots=True, eq=False)
class PileTrack:
    """One pile on the felt, look by look: pairs of state index and what was seen there.

    ``lapsed``: it was missing in a state, and is taken for the same pile all the same; ``handled``: a hand was over it
    when it was there again, or its place was bare for several states, so that it may be another one like it.
    ``below``: what it was before it last grew.
    """

    number: int
    spot: str | None
    zones: frozenset[str]
    appeared: Change
    looks: list[tuple[int, SeenObject]] = field(default_factory=list)
    gone: Change | None = None
    changes: list[tuple[int, Change]] = field(default_factory=list)
    lapsed: bool = False
    handled: bool = False
    below: Mapping[Stack, float] = field(default_factory=dict)

    @property
    def xy_mm(self) -> Point:
        """Where it stood last."""
        return self.looks[-1][1].xy_mm

    def xy_at(self, state: int) -> Point:
        """Where it stood at that state, as far as it was seen by then."""
        return next((item.xy_mm for index, item in reversed(self.looks) if index <= state), self.looks[0][1].xy_mm)

    def stands_in(self, state: int) -> bool:
        """Return whether the pile stood there at that state, as far as it was seen."""
        return self.looks[0][0] <= state and (self.gone is None or state < self.gone.state)

    def goes_at(self, state: int) -> bool:
        """Return whether that state is the first without it."""
        return self.gone is not None and self.gone.state == state

    def versions(self) -> tuple[PileVersion, ...]:
        """Return what the pile was, from one change to the next."""
        starts = [(self.looks[0][0], self.appeared), *self._lasting_changes()]
        ends = [index for index, _ in starts[1:]] + [self.looks[-1][0] + 1]
        versions: list[PileVersion] = []
        for (start, change), end in zip(starts, ends, strict=True):
            version = PileVersion(
                stacks=pooled(stack_chances(item) for index, item in self.looks if start <= index < end),
                change=change,
                until=max(index for index, _ in self.looks if start <= index < end),
            )
            if versions and (surely := _read_anew(versions[-1], version)):
                version = replace(versions.pop(), stacks=surely, until=version.until)
            versions.append(version)
        return tuple(versions)

    def _lasting_changes(self) -> list[tuple[int, Change]]:
        """The changes without those of a single reading that the next one takes back: a misreading.

        That look may have seen no hand, as where the dealer moved the pile and has left it. Where his hand alone set
        something upon it, and a player's alone lifted it off, he collected his pay; so he did where nobody was seen to
        set as much as the pile itself upon it. And where hands were there both times nobody misread many cheques.
        """
        looks = [(index, chances) for index, item in self.looks if (chances := stack_chances(item))]
        changed = dict(self.changes)
        flickers = set()
        for (_, before), (index, now), (after, again) in zip(looks, looks[1:], looks[2:], strict=False):
            taken_back = index in changed and index not in flickers and may_be_same(before, again)
            collected = {index, after} <= changed.keys() and _paid_and_collected(changed[index], changed[after])
            collected = collected or (after in changed and changed[after].by_player and _is_doubled(before, now))
            handled = all(one in changed and changed[one].hands for one in (index, after))
            if taken_back and best(before) == best(again) and not (collected or (handled and _is_cut(before, now))):
                flickers |= {index, after}
        lasting = [(index, change) for index, change in self.changes if index not in flickers]
        return [one for place, one in enumerate(lasting) if not self._reads_as_before(lasting, place)]

    def _reads_as_before(self, changes: Sequence[tuple[int, Change]], place: int) -> bool:
        """Whether all looks since a change say together what all looks before it said: only one of them was misread."""
        starts = [self.looks[0][0], *(index for index, _ in changes), self.looks[-1][0] + 1]
        before, after = (
            pooled(stack_chances(item) for index, item in self.looks if starts[n] <= index < starts[n + 1])
            for n in (place, place + 1)
        )
        return best(before) is not None and best(before) == best(after) and agreement(before, after) >= FLICKER

    def stacks_at(self, state: int) -> Mapping[Stack, float]:
        """Return what the pile was at that state."""
        known = [version for version in self.versions() if version.change.state <= state]
        return (known or self.versions()[:1])[-1].stacks


def _read_anew(version: PileVersion, later: PileVersion) -> Mapping[Stack, float]:
    """Return what a pile that no hand was near is surely read as, where the other look left that open; else nothing.

    One cheque more or fewer, or another one: so piles are misread.
    """
    unsure, sure = sorted((version.stacks, later.stacks), key=lambda stacks: max(stacks.values(), default=0.0))
    if not unsure or later.change.hands or later.change.blind:
        return {}
    (told, p), read = max(sure.items(), key=lambda way: way[1]), Counter(best(unsure))
    off = max((Counter(told) - read).total(), (read - Counter(told)).total())
    left_open = 1 - sum(unsure.values()) + unsure.get(told, 0.0)
    return sure if p >= _SURE and off == 1 and left_open >= _LEFT_OPEN else {}


def _paid_and_collected(grew: Change, shrank: Change) -> bool:
    """Return whether two changes of a pile that undo each other are a payment upon it and the player's taking it."""
    return grew.by_dealer and shrank.by_player


def _is_cut(before: Mapping[Stack, float], after: Mapping[Stack, float]) -> bool:
    """Return whether a pile has lost more cheques than a misreading is off."""
    old, new = best(before), best(after)
    return old is not None and new is not None and len(old) - len(new) > _MISREAD and not Counter(new) - Counter(old)


def _is_doubled(before: Mapping[Stack, float], after: Mapping[Stack, float]) -> bool:
    """Return whether a pile has all its cheques twice: no misreading, which is one or two off, of more than two."""
    old, new = best(before), best(after)
    if old is None or new is None or len(old) <= _MISREAD:
        return False
    return Counter(new) == Counter((*old, *old))
