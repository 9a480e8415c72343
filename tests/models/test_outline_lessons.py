"""A table's piles teach how far its outlines are to be trusted."""

from __future__ import annotations

import pytest

from audit.states import StackCandidate
from models.outline import Outline
from models.outline_lessons import OutlineLessons

FELT = frozenset({"green", "black"})


def outline(number: int) -> Outline:
    return Outline(heights={number - 1: 0.02, number: 0.9, number + 1: 0.05}, faint=FELT)


def read_as(number: int, colour: str = "red", p: float = 0.8) -> tuple[StackCandidate, ...]:
    return (
        StackCandidate(stack=(colour,) * number, p=p),
        StackCandidate(stack=(colour,) * max(1, number - 1), p=0.9 - p),
    )


def taught(*, shown: int, true: int, piles: int, colour: str = "red") -> OutlineLessons:
    lessons = OutlineLessons()
    for number in range(piles):
        lessons.learn((100.0 * number, 400.0), outline(shown), read_as(true, colour))
    return lessons


def test_before_anything_is_known_outlines_are_believed() -> None:
    left_out = OutlineLessons().left_out((0.0, 0.0))
    assert left_out[0] > 0.9
    assert sum(left_out) == pytest.approx(1.0)


def test_where_piles_are_read_as_higher_than_their_outlines_the_next_one_is_believed_to_be_higher() -> None:
    lessons = taught(shown=2, true=4, piles=6)
    assert not lessons.trusts_outlines((2000.0, 0.0))
    learnt = outline(2).lacking(lessons.left_out((2000.0, 0.0)))
    before = outline(2).chance(("red",) * 4) / outline(2).chance(("red",) * 2)
    after = learnt.chance(("red",) * 4) / learnt.chance(("red",) * 2)
    assert after > 5 * before


def test_where_outlines_agree_with_what_is_read_they_are_believed_all_the_more() -> None:
    assert taught(shown=3, true=3, piles=8).left_out((2000.0, 0.0))[0] > OutlineLessons().left_out((0.0, 0.0))[0]


def test_a_pile_never_testifies_for_itself() -> None:
    lessons = taught(shown=2, true=4, piles=1)
    assert lessons.left_out((10.0, 400.0)) == OutlineLessons().left_out((0.0, 0.0))
    assert lessons.left_out((300.0, 400.0)) != OutlineLessons().left_out((0.0, 0.0))


def test_a_pile_that_is_read_again_counts_once() -> None:
    once, often = taught(shown=2, true=4, piles=1), OutlineLessons()
    for _ in range(5):
        often.learn((3.0, 402.0), outline(2), read_as(4))
    assert often.left_out((900.0, 0.0)) == once.left_out((900.0, 0.0))


def test_chips_of_the_felts_colour_teach_nothing() -> None:
    assert taught(shown=2, true=4, piles=6, colour="green").trusts_outlines((2000.0, 0.0))
