"""Blackjack's main wager under an infinite deck: best play, what it returns, and the manual's strategy chart.

The dealer stands on all 17s and peeks under an ace or a ten; a player doubles any first two cards, after a split too,
splits equal values up to the hands the game allows, and aces once with one card each (004, "Dealing" to "Splitting").
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Final, Protocol

from audit.edges.report import EdgeReport, Result, gain, merged
from audit.edges.shoes import INFINITE
from audit.games.terms import RuleSet

ONE: Final = Fraction(1)
ZERO: Final = Fraction(0)
UPS: Final = range(1, 11)
_ACE: Final = 1
_TEN: Final = 10
_STANDS: Final = 17
_TWENTY_ONE: Final = 21
_BROKE: Final = 22
"""The dealer's or the player's hand over 21."""

Hand = tuple[int, bool]
"""Hard total and whether the hand holds an ace."""
Dist = Mapping[Fraction, Fraction]
"""Probabilities of gains."""


def total(hand: Hand) -> int:
    """Return the best total of the hand, 22 for any over 21."""
    hard, ace = hand
    if ace and hard + 10 <= _TWENTY_ONE:
        return hard + 10
    return min(hard, _BROKE)


def with_card(hand: Hand, value: int) -> Hand:
    """Return the hand after a card."""
    return hand[0] + value, hand[1] or value == _ACE


@cache
def dealer(up: int) -> dict[int, Fraction]:
    """Return the dealer's final totals against a player who knows that there is no blackjack."""
    totals: dict[int, Fraction] = {}
    hidden = {value: p for value, p in INFINITE.items() if {up, value} != {_ACE, _TEN}}
    possible = sum(hidden.values(), ZERO)
    for value, p in hidden.items():
        for end, chance in _dealer_from(with_card((up, up == _ACE), value)).items():
            totals[end] = totals.get(end, ZERO) + p / possible * chance
    return totals


@cache
def _dealer_from(hand: Hand) -> dict[int, Fraction]:
    if total(hand) >= _STANDS:
        return {total(hand): ONE}
    totals: dict[int, Fraction] = {}
    for value, p in INFINITE.items():
        for end, chance in _dealer_from(with_card(hand, value)).items():
            totals[end] = totals.get(end, ZERO) + p * chance
    return totals


def versus(player: int, dealers: int) -> int:
    """Return 1, 0 or -1 for a win, a push or a loss of a hand without blackjack."""
    if player == _BROKE:
        return -1
    return 1 if dealers == _BROKE or player > dealers else 0 if player == dealers else -1


@cache
def stand(player: int, up: int) -> Fraction:
    """Return the mean gain of standing."""
    return sum([p * versus(player, end) for end, p in dealer(up).items()], ZERO)


@cache
def hit(hand: Hand, up: int) -> Fraction:
    """Return the mean gain of a card and best play after it, without doubling."""
    return sum([p * _stand_or_hit(with_card(hand, value), up) for value, p in INFINITE.items()], ZERO)


@cache
def _stand_or_hit(hand: Hand, up: int) -> Fraction:
    if total(hand) >= _TWENTY_ONE:
        return stand(total(hand), up)
    return max(stand(total(hand), up), hit(hand, up))


@cache
def double(hand: Hand, up: int) -> Fraction:
    """Return the mean gain of doubling: twice what one card more and standing brings."""
    return 2 * sum([p * stand(total(with_card(hand, value)), up) for value, p in INFINITE.items()], ZERO)


def two(first: int, second: int) -> Hand:
    """Return a hand of two cards."""
    return first + second, _ACE in (first, second)


@cache
def action(first: int, second: int, up: int) -> tuple[str, Fraction]:
    """Return the best of stand, hit and double for two cards, and its mean gain."""
    hand = two(first, second)
    if total(hand) == _TWENTY_ONE:
        return "stand", stand(_TWENTY_ONE, up)
    means = {"stand": stand(total(hand), up), "hit": hit(hand, up), "double": double(hand, up)}
    best = max(means, key=lambda name: means[name])
    return best, means[best]


@cache
def split(value: int, up: int, most_hands: int) -> Fraction:
    """Return the mean gain of splitting two cards of the value, and again while hands are allowed."""
    return _split(value, up, 2, 0 if value == _ACE else most_hands - 2)


@cache
def _split(value: int, up: int, hands: int, spare: int) -> Fraction:
    """Return the mean gain of so many one-card hands to be completed, with so many splits to spare."""
    if hands == 0:
        return ZERO
    mean = ZERO
    for drawn, p in INFINITE.items():
        played = _after_split(value, drawn, up) + _split(value, up, hands - 1, spare)
        if drawn == value and spare:
            played = max(played, _split(value, up, hands + 1, spare - 1))
        mean += p * played
    return mean


def _after_split(value: int, drawn: int, up: int) -> Fraction:
    if value == _ACE:  # one card each, no double
        return stand(total(two(value, drawn)), up)
    return action(value, drawn, up)[1]


def best(first: int, second: int, up: int, most_hands: int) -> tuple[str, Fraction]:
    """Return the best action for two cards, a split among them, and its mean gain."""
    name, mean = action(first, second, up)
    if first == second and split(first, up, most_hands) > mean:
        return "split", split(first, up, most_hands)
    return name, mean


