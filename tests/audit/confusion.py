"""Readings drawn from a recogniser's confusion, calibrated by construction, and what findings made of them are worth.

Each card and each pile of cheques of true states is one thing, read once and misread alike in every state. What is read
is a list of candidates with probabilities; what it is, is drawn from that very list. So of the things read with 0.7,
seven in ten are what they were read as, and a finding reported at 0.7 must be true in seven worlds out of ten.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Final

from audit.cards import RANKS, SUITS
from audit.findings import Finding, Verdict
from audit.pipeline import AuditResult
from audit.reconstruction.places import distance
from audit.states import SeenObject, StackCandidate, TableState

_GONE_FOR: Final = 12
_LIKE: Final = {"black": "green", "green": "black", "red": "pink", "pink": "red", "white": "pink", "purple": "black"}
_PAYOUT: Final = frozenset(
    {"pay-amount", "winner-taken", "winner-unpaid", "push-taken", "push-paid", "loser-paid", "loser-left"}
)
_MOVED_MM: Final = 250.0
Content = str | tuple[str, ...]
Thing = tuple[str, tuple[float, float], Content]


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What was read of one thing: the candidates, best first, and which of them it is; no candidates: unread."""

    chances: tuple[tuple[Content, float], ...]
    truth: Content


@dataclass
class Confusion:
    """Draws readings of the things on a table; ``unsure``: the part of them that is not certain.

    ``as_played``: things are what the states say, and what is drawn is their place among the candidates; else things
    are what is drawn.
    """

    luck: random.Random
    unsure: float = 0.15
    as_played: bool = False
    unread: float = 0.01
    known: dict[Thing, tuple[int, Reading]] = field(default_factory=dict)

    def reading(self, item: SeenObject, content: Content, state: int, there: Set[Thing]) -> Reading:
        """Return the reading of a thing, the same for as long as it lies on the table, wherever it is moved."""
        key: Thing = (item.kind, item.xy_mm, content)
        moved = (one for one in self.known if self._moved(one, key, there, state))
        before = key if key in self.known else next(moved, None)
        last, reading = self.known.pop(before) if before is not None else (0, None)
        if reading is None or state - last > _GONE_FOR:
            reading = self._drawn(content)
        self.known[key] = (state, reading)
        return reading

    def _moved(self, one: Thing, key: Thing, there: Set[Thing], state: int) -> bool:
        same = one[0] == key[0] and one[2] == key[2] and state - self.known[one][0] <= _GONE_FOR
        return same and one not in there and distance(one[1], key[1]) <= _MOVED_MM

    def _drawn(self, content: Content) -> Reading:
        if self.luck.random() < self.unread:
            return Reading(chances=(), truth=content)
        if self.luck.random() >= self.unsure:
            return Reading(chances=((content, 1.0),), truth=content)
        best = self.luck.uniform(0.5, 0.995)
        second = (1.0 - best) * self.luck.uniform(0.5, 1.0)
        weights = [best, second, 1.0 - best - second]
        others = self._others(content)
        drawn = self.luck.choices(range(len(others) + 1), weights[: len(others) + 1])[0]
        if self.as_played:
            ways = [*others[:drawn], content, *others[drawn:]]
            return Reading(chances=tuple(zip(ways, weights, strict=False)), truth=content)
        ways = [content, *others]
        return Reading(chances=tuple(zip(ways, weights, strict=False)), truth=ways[drawn])

    def _others(self, content: Content) -> list[Content]:
        if isinstance(content, str):
            rank, suit = content
            by_suit = rank + self.luck.choice([one for one in SUITS if one != suit])
            by_rank = self.luck.choice([one for one in RANKS if one != rank]) + suit
            return self.luck.sample([by_suit, by_rank], 2)
        top = content[-1]
        ways: list[Content] = [(*content, top), tuple(_LIKE.get(colour, colour) for colour in content)]
        ways += [content[:-1]] if len(content) > 1 else []
        return self.luck.sample([way for way in dict.fromkeys(ways) if way != content], 2)


def seen_and_true(
    states: Iterable[TableState], confusion: Confusion
) -> tuple[tuple[TableState, ...], tuple[TableState, ...]]:
    """Return the states as they are read, and as they are in one world that the readings allow."""
    seen, true = [], []
    for number, state in enumerate(states):
        there = {(item.kind, item.xy_mm, content) for item in state.objects if (content := item.card or item.stack)}
        pairs = [_read(item, number, confusion, there) for item in state.objects]
        seen.append(replace(state, objects=tuple(one for one, _ in pairs)))
        true.append(replace(state, objects=tuple(one for _, one in pairs)))
    return tuple(seen), tuple(true)


def _read(item: SeenObject, state: int, confusion: Confusion, there: Set[Thing]) -> tuple[SeenObject, SeenObject]:
    if item.kind == "card" and item.card is not None:
        reading = confusion.reading(item, item.card, state, there)
        chances = {str(way): p for way, p in reading.chances}
        card = str(reading.chances[0][0]) if chances else None
        return replace(item, card=card, candidates=chances), replace(item, card=str(reading.truth), candidates={})
    if item.kind == "chips" and item.stack is not None:
        reading = confusion.reading(item, item.stack, state, there)
        stacks = tuple(StackCandidate(stack=tuple(way), p=p) for way, p in reading.chances)
        stack = stacks[0].stack if stacks else None
        return replace(item, stack=stack, stacks=stacks), replace(item, stack=tuple(reading.truth), stacks=())
    return item, item


def told_and_true(read: AuditResult, world: AuditResult) -> Iterator[tuple[float, bool, Finding]]:
    """Yield each finding of the readings with its probability, and whether it is one in the world; unclear ones not."""
    ends = [one.observed.end.last for one in world.rounds]
    for one in read.rounds:
        place = next((i for i, end in enumerate(ends) if end >= one.observed.start.first), None)
        there: Sequence[Finding] = () if place is None else world.rounds[place].findings
        for finding in one.findings:
            if finding.verdict is Verdict.UNDETERMINED:
                continue
            same = [other for other in there if _alike(finding, other)]
            if any(other.verdict is Verdict.UNDETERMINED for other in same):
                continue
            yield finding.probability, bool(same), finding


def _alike(one: Finding, other: Finding) -> bool:
    if other.verdict is Verdict.UNDETERMINED:
        return one.bet == other.bet and bool(set(one.procedures) & set(other.procedures))
    payouts = one.code in _PAYOUT and other.code in _PAYOUT
    return (payouts or one.code == other.code) and one.bet == other.bet and one.seat == other.seat


def bins(pairs: Iterable[tuple[float, bool]], edges: Sequence[float]) -> list[tuple[float, float, float, int]]:
    """Return for each bin: its lower edge, the mean probability told, the part that is true, and how many there are."""
    rows = []
    kept = list(pairs)
    for low, high in zip(edges, [*edges[1:], 1.01], strict=True):
        own = [(p, true) for p, true in kept if low <= p < high]
        if own:
            rows.append((low, sum(p for p, _ in own) / len(own), sum(t for _, t in own) / len(own), len(own)))
    return rows


def expected_error(rows: Sequence[tuple[float, float, float, int]]) -> float:
    """Return the expected calibration error: how far told and true are apart, weighed by how many there are."""
    count = sum(n for *_, n in rows)
    return sum(abs(told - true) * n for _, told, true, n in rows) / max(1, count)
