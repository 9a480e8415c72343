"""Dice after the reveal: what each shows, over all looks from the reveal to the end of the round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from audit.reconstruction.changes import Change, change_between
from audit.reconstruction.evidence import best, die_chances, pooled
from audit.reconstruction.places import distance, lies_there
from audit.reconstruction.slices import Slice
from audit.rounds import Die
from audit.states import SeenObject
from audit.table import Point

_READ_FROM: Final = 0.5
_CARRIED_MM: Final = 40.0
_CARRIED_READ: Final = 0.9


@dataclass(frozen=True, kw_only=True)
class SeenDie:
    """A die as all its looks after the reveal say.

    ``changed``: it certainly showed another face later, ``turned_to``; ``moved``: it lay elsewhere, the others lay
    as before.
    """

    chances: Mapping[str, float]
    colour: str | None
    xy_mm: Point
    changed: Change | None = None
    turned_to: int | None = None
    moved: Change | None = None

    @property
    def likeliest(self) -> int | None:
        """The likeliest face, None if none is likelier than not."""
        face = best(self.chances)
        return int(face) if face is not None and self.chances[face] >= _READ_FROM else None

    def as_die(self) -> Die:
        """Return the die of the round's record."""
        return Die(value=self.likeliest, colour=self.colour)


def dice_seen(piece: Slice, *, after: int) -> tuple[tuple[SeenDie, ...], Change | None]:
    """Return the dice of the round and the change that revealed them: seen from the state ``after`` (the last card) on.

    Dice that an earlier state of the round already showed were not covered: they count all the same, unless they were
    covered and uncovered once more; then those of the last time count. Where their place was hidden, they may have been
    shown since the last look at it.
    """
    shown = [index for index in range(after, len(piece.states)) if _dice(piece, index)]
    latest = max((index for index in shown if index <= piece.last), default=after)
    covered = [
        index for index in range(after, latest) if _is_covered(piece, index) or _thrown_anew(piece, shown, index)
    ]
    shown = [index for index in shown if not covered or index > covered[-1]]
    if not shown:
        return (), None
    most = max(len(_dice(piece, index)) for index in shown if index <= piece.last or index == shown[0])
    first = next(index for index in shown if len(_dice(piece, index)) == most)
    before = max((i for i in range(first) if _is_covered(piece, i) or _dice(piece, i)), default=None)
    before = max((i for i in range(first) if piece.states[i].view == "ok"), default=None) if before is None else before
    reveal = change_between(piece.states, before, first, ("dice",))
    dice = _dice(piece, first)
    moved = _moved(piece, first, dice)
    return tuple(replace(_seen(piece, first, die), moved=moved.get(n)) for n, die in enumerate(dice)), reveal


def _moved(piece: Slice, first: int, dice: Sequence[SeenObject]) -> dict[int, Change]:
    """When one of the dice, by its place among them, was first seen elsewhere, the others being where they were.

    Or all of them, each showing the face it showed, where the dealer's hand was over them: then the first.
    """
    for index in range(first + 1, piece.last + 1):
        now = list(_dice(piece, index))
        gone = [n for n, die in enumerate(dice) if not any(lies_there(die, other) for other in now)]
        came = [other for other in now if not any(lies_there(die, other) for die in dice)]
        if len(now) == len(dice) and len(gone) == len(came) == 1 and came[0].colour == dice[gone[0]].colour:
            return {gone[0]: change_between(piece.states, index - 1, index, ("dice",))}
        change = change_between(piece.states, index - 1, index, ("dice",))
        if len(gone) == len(came) == len(now) == len(dice) > 1 and change.by_dealer and _carried(dice, now):
            return {0: change}
    return {}


def _carried(dice: Sequence[SeenObject], now: Sequence[SeenObject]) -> bool:
    """Whether dice were carried elsewhere: the same faces, nearly surely read, farther than a pushed camera shows."""
    lay, lie = ([(_face(die), die) for die in some] for some in (dice, now))
    faces = [sorted(face for face, _ in some) for some in (lay, lie)]
    apart = [distance(one.xy_mm, other.xy_mm) for face, one in lay for like, other in lie if face == like]
    return faces[0] == faces[1] and 0 not in faces[0] and min(apart) > _CARRIED_MM


def _face(die: SeenObject) -> int:
    """The face of a die that is nearly surely read, else 0."""
    look = die_chances(die)
    return int(best(look) or 0) if max(look.values(), default=0.0) >= _CARRIED_READ else 0


def _dice(piece: Slice, index: int) -> tuple[SeenObject, ...]:
    state = piece.states[index]
    return tuple(item for item in state.objects if item.kind == "die") if state.view == "ok" else ()


def _is_covered(piece: Slice, index: int) -> bool:
    """Whether a state shows the dice's place in full, and no die; under a hand the lid may be off already."""
    state = piece.states[index]
    return state.view == "ok" and "dice" not in state.covered and not _dice(piece, index)


def _thrown_anew(piece: Slice, shown: list[int], index: int) -> bool:
    """Whether a state shows no die, and those before it lay at other places, or on other faces, than those after it.

    Every one of them: in a dish they come to lie where others lay before, and who turns one over leaves the rest.
    """
    before, later = [i for i in shown if i < index], [i for i in shown if i > index]
    if _dice(piece, index) or not before or not later:
        return False
    lay, lie = _dice(piece, before[-1]), _dice(piece, later[0])
    return not any(lies_there(die, other) and not _shows_another(die, other) for die in lay for other in lie)


def _shows_another(die: SeenObject, other: SeenObject) -> bool:
    faces = die_chances(die), die_chances(other)
    return all(map(_sure, faces)) and best(faces[0]) != best(faces[1])


def _seen(piece: Slice, first: int, die: SeenObject) -> SeenDie:
    looks = [die_chances(die)]
    changed = turned_to = None
    for index in range(first + 1, piece.last + 1):
        near = [other for other in _dice(piece, index) if lies_there(other, die)]
        same = [other for other in near if other.colour in (die.colour, None)]
        if not same:
            continue
        look = _same_look(same, die)
        if changed is None and best(look) != best(looks[0]) and _sure(look) and _sure(looks[0]):
            changed, turned_to = change_between(piece.states, index - 1, index, ("dice",)), int(best(look) or 0)
        if changed is None:
            looks.append(look)
    return SeenDie(
        chances=pooled(looks), colour=die.colour, xy_mm=die.xy_mm, changed=changed, turned_to=turned_to or None
    )


def _same_look(near: Sequence[SeenObject], die: SeenObject) -> Mapping[str, float]:
    """How a die looks among dice so near that each may be it: as before if one of them does, else the nearest."""
    looks = [die_chances(other) for other in sorted(near, key=lambda other: distance(other.xy_mm, die.xy_mm))]
    return next((look for look in looks if best(look) == best(die_chances(die))), looks[0])


def _sure(look: Mapping[str, float]) -> bool:
    return max(look.values(), default=0.0) >= 0.99  # noqa: PLR2004 - as certain as a violation must be
