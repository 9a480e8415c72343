"""Which boxes are dealt in: a card to each with a wager, and none to those without."""

from __future__ import annotations

from collections.abc import Iterator, Set
from itertools import pairwise
from typing import Final

from audit.procedures.drafts import ALL_GAMES, Audited, Case, Draft, found
from audit.procedures.moments import shows_cheques, surely_dealt, surely_placed, things
from audit.readings import CERTAIN, UNKNOWN
from audit.states import HandSeen
from audit.timing import Span

_SKIPPED_IDS: Final = {
    "blackjack": ("P233", "P296"),
    "double_deck": ("P233", "P296"),
    "draw_n_shoot_21": ("P007",),
    "dicey_21": ("P045",),
    "stud_21": ("P069",),
    "lucky_draw_baccarat": ("P094",),
}
_EMPTY_IDS: Final = {
    "blackjack": "P233",
    "double_deck": "P233",
    "draw_n_shoot_21": "P007",
    "dicey_21": "P045",
    "stud_21": "P065",
    "lucky_draw_baccarat": "P092",
}
_OPENING: Final = frozenset({"main", "ante", "craps", "chuck", "base", "enter"})
_STAYS_MS: Final = 20  # a hand told of anew with every state is the same one


def wager_without_cards(case: Case) -> Iterator[Draft]:
    """Yield boxes with a wager that got no cards, and cards to boxes without one: P233, P007, P045, P069, P065..."""
    piece = case.seen.piece
    if piece.missing:
        return
    for wager in case.seen.without_cards:
        place = f"seat{wager.key.seat}.cards"
        known = case.places.profile.zone(place) is not None and _in_sight_once_dealt(case, place)
        if wager.key.bet in _OPENING and known and _was_its_turn(case, wager.key.seat):
            yield from found(
                case,
                *_SKIPPED_IDS[case.rules.game],
                code="seat-skipped",
                mass=UNKNOWN if _came_and_went(case, place) else CERTAIN,
                span=case.seen.observed.span,
                expected="a card to each box with a wager",
                observed="no card",
                bet=wager.key,
                capped=not surely_placed(case, wager) or _may_have_passed(case, place),
                unread=[f"seat {wager.key.seat}: whether cards came and went between two looks"],
                name=("seat-skipped", wager.key.seat),
            )
    with_wager = {w.key.seat for w in (*case.seen.wagers, *case.seen.late) if w.key.bet in (*_OPENING, "split")}
    for seat, seen in case.seen.seats.items():
        zones = {f"seat{seat}.{bet}" for bet in (*_OPENING, *(f"chuck{n}" for n in range(1, 7)))}
        known = any(zone.name in zones for zone in case.places.profile.zones) and not _currency_on(case, zones)
        in_view = zones.isdisjoint(piece.states[piece.first].covered)
        if known and in_view and seat not in with_wager and seen.initial:
            yield from found(
                case,
                _EMPTY_IDS[case.rules.game],
                code="card-to-empty-box",
                mass=UNKNOWN if _may_have_been_settled(case, zones) else CERTAIN,
                span=seen.initial[0].appeared.span,
                expected="cards only to boxes with a wager",
                observed="a card without a wager",
                seat=seat,
                capped=not any(surely_dealt(case, card) for card in seen.cards) or _may_have_bet(case, zones),
                unread=[f"seat {seat}: whether a wager was laid and settled before a look showed a card"],
            )


def _was_its_turn(case: Case, seat: int | None) -> bool:
    """Whether a seat was due its first card before the round ended: not where the deal stopped before it came there."""
    dealt = {number: len(seen.initial) for number, seen in case.seen.seats.items()}
    passed = any(count > 1 or (count and seat is not None and number > seat) for number, count in dealt.items())
    return passed or not case.seen.stopped


def _may_have_bet(case: Case, zones: Set[str]) -> bool:
    """Whether a player's hand was over one of these spots before the first card was seen: a wager may have been missed.

    It may have come and gone between two looks, or have been of the felt's colour.
    """
    before = case.seen.piece.states[: case.seen.piece.first + 1]
    return any(hand.side == "player" and not zones.isdisjoint(hand.zones) for state in before for hand in state.hands)


def _may_have_been_settled(case: Case, zones: Set[str]) -> bool:
    """Whether hands were over these spots since the look before the first card, that may have settled a wager.

    A player's laid it, or it stood there in that look, and another one came after that, with nothing seen in between.
    """
    first = case.seen.piece.first
    before, now = case.seen.piece.states[max(first - 1, 0)], case.seen.piece.states[first]
    hands = [hand for hand in now.hands if not zones.isdisjoint(hand.zones)]
    if any(shows_cheques(case, before, zone) for zone in zones):
        return any(hand.side == "dealer" for hand in hands)
    laid = next((number for number, hand in enumerate(hands) if hand.side == "player"), None)
    return laid is not None and len(hands) > laid + 1


def _may_have_passed(case: Case, zone: str) -> bool:
    """Whether the dealer's hand came to a place more than once between clear looks: a card may have come and gone."""
    piece = case.seen.piece
    visits: list[Span] = []
    for state in piece.states[piece.first : piece.last + 2]:
        spans = (hand.span for hand in state.hands if hand.side == "dealer" and zone in hand.zones)
        for span in sorted(spans, key=lambda one: one.first):
            stays = bool(visits) and span.first - visits[-1].last <= _STAYS_MS
            visits = [*visits[:-1], visits[-1].hull(span)] if stays else [*visits, span]
        if len(visits) > 1:
            return True
        visits = visits if zone in state.covered else []
    return False


def _came_and_went(case: Case, zone: str) -> bool:
    """Whether the dealer's hand came to a place with a card, and took it away again, in one gap.

    It came from the shoe and was there once more, or went from there to the discard rack.
    """
    piece = case.seen.piece
    for state in piece.states[piece.first : piece.last + 2]:
        hands = sorted((hand for hand in state.hands if hand.side == "dealer"), key=lambda hand: hand.span)
        own = [hand for hand in hands if zone in hand.zones]
        dealt = [hand.span for hand in own if "discard" not in hand.zones]
        lifted = [hand.span for hand in own if "discard" in hand.zones]
        drawn = [hand.span for before, hand in pairwise([*hands[:1], *hands]) if hand in own and _drew(before, hand)]
        again = any(late.span.certainly_after(early) for early in drawn for late in own)
        if again or any(late.certainly_after(early) for early in dealt for late in lifted):
            return True
    return False


def _drew(before: HandSeen, hand: HandSeen) -> bool:
    """Whether a hand came from the shoe: it was over it, or the one before it was."""
    return "shoe" in before.zones or "shoe" in hand.zones


def _in_sight_once_dealt(case: Case, zone: str) -> bool:
    """Whether a place was seen after the last first card came to another one, so that a card of its own would show."""
    piece = case.seen.piece
    firsts = [seen.initial[0].appeared.state for seen in case.seen.seats.values() if seen.initial]
    since = max(firsts, default=piece.first)
    return any(zone not in state.covered for state in piece.states[since : piece.last + 1])


def _currency_on(case: Case, zones: Set[str]) -> bool:
    """Whether a bill lay on one of these spots when the first card came: a wager all the same (004:L685)."""
    bills = things(case.seen.piece.states[case.seen.piece.first], "bill")
    return any(case.places.spot(bill.xy_mm) in zones for bill in bills)


CHECKS: Final = (
    Audited(
        check=wager_without_cards, games=ALL_GAMES, ids=("P007", "P045", "P065", "P069", "P092", "P094", "P233", "P296")
    ),
)
