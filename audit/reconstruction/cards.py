"""Cards followed over the states of a round: a card is known by its place, and by its face where it moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Final

from audit.reconstruction.carried import looked_for_at
from audit.reconstruction.changes import Change, change_between, departure, is_ghost
from audit.reconstruction.evidence import agreement, best, card_chances, may_be_same
from audit.reconstruction.offered import TO_CUT
from audit.reconstruction.places import DEALER, JITTER_MM, STILL_MM, Places, distance, gap_mm, lies_there
from audit.reconstruction.slices import Slice, is_spread
from audit.states import CARD_KINDS, HandSeen, SeenObject, TableState
from audit.table import Point

NOT_AT_ONCE: Final = 3
"""So many states after the dealer's one card his other was not dealt with it: it was missed until it was turned."""
_TURNED_DOWN_MM: Final = 1.0 * JITTER_MM
_NEAR_MM: Final = 250.0  # across one seat
_DEALER_REACH_MM: Final = 600.0  # his two cards travel to the ace finder and back
_BRIEF_MS: Final = 200
_BESIDE_MM: Final = 25.0  # a card outside every zone belongs to the hand it lies beside
_CERTAIN: Final = 0.5
_TWO: Final = 2
_HALF: Final = 0.5
_NEARLY_SURE: Final = 0.9
_ZONES: Final = frozenset({"dealer.card1", "dealer.card2"})


@dataclass(slots=True, eq=False)
class CardTrack:
    """One card on the felt, look by look: pairs of state index and what was seen there.

    ``exposed``: the change that showed its face before it was turned down again.
    """

    number: int
    owner: str
    appeared: Change
    looks: list[tuple[int, SeenObject]] = field(default_factory=list)
    gone: Change | None = None
    turned: Change | None = None
    read: Change | None = None
    exposed: Change | None = None

    @property
    def last(self) -> SeenObject:
        """The latest look."""
        return self.looks[-1][1]

    @property
    def face(self) -> Mapping[str, float]:
        """What the last look that surely read its face says of it, else the last that read it; empty if none did."""
        looks = [chances for _, item in reversed(self.looks) if (chances := card_chances(item))]
        return next((one for one in looks if max(one.values()) >= _CERTAIN), looks[0] if looks else {})

    def at(self, state: int) -> SeenObject | None:
        """Return the card as last seen up to that state, None before it came or after it had gone."""
        if self.gone is not None and state >= self.gone.state:
            return None
        return next((item for index, item in reversed(self.looks) if index <= state), None)

    def seen_in(self, state: int) -> bool:
        """Return whether that very state shows the card."""
        return any(index == state for index, _ in self.looks)


_Cost = Callable[[CardTrack, SeenObject], float | None]


