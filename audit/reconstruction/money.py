"""What happened to the money of a round: wagers standing, raised, lowered, paid, taken and collected, spot by spot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Final

from audit.money import Money
from audit.reconstruction.afar import pay_from_afar
from audit.reconstruction.aiming import is_laid_in_play, is_later_bet, is_of_none, passed_over, reach_past, reached_for
from audit.reconstruction.amounts import best_amount, pile_amounts, total_amounts
from audit.reconstruction.changes import Change, change_between, hand_spans, is_watched
from audit.reconstruction.dealing_gap import DEALT, DealingGap, unseen_payment
from audit.reconstruction.dividing import broken_down, exchanged, joined_into, parts_of, perhaps_laid_anew
from audit.reconstruction.doubts import BOTH_SIDES, MISSING, NOT_RACKED, PART, SUDDEN, TO_THE_RACK, doubt, went_unseen
from audit.reconstruction.elements import Element, nearest_first
from audit.reconstruction.evidence import Stack
from audit.reconstruction.handing import (
    IN_RACK,
    came_before_him,
    collected_first,
    converted,
    handed_back,
    is_pushed_on,
    may_be_put_back,
    paid_and_sent,
    pushed_over,
    sent_as_one,
    sent_with_its_payment,
    stacked_up,
)
from audit.reconstruction.laid_anew import lay_anew
from audit.reconstruction.observation import MoneyMove
from audit.reconstruction.pile_track import PileTrack, PileVersion
from audit.reconstruction.places import MOVED_MM, PAYS_WITHIN_MM, SAME_PLACE_MM, Places, distance
from audit.reconstruction.slices import Slice
from audit.reconstruction.stacking import Stacked, payment_beneath, put_along, stacked_upon
from audit.reconstruction.together import are_together, even_out_payments
from audit.reconstruction.whereto import whereto_unseen

_PUT_BACK_MM: Final = 40.0
_RACK: Final = frozenset({"rack"})


@dataclass
class Ledger:
    """The money of one round, followed change by change.

    ``settling`` is the state from which money without a player's hand is taken to be the house's (the dealer's hole
    card is shown); None if that was never seen. ``later``: the same for bets that wait for another card;
    ``sooner``: for spots whose hands are settled before. ``lost``: for a spot, wager by wager from left to right,
    whether its hand lost; empty where that is not known. ``dealt``: from when bets are paid at once if they are.
    ``wagers``: numbers of piles known to be wagers, whoever put them there. ``divided``: which pile was divided at
    which state. ``joined``: piles that were put upon another one of their wager, with that; ``restacked``: parts of a
    divided pile that were put upon it again; ``added``: what came upon a pile so, by its number and the state.
    ``stacked``: payments that hold their wager since it was put upon them, by their number.
    """

    piece: Slice
    places: Places
    chips: Mapping[str, Money]
    settling: int | None
    later: Mapping[str, int] = field(default_factory=dict)
    sooner: Mapping[str, int] = field(default_factory=dict)
    lost: Mapping[str, Sequence[bool]] = field(default_factory=dict)
    dealt: Mapping[str, int] = field(default_factory=dict)
    wagers: frozenset[int] = frozenset()
    elements: list[Element] = field(default_factory=list)
    joined: list[tuple[Element, Element]] = field(default_factory=list)
    added: dict[tuple[int, int], tuple[Mapping[Stack, float], ...]] = field(default_factory=dict)
    divided: set[tuple[int, int]] = field(default_factory=set)
    restacked: list[PileTrack] = field(default_factory=list)
    stacked: dict[int, Stacked] = field(default_factory=dict)
    tracks: Sequence[PileTrack] = ()

    def follow(self, tracks: Sequence[PileTrack]) -> list[Element]:
        """Return the piles of every wager, with what happened to each."""
        first, dealt = self.piece.first, DealingGap.of(tracks, self.piece)
        self.elements += [self._changed_in_the_deal(track) for track in dealt.wagers]
        others = [track for track in tracks if track.spot is not None and track not in (*dealt.wagers, *dealt.beside)]
        self.elements += [self._new(track, stake=True) for track in others if self._stood_at(track, first)]
        self._collected_before_the_deal(tracks)
        later = {change.state for track in tracks for change in _changes(track) if change.state > first}
        self.tracks = tracks
        for state in sorted(later):
            came = [t for t in tracks if t.appeared.state == state and self._element(t) is None]
            self._join(state)
            self.divided.update(lay_anew(self.elements, state, came))
            self._divide(state, came)
            self._push_on(state, came)
            self._appear(state, [track for track in came if not (self._divided_from(track) or self._paid_with(track))])
            self._change(state, tracks)
            self._vanish([t for t in tracks if t.goes_at(state)])
        even_out_payments(self.elements, self.chips)
        reach_past(self.elements, self.piece)
        pay_from_afar(self.elements, tracks, self.piece, self.places)
        for element in self.elements:
            element.take_in_parts(self.chips)
            settling = self._settling(element.spot)
            element.unclear = doubt(element, self.piece, tracks, self.places, settling=settling) or element.unclear
        for other, element in self.joined:
            other.share_the_end_of(element)
        return self.elements

    def _collected_before_the_deal(self, tracks: Sequence[PileTrack]) -> None:
        """A Blazing 7's wager is what the dealer's hand lifts off its spot before the first card."""
        lifted: dict[str, PileTrack] = {}
        for track in tracks:
            gone = track.gone
            if track.spot is None or not track.spot.endswith(IN_RACK) or gone is None:
                continue
            if (gone.by_dealer or self._is_paid_unwatched(track, tracks)) and gone.state <= self.piece.first:
                lifted[track.spot] = track
        for track in lifted.values():
            element = self._new(track, stake=True)
            element.in_rack = True
            element.unclear = unseen_payment(element.spot, self.piece)
            self.elements.append(element)

    def _is_paid_unwatched(self, track: PileTrack, tracks: Sequence[PileTrack]) -> bool:
        """Whether cheques came to its spot in the round, where no hand is ever seen that may have lifted it off."""
        came = (one.appeared.state for one in tracks if one.spot == track.spot)
        return not is_watched(self.piece.states) and any(self.piece.first < n <= self.piece.last for n in came)

    def _new(self, track: PileTrack, *, stake: bool) -> Element:
        spot, first = track.spot or "", self.piece.first
        settling = self._settling(spot)
        return Element(track=track, spot=spot, stake=stake, original=track, since=first, decided=settling)

    def _changed_in_the_deal(self, track: PileTrack) -> Element:
        """A wager as it stood before the deal, of which it is not known whether it was settled in the same moment."""
        gone = track.gone if track.gone is not None and track.gone.state == self.piece.first else None
        return replace(self._new(track, stake=True), since=self.piece.first - 1, unclear=DEALT, collected=gone)

    def _stood_at(self, track: PileTrack, first: int) -> bool:
        """Whether the pile stood, or may have stood unseen, when the first card came.

        One that no look of the round shows, though its place was in sight, is not the one that stood there before; nor
        is one to which the dealer's hand alone came, and only later.
        """
        came = track.appeared.span if track.appeared.by_dealer else track.appeared.seen
        began_before = track.appeared.state <= first or came.first < self.piece.states[first].span.first
        missed = track.lapsed and not any(first <= index <= self.piece.last for index, _ in track.looks)
        return began_before and not missed and (track.gone is None or track.gone.state > first)

    def _element(self, track: PileTrack) -> Element | None:
        return next((element for element in self.elements if element.track is track), None)

    def _divided_from(self, track: PileTrack) -> Element | None:
        return next((element for element in self.elements if track in element.parts), None)

    def _paid_with(self, track: PileTrack) -> Element | None:
        return next((element for element in self.elements if track in element.payments), None)

    def _settling(self, spot: str) -> int | None:
        """Return the state from which a spot's wagers are settled, None if that is not known."""
        return self.sooner.get(spot, self.later.get(spot.partition(".")[2], self.settling))

    def _by_house(self, spot: str, change: Change) -> bool:
        if not change.hands and change.state > self.piece.last + 1:
            return False  # the cards were away before it: nothing is paid then, and players change their bets
        both = change.sides == {"dealer", "player"}
        at_once = both and change.state >= self.dealt.get(spot.partition(".")[2], change.state + 1)
        return change.by_dealer or at_once or (self._decided(spot, change) and not change.by_player)

    def _decided(self, spot: str, change: Change) -> bool:
        """Whether what the wager on a spot is settled by was shown before a change, or with it."""
        settling = self._settling(spot)
        return settling is not None and change.state >= settling

    def _in_play(self, track: PileTrack) -> bool:
        open_ = self.settling is not None and not self._decided(track.spot or "", track.appeared)
        return open_ and is_laid_in_play(track, self.elements, self.piece.states)

    def _join(self, state: int) -> None:
        for element in self.elements:
            gone = [one for one in self.elements if one is not element and one.track.goes_at(state)]
            gone = [one for one in gone if one.spot == element.spot or self._drawn_together(one, element)]
            gone = [one for one in gone if not (self._settled_by_dealer(one) and self._has_lost(one))]
            parts = [part for part in (*element.parts, *element.payments) if part.goes_at(state)]
            some = joined_into(element.track, state, [*(one.track for one in gone), *parts])
            self.joined += [(one, element) for one in gone if one.track in some]
            for one in gone:
                one.upon = element if one.track in some and one.spot != element.spot else one.upon
            self.restacked += [part for part in parts if part in some]
            if some:
                self.added[(element.track.number, state)] = tuple(track.versions()[-1].stacks for track in some)
            self._put_upon_its_payment(element, state)

    def _put_upon_its_payment(self, element: Element, state: int) -> None:
        payment, wager = payment_beneath(element, state), element.track
        if payment is not None:
            along = put_along(element, payment, state, self.elements)
            self.joined += [(one, element) for one in along]
            self.stacked[payment.number] = stacked_upon(payment, wager, state)
            self.added[(payment.number, state)] = tuple(one.track.versions()[-1].stacks for one in (element, *along))
            self.restacked.append(wager)
            element.payments.remove(payment)
            element.track = payment

    def _drawn_together(self, one: Element, other: Element) -> bool:
        """Whether the dealer, settling a seat, put its raise or Draw bet and the bet that it goes with in one pile."""
        both = are_together(one.spot, other.spot) or are_together(other.spot, one.spot)
        return both and self._settled_by_dealer(one)

    def _settled_by_dealer(self, one: Element) -> bool:
        gone = one.track.gone
        return gone is not None and gone.by_dealer and self._decided(one.spot, gone)

    def _divide(self, state: int, came: Sequence[PileTrack]) -> None:
        for element in self.elements:
            some = parts_of(element.track, state, came) or broken_down(element.track, state, came, self.piece.states)
            if some and all(map(_set_by_one, some)):
                element.parts += some
                self.divided.add((element.track.number, state))
                if element.track.goes_at(state):
                    element.track = some[0]

    def _push_on(self, state: int, came: Sequence[PileTrack]) -> None:
        """Follow a payment that the dealer pushed on to the player, out of every bet's zone: it is still paid.

        Farther off than a hand shifts a pile, it is the same where his hand did not come to the rack with the old one.
        """
        for element in self.elements:
            for place, old in enumerate(element.payments):
                if old.gone is not None and old.goes_at(state) and old.gone.by_dealer:
                    racked = "dealer" in change_between(self.piece.states, old.looks[-1][0], state, _RACK).sides
                    within = MOVED_MM if racked else inf
                    pushed = [one for one in came if is_pushed_on(old, one, within_mm=within)]
                    pushed = [one for one in pushed if self._is_for(one, element, state)]
                    nearest = min(pushed, key=lambda one: distance(one.xy_mm, old.xy_mm), default=old)
                    element.payments[place] = nearest

    def _is_for(self, track: PileTrack, element: Element, state: int) -> bool:
        """Whether a pile outside every zone stands beside no wager of another seat, which it would pay."""
        beside = self._paid(track, state)
        return beside is None or _seat(beside) == _seat(element)

    def _appear(self, state: int, tracks: Sequence[PileTrack]) -> None:
        for track in [one for one in nearest_first(tracks, self.elements, state) if not self._put_back(one, state)]:
            if sent_as_one(track, self.tracks, self.elements) or is_of_none(track, self.elements):
                continue
            if self._came_settled(track, state):
                self.elements.append(
                    replace(self._new(track, stake=False), unclear=f"{BOTH_SIDES} over it when it came")
                )
                continue
            move = MoneyMove(before=(), after=(track.versions()[0].stacks,), change=track.appeared)
            target, known = self._paid(track, state), track.number in self.wagers
            known = known or is_later_bet(track, target, self.settling) or self._in_play(track)
            if not known and target is not None and self._by_house(target.spot, track.appeared):
                self._pay(track, target, move, state)
            elif (known or not track.appeared.by_dealer) and track.spot is not None and state <= self.piece.last:
                self.elements.append(self._new(track, stake=False))

    def _came_settled(self, track: PileTrack, state: int) -> bool:
        """Whether a pile on a bare spot may be a bet with its payment: hands of both sides came, and it was decided."""
        bare = all(element.spot != track.spot for element in self.elements)
        spot, both = track.spot or "", bare and track.appeared.sides == {"dealer", "player"}
        of_seat = both and spot.startswith("seat")  # no zone that seats share
        return of_seat and state <= self.piece.last + 1 and self._decided(spot, track.appeared)

    def _put_back(self, track: PileTrack, state: int) -> bool:
        """A wager that the dealer took by mistake and put back stands as if nothing had happened."""
        new = best_amount(pile_amounts(track.versions()[0].stacks, self.chips))
        for element in self.elements:
            old = best_amount(pile_amounts(element.track.versions()[-1].stacks, self.chips))
            here = element.spot == track.spot and distance(element.track.xy_mm, track.xy_mm) <= _PUT_BACK_MM
            alike = here and new is not None and new == old and track.appeared.by_dealer
            taken = element.taken.change if alike and element.taken is not None else None
            may_be = taken is not None and may_be_put_back(taken, state, self.piece.states)
            if may_be and not self._pays_another(track, element, state):
                element.track, element.taken = track, None
                return True
        return False

    def _pays_another(self, track: PileTrack, taken: Element, state: int) -> bool:
        """Whether a pile like a wager that was taken pays another one, which still stands beside it on its spot.

        So it does where the hand of the taken one broke before the dealer settled, or lost: nobody gives a lost wager
        back. And so it does where it came to lie elsewhere.
        """
        others = [one for one in self.elements if one.spot == track.spot and one.track.stands_in(state)]
        if others and self._has_lost(taken):
            return True
        if not any(one.apart(track, state) <= PAYS_WITHIN_MM for one in others) or taken.taken is None:
            return False
        broke = self._decided(taken.spot, track.appeared) and not self._decided(taken.spot, taken.taken.change)
        return broke or distance(taken.track.xy_mm, track.xy_mm) > SAME_PLACE_MM

    def _has_lost(self, wager: Element) -> bool:
        own = [element for element in self.elements if element.spot == wager.spot]
        lost = self.lost.get(wager.spot, ())  # none of a line for all seats
        if len(own) != len(lost):
            return False
        own.sort(key=lambda element: self.places.along(_seat(wager), element.track.xy_mm)[0])
        return lost[own.index(wager)]

    def _pay(self, track: PileTrack, target: Element, move: MoneyMove, state: int) -> None:
        gone = target.track.gone
        if gone is not None and gone.state == state:  # the house lifted the pile and set another in its place
            old = (target.track.versions()[-1].stacks,)
            target.pays.append(MoneyMove(before=old, after=move.after, change=move.change))
            target.track = track
            return
        target.pays.append(move)
        target.payments.append(track)

    def _paid(self, track: PileTrack, state: int) -> Element | None:
        """Return the pile that a new one beside it pays: in the same zone if there is one, else the nearest.

        A payment of many piles reaches farther than its first; the last may stand beside the zone. In the zone of its
        wager a payment may stand as far off as the zone is wide.
        """
        standing = [element for element in self.elements if element.track.stands_in(state)]
        standing += [element for element in self.elements if element.in_rack and element.spot == track.spot]
        here = reached_for(track, standing, self.piece, self.places)
        here = here or [element for element in standing if element.spot == track.spot]
        near = [(element.apart(track, state), element) for element in here or standing]
        beside = [(element.apart_from_payments(track, state), element) for element in here or standing]
        for apart in (near, beside):
            least, nearest = min(apart, key=lambda one: one[0], default=(PAYS_WITHIN_MM + 1.0, None))
            if least <= PAYS_WITHIN_MM or (apart is near and here and self._may_be_far_off(track)):
                return nearest
        lifted = [element for element in self.elements if element.spot == track.spot and element.track.goes_at(state)]
        return lifted[0] if lifted and track.appeared.by_dealer else None

    def _may_be_far_off(self, track: PileTrack) -> bool:
        """Whether what the dealer sets in a wager's zone is for it however far off: no zone that seats share."""
        return track.appeared.by_dealer and track.spot is not None and track.spot.startswith("seat")

    def _change(self, state: int, tracks: Sequence[PileTrack]) -> None:
        for track in tracks:
            for old, new in zip(track.versions(), track.versions()[1:], strict=False):
                if new.change.state == state and (track.number, state) not in self.divided:
                    self._changed(track, old, new)

    def _changed(self, track: PileTrack, old: PileVersion, new: PileVersion) -> None:
        element = self._element(track) or self._paid_with(track)
        if element is None:
            self._sized_in(track, old, new)
            return
        others = self.added.get((track.number, new.change.state), ())
        move = MoneyMove(before=(old.stacks, *others), after=(new.stacks,), change=new.change)
        if others and best_amount(move.net(self.chips)) == 0:
            return
        anew = perhaps_laid_anew(new.change, self.piece.last) and not element.pays
        if anew or (new.change.sides == {"dealer", "player"} and exchanged(old, new)):
            element.unclear = f"{BOTH_SIDES} over it when it changed"
            return
        if self._by_house(element.spot, new.change):
            element.pays.append(move)
        else:
            before = best_amount(total_amounts(move.before, self.chips))
            after = best_amount(pile_amounts(new.stacks, self.chips))
            done = bool(element.pays) or new.change.state > self.piece.last
            if before is None or after is None or done:
                return
            if after == before:
                element.altered += [move] if self._open(element, new.change) and new.change.by_player else []
            elif after > before:
                element.raised.append(move)
            elif self._open(element, new.change) or new.change.by_player:
                element.lowered.append(move)

    def _sized_in(self, track: PileTrack, old: PileVersion, new: PileVersion) -> None:
        """A wager broken down by colour is paid colour by colour, on each of its piles or beside it (004:L740)."""
        element = self._divided_from(track)
        if element is None or not self._by_house(element.spot, new.change):
            return
        move = MoneyMove(before=(old.stacks,), after=(new.stacks,), change=new.change)
        more = best_amount(move.net(self.chips))
        if more is not None and more > 0:
            element.pays.append(move)

    def _open(self, element: Element, change: Change) -> bool:
        """Whether the wager was still to be settled, so that a player may not touch it."""
        return not element.pays and not self._decided(element.spot, change) and change.state <= self.piece.last

    def _vanish(self, tracks: Sequence[PileTrack]) -> None:
        joined = [*(one.track for one, _ in self.joined), *self.restacked]
        for track in sorted(tracks, key=lambda one: self._element(one) is None):
            if track in joined or (change := track.gone) is None:
                continue
            element = self._element(track)
            target, whole = self._paid_with(track), self._divided_from(track)
            if element is not None:
                self._lifted(element, change)
            elif whole is not None and change.by_dealer and whole.taken is None:
                whole.unclear = whole.unclear or ("" if whole.was_sent(change.state) else PART)
            elif target is not None and self._went_along(target, change):
                continue
            elif target is not None and change.by_dealer and not self._both_were_gone(target, change):
                target.pays.append(MoneyMove(before=(track.versions()[-1].stacks,), after=(), change=change))
            elif target is not None:
                self._collected(target, change)

    def _went_along(self, element: Element, change: Change) -> bool:
        """Whether what was paid on a wager went with it to the player, or where nobody saw."""
        gone = not element.track.stands_in(change.state)
        return gone and (element.unclear in (NOT_RACKED, TO_THE_RACK) or self._handed_over(element, change))

    def _both_were_gone(self, element: Element, change: Change) -> bool:
        """Whether a wager and what was paid on it were missing before the hands came that were seen there."""
        wager = element.track.gone
        return change.before_hands and wager is not None and wager.before_hands and wager.state == change.state

    def _collected(self, element: Element, change: Change) -> None:
        """A player collected what was paid: more may have been paid before, in the rack or on a bet broken down."""
        if (
            (element.in_rack or element.parts)
            and change.sides == {"dealer", "player"}
            and not collected_first(element, change)
        ):
            element.unclear = f"{BOTH_SIDES} over its payment when it went"

    def _lifted(self, element: Element, change: Change) -> None:
        move = MoneyMove(before=(element.track.versions()[-1].stacks,), after=(), change=change)
        came = came_before_him(element, change, self.tracks, self.places)
        if change.sudden or (change.before_hands and element.pays):
            element.unclear = SUDDEN if change.sudden else MISSING
            element.collected = change
        elif sent := paid_and_sent(element, change, came, self.elements, self.piece.states):
            element.pays, element.collected = [sent], change
        elif self._handed_over(element, change):
            element.collected = change
        elif why := whereto_unseen(element, change, self.piece.states, self.elements):
            element.unclear, element.collected = why, change
        elif change.by_dealer and (paid := converted(element, change, self.chips)) is not None:
            old = element.pays.pop()
            element.pays.append(MoneyMove(before=move.before, after=old.after, change=old.change))
            element.track = paid
        elif change.by_dealer or self._after_a_signal(element, change):
            self._taken(element, move)
        elif change.by_player or collected_first(element, change):
            if self._open(element, change) and not passed_over(element, change, self.elements, self.piece.states):
                element.unclear = unseen_payment(element.spot, self.piece)
                element.lowered += [] if element.unclear else [move]
            element.collected = change
        else:
            element.unclear, element.collected = went_unseen(element, change), change

    def _taken(self, element: Element, move: MoneyMove) -> None:
        if (both := self.stacked.get(element.track.number)) is not None:
            element.pays.append(replace(move, before=(both.payment,)))
        element.taken = move if both is None else replace(move, before=(both.wager,))
        element.in_rack = element.spot.endswith(IN_RACK) and not element.pays  # collected late: still in play

    def _handed_over(self, element: Element, change: Change) -> bool:
        """Whether the dealer handed a wager to the player, as a rule a paid one."""
        if handed_back(element, change, self.tracks, self.elements, self.places):
            return True
        if pushed_over(element, change, self.piece.states, self.elements):
            return True
        if change.by_dealer and stacked_up(element):
            return True
        return sent_with_its_payment(element, change, self.tracks, self.piece.states)

    def _after_a_signal(self, element: Element, change: Change) -> bool:
        """Whether a player's hand only signalled, before the dealer's came and took the wager of a hand that broke.

        A player's hand over his bet between two dealer actions counts as a signal; the dealer's was the last there.
        Nobody signals while a bet waits for another card, nor over one that was paid already: he collects it.
        """
        waits = element.spot.partition(".")[2] in self.later
        players, dealers = hand_spans(change)
        if waits or element.pays or self._decided(element.spot, change) or not players or not dealers:
            return False
        return max(span.last for span in players) < min(span.first for span in dealers)


def _set_by_one(track: PileTrack) -> bool:
    """Whether one side alone set a pile there, or the dealer, after a player who may have asked him to."""
    players, dealers = hand_spans(track.appeared)
    return not players or not dealers or max(one.last for one in players) < max(one.last for one in dealers)


def _seat(element: Element) -> str:
    return element.spot.partition(".")[0]


def _changes(track: PileTrack) -> list[Change]:
    gone = [] if track.gone is None else [track.gone]
    return [*(version.change for version in track.versions()), *gone]
