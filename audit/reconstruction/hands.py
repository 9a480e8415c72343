"""Which cards form which hand: by seat, by split, in the order dealt; the dealer's up card, hole card and hits."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from audit.reconstruction.card_track import CardTrack
from audit.reconstruction.changes import Change, change_between
from audit.reconstruction.clusters import BROKEN, UNTOLD, broken_in_part, lying_parted
from audit.reconstruction.evidence import card_chances, pooled
from audit.reconstruction.observation import SeatSeen, SeenCard
from audit.reconstruction.places import DEALER, Places, distance, gap_mm, lies_there
from audit.reconstruction.slices import Slice
from audit.states import SeenObject
from audit.table import Point

_PARTED_MM: Final = 20.0
_TOUCHING_MM: Final = 5.0
_IN_ITS_PLACE_MM: Final = 25.0
_INITIAL: Final = 2
_READ: Final = 0.5
_ENDLESS: Final = 1 << 62


def seen_card(track: CardTrack, places: Places, *, laid_until: int | None = None) -> SeenCard:
    """Return what all looks at a card say together.

    ``laid_until``: the state from which on the dealer picks cards up, and may turn them; how it lies those before tell.
    """
    faces = [item for _, item in track.looks if item.kind == "card"]
    item = faces[-1] if faces else track.last
    return SeenCard(
        number=track.number,
        owner=track.owner,
        chances=pooled(card_chances(face) for face in faces),
        appeared=track.appeared,
        xy_mm=item.xy_mm,
        came_xy_mm=track.looks[0][1].xy_mm,
        angle_deg=item.angle_deg or 0.0,
        sideways=_lies_sideways(track, places, laid_until),
        face_up=track.looks[0][1].kind == "card" and track.turned is None,
        shown=bool(faces),
        turned=track.turned,
        read=track.read,
        exposed=track.exposed,
        gone=track.gone,
    )


def _lies_sideways(track: CardTrack, places: Places, until: int | None) -> bool | None:
    faces = [(index, item) for index, item in track.looks if item.kind == "card"] or track.looks[-1:]
    ways = [places.sideways(track.owner, item) for index, item in faces if until is None or index < until]
    clear = [way for way in ways if way is not None]
    if until is not None and clear:
        return clear[-1]
    return places.sideways(track.owner, faces[-1][1])


def seats_seen(
    tracks: Sequence[CardTrack],
    piece: Slice,
    places: Places,
    *,
    may_split: bool = True,
    laid_until: int | None = None,
) -> dict[int, SeatSeen]:
    """Return every seat that was dealt cards; ``laid_until`` as in ``seen_card``."""
    seats = {}
    for owner in sorted({track.owner for track in tracks if track.owner != DEALER}):
        table = _SeatTable(owner=owner, piece=piece, places=places, may_split=may_split, laid_until=laid_until)
        seats[int(owner.removeprefix("seat"))] = _seat(table, [track for track in tracks if track.owner == owner])
    return seats


@dataclass(frozen=True, kw_only=True)
class Handled:
    """The cards that the dealer laid from one seat to another: ``moved`` in play, as they left; ``together`` after it.

    ``seats``: each with the cards that were its own.
    """

    seats: dict[int, SeatSeen]
    moved: tuple[SeenCard, ...] = ()
    together: tuple[SeenCard, ...] = ()


def handled(seats: Mapping[int, SeatSeen], until: int | None = None) -> Handled:
    """Return whose cards are whose, where the dealer laid some from one seat to another.

    Once the round is being settled, from the state ``until`` on, he picks them up and lays them together: what came to
    another seat then is none of its cards.
    """
    cards = [card for seen in seats.values() for card in seen.cards]
    left = [card for seen in seats.values() for card in seen.cards if not _went_with_its_hand(card, seen)]
    pairs = [(gone, came) for gone in left for came in cards if is_moved(gone, came)]
    last = _ENDLESS if until is None else until
    moved = tuple(gone for gone in left if any(gone is one and came.appeared.state <= last for one, came in pairs))
    laid = tuple(came for gone, came in pairs if not any(gone is one for one in moved))
    return Handled(seats=_without(seats, (*moved, *laid)) if pairs else dict(seats), moved=moved, together=laid)


def _without(seats: Mapping[int, SeatSeen], cards: Collection[SeenCard]) -> dict[int, SeatSeen]:
    kept = {}
    for seat, seen in seats.items():
        hands = [tuple(card for card in hand if card not in cards) for hand in seen.hands]
        initial = tuple(card for card in seen.initial if card not in cards)
        if any(hands):
            kept[seat] = replace(seen, initial=initial, hands=tuple(hand for hand in hands if hand))
    return kept


def _went_with_its_hand(card: SeenCard, seen: SeatSeen) -> bool:
    """Whether all of a seat's cards went by one change: picked up, as those of a paid blackjack (004:L585, L763)."""
    states = {None if one.gone is None else one.gone.state for one in seen.cards}
    return card.gone is not None and len(seen.cards) > 1 and states == {card.gone.state}