def track_cards(piece: Slice, places: Places) -> list[CardTrack]:
    """Return every card that lay in a zone for cards during the round, in the order of appearance."""
    follower = _Follower(piece=piece, places=places)
    for index in range(max(0, piece.first - 1), len(piece.states)):
        if piece.states[index].view == "ok" and not is_spread(piece.states[index]):
            follower.look(index)
    tracks = [track for track in follower.tracks if not is_ghost(piece.states, track.looks, track.appeared, track.gone)]
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
        pairs = _matches(alive, items, self.places, lost=lost, staying=staying, back=self._back_again)
        pairs += _turned_down_again(alive, items, pairs)
        matched = {id(track) for track, _ in pairs}
        rest = [item for item in items if not any(item is other for _, other in pairs)]
        for track, item in pairs:
            track.gone = None
            self._see(track, index, item)
        picked_up = self._picked_up(matched)
        for item in rest:
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
            is_card = item.kind in CARD_KINDS and TO_CUT not in item.extra
            if is_card and not lain and self._owner(item, alive) is not None:
                yield self._on_its_own_side(item, alive)

    def _on_its_own_side(self, item: SeenObject, alive: Sequence[CardTrack]) -> SeenObject:
        """Return a card that lies on a seat's cards and reaches just into an empty neighbour's place, as if it did not.

        The hands of a split take more room than others.
        """
        owner = self.places.owner(item.xy_mm)
        own = any(track.owner == owner for track in alive)
        if owner in (None, DEALER) or own:
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
        if item.kind == "card" and (track.last.kind == "card_back" or _by_turning_unread(track, item) is not None):
            zones = self.places.card_zones(track.owner)
            track.turned = change_between(self.piece.states, track.looks[-1][0], index, zones)
        if track.read is None and _is_read(item):
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
        track.read = change if _is_read(item) else None
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
            same = track.last.kind == item.kind and _agree(track, item)
            turned = track.owner == DEALER and track.last.kind == "card_back"
            if (near and (same or turned)) or self._laid_down_again(track, item):
                return track
        own = [track for track in lost if track.owner == self.places.owner(item.xy_mm) == DEALER]
        own = [track for track in own if not _other_zone(track, item, self.places)]
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
    return any(all(STILL_MM < distance(back, at) <= _DEALER_REACH_MM for at in own) for back in backs)


def _agree(track: CardTrack, item: SeenObject) -> bool:
    return may_be_same(card_chances(track.last), card_chances(item))


def _matches(
    alive: Sequence[CardTrack],
    items: Sequence[SeenObject],
    places: Places,
    *,
    lost: Sequence[CardTrack],
    staying: Sequence[CardTrack],
    back: Callable[[SeenObject], CardTrack | None],
) -> list[tuple[CardTrack, SeenObject]]:
    """Return which item is which card: by place and face first, then by either, then by turning over.

    ``lost``: cards of the dealer's that went in his hand, to the ace finder and back; where they lie, or their faces,
    tell them again.
    ``staying``: face-down cards that are hidden, and not turned over elsewhere. ``back``: the card that a look missed
    and that lies there again, so that no other has moved there.
    """
    pairs: list[tuple[CardTrack, SeenObject]] = []
    for cost in (_by_place, _by_face, _by_place_alone, _by_turning, _perhaps_moved, _by_turning_unread):
        if cost is _by_place_alone:
            pairs += _slid_together(alive, [item for item in items if places.owner(item.xy_mm) == DEALER], pairs)
        among = (*alive, *lost) if cost in (_by_place, _by_face) else alive
        among = [track for track in among if cost not in _ELSEWHERE or not any(track is one for one in staying)]
        tracks = [track for track in among if not any(track is one for one, _ in pairs)]
        free = [item for item in items if not any(item is one for _, one in pairs)]
        free = [item for item in free if cost is not _perhaps_moved or back(item) is None]
        pairs += _cheapest(tracks, free, _with_its_hand(alive, items, places) if cost is _by_face else cost, places)
    return pairs


def _with_its_hand(alive: Sequence[CardTrack], items: Sequence[SeenObject], places: Places) -> _Cost:
    """As ``_by_face``, how far a player's card lies from where it has gone with its hand."""

    def cost(track: CardTrack, item: SeenObject) -> float | None:
        apart = _by_face(track, item)
        if apart is None or track.owner == DEALER:
            return apart
        others = [(best(one.face), one.last.xy_mm) for one in alive if one.owner == track.owner and one is not track]
        now = [(best(card_chances(one)), one.xy_mm) for one in items if places.owner(one.xy_mm) == track.owner]
        return distance(looked_for_at((best(track.face), track.last.xy_mm), others, now), item.xy_mm)

    return cost


