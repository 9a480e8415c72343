"""Whether the hand that was seen is the hand that counted, or a card may have come and gone unseen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from audit.cards import Card, is_natural
from audit.games.terms import best_total
from audit.procedures.drafts import Case
from audit.readings import by_value, readings
from audit.reconstruction.changes import Change
from audit.reconstruction.observation import SeenCard
from audit.reconstruction.places import DEALER, distance, gap_mm
from audit.reconstruction.slices import is_spread

_BESIDE_MM: Final = 130.0
_CERTAIN: Final = 0.99
_APART_MM: Final = 20.0
_BLACKJACK: Final = frozenset({"blackjack", "double_deck"})
_MOST_CARDS: Final = {"stud_21": 2, "lucky_draw_baccarat": 3}
_TWENTY_ONE: Final = 21
_TWO: Final = 2
_SEVENTEEN: Final = 17


def doubt_about_hand(case: Case, seat: int, hand: int, *, over: bool = False) -> str | None:
    """Return why a player's hand may have had another card than those seen, None if it certainly had not.

    No card comes to a player after the dealer's hole card is shown, or after his hand broke or was blackjack. ``over``:
    ask of the readings in which it did or was, where not all say so.
    """
    cards = case.seen.seats[seat].hands[hand - 1]
    unclear = case.seen.seats[seat].unclear or _why_unclear(case, cards)
    if unclear:
        return f"seat {seat} hand {hand}: {unclear}"
    turned, game = case.seen.hole_turned, case.seen.observed.round.game
    if game in _MOST_CARDS and len(cards) < _TWO:
        return f"seat {seat}: only one card was seen"
    if turned is not None and shown_in(case, cards, turned.state, f"seat{seat}"):
        return None
    if game in _BLACKJACK and (over or is_over(cards, split=len(case.seen.seats[seat].hands) > 1)):
        return None
    if len(cards) >= _MOST_CARDS.get(game, len(cards) + 1):
        return None
    return f"seat {seat} hand {hand} was not seen after its last card may have come"


def _why_unclear(case: Case, cards: Sequence[SeenCard]) -> str:
    """Return why it is not known which cards make a hand, nothing if it is."""
    if any(card.appeared.blind and not _dealt_at_first(case, card) for card in cards[1:]):
        return "a card of it came while the view was lost"
    if case.seen.observed.round.game in _BLACKJACK and lie_apart(cards):
        return "its cards lie apart, as those of a split do"
    return _why_unsure(case, cards) if _stray_beside(case, cards) or _lost_while_leaving(case, cards) else ""


def _dealt_at_first(case: Case, card: SeenCard) -> bool:
    """Whether a card lay in its hand before the first two were dealt to all, or when its round was first seen."""
    came, piece = card.appeared.state, case.seen.piece
    own = [seen.initial[1] for seen in case.seen.seats.values() if len(seen.initial) >= _TWO]
    later = any(other.appeared.state > came and not other.appeared.blind for other in (*own, *case.seen.dealer[:_TWO]))
    return (later and card in own) or (piece.begun_unseen and came == piece.first)


def doubt_about_dealer(case: Case) -> str | None:
    """Return why the dealer's hand may have had another card than those seen, None if it certainly had not.

    It is complete in a state that shows it when, or after, the first wager was settled against it, and once a state
    shows that he has to stand.
    """
    cards = case.seen.dealer
    if len(cards) < _TWO:
        return "the dealer's second card was not seen"
    if case.seen.observed.round.game == "stud_21":
        return None if all(card.shown for card in cards) else "a card of the dealer was not seen face up"
    if _stray_beside(case, cards) or _lost_while_leaving(case, cards):
        return f"the dealer's hand: {_why_unsure(case, cards)}"
    turned = case.seen.hole_turned
    if turned is None:
        return "the dealer's hole card was not seen face up"
    moves = [change.state for change in _settling(case) if change.state > turned.state]
    gone = [card.gone.state for card in cards if card.gone is not None]
    settled = min(moves, default=min(gone, default=len(case.seen.piece.states)) - 1)
    last = max(card.appeared.state for card in cards)
    stands = _stands(case, cards) and shown_in(case, cards, max(last, turned.state), DEALER)
    if stands or shown_in(case, cards, settled, DEALER) or _no_hand_since(cards):
        return None
    return "the dealer's hand was not seen after his last card may have come"


def _settling(case: Case) -> Iterator[Change]:
    """Yield every change that comes after the dealer's last card: wagers settled or collected, hands picked up."""
    for wager in case.seen.wagers:
        yield from (move.change for move in wager.pays)
        if wager.taken is not None:
            yield wager.taken.change
        if wager.collected is not None:
            yield wager.collected
    for seen in case.seen.seats.values():
        yield from (card.gone for card in seen.cards if card.gone is not None)


