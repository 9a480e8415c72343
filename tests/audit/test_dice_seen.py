"""Which dice are the round's: those that were uncovered last, wherever they lie."""

import pytest

from audit.reconstruction.dice import dice_seen
from audit.reconstruction.slices import Slice
from audit.states import SeenObject, TableState
from audit.timing import Span

OLD = {(0.0, 79.0): 5, (1.0, 113.0): 4}
NEW = {(14.0, 97.0): 5, (-19.0, 104.0): 1}


def state(index: int, dice: dict[tuple[float, float], int], *covered: str) -> TableState:
    objects = tuple(SeenObject(kind="die", xy_mm=place, value=value) for place, value in dice.items())
    return TableState(
        span=Span.of(1000 * index, 1000 * index + 400), objects=objects, covered=frozenset(covered), view="ok"
    )


def values(*looks: tuple[dict[tuple[float, float], int], tuple[str, ...]]) -> list[int | None]:
    states = tuple(state(index, dice, *covered) for index, (dice, covered) in enumerate(looks))
    dice, _ = dice_seen(Slice(states=states, first=0, last=len(states) - 1), after=0)
    return sorted(die.likeliest or 0 for die in dice)


@pytest.mark.parametrize("covered", [(), ("dice",)])
def test_dice_that_were_gone_and_lie_elsewhere_were_thrown_anew(covered: tuple[str, ...]) -> None:
    assert values((OLD, ()), ({}, covered), (NEW, ())) == [1, 5]


def test_dice_that_a_hand_hid_and_that_lie_as_before_are_the_same() -> None:
    """What they seem to show later may be misread; the first look counts with the others."""
    assert values((OLD, ()), ({}, ("dice",)), (OLD, ())) == [4, 5]


def test_one_die_that_lies_as_before_was_not_thrown() -> None:
    moved = {(0.0, 79.0): 5, (60.0, 113.0): 2}
    assert values((OLD, ()), ({}, ("dice",)), (moved, ())) == [4, 5]
