"""Spaces of a layout that a game does not have."""

from __future__ import annotations

import pytest

from tests.audit.asking import accused
from tests.audit.pairs.dice import dicey, many_seats


@pytest.mark.parametrize(("leave_out", "verdict"), [(None, "violation"), (3, "suspect")])
def test_a_space_of_a_high_number_is_suspected_where_no_more_are_in_play_than_may_be(
    leave_out: int | None, verdict: str
) -> None:
    """Six of seven printed spaces may be any six."""
    felt = many_seats(dicey(seats=7), 7, leave_out=leave_out)
    assert [one[:2] for one in accused(felt)] == [(verdict, "P040")]
