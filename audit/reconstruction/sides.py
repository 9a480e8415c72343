"""Whose a hand was, told by what it did: a card that came from the shoe, went to the discards, or money at the rack.

A recogniser takes the dealer's arm for a player's where it reaches across his place. Nobody but the dealer deals, picks
up, takes and pays; so a hand over shoe, discards or rack and over a place where just that happened is his, unless his
own was told there as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from audit.reconstruction.evidence import best, stack_chances
from audit.reconstruction.places import Places, lies_there
from audit.states import CARD_KINDS, HandSeen, SeenObject, TableState

_HIS: Final = frozenset({"shoe", "discard", "rack"})


def with_sides_by_deeds(states: Iterable[TableState], places: Places) -> Iterator[TableState]:
    """Yield the states, hands told as a player's that did what the dealer does among his."""
    before: TableState | None = None
    for state in states:
        if before is not None and before.view == state.view == "ok":
            yield _Gap(before=before, after=state, places=places).with_his_hands()
        else:
            yield state
        before = state


@dataclass(frozen=True, slots=True, kw_only=True)
class _Gap:
    """What happened between two clear looks."""

    before: TableState
    after: TableState
    places: Places

    def with_his_hands(self) -> TableState:
        """Return the later look, with the hands that are the dealer's by what they did."""
        if not any(hand.side == "player" and not _HIS.isdisjoint(hand.zones) for hand in self.after.hands):
            return self.after
        hands = tuple(
            replace(hand, side="dealer", seat=None, taken_for=hand.seat) if self._is_his(hand) else hand
            for hand in self.after.hands
        )
        return replace(self.after, hands=hands)

    def _is_his(self, hand: HandSeen) -> bool:
        """Whether a player's hand did what only the dealer does, and no hand of his was told there."""
        if hand.side != "player" or hand.seat is None:
            return False
        seen = set(hand.zones) - _HIS - self.before.covered - self.after.covered
        return any(self._dealt(hand, zone) or self._took(hand, zone) for zone in seen)

    def _dealt(self, hand: HandSeen, zone: str) -> bool:
        """Whether more cards came to a place from the shoe than the dealer's own hands brought, each one."""
        brought = sum({"shoe", zone} <= zones for zones in self._own())
        lay, lie = self._lying(zone, *CARD_KINDS)
        return "shoe" in hand.zones and sum(_is_new(card, lay) for card in lie) > brought

    def _took(self, hand: HandSeen, zone: str) -> bool:
        """Whether cards went from a place to the discards, or its money changed; before the deal, another seat's."""
        if any(zone in zones for zones in self._own()):
            return False
        lay, lie = self._lying(zone, *CARD_KINDS)
        if "discard" in hand.zones and any(_is_new(card, lie) for card in lay):
            return True
        may_be_laid = zone.startswith(f"seat{hand.seat}.") and not self._are_cards_out()
        return "rack" in hand.zones and not may_be_laid and _differ(*self._lying(zone, "chips"))

    def _own(self) -> list[set[str]]:
        return [set(hand.zones) for hand in self.after.hands if hand.side == "dealer"]

    def _lying(self, zone: str, *kinds: str) -> tuple[list[SeenObject], list[SeenObject]]:
        """The things of some kinds that lay in a zone before, and that lie there after."""
        before, after = (
            [item for item in state.objects if item.kind in kinds and zone in self.places.zones(item.xy_mm)]
            for state in (self.before, self.after)
        )
        return before, after

    def _are_cards_out(self) -> bool:
        """Whether cards lie in play: without them, a player's own hand lays bets."""
        every = (*self.before.objects, *self.after.objects)
        return any(item.kind in CARD_KINDS and self.places.owner(item.xy_mm) for item in every)


def _differ(stood: list[SeenObject], stand: list[SeenObject]) -> bool:
    """Whether piles came, went, or hold other cheques."""
    if len(stood) != len(stand) or any(_is_new(pile, stood) for pile in stand):
        return True
    return sorted(map(_cheques, stood)) != sorted(map(_cheques, stand))


def _cheques(pile: SeenObject) -> tuple[str, ...]:
    return best(stack_chances(pile)) or ()


def _is_new(item: SeenObject, others: list[SeenObject]) -> bool:
    return not any(lies_there(item, other) for other in others)
