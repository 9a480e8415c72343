"""Whose a hand was, told by what it did: a card that came from the shoe, went to the discards, or money at the rack.

A recogniser takes the dealer's arm for a player's where it reaches across his place. Nobody but the dealer deals, picks
up, takes and pays; so a hand over shoe, discards or rack and over a place where just that happened is his, unless his
own was told there as well.

Where that was so in a recording, a player's may be told as the dealer's. What the dealer pays comes from the rack, and
what he takes ends there; so if his hands are told over it nearly always when cheques change, one that is not is taken
for a player's that lays or fetches them. Between two rounds that is so in any recording: players fetch what they won
then, and lay their bets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from audit.reconstruction.evidence import best, stack_chances
from audit.reconstruction.places import Places, lies_there
from audit.states import CARD_KINDS, HandSeen, SeenObject, TableState

_HIS: Final = frozenset({"shoe", "discard", "rack"})
_NEARLY_ALWAYS: Final = 0.8
_ALWAYS: Final = 0.9  # where no other side was mistaken
_ENOUGH: Final = 20


def with_sides_by_deeds(states: Iterable[TableState], places: Places) -> tuple[TableState, ...]:
    """Return the states, hands told as a player's that did what the dealer does among his, and the other way round."""
    every = tuple(states)
    by_zone = all(len(hand.zones) <= 1 for state in every for hand in state.hands)
    gaps = [_Gap(before=before, after=after, places=places, by_zone=by_zone) for before, after in pairwise(every)]
    told = (*every[:1], *(gap.with_his_hands() for gap in gaps))
    mistaken = any(hand.taken_for is not None for state in told for hand in state.hands)
    gaps = [replace(gap, after=after) for gap, after in zip(gaps, told[1:], strict=True)]
    at_rack = Counter("rack" in arm.zones for gap in gaps for arm in gap.arms() if gap.changed_cheques(arm))
    if at_rack[True] < (_NEARLY_ALWAYS if mistaken else _ALWAYS) * max(at_rack.total(), 0 if mistaken else _ENOUGH):
        return told
    return (*told[:1], *(gap.with_players_hands(between_rounds=not mistaken) for gap in gaps))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Gap:
    """What happened between two clear looks. ``by_zone``: an arm is listed once for each zone that it was over."""

    before: TableState
    after: TableState
    places: Places
    by_zone: bool

    def with_his_hands(self) -> TableState:
        """Return the later look, with the hands that are the dealer's by what they did."""
        clear = self.before.view == self.after.view == "ok"
        if not clear or not any(hand.side == "player" and not _HIS.isdisjoint(hand.zones) for hand in self.after.hands):
            return self.after
        his = [arm for arm in self.arms() if self._is_his(arm)]
        hands = tuple(
            replace(hand, side="dealer", seat=None, taken_for=hand.seat or 0) if self._is_of(his, hand) else hand
            for hand in self.after.hands
        )
        return replace(self.after, hands=hands)

    def arms(self) -> list[HandSeen]:
        """Return the arms of the later look, each with all zones that it was over."""
        if not self.by_zone:
            return list(self.after.hands)
        arms: list[HandSeen] = []
        for hand in sorted(self.after.hands, key=lambda one: one.span):
            arm = next((one for one in reversed(arms) if _overlap(one, hand)), None)
            if arm is None:
                arms.append(hand)
            else:
                whole = replace(arm, zones=(*arm.zones, *hand.zones), span=arm.span.hull(hand.span))
                arms[arms.index(arm)] = whole
        return arms

    def _is_of(self, arms: Sequence[HandSeen], hand: HandSeen) -> bool:
        return any(_overlap(arm, hand) for arm in arms) if self.by_zone else hand in arms

    def with_players_hands(self, *, between_rounds: bool) -> TableState:
        """Return the later look, with hands that lay or fetch a seat's cheques without the rack for its player's.

        While cards lie there that is only known of a wager that went with its payment; ``between_rounds``: not heeded.
        """
        if between_rounds and self._are_cards_out():
            return self.after
        players = [
            arm for arm in self.arms() if "rack" not in arm.zones and self.changed_cheques(arm) and self._is_open(arm)
        ]
        hands = tuple(
            replace(hand, side="player", seat=_seat_of(hand)) if self._is_of(players, hand) else hand
            for hand in self.after.hands
        )
        return replace(self.after, hands=hands)

    def _is_open(self, arm: HandSeen) -> bool:
        stood, stand = self._lying_in(set(arm.zones), "chips")
        return not self._are_cards_out() or (len(stood) > 1 and not stand)

    def changed_cheques(self, arm: HandSeen) -> bool:
        """Whether an arm told as the dealer's was over one seat's places, and other cheques stand there since.

        None where another one was there, too, or something was not seen.
        """
        if arm.side != "dealer" or _seat_of(arm) is None or not self.before.view == self.after.view == "ok":
            return False
        bets = {zone for zone in arm.zones if zone.startswith("seat")} - {f"seat{_seat_of(arm)}.cards"}
        others = frozenset().union(*(one.zones for one in self.arms() if one != arm))
        hidden = self.before.covered | self.after.covered | others
        if not bets or not bets.isdisjoint(hidden):
            return False
        stood, stand = (Counter(_cheques_of(items)) for items in self._lying_in(bets, "chips"))
        return stood != stand

    def _is_his(self, hand: HandSeen) -> bool:
        """Whether a player's hand did what only the dealer does, and no hand of his was told there."""
        if hand.side != "player":
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
        return [set(arm.zones) for arm in self.arms() if arm.side == "dealer"]

    def _lying(self, zone: str, *kinds: str) -> tuple[list[SeenObject], list[SeenObject]]:
        """The things of some kinds that lay in a zone before, and that lie there after."""
        return self._lying_in({zone}, *kinds)

    def _lying_in(self, zones: Set[str], *kinds: str) -> tuple[list[SeenObject], list[SeenObject]]:
        before, after = (
            [item for item in state.objects if item.kind in kinds and zones & self.places.zones(item.xy_mm)]
            for state in (self.before, self.after)
        )
        return before, after

    def _are_cards_out(self) -> bool:
        """Whether cards lie in play: without them, a player's own hand lays bets."""
        every = (*self.before.objects, *self.after.objects)
        return any(item.kind in CARD_KINDS and self.places.owner(item.xy_mm) for item in every)


