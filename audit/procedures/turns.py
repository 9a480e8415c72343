"""Whose turn it is, as players' signals tell: seats passed over, and a hole card turned before a player had stood.

A player who stands shows it by a signal alone. All that is said here is at most suspect: a signal may be given beside
the zones, or mean something else.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from audit.games.terms import best_total
from audit.procedures.drafts import BLACKJACK, DICE, Audited, Case, Draft, found
from audit.procedures.moments import hits, opening_cards, settled
from audit.reconstruction.changes import Change, last_of
from audit.reconstruction.observation import SeatSeen
from audit.reconstruction.records import best_card
from audit.timing import Span

_ORDER_IDS: Final = {"blackjack": "P241", "double_deck": "P241", "draw_n_shoot_21": "P014", "dicey_21": "P047"}
_TWENTY_ONE: Final = 21


def passed_over(case: Case) -> Iterator[Draft]:
    """Yield a card for a player whose neighbour before him signals only afterwards: P241, P014, P047."""
    if case.seen.piece.missing:
        return
    turned = case.seen.hole_turned
    raised = {wager.key.seat for wager in case.seen.wagers if wager.key.bet == "raise"}
    for seat, seen in sorted(case.seen.seats.items()):
        signs = _signs(case, seen)
        if seat in raised or hits(case, seen) or not signs:
            continue
        late = [card for card in _later_hits(case, seat) if signs[0].certainly_after(card.seen)]
        if late and (turned is None or signs[0].certainly_before(turned.seen)):
            yield from found(
                case,
                _ORDER_IDS[case.rules.game],
                code="hit-order",
                span=late[0].span.hull(signs[0]),
                expected="each hand finished before the next",
                observed=f"seat {seat} signalled only after a card for a later seat",
                seat=seat,
                name=("hit-order",),
                capped=True,
            )
            return


def _later_hits(case: Case, seat: int) -> list[Change]:
    """The cards that seats after one drew, of which a hand was seen, by time."""
    drawn = [card.appeared for n, seen in case.seen.seats.items() if n > seat for card in hits(case, seen)]
    return sorted((change for change in drawn if change.hands), key=lambda change: change.state)


def hole_before_a_stand(case: Case) -> Iterator[Draft]:
    """Yield that the hole card was turned before a player gave the only signal of his hand: P252.

    Said only where every other player, of two or more, had decided in view before or was not asked.
    """
    turned = case.seen.hole_turned
    if case.seen.piece.missing or turned is None or case.seen.hole_exposed is not False:
        return
    open_ = {seat: seen for seat, seen in case.seen.seats.items() if not _needs_no_turn(seen)}
    waiting = [seat for seat, seen in open_.items() if not _decided_before(case, seen, turned)]
    if len(waiting) != 1 or len(case.seen.seats) == 1:
        return
    seat = waiting[0]
    signs = [sign for sign in _signs(case, case.seen.seats[seat]) if sign.certainly_after(turned.seen)]
    if signs and signs[0].certainly_before(_first_settled(case, turned)):
        yield from found(
            case,
            "P252",
            code="hole-early",
            span=turned.span.hull(signs[0]),
            expected="the hole card turned after all players have acted",
            observed=f"turned before a signal of seat {seat}",
            seat=seat,
            name=("hole-early",),
            capped=True,
        )


def _needs_no_turn(seen: SeatSeen) -> bool:
    """Whether a hand of two cards is 21, or not read: nothing is asked of it."""
    total = best_total(best_card(card) for card in seen.initial)
    return total is None or total >= _TWENTY_ONE


def _decided_before(case: Case, seen: SeatSeen, change: Change) -> bool:
    drawn = [card.appeared.span for card in hits(case, seen)]
    return any(not span.certainly_after(change.seen) for span in (*drawn, *_signs(case, seen)))


def _first_settled(case: Case, turned: Change) -> Span:
    """When the first wager was settled since the hole card was turned; a blackjack may have been before."""
    changes = [change for wager in case.seen.wagers if (change := settled(wager)) is not None]
    since = (change.seen for change in changes if change.state >= turned.state)
    return min(since, default=case.seen.observed.end)


def _signs(case: Case, seen: SeatSeen) -> list[Span]:
    """When a player's hand was over his own cards, and over no other seat's nor the dealer's, once all were dealt."""
    opening = [card.appeared for one in case.seen.seats.values() for card in opening_cards(case, one)]
    opening += [card.appeared for card in case.seen.dealer[:2]] if case.rules.game in BLACKJACK else []
    dealt = last_of(change for change in opening if case.seen.hole_turned != change)
    own = f"seat{seen.seat}."
    return sorted(
        hand.span
        for state in case.seen.piece.states[0 if dealt is None else dealt.state + 1 :]
        for hand in state.hands
        if hand.side == "player"
        and hand.seat in (None, seen.seat)
        and f"{own}cards" in hand.zones
        and all(zone.startswith(own) for zone in hand.zones)
    )


CHECKS: Final = (
    Audited(check=passed_over, games=BLACKJACK | DICE, ids=("P014", "P047", "P241"), of_cards=True),
    Audited(check=hole_before_a_stand, games=BLACKJACK, ids=("P252",), of_cards=True),
)
