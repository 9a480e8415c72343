"""Where pictures on the felt read as cheques, nobody is accused with certainty of what was done with that bet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from typing import Final

from audit.findings import Verdict
from audit.procedures.drafts import Draft
from audit.procedures.troubled import as_suspected
from audit.rounds import BetKey

_WHY: Final = "what is printed there reads as cheques"


def with_print(drafts: Iterable[Draft], bets: Set[str]) -> Iterator[Draft]:
    """Yield what was found; of bets whose spots hold something that is always there, as suspected.

    Args:
        drafts: what the checks found.
        bets: the bets, as their zones are named: ``match1``, ``chuck3``.
    """
    for draft in drafts:
        found = draft.finding
        accused = found.verdict is Verdict.VIOLATION and found.bet is not None and _name(found.bet) in bets
        yield as_suspected(draft, _WHY) if accused else draft


def _name(key: BetKey) -> str:
    return f"{key.bet}{'' if key.number is None else key.number}"