def is_moved(gone: SeenCard, came: SeenCard) -> bool:
    """Return whether one card left a hand by the very change that brought the other, of the same face, to another."""
    face = gone.likeliest
    if gone.owner == came.owner or gone.gone is None or face is None or face != came.likeliest:
        return False
    same = gone.gone.state == came.appeared.state
    return same and min(gone.chances[face], came.chances[face]) >= _READ


def _seat(table: _SeatTable, tracks: Sequence[CardTrack]) -> SeatSeen:
    owner, places, until = table.owner, table.places, table.laid_until
    for index in sorted({track.looks[0][0] for track in tracks} | _move_states(tracks)):
        table.look(index, [track for track in tracks if track.looks[0][0] == index])
    hands = sorted(table.hands, key=lambda hand: sum(places.along(owner, t.last.xy_mm)[0] for t in hand) / len(hand))
    dealt = table.dealt(tracks)
    return SeatSeen(
        seat=int(owner.removeprefix("seat")),
        initial=tuple(seen_card(track, places, laid_until=until) for track in dealt[:_INITIAL]),
        hands=tuple(
            tuple(seen_card(track, places, laid_until=until) for track in _in_order(hand, places)) for hand in hands
        ),
        splits=tuple(table.splits),
        unclear=table.unclear,
    )


def _move_states(tracks: Sequence[CardTrack]) -> set[int]:
    """States in which a card stands elsewhere than before."""
    return {
        index
        for track in tracks
        for (_, before), (index, item) in zip(track.looks, track.looks[1:], strict=False)
        if distance(before.xy_mm, item.xy_mm) > _PARTED_MM / 2
    }


def _in_order(tracks: Sequence[CardTrack], places: Places) -> list[CardTrack]:
    """In the order dealt; cards that came between the same two states by their distance from the first of the hand."""
    if not tracks:
        return []
    first = _first(tracks, places)
    return sorted(tracks, key=lambda track: (track.looks[0][0], distance(track.last.xy_mm, first.last.xy_mm)))


def _first(tracks: Sequence[CardTrack], places: Places) -> CardTrack:
    """The card of a hand that was dealt first, as cards go on in one line.

    Of several that came between the same two states the farthest from the card that came next, or from the dealer:
    each is laid on the one before it, towards him (004:L703).
    """
    began = min(track.looks[0][0] for track in tracks)
    early = [track for track in tracks if track.looks[0][0] == began]
    later = [track for track in tracks if track.looks[0][0] > began]
    if len(early) == 1:
        return early[0]
    if later:
        drawn = min(later, key=lambda track: track.looks[0][0]).last.xy_mm
        return max(early, key=lambda track: distance(track.last.xy_mm, drawn))
    return max(early, key=lambda track: places.along(track.owner, track.last.xy_mm)[1])