def is_over(cards: Iterable[SeenCard], *, split: bool) -> bool:
    """Return whether in every likely reading the hand takes no more cards: broken, or blackjack."""
    hand = tuple(cards)
    mass = 0.0
    for reading, p in readings(hand, by_value):
        values = [card.value if isinstance(card, Card) else 1 for card in reading]
        hard = sum(values)
        natural = not split and len(reading) == _TWO and None not in reading and is_natural(values)
        mass += p if hard > _TWENTY_ONE or natural else 0.0
    return mass >= _CERTAIN


def lie_apart(cards: Sequence[SeenCard]) -> bool:
    """Return whether the cards of a hand lie in two places or more: a split of them may not have been seen."""
    left, row = list(cards[1:]), list(cards[:1])
    for card in row:
        near = [other for other in left if gap_mm(card, other) < _APART_MM]
        row += near
        left = [other for other in left if other not in near]
    return bool(left)


def _stands(case: Case, cards: Iterable[SeenCard]) -> bool:
    """Return whether in every likely reading the dealer has 17 or more, so that he draws no more (004:L719)."""
    if case.rules.game not in _BLACKJACK:
        return False
    done = 0.0
    for reading, p in readings(tuple(cards), by_value):
        faces = [card if isinstance(card, Card) else None for card in reading]
        done += p if None not in faces and (best_total(faces) or 0) >= _SEVENTEEN else 0.0
    return done >= _CERTAIN


def shown_in(case: Case, cards: Iterable[SeenCard], state: int, owner: str) -> bool:
    """Return whether a state from that one on shows the owner's zone uncovered with all the cards still there.

    Cards spread over the table lie where a hand lay, and tell nothing of it.
    """
    cards = tuple(cards)
    piece = case.seen.piece
    zones = case.places.card_zones(owner)
    until = min((card.gone.state for card in cards if card.gone is not None), default=len(piece.states))
    return any(
        shown.view == "ok" and shown.covered.isdisjoint(zones) and not is_spread(shown)
        for shown in piece.states[state:until]
    )


def _no_hand_since(cards: tuple[SeenCard, ...]) -> bool:
    """Whether only one hand came over the dealer's cards between their last look and their leaving."""
    gone = [card.gone for card in cards]
    return all(change is not None and len(change.hands) == 1 for change in gone)


def _why_unsure(case: Case, cards: Iterable[SeenCard]) -> str:
    if _stray_beside(case, cards):
        return "a card near it lay outside every zone"
    return "its cards left while the view was lost"


def _stray_beside(case: Case, cards: Iterable[SeenCard]) -> bool:
    """Whether a card outside every zone may belong to this hand."""
    return any(distance(card.xy_mm, stray) <= _BESIDE_MM for card in cards for stray in case.seen.stray_cards)


def _lost_while_leaving(case: Case, cards: Iterable[SeenCard]) -> bool:
    lost = [state.span for state in case.seen.piece.states if state.view != "ok"]
    return any(card.gone is not None and card.gone.seen.overlaps(span) for card in cards for span in lost)