class Strategy(Protocol):
    """How a player plays: what he does with two cards, whether he splits again, and whether he hits later."""

    name: str

    def __hash__(self) -> int: ...

    def opening(self, first: int, second: int, up: int, most_hands: int) -> str:
        """Return stand, hit, double or split."""

    def after_split(self, value: int, drawn: int, up: int) -> str:
        """Return stand, hit or double for a hand that began as a split card."""

    def splits_again(self, value: int, up: int, hands: int, spare: int) -> bool:
        """Return whether a split card that drew its like is split again."""

    def hits(self, hand: Hand, up: int) -> bool:
        """Return whether a hand of three cards and more takes another."""


class BestPlay:
    """Best play under an infinite deck."""

    name = "best play of each two cards"

    def opening(self, first: int, second: int, up: int, most_hands: int) -> str:
        """Return the action with the greatest mean gain."""
        return best(first, second, up, most_hands)[0]

    def after_split(self, value: int, drawn: int, up: int) -> str:
        """Return the action with the greatest mean gain."""
        return action(value, drawn, up)[0]

    def splits_again(self, value: int, up: int, hands: int, spare: int) -> bool:
        """Return whether splitting again gains more than playing the pair."""
        played = _after_split(value, value, up) + _split(value, up, hands - 1, spare)
        return _split(value, up, hands + 1, spare - 1) > played

    def hits(self, hand: Hand, up: int) -> bool:
        """Return whether a card gains more than standing."""
        return hit(hand, up) > stand(total(hand), up)


BEST_PLAY: Final = BestPlay()


def report(rules: RuleSet, *, most_hands: int, strategy: Strategy = BEST_PLAY) -> EdgeReport:
    """Return what the main wager and its doubles and splits return, per main wager."""
    blackjack = gain(rules.rows("main")["blackjack"])
    results = []
    wagered = ZERO
    for up, up_p in INFINITE.items():
        peeked = {_ACE: INFINITE[_TEN], _TEN: INFINITE[_ACE]}.get(up, ZERO)
        for first, first_p in INFINITE.items():
            for second, second_p in INFINITE.items():
                p = up_p * first_p * second_p
                natural = {first, second} == {_ACE, _TEN}
                results.append(_result("dealer's blackjack", ZERO if natural else -ONE, p * peeked))
                if natural:
                    results.append(_result("blackjack", blackjack, p * (1 - peeked)))
                    wagered += p
                    continue
                name, dist, staked = _played(first, second, up, most_hands, strategy)
                results += [_result(name, units, p * (1 - peeked) * chance) for units, chance in dist.items()]
                wagered += p * (peeked + (1 - peeked) * staked)
    return EdgeReport(
        game=rules.game,
        bet="main",
        rules=rules.name,
        model=f"main wager with its doubles and splits, {strategy.name}, infinite deck",
        results=merged([result for result in results if result.probability]),
        wagered=wagered,
    )


def _result(name: str, units: Fraction, probability: Fraction) -> Result:
    return Result(name=name, units=units, probability=probability)


def _played(first: int, second: int, up: int, most_hands: int, strategy: Strategy) -> tuple[str, Dist, Fraction]:
    """Return what the player does, the gains it brings and the mean wager."""
    name = strategy.opening(first, second, up, most_hands)
    gains: dict[Fraction, Fraction] = {}
    staked = ZERO
    for end, p in dealer(up).items():
        if name == "split":
            dist = _split_gains(strategy, first, up, end, (2, 0 if first == _ACE else most_hands - 2))
        else:
            dist = _hand_gains(strategy, two(first, second), up, end, name)
        for (units, stake), chance in dist.items():
            gains[units] = gains.get(units, ZERO) + p * chance
            staked += p * chance * stake
    return name, gains, staked


Ends = dict[tuple[Fraction, int], Fraction]
"""Probabilities of gain and stake, given the dealer's final total."""


@cache
def _hand_gains(strategy: Strategy, hand: Hand, up: int, end: int, name: str) -> Ends:
    if name == "stand":
        return {(ONE * versus(total(hand), end), 1): ONE}
    gains: Ends = {}
    for value, p in INFINITE.items():
        drawn = with_card(hand, value)
        if name == "double":
            found: Ends = {(ONE * 2 * versus(total(drawn), end), 2): ONE}
        else:
            again = total(drawn) < _TWENTY_ONE and strategy.hits(drawn, up)
            found = _hand_gains(strategy, drawn, up, end, "hit" if again else "stand")
        for key, chance in found.items():
            gains[key] = gains.get(key, ZERO) + p * chance
    return gains


@cache
def _split_gains(strategy: Strategy, value: int, up: int, end: int, left: tuple[int, int]) -> Ends:
    """Return the gains of so many one-card hands to be completed, with so many splits to spare."""
    hands, spare = left
    if hands == 0:
        return {(ZERO, 0): ONE}
    gains: Ends = {}
    for drawn, p in INFINITE.items():
        if drawn == value and spare and strategy.splits_again(value, up, hands, spare):
            found = _split_gains(strategy, value, up, end, (hands + 1, spare - 1))
        else:
            name = "stand" if value == _ACE else strategy.after_split(value, drawn, up)
            hand = _hand_gains(strategy, two(value, drawn), up, end, name)
            found = _both(hand, _split_gains(strategy, value, up, end, (hands - 1, spare)))
        for key, chance in found.items():
            gains[key] = gains.get(key, ZERO) + p * chance
    return gains


def _both(one: Ends, other: Ends) -> Ends:
    sums: Ends = {}
    for (units, stake), p in one.items():
        for (more, staked), q in other.items():
            key = (units + more, stake + staked)
            sums[key] = sums.get(key, ZERO) + p * q
    return sums
