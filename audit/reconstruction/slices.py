"""Cutting the stream of table states into rounds: from the first card on the felt until the last has left it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from audit.reconstruction.clearing import Clearing, lies_as
from audit.reconstruction.dealt_again import goes_on, is_dealt_again, picked_up_and_dealt
from audit.reconstruction.evidence import card_chances, may_be_same
from audit.reconstruction.offered import TO_CUT
from audit.reconstruction.places import DEALER, Places, distance, lies_there
from audit.states import CARD_KINDS, SeenObject, TableState

_SPREAD_CARDS: Final = 45  # so many cards on the felt are a set of cards spread out, not a round
_BACKS: Final = 16  # so are so many backs, as they are washed: seven hands and the dealer's have fewer
_ROW_CARDS: Final = 8  # so are so many backs in a row
_SUIT: Final = 13  # or so many cards, their faces up or not: no hand has as many
_ROW_MM: Final = 30.0  # of which each lies so near the next
_FIRST_CARDS: Final = 2
_CLEARED_MS: Final = 1_500  # seats that are bare for so long, while only the dealer's cards may be hidden, were cleared


@dataclass(frozen=True, kw_only=True)
class Slice:
    """The states of one round, with the card-free states before and after it.

    ``first`` and ``last`` are the indices of the first and the last state that shows a card; states before ``first``
    show the wagers being placed, states after ``last`` what was left on the felt until the next round. ``left_over``:
    its cards that still lay there when the next round was dealt.
    """

    states: tuple[TableState, ...]
    first: int
    last: int
    missing: tuple[str, ...] = ()
    left_over: tuple[SeenObject, ...] = ()

    @property
    def begun_unseen(self) -> bool:
        """Whether no card-free state precedes the round: what stood there at its first card is not known."""
        return self.first == 0 or self.states[self.first - 1].view != "ok"

    @property
    def ended_unseen(self) -> bool:
        """Whether no card-free state follows the round, though no other round has begun."""
        return self.last == len(self.states) - 1 and not self.left_over


def cards_in_play(state: TableState, places: Places) -> tuple[SeenObject, ...]:
    """Return the cards that lie in a zone for cards; none where so many lie on the felt that they are a spread."""
    if is_spread(state):
        return ()
    cards = (item for item in state.objects if item.kind in CARD_KINDS and TO_CUT not in item.extra)
    return tuple(item for item in cards if places.owner(item.xy_mm) is not None)


def is_spread(state: TableState) -> bool:
    """Return whether a set of cards lies spread out on the felt."""
    kinds = Counter(item.kind for item in state.objects)
    if sum(kinds[kind] for kind in CARD_KINDS) >= _SPREAD_CARDS or kinds["card_back"] >= _BACKS:
        return True
    return _has_row(state, ("card_back",), _ROW_CARDS) or _has_row(state, CARD_KINDS, _SUIT)


def _has_row(state: TableState, kinds: Collection[str], least: int) -> bool:
    """Return whether so many cards of some kinds lie in a row, each near the next."""
    left = [item.xy_mm for item in state.objects if item.kind in kinds]
    while len(left) >= least:
        row, rest = [left[0]], left[1:]
        while near := [at for at in rest if any(distance(at, other) <= _ROW_MM for other in row)]:
            row, rest = row + near, [at for at in rest if at not in near]
        if len(row) >= least:
            return True
        left = rest
    return False


def _discards(state: TableState) -> list[SeenObject]:
    return [item for item in state.objects if item.kind == "discards"]


def _out_of_the_tray(state: TableState) -> bool:
    """Whether the dealer's hand was at the discard rack, and at the shoe no more, before a state."""
    hands = [hand for hand in state.hands if hand.side == "dealer"]
    at_the_tray = any("discard" in hand.zones for hand in hands)
    return at_the_tray and not any("shoe" in hand.zones for hand in hands)


def _is_shuffle(state: TableState, cards: Sequence[SeenObject], places: Places, *, anywhere: bool) -> bool:
    """Whether what lies before the dealer is the stack that he shuffles: backs alone, and the discards are gone.

    ``anywhere``: the cards were seen to come out of the discard rack, so they are the stack wherever they lie.
    """
    backs = all(item.kind == "card_back" and (anywhere or places.owner(item.xy_mm) == DEALER) for item in cards)
    return backs and not _discards(state) and "discard" not in state.covered


