"""What reconstruction saw of one round: cards, wagers and money with their times, for the procedures to judge."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from audit.money import Money
from audit.reconstruction.amounts import Amounts, combined, total_amounts
from audit.reconstruction.changes import Change
from audit.reconstruction.dice import SeenDie
from audit.reconstruction.evidence import Stack, best
from audit.reconstruction.slices import Slice
from audit.rounds import BetKey, ObservedRound
from audit.table import Point
from audit.timing import Span


@dataclass(frozen=True, kw_only=True)
class SeenCard:
    """A card as all its looks say: ``chances`` of its face (empty: unread), where it lies and when it came and went.

    ``appeared`` is the change that put it there; ``turned`` the one that showed its face, if it lay face down first.
    ``sideways`` is None between upright and across; at the dice games it is how it lay before the dice were shown.
    ``face_up`` tells how it lay when it was first seen; that it was a face is certain from ``read`` on, the change that
    first let it be read. ``came_xy_mm``: where it lay at first. ``exposed``: the change that showed its face before it
    was turned down again.
    """

    number: int
    owner: str
    chances: Mapping[str, float]
    appeared: Change
    xy_mm: Point
    came_xy_mm: Point
    angle_deg: float
    sideways: bool | None
    face_up: bool
    shown: bool
    turned: Change | None = None
    read: Change | None = None
    exposed: Change | None = None
    gone: Change | None = None

    @property
    def likeliest(self) -> str | None:
        """The likeliest face, None if nothing was read."""
        return max(self.chances, key=lambda code: self.chances[code], default=None)

    @property
    def face_shown(self) -> Change | None:
        """The change that first showed its face, None if it was never seen face up."""
        if not self.shown:
            return None
        return self.appeared if self.face_up else self.turned


_TWO: Final = 2
BY_BOTH_CARDS: Final = frozenset({"base", "match2"})
"""Bets of 21 Stud that wait for dealer card #2 (002, steps 4 and 5)."""
BY_UP_CARD: Final = frozenset({"block_bonus"})
"""Bets of Lucky Draw Baccarat that the dealer's exposed card decides (003:L29)."""
BY_OWN_CARDS: Final = frozenset({"mirror"})
"""Bets of 21 Stud that the player's own two cards decide, once all are dealt (002, step 2)."""


def up_card_shown(dealer: Sequence[SeenCard]) -> Change | None:
    """Return when the second card of the dealer lay there face up, the one he exposes at once (003:L58)."""
    return dealer[1].face_shown if len(dealer) > 1 else None


def all_dealt(hands: Iterable[Sequence[SeenCard]]) -> Change | None:
    """Return when the last of every hand's first two cards came, None if one has fewer."""
    opening = [tuple(hand[:_TWO]) for hand in hands]
    if not opening or any(len(hand) < _TWO for hand in opening):
        return None
    return max((card.appeared for hand in opening for card in hand), key=lambda change: change.state)


def both_shown(dealer: Sequence[SeenCard]) -> Change | None:
    """Return the change from which on both of the dealer's first cards lay face up, None if they did not."""
    shown = [card.face_shown for card in dealer[:_TWO]]
    known = [change for change in shown if change is not None]
    return max(known, key=lambda change: change.state) if len(known) == _TWO else None


@dataclass(frozen=True, kw_only=True)
class SeatSeen:
    """One seat's cards: the first two dealt, and the final hands from left to right, each in the order dealt.

    ``splits``: the changes that parted a hand in two. ``unclear``: why it is not known which cards make which hand;
    nothing if it is.
    """

    seat: int
    initial: tuple[SeenCard, ...]
    hands: tuple[tuple[SeenCard, ...], ...]
    splits: tuple[Change, ...] = ()
    unclear: str = ""

    @property
    def cards(self) -> tuple[SeenCard, ...]:
        """Every card of the seat in the order of appearance; of those that came at once, in the order of their hand."""
        placed = [(card.appeared.state, place, card) for hand in self.hands for place, card in enumerate(hand)]
        return tuple(card for *_, card in sorted(placed, key=lambda item: item[:2]))

    @property
    def drawn(self) -> tuple[SeenCard, ...]:
        """The cards that came after the first two."""
        return tuple(card for card in self.cards if card not in self.initial)


class Ending(StrEnum):
    """What became of a wager."""

    TAKEN = "taken"
    STANDS = "stands"  # still there after the round, or collected by the player
    UNKNOWN = "unknown"


@dataclass(frozen=True, kw_only=True)
class MoneyMove:
    """Cheques put beside or on a wager, or removed from it: the piles before and after, and whose hand did it.

    ``afar``: farther off than payments stand, and nearest to this wager.
    """

    before: tuple[Mapping[Stack, float], ...]
    after: tuple[Mapping[Stack, float], ...]
    change: Change
    part: Money | None = None
    afar: bool = False

    def net(self, chips: Mapping[str, Money]) -> Amounts:
        """Return what was added (negative: removed); ``part`` is one wager's share of a pile that pays two."""
        amounts = combined(total_amounts(self.after, chips), total_amounts(self.before, chips), sign=-1)
        return amounts if self.part is None else {self.part: sum(amounts.values())}


