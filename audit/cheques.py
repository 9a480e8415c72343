"""Cheques and cash as the blackjack manual handles them: breaking down, paying, changing, limits and times.

Chapters 1 to 3 of 004. Amounts are exact dollars; a colour stands for its value in ``audit.table.CHIP_VALUES``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final

from audit.money import Money, Odds
from audit.table import CHIP_VALUES
from audit.timing import Millis

FULL_STACK: Final = 20
"""Cheques in a full stack, and the most in one row (004:L73, L84, L96)."""
UNITS: Final[dict[str, int]] = {
    **dict.fromkeys(("white", "red", "black", "orange", "teal"), 5),  # 004:L73
    **dict.fromkeys(("blue", "pink", "green", "purple", "grey"), 4),  # 004:L84
}
"""In how many a colour is cut down."""
PROOFS: Final[dict[str, tuple[int, ...]]] = {
    "orange": (2, 2, 1),  # 004:L82
    "teal": (2, 2, 1),
    "grey": (2, 2),  # 004:L94
}
"""How the last stack of a colour is proved when the row ends in a full unit."""
PUSHED_APART: Final = frozenset({"grey", "teal"})
"""Colours pushed slightly apart after breaking them down (004:L103)."""
_ROWS: Final[dict[int, dict[int, tuple[int, ...]]]] = {
    # 004:L75-80 and L86-92; up to one unit is a single stack
    5: {6: (3, 3), 7: (3, 3, 1), 8: (4, 4), 9: (4, 4, 1), 10: (5, 5)},
    4: {5: (4, 1), 6: (3, 3), 7: (3, 3, 1), 8: (4, 4), 9: (4, 4, 1), 10: (4, 4, 2)},
}


def stack_value(colour: str) -> Money:
    """Return the value of a full stack of a colour (004:L96-101)."""
    return CHIP_VALUES[colour] * FULL_STACK


def value(stack: Sequence[str]) -> Money:
    """Return the value of cheques, given by colour."""
    return sum([CHIP_VALUES[colour] for colour in stack], Money(0))


def break_down(count: int, colour: str) -> tuple[tuple[int, ...], ...]:
    """Return the rows of stacks into which cheques of one colour are cut, at most twenty a row.

    Beyond ten the manual prints no row: full units, then the rest [CHQ-1].
    """
    if count < 1:
        return ()
    rows, rest = divmod(count, FULL_STACK)
    full = ((UNITS[colour],) * (FULL_STACK // UNITS[colour]),) * rows
    return full if not rest else (*full, _row(rest, UNITS[colour]))


def _row(count: int, unit: int) -> tuple[int, ...]:
    if count in _ROWS[unit]:
        return _ROWS[unit][count]
    whole, rest = divmod(count, unit)
    return (unit,) * whole + ((rest,) if rest else ())


def proof(count: int, colour: str) -> tuple[int, ...] | None:
    """Return how the last stack is proved when so many cheques are broken down, None where none is asked for."""
    if colour in PROOFS and 0 < count <= FULL_STACK and count % UNITS[colour] == 0:
        return PROOFS[colour]
    return None


def fewest(amount: Money, chips: Mapping[str, Money] | None = None) -> tuple[str, ...] | None:
    """Return the fewest cheques for an amount, the highest first as they are paid (004:L741); None if none fit."""
    left = amount
    paid: list[str] = []
    for colour, worth in sorted((chips or CHIP_VALUES).items(), key=lambda pair: -pair[1]):
        count, left = divmod(left, worth)
        paid += [colour] * int(count)
    return tuple(paid) if left == 0 else None


def colour_for_colour(
    stack: Sequence[str], odds: Odds, chips: Mapping[str, Money] | None = None
) -> tuple[str, ...] | None:
    """Return the payment of a wager in its own colours, highest first, as far as each colour allows (004:L744).

    What a colour cannot pay (half a red at 3 to 2 on one) goes into the next lower cheques. None if no cheque fits.
    """
    values = chips or CHIP_VALUES
    paid: list[str] = []
    left = Money(0)
    for colour in sorted(set(stack), key=lambda name: -values[name]):
        count, rest = divmod(Fraction(stack.count(colour) * odds.a, odds.b), 1)
        paid += [colour] * int(count)
        left += rest * values[colour]
    odd = fewest(left, values)
    return None if odd is None else tuple(sorted([*paid, *odd], key=lambda name: -values[name]))


def may_colour_up(payment: Sequence[str]) -> bool:
    """Return whether the dealer may pay in larger cheques of his own accord: over one stack in colour (004:L841).

    ``payment`` is what he would pay in the colours of the bet.
    """
    return any(payment.count(colour) > FULL_STACK for colour in set(payment))


MULTIPLES: Final = {1: 1, 2: 2, 3: 5}
"""How many table minimums a player wagers on each of so many hands (004:L867) [BJ-15]."""


def minimum_wager(table_minimum: Money, hands: int, *, vip: bool = False) -> Money | None:
    """Return the least wager on each of a player's hands; None where he may not play so many."""
    if hands not in MULTIPLES:
        return None
    return table_minimum * (1 if vip else MULTIPLES[hands])


