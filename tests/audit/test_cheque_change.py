"""Change before the rack (004:L520): its value is weighed over every reading of the piles."""

from __future__ import annotations

import pytest

from tests.audit.asking import found
from tests.audit.pairs.money import changed
from tests.notation import doubtful_stack


@pytest.mark.parametrize(("short", "verdict"), [(0.999, "violation"), (0.55, "suspect")])
def test_change_that_no_reading_is_sure_of_is_suspected(short: float, verdict: str) -> None:
    felt = changed((("green green green", 60.0, 60.0),))
    three, four = ("green",) * 3, ("green",) * 4
    felt.states = doubtful_stack(felt.states, three, {three: short, four: 0.95 - short if short < 0.9 else 0.0})
    assert [one[0] for one in found(felt) if one[1] == "P180"] == [verdict]
