"""States in time: what came later is not told earlier because something else was found late."""

from __future__ import annotations

from types import SimpleNamespace

from audit.states import SeenObject
from audit.table import parse_profile
from models.timeline import Timeline
from tests.models.test_zones import TABLE

FIRST, CARD, PILE = (
    SeenObject(kind="card", xy_mm=(x, 300.0), card=card) for x, card in ((0.0, "5d"), (70.0, "9c"), (400.0, "2h"))
)


def test_what_is_found_late_does_not_begin_a_state_with_what_came_after_it() -> None:
    """Another clip, 28.7 s: a pile at rest since 24.7 s was looked at last; a card of 27.8 s was told from then on."""
    timeline = Timeline(SimpleNamespace(take=lambda _: ()), parse_profile(TABLE))
    for rested, dirty, now, objects in (
        (0, 0, 100, (FIRST,)),
        (27_760, 27_440, 28_080, (FIRST, CARD)),
        (24_720, 24_480, 28_720, (FIRST, CARD, PILE)),
    ):
        timeline.change(
            rested_ms=rested, dirty_ms=dirty, t_ms=now, zones=frozenset(), covered=frozenset(), objects=objects
        )
        timeline.tick(now + 80, frozenset(), objects, calm=True)
    timeline.finish(40_000, frozenset(), (FIRST, CARD, PILE))
    states = timeline.take()
    assert min(state.span.first for state in states if CARD in state.objects) == 27_760
    assert min(state.span.first for state in states if PILE in state.objects) == 27_760
    assert any(state.objects == (FIRST,) for state in states)
