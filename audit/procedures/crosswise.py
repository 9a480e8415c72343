"""Two hands of a seat, each wager settled as the other's was due: which wager goes with which hand, its place tells.

Who laid a new wager at the wrong side, and settles hand by hand, pays nobody too much or too little (004:L822).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Final

from audit.findings import Verdict
from audit.procedures.drafts import Draft
from audit.procedures.troubled import as_suspected

_ON_HAND: Final = frozenset({"main", "split", "double"})
_AS_THE_OTHER: Final = "as was due for the hand beside it, whose wager may be this one"


def with_wagers_crosswise(drafts: Iterable[Draft]) -> Iterator[Draft]:
    """Yield what was found; two payments of one seat that are wrong by the same sum, up and down, are suspected."""
    some = list(drafts)
    crossed = {id(draft) for pair in combinations(filter(_is_of_a_hand, some), 2) if _even_out(*pair) for draft in pair}
    for draft in some:
        yield as_suspected(draft, _AS_THE_OTHER) if id(draft) in crossed else draft


def _is_of_a_hand(draft: Draft) -> bool:
    found = draft.finding
    on_hand = found.bet is not None and found.bet.bet in _ON_HAND and found.code != "pay-amount"
    return on_hand and found.verdict is Verdict.VIOLATION and bool(found.amount)


def _even_out(one: Draft, other: Draft) -> bool:
    sums, bets = [draft.finding.amount for draft in (one, other)], [draft.finding.bet for draft in (one, other)]
    same_seat = one.finding.seat == other.finding.seat and bets[0] != bets[1]
    return same_seat and None not in sums and sum(amount for amount in sums if amount is not None) == 0
