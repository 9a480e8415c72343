"""What is no round of its own: two that were taken for one, or one whose hands were built up again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from audit.cards import Card, parse_card
from audit.games.terms import hard_total
from audit.reconstruction.dealing_gap import came_back_to_wagers
from audit.reconstruction.observation import Observation, SeenCard

_MOST_CARDS: Final = 11  # four aces, four twos and three threes make 21; no hand of a game has more cards
_AFTER_BUST: Final = 2  # one card too many is an error of the dealer's, two are not one hand
_TWENTY_ONE: Final = 21
_REASON: Final = "the round could not be told from the one before or after it"
AT_ONCE: Final = "the deal and what settles it lie between two looks"
_FEWEST_SAME: Final = 4  # of two rounds in a row four cards are the same by chance once in a hundred thousand times
_AGAIN: Final = "its cards are those of the round before, laid out again and not from the shoe"
_OTHER_TOTALS: Final = frozenset({"lucky_draw_baccarat"})


def tangle(seen: Observation, game: str) -> str | None:
    """Return why what was seen cannot be one round, None if it can.

    Of a seat's cards of which it is not known which make one hand, none is too many.
    """
    if _settled_in_the_deal(seen):
        return AT_ONCE
    told = {seat: cards for seat, cards in seen.seats.items() if not cards.unclear}
    for name, hand in _hands(replace(seen, seats=told)):
        if len(hand) > _MOST_CARDS:
            return f"{_REASON}: {len(hand)} cards lay at {name}"
        held = hand[:-_AFTER_BUST]
        if game not in _OTHER_TOTALS and hard_total(map(_likeliest, held)) > _TWENTY_ONE:
            return f"{_REASON}: {_AFTER_BUST} cards came to {name} after 21 was passed"
    return None


def _settled_in_the_deal(seen: Observation) -> bool:
    """Whether the first look that shows a card shows what settles the round, too, and the dealer settled."""
    turned = seen.hole_turned
    at_once = turned is not None and turned.state <= seen.piece.first and not seen.piece.begun_unseen
    return at_once and came_back_to_wagers(seen.piece)


def built_up_again(seen: Observation, before: Observation | None) -> str | None:
    """Return that a round is the one before it, laid out again from the discard rack as in a dispute (004:L767-772).

    Every card is one of that round's, as far as it was read, and none came with a hand from the shoe. Of a round whose
    beginning was not seen some cards may have been picked up unseen. Where the view begins in that round or after it,
    they came with hands from the discard rack that were over nothing else.
    """
    cards = _cards(seen)
    known = Counter(card.likeliest for card in cards if card.likeliest is not None)
    brought = [{zone for hand in card.appeared.hands for zone in hand.zones} for card in cards if card.appeared.hands]
    from_shoe = any("shoe" in zones for zones in brought)
    beside = [{zone for zone in zones if ".card" not in zone} for zones in brought]
    of_discards = bool(beside) and all(zones == {"discard"} for zones in beside)
    if of_discards and (before is None or before.piece.begun_unseen):
        return _AGAIN
    if before is None:
        return None
    earlier = Counter(card.likeliest for card in _cards(before) if card.likeliest is not None)
    if of_discards and known and known <= earlier:
        return _AGAIN
    if known.total() < _FEWEST_SAME:
        return None
    same = (known & earlier).total() >= _FEWEST_SAME if before.piece.begun_unseen else known <= earlier
    return _AGAIN if same and not from_shoe else None


def _cards(seen: Observation) -> list[SeenCard]:
    return [card for _, hand in _hands(seen) for card in hand]


def _hands(seen: Observation) -> Iterator[tuple[str, Sequence[SeenCard]]]:
    for seat, cards in seen.seats.items():
        for number, hand in enumerate(cards.hands, start=1):
            yield f"seat {seat}'s hand {number}", hand
    yield "the dealer's place", seen.dealer


def _likeliest(card: SeenCard) -> Card | None:
    return None if card.likeliest is None else parse_card(card.likeliest)
