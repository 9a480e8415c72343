"""Outlines of zones: small loops at the joints of a strip do no harm, a zone that crosses itself is refused."""

from __future__ import annotations

import pytest

from audit.polygons import crossing, without_small_loops

STRIP = [(-300.0, 100.0), (1.0, 150.0), (-1.0, 150.5), (300.0, 100.0), (290.0, 60.0), (0.0, 100.0), (-290.0, 60.0)]
BOW = [(0.0, 0.0), (100.0, 0.0), (0.0, 100.0), (100.0, 100.0)]


def test_strip_that_turns_back_at_a_joint_is_the_strip_without_that() -> None:
    strip = [*STRIP[:1], (4.0, 149.0), (-4.0, 149.5), *STRIP[3:]]
    assert crossing(strip) is not None
    whole = without_small_loops(strip)
    assert crossing(whole) is None
    assert whole == [STRIP[0], (0.0, 149.25), *STRIP[3:]]


@pytest.mark.parametrize("corners", [BOW, STRIP[:1] + STRIP[3:]])
def test_outline_with_large_loops_or_none_stays_as_it_is(corners: list[tuple[float, float]]) -> None:
    assert without_small_loops(corners) == corners
