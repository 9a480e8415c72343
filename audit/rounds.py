"""The one round record of all games: seats with hands of cards, a dealer's hand, dice, wagers, pays and takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from audit.cards import Card
from audit.money import Money
from audit.timing import Span

VariantValue = str | int | bool | Mapping[str, str] | None


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class BetKey:
    """What names a wager: seat, kind of bet, the hand it stands on (1, 2, ...) or the number it names."""

    seat: int
    bet: str
    hand: int | None = None
    number: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Wager:
    """A wager as it stood when the round's first card came; ``amount`` None = seen but not read."""

    key: BetKey
    amount: Money | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Die:
    """The top face of a die and its colour; None = seen but not read."""

    value: int | None
    colour: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatPlay:
    """What one seat was dealt; None in a hand = a card seen but not read.

    ``initial`` is the first two cards dealt, ``hands`` the final hands from left to right as the dealer sees them
    (blackjack). In the other games the one hand is ``hands[0]`` in the order dealt.
    """

    hands: tuple[tuple[Card | None, ...], ...]
    initial: tuple[Card | None, ...] = ()
    first_card_lateral: bool | None = None
    even_money: bool = False
    free_bet_coupon: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """A round as the rules see it: the input record of ``contracts/settlement.md``.

    ``dealer``: blackjack [up, hole, hits...]; 21 Stud [card 1, card 2]; Lucky Draw Baccarat [down, up, third];
    empty in the dice games. ``variant`` holds that contract's variant keys.
    """

    game: str
    variant: Mapping[str, VariantValue] = field(default_factory=dict)
    dealer: tuple[Card | None, ...] = ()
    seats: Mapping[int, SeatPlay] = field(default_factory=dict)
    dice: tuple[Die, ...] = ()
    wagers: tuple[Wager, ...] = ()


class RoundStatus(StrEnum):
    """Whether all of a round was seen."""

    COMPLETE = "complete"
    PARTIAL = "partial"
    VOID = "void"


@dataclass(frozen=True, slots=True, kw_only=True)
class Movement:
    """Cheques that the house added to a wager (a pay) or removed from it (a take); None = seen but not read."""

    key: BetKey
    amount: Money | None
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservedRound:
    """A round with what the video showed of it beyond the cards: money that moved, and when.

    ``start``: the span in which the first card came to lie on the felt; ``end``: in which the last card left it.
    """

    round: Round
    start: Span
    end: Span
    status: RoundStatus
    missing: tuple[str, ...] = ()
    pays: tuple[Movement, ...] = ()
    takes: tuple[Movement, ...] = ()
    tokes: tuple[Wager, ...] = ()

    @property
    def span(self) -> Span:
        """From the first moment at which a card may have come to the last at which the last one may have left."""
        return self.start.hull(self.end)
