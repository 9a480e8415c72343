"""Cards followed over the states of a round: a card is known by its place, and by its face where it moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Final

from audit.reconstruction.card_matching import (
    DEALER_REACH_MM,
    agree,
    by_turning_unread,
    is_read,
    matches,
    other_zone,
    turned_down_again,
)
from audit.reconstruction.card_track import CardTrack
from audit.reconstruction.changes import change_between, departure, is_ghost
from audit.reconstruction.evidence import agreement, best, card_chances
from audit.reconstruction.offered import TO_CUT
from audit.reconstruction.places import DEALER, JITTER_MM, STILL_MM, Places, distance, gap_mm, lies_there
from audit.reconstruction.slices import Slice, is_spread
from audit.states import CARD_KINDS, HandSeen, SeenObject, TableState
from audit.table import Point

NOT_AT_ONCE: Final = 3
"""So many states after the dealer's one card his other was not dealt with it: it was missed until it was turned."""
_BRIEF_MS: Final = 200
_BESIDE_MM: Final = 25.0  # a card outside every zone belongs to the hand it lies beside
_NOT_HIS_MM: Final = 63.0  # a card's width from the dealer's cards: he lays his own beside each other
_CERTAIN: Final = 0.5
_TWO: Final = 2
_SURELY_THERE: Final = 0.9
_HALF: Final = 0.5


def track_cards(piece: Slice, places: Places) -> list[CardTrack]:
    """Return every card that lay in a zone for cards during the round, in the order of appearance."""
    follower = _Follower(piece=piece, places=places)
    for index in range(max(0, piece.first - 1), len(piece.states)):
        if piece.states[index].view == "ok" and not is_spread(piece.states[index]):
            follower.look(index)
    tracks = [track for track in follower.tracks if not is_ghost(piece.states, track.looks, track.appeared, track.gone)]
    if _TWO * sum(not track.appeared.hands for track in tracks) > len(tracks):  # most hands that dealt were not told
        tracks = follower.tracks
    return [track for track in tracks if not _shows_between(track, tracks)]


def _shows_between(track: CardTrack, tracks: Sequence[CardTrack]) -> bool:
    """Whether a face-down card of the dealer's was none: it came under two of his cards that lay open, and stayed so.

    What shows of the felt between those looks like the rim of a back under a passing shadow. A card comes upon others.
    """
    index, item = track.looks[0]
    if track.owner != DEALER or any(look.kind != "card_back" for _, look in track.looks):
        return False
    others = (other.at(index) for other in tracks if other is not track and other.owner == DEALER)
    return sum(one is not None and one.kind == "card" and gap_mm(one, item) < 0 for one in others) >= _TWO


def lain_before(piece: Slice, places: Places, *kinds: str) -> list[Point]:
    """Return where backs, or faces that were not read, lay outside the places for cards before a round: none of it."""
    things = piece.states[piece.first - 1].objects if piece.first else ()
    unread = [item for item in things if item.kind in kinds and max([0, *card_chances(item).values()]) < _HALF]
    return [item.xy_mm for item in unread if places.owner(item.xy_mm) is None]


