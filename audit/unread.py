"""What can still be said of a wager when a card or a die was not read: it is decided if every reading says the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import Final

from audit.cards import DECK, Card
from audit.games.terms import RuleSet, Settled, Settlement
from audit.rounds import Die, Round, SeatPlay, Wager

MOST_UNREAD: Final = 2
"""With more cards or dice unread than this nothing is tried."""

_SUITED_BETS: Final = frozenset({"trilux", "super3", "blazing7", "mirror", "match1", "match2", "block_bonus"})
_FACES: Final = tuple(DECK.values())
_RANKS: Final = tuple(card for card in _FACES if card.suit == "s")

Place = tuple[str, int, int]
"""``("dealer", 0, card)``, ``("hand", hand, card)`` or ``("die", 0, die)``."""


def decide(
    settled: Settled, wager: Wager, round_: Round, rules: RuleSet, settle: Callable[[Round, RuleSet], Settlement]
) -> Settled:
    """Return the answer that every reading of the unread cards and dice gives, else the undecided one as it is."""
    play = round_.seats.get(wager.key.seat)
    if play is None:
        return settled
    places = tuple(_unread(round_, play))
    if not 0 < len(places) <= MOST_UNREAD:
        return settled
    answers: dict[object, Settled] = {}
    readings: list[tuple[Card | int, ...]] = [_readings(place, wager.key.bet) for place in places]
    for values in product(*readings):
        filled = _filled(round_, wager, play, dict(zip(places, values, strict=True)))
        answer = settle(filled, rules).settled[0]
        answers[(answer.outcome, answer.odds, answer.pay, answer.envy)] = answer
        if len(answers) > 1 or answer.outcome is None:
            return settled
    [answer] = answers.values()
    return replace(answer, row=None, why=f"whatever was not read, {answer.outcome} ({settled.why})")


def _unread(round_: Round, play: SeatPlay) -> Iterator[Place]:
    yield from [("dealer", 0, at) for at, card in enumerate(round_.dealer) if card is None]
    for number, hand in enumerate(play.hands):
        yield from [("hand", number, at) for at, card in enumerate(hand) if card is None]
    yield from [("die", 0, at) for at, die in enumerate(round_.dice) if die.value is None]


def _readings(place: Place, bet: str) -> tuple[Card | int, ...]:
    if place[0] == "die":
        return (1, 2, 3, 4, 5, 6)
    return _FACES if bet in _SUITED_BETS else _RANKS


def _filled(round_: Round, wager: Wager, play: SeatPlay, read: Mapping[Place, Card | int]) -> Round:
    """Return the round with this wager alone and the readings written in, in the first two cards as well."""
    hands = tuple([_cards(hand, read, "hand", number) for number, hand in enumerate(play.hands)])
    initial = hands[0][:2] if len(hands) == 1 and play.initial else play.initial
    return Round(
        game=round_.game,
        variant=round_.variant,
        dealer=_cards(round_.dealer, read, "dealer", 0),
        seats={wager.key.seat: replace(play, hands=hands, initial=initial)},
        dice=tuple([_die(die, read.get(("die", 0, at))) for at, die in enumerate(round_.dice)]),
        wagers=(wager,),
    )


def _cards(
    cards: tuple[Card | None, ...], read: Mapping[Place, Card | int], kind: str, number: int
) -> tuple[Card | None, ...]:
    filled = []
    for at, card in enumerate(cards):
        reading = read.get((kind, number, at))
        filled.append(reading if isinstance(reading, Card) else card)
    return tuple(filled)


def _die(die: Die, value: Card | int | None) -> Die:
    return replace(die, value=value) if isinstance(value, int) else die