def _cheapest(
    tracks: Sequence[CardTrack], items: Sequence[SeenObject], cost: _Cost, places: Places
) -> list[tuple[CardTrack, SeenObject]]:
    prices: dict[tuple[int, int], float] = {}
    for t, track in enumerate(tracks):
        for i, item in enumerate(items):
            possible = _may_have_come_to(track, item, places) and not _other_zone(track, item, places)
            price = cost(track, item) if possible else None
            if price is not None:
                prices[t, i] = price
    chosen: list[tuple[int, int]] = []
    for _, t, i in sorted((price, t, i) for (t, i), price in prices.items()):
        if not any(t == other or i == taken for other, taken in chosen):
            chosen.append((t, i))
    return [(tracks[t], items[i]) for t, i in _uncrossed(chosen, prices)]


def _uncrossed(chosen: Sequence[tuple[int, int]], prices: Mapping[tuple[int, int], float]) -> list[tuple[int, int]]:
    """Return pairs with those exchanged that move less together the other way round: two of one face moved aside."""
    pairs = list(chosen)
    for one, other in combinations(range(len(pairs)), 2):
        (t, i), (u, j) = pairs[one], pairs[other]
        crossed = [prices[way] for way in ((t, j), (u, i)) if way in prices]
        if len(crossed) == _TWO and _moved(*crossed) < _moved(prices[t, i], prices[u, j]):
            pairs[one], pairs[other] = (t, j), (u, i)
    return pairs


def _moved(*ways_mm: float) -> float:
    return sum(way * way for way in ways_mm)


def _slid_together(
    alive: Sequence[CardTrack], items: Sequence[SeenObject], pairs: Sequence[tuple[CardTrack, SeenObject]]
) -> list[tuple[CardTrack, SeenObject]]:
    """Return the dealer's two cards, turned sideways or slid to the ace finder, where a look did not read the face.

    The one that lay open lies open still, the other is a back as before (004:L798, L806-807). Where only one of them
    has left its place, it lies just beside it.
    """
    own = [track for track in alive if track.owner == DEALER]
    left = [track for track in own if not any(track is one for one, _ in pairs)]
    free = [item for item in items if not any(item is one for _, one in pairs)]
    slid = [(track, item) for track in left for item in free if track.last.kind == item.kind and _agree(track, item)]
    reach = _DEALER_REACH_MM if len(left) == _TWO else 2 * STILL_MM
    near = all(STILL_MM < distance(track.last.xy_mm, item.xy_mm) <= reach for track, item in slid)
    alone = len(own) == len({track.last.kind for track in own}) == _TWO and len(slid) == len(left) == len(free)
    return slid if alone and near else []


def _turned_down_again(
    alive: Sequence[CardTrack], items: Sequence[SeenObject], pairs: Sequence[tuple[CardTrack, SeenObject]]
) -> list[tuple[CardTrack, SeenObject]]:
    """Return the dealer's hole card, shown before, as the only one of his that is missing where a back came.

    He drew none, since as many of his cards lie there as before. One that came face up he turns down, and another up.
    """
    own = [track for track in alive if track.owner == DEALER]
    left = [track for track in own if not any(track is one for one, _ in pairs)]
    backs = [item for item in items if item.kind == "card_back" and not any(item is one for _, one in pairs)]
    if len(own) < _TWO or len(left) != 1 or len(backs) != 1:
        return []
    turns = any(track.owner == DEALER and track.last.kind != item.kind == "card" for track, item in pairs)
    reach = _DEALER_REACH_MM if left[0].turned is not None else STILL_MM if turns else 0.0
    return [(left[0], backs[0])] if distance(left[0].last.xy_mm, backs[0].xy_mm) <= reach else []


def _may_have_come_to(track: CardTrack, item: SeenObject, places: Places) -> bool:
    """Whether an item lies in the place of a card's owner, or in nobody's and not far away."""
    owner = places.owner(item.xy_mm)
    return owner == track.owner or (owner is None and distance(track.last.xy_mm, item.xy_mm) <= _reach(track))