@dataclass
class _Follower:
    piece: Slice
    places: Places
    tracks: list[CardTrack] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Note what lay there before the round."""
        self.lain = lain_before(self.piece, self.places, *CARD_KINDS)

    def look(self, index: int) -> None:
        """Take in one state."""
        alive = [track for track in self.tracks if track.gone is None]
        items = list(self._cards(index, alive))
        lost = [track for track in self.tracks if track.gone is not None and track.owner == DEALER]
        staying = [t for t in alive if self._lies_there_still(t, index) and not _carried(t, alive, items)]
        pairs = matches(alive, items, self.places, lost=lost, staying=staying, back=self._back_again)
        pairs += turned_down_again(alive, items, pairs)
        matched = {id(track) for track, _ in pairs}
        rest = [item for item in items if not any(item is other for _, other in pairs)]
        for track, item in pairs:
            track.gone = None
            self._see(track, index, item)
        picked_up = self._picked_up(matched)
        taking = self._is_taking(index, [track for track in alive if id(track) not in matched])
        for item in rest:
            if taking and item.kind == "card_back":
                continue  # seen in the dealer's hand, on its way to the rack
            face = best(card_chances(item))
            if face is not None and face in picked_up and self.places.owner(item.xy_mm) is None:
                continue  # laid on the felt with the others that the dealer picked up
            known = self._back_again(item)
            if known is None:
                self._begin(item, index)
            else:
                known.gone = None
                self._see(known, index, item)
                matched.add(id(known))
        for track in alive:
            if id(track) not in matched:
                self._miss(track, index, [item for item in items if self._may_cover(item, track, pairs)])

    def _lies_there_still(self, track: CardTrack, index: int) -> bool:
        """Whether a face-down card, hidden now or missed with its place bare, lies there in the next look at that.

        The dealer's that is hidden now may be turned where it lies: a face that is next seen there, and not now, is its
        own. So does a card that is hidden now and shows the same face there next.
        """
        point, now = track.last.xy_mm, self.piece.states[index]
        clear = [state for state in self.piece.states[index + 1 :] if not self.places.hidden(state, point)]
        if track.last.kind == "card":
            return self.places.hidden(now, point) and bool(clear) and _shows_again(track, clear[0])
        upon = any(item.kind == "card" and gap_mm(track.last, item) < 0 for item in now.objects)
        if track.last.kind != "card_back" or not clear or (upon and not self.places.hidden(now, point)):
            return False
        there = [item for item in clear[0].objects if distance(item.xy_mm, point) <= STILL_MM]
        faces = [item.xy_mm for item in there if item.kind == "card"]
        lay = [item.xy_mm for item in now.objects if item.kind == "card"]
        new = any(all(distance(face, other) > JITTER_MM for other in lay) for face in faces)
        turns = track.owner == DEALER and self.places.hidden(now, point) and new
        return turns or any(item.kind == "card_back" for item in there)

    def _is_taking(self, index: int, left: Sequence[CardTrack]) -> bool:
        """Whether cards that were read left as the dealer's hand was over the table, and not at the shoe."""
        zones = {z for hand in self.piece.states[index].hands if hand.side == "dealer" for z in hand.zones}
        return bool(zones) and "shoe" not in zones and any(is_read(track.last) for track in left)

    def _picked_up(self, matched: Set[int]) -> frozenset[str]:
        """Return the faces of players' cards that went, if one went just now: the dealer is picking cards up."""
        gone = [t for t in self.tracks if t.owner != DEALER and (t.gone is not None or id(t) not in matched)]
        if not any(track.gone is None for track in gone):
            return frozenset()
        faces = (best(card_chances(track.last)) for track in gone)
        return frozenset(face for face in faces if face is not None)

    def _cards(self, index: int, alive: Sequence[CardTrack]) -> Iterator[SeenObject]:
        for item in self.piece.states[index].objects:
            lain = any(distance(item.xy_mm, point) <= STILL_MM for point in self.lain)
            is_card = item.kind in CARD_KINDS and TO_CUT not in item.extra and not self._is_an_edge(item, index)
            if is_card and not lain and self._owner(item, alive) is not None:
                yield self._on_its_own_side(item, alive)

    def _is_an_edge(self, item: SeenObject, index: int) -> bool:
        """Whether a look is not sure that a player's back is there at all, and neither of its neighbours shows a card.

        An edge of a hand, or of what lies beside it, looks so.
        """
        unsure = item.confidence is not None and item.confidence < _SURELY_THERE
        if item.kind != "card_back" or not unsure or self.places.owner(item.xy_mm) in (None, DEALER):
            return False
        looks = (*self.piece.states[max(0, index - 1) : index], *self.piece.states[index + 1 : index + 2])
        clear = [state for state in looks if not self.places.hidden(state, item.xy_mm)]
        lay = (one for state in clear for one in state.objects if one.kind in CARD_KINDS)
        return bool(clear) and all(distance(one.xy_mm, item.xy_mm) > JITTER_MM for one in lay)

    def _on_its_own_side(self, item: SeenObject, alive: Sequence[CardTrack]) -> SeenObject:
        """Return a card that lies on a seat's cards and reaches just into an empty neighbour's place, as if it did not.

        The hands of a split take more room than others; a row of cards may reach the dealer's place, far from his own.
        """
        owner = self.places.owner(item.xy_mm)
        own = [track for track in alive if track.owner == owner]
        if owner == DEALER:
            may_be_others = bool(own) and all(gap_mm(track.last, item) > _NOT_HIS_MM for track in own)
        else:
            may_be_others = owner is not None and not own
        if not may_be_others:
            return item
        upon = {track.owner for track in alive if track.owner != DEALER and gap_mm(track.last, item) < 0}
        x, y = item.xy_mm
        steps = [(x + dx, y + dy) for step in (-STILL_MM, STILL_MM) for dx, dy in ((step, 0), (0, step))]
        inside = [at for at in steps if self.places.owner(at) in upon]
        return replace(item, xy_mm=inside[0]) if inside and len(upon) == 1 else item

    def _owner(self, item: SeenObject, alive: Sequence[CardTrack]) -> str | None:
        owner = self.places.owner(item.xy_mm)
        if owner is not None or self.places.zones(item.xy_mm) & {"discard", "rack", "shoe"}:
            return owner
        touching = [track for track in alive if gap_mm(track.last, item) < _BESIDE_MM]
        nearest = min(touching, key=lambda track: distance(track.last.xy_mm, item.xy_mm), default=None)
        return None if nearest is None else nearest.owner

    def _see(self, track: CardTrack, index: int, item: SeenObject) -> None:
        if item.kind == "card_back" and track.last.kind == "card" and track.owner == DEALER:
            track.exposed = track.exposed or track.turned or track.appeared
        if item.kind == "card" and (track.last.kind == "card_back" or by_turning_unread(track, item) is not None):
            zones = self.places.card_zones(track.owner)
            track.turned = change_between(self.piece.states, track.looks[-1][0], index, zones)
        if track.read is None and is_read(item):
            zones = self.places.card_zones(track.owner)
            track.read = change_between(self.piece.states, track.looks[-1][0], index, zones)
        track.looks.append((index, item))
        owner = self.places.owner(item.xy_mm)
        track.owner = owner if owner is not None else track.owner

    def _begin(self, item: SeenObject, index: int) -> None:
        owner = self._owner(item, [track for track in self.tracks if track.gone is None])
        if owner is None:
            return
        before = self._last_clear(item, index, owner)
        change = change_between(self.piece.states, before, index, self.places.card_zones(owner))
        track = CardTrack(number=len(self.tracks), owner=owner, appeared=change, looks=[(index, item)])
        track.read = change if is_read(item) else None
        self.tracks.append(track)

    def _last_clear(self, item: SeenObject, index: int, owner: str) -> int | None:
        states = self.piece.states
        clear = (i for i in range(index - 1, -1, -1) if not self.places.hidden(states[i], item.xy_mm))
        return next((i for i in clear if owner != DEALER or not self._in_his_hand(i)), None)

    def _in_his_hand(self, index: int) -> bool:
        """Whether the dealer may hold a card of his at a brief look, as his hand was there just before and after."""
        state, *after = self.piece.states[index : index + 2]
        if not after or state.span.last - state.span.first >= _BRIEF_MS:
            return False
        own = [hand.span for one in (state, *after) for hand in one.hands if self._at_his_cards(hand)]
        before = [span for span in own if 0 <= state.span.first - span.last <= _BRIEF_MS]
        return bool(before) and any(0 <= span.first - state.span.last <= _BRIEF_MS for span in own)

    def _at_his_cards(self, hand: HandSeen) -> bool:
        return hand.side == "dealer" and not self.places.card_zones(DEALER).isdisjoint(hand.zones)

    def _back_again(self, item: SeenObject) -> CardTrack | None:
        """Return the card that a state had lost at this place: missed for a moment, not picked up.

        The dealer takes his hole card to the ace finder, in his hand, and lays it back a little aside.
        """
        lost = [track for track in self.tracks if track.gone is not None]
        for track in lost:
            near = lies_there(track.last, item)
            same = track.last.kind == item.kind and agree(track, item)
            turned = track.owner == DEALER and track.last.kind == "card_back"
            if (near and (same or turned)) or self._laid_down_again(track, item):
                return track
        own = [track for track in lost if track.owner == self.places.owner(item.xy_mm) == DEALER]
        own = [track for track in own if not other_zone(track, item, self.places, ())]
        return next((track for track in own if track.last.kind == item.kind == "card_back"), None)

    def _laid_down_again(self, track: CardTrack, item: SeenObject) -> bool:
        """Whether a player lifted a card of his, which no other hand took from him, and this is it, face for face."""
        lifted = track.owner != DEALER and track.gone is not None and track.gone.by_player
        old, new = track.face, card_chances(item)
        same = best(old) is not None and best(old) == best(new) and agreement(old, new) >= _CERTAIN
        return lifted and same and self.places.owner(item.xy_mm) == track.owner

    def _may_cover(self, item: SeenObject, track: CardTrack, pairs: Sequence[tuple[CardTrack, SeenObject]]) -> bool:
        """Whether a card may lie on another: a player's card does not if it was there in a state before that came."""
        own = next((known for known, other in pairs if other is item), None)
        return own is None or track.owner == DEALER or own.appeared.state >= track.appeared.state

    def _miss(self, track: CardTrack, index: int, items: Sequence[SeenObject]) -> None:
        state = self.piece.states[index]
        zones = self.places.card_zones(track.owner)
        if self.places.hidden(state, track.last.xy_mm) or not state.covered.isdisjoint(zones):
            return
        if any(gap_mm(track.last, item) < 0 for item in items):
            return
        track.gone = departure(self.piece.states, track.looks[-1][0], index, zones)


def _shows_again(track: CardTrack, state: TableState) -> bool:
    """Whether a state shows a card where it lay, with the face that it had."""
    face = best(card_chances(track.last))
    there = [one for one in state.objects if one.kind == "card" and distance(one.xy_mm, track.last.xy_mm) <= JITTER_MM]
    return face is not None and any(best(card_chances(one)) == face for one in there)


def _carried(track: CardTrack, alive: Sequence[CardTrack], items: Sequence[SeenObject]) -> bool:
    """Whether the dealer's hidden hole card is a back seen where no card of his lay: he has it at the ace finder."""
    own = [other.last.xy_mm for other in alive if other.owner == DEALER]
    backs = [item.xy_mm for item in items if item.kind == "card_back" and track.owner == DEALER]
    return any(all(STILL_MM < distance(back, at) <= DEALER_REACH_MM for at in own) for back in backs)
