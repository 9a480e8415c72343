"""Bets decided by dice and one card, or by the first cards dealt, enumerated face by face through the game's rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Final

from audit.cards import DECK, TEN_VALUED, Card
from audit.edges.report import EdgeReport, Result, by_row, gain
from audit.edges.shoes import faces, left
from audit.games import blazing_sevens, dicey_21, draw_n_shoot_21, lucky_draw_baccarat, stud_21, trilux
from audit.games.terms import RuleSet
from audit.money import Money

DIE: Final = range(1, 7)
BLAZING_STAKE: Final = 5
"""The wager is five dollars (004:L1098)."""
_SPADES: Final = tuple(card for card in DECK.values() if card.suit == "s")

Weights = dict[str, int]


def craps_weights() -> dict[tuple[str, str], int]:
    """Return how often each class and first rank occurs among 13 ranks and 36 rolls."""
    return Counter(
        (draw_n_shoot_21.craps_class(card, one, other), card.rank) for card, one, other in product(_SPADES, DIE, DIE)
    )


def craps(rules: RuleSet) -> EdgeReport:
    """Return what the QuickCraps bet returns; the first card's rank is all that counts, so the decks do not matter."""
    weights: Counter[str] = Counter()
    for (name, _), count in craps_weights().items():
        weights[name] += count
    return _report(rules, "craps", "every first card and every roll", weights)


def chuck_weights(number: int = 4) -> Weights:
    """Return how often each class of a bet on one number occurs among 13 ranks and 216 rolls."""
    found: Counter[str] = Counter()
    for card, *dice in product(_SPADES, DIE, DIE, DIE):
        found[dicey_21.chuck_class(number, dice, card) or ""] += 1
    return found


def chuck(rules: RuleSet) -> EdgeReport:
    """Return what a Chuck-a-Luck PLUS bet on one number returns."""
    return _report(rules, "chuck", "one number, every first card and every roll", chuck_weights())


def _report(rules: RuleSet, bet: str, model: str, weights: Weights, note: str = "") -> EdgeReport:
    results = by_row(weights, rules.rows(bet))
    return EdgeReport(game=rules.game, bet=bet, rules=rules.name, model=model, results=results, note=note)


def _pairs(pack: tuple[Card, ...], dealt: tuple[Card, ...], decks: int) -> Iterator[tuple[Card, Card, int]]:
    """Yield every two cards in the order dealt, after those dealt before, with how many ways the shoe has."""
    for first in pack:
        ways = left(first, dealt, decks)
        for second in pack:
            both = ways * left(second, (*dealt, first), decks)
            if both:
                yield first, second, both


def _spanish(rules: RuleSet) -> bool:
    return rules.option("spanish") is True


def mirror(rules: RuleSet) -> EdgeReport:
    """Return what Mirror Match returns."""
    weights: Counter[str] = Counter()
    for first, second, ways in _pairs(faces(spanish=_spanish(rules)), (), rules.decks):
        weights[stud_21.mirror_class(first, second)] += ways
    return _report(rules, "mirror", f"every two cards of {rules.decks} decks", weights)


def match(rules: RuleSet, bet: str = "match1") -> EdgeReport:
    """Return what Match 1 or Match 2 returns; the dealer's card may be any one, for all faces count alike."""
    dealers = DECK["9s"]
    weights: Counter[str] = Counter()
    for first, second, ways in _pairs(faces(spanish=_spanish(rules)), (dealers,), rules.decks):
        weights[stud_21.match_class(first, second, dealers)] += ways
    return _report(rules, bet, f"every two cards of {rules.decks} decks against one of the dealer", weights)


def _three(decks: int, name: Callable[[Card, Card, Card], str]) -> Weights:
    """Return how often each class of the player's two cards and the dealer's up card occurs.

    The suits may change places without changing a class, so an up card of spades stands for all.
    """
    weights: Counter[str] = Counter()
    pack = faces()
    for up in _SPADES:
        for first, second, ways in _pairs(pack, (up,), decks):
            weights[name(first, second, up)] += ways
    return weights


def trilux_bet(rules: RuleSet, bet: str) -> EdgeReport:
    """Return what Trilux Bonus or Super 3 returns."""
    rows = rules.rows(bet)

    def name(first: Card, second: Card, up: Card) -> str:
        found = trilux.hand_class(first, second, up)
        if found == "three_of_a_kind_suited" and found not in rows:
            return "three_of_a_kind"
        return found if found in rows else "nothing"

    return _report(rules, bet, f"every three cards of {rules.decks} decks", _three(rules.decks, name))


def blazing_sevens_bet(rules: RuleSet, meter: Money | None) -> EdgeReport:
    """Return what Blazing 7's returns with the meter at this amount (nothing: without the jackpots)."""
    weights = _three(rules.decks, blazing_sevens.sevens_class)
    results = by_row(weights, rules.rows("blazing7"), stake=BLAZING_STAKE, meter=meter)
    shown = "without the jackpots" if meter is None else f"meter at {float(meter):,.2f}"
    return EdgeReport(
        game=rules.game,
        bet="blazing7",
        rules=rules.name,
        model=f"every three cards of {rules.decks} decks, {shown}",
        results=results,
        note=f"no edge with the meter at {float(break_even_meter(rules)):,.2f}",
    )


def break_even_meter(rules: RuleSet) -> Fraction:
    """Return the progressive meter at which Blazing 7's has no edge."""
    weights = _three(rules.decks, blazing_sevens.sevens_class)
    rows = rules.rows("blazing7")
    without = sum([r.units * r.probability for r in by_row(weights, rows, stake=BLAZING_STAKE)], Fraction(0))
    total = sum(weights.values())
    shares = sum([Fraction(weights[n], total) * row.share for n, row in rows.items() if row.share], Fraction(0))
    return -without * BLAZING_STAKE / shares


def insurance(rules: RuleSet) -> EdgeReport:
    """Return what insurance returns to a player who knows nothing but the dealer's ace."""
    left_over = rules.decks * 52 - 1
    tens = rules.decks * 4 * len(TEN_VALUED)
    weights = {"dealer_blackjack": tens, "no_blackjack": left_over - tens}
    return _report(
        rules, "insurance", f"every hole card of {rules.decks} decks, the ace and nothing else seen", weights
    )


def block_weights(decks: int) -> Weights:
    """Return how often each class of the Block Bonus occurs."""
    return _three(decks, lucky_draw_baccarat.block_class)


def block_bonus(rules: RuleSet) -> EdgeReport:
    """Return what the Block Bonus returns at the house's odds."""
    weights, rows = block_weights(rules.decks), rules.rows("block_bonus")
    total = sum(weights.values())
    by_class = sorted(weights.items())
    results = [Result(name=name, units=gain(rows[name]), probability=Fraction(n, total)) for name, n in by_class]
    unpaid = [row.name for row in rows.values() if row.outcome == "win" and row.odds is None]
    note = f"003 prints no odds: {', '.join(unpaid)} counted as paid nothing; give block_odds" if unpaid else ""
    return EdgeReport(
        game=rules.game,
        bet="block_bonus",
        rules=rules.name,
        model=f"every three cards of {rules.decks} decks",
        results=tuple(results),
        note=note,
    )
