"""Hands built up again from the discard rack when a player questions how his was acted upon (004:L767-772)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from audit.procedures.drafts import BLACKJACK, AuditedTable, Case, Draft, Session, first_inversion, found
from audit.procedures.moments import things
from audit.procedures.order import Act, inversions
from audit.reconstruction.changes import first_of
from audit.reconstruction.observation import SeenCard
from audit.reconstruction.places import DEALER
from audit.reconstruction.tangles import built_up_again
from audit.states import CARD_KINDS

_FIRST: Final = -100  # before every seat


def rebuilt_in_order(session: Session) -> Iterator[Draft]:
    """Yield hands laid out again in another order than the dealer's first, then from the extreme right: P288.

    That the supervisor directed it is heard, not seen: at most suspect.
    """
    for case in session.cases:
        if built_up_again(case.seen, case.previous) is not None and not case.seen.piece.missing:
            expected = "the dealer's hand first, then from the extreme right"
            pairs = [pair for pair in inversions(_laid(case)) if pair.certain]
            yield from first_inversion(session, pairs, "P288", "rebuilt-order", expected)
            if not case.seen.dealer:
                yield from _without_the_dealers(session, case, expected)


def _without_the_dealers(session: Session, case: Case, expected: str) -> Iterator[Draft]:
    for act in sorted(_laid(case), key=lambda act: act.change.state)[:1]:
        span = case.seen.piece.states[act.change.state].span
        cards = [card for state in session.states if state.span == span for card in things(state, *CARD_KINDS)]
        if any(case.places.owner(card.xy_mm) == DEALER for card in cards):
            return  # it lay there before, or was laid out before a look showed it
        yield from found(
            session,
            "P288",
            code="rebuilt-order",
            span=act.change.span,
            expected=expected,
            observed=f"{act.words} laid out, the dealer's not",
            seat=act.seat,
            capped=True,
            name=("rebuilt-order", act.change.state),
        )


def _laid(case: Case) -> Iterator[Act]:
    """Yield every hand that was laid out, ranked as it has to come."""
    hands: list[tuple[int, str, int | None, tuple[SeenCard, ...]]]
    hands = [(_FIRST, "the dealer's hand", None, case.seen.dealer)]
    hands += [(-seat, f"seat {seat}'s hand", seat, seen.cards) for seat, seen in case.seen.seats.items()]
    for rank, words, seat, cards in hands:
        came = first_of(card.appeared for card in cards)
        if came is not None:
            yield Act(rank=rank, change=came, words=words, seat=seat)


TABLE_CHECKS: Final = (AuditedTable(check=rebuilt_in_order, games=BLACKJACK, ids=("P288",)),)
