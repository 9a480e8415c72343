"""Which of two acts came first, and when that accuses."""

from __future__ import annotations

import pytest

from audit.procedures.order import Act, inversions
from audit.reconstruction.changes import Change
from audit.states import HandSeen
from audit.timing import Span


def act(rank: float, first: int, last: int, *, doubtful: bool = False, hands: bool = True) -> Act:
    span = Span.of(first, last)
    seen = (HandSeen(side="dealer", zones=("seat1.main",), span=span, seat=None),) if hands else ()
    return Act(rank=rank, change=Change(state=1, seen=span, hands=seen), words="an act", doubtful=doubtful)


@pytest.mark.parametrize(
    ("second", "certain"),
    [
        (act(2, 0, 100), True),
        (act(2, 0, 100, doubtful=True), False),
        (act(2, 0, 100, hands=False), False),
        (act(2, 0, 400), False),
    ],
    ids=["apart", "a reading alone", "no hand", "at once"],
)
def test_only_acts_that_were_surely_done_and_apart_accuse(second: Act, certain: bool) -> None:
    assert [pair.certain for pair in inversions([act(1, 300, 500), second])] == [certain]
    assert [pair.certain for pair in inversions([second, act(1, 300, 500)])] == [certain]


def test_acts_in_the_order_demanded_are_no_inversion() -> None:
    assert inversions([act(1, 0, 100), act(2, 300, 500)]) == []
