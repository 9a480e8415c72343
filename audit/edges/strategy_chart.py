"""The manual's basic-strategy chart (004:L1009-1028) held against exact play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import perm
from typing import Final

from audit.edges import blackjack
from audit.edges.shoes import Counts, value_counts, without

_ACTIONS: Final = {"H": "hit", "S": "stand", "D": "double", "P": "split"}
# Against 2 3 4 5 6 7 8 9 10 A; pairs of fives and tens are not printed: they are hard 10 and 20 [BJ-28]
PAIRS: Final = {
    2: "PPPPPPHHHH",
    3: "PPPPPPHHHH",
    7: "PPPPPPHHHH",
    4: "HHHPPHHHHH",
    6: "PPPPPHHHHH",
    1: "PPPPPPPPPP",
    8: "PPPPPPPPPP",
    9: "PPPPPSPPSS",
}
SOFT: Final = {
    13: "HHHDDHHHHH",
    14: "HHHDDHHHHH",
    15: "HHDDDHHHHH",
    16: "HHDDDHHHHH",
    17: "HDDDDHHHHH",
    18: "SDDDDSSHHH",
    19: "SSSSSSSSSS",
    20: "SSSSSSSSSS",
}
HARD: Final = {
    8: "HHHHHHHHHH",
    9: "HDDDDHHHHH",
    10: "DDDDDDDDHH",
    11: "DDDDDDDDDH",
    12: "HHSSSHHHHH",
    13: "SSSSSHHHHH",
    14: "SSSSSHHHHH",
    15: "SSSSSHHHHH",
    16: "SSSSSHHHHH",
}
NEAR_TIES: Final = ((1, 2, 5), (1, 4, 4))
"""Two cards and up card whose printed double an infinite deck misses by less than a thousandth [BJ-1]."""
SHOES: Final = (6, 8)
_MOST_HANDS: Final = 4


def cells() -> Iterator[tuple[tuple[int, int], int, str]]:
    """Yield two cards, the dealer's up card and the printed action."""
    for value, row in PAIRS.items():
        yield from [((value, value), _up(place), _ACTIONS[letter]) for place, letter in enumerate(row)]
    for soft, row in SOFT.items():
        yield from [((1, soft - 11), _up(place), _ACTIONS[letter]) for place, letter in enumerate(row)]
    for hard, row in HARD.items():
        cards = (2, hard - 2) if hard <= 12 else (10, hard - 10)  # noqa: PLR2004 - two cards of different value
        cards = (3, 5) if hard == 8 else cards  # noqa: PLR2004 - not a pair of fours
        yield from [(cards, _up(place), _ACTIONS[letter]) for place, letter in enumerate(row)]


def _up(place: int) -> int:
    return 1 if place == 9 else place + 2  # noqa: PLR2004 - the ace stands last


class ChartPlay:
    """Play by the chart; what it does not print (hard 7 and less, 17 and more) is hit and stood on."""

    name = "the manual's chart"

    def opening(self, first: int, second: int, up: int, most_hands: int) -> str:
        """Return the printed action for two cards."""
        del most_hands
        if first == second and first in PAIRS and _ACTIONS[PAIRS[first][_place(up)]] == "split":
            return "split"
        return self.after_split(first, second, up)

    def after_split(self, value: int, drawn: int, up: int) -> str:
        """Return the printed action for two cards that are not split."""
        return _printed(blackjack.two(value, drawn), up)

    def splits_again(self, value: int, up: int, hands: int, spare: int) -> bool:
        """Return True: a pair that was split is split again."""
        del value, up, hands, spare
        return True

    def hits(self, hand: blackjack.Hand, up: int) -> bool:
        """Return whether the chart takes a card; a soft 18 that it would double stands when doubling is over."""
        printed = _printed(hand, up)
        soft_18 = hand[0] == 8 and blackjack.total(hand) == 18  # noqa: PLR2004 - soft 18
        return printed == "hit" or (printed == "double" and not soft_18)


CHART_PLAY: Final = ChartPlay()


def _place(up: int) -> int:
    return 9 if up == 1 else up - 2