def slices(states: Iterable[TableState], places: Places) -> Iterator[Slice]:
    """Yield the rounds of a stream of states, each as soon as the next one begins."""
    gathered: list[TableState] = []
    marks, old, has_tray, taken_out = _Marks(), _OldCards(), False, False
    for seen in states:
        state = old.without(seen)
        has_tray = has_tray or bool(_discards(state))
        cards = cards_in_play(state, places) if state.view == "ok" else ()
        lie = any(item.kind in CARD_KINDS for item in state.objects)
        taken_out = lie and not _discards(state) and (taken_out or _out_of_the_tray(state))
        between = has_tray and (marks.first is None or marks.ended)
        if between and _is_shuffle(state, cards, places, anywhere=taken_out):
            state, cards = _OldCards(cards).without(state), ()
        another = marks.is_another_round(state, cards, places)
        left = None if another else marks.clearing.dealt_anew(state, cards, places)
        if left is not None:
            yield _slice(gathered, marks, len(gathered) - 1, left_over=left)
            since, old = marks.clearing.since, _OldCards(left)
            lay = _OldCards(tuple(card for cards in marks.clearing.lying.values() for card in cards))
            gathered, marks = [lay.without(one) for one in gathered if one.span.first >= since], _Marks()
            state = old.without(state)
            cards = cards_in_play(state, places)
        over = another or (marks.last is not None and marks.ends_with(state, cards, places))
        if over and cards:
            yield _slice(gathered, marks, marks.last_idle)
            gathered, marks = _carried(gathered, marks), _Marks()
        gathered.append(state)
        marks.note(len(gathered) - 1, state, cards, places)
    if marks.last is not None:
        yield _slice(gathered, marks, len(gathered) - 1)


