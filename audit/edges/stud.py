"""The base wager of 21 STUD, every deal of four cards enumerated by counting value."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import product
from typing import Final

from audit.edges.report import EdgeReport, by_row
from audit.edges.shoes import value_counts, without
from audit.games.terms import RuleSet

_BLACKJACK: Final = 22
_VALUES: Final = range(1, 11)


def _total(first: int, second: int) -> int:
    """Return the total with an ace as 11; two aces, and ace and ten, are blackjack (002:L34, L64)."""
    aces = (first == 1) + (second == 1)
    total = first + second + (10 if aces == 1 else 0)
    return _BLACKJACK if aces == 2 or (aces == 1 and total == 21) else total  # noqa: PLR2004 - two aces, ace and ten


@lru_cache(maxsize=16)
def _weights(decks: int, *, spanish: bool) -> dict[str, int]:
    """Return in how many ways each class comes about."""
    shoe = value_counts(decks, spanish=spanish)
    found: Counter[str] = Counter()
    for a, b in product(_VALUES, repeat=2):
        rest = without(shoe, a)
        players = shoe[a - 1] * rest[b - 1]
        rest = without(rest, b)
        player = _total(a, b)
        for c, d in product(_VALUES, repeat=2):
            ways = players * rest[c - 1] * without(rest, c)[d - 1]
            found[_class(player, _total(c, d))] += ways
    return dict(found)


def _class(player: int, dealer: int) -> str:
    if player == _BLACKJACK:
        return "both_blackjack" if dealer == _BLACKJACK else "blackjack"
    return "higher" if player > dealer else "equal" if player == dealer else "lower"


def base(rules: RuleSet) -> EdgeReport:
    """Return what the base wager returns; there is nothing to decide."""
    weights = dict(_weights(rules.decks, spanish=rules.option("spanish") is True))
    rows = rules.rows("base")
    if rules.option("bj_tie") == "pay":
        rows = {**rows, "both_blackjack": rows["blackjack"]}
    results = by_row(weights, rows)
    model = f"every deal of four cards from {rules.decks} decks"
    return EdgeReport(game=rules.game, bet="base", rules=rules.name, model=model, results=results)
