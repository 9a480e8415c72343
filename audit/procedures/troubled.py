"""Footage with several troubles at once accuses nobody with certainty.

One trouble is made up for: flickering light, lost pictures, a pushed camera each alone gave no false violation in any
clip. Together they did: of the violations told of such clips one in three was none. Recognition says in each state what
there was (``models.troubles``); where a round saw two or more, what it found is suspected, and says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from audit.findings import Verdict
from audit.procedures.drafts import Draft
from audit.states import CAMERA_MOVED, LIGHT_FLICKERS, PICTURES_LOST, TROUBLES, TableState

_MANY: Final = 2
_AT_MOST: Final = 0.7
_PUSHED: Final = "the camera was pushed"


def troubles_of(states: Iterable[TableState]) -> tuple[str, ...]:
    """Return, in words, what made the footage of these states hard to judge by."""
    seen: set[str] = set()
    for state in states:
        told = state.extra.get(TROUBLES)
        seen.update(name for name in (PICTURES_LOST, LIGHT_FLICKERS) if isinstance(told, list) and name in told)
        seen.update([_PUSHED] if state.extra.get(CAMERA_MOVED) else [])
    return tuple(sorted(seen))


def with_troubles(states: Iterable[TableState], drafts: Iterable[Draft]) -> Iterator[Draft]:
    """Yield what was found while the states held, as suspected where they tell of several troubles."""
    troubles = troubles_of(states)
    for draft in drafts:
        sure = len(troubles) < _MANY or draft.finding.verdict is Verdict.UNDETERMINED
        yield draft if sure else as_suspected(draft, ", ".join(troubles))


def as_suspected(draft: Draft, why: str, at_most: float = _AT_MOST) -> Draft:
    """Return what was found as a suspicion that says why it is no more than that, ``at_most`` so likely."""
    found = draft.finding
    probability, observed = min(found.probability, at_most), f"{found.observed} ({why})"
    return replace(draft, finding=replace(found, verdict=Verdict.SUSPECT, probability=probability, observed=observed))