@dataclass
class _SeatTable:
    owner: str
    piece: Slice
    places: Places
    may_split: bool = True
    laid_until: int | None = None
    hands: list[list[CardTrack]] = field(default_factory=list)
    splits: list[Change] = field(default_factory=list)
    unclear: str = ""

    def dealt(self, tracks: Sequence[CardTrack]) -> list[CardTrack]:
        """Return the cards in the order dealt; where the first two were parted unseen, those that were split first.

        Nothing where the deal was not seen, either, and which two were the first is not told.
        """
        cards = _in_order(tracks, self.places)
        if self.unclear == UNTOLD and cards[0].looks[0][0] == cards[_INITIAL].looks[0][0]:
            return []
        if self.splits and len(self.hands) == _INITIAL and self.splits[0].state <= cards[1].looks[0][0]:
            firsts = [hand[0] for hand in self.hands]
            return [*firsts, *(card for card in cards if card not in firsts)]
        return cards

    def look(self, index: int, new: Sequence[CardTrack]) -> None:
        """Take in the cards that came at a state, after parting the hands that were split by then.

        Of several that came together the one nearest to a hand was drawn to it first; the next may lie on that one.
        """
        for hand in list(self.hands):
            if self.may_split and len(hand) == _INITIAL and self._parted(hand[0], hand[1], index):
                before = hand[0].looks[0][0] if not self.splits else self.splits[-1].state
                before = max((i for i, _ in hand[0].looks if i < index), default=before)
                zones = self.places.card_zones(self.owner)
                change = change_between(self.piece.states, before, index, zones)
                if change.by_player and not new:
                    continue  # a player who touches his cards splits nothing; the dealer parts them, and deals
                self._split(hand, change)
        if self.may_split and broken_in_part(self.hands, index, self.piece.states[index], self.places):
            self.unclear = BROKEN
        if not self.may_split or not self._lie_parted(index, new):
            self._draw(index, new)
        for hand in list(self.hands):
            if self.may_split and len(hand) == _INITIAL and hand[1] in new and self._came_parted(hand, index):
                self._split(hand, hand[1].appeared)

    def _lie_parted(self, index: int, new: Sequence[CardTrack]) -> bool:
        """Whether new cards lie as hands of their own, apart from those that were known; if so, take them in."""
        wagers = self._wagers(index)
        again = len(new) == 1 and self.splits and wagers > len(self.hands)
        if not new or (len(new) < _INITIAL and not again) or new[0].appeared.by_player:
            return False
        hands = lying_parted(self.hands, new, index, wagers=wagers)
        if hands is None:
            self.unclear = UNTOLD
        if hands is None or len(hands) <= max(1, len(self.hands)):
            return False
        self.splits += [new[0].appeared] * (len(hands) - max(1, len(self.hands)))
        self.hands = hands
        return True

    def _wagers(self, index: int) -> int:
        """How many piles stand on the seat's main spot at a state."""
        piles = [item for item in self.piece.states[index].objects if item.kind == "chips"]
        return sum(f"{self.owner}.main" in self.places.zones(pile.xy_mm) for pile in piles)

    def _draw(self, index: int, new: Sequence[CardTrack]) -> None:
        left = _in_order(new, self.places)
        while left:
            hands = self._lying(index)
            track = min(left, key=lambda track: min((_apart(track, hand, index) for hand in hands), default=0.0))
            if hands:
                min(hands, key=lambda hand: _apart(track, hand, index)).append(track)
            else:
                self.hands.append([track])
            left.remove(track)

    def _split(self, hand: list[CardTrack], change: Change) -> None:
        place = self.hands.index(hand)
        self.hands[place : place + 1] = [[hand[0]], [hand[1]]]
        self.splits.append(change)

    def _came_parted(self, hand: Sequence[CardTrack], index: int) -> bool:
        """Whether a second card was first seen beside a first one that had been moved away: parted out of sight."""
        first, second = hand
        before = next((item for at, item in reversed(first.looks) if at < index), None)
        now, beside = first.at(index), second.at(index)
        if before is None or now is None or beside is None or not second.appeared.hands:
            return False
        return distance(before.xy_mm, now.xy_mm) > 2 * _PARTED_MM and gap_mm(now, beside) > _TOUCHING_MM

    def _lying(self, index: int) -> list[list[CardTrack]]:
        """The hands to which a card may be drawn at a state: those that lie there; all, where none does."""
        return [hand for hand in self.hands if any(card.at(index) is not None for card in hand)] or self.hands

    def _parted(self, one: CardTrack, other: CardTrack, index: int) -> bool:
        """Return whether two cards that lay together now lie apart."""
        now = (one.at(index), other.at(index))
        if now[0] is None or now[1] is None:
            return False
        begun = max(one.looks[0][0], other.looks[0][0])
        before = (one.at(begun), other.at(begun))
        if before[0] is None or before[1] is None:
            return False
        shifted = distance(_between(now[0], now[1]), _between(before[0], before[1]))
        apart = gap_mm(now[0], now[1])
        return shifted > _PARTED_MM and apart > gap_mm(before[0], before[1]) and apart > -_TOUCHING_MM


def _apart(track: CardTrack, hand: Sequence[CardTrack], index: int) -> float:
    """How far a card came from the nearest of a hand, where that lay at a state, or last."""
    item = track.looks[0][1]
    return min(distance((card.at(index) or card.last).xy_mm, item.xy_mm) for card in hand)


def _between(one: SeenObject, other: SeenObject) -> Point:
    return (other.xy_mm[0] - one.xy_mm[0], other.xy_mm[1] - one.xy_mm[1])