def _other_zone(track: CardTrack, item: SeenObject, places: Places) -> bool:
    """Whether a card and an item lie in different zones of 21 Stud's dealer: no card moves between those."""
    zones = {frozenset(places.zones(point) & _ZONES) for point in (track.last.xy_mm, item.xy_mm)}
    return len(zones) > 1 and frozenset() not in zones


def _by_place(track: CardTrack, item: SeenObject) -> float | None:
    """A card that lies where it lay, and looks as it looked."""
    apart = distance(track.last.xy_mm, item.xy_mm)
    same = track.last.kind == item.kind and _agree(track, item)
    return apart if same and apart <= STILL_MM else None


def _by_place_alone(track: CardTrack, item: SeenObject) -> float | None:
    """A card that lies where it lay, turned face up or read otherwise; a player's may be turned down, too."""
    apart = distance(track.last.xy_mm, item.xy_mm)
    covered = track.last.kind == "card" and item.kind == "card_back"
    if apart > (_TURNED_DOWN_MM if covered and track.owner != DEALER else STILL_MM):
        return None
    return None if covered and track.owner == DEALER else apart


def _by_face(track: CardTrack, item: SeenObject) -> float | None:
    """A card whose face was read may have been moved within its owner's place, a player's from one end to the other.

    The hands of a split lie side by side over the whole of it (004:L822). A look that did not read the face, as of the
    dealer's card under the ace finder, does not make it another card.
    """
    old, new = track.face, card_chances(item)
    apart = distance(track.last.xy_mm, item.xy_mm)
    if (
        (track.owner == DEALER and apart > _reach(track))
        or best(old) is None
        or best(old) != best(new)
        or agreement(old, new) < _CERTAIN
    ):
        return None
    return apart


def _by_turning(track: CardTrack, item: SeenObject) -> float | None:
    """A face-down card may have been moved, or turned over beside where it lay.

    The dealer's hole card is turned over beside where it lay, though it was first or last seen under the ace finder.
    """
    homes = [track.looks[0][1], track.last] if track.owner == DEALER and item.kind == "card" else [track.last]
    apart = min(distance(home.xy_mm, item.xy_mm) for home in homes)
    return apart if track.last.kind == "card_back" and apart <= _reach(track) else None


def _perhaps_moved(track: CardTrack, item: SeenObject) -> float | None:
    """A player's card that has left its place may lie elsewhere in his place, its face unread or read otherwise."""
    apart = distance(track.last.xy_mm, item.xy_mm)
    faces = track.last.kind == item.kind == "card"
    same = faces and _agree(track, item) and _is_mostly_like(track, item)
    return apart if same and track.owner != DEALER and apart <= _NEAR_MM else None


def _is_mostly_like(track: CardTrack, item: SeenObject) -> bool:
    """Whether most of the looks at a card may show the face that an item shows."""
    new = card_chances(item)
    alike = [may_be_same(card_chances(look), new) for _, look in track.looks]
    return _TWO * sum(alike) > len(alike)


def _is_read(item: SeenObject) -> bool:
    """Whether a look tells that a face is there: one reading is likelier than all else; a back is like many.

    Of what was watched one is nearly sure: a back of red lozenges was a queen, with 0.83.
    """
    least = _HALF if item.since_ms is None else _NEARLY_SURE
    return max(card_chances(item).values(), default=0.0) >= least


def _by_turning_unread(track: CardTrack, item: SeenObject) -> float | None:
    """A card of the dealer's that was never read may have lain face down: a strip of a back looks like a face's rim."""
    apart = distance(track.last.xy_mm, item.xy_mm)
    unread = track.owner == DEALER and not any(card_chances(look) for _, look in track.looks)
    return apart if unread and item.kind == "card" and STILL_MM < apart <= _reach(track) else None


_ELSEWHERE: Final = (_by_turning, _perhaps_moved, _by_turning_unread)
"""By what a card is known that has left its place."""


def _reach(track: CardTrack) -> float:
    return _DEALER_REACH_MM if track.owner == DEALER else _NEAR_MM
