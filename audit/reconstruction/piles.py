"""Piles of cheques followed over the states of a round: where they stood, changed and went, and by whose hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Final

from audit.reconstruction.changes import Change, change_between, departure, is_ghost, is_watched
from audit.reconstruction.dividing import joined_into, parts_of
from audit.reconstruction.evidence import best, may_be_same, stack_chances
from audit.reconstruction.looks import changed, fewer, higher, is_another, is_unchanged, reads_alike, surer
from audit.reconstruction.pile_track import PileTrack
from audit.reconstruction.places import JITTER_MM, MOVED_MM, PAYS_WITHIN_MM, SAME_PLACE_MM, STILL_MM, Places, distance
from audit.reconstruction.priors import may_hide_its_foot, piled_upon, sharpened
from audit.reconstruction.recounted import count_anew
from audit.reconstruction.rows import drawn_in, in_another_order, likeliest_same, nearest, same_piles, set_beside
from audit.reconstruction.slices import Slice
from audit.states import SeenObject

_PUSHED_MM: Final = 45.0
_AS_FAR: Final = 0.2  # of how far a pile stands from the nearest wager: what is sent to a player goes past several
_BOTH: Final = 2  # sides
_SEVERAL: Final = 2
_AWAY: Final = frozenset({"rack"})
_LAID_IN_PLAY: Final = frozenset({"raise", "draw"})


def track_piles(piece: Slice, places: Places, *, settling: int | None = None) -> list[PileTrack]:
    """Return every pile that stood outside the rack, in the order of appearance.

    ``settling``: the state from which split hands are paid, None if that is not known.
    """
    follower = _Follower(piece=piece, places=places, settling=settling)
    for index, state in enumerate(piece.states):
        if state.view == "ok":
            follower.look(index)
    for track in follower.tracks:
        _place_by_all_looks(track, places)
    count_anew(follower.tracks, piece.states)
    tracks = follower.tracks
    ghosts = [track for track in tracks if is_ghost(piece.states, track.looks, track.appeared, track.gone)]
    return [track for track in tracks if track not in ghosts or _went_with_another(track, tracks, ghosts)]


def _went_with_another(track: PileTrack, tracks: Sequence[PileTrack], ghosts: Sequence[PileTrack]) -> bool:
    """Whether a pile that nobody was seen to lift went together with one of its seat that had stood there for long."""
    unseen = [one for one in tracks if one not in ghosts and one.gone is not None and not one.gone.hands]
    seats = {_owner(one) for one in unseen if one.looks[-1][0] == track.looks[-1][0]}
    return _owner(track) is not None and _owner(track) in seats


def _owner(track: PileTrack) -> str | None:
    return None if track.spot is None else track.spot.partition(".")[0]


def _place_by_all_looks(track: PileTrack, places: Places) -> None:
    """Give a pile near a zone's edge the spot that its looks say together, as each of them jitters over the edge."""
    first = track.looks[0][1].xy_mm
    there = [item.xy_mm for _, item in track.looks if distance(first, item.xy_mm) <= STILL_MM]
    if len(there) <= _SEVERAL or len(places.spots_around(first)) == 1:
        return
    mean = (sum(x for x, _ in there) / len(there), sum(y for _, y in there) / len(there))
    if places.spot(mean) != track.spot:
        track.spot = places.spot(mean)
        track.zones = places.zones(mean) or track.zones


def _taken_and_laid(change: Change) -> bool:
    """Whether the dealer's hand came from the rack, and then a player's: one hand broke, another is doubled."""
    taken = [hand.span.last for hand in change.hands if hand.side == "dealer" and "rack" in hand.zones]
    laid = [hand.span.first for hand in change.hands if hand.side == "player"]
    return bool(taken and laid) and min(taken) < max(laid)


