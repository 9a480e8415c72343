"""Cards that are left behind: when the next round is dealt although cards of the last one still lie there.

Within a round a seat whose cards have been lifted gets none again. So a card at such a seat is the next round's, when
no more than one other seat, or the dealer, has any left; and what lies there still is left over.

Recognised footage, which says since when each card was watched, is not cut so: an arm or a lost frame hides cards there
that seem lifted, and of bad video rounds were cut in two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from audit.reconstruction.evidence import card_chances, may_be_same
from audit.reconstruction.places import DEALER, Places, lies_there, turned_apart
from audit.states import SeenObject, TableState

_MOST_LEFT: Final = 1
"""So many owners may have cards left: more than a forgotten hand is a round that goes on."""
_WHOLE_ROUND: Final = 2
_SEVERAL: Final = 3  # looks do not miss a card that lies there, whoever was seen to lift it
_TURNED_DEG: Final = 20.0


@dataclass
class Clearing:
    """Follows which owners' cards lie on the felt and which have been lifted, in one round.

    ``bare``: owners of whose spots the money was gone after their cards; ``since``: when the last was lifted.
    """

    lying: dict[str, tuple[SeenObject, ...]] = field(default_factory=dict)
    lifted: dict[str, tuple[SeenObject, ...]] = field(default_factory=dict)
    bare: set[str] = field(default_factory=set)
    handled: bool = False
    since: int = 0
    _hands: set[str] = field(default_factory=set)
    _missed: Counter[str] = field(default_factory=Counter)

    def dealt_anew(
        self, state: TableState, cards: Sequence[SeenObject], places: Places
    ) -> tuple[SeenObject, ...] | None:
        """Take in a state; return the cards that are left over if it shows the first card of another round, else None.

        None of them may be in sight; that the last round's are gone then was not seen.
        """
        if state.view != "ok" or any(card.since_ms is not None for card in cards):
            return None
        now = _by_owner(cards, places)
        self._note_hands(state)
        fresh = [owner for owner in now if self._is_fresh(owner, now[owner])]
        left = self.lying
        settled = len(self.lifted) >= _WHOLE_ROUND or (bool(self.lifted) and self.bare.issuperset(self.lifted))
        over = bool(fresh) and 0 < len(left) <= _MOST_LEFT and settled
        there = [card for old in left.values() for card in old if any(lies_as(card, one) for one in cards)]
        if over:
            return tuple(there)
        self._note(state, now, places)
        return None

    def _note_hands(self, state: TableState) -> None:
        self.handled = self.handled or bool(state.hands)
        over = {zone for hand in state.hands if hand.side == DEALER for zone in hand.zones}
        self._hands |= {zone.split(".")[0] for zone in over if _holds_cards(zone)}

    def _is_fresh(self, owner: str, cards: Sequence[SeenObject]) -> bool:
        """Whether a seat has cards of another round: none that was lifted, if no hand can have dealt it anew.

        Nothing is dealt any more to a seat with cards when the dealer's have been lifted.
        """
        if owner == DEALER or (owner in self.lying and DEALER not in self.lifted):
            return False
        old = () if owner in self._hands else self.lifted.get(owner, ())
        lies = self.lying.get(owner, ())
        new = [card for card in cards if not any(lies_as(one, card) for one in lies)]
        return bool(new) and not any(lies_as(one, card) for one in old for card in new)

    def _note(self, state: TableState, now: dict[str, tuple[SeenObject, ...]], places: Places) -> None:
        for owner, cards in now.items():
            self.lying[owner] = cards
            self.lifted.pop(owner, None)
            self._missed.pop(owner, None)
        for owner in [one for one in self.lying if one not in now]:
            hidden = any(places.hidden(state, card.xy_mm) for card in self.lying[owner])
            self._missed[owner] += not hidden
            if not hidden and (owner in self._hands or not self.handled or self._missed[owner] >= _SEVERAL):
                self.lifted[owner] = self.lying.pop(owner)
                self.since = state.span.first
                self._hands.discard(owner)
        self._hands -= set(now)
        spots = {(places.spot(item.xy_mm) or "").split(".")[0] for item in state.objects if item.kind == "chips"}
        spots |= {zone.split(".")[0] for zone in state.covered}
        self.bare |= self.lifted.keys() - spots


def _holds_cards(zone: str) -> bool:
    """Whether cards lie in a zone: a hand over a seat's bets alone lifts none of its cards."""
    return zone.endswith(".cards") or not zone.startswith("seat")


def lies_as(card: SeenObject, other: SeenObject) -> bool:
    """Return whether a card may be one that lay there before, unmoved and not turned."""
    same = card.kind == other.kind and may_be_same(card_chances(card), card_chances(other))
    return same and lies_there(card, other) and not _is_turned(card, other)


def _is_turned(card: SeenObject, other: SeenObject) -> bool:
    """Whether a card lies at another angle than the other; one that is half hidden may seem to."""
    if card.angle_deg is None or other.angle_deg is None or card.card is None or other.card is None:
        return False
    return card.card != other.card and turned_apart(card.angle_deg, other.angle_deg) > _TURNED_DEG


def _by_owner(cards: Sequence[SeenObject], places: Places) -> dict[str, tuple[SeenObject, ...]]:
    found: dict[str, tuple[SeenObject, ...]] = {}
    for card in cards:
        owner = places.owner(card.xy_mm) or ""
        found[owner] = (*found.get(owner, ()), card)
    return found
