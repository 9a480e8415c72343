"""Wagers and payments counted anew, by the piles that are made of them.

A wager by the piles of one colour into which the dealer breaks it down (004:L740), a payment by the one pile in which
it is handed over with its wager (004:L1044).

Several colours in one pile are miscounted more easily than one colour that stands alone: a pile read as one green and
two reds that becomes two greens and two reds had four cheques before, too. Or one of its piles was misread; or he put
a cheque of its payment upon one in the same moment, if his hand came from the rack.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, product
from math import prod
from typing import Final

from audit.reconstruction.changes import Change, change_between
from audit.reconstruction.evidence import Stack, best, stack_chances
from audit.reconstruction.pile_track import PileTrack
from audit.reconstruction.places import distance
from audit.states import StackCandidate, TableState

_RACK: Final = frozenset({"rack"})
_MIXED_WRONG: Final = 0.01  # of piles of several colours, however surely they were read
_PLAIN_WRONG: Final = 0.003  # of piles of one colour
_PAID_TOO: Final = 0.3  # where the dealer's hand came from the rack, so often he brought the cheque that is more
_PAID_ELSEWHERE: Final = 0.002  # where what it brought lies elsewhere
_COUNTS: Final = 0.05  # a likelihood that is worth telling
_COLOURS: Final = 2
_PAIR: Final = 2  # a wager and its payment
_HANDED_MM: Final = 150.0
_FITS: Final = 1e-5  # less likely together, they are other cheques
_TOLD: Final = 1e-4


def count_anew(tracks: Sequence[PileTrack], states: Sequence[TableState]) -> None:
    """Correct the looks at piles that were read a cheque too low or too high before they were parted or joined."""
    for track in tracks:
        for change in (*(version.change for version in track.versions()[1:]), track.gone):
            if track.spot is not None and change is not None and change.by_dealer:
                _count_by_parts(track, change.state, tracks, _paid_too(track, change, tracks, states))

    for came in tracks:
        if came.spot is None and came.appeared.by_dealer:
            _count_by_whole(came, tracks)


def _count_by_whole(came: PileTrack, tracks: Sequence[PileTrack]) -> None:
    """Weigh the readings of piles that were lifted from one spot by that of the pile that they became."""
    gone = [one for one in tracks if one.gone is not None and one.gone.state == came.appeared.state]
    near = [one for one in gone if one.spot is not None and distance(one.xy_mm, came.xy_mm) <= _HANDED_MM]
    for spot in {one.spot for one in near}:
        lifted = [one for one in near if one.spot == spot]
        read = [one.versions()[-1].stacks for one in lifted]
        if len(lifted) != _PAIR or not all(read):
            continue
        whole = _in_any_order(came.versions()[0].stacks)
        ways = {
            pair: prod(chances[stack] for chances, stack in zip(read, pair, strict=True)) * whole.get(_mixed(pair), 0.0)
            for pair in product(*read)
        }
        total = sum(ways.values())
        if total > _FITS:
            for place, track in enumerate(lifted):
                told: dict[Stack, float] = {}
                for pair, p in ways.items():
                    told[pair[place]] = told.get(pair[place], 0.0) + p / total
                _read_as(track, told, track.versions()[-1].change.state, came.appeared.state)


def _in_any_order(chances: Mapping[Stack, float]) -> dict[Stack, float]:
    told: dict[Stack, float] = {}
    for stack, p in chances.items():
        told[_mixed([stack])] = told.get(_mixed([stack]), 0.0) + p
    return told


def _mixed(stacks: Iterable[Stack]) -> Stack:
    return tuple(sorted(chain.from_iterable(stacks)))


def _read_as(track: PileTrack, told: Mapping[Stack, float], first: int, end: int) -> None:
    """Give a pile's looks from one state up to another these readings."""
    likely = sorted(((stack, p) for stack, p in told.items() if p >= _TOLD), key=lambda way: -way[1])
    stacks = tuple(StackCandidate(stack=stack, p=p) for stack, p in likely)
    track.looks = [
        (index, replace(item, stack=stacks[0].stack, stacks=stacks))
        if first <= index < end and stack_chances(item)
        else (index, item)
        for index, item in track.looks
    ]