def _printed(hand: blackjack.Hand, up: int) -> str:
    total = blackjack.total(hand)
    if total != hand[0]:
        row = SOFT.get(total, "H" * 10 if total < 13 else "S" * 10)  # noqa: PLR2004 - two aces that are not split
    else:
        row = HARD.get(total, "H" * 10 if total < 8 else "S" * 10)  # noqa: PLR2004 - hard 7 and less, 17 and more
    return _ACTIONS[row[_place(up)]]


def wrong_cells() -> list[tuple[tuple[int, int], int, str]]:
    """Return the printed cells that are not best play; the two near ties are played out exactly with real shoes."""
    wrong = []
    for cards, up, printed in cells():
        if (*cards, up) in NEAR_TIES:
            if not all(_double_is_best(cards, up, decks) for decks in SHOES):
                wrong.append((cards, up, printed))
        elif blackjack.best(*cards, up, _MOST_HANDS)[0] != printed:
            wrong.append((cards, up, printed))
    return wrong


def _double_is_best(cards: tuple[int, int], up: int, decks: int) -> bool:
    double, hit = double_and_hit(cards, up, decks)
    return double > hit


def double_and_hit(cards: tuple[int, int], up: int, decks: int) -> tuple[Fraction, Fraction]:
    """Return the mean gains of doubling and of hitting, card by card from a shoe of which only these cards are gone.

    For up cards that cannot make a blackjack. A hand of hard 17 or soft 19 and more is not hit again.
    """
    shoe = without(value_counts(decks), up)
    for card in cards:
        shoe = without(shoe, card)
    hand = blackjack.two(*cards)
    solver = _Exact(up)
    one_card = [p * solver.stand(blackjack.with_card(hand, value), rest) for value, p, rest in _draws(shoe)]
    return 2 * sum(one_card, Fraction(0)), solver.hit(hand, shoe)


def _draws(shoe: Counts) -> Iterator[tuple[int, Fraction, Counts]]:
    left = sum(shoe)
    for value, count in enumerate(shoe, start=1):
        if count:
            yield value, Fraction(count, left), without(shoe, value)


class _Exact:
    """Best hitting and standing against an up card, with the shoe counted card by card."""

    def __init__(self, up: int) -> None:
        self.up = up
        self.best = lru_cache(maxsize=None)(self._best)
        self.stand = lru_cache(maxsize=None)(self._stand)

    def hit(self, hand: blackjack.Hand, shoe: Counts) -> Fraction:
        """Return the mean gain of one card and best play after it."""
        return sum(
            [p * self.best(blackjack.with_card(hand, value), rest) for value, p, rest in _draws(shoe)], Fraction(0)
        )

    def _best(self, hand: blackjack.Hand, shoe: Counts) -> Fraction:
        total = blackjack.total(hand)
        soft = total != hand[0]
        if total > 21:  # noqa: PLR2004 - broken
            return Fraction(-1)
        standing = self.stand(hand, shoe)
        if total >= (19 if soft else 17):
            return standing
        return max(standing, self.hit(hand, shoe))

    def _stand(self, hand: blackjack.Hand, shoe: Counts) -> Fraction:
        player = blackjack.total(hand)
        if player > 21:  # noqa: PLR2004 - broken
            return Fraction(-1)
        sums: Counter[int] = Counter()
        for end, drawn, orders in dealers_hands(self.up):
            ways = orders
            for value, count in drawn:
                ways *= perm(shoe[value - 1], count)
            sums[sum([count for _, count in drawn])] += ways * blackjack.versus(player, end)
        left = sum(shoe)
        return sum([Fraction(ways, perm(left, count)) for count, ways in sums.items()], Fraction(0))


@lru_cache(maxsize=10)
def dealers_hands(up: int) -> tuple[tuple[int, tuple[tuple[int, int], ...], int], ...]:
    """Return the dealer's possible hands: final total, cards drawn by value, and in how many orders they may come."""
    found: Counter[tuple[int, tuple[tuple[int, int], ...]]] = Counter()

    def draw(hand: blackjack.Hand, drawn: tuple[int, ...]) -> None:
        for value in range(1, 11):
            after, cards = blackjack.with_card(hand, value), (*drawn, value)
            if blackjack.total(after) >= 17:  # noqa: PLR2004 - the dealer stands
                found[(blackjack.total(after), tuple(sorted(Counter(cards).items())))] += 1
            else:
                draw(after, cards)

    draw((up, up == 1), ())
    return tuple([(end, drawn, orders) for (end, drawn), orders in found.items()])