@dataclass
class _Follower:
    piece: Slice
    places: Places
    settling: int | None = None
    tracks: list[PileTrack] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=count)

    def look(self, index: int) -> None:
        """Take in one state."""
        alive = [track for track in self.tracks if track.gone is None]
        items = [
            sharpened(item, self.places.profile)
            for item in self.piece.states[index].objects
            if item.kind == "chips" and not self.places.zones(item.xy_mm) & _AWAY
        ]
        moving = self._in_motion(alive, items, index)
        items = [item for item in items if not any(item is one for one in moving)]
        pairs = list(self._laid_out_anew(alive, items, index))
        rest = [track for track in alive if not any(track is one for one, _ in pairs)]
        alike = list(self._parted_and_moved(rest, items, index))
        pairs += alike
        rest = [track for track in rest if not any(track is one for one, _ in alike)]
        near = nearest(rest, [item for item in items if not any(item is one for _, one in pairs)], SAME_PLACE_MM)
        pairs += [(track, item) for track, item in near if track.spot or not is_another(track.looks[-1][1], item)]
        pairs += self._moved(alive, items, pairs, index)
        for track, item in pairs:
            self._see(track, index, item)
        for item in items:
            if not any(item is other for _, other in pairs) and not self._back_again(item, index):
                self._begin(item, index)
        for track in alive:
            if not any(track is other for other, _ in pairs):
                self._miss(track, index)

    def _laid_out_anew(
        self, alive: Sequence[PileTrack], items: Sequence[SeenObject], index: int
    ) -> Iterator[tuple[PileTrack, SeenObject]]:
        """Piles of one spot that a hand moved aside together, as those of a split: the same ones from left to right.

        Nothing was taken nor paid where the dealer's hand did not come over the rack, or while no hand was settled yet.
        What he then sets beside a pile that has stayed is its payment all the same, and another pile was taken.
        """
        for spot in sorted({track.spot for track in alive if track.spot is not None and "." in track.spot}):
            owner = spot.partition(".")[0]
            now = [item for item in items if self.places.spot(item.xy_mm) == spot]
            now.sort(key=lambda item: self.places.along(owner, item.xy_mm)[0])
            row = [track for track in alive if track.spot == spot]
            row += drawn_in(row, alive, items) if len(now) > len(row) else []
            row.sort(key=lambda track: self.places.along(owner, track.xy_mm)[0])
            if len(now) > len(row) > 1 and len(self._moved_only(row, index)) == _BOTH:
                now = likeliest_same(row, now)
            elif len(now) == len(row) > 1 and self._moved_only(row, index) == {"dealer"}:
                now = in_another_order(row, now)
            if len(row) > 1 and same_piles(row, now) and self._by_moving(row, now, index):
                for track, item in zip(row, now, strict=True):
                    track.spot = spot
                    yield track, item

    def _parted_and_moved(
        self, rest: Sequence[PileTrack], items: Sequence[SeenObject], index: int
    ) -> Iterator[tuple[PileTrack, SeenObject]]:
        """A spot's only pile that hands of both sides moved aside and set others to: that which reads as it did.

        A bet was split and doubled for less between two states, and the double stood where the bet had been.
        """
        for track in rest:
            row = [one for one in rest if one.spot == track.spot]
            now = [item for item in items if self.places.spot(item.xy_mm) == track.spot]
            if track.spot is None or len(row) > 1 or len(now) <= len(row):
                continue
            change = change_between(self.piece.states, track.looks[-1][0], index, track.zones)
            near = min(now, key=lambda item: distance(track.xy_mm, item.xy_mm))
            same = [item for item in now if reads_alike(track.looks[-1][1], item)]
            same = [item for item in same if distance(track.xy_mm, item.xy_mm) <= MOVED_MM]
            if same and near not in same and change.sides == {"dealer", "player"}:
                owner = track.spot.partition(".")[0]  # a new one goes to the dealer's right of it
                yield track, min(same, key=lambda item: self.places.along(owner, item.xy_mm)[0])

    def _in_motion(self, alive: Sequence[PileTrack], items: Sequence[SeenObject], index: int) -> list[SeenObject]:
        """Return the piles of covered spots that a hand is laying out anew, while some of theirs are hidden under it.

        The next look at the whole spot shows as many as before: while no hand is settled none came or went.
        """
        found: list[SeenObject] = []
        for spot in self.piece.states[index].covered if self.settling is not None and index < self.settling else ():
            row = [track for track in alive if track.spot == spot]
            now = [item for item in items if self.places.spot(item.xy_mm) == spot]
            stayed = len(list(nearest(row, now, SAME_PLACE_MM)))
            if len(row) > len(now) > stayed and self._next_count(spot, index) == len(row):
                found += now
        return found

    def _next_count(self, spot: str, index: int) -> int:
        """Return how many piles stand on a spot in the next look at the whole of it."""
        later = (state for state in self.piece.states[index + 1 :] if state.view == "ok" and spot not in state.covered)
        clear = next(later, None)
        piles = [] if clear is None else [item for item in clear.objects if item.kind == "chips"]
        return sum(self.places.spot(item.xy_mm) == spot for item in piles)

    def _moved_only(self, row: Sequence[PileTrack], index: int) -> frozenset[str]:
        """Whose hands were at a row while no hand was settled, none of the dealer's at the rack: he took none of it."""
        before = min(track.looks[-1][0] for track in row)
        sides, racked = (change_between(self.piece.states, before, index, at).sides for at in (row[0].zones, _AWAY))
        open_ = self.settling is not None and index < self.settling
        return frozenset(sides) if open_ and "dealer" not in racked else frozenset()

    def _by_moving(self, row: Sequence[PileTrack], now: Sequence[SeenObject], index: int) -> bool:
        stayed = len(list(nearest(row, now, SAME_PLACE_MM)))
        before = min(track.looks[-1][0] for track in row)
        change = change_between(self.piece.states, before, index, row[0].zones)
        if stayed == len(row) or (stayed == len(row) - 1 and _taken_and_laid(change)):
            return False
        settled = self.settling is None or index >= self.settling
        racked = change_between(self.piece.states, before, index, _AWAY).sides & {"dealer"}
        if not change.hands:
            return not settled and not change.blind  # whose hand it was nobody saw, and no bet is taken yet
        return not (settled and (racked or set_beside(row, now)))

    def _moved(
        self,
        alive: Sequence[PileTrack],
        items: Sequence[SeenObject],
        pairs: Sequence[tuple[PileTrack, SeenObject]],
        index: int,
    ) -> Iterator[tuple[PileTrack, SeenObject]]:
        """Piles that a hand shifted within their spot: same spot, same reading, the old place seen empty.

        What stands nearer to a pile that has stayed than to the one that is gone was set beside it: a payment.
        """
        state = self.piece.states[index]
        paired = [track for track, _ in pairs]
        left = [one for one in alive if one not in paired and not self.places.hidden(state, one.xy_mm)]
        free = [item for item in items if not any(item is one for _, one in pairs)]
        free = [item for item in free if not self._was_missed(item, index)]
        left = [one for one in left if not self._stands_again(one, index)]
        for track, item in nearest(left, free, MOVED_MM):
            if self._is_shifted(track, item, paired, index) or self._is_paid_upon(track, item, index, items):
                yield track, item

    def _stands_again(self, track: PileTrack, index: int) -> bool:
        """Whether the next look shows a pile like one that a look lacks, and no hand came: it was missed, not moved."""
        states = self.piece.states[index + 1 : index + 2]
        if not states or change_between(self.piece.states, index, index + 1, track.zones).hands:
            return False
        there = [item for state in states for item in state.objects if item.kind == "chips"]
        near = [item for item in there if distance(item.xy_mm, track.looks[-1][1].xy_mm) <= JITTER_MM]
        return any(reads_alike(track.looks[-1][1], item) for item in near)

    def _is_shifted(self, track: PileTrack, item: SeenObject, others: Sequence[PileTrack], index: int) -> bool:
        same_spot = track.spot is not None and self.places.spot(item.xy_mm) == track.spot
        apart = distance(track.xy_mm, item.xy_mm)
        beside = any(one.spot == track.spot and distance(one.xy_mm, item.xy_mm) < apart for one in others)
        old, new = stack_chances(track.looks[-1][1]), stack_chances(item)
        same = may_be_same(old, new) if old and new else self._away_from_rack(track, index)
        return same_spot and not beside and same

    def _away_from_rack(self, track: PileTrack, index: int) -> bool:
        """Whether the dealer alone was at a pile, or any hand before hands were settled, and none of his at the rack.

        So he took none and paid none since it was seen.
        """
        since, open_ = self._since(track, index), self.settling is not None and index < self.settling
        moved = since.by_dealer or (open_ and bool(since.hands))
        return moved and not self._may_have_racked(track.looks[-1][0], index)

    def _may_have_racked(self, before: int, index: int) -> bool:
        """Whether the dealer's hand came to the rack between two looks, or is never seen there."""
        if "dealer" in change_between(self.piece.states, before, index, _AWAY).sides:
            return True
        return not any(_AWAY.intersection(hand.zones) for state in self.piece.states for hand in state.hands)

    def _is_paid_upon(self, track: PileTrack, item: SeenObject, index: int, items: Sequence[SeenObject]) -> bool:
        """Whether a spot's only pile was pushed a little as the dealer, and nobody else, put more cheques upon it."""
        spot, old, new = track.spot, best(stack_chances(track.looks[-1][1])), best(stack_chances(item))
        if spot is None or old is None or new is None or distance(track.xy_mm, item.xy_mm) > _PUSHED_MM:
            return False
        alone = [one for one in items if self.places.spot(one.xy_mm) == spot] == [item]
        only = all(one is track or one.gone is not None or one.spot != spot for one in self.tracks)
        grown = len(new) > len(old) and not Counter(old) - Counter(new)
        return alone and only and grown and self._since(track, index).sides == {"dealer"}

    def _see(self, track: PileTrack, index: int, item: SeenObject) -> None:
        before, last = next(((n, look) for n, look in reversed(track.looks) if stack_chances(look)), track.looks[-1])
        change = change_between(self.piece.states, before, index, track.zones)
        if is_unchanged(item, self.piece.states[track.looks[-1][0]]):
            best_look = piled_upon(surer(item, last), track.below, self.places.profile)
            track.looks.append((index, best_look))
            return
        below = stack_chances(last)
        if change.hands and (higher(item, below) or may_hide_its_foot(item, best(below))):
            track.below = below
        item = piled_upon(item, track.below, self.places.profile)
        now = stack_chances(item)
        if not stack_chances(last):  # never read so far: the dealer's hand may have made it what it is now
            made = self._may_have_racked(before, index) or self._has_more(track, index)
            is_new = bool(now) and change.by_dealer and made and index > self.piece.first
        else:
            is_new = changed(stack_chances(last), now, handled=bool(change.hands))
        if is_new:
            lost = fewer(stack_chances(last), now)
            track.changes.append((index, self._came_unread(track, before, change, lost)))
        track.looks.append((index, item))

    def _has_more(self, track: PileTrack, index: int) -> bool:
        """Whether a look shows more piles on a spot than stood there, as where one was broken down."""
        now = [one for one in self.piece.states[index].objects if one.kind == "chips"]
        stood = [one for one in self.tracks if one.spot == track.spot and one.gone is None]
        return sum(self.places.spot(one.xy_mm) == track.spot for one in now) > len(stood)

    def _came_unread(self, track: PileTrack, before: int, change: Change, lost: Counter[str]) -> Change:
        """Return a change as the look shows it that came after the hand that made it, though it did not read the pile.

        That is the hand after which no other came, or the one with which the cheques came beside it that it lost.
        """
        for unread in (index for index, _ in track.looks if index > before):
            earlier = change_between(self.piece.states, before, unread, track.zones)
            beside = [one for one in self.tracks if one.spot == track.spot and one.appeared.state == unread]
            parts = Counter(cheque for one in beside for cheque in best(stack_chances(one.looks[0][1])) or ())
            if earlier.hands and (earlier.hands == change.hands or (lost and parts == lost)):
                return earlier
        return change

    def _begin(self, item: SeenObject, index: int) -> None:
        spot = self.places.spot(item.xy_mm)
        zones, change = self._came(item, index)
        self.tracks.append(
            PileTrack(
                number=next(self.numbers),
                spot=spot,
                zones=zones,
                appeared=change,
                looks=[(index, item)],
            )
        )

    def _came(self, item: SeenObject, index: int) -> tuple[frozenset[str], Change]:
        """Return the zones whose hands may have set a pile, and how it came.

        They are those that hold it, and outside every bet's those of the nearest bet. Where no hand came over its own,
        an empty one, but the dealer's over the wager within reach beside it, his payment reached past that one's zone;
        and so it did past a line that its place does not tell it to lie beyond.
        """
        zones, before = self.places.zones(item.xy_mm), self._last_clear(item, index)
        wide = zones | self._near_zones(item, before, index)
        spot = self.places.spot(item.xy_mm)
        narrow, near = (change_between(self.piece.states, before, index, names) for names in (zones, wide))
        edge = zones | {name for name in self.places.spots_around(item.xy_mm) if name is not None}
        if spot is not None and not narrow.hands and edge != zones:
            beyond = change_between(self.piece.states, before, index, edge)
            if beyond.by_dealer:
                return edge, beyond
        reached = spot is not None and not narrow.hands and near.by_dealer and self._reaches(item, spot, index)
        if spot is None or reached:
            return wide, near
        past = frozenset[str]() if narrow.hands else self._reached_beside(item, spot, before, index)
        return (zones | past, change_between(self.piece.states, before, index, past)) if past else (zones, narrow)

    def _reached_beside(self, item: SeenObject, spot: str, before: int | None, index: int) -> frozenset[str]:
        """Return the zones of the one other wager within reach of a pile to which the dealer's hand came, if any did.

        Nobody's hand came over the zone that holds the pile: what he paid to that wager may reach so far.
        """
        alive = [track for track in self.tracks if track.gone is None and track.spot not in (None, spot)]
        close = {track.zones for track in alive if distance(track.xy_mm, item.xy_mm) <= PAYS_WITHIN_MM}
        came = [zones for zones in close if change_between(self.piece.states, before, index, zones).by_dealer]
        return came[0] if len(came) == 1 else frozenset()

    def _reaches(self, item: SeenObject, spot: str, index: int) -> bool:
        """Whether a pile on a spot that was empty stands near enough to a wager, or its payment, to be paid on it."""
        alive = [track for track in self.tracks if track.gone is None]
        empty = not any(track.spot == spot and track.stands_in(index - 1) for track in alive)
        return empty and any(distance(track.xy_mm, item.xy_mm) <= PAYS_WITHIN_MM for track in alive)

    def _last_clear(self, item: SeenObject, index: int) -> int | None:
        states = self.piece.states
        return next((i for i in range(index - 1, -1, -1) if not self.places.hidden(states[i], item.xy_mm)), None)

    def _near_zones(self, item: SeenObject, before: int | None, index: int) -> frozenset[str]:
        """A pile outside every zone: the zones of the nearest pile that stands in one.

        Of those about as near it is the one to which the dealer's hand came, if he came to one of them only.
        """
        alive = [track for track in self.tracks if track.gone is None and track.spot is not None]
        apart = [(distance(track.xy_mm, item.xy_mm), track) for track in alive]
        least, nearest = min(apart, key=lambda one: one[0], default=(0.0, None))
        as_near = least + max(STILL_MM, _AS_FAR * least)
        close = {track.zones for far, track in apart if far <= as_near}
        reached = [zones for zones in close if change_between(self.piece.states, before, index, zones).by_dealer]
        return reached[0] if len(reached) == 1 else frozenset() if nearest is None else nearest.zones

    def _back_again(self, item: SeenObject, index: int) -> bool:
        """Whether this is a pile that a state had missed, and not one that was collected and another like it set.

        Hands can do that, if some were there when it went and when it came, or may have been out of sight; of a pile
        beside every zone nobody knows, so that it is another once its place was bare. Of several that stood there one
        after the other it is the last.
        """
        track = self._last_there(item)
        if track is None or track.gone is None:
            return False
        if self._is_missed_part(track, track.gone, item, index):
            track.gone = None
            track.looks.append((index, item))
            return True
        since = self._since(track, index)
        came = change_between(self.piece.states, self._last_clear(item, index), index, track.zones)
        same = len(since.sides) < _BOTH and may_be_same(stack_chances(track.looks[-1][1]), stack_chances(item))
        bare = self._was_bare(item, track.gone.state, index)
        anew = bare and (not track.zones or bool(track.gone.hands) or self._is_of_another_round(track, came, index))
        anew = anew or self._was_paid_in_parts(track, track.gone, index)
        if not same or (track.gone.hands and (came.hands or came.blind)) or anew:
            return False
        track.handled = track.handled or bool(came.hands) or bare
        track.gone = None
        track.lapsed = True
        track.looks.append((index, item))
        return True

    def _is_missed_part(self, track: PileTrack, gone: Change, item: SeenObject, index: int) -> bool:
        """Whether one look missed a part of a bet that the dealer broke down: the same cheques stand there at once.

        The rest of it stood there all the while; he pays it then, and does not change a part of it for its like.
        """
        came, looks = track.appeared.state, {index - 2, index - 1, index}
        row = [one for one in self.tracks if one.spot == track.spot and one is not track]
        whole = [one for one in row if came in dict(one.changes) or (one.gone is not None and one.gone.state == came)]
        stood = [one for one in row if looks <= {number for number, _ in one.looks}]
        before = track.looks[-1]
        there = before[0] == index - 2 and distance(before[1].xy_mm, item.xy_mm) <= STILL_MM
        same = best(stack_chances(before[1])) == best(stack_chances(item)) is not None
        return bool(whole and stood) and gone.by_dealer and there and same

    def _was_paid_in_parts(self, track: PileTrack, gone: Change, index: int) -> bool:
        """Whether a pile was broken down and paid on its spot, where no other stands: it is another one like it."""
        since = [one for one in self.tracks if one.spot == track.spot and one.appeared.state >= gone.state]
        paid = any(one.appeared.by_dealer and one.appeared.state > gone.state for one in since)
        stands = any(number == index for one in since for number, _ in one.looks)
        return paid and not stands and gone.by_dealer and self._is_elsewhere(track, gone)

    def _is_of_another_round(self, track: PileTrack, came: Change, index: int) -> bool:
        """Whether a pile stands where another round's stood: that went before the last card, it came after it.

        So does a raise or a Draw bet of this round where one stood that went before the first card, and what the dealer
        lays there, or anybody where no hand is ever seen.
        """
        gone, first, last = track.gone, self.piece.first, self.piece.last
        if gone is None or gone.state <= last < index:
            return gone is not None and not came.hands
        laid = (track.spot or "").partition(".")[2] in _LAID_IN_PLAY or came.by_dealer
        return gone.state <= first < index and (laid or not is_watched(self.piece.states))

    def _since(self, track: PileTrack, index: int) -> Change:
        """Return whose hands were over a pile's place since it was last seen there."""
        return change_between(self.piece.states, track.looks[-1][0], index, track.zones)

    def _was_missed(self, item: SeenObject, index: int) -> bool:
        """Whether a pile like it stood there and is gone, though no hand came: it was only missed."""
        track = self._last_there(item)
        if track is None or self._since(track, index).hands:
            return False
        return may_be_same(stack_chances(track.looks[-1][1]), stack_chances(item))

    def _last_there(self, item: SeenObject) -> PileTrack | None:
        """Return the pile that stood last where one is seen again: what stood there before it was away then."""
        gone = [track for track in self.tracks if track.gone is not None]
        there = [track for track in gone if distance(track.xy_mm, item.xy_mm) <= SAME_PLACE_MM]
        return max(there, key=lambda track: track.looks[-1][0], default=None)

    def _was_bare(self, item: SeenObject, first: int, until: int) -> bool:
        """Whether its place was seen without it in several states: that is no look that missed it."""
        clear = [state for state in self.piece.states[first:until] if not self.places.hidden(state, item.xy_mm)]
        return len(clear) >= _SEVERAL

    def _miss(self, track: PileTrack, index: int) -> None:
        if self.places.hidden(self.piece.states[index], track.xy_mm):
            return
        shifted = next((other for other in self.tracks if self._was_shifted(track, other, index)), None)
        if shifted is None:
            last = track.looks[-1][0]
            hidden = self.places.hidden(self.piece.states[last], track.xy_mm)
            gone = departure(self.piece.states, last, index, track.zones, hidden=hidden)
            deferred = index > last + 1 and not hidden
            bare = deferred and not change_between(self.piece.states, last, last + 1, track.zones).hands
            gone = replace(gone, before_hands=bare and bool(gone.hands))
            track.gone = None if index == last + 1 and self._may_be_missed(track, gone) else gone
            return
        track.looks += shifted.looks
        track.changes += shifted.changes
        self.tracks.remove(shifted)

    def _may_be_missed(self, track: PileTrack, gone: Change) -> bool:
        """Whether one look may have missed a pile: no hand was over it, so that the next look tells whether it went.

        One that no hand brought, and that was hardly seen, was never there (`is_ghost`).
        """
        after = self.piece.states[gone.state + 1 : gone.state + 2]
        if not after or self.places.hidden(after[0], track.xy_mm):
            return False
        watched = is_watched(self.piece.states)
        known = bool(track.appeared.hands) or len(track.looks) > _SEVERAL
        return watched and known and not (gone.hands or gone.blind or gone.sudden or self._is_elsewhere(track, gone))

    def _is_elsewhere(self, track: PileTrack, gone: Change) -> bool:
        """Whether a pile lies in several on its spot now, or upon another one there: nobody missed it."""
        of_spot = [one for one in self.tracks if one.spot == track.spot and one is not track]
        came, went = [one for one in of_spot if one.appeared.state == gone.state], replace(track, gone=gone)
        return bool(parts_of(went, gone.state, came) or any(joined_into(one, gone.state, [went]) for one in of_spot))

    def _was_shifted(self, track: PileTrack, other: PileTrack, index: int) -> bool:
        """Whether a hand shifted a pile while it hid the old place: another hand since may have taken it instead."""
        came = other.appeared.state
        if other is track or other.gone is not None or came <= track.looks[-1][0] or came == index:
            return False
        until = self.piece.states[came].span.last
        since = change_between(self.piece.states, came, index, track.zones)
        same_hand = all(hand.span.first <= until + 1 for hand in since.hands)
        near = distance(track.xy_mm, other.xy_mm) <= MOVED_MM
        rest = [one for one in self.tracks if one.gone is None and one not in (track, other)]
        return same_hand and near and self._is_shifted(track, other.looks[0][1], rest, came)