def dealer_seen(tracks: Sequence[CardTrack], places: Places) -> tuple[SeenCard, ...]:
    """Return the dealer's cards in the order up card, hole card, hits.

    The up card is the first whose face was seen while the other lay face down, of several the leftmost. Cards shown
    between the same two states stand in the order in which they lie, left to right, after the hole card: the one
    nearest to the up card.
    """
    own = [track for track in tracks if track.owner == DEALER]
    own = [track for track in own if not _lifted_unseen(track, own) and not _laid_afterwards(track, own)]
    if not own:
        return ()
    exposed = hole_card_exposed(tracks) is True
    right = {track.number: places.along(DEALER, track.last.xy_mm)[0] for track in own}
    up = min(own, key=lambda track: (track.number,) if exposed else (_shown_at(track), right[track.number]))
    others = [track for track in own if track is not up]
    down_first = sorted(
        others,
        key=lambda track: (
            track.looks[0][1].kind == "card",
            track.looks[0][0],
            distance(track.last.xy_mm, up.last.xy_mm),
        ),
    )
    hole = down_first[:1]
    hits = [track for track in others if track not in hole]
    hits.sort(key=lambda track: (track.looks[0][0], places.along(DEALER, track.last.xy_mm)[0]))
    return tuple(seen_card(track, places) for track in [up, *hole, *hits])


def hole_card_exposed(tracks: Sequence[CardTrack]) -> bool | None:
    """Return whether the dealer's second card was turned where it lay while his first still lay face down (004:L778).

    Certain only where both were seen face down, apart from each other, or where he turned it down again and the first
    one up. None: it may have been, as both were shown and no state shows one face down beneath the other, or as the
    one beneath was shown in the other's place, and that laid aside.
    """
    own = sorted((track for track in tracks if track.owner == DEALER), key=lambda track: track.number)[:_INITIAL]
    if len(own) == _INITIAL and _put_right(own[0], own[1]):
        return True
    if len(own) < _INITIAL or float("inf") in map(_shown_at, own):
        return False
    if _tucked(own[0], own[1]):
        return None if _changed_places(own[0], own[1]) else False
    first, second = own
    shown = _shown_at(second)
    down = [(index, item) for index, item in second.looks if index < shown]
    still = any(index == shown and item.kind == "card_back" for index, item in first.looks)
    face = next(item for index, item in second.looks if index == shown)
    back = first.at(down[-1][0]) if down else None
    if back is None or not still or first.looks[0][0] == second.looks[0][0]:
        return None
    unmoved = lies_there(down[-1][1], face)
    return True if unmoved and gap_mm(back, face) > 0 else None


def _put_right(first: CardTrack, second: CardTrack) -> bool:
    """Whether a state shows the second card's face beside the first's back, and the next one the other way round."""
    seen = dict(second.looks)
    kinds = [(item.kind, seen[index].kind) for index, item in first.looks if index in seen]
    return ("card_back", "card") in kinds and kinds[kinds.index(("card_back", "card")) :][1:2] == [
        ("card", "card_back")
    ]


def _tucked(one: CardTrack, other: CardTrack) -> bool:
    """Whether some state shows one of two cards face down beneath the other's face."""
    seen = dict(other.looks)
    pairs = [(item, seen[index]) for index, item in one.looks if index in seen]
    return any(a.kind != b.kind and gap_mm(a, b) < 0 for a, b in pairs)


def _changed_places(one: CardTrack, other: CardTrack) -> bool:
    """Whether the later of two faces was shown in the place of the first, which lies aside since."""
    up, hole = sorted((one, other), key=_shown_at)
    shown = next((look for look in hole.looks if look[1].kind == "card"), None)
    before = None if shown is None else up.at(shown[0] - 1)
    after = None if shown is None else up.at(shown[0])
    if shown is None or before is None or after is None:
        return False
    aside = not lies_there(before, after) and gap_mm(shown[1], after) > 0
    return aside and distance(shown[1].xy_mm, before.xy_mm) <= _IN_ITS_PLACE_MM


def _laid_afterwards(track: CardTrack, own: Sequence[CardTrack]) -> bool:
    """Whether a card came only when the dealer's hand had been picked up: one of those to be shuffled."""
    others = [other.gone for other in own if other is not track]
    gone = [change.state for change in others if change is not None]
    return len(gone) == len(others) >= _INITIAL and track.looks[0][0] >= max(gone)


def _lifted_unseen(track: CardTrack, own: Sequence[CardTrack]) -> bool:
    """Whether a face-down card was lifted and never seen again as such: it is one of those laid down afterwards."""
    if any(item.kind == "card" for _, item in track.looks) or track.gone is None:
        return False
    return sum(other.looks[0][0] >= track.gone.state for other in own) >= _INITIAL


def _shown_at(track: CardTrack) -> float:
    return min((index for index, item in track.looks if item.kind == "card"), default=float("inf"))