def _paid_too(track: PileTrack, change: Change, tracks: Sequence[PileTrack], states: Sequence[TableState]) -> float:
    """How likely the hand that broke a wager down put a cheque upon it, too."""
    before = max((index for index, _ in track.looks if index < change.state), default=None)
    if "dealer" not in change_between(states, before, change.state, _RACK).sides:
        return 0.0
    came = (one for one in tracks if one.appeared.state == change.state and one.spot != track.spot)
    return _PAID_ELSEWHERE if any(one.appeared.by_dealer for one in came) else _PAID_TOO


def _parts(track: PileTrack, state: int, tracks: Sequence[PileTrack]) -> list[Mapping[Stack, float]]:
    """What the piles on a wager's spot are read as that a state shows for the first time, and what is left of it."""
    came = [one for one in tracks if one is not track and one.spot == track.spot and one.appeared.state == state]
    left = [track.stacks_at(state)] if came and track.stands_in(state) else []
    return [*left, *(one.versions()[0].stacks for one in came)]


def _count_by_parts(track: PileTrack, state: int, tracks: Sequence[PileTrack], paid_too: float) -> None:
    version = next((one for one in reversed(track.versions()) if one.change.state < state), None)
    read, parts = version.stacks if version is not None else {}, _parts(track, state, tracks)
    before, piles = best(read), [pile for part in parts if (pile := best(part))]
    if version is None or before is None or len(piles) < len(parts) or not _are_its_colours(before, piles):
        return
    off = _off(before, piles)
    if not off:
        _read_as(track, _as_parts_say(read, parts, before, paid_too), version.change.state, state)
    if off != 1:
        return
    joined = _joined(before, piles)
    told = next((stack for stack in read if Counter(stack) == Counter(joined)), joined)
    brought = 0.0 if Counter(before) - Counter(told) else paid_too  # nobody pays a wager and takes of it at once
    as_parted = prod(max(part.values()) for part in parts)
    ways = {
        told: max(read.get(told, 0.0), _MIXED_WRONG) * as_parted,
        before: read[before] * (max(_as_before(before, parts), _PLAIN_WRONG) + as_parted * brought),
    }
    whole = sum(ways.values())
    if ways[told] < _COUNTS * whole:
        return
    _read_as(track, {one: p / whole for one, p in ways.items()}, version.change.state, state)


def _are_its_colours(before: Stack, piles: Sequence[Stack]) -> bool:
    """Whether piles of one colour each have a pile's colours, at least."""
    colours = [colour for pile in piles for colour in set(pile)]
    return len(colours) >= _COLOURS and len(set(colours)) == len(colours) and not set(before) - set(colours)


def _off(before: Stack, piles: Sequence[Stack]) -> int:
    """How many cheques piles have more, fewer or others than a pile had."""
    now, then = Counter(cheque for pile in piles for cheque in pile), Counter(before)
    return max((now - then).total(), (then - now).total())


def _as_parts_say(
    read: Mapping[Stack, float], parts: Sequence[Mapping[Stack, float]], before: Stack, paid_too: float
) -> dict[Stack, float]:
    """A pile's readings weighed by the piles of ``before`` into which it was broken down; together as likely as ever.

    ``paid_too``: how likely one of their cheques was brought.
    """
    as_parted = prod(max(part.values()) for part in parts)

    def weight(stack: Stack) -> float:
        is_one_less = (Counter(before) - Counter(stack)).total() == 1 and not Counter(stack) - Counter(before)
        return max(_as_before(stack, parts), _PLAIN_WRONG) + (as_parted * paid_too if is_one_less else 0.0)

    weighed = {stack: p * weight(stack) for stack, p in read.items()}
    share = sum(read.values()) / sum(weighed.values())
    return {stack: p * share for stack, p in weighed.items()}


def _joined(before: Stack, piles: Sequence[Stack]) -> Stack:
    """The cheques of piles in one, the colours from bottom to top as they were before; one that was not seen below."""
    cheques = [cheque for pile in piles for cheque in pile]
    order = dict.fromkeys([*(cheque for cheque in cheques if cheque not in before), *before])
    return tuple(cheque for colour in order for cheque in cheques if cheque == colour)


def _as_before(before: Stack, parts: Sequence[Mapping[Stack, float]]) -> float:
    """How likely piles are those into which a pile would be broken down as it was read."""
    counts, whole = Counter(before), 1.0
    for part in parts:
        colour = max(part, key=lambda stack: part[stack])[0]
        whole *= part.get((colour,) * counts.pop(colour, 0), 0.0)
    return 0.0 if counts else whole
