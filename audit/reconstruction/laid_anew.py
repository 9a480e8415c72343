"""Several piles of one wager that the dealer lays out anew at once, as by colour before he pays it: it stays the wager.

A bet of two piles of mixed colours becomes three of one colour each (004:L741): what stands on its spot is worth what
it was, cheque for cheque, though no pile of it lasts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from audit.reconstruction.elements import Element
from audit.reconstruction.evidence import cheques_of
from audit.reconstruction.pile_track import PileTrack, PileVersion


def lay_anew(elements: Sequence[Element], state: int, came: Sequence[PileTrack]) -> Iterator[tuple[int, int]]:
    """Let wagers be the piles into which the dealer laid them at a state, and yield the piles that changed so.

    Yields:
        number and state of every pile that lasts and reads otherwise since.
    """
    for spot in {element.spot for element in elements}:
        row = [one for one in elements if one.spot == spot and one.track.stands_in(state - 1)]
        new = [track for track in came if track.spot == spot]
        gone = [one for one in row if one.track.goes_at(state)]
        if len(row) > 1 and _is_untouched(row) and len(gone) <= len(new) and _by_dealer(row, state, new):
            before = _before(row, state)
            if before is None or before != _after(row, state, new):
                continue
            yield from ((one.track.number, state) for one in row if _version(one.track, state) is not None)
            row[0].parts += new
            for one, track in zip(gone, new, strict=False):
                one.track = track


def _is_untouched(row: Sequence[Element]) -> bool:
    return all(one.stake and not (one.pays or one.parts or one.taken) for one in row)


def _by_dealer(row: Sequence[Element], state: int, new: Sequence[PileTrack]) -> bool:
    changes = [track.appeared for track in new]
    changes += [gone for one in row if (gone := one.track.gone) is not None and one.track.goes_at(state)]
    changes += [version.change for one in row if (version := _version(one.track, state)) is not None]
    return bool(changes) and all(change.sides == {"dealer"} for change in changes)


def _version(track: PileTrack, state: int) -> PileVersion | None:
    """What a pile is since it changed at a state; None if it did not."""
    return next((version for version in track.versions()[1:] if version.change.state == state), None)


def _before(row: Sequence[Element], state: int) -> Counter[str] | None:
    return cheques_of([one.track.stacks_at(state - 1) for one in row])


def _after(row: Sequence[Element], state: int, new: Sequence[PileTrack]) -> Counter[str] | None:
    standing = [one.track.stacks_at(state) for one in row if one.track.stands_in(state)]
    return cheques_of([*standing, *(track.versions()[0].stacks for track in new)])