@dataclass
class _Marks:
    """Where the round in the making begins and ends among the gathered states."""

    first: int | None = None
    last: int | None = None
    cards: tuple[SeenObject, ...] = ()
    ended: bool = False
    last_idle: int = -1
    lost: int | None = None
    clearing: Clearing = field(default_factory=Clearing)
    players_had: bool = False
    dealer_had: bool = False
    dice_shown: bool = False
    bare_since: int | None = None
    cleared: bool = False
    seats_unseen: bool = False
    hands_seen: bool = False
    touched: set[str] = field(default_factory=set)
    swept: bool = False
    unconfirmed: tuple[SeenObject, ...] = ()  # cards that were hidden whenever the view was not lost

    def note(self, index: int, state: TableState, cards: tuple[SeenObject, ...], places: Places) -> None:
        if state.view != "ok":
            self.lost = index
            return
        self.hands_seen = self.hands_seen or bool(state.hands)
        self.touched = set() if cards else self.touched | _touched(state)
        if cards:
            hidden = tuple(
                item
                for item in self.cards
                if places.hidden(state, item.xy_mm) and not any(lies_as(item, one) for one in cards)
            )
            since = hidden if self._unseen else self.unconfirmed
            self.unconfirmed = tuple(one for one in since if any(one is other for other in hidden))
            self.first = index if self.first is None else self.first
            self.players_had = self.players_had or any(places.owner(item.xy_mm) != DEALER for item in cards)
            self.dealer_had = self.dealer_had or any(places.owner(item.xy_mm) == DEALER for item in cards)
            self.last, self.cards = index, (*cards, *hidden)
        self.dice_shown = self.dice_shown or (self.first is not None and _dice_lie_open(state))
        self.last_idle = index

    def ends_with(self, state: TableState, cards: tuple[SeenObject, ...], places: Places) -> bool:
        """Return whether this state belongs to a time after the round."""
        if state.view != "ok":
            return False
        if not cards:
            hidden = [item for item in self.cards if places.hidden(state, item.xy_mm)]
            self.ended = self.ended or not hidden
            self._note_bare(state, hidden, places)
            return False
        cleared, self.cleared, self.swept, self.bare_since = self.cleared, False, False, None
        self.ended = self.ended and not self._only_missed(cards, places)
        self.ended = self.ended or (cleared and self._deals_anew(cards, places))
        if self.ended or not (_goes_on(self.cards, cards, state, places) or self._were_missed(state, places)):
            return True
        if not self._unseen:
            return _has_another(self.unconfirmed, cards, state, places)
        return self._plays_again(cards, places) or not _stayed(self.cards, cards, state, places)

    @property
    def _unseen(self) -> bool:
        """Whether the view was lost since the last look that showed a card."""
        return self.lost is not None and self.last is not None and self.lost > self.last

    def _plays_again(self, cards: Sequence[SeenObject], places: Places) -> bool:
        """Whether a player has a card again though the dealer's alone lay there before the view was lost."""
        had = any(places.owner(card.xy_mm) != DEALER for card in self.cards)
        return self.players_had and not had and any(places.owner(card.xy_mm) != DEALER for card in cards)

    def is_another_round(self, state: TableState, cards: Sequence[SeenObject], places: Places) -> bool:
        """Return whether the last look showed another round, though some of its cards may lie there still."""
        watched = any(card.since_ms is not None for card in cards)
        if self.last is None or self.last != self.last_idle or state.view != "ok" or watched:
            return False
        dealt = picked_up_and_dealt(state.hands)
        if not self._unseen and not dealt:
            return False
        if dealt and self.dice_shown and "dice" not in state.covered and not _dice_lie_open(state):
            return True  # no card is dealt any more once the dice lie open, so that these are another round's
        if not self._unseen and goes_on(self.cards, cards, state, places):
            return False  # a hand that was split broke: its cards are away, others of the seat lie there
        return is_dealt_again(self.cards, cards, state, places)

    def _only_missed(self, cards: Sequence[SeenObject], places: Places) -> bool:
        """Whether a card lies where it lay, and no hand was there while it was away: nobody lifted it.

        Where more others lie in the places of those that lay there, two rounds have that card alike.
        """
        if self._unseen or not self.hands_seen:
            return False
        untouched = [old for old in self.cards if self.touched.isdisjoint(places.zones(old.xy_mm))]
        again = [old for old in untouched if any(lies_as(old, card) for card in cards)]
        faces = [card for card in cards if card.kind == "card"]
        others = [old for old in untouched if old not in again and any(lies_there(old, card) for card in faces)]
        return len(again) > len(others)

    def _were_missed(self, state: TableState, places: Places) -> bool:
        """Whether one look, at which others came, missed the first cards of a deal: no hand was over them."""
        if self._unseen or not state.hands or len(self.cards) > _FIRST_CARDS:
            return False
        touched = _touched(state)
        return all(touched.isdisjoint(places.zones(old.xy_mm)) for old in self.cards)

    def _note_bare(self, state: TableState, hidden: Sequence[SeenObject], places: Places) -> None:
        """Take in a state without a card in sight: how long all seats have been bare, whatever hides the dealer's.

        Or, where a seat is hidden, how long the dealer's cards have been gone, or the dice covered again: nobody keeps
        his any longer.
        """
        owners = {places.owner(item.xy_mm) for item in hidden}
        put_away = self.dice_shown and "dice" not in state.covered and not _dice_lie_open(state)
        self.seats_unseen = bool(owners - {DEALER}) and DEALER not in owners and (self.dealer_had or put_away)
        if not self.players_had or (owners - {DEALER} and not self.seats_unseen):
            self.bare_since = None
            return
        self.bare_since = state.span.first if self.bare_since is None else self.bare_since
        self.swept = self.swept or self._unseen or _out_of_play(state)
        self.cleared = self.cleared or self.swept or state.span.last - self.bare_since >= _CLEARED_MS

    def _deals_anew(self, cards: Sequence[SeenObject], places: Places) -> bool:
        """Whether a player, or where seats are hidden anyone, has a card again, and the dealer none of those he had."""
        dealers = [item for item in self.cards if places.owner(item.xy_mm) == DEALER]
        left = any(lies_as(old, card) for old in dealers for card in cards)
        return not left and (self.seats_unseen or any(places.owner(card.xy_mm) != DEALER for card in cards))


def _out_of_play(state: TableState) -> bool:
    """Whether the dealer's hand was at the discard rack before a state."""
    return any(hand.side == "dealer" and "discard" in hand.zones for hand in state.hands)


def _has_another(hidden: Sequence[SeenObject], now: Sequence[SeenObject], state: TableState, places: Places) -> bool:
    """Return whether the dealer's place is in sight again, and shows cards but none of those he had."""
    own = [item for item in hidden if item.kind == "card" and places.owner(item.xy_mm) == DEALER]
    his = [item for item in now if places.owner(item.xy_mm) == DEALER]
    if not own or not his or any(places.hidden(state, item.xy_mm) for item in own):
        return False
    return not any(
        one.kind == "card" and may_be_same(card_chances(one), card_chances(old)) for one in his for old in own
    )


