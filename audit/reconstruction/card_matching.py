"""Which card of a look is which of those followed: told by place, by face, or by being turned over."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Final

from audit.reconstruction.card_track import CardTrack
from audit.reconstruction.carried import looked_for_at
from audit.reconstruction.evidence import SAME, agreement, best, card_chances, may_be_same
from audit.reconstruction.places import DEALER, JITTER_MM, STILL_MM, Places, distance
from audit.states import SeenObject

_TURNED_DOWN_MM: Final = 1.0 * JITTER_MM
_NEAR_MM: Final = 250.0  # across one seat
DEALER_REACH_MM: Final = 600.0  # his two cards travel to the ace finder and back
_CERTAIN: Final = 0.5
_MISREAD: Final = 0.01  # so likely it is, as the readings go, that a look shows a card's face
_TWO: Final = 2
_HALF: Final = 0.5
_NEARLY_SURE: Final = 0.9
_ZONES: Final = frozenset({"dealer.card1", "dealer.card2"})


_Cost = Callable[[CardTrack, SeenObject], float | None]


def agree(track: CardTrack, item: SeenObject) -> bool:
    """Whether what is seen may have the face that a card was last seen with."""
    return may_be_same(card_chances(track.last), card_chances(item))


def matches(
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
    for cost in (_by_place, _by_face, _by_place_alone, _back_again, _by_turning, _perhaps_moved, by_turning_unread):
        if cost is _by_place_alone:
            pairs += _slid_together(alive, [item for item in items if places.owner(item.xy_mm) == DEALER], pairs)
        among = (*alive, *lost) if cost in (_by_place, _by_face) else alive
        among = [track for track in among if cost not in _ELSEWHERE or not any(track is one for one in staying)]
        tracks = [track for track in among if not any(track is one for one, _ in pairs)]
        free = [item for item in items if not any(item is one for _, one in pairs)]
        free = [item for item in free if cost is not _perhaps_moved or back(item) is None]
        by = _with_its_hand(alive, items, places) if cost is _by_face else cost
        pairs += _cheapest(tracks, free, by, places, alive)
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
    tracks: Sequence[CardTrack],
    items: Sequence[SeenObject],
    cost: _Cost,
    places: Places,
    alive: Sequence[CardTrack],
) -> list[tuple[CardTrack, SeenObject]]:
    prices: dict[tuple[int, int], float] = {}
    for t, track in enumerate(tracks):
        for i, item in enumerate(items):
            possible = _may_have_come_to(track, item, places) and not other_zone(track, item, places, alive)
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
    has left its place, it lies just beside it. Of two that have gone the same way the open one may have been misread.
    """
    own = [track for track in alive if track.owner == DEALER]
    left = [track for track in own if not any(track is one for one, _ in pairs)]
    free = [item for item in items if not any(item is one for _, one in pairs)]
    alike = [(track, item) for track in left for item in free if track.last.kind == item.kind]
    least = _MISREAD if len(left) == _TWO and _went_the_same_way(alike) else SAME
    slid = [(t, item) for t, item in alike if agreement(card_chances(t.last), card_chances(item)) >= least]
    reach = DEALER_REACH_MM if len(left) == _TWO else 2 * STILL_MM
    near = all(STILL_MM < distance(track.last.xy_mm, item.xy_mm) <= reach for track, item in slid)
    alone = len(own) == len({track.last.kind for track in own}) == _TWO and len(slid) == len(left) == len(free)
    once = all(one is not other and item is not seen for (one, item), (other, seen) in combinations(slid, 2))
    return slid if alone and near and once else []


def _went_the_same_way(pairs: Sequence[tuple[CardTrack, SeenObject]]) -> bool:
    """Whether cards lie from where they lay as far, and in the same direction, as each other."""
    ways = [(item.xy_mm[0] - t.last.xy_mm[0], item.xy_mm[1] - t.last.xy_mm[1]) for t, item in pairs]
    return all(distance(one, other) <= JITTER_MM for one, other in combinations(ways, 2))


def turned_down_again(
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
    reach = DEALER_REACH_MM if left[0].turned is not None else STILL_MM if turns else 0.0
    return [(left[0], backs[0])] if distance(left[0].last.xy_mm, backs[0].xy_mm) <= reach else []


def _may_have_come_to(track: CardTrack, item: SeenObject, places: Places) -> bool:
    """Whether an item lies in the place of a card's owner, or in nobody's and not far away."""
    owner = places.owner(item.xy_mm)
    return owner == track.owner or (owner is None and distance(track.last.xy_mm, item.xy_mm) <= _reach(track))


def other_zone(track: CardTrack, item: SeenObject, places: Places, alive: Sequence[CardTrack]) -> bool:
    """Whether a card and an item lie in different zones of 21 Stud's dealer: no card moves between those.

    One of two that lay in one zone does, while the other is empty: they are put right.
    """
    here, there = (frozenset(places.zones(point) & _ZONES) for point in (track.last.xy_mm, item.xy_mm))
    if here == there or not here or not there:
        return False
    lying = [frozenset(places.zones(one.last.xy_mm) & _ZONES) for one in alive if one.owner == DEALER]
    return lying != [here, here]


def _by_place(track: CardTrack, item: SeenObject) -> float | None:
    """A card that lies where it lay, and looks as it looked."""
    apart = distance(track.last.xy_mm, item.xy_mm)
    same = track.last.kind == item.kind and agree(track, item)
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


def _back_again(track: CardTrack, item: SeenObject) -> float | None:
    """The dealer's open card, read by no look, lies again where it lay before it went to the ace finder."""
    home, same = track.looks[0][1].xy_mm, track.last.kind == item.kind == "card" and agree(track, item)
    went = distance(home, track.last.xy_mm) > STILL_MM
    apart = distance(home, item.xy_mm)
    return apart if went and same and track.owner == DEALER and apart <= STILL_MM else None


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
    same = faces and agree(track, item) and _is_mostly_like(track, item)
    return apart if same and track.owner != DEALER and apart <= _NEAR_MM else None


def _is_mostly_like(track: CardTrack, item: SeenObject) -> bool:
    """Whether most of the looks at a card may show the face that an item shows."""
    new = card_chances(item)
    alike = [may_be_same(card_chances(look), new) for _, look in track.looks]
    return _TWO * sum(alike) > len(alike)


def is_read(item: SeenObject) -> bool:
    """Whether a look tells that a face is there: one reading is likelier than all else; a back is like many.

    Of what was watched one is nearly sure: a back of red lozenges was a queen, with 0.83.
    """
    least = _HALF if item.since_ms is None else _NEARLY_SURE
    return max(card_chances(item).values(), default=0.0) >= least


def by_turning_unread(track: CardTrack, item: SeenObject) -> float | None:
    """A card of the dealer's that was never read may have lain face down: a strip of a back looks like a face's rim."""
    apart = distance(track.last.xy_mm, item.xy_mm)
    unread = track.owner == DEALER and not any(card_chances(look) for _, look in track.looks)
    return apart if unread and item.kind == "card" and STILL_MM < apart <= _reach(track) else None


_ELSEWHERE: Final = (_by_turning, _perhaps_moved, by_turning_unread)
"""By what a card is known that has left its place."""


def _reach(track: CardTrack) -> float:
    return DEALER_REACH_MM if track.owner == DEALER else _NEAR_MM