def _overlap(arm: HandSeen, hand: HandSeen) -> bool:
    """Whether two entries may be of one arm: from one side and seat, at one time."""
    return arm.side == hand.side and arm.seat == hand.seat and arm.span.overlaps(hand.span)


def _differ(stood: list[SeenObject], stand: list[SeenObject]) -> bool:
    """Whether piles came, went, or hold other cheques."""
    if len(stood) != len(stand) or any(_is_new(pile, stood) for pile in stand):
        return True
    return sorted(map(_cheques, stood)) != sorted(map(_cheques, stand))


def _seat_of(hand: HandSeen) -> int | None:
    """The one seat over whose places a hand was, None if it was over several, or over any other place but the rack."""
    seats = {zone.partition(".")[0] for zone in hand.zones if zone != "rack"}
    (seat,) = seats if len(seats) == 1 else ("",)
    return int(seat.removeprefix("seat")) if seat.startswith("seat") else None


def _cheques_of(piles: Iterable[SeenObject]) -> Iterator[str]:
    """Every cheque of some piles, by colour."""
    return (cheque for pile in piles for cheque in _cheques(pile))


def _cheques(pile: SeenObject) -> tuple[str, ...]:
    return best(stack_chances(pile)) or ()


def _is_new(item: SeenObject, others: list[SeenObject]) -> bool:
    return not any(lies_there(item, other) for other in others)