def _dice_lie_open(state: TableState) -> bool:
    return any(item.kind == "die" for item in state.objects)


def _touched(state: TableState) -> set[str]:
    """Return the zones over which hands were seen since the state before."""
    return {zone for hand in state.hands for zone in hand.zones}


def _goes_on(before: Sequence[SeenObject], now: Sequence[SeenObject], state: TableState, places: Places) -> bool:
    """Return whether any card of before may still lie there."""
    if any(places.hidden(state, item.xy_mm) for item in before):
        return True
    return any(_may_be(one, other, places) for one in before for other in now)


def _stayed(before: Sequence[SeenObject], now: Sequence[SeenObject], state: TableState, places: Places) -> bool:
    """Return whether the cards after the view was lost are those of before.

    The dealer's shown cards lie where they lay, or elsewhere before him, most of the players' being in their places, as
    when he turns his hole card; or most cards lie where they lay; or all that lie there now, two at least, lay so.
    """
    clear = [item for item in before if not places.hidden(state, item.xy_mm)]
    looks = [item for item in clear if item.kind == "card"] or clear
    dealers = [item for item in looks if item.kind == "card" and places.owner(item.xy_mm) == DEALER]
    there = [item for item in looks if any(_may_be(item, other, places) and _in_place(item, other) for other in now)]
    if not dealers:
        known = [one for one in now if any(_may_be(old, one, places) and _in_place(old, one) for old in clear)]
        return 2 * len(there) >= len(looks) or (len(now) > 1 and len(known) == len(now))
    others = [item for item in looks if places.owner(item.xy_mm) != DEALER]
    stay = [item for item in others if any(item is one for one in there)]
    moved = all(any(item.card == one.card is not None for one in now) for item in dealers)
    return all(any(item is other for other in there) for item in dealers) or (moved and len(stay) * 2 > len(others))


def _in_place(one: SeenObject, other: SeenObject) -> bool:
    """Whether one card may still lie there as the other: no face is turned down again."""
    turned_down = one.kind == "card" and other.kind != "card"
    return not turned_down and lies_there(one, other)


def _may_be(one: SeenObject, other: SeenObject, places: Places) -> bool:
    if places.owner(one.xy_mm) != places.owner(other.xy_mm):
        return False
    if one.kind != other.kind:
        return True
    near = lies_there(one, other)
    same = may_be_same(card_chances(one), card_chances(other))
    return same and (near or (one.card is not None and one.card == other.card))


def _carried(gathered: list[TableState], marks: _Marks) -> list[TableState]:
    """Return the card-free states after a round: they show the wagers of the next one."""
    return gathered[(marks.last or 0) + 1 :] if marks.ended else []


@dataclass(frozen=True)
class _OldCards:
    """Cards of the round before that still lie there: they are none of the new round's."""

    cards: tuple[SeenObject, ...] = ()

    def without(self, state: TableState) -> TableState:
        """Return a state without them."""
        rest = tuple(item for item in state.objects if not any(lies_as(one, item) for one in self.cards))
        return state if len(rest) == len(state.objects) else replace(state, objects=rest)


def _slice(gathered: list[TableState], marks: _Marks, end: int, *, left_over: tuple[SeenObject, ...] = ()) -> Slice:
    first, last = marks.first or 0, marks.last or 0
    states = tuple(gathered[: max(end, last) + 1])
    before = states[:first]
    missing = []
    if not before:
        missing.append("start: the round was already running when the view began")
    elif before[-1].view != "ok":
        missing.append(f"start: view lost ({before[-1].reason or 'no reason given'})")
    missing += [_lost(state) for state in states[first:last] if state.view != "ok"]
    after = states[last + 1 :]
    if left_over:
        pass
    elif not any(state.view == "ok" for state in after):
        missing.append("end: the view ended before the last card had left")
    elif after[0].view != "ok":
        missing.append(f"end: {_lost(after[0])}")
    return Slice(states=states, first=first, last=last, missing=tuple(missing), left_over=left_over)


def _lost(state: TableState) -> str:
    return f"view lost ({state.reason or 'no reason given'}) from {state.span.first} to {state.span.last} ms"
