"""What cannot be one round: the end of one was not seen, and the next was taken for more of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from audit.cards import Card, parse_card
from audit.games.terms import hard_total
from audit.reconstruction.observation import Observation, SeenCard

_MOST_CARDS: Final = 11  # four aces, four twos and three threes make 21; no hand of a game has more cards
_AFTER_BUST: Final = 2  # one card too many is an error of the dealer's, two are not one hand
_TWENTY_ONE: Final = 21
_REASON: Final = "the round could not be told from the one before or after it"
_OTHER_TOTALS: Final = frozenset({"lucky_draw_baccarat"})


def tangle(seen: Observation, game: str) -> str | None:
    """Return why what was seen cannot be one round, None if it can."""
    for name, hand in _hands(seen):
        if len(hand) > _MOST_CARDS:
            return f"{_REASON}: {len(hand)} cards lay at {name}"
        held = hand[:-_AFTER_BUST]
        if game not in _OTHER_TOTALS and hard_total(map(_likeliest, held)) > _TWENTY_ONE:
            return f"{_REASON}: {_AFTER_BUST} cards came to {name} after 21 was passed"
    return None


def _hands(seen: Observation) -> Iterator[tuple[str, Sequence[SeenCard]]]:
    for seat, cards in seen.seats.items():
        for number, hand in enumerate(cards.hands, start=1):
            yield f"seat {seat}'s hand {number}", hand
    yield "the dealer's place", seen.dealer


def _likeliest(card: SeenCard) -> Card | None:
    return None if card.likeliest is None else parse_card(card.likeliest)
