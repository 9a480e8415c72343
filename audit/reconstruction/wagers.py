"""From piles to wagers: which pile is whose main, split, double, insurance or side wager."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cmp_to_key
from typing import Final

from audit.money import Money
from audit.reconstruction.amounts import Amounts, best_amount, total_amounts
from audit.reconstruction.changes import is_unattended, last_of
from audit.reconstruction.doubts import PART, SINCE_PAID
from audit.reconstruction.elements import Element
from audit.reconstruction.endings import ending, shown_after_dealer
from audit.reconstruction.observation import Ending, MoneyMove, SeatSeen, SeenCard, SeenWager
from audit.reconstruction.places import Places
from audit.reconstruction.slices import Slice
from audit.rounds import BetKey

_DOUBLED: Final = 3


@dataclass(frozen=True, kw_only=True)
class Namer:
    """Gives the piles of a seat their names as wagers."""

    piece: Slice
    places: Places
    chips: Mapping[str, Money]

    def on_main(self, seat: int, elements: Sequence[Element], seen: SeatSeen | None) -> Iterator[SeenWager]:
        """Yield the main, split and double wagers of a seat, in the order of its hands."""
        stake = [element for element in elements if element.stake]
        tokes = self.tokes(seat, stake)
        stake = [element for element in stake if element not in tokes]
        late = self._late(elements, seen)
        extras = sorted((e for e in elements if not e.stake and e not in late), key=self._right)
        hands = seen.hands if seen is not None else ()
        if len(hands) > 1:
            yield from self._split(seat, stake, extras, hands)
        elif stake:
            main = self.wager(BetKey(seat=seat, bet="main", hand=1), stake)
            main = replace(main, pays=_by_time([*main.pays, *(move for element in late for move in element.pays)]))
            double = self._on_top(main, hands[0] if hands and not extras else ())
            if double is not None:
                raised = tuple(move for move in main.raised if move.change is not double.placed)
                yield replace(main, raised=raised, unseen_stake={})
                yield double
            else:
                yield main
        if len(hands) == 1 and extras:
            yield self.wager(BetKey(seat=seat, bet="double", hand=1), extras)
        if tokes:
            yield self.wager(BetKey(seat=seat, bet="toke"), tokes)

    def tokes(self, seat: int, stake: Sequence[Element]) -> list[Element]:
        """Return the piles beside a bet, at a table without places for tokes, that the dealer took down with their pay.

        Both a winning toke and its payment come down (004:L995), while the bet stays and is collected.
        """
        if self.places.profile.zone(f"seat{seat}.toke") is not None:
            return []
        down = [element for element in stake if element.taken is not None and _paid_and_taken(element)]
        return down if any(element.taken is None and element.pays for element in stake) else []

    def late_on_main(self, seat: int, elements: Sequence[Element], seen: SeatSeen | None) -> Iterator[SeenWager]:
        """Yield what was put on the main spot after the first card and is neither double nor split."""
        late = self._late(elements, seen)
        if late:
            yield self.wager(BetKey(seat=seat, bet="main", hand=1), late)

    def _late(self, elements: Sequence[Element], seen: SeatSeen | None) -> list[Element]:
        """Return the piles added after the first card that are neither a double nor a split wager.

        Where the third card lies sideways and no pile came before it, the first one after it is its double.
        """
        stake = [element for element in elements if element.stake]
        added = [element for element in elements if not element.stake]
        late = [element for element in added if not stake or self._is_late(element, seen)]
        doubled = seen is not None and len(seen.hands) == 1 and is_doubled(seen.hands[0])
        if doubled and stake and late == added and not any(element.raised for element in stake):
            return late[1:]
        return late

    def _is_late(self, element: Element, seen: SeatSeen | None) -> bool:
        """Whether an added pile can be neither a double nor a split wager."""
        if seen is None or not seen.hands:
            return True
        if len(seen.hands) > 1:
            return element.decided is not None and element.placed.state > element.decided
        hand = seen.hands[0]
        second_there = len(hand) > 1 and not element.placed.span.certainly_before(hand[1].appeared.seen)
        before_third = len(hand) >= _DOUBLED and not element.placed.span.certainly_after(hand[2].appeared.seen)
        return not (second_there and before_third)

    def _split(
        self, seat: int, stake: Sequence[Element], extras: Sequence[Element], hands: Sequence[Sequence[SeenCard]]
    ) -> Iterator[SeenWager]:
        """The wagers of split hands stand from left to right in the order of hands, a double right of its bet."""
        doubled = {number for number, hand in enumerate(hands, start=1) if is_doubled(hand)}
        order = cmp_to_key(self._right_of)
        own = [[element] for element in stake] if self._parted_unseen(stake, hands) else [[*stake]]
        groups = sorted([*own, *([element] for element in extras)], key=lambda group: order(group[0]))
        if len(groups) == len(hands):
            doubled = set()
        upright = {n for n, hand in enumerate(hands, start=1) if len(hand) == _DOUBLED} - doubled
        with_more = {n for n, hand in enumerate(hands, start=1) if len(hand) > _DOUBLED and hand[2].sideways is True}
        for perhaps in (with_more, upright):
            if len(groups) == len(hands) + len(doubled) + len(perhaps):
                doubled |= perhaps
        for number in _with_wagers(hands, groups):
            if not groups:
                return
            bet = "main" if number == 1 else "split"
            yield self.wager(BetKey(seat=seat, bet=bet, hand=number), groups.pop(0))
            if number in doubled and groups:
                yield self.wager(BetKey(seat=seat, bet="double", hand=number), groups.pop(0))

    def _parted_unseen(self, stake: Sequence[Element], hands: Sequence[Sequence[SeenCard]]) -> bool:
        """Whether the round's first look shows a split, and piles that came since the look before are its wagers."""
        first = self.piece.first
        unseen = not self.piece.begun_unseen and all(hand[0].appeared.state == first for hand in hands)
        return unseen and sum(element.placed.state == first for element in stake) >= len(hands) - 1

    def _right_of(self, one: Element, other: Element) -> int:
        """Return how far one pile stood to the right of another (mm), when both did last before they were settled.

        Once they are, a player may move his for the next round. A pile that came when the other was gone is of a hand
        to its right: the hands of a split are played from the left (004:L823).
        """
        tracks = (one.track, other.track)
        ends = [track.gone.state - 1 for track in tracks if track.gone is not None]
        until = min([*ends, *(end for end in (one.decided, other.decided) if end is not None)], default=None)
        came = [element.original.looks[0][0] for element in (one, other)]
        if until is not None and max(came) > until:
            return came[0] - came[1]
        return round(self._at(one, until) - self._at(other, until))

    def _right(self, element: Element) -> float:
        """Where a pile stood when the hands were settled: a player may move it aside then, for the next round."""
        return self._at(element, element.decided)

    def _at(self, element: Element, state: int | None) -> float:
        point = element.track.xy_mm if state is None else element.track.xy_at(state)
        return self.places.along(element.spot.partition(".")[0], point)[0]

    def _on_top(self, main: SeenWager, hand: Sequence[SeenCard]) -> SeenWager | None:
        """A double that was stacked on its bet: the bet grew between the second card and a third one laid sideways."""
        if not is_doubled(hand):
            return None
        third = hand[2].appeared.seen
        for move in main.raised:
            if not move.change.span.certainly_after(third) and not move.change.span.certainly_before(
                hand[1].appeared.seen
            ):
                key = replace(main.key, bet="double")
                return replace(
                    main,
                    key=key,
                    stake=move.net(self.chips),
                    piles=(),
                    placed=move.change,
                    raised=(),
                    lowered=(),
                    pays=(),
                    on_top=True,
                    unseen_stake={},
                )
        return None

    def wager(self, key: BetKey, elements: Sequence[Element]) -> SeenWager:
        """Return the wager that these piles make together."""
        ends = [ending(element, self.piece, self.places) for element in elements]
        kinds = {kind for kind, _ in ends}
        why = next((reason for _, reason in ends if reason), "")
        if len(kinds) > 1 and not why:
            why = PART
        return SeenWager(
            key=key,
            spot=elements[0].spot,
            stake=total_amounts((element.stacks for element in elements), self.chips),
            piles=tuple(element.stacks for element in elements),
            placed=elements[0].placed,
            xy_mm=elements[0].track.xy_mm,
            pays=_by_time([move for element in elements for move in element.pays]),
            taken=_together([element.taken for element in elements if element.taken is not None]),
            collected=last_of([element.collected for element in elements]),
            ending=kinds.pop() if len(kinds) == 1 and why in ("", *SINCE_PAID) else Ending.UNKNOWN,
            why_unknown=why,
            shown_after=shown_after_dealer(elements[0], self.piece, self.places),
            raised=tuple(move for element in elements for move in element.raised),
            lowered=tuple(move for element in elements for move in element.lowered),
            altered=tuple(move for element in elements for move in element.altered),
            reconsidered=tuple(move for element in elements for move in element.reconsidered),
            in_rack=any(element.in_rack for element in elements),
            cut=sum(element.piles for element in elements),
            unseen_stake=self._unseen_stake(elements),
        )

    def _unseen_stake(self, elements: Sequence[Element]) -> Amounts:
        """Return what a wager was worth after a change that may have come before the first card or after it.

        Or that may have been none: no hand was near, though hands are seen, and one of the two readings is wrong.
        """
        first = self.piece.states[self.piece.first].span.first
        piles, unseen = [element.stacks for element in elements], False
        for place, element in enumerate(elements):
            moves = [move for move in (*element.raised, *element.lowered) if move.after and element.stake]
            for move in moves:
                if move.change.seen.first < first or is_unattended(move.change, self.piece.states):
                    piles[place], unseen = move.after[0], True
        return total_amounts(piles, self.chips) if unseen else {}


