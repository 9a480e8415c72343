"""Which procedures a payout error breaks, by game, bet and row of the pay table; the most specific first."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Final

from audit.procedures.drafts import Case
from audit.procedures.dues import Due
from audit.reconstruction.observation import SeenWager
from audit.settlement import Outcome

_BLACKJACK_CITATION: Final = "Blackjack manual, Blackjack Payouts 2 (004:L585)"
_BY_ROW: Final = {
    "broke": ("P247", "P281"),
    "blackjack": ("P280", "P282"),
    "coupon": ("P228", "P280", "P281"),
    "both_blackjack": ("P282", "P281"),
    "even_money": ("P305", "P280"),
    "late_blackjack": ("P291", "P281"),
    "late_returned": ("P291", "P281"),
    "late_pushed": ("P291", "P282", "P281"),  # a blackjack paid already: pushed, its payout taken back
}
_SCORE: Final = {
    # game -> paid wrongly, otherwise wrong when it wins, when it pushes, when it loses
    "draw_n_shoot_21": (("P033", "P032"), ("P032", "P033"), ("P034",), ("P035",)),
    "dicey_21": (("P057", "P056"), ("P056", "P057"), ("P057", "P056"), ("P057", "P056")),
}
_BY_OUTCOME: Final[dict[str, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]]] = {
    # bet -> wins, pushes, loses
    "craps": (("P030",), ("P031",), ("P025",)),
    "chuck": (("P054",), ("P054",), ("P055",)),
    "mirror": (("P073",), ("P073",), ("P074",)),
    "match1": (("P077",), ("P077",), ("P077",)),
    "match2": (("P080",), ("P080",), ("P080",)),
    "enter": (("P104",), ("P104",), ("P104",)),
    "draw": (("P105",), ("P105",), ("P105",)),
    "block_bonus": (("P097",), ("P097",), ("P097",)),
    "super3": (("P385",), ("P385",), ("P385",)),
    "blazing7": (("P409",), ("P409",), ("P409",)),
    "insurance": (("P280", "P312"), ("P280", "P312"), ("P313",)),
}
_BASE: Final = {"blackjack": ("P081",), "both_blackjack": ("P082",), "equal": ("P083",)}
_SPECIAL: Final = {
    ("craps", "winner-taken"): ("P026", "P030"),
    ("craps", "loser-paid"): ("P025", "P030"),
    ("block_bonus", "pay-amount"): ("P098", "P097"),
}
_NO_TAKE: Final = frozenset({"any_craps", "seven", "seven_with_seven"})
"""Totals of 2, 3, 7 and 12, on which no craps bet is collected (000:L50)."""
_OF_HAND: Final = frozenset({"main", "split", "double"})
_PLACE: Final = {Outcome.WIN: 0, Outcome.PUSH: 1, Outcome.LOSE: 2}


def breach(case: Case, wager: SeenWager, due: Due, code: str) -> tuple[tuple[str, ...], str | None]:
    """Return the procedures that an error breaks, and a closer citation than theirs if there is one."""
    if due.outcome is None and wager.key.bet not in _OF_HAND:
        return _whatever_it_was(case, wager, due), None
    return _of_outcome(case, wager, due, code)


def _of_outcome(case: Case, wager: SeenWager, due: Due, code: str) -> tuple[tuple[str, ...], str | None]:
    game, late = case.rules.game, case.seen.observed.round.variant.get("bj_revealed_late") is True
    bet, row, outcome = wager.key.bet, due.row or "", due.outcome or Outcome.LOSE
    if bet in _OF_HAND:
        return _of_hand("late_pushed" if late and row == "both_blackjack" else row, code)
    if bet in ("ante", "raise"):
        return _of_score(game, outcome, code), None
    if bet == "trilux":
        return (("P401",) if game == "double_deck" else ("P385",)), None
    if bet == "craps" and row in _NO_TAKE and code in ("winner-taken", "push-taken"):
        return (("P031", "P027") if outcome is Outcome.PUSH else ("P027", "P026", "P030")), None
    if bet == "base":
        return _BASE.get(row, ("P084",)), None
    return _SPECIAL.get((bet, code)) or _BY_OUTCOME[bet][_PLACE[outcome]], None


def _whatever_it_was(case: Case, wager: SeenWager, due: Due) -> tuple[str, ...]:
    """Return every procedure by which a wager may have been due that nobody can settle by what was seen."""
    rows = (*_BASE, *sorted(_NO_TAKE), None)
    acts = product(_PLACE, ("pay-amount", "winner-taken", "push-taken", "loser-paid"), rows)
    dues = [(due, "pay-amount"), *((replace(due, outcome=one, row=row), code) for one, code, row in acts)]
    ways = (_of_outcome(case, wager, one, code)[0] for one, code in dues)
    return tuple(dict.fromkeys(number for way in ways for number in way))


def _of_score(game: str, outcome: Outcome, code: str) -> tuple[str, ...]:
    paid, wins, pushes, loses = _SCORE[game]
    if outcome is Outcome.WIN:
        return paid if code in ("pay-amount", "winner-unpaid") else wins
    return pushes if outcome is Outcome.PUSH else loses


def _of_hand(row: str, code: str) -> tuple[tuple[str, ...], str | None]:
    citation = _BLACKJACK_CITATION if row in ("blackjack", "both_blackjack") else None
    if row in _BY_ROW:
        return _BY_ROW[row], citation
    return (("P280", "P281") if code == "pay-amount" else ("P281", "P280")), None
