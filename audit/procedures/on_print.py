"""Where pictures on the felt read as cheques, nobody is accused with certainty of what was done with that bet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import replace
from typing import Final

from audit.findings import Verdict
from audit.procedures.drafts import Draft
from audit.rounds import BetKey

_AT_MOST: Final = 0.7
_WHY: Final = "what is printed there reads as cheques"


def with_print(drafts: Iterable[Draft], bets: Set[str]) -> Iterator[Draft]:
    """Yield what was found; of bets whose spots hold something that is always there, as suspected.

    Args:
        drafts: what the checks found.
        bets: the bets, as their zones are named: ``match1``, ``chuck3``.
    """
    for draft in drafts:
        found = draft.finding
        if found.verdict is not Verdict.VIOLATION or found.bet is None or _name(found.bet) not in bets:
            yield draft
            continue
        probability, observed = min(found.probability, _AT_MOST), f"{found.observed} ({_WHY})"
        told = replace(found, verdict=Verdict.SUSPECT, probability=probability, observed=observed)
        yield replace(draft, finding=told)


def _name(key: BetKey) -> str:
    return f"{key.bet}{'' if key.number is None else key.number}"
