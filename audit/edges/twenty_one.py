"""The '21' bet of Draw 'n Shoot 21 and Dicey 21: best play by dynamic programming, and what it returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from audit.edges.report import EdgeReport, Result, gain, merged
from audit.edges.shoes import INFINITE, Counts, chances, value_counts, without
from audit.games.terms import Row, RuleSet
from audit.games.twenty_one import score_class

ROLLS: Final[dict[int, int]] = {roll: 6 - abs(roll - 7) for roll in range(2, 13)}
RAISE: Final = 2
"""The greatest raise, in antes [DNS-1]."""
_HITTING_ENDS: Final = 19
_TWENTY_ONE: Final = 21
_NAMES: Final = "A23456789X"

Dist = Mapping[str, Fraction]
"""Probabilities of the classes of the '21' pay table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstCard:
    """Best play from one first card: gain per ante unit, the raise, the classes reached, the mean number of cards."""

    value: int
    probability: Fraction
    mean: Fraction
    classes: Dist
    cards: Fraction
    hits: bool

    @property
    def name(self) -> str:
        """``A``, ``2`` to ``9``, ``X`` for a ten or face."""
        return _NAMES[self.value - 1]

    @property
    def raised(self) -> int:
        """The raise that best play makes, in antes: all of it unless the hand loses on average."""
        return RAISE if self.mean >= 0 else 0


@dataclass(frozen=True, slots=True)
class _Play:
    mean: Fraction
    classes: Dist
    cards: Fraction
    hits: bool


def stand(hard: int, *, ace: bool, cards: int) -> dict[str, Fraction]:
    """Return the classes that a hand reaches with the roll (000:L32) [DNS-3]."""
    classes: dict[str, Fraction] = {}
    for roll, ways in ROLLS.items():
        score = hard + roll
        score += 10 if ace and score + 10 <= _TWENTY_ONE else 0
        name = score_class(score, cards=min(cards, 2))
        classes[name] = classes.get(name, Fraction(0)) + Fraction(ways, 36)
    return classes


def first_cards(rules: RuleSet, *, decks: int | None) -> tuple[FirstCard, ...]:
    """Return best play from each first card; ``decks`` None: an infinite deck."""
    gains = {name: gain(row) for name, row in rules.rows("ante").items()}
    shoe = None if decks is None else value_counts(decks)
    start = INFINITE if shoe is None else dict(chances(shoe))
    best = _Solver(gains)
    first = []
    for value, probability in start.items():
        play = best(value, value == 1, 1, None if shoe is None else without(shoe, value))
        first.append(
            FirstCard(
                value=value,
                probability=probability,
                mean=play.mean,
                classes=play.classes,
                cards=play.cards,
                hits=play.hits,
            )
        )
    return tuple(first)


class _Solver:
    """Best play from a hand: hard total, whether it holds an ace, its cards, and the shoe (None: infinite)."""

    def __init__(self, gains: Mapping[str, Fraction]) -> None:
        self.gains = gains
        self.solve = lru_cache(maxsize=None)(self._solve)

    def __call__(self, hard: int, ace: bool, cards: int, shoe: Counts | None) -> _Play:  # noqa: FBT001 - the state
        return self.solve(hard, ace, min(cards, 2), shoe)

    def _solve(self, hard: int, ace: bool, cards: int, shoe: Counts | None) -> _Play:  # noqa: FBT001 - the state
        classes = stand(hard, ace=ace, cards=cards)
        standing = _Play(self._mean(classes), classes, Fraction(0), hits=False)
        if hard >= _HITTING_ENDS:
            return standing
        hitting = self.hit(hard, ace=ace, shoe=shoe)
        return hitting if hitting.mean > standing.mean else standing

    def _mean(self, classes: Dist) -> Fraction:
        return sum([probability * self.gains[name] for name, probability in classes.items()], Fraction(0))

    def hit(self, hard: int, *, ace: bool, shoe: Counts | None) -> _Play:
        """Return what drawing a card and then playing best returns."""
        classes: dict[str, Fraction] = {}
        cards = Fraction(1)
        for value, probability in INFINITE.items() if shoe is None else chances(shoe):
            drawn = self(hard + value, ace or value == 1, 2, None if shoe is None else without(shoe, value))
            for name, chance in drawn.classes.items():
                classes[name] = classes.get(name, Fraction(0)) + probability * chance
            cards += probability * drawn.cards
        return _Play(self._mean(classes), classes, cards, hits=True)


def best_action(rules: RuleSet, hard: int, *, ace: bool, cards: int) -> tuple[Fraction, Fraction]:
    """Return the mean gains of standing and of hitting under an infinite deck."""
    gains = {name: gain(row) for name, row in rules.rows("ante").items()}
    solver = _Solver(gains)
    standing = stand(hard, ace=ace, cards=cards)
    hit = solver.hit(hard, ace=ace, shoe=None)
    return sum([p * gains[name] for name, p in standing.items()], Fraction(0)), hit.mean


def report(rules: RuleSet, *, decks: int | None) -> EdgeReport:
    """Return what ante and raise return together, per ante, under best play."""
    rows: Mapping[str, Row] = rules.rows("ante")
    results = []
    wagered = Fraction(0)
    first = first_cards(rules, decks=decks)
    for card in first:
        total = 1 + card.raised
        wagered += card.probability * total
        for name, probability in card.classes.items():
            units = gain(rows[name]) * total
            results.append(Result(name=name, units=units, probability=card.probability * probability))
    return EdgeReport(
        game=rules.game,
        bet="ante",
        rules=rules.name,
        model=f"ante and raise, best play, {'infinite deck' if decks is None else f'{decks} decks'}",
        results=merged(results),
        wagered=wagered,
        strategy=(
            "raise twice the ante on " + ", ".join(card.name for card in first if card.raised),
            "hit first cards " + ", ".join(card.name for card in first if card.hits),
        ),
    )


def follows_published_strategy(rules: RuleSet) -> bool:
    """Return whether the printed strategy is best play under an infinite deck (000:L169-173, 001:L143-147)."""
    raises = {card.name for card in first_cards(rules, decks=None) if card.mean > 0}
    neutral = {card.name for card in first_cards(rules, decks=None) if card.mean == 0}
    if raises != {"A", "2", "3"} or neutral != {"X"}:
        return False
    for hard in range(1, _HITTING_ENDS):
        for ace in (False, True):
            soft = ace and hard + 10 <= _TWENTY_ONE
            hits = 15 <= hard + 10 <= 18 if soft else hard <= 8  # noqa: PLR2004 - the printed strategy
            single = hard <= 10 and (hard == 1) == ace  # noqa: PLR2004 - a hand of one card
            for cards in (1, 2) if single else (2,):
                if not _agrees(rules, hard, ace=ace, cards=cards, hits=hits) and _reachable(hard, ace=ace, cards=cards):
                    return False
    return True


def _agrees(rules: RuleSet, hard: int, *, ace: bool, cards: int, hits: bool) -> bool:
    standing, hitting = best_action(rules, hard, ace=ace, cards=cards)
    return hitting >= standing if hits else standing >= hitting


def _reachable(hard: int, *, ace: bool, cards: int) -> bool:
    """Return whether such a hand exists: two cards are 2 or more without, and 2 or more with an ace."""
    return cards == 1 or hard >= (2 if ace else 4)