def _with_wagers(hands: Sequence[Sequence[SeenCard]], groups: Sequence[Sequence[Element]]) -> list[int]:
    """Return the numbers of the split hands to which wagers are given, from left to right.

    Where there are fewer wagers than hands, those are left out whose cards went while every wager stood: theirs was
    taken before, unseen.
    """
    tracks = [element.track for group in groups for element in group]
    went = [min((card.gone.state for card in hand if card.gone is not None), default=None) for hand in hands]
    stay = [
        number
        for number, state in enumerate(went, start=1)
        if state is None or not all(track.stands_in(state) for track in tracks)
    ]
    return stay if len(stay) == len(groups) < len(hands) else list(range(1, len(hands) + 1))


def _paid_and_taken(element: Element) -> bool:
    """Whether a pile was paid, and the dealer took the payment again."""
    paid = any(move.after and not move.before for move in element.pays)
    return paid and any(move.before and not move.after and move.change.by_dealer for move in element.pays)


def is_doubled(hand: Sequence[SeenCard]) -> bool:
    """Return whether the third card of a hand lies sideways, as a double's card does."""
    return len(hand) == _DOUBLED and hand[2].sideways is True


def _by_time(moves: Sequence[MoneyMove]) -> tuple[MoneyMove, ...]:
    return tuple(sorted(moves, key=lambda move: move.change.state))


def _together(moves: Sequence[MoneyMove]) -> MoneyMove | None:
    if not moves:
        return None
    return MoneyMove(before=tuple(pile for move in moves for pile in move.before), after=(), change=moves[-1].change)


def shared_pays(bet: SeenWager, double: SeenWager, chips: Mapping[str, Money]) -> tuple[SeenWager, SeenWager]:
    """Return a bet and its double, with a pile that pays both divided between them."""
    stakes = (best_amount(bet.stake), best_amount(double.stake))
    if None in stakes or bool(bet.pays) == bool(double.pays):
        return bet, double
    move = (bet.pays or double.pays)[0]
    if len(bet.pays or double.pays) > 1 or best_amount(move.net(chips)) != stakes[0] + stakes[1]:  # type: ignore[operator]
        return bet, double
    return (
        replace(bet, pays=(replace(move, part=stakes[0]),)),
        replace(double, pays=(replace(move, part=stakes[1]),)),
    )
