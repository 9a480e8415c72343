"""What a wager is due over all readings of the cards that decide it, and what was seen to be done with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from audit.money import ZERO, Money, Odds
from audit.procedures.drafts import Case
from audit.procedures.finality import doubt_about_dealer, doubt_about_hand
from audit.readings import CardKey, Reading, answers, by_face, by_value
from audit.reconstruction.amounts import Amounts, combined
from audit.reconstruction.observation import Ending, SeenCard, SeenWager
from audit.reconstruction.records import best_card
from audit.rounds import Round, SeatPlay, Wager
from audit.settlement import Outcome, settle

_ON_HAND: Final = frozenset({"main", "split", "double"})
_TWO: Final = 2
_UNIT: Final = Money(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """What the rules give a wager: outcome None = not fixed by what was seen. ``fixed``: a printed amount."""

    outcome: Outcome | None
    odds: Odds | None
    fixed: Money | None
    row: str | None
    why: str

    def pay(self, stake: Money) -> Money | None:
        """Return what the house hands over beyond that stake; None where the documents do not fix it."""
        if self.outcome is not Outcome.WIN:
            return ZERO
        if self.fixed is not None:
            return self.fixed
        return None if self.odds is None else self.odds.pays(stake)


@dataclass(frozen=True, kw_only=True)
class DueReadings:
    """The dues that the readings allow, with their probabilities, or the reason why nothing can be said."""

    sets: Mapping[frozenset[Due], float]
    cards: tuple[tuple[str, SeenCard], ...]
    doubt: str | None = None

    @property
    def best(self) -> Due | None:
        """The likeliest due, None if no single one is."""
        single = [(p, due) for dues, p in self.sets.items() if len(dues) == 1 for due in dues]
        return max(single, key=lambda pair: pair[0])[1] if single else None


def due_readings(case: Case, wager: SeenWager) -> DueReadings:
    """Return what a wager is due, over all readings of the cards that decide it."""
    if wager.key.bet in _ON_HAND or wager.key.bet == "insurance":
        return _hand_dues(case, wager)
    return _side_dues(case, wager)


def _hand_dues(case: Case, wager: SeenWager) -> DueReadings:
    number = 1 if wager.key.bet == "insurance" else wager.key.hand or 1
    seat = case.seen.seats[wager.key.seat]
    dealer = case.seen.dealer
    own = seat.hands[number - 1] if number <= len(seat.hands) and wager.key.bet != "insurance" else ()
    doubt = doubt_about_hand(case, wager.key.seat, number) if own else None
    names = [(f"seat {seat.seat} hand {number} card {i}", card) for i, card in enumerate(own, start=1)]
    decided = _decided_without_dealer(case, wager, own)
    against = dealer[:_TWO] if wager.key.bet == "insurance" else () if decided else dealer
    names += [(f"dealer's card {i}", card) for i, card in enumerate(against, start=1)]
    if not decided:
        doubt = doubt or (_insurance_doubt(case) if wager.key.bet == "insurance" else doubt_about_dealer(case))

    def decide(reading: Reading) -> Due:
        hand, rest = reading[: len(own)], reading[len(own) :]
        return _settled(case, wager, hand if own else None, rest if not decided else _best_dealer(case))

    cards = tuple(card for _, card in names)
    return DueReadings(sets=answers(cards, decide, by_value), cards=tuple(names), doubt=doubt)


def _insurance_doubt(case: Case) -> str | None:
    return None if case.seen.hole_turned is not None else "the dealer's hole card was not seen face up"


def _decided_without_dealer(case: Case, wager: SeenWager, own: tuple[SeenCard, ...]) -> bool:
    """Whether the hand is broken in every likely reading, so that the dealer's cards do not matter."""
    if not own:
        return False
    del case, wager
    hard = answers(own, lambda reading: sum(card.value for card in reading if card is not None) > 21)  # noqa: PLR2004
    return hard.get(frozenset({True}), 0.0) >= 1 - 1e-9


def _best_dealer(case: Case) -> Reading:
    return tuple(best_card(card) for card in case.seen.dealer)


def _side_dues(case: Case, wager: SeenWager) -> DueReadings:
    seat = case.seen.seats[wager.key.seat]
    up = case.seen.dealer[:1]
    names = [(f"seat {seat.seat} card {i}", card) for i, card in enumerate(seat.initial, start=1)]
    names += [("dealer's card 1", card) for card in up]
    key: CardKey = by_face

    def decide(reading: Reading) -> Due:
        return _settled(case, wager, reading[: len(seat.initial)], reading[len(seat.initial) :], initial=True)

    doubt = None if len(seat.initial) == _TWO and up else "the first two cards and the up card were not all seen"
    return DueReadings(sets=answers([card for _, card in names], decide, key), cards=tuple(names), doubt=doubt)


def _settled(case: Case, wager: SeenWager, hand: Reading | None, dealer: Reading, *, initial: bool = False) -> Due:
    """Return the due of a wager of one dollar on this reading."""
    key = wager.key
    play = case.seen.observed.round.seats[key.seat]
    hands = list(play.hands)
    if hand is not None and not initial:
        hands[(key.hand or 1) - 1] = hand
    seat = SeatPlay(
        hands=tuple(hands),
        initial=hand if initial and hand is not None else play.initial,
        even_money=play.even_money,
        free_bet_coupon=play.free_bet_coupon,
    )
    round_ = Round(
        game=case.seen.observed.round.game,
        variant=case.seen.observed.round.variant,
        dealer=dealer,
        seats={key.seat: seat},
        wagers=(Wager(key=key, amount=_UNIT),),
    )
    answer = settle(round_, case.rules).settled[0]
    by_odds = answer.odds is not None and answer.pay == answer.odds.pays(_UNIT)
    return Due(
        outcome=answer.outcome,
        odds=answer.odds,
        fixed=None if by_odds or answer.outcome is not Outcome.WIN else answer.pay,
        row=answer.row,
        why=answer.why if answer.outcome is None else "",
    )


@dataclass(frozen=True, kw_only=True)
class Done:
    """What was seen to be done with a wager: the ways it may have ended, and what was paid on it.

    ``paid``: probability of each total; what is missing to 1 is an amount not read. ``unseen``: a payment may have
    come and gone unseen. ``sure``: a dealer's hand was seen at every payment.
    """

    endings: frozenset[bool]
    paid: Amounts
    pile_seen: bool
    sure: bool


def done(case: Case, wager: SeenWager) -> Done:
    """Return what was seen to be done with the wager; an ending is True for taken."""
    paid: Amounts = {ZERO: 1.0}
    for move in wager.pays:
        paid = combined(paid, move.net(case.chips), sign=1)
    both = frozenset({True, False})
    endings = {Ending.TAKEN: frozenset({True}), Ending.STANDS: frozenset({False}), Ending.UNKNOWN: both}
    stands_unseen = wager.ending is Ending.STANDS and wager.shown_after is None
    unseen = not wager.pays and not wager.in_rack and (wager.ending is Ending.UNKNOWN or stands_unseen)
    return Done(
        endings=endings[wager.ending],
        paid={} if unseen else paid,
        pile_seen=bool(wager.pays),
        sure=all(move.change.by_dealer for move in wager.pays),
    )


def moves_of(wager: SeenWager) -> Iterator[object]:
    """Yield every change that settled the wager."""
    yield from (move.change for move in wager.pays)
    if wager.taken is not None:
        yield wager.taken.change