def greatest_toke(table_maximum: Money, wager: Money) -> Money:
    """Return the greatest toke bet beside a wager (004:L1001-1003) [BJ-26]."""
    return table_maximum / 10 if wager >= table_maximum else table_maximum - wager


BILLS: Final[dict[int, tuple[int, int]]] = {
    # bill -> bills in a row, and up to how many dollars (004:L470-492); the last is probably a misprint for 25 [CHQ-3]
    100: (5, 2500),
    50: (4, 1000),
    20: (5, 500),
    10: (5, 250),
    5: (4, 100),
    1: (5, 250),
}


def bill_rows(count: int, bill: int) -> tuple[int, ...]:
    """Return the rows in which bills are laid out (004:L455)."""
    whole, rest = divmod(count, BILLS[bill][0])
    return (BILLS[bill][0],) * whole + ((rest,) if rest else ())


def printed_rows(bill: int) -> int:
    """Return how many full rows the manual's greatest amount makes."""
    per_row, greatest = BILLS[bill]
    return greatest // (bill * per_row)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuyIn:
    """What the manual fixes of a buy-in: dollars of each colour, exactly or at least; other colours as they fit."""

    exactly: Mapping[str, Money]
    at_least: Mapping[str, Money]
    only: frozenset[str] | None

    def allows(self, cheques: Sequence[str]) -> bool:
        """Return whether these cheques keep to it."""
        given = {colour: CHIP_VALUES[colour] * cheques.count(colour) for colour in set(cheques)}
        if self.only is not None and not given.keys() <= self.only:
            return False
        return all(given.get(colour, 0) == amount for colour, amount in self.exactly.items()) and all(
            given.get(colour, Money(0)) >= amount for colour, amount in self.at_least.items()
        )


def buy_in(amount: Money, table_minimum: Money) -> BuyIn | None:
    """Return how a buy-in is handed out (004:L498-516); None where the manual leaves it to discretion.

    Odd amounts are at the dealer's discretion on the small games (004:L504); so are tables of other minimums.
    """
    if table_minimum in {5, 10, 15}:
        return _small_game(amount)
    if table_minimum == 25:  # noqa: PLR2004 - 004:L506
        return _green_game(amount)
    if table_minimum == 100:  # noqa: PLR2004 - 004:L510
        if amount <= 3000:  # noqa: PLR2004 - 004:L512
            return _exactly(black=amount) if amount % 100 == 0 else None
        return BuyIn(
            exactly={}, at_least={"black": Money(100), "purple": Money(500)}, only=frozenset({"black", "purple"})
        )
    return None


def _exactly(**amounts: Money) -> BuyIn:
    dealt = {colour: amount for colour, amount in amounts.items() if amount > 0}
    return BuyIn(exactly=dealt, at_least={}, only=frozenset(dealt))


def _small_game(amount: Money) -> BuyIn | None:
    if amount <= 100:  # noqa: PLR2004 - 004:L500
        return _exactly(red=amount) if amount % 5 == 0 else None
    return _exactly(red=Money(100), green=amount - 100) if amount % 25 == 0 else None


def _green_game(amount: Money) -> BuyIn | None:
    if amount < 1000:  # noqa: PLR2004 - 004:L508
        return BuyIn(exactly={}, at_least={"green": min(Money(amount // 25 * 25), Money(500))}, only=None)
    if amount % 100:
        return None
    return _exactly(green=Money(500), black=amount - 500)


APPROVAL_MONEY: Final = Money(300)
"""Money sent out from this amount on needs the supervisor's approval (004:L449, L458)."""
APPROVAL_CHEQUE: Final = Money(100)
"""So does cheque change with such a cheque, and a payment with one (004:L520, L748)."""


class ShuffleRating(StrEnum):
    """The manual's rating of a shuffle's time (004:L109-115)."""

    OUTSTANDING = "OP"
    STRONG = "SP"
    MEETS = "ME"
    NEEDS_IMPROVEMENT = "NI"


SHUFFLE_BANDS: Final[dict[int, tuple[tuple[int, ShuffleRating], ...]]] = {
    # decks -> up to so many whole seconds [SHU-1]
    6: ((90, ShuffleRating.OUTSTANDING), (105, ShuffleRating.STRONG), (120, ShuffleRating.MEETS)),
    8: ((110, ShuffleRating.OUTSTANDING), (130, ShuffleRating.STRONG), (145, ShuffleRating.MEETS)),
}
SHOE_TIMES: Final[dict[int, Millis]] = {6: Millis(580_000), 8: Millis(690_000)}
"""The standard time for dealing a shoe: 9:40 and 11:30 (004:L670) [BJ-23]."""


def shuffle_rating(duration: Millis, decks: int) -> ShuffleRating | None:
    """Return the rating of a shuffle's time, cut to whole seconds; None for shoes that the manual does not rate."""
    if decks not in SHUFFLE_BANDS:
        return None
    seconds = duration // 1000
    for most, rating in SHUFFLE_BANDS[decks]:
        if seconds <= most:
            return rating
    return ShuffleRating.NEEDS_IMPROVEMENT
