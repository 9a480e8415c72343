"""Stored rounds settled again under other rules: what would have been due, without touching footage or findings."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from audit.money import format_money
from audit.paytables import load_rules
from audit.record_parsing import parse_round
from audit.settlement import Settled, settle
from audit.store.database import open_store
from audit.store.review import last_round_id, round_records

_CHUNK: Final = 20_000
_INPUT: Final = ("game", "variant", "table", "bets")
_ZERO: Final = Fraction(0)

Moved = tuple[Fraction | None, bool]
"""What was paid beside a wager (None = not read), and whether it was taken."""
_NOTHING: Final[Moved] = (_ZERO, False)
_TAKEN: Final[Moved] = (_ZERO, True)


@dataclass(frozen=True, kw_only=True)
class Question:
    """Which rounds, and under which rules; ``since`` is a stored moment, None takes all."""

    data_dir: Path
    game: str
    rules: str
    since: str | None


@dataclass(kw_only=True)
class Tally:
    """Counts and money of one kind of bet, before (as stored) and after (under the other rules).

    ``due`` is what the house hands over beyond the stakes, over the wagers where both are known; ``pays`` counts them
    by their amount. ``differ`` counts the wagers whose payments or takes, as observed, were not what was due.
    """

    wagers: int = 0
    changed: int = 0
    unknown: int = 0
    differ_before: int = 0
    differ_after: int = 0
    pays_before: Counter[str] = field(default_factory=Counter)
    pays_after: Counter[str] = field(default_factory=Counter)

    @property
    def due_before(self) -> Fraction:
        """What was due as stored."""
        return _sum(self.pays_before)

    @property
    def due_after(self) -> Fraction:
        """What would have been due."""
        return _sum(self.pays_after)

    def add(self, other: Tally) -> None:
        """Add another tally's counts to this one."""
        for name in vars(self):
            setattr(self, name, getattr(self, name) + getattr(other, name))


@dataclass(kw_only=True)
class Answer:
    """How many rounds were settled again, and the tally of each kind of bet."""

    rounds: int = 0
    bets: dict[str, Tally] = field(default_factory=dict)

    def add(self, other: Answer) -> None:
        """Add another answer's counts to this one."""
        self.rounds += other.rounds
        for bet, tally in other.bets.items():
            self.bets.setdefault(bet, Tally()).add(tally)


def resettle(question: Question, *, processes: int) -> Iterator[tuple[Answer, int, int]]:
    """Yield the answer so far with how many of all stored rounds have been passed, until it is whole."""
    db = open_store(question.data_dir)
    last = last_round_id(db)
    db.close()
    chunks = [(first, min(first + _CHUNK, last + 1)) for first in range(1, last + 1, _CHUNK)]
    answer = Answer()
    if len(chunks) <= 1 or processes == 1:
        for chunk in chunks:
            answer.add(resettle_chunk(question, chunk))
            yield answer, chunk[1] - 1, last
        return
    with ProcessPoolExecutor(max_workers=processes) as pool:
        for chunk, part in zip(chunks, pool.map(resettle_chunk, [question] * len(chunks), chunks), strict=True):
            answer.add(part)
            yield answer, chunk[1] - 1, last


def resettle_chunk(question: Question, chunk: tuple[int, int]) -> Answer:
    """Settle the rounds with numbers from the first up to the second, not included, again."""
    db = open_store(question.data_dir)
    try:
        return answer_of(round_records(db, chunk, game=question.game, since=question.since), rules=question.rules)
    finally:
        db.close()


def answer_of(records: Iterable[str], *, rules: str) -> Answer:
    """Settle stored records again under the rules of that name and compare wager by wager."""
    answer = Answer()
    tallies: defaultdict[str, Tally] = defaultdict(Tally)
    decode = json.JSONDecoder().raw_decode
    for text in records:
        record, _ = decode(text)
        answer.rounds += 1
        round_ = parse_round({key: record[key] for key in _INPUT})
        after = settle(round_, load_rules(round_.game, rules, round_.variant)).settled
        moved = _moved(record)
        for bet, old, new in zip(record["bets"], record["settled"], after, strict=True):
            _compare(tallies[bet["bet"]], bet, old, new, moved.get(_name(bet), _NOTHING))
    answer.bets.update(tallies)
    return answer


def _compare(tally: Tally, bet: Mapping[str, Any], old: Mapping[str, Any], new: Settled, moved: Moved) -> None:
    tally.wagers += 1
    if old["pay"] is None or new.pay is None or bet["amount"] is None:
        tally.unknown += 1
        return
    before = _money(old["pay"])
    same = old["outcome"] == new.outcome and _is(before, new.pay)
    differed = _differs(old["outcome"], before, moved)
    tally.changed += not same
    tally.pays_before[old["pay"]] += 1
    tally.pays_after[old["pay"] if same else format_money(new.pay)] += 1
    tally.differ_before += differed
    tally.differ_after += differed if same else _differs(new.outcome, new.pay, moved)


def _differs(outcome: str | None, due: Fraction, moved: Moved) -> bool:
    """Return whether what moved at a wager is certainly not what was due; an amount not read decides nothing."""
    paid, taken = moved
    return (taken != (outcome == "lose")) or (paid is not None and not _is(paid, due))


def _is(one: Fraction, other: Fraction) -> bool:
    """Whether two amounts are the same: in a million rounds most are even the same object."""
    return one is other or one.as_integer_ratio() == other.as_integer_ratio()


def _moved(record: Mapping[str, Any]) -> dict[tuple[Any, ...], Moved]:
    """Return what moved at each wager at which anything did."""
    moved = {_name(take): _TAKEN for take in record["takes"]}
    for pay in record["pays"]:
        name, amount = _name(pay), None if pay["amount"] is None else _money(pay["amount"])
        so_far, taken = moved.get(name, _NOTHING)
        if so_far is None or amount is None:
            moved[name] = (None, taken)
        else:
            moved[name] = (amount if so_far is _ZERO else so_far + amount, taken)
    return moved


def _name(bet: Mapping[str, Any]) -> tuple[Any, ...]:
    return bet["seat"], bet.get("hand"), bet["bet"], bet.get("number")


def _sum(pays: Counter[str]) -> Fraction:
    return sum((Fraction(amount) * count for amount, count in pays.items()), _ZERO)


@lru_cache(maxsize=65_536)
def _money(text: str) -> Fraction:
    """Return an exact stored amount, also one that no decimal can write (``1/3``)."""
    return Fraction(text)
