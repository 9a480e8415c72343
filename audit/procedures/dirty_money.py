"""Losing cheques are cleaned into the rack before the next hand, and change is sent before it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from audit.procedures.before_rack import before_the_rack, hides_before_the_rack, is_change, is_same
from audit.procedures.drafts import ALL_GAMES, Audited, Case, Draft, found
from audit.procedures.moments import opening, settlements, surely_a_pile, things
from audit.reconstruction.changes import first_of
from audit.reconstruction.evidence import stack_chances
from audit.states import SeenObject, TableState

_SURE: Final = 0.99


def rack_clean(case: Case) -> Iterator[Draft]:
    """Yield cheques lying in front of the rack when the round's first card came: P158; change, not sent yet: P176.

    What lay there before the round before was settled is no loser's, and a button of the house more often than not.
    """
    state = opening(case)
    before, since = case.seen.piece.states[max(0, case.seen.piece.first - 1)], _since(case)
    lain = [item for one in since for item in before_the_rack(case, one)]
    hidden = all(hides_before_the_rack(case, one) for one in since)
    piles = before_the_rack(case, state) or _mixed_in_the_rack(case, state)
    piles = [item for item in piles if not any(is_same(item, other) for other in lain)]
    stood = before_the_rack(case, before) or _mixed_in_the_rack(case, before)
    if piles and stood and not case.seen.piece.begun_unseen:
        inside = "rack" in case.places.zones(piles[0].xy_mm)
        yield from found(
            case,
            *(("P176",) if is_change(piles) or things(state, "bill") else ()),
            "P158",
            code="dirty-money",
            span=state.span,
            expected="cheques cleaned into the rack before the next hand",
            observed=f"{len(piles)} piles {'in' if inside else 'in front of'} the rack at the first card",
            name=("dirty-money",),
            capped=hidden or not any(surely_a_pile(case, item) for item in piles),
        )


def _since(case: Case) -> Sequence[TableState]:
    """Return the states before anything of the round before was settled; before the first round: the first look."""
    if case.previous is None:
        return case.seen.piece.states[:1]
    first = first_of(change for wager in case.previous.wagers for change in settlements(wager))
    begun = case.previous.piece.first
    return case.previous.piece.states[begun : begun + 1 if first is None else first.state]


def _mixed_in_the_rack(case: Case, state: TableState) -> list[SeenObject]:
    """Return the piles in the rack that are surely of several colours; a tube is of one."""
    inside = [item for item in things(state, "chips") if "rack" in case.places.zones(item.xy_mm)]
    mixed = [sum(p for stack, p in stack_chances(item).items() if len(set(stack)) > 1) for item in inside]
    return [item for item, p in zip(inside, mixed, strict=True) if p >= _SURE]


CHECKS: Final = (Audited(check=rack_clean, games=ALL_GAMES, ids=("P158", "P176")),)