@dataclass(frozen=True, kw_only=True)
class SeenWager:
    """A wager with all that happened to it.

    ``stake``: what it may have been worth when it was placed (for a main wager: when the first card came), ``piles``
    the readings behind that. ``pays``: what the house added; ``raised`` and ``lowered``: what was changed otherwise
    after the first card; ``altered``: where a player exchanged its cheques for as much, ``reconsidered``: where he made
    a wager of the play, as insurance, more or less while he might. ``shown_after`` is a state that shows the wager
    after the last dealer's hand, the proof that nothing more was paid; None if there is none.
    ``on_top``: a double put onto its bet instead of beside it. ``in_rack``: collected, before the deal or late, in play
    without cheques. ``cut``: into how many piles it was cut to be paid. ``unseen_stake``: what it may have been worth
    instead, where a change of it was seen only after the first card and may have come before.
    """

    key: BetKey
    spot: str
    stake: Amounts
    piles: tuple[Mapping[Stack, float], ...]
    placed: Change
    xy_mm: Point
    pays: tuple[MoneyMove, ...] = ()
    taken: MoneyMove | None = None
    collected: Change | None = None
    ending: Ending = Ending.UNKNOWN
    why_unknown: str = ""
    shown_after: Span | None = None
    raised: tuple[MoneyMove, ...] = ()
    lowered: tuple[MoneyMove, ...] = ()
    altered: tuple[MoneyMove, ...] = ()
    reconsidered: tuple[MoneyMove, ...] = ()
    on_top: bool = False
    in_rack: bool = False
    cut: int = 1
    unseen_stake: Amounts = field(default_factory=dict)

    @property
    def stakes(self) -> tuple[Amounts, ...]:
        """What the wager may have been worth: one or the other, where nobody saw when it changed."""
        return (self.stake, self.unseen_stake) if self.unseen_stake else (self.stake,)

    @property
    def is_paid_afar(self) -> bool:
        """Whether all that was paid on it lies farther off than payments do."""
        return bool(self.pays) and all(move.afar for move in self.pays)

    @property
    def kept_pays(self) -> tuple[MoneyMove, ...]:
        """The payments without a pile that the house set down and took back, or put upon another."""
        kept: list[MoneyMove] = []
        for move in self.pays:
            back = best(move.before[0]) if move.before and not move.after else None
            laid = next((one for one in reversed(kept) if back and not one.before and best(one.after[0]) == back), None)
            if laid is None:
                kept.append(move)
            else:
                kept.remove(laid)
        return tuple(kept)


@dataclass(frozen=True, kw_only=True)
class Observation:
    """One round as the video showed it. ``observed`` is its record; the rest is what the record leaves out.

    ``hole_turned``: the change from which on no player gets a card: the dealer's hole card is shown, his first card
    at 21 Stud, his face-down card at Lucky Draw Baccarat, the dice at the dice games. ``burnt``: cards that the
    dealer drew by mistake and burnt before he settled, so that they are none of his hand; ``moved``: players' cards
    as they left a hand that they were not for; ``laid_together``: those laid beside another seat's as it was settled,
    as they came there. ``stray_cards``: where cards lay outside every zone and beside no
    hand. ``hole_exposed``: whether the hole card was shown instead of the up card; None if it may have been.
    """

    observed: ObservedRound
    piece: Slice
    first_card: Change
    seats: Mapping[int, SeatSeen] = field(default_factory=dict)
    dealer: tuple[SeenCard, ...] = ()
    burnt: tuple[SeenCard, ...] = ()
    moved: tuple[SeenCard, ...] = ()
    dice: tuple[SeenDie, ...] = ()
    wagers: tuple[SeenWager, ...] = ()
    hole_turned: Change | None = None
    without_cards: tuple[SeenWager, ...] = ()
    late: tuple[SeenWager, ...] = ()
    laid_together: tuple[SeenCard, ...] = ()
    stray_cards: tuple[Point, ...] = ()
    hole_exposed: bool | None = False

    @property
    def stopped(self) -> bool:
        """Whether the dealer picked up every player's cards before his or the dice were shown or a wager settled."""
        cards = [card for seat in self.seats.values() for card in seat.cards]
        lifted = bool(cards) and all(card.gone is not None and card.gone.by_dealer for card in cards)
        open_ = not any(wager.pays or wager.taken is not None for wager in self.wagers)
        return not self.piece.missing and self.hole_turned is None and lifted and open_

    def wager(self, key: BetKey) -> SeenWager | None:
        """Return the wager of that name, None if there is none."""
        return next((wager for wager in self.wagers if wager.key == key), None)

    def decided(self, bet: str) -> Change | None:
        """Return the change that shows what a bet is settled by: ``hole_turned``, or that of another card."""
        dealt = [self.dealer, *(seat.cards for seat in self.seats.values())]
        later = all_dealt(dealt) if bet in BY_OWN_CARDS else None
        later = both_shown(self.dealer) if bet in BY_BOTH_CARDS else later
        later = up_card_shown(self.dealer) if bet in BY_UP_CARD else later
        return later or self.hole_turned
