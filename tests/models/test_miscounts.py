"""A pile that every look reads alike may still be a cheque more or fewer."""

from __future__ import annotations

import pytest

from audit.states import StackCandidate
from models.miscounts import with_a_miscount_of_all_looks, with_a_miscount_of_one_look


def told(*stack: str, p: float = 1.0) -> dict[tuple[str, ...], float]:
    return {one.stack: one.p for one in with_a_miscount_of_all_looks([StackCandidate(stack=stack, p=p)])}


def test_a_high_pile_may_be_a_cheque_more_or_fewer() -> None:
    six = told(*["red"] * 6)
    assert set(six) == {("red",) * 5, ("red",) * 6, ("red",) * 7}
    assert six[("red",) * 6] > 0.98
    assert six[("red",) * 5] == six[("red",) * 7] == pytest.approx(0.004)
    assert sum(six.values()) == pytest.approx(1.0)


def test_the_longest_run_is_miscounted_and_a_neighbour_may_be_taken_for_the_other_colour() -> None:
    assert set(told("green", "red", "red", "red")) == {
        ("green", "red", "red"),
        ("green", "red", "red", "red"),
        ("green", "red", "red", "red", "red"),
        ("green", "green", "red", "red"),
    }


def test_no_colour_goes_for_its_neighbour() -> None:
    three = told("green", "red", "red", "white")
    assert ("green", "green", "red", "white") in three
    assert ("green", "red", "white", "white") in three
    assert all({"green", "red", "white"} == set(stack) for stack in three)
    assert sum(three.values()) == pytest.approx(1.0)


def test_three_cheques_are_miscounted_oftener_than_higher_piles() -> None:
    three = told("red", "red", "red")
    assert three[("red",) * 2] == three[("red",) * 4] == pytest.approx(0.01)


def test_two_cheques_are_counted_at_a_glance() -> None:
    assert told("red", "red") == {("red", "red"): 1.0}


def test_what_is_likely_as_read_stays_likely() -> None:
    five, six = StackCandidate(stack=("red",) * 5, p=0.6), StackCandidate(stack=("red",) * 6, p=0.3)
    first, second, *_ = with_a_miscount_of_all_looks([five, six])
    assert first.stack == five.stack
    assert first.p == pytest.approx(0.6 * 0.992 + 0.3 * 0.004)
    assert second.p == pytest.approx(0.3 * 0.992 + 0.6 * 0.004)


def test_nothing_is_told_of_a_pile_not_read() -> None:
    assert with_a_miscount_of_all_looks([]) == ()


def test_in_one_look_the_likeliest_may_have_been_miscounted_by_one() -> None:
    read = (StackCandidate(stack=("green", "red", "red"), p=0.999),)
    likely = {one.stack: one.p for one in with_a_miscount_of_one_look(read)}
    assert likely == pytest.approx(
        {("green", "red", "red"): 0.997, ("green", "red"): 0.001, ("green", "red", "red", "red"): 0.001}
    )


def test_what_was_counted_anyway_keeps_its_share() -> None:
    read = (StackCandidate(stack=("red", "red"), p=0.9), StackCandidate(stack=("red",), p=0.05))
    likely = {one.stack: one.p for one in with_a_miscount_of_one_look(read)}
    assert likely == pytest.approx({("red", "red"): 0.899, ("red",): 0.05, ("red", "red", "red"): 0.001})


@pytest.mark.parametrize("read", [(), (StackCandidate(stack=("red", "red"), p=0.0015),)])
def test_what_is_hardly_read_has_nothing_to_give(read: tuple[StackCandidate, ...]) -> None:
    assert with_a_miscount_of_one_look(read) == read


def test_a_single_cheque_is_not_none() -> None:
    stacks = [one.stack for one in with_a_miscount_of_one_look((StackCandidate(stack=("red",), p=0.9),))]
    assert stacks == [("red",), ("red", "red")]
