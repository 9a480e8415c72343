"""Hands of a split told by where their cards lie: those of one hand overlap, the hands lie apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from audit.cards import parse_card
from audit.reconstruction.card_track import CardTrack
from audit.reconstruction.evidence import best
from audit.reconstruction.places import DEALER, Places, distance, gap_mm
from audit.states import SeenObject, TableState

_CLEAR_MM: Final = 12.0  # so much do cards of one hand overlap
_HARDLY_MM: Final = 2.0  # so little may cards that lie apart seem to
_MOVED_MM: Final = 40.0
_TWO: Final = 2

UNTOLD: Final = "cards of it came in two places or more between two states, and which are one hand could not be told"
BROKEN: Final = "it was parted, and cards of it went, between two states"

Hand = list[CardTrack]


def lying_parted(before: Sequence[Hand], new: Sequence[CardTrack], index: int, *, wagers: int = 0) -> list[Hand] | None:
    """Return the hands that the cards of a seat make by their places at a state, as ``parted_hands``.

    None, too, where cards overlap so little that they may as well lie apart, and that makes a difference.
    """
    cards = [*(card for hand in before for card in hand), *new]
    strict, loose = (
        parted_hands(before, _clusters(cards, index, overlap), index, wagers=wagers)
        for overlap in (_CLEAR_MM, _HARDLY_MM)
    )
    return strict if strict == loose else None


def _clusters(tracks: Sequence[CardTrack], index: int, overlap_mm: float) -> list[Hand]:
    """Return the cards that lie at a state, those together that overlap; nothing where one of them was not seen."""
    seen = [(track, track.at(index)) for track in tracks]
    left = [(track, item) for track, item in seen if item is not None]
    if not all(track.seen_in(index) for track, _ in left):
        return []
    groups = []
    while left:
        row, left = left[:1], left[1:]
        for _, item in row:
            near = [one for one in left if gap_mm(item, one[1]) <= -overlap_mm]
            row += near
            left = [one for one in left if one not in near]
        groups.append(sorted((track for track, _ in row), key=lambda track: track.number))
    return groups


def value_of(track: CardTrack) -> int | None:
    """Return what a card counts as likeliest read, None if it was not read."""
    face = best(track.face)
    return None if face is None else parse_card(face).value


def parted_hands(before: Sequence[Hand], groups: Sequence[Hand], index: int, *, wagers: int = 0) -> list[Hand] | None:
    """Return the hands that cards of a seat make by their places, where a split went on unseen; each split card first.

    ``before``: the hands as they were known, ``groups``: how the cards lie now, ``wagers``: so many lie there. The same
    hands, where nothing says that one was split since; None where one seems to have been, and which card of it was the
    split one is not told.
    """
    if any(len(_of(group, before)) > 1 for group in groups):
        return list(before)
    fresh = [group for group in groups if not _of(group, before)]
    if not before:
        return _dealt_and_parted(groups)
    if len(before) == 1 and len(before[0]) > 1:
        return list(before)  # a pair that lies together was not split
    value = value_of(before[0][0])
    room = _makes_room(before, index, _MOVED_MM / 2 if wagers >= len(before) + len(fresh) else _MOVED_MM)
    fresh = [group for group in fresh if len(group) > 1 or (room and value_of(group[0]) == value)]
    if not fresh:
        return list(before)
    bases = [_base(group, value) for group in fresh]
    if not all(bases) or len(fresh) < sum(not _of(group, before) for group in groups):
        return None
    kept = [[*hand, *_drawn_to(hand, groups, before)] for hand in before]
    return [*kept, *bases]


def _of(group: Hand, before: Sequence[Hand]) -> list[Hand]:
    return [hand for hand in before if any(card in hand for card in group)]


def _drawn_to(hand: Hand, groups: Sequence[Hand], before: Sequence[Hand]) -> Hand:
    return [card for group in groups if hand in _of(group, before) for card in group if card not in hand]


def _makes_room(before: Sequence[Hand], index: int, least_mm: float) -> bool:
    """Whether a hand of one card was moved away: it may have got a second one, and been parted from it."""
    return any(len(hand) == 1 and _moved(hand[0], index) > least_mm for hand in before)


def _moved(track: CardTrack, index: int) -> float:
    earlier: SeenObject | None = next((item for at, item in reversed(track.looks) if at < index), None)
    now = track.at(index)
    return 0.0 if earlier is None or now is None else distance(earlier.xy_mm, now.xy_mm)


def _dealt_and_parted(groups: Sequence[Hand]) -> list[Hand] | None:
    """Return the two hands of a split where the deal was not seen; nothing where the cards lie together.

    Nor where there are two cards: these may have been dealt so.
    """
    if len(groups) <= 1 or sum(map(len, groups)) <= _TWO:
        return []
    values = set.intersection(*({value_of(card) for card in group} for group in groups)) - {None}
    if len(groups) > _TWO or len(values) != 1:
        return None
    return None if any(len(group) == 1 for group in groups) else [_base(group, next(iter(values))) for group in groups]


def _base(group: Hand, value: int | None) -> Hand:
    """Return the cards with one that counts as much as the pair first, nothing if none does."""
    first = [card for card in group if value is not None and value_of(card) == value][:1]
    return [*first, *(card for card in group if card not in first)] if first else []


def broken_in_part(hands: Sequence[Hand], index: int, state: TableState, places: Places) -> bool:
    """Whether cards of a hand are away where others of it were moved, and one was drawn: a split hand of it broke."""
    if not any(hand.side == DEALER and "shoe" in hand.zones for hand in state.hands):
        return False
    for hand in hands:
        moved = [card for card in hand if card.seen_in(index) and _moved(card, index) > _MOVED_MM / 2]
        away = [card for card in hand if not card.seen_in(index) and not places.hidden(state, card.last.xy_mm)]
        if moved and any(card.seen_in(index - 1) for card in away):
            return True
    return False
