"""Two rounds with nothing seen between them: picked up and dealt again while no look was taken, or the view was lost.

A seat may get the very card again that lay there, so that the round seems to go on. But nobody's hand loses a card and
keeps another, or gets one for it, unless all were picked up.

Recognised footage, which says since when each card was watched, is not cut so: a card that one look misses is common.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

from audit.reconstruction.evidence import card_chances, may_be_same
from audit.reconstruction.places import DEALER, Places, lies_there
from audit.states import HandSeen, SeenObject, TableState


def picked_up_and_dealt(hands: Iterable[HandSeen]) -> bool:
    """Return whether the dealer's hand was at the discard rack, and afterwards at the shoe."""
    his = [hand for hand in hands if hand.side == DEALER]
    away = [hand.span for hand in his if "discard" in hand.zones]
    drawn = [hand.span for hand in his if "shoe" in hand.zones]
    return any(late.certainly_after(early) for early, late in product(away, drawn))


def goes_on(before: Sequence[SeenObject], now: Sequence[SeenObject], state: TableState, places: Places) -> bool:
    """Return whether the dealer's own cards lie as they lay, and no hand was over them after his at the discard rack.

    His round goes on: another begins when he has picked up his own cards and got new ones.
    """
    own = [card for card in before if places.owner(card.xy_mm) == DEALER]
    away = [hand.span for hand in state.hands if hand.side == DEALER and "discard" in hand.zones]
    over = [hand.span for hand in state.hands if not places.card_zones(DEALER).isdisjoint(hand.zones)]
    untouched = all(at.certainly_before(gone) for at, gone in product(over, away))
    return bool(own) and untouched and all(_lies(card, now) for card in own)


def _lies(card: SeenObject, now: Iterable[SeenObject]) -> bool:
    """Whether a card lies where it lay, on the same side, and with the same face if that shows."""
    return any(one.kind == card.kind and lies_there(one, card) and one.card == card.card for one in now)


def is_dealt_again(before: Sequence[SeenObject], now: Sequence[SeenObject], state: TableState, places: Places) -> bool:
    """Return whether some owner's hand is another: of the faces in it one is gone, and it has cards all the same."""
    return any(_is_another(owner, before, now, state, places) for owner in {places.owner(one.xy_mm) for one in now})


def _is_another(
    owner: str | None, before: Sequence[SeenObject], now: Sequence[SeenObject], state: TableState, places: Places
) -> bool:
    old = [card for card in before if places.owner(card.xy_mm) == owner and card.kind == "card" and card.card]
    left = [card for card in now if places.owner(card.xy_mm) == owner and card.kind == "card"]
    if any(places.hidden(state, card.xy_mm) for card in old):
        return False
    for card in old:
        same = next((one for one in left if may_be_same(card_chances(card), card_chances(one))), None)
        if same is None:
            return True
        left.remove(same)
    return False
