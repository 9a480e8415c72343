"""What a dealer's blackjack ends: nobody draws or plays against it once the dealer has looked at his hole card."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from audit.cards import TEN_VALUED
from audit.procedures.drafts import BLACKJACK, Audited, Case, Draft, found
from audit.procedures.moments import first_hit, signals
from audit.procedures.peek import ace_up, dealer_blackjack, peek, up_card
from audit.procedures.resting import unsure_cards
from audit.reconstruction.closing import in_finder

_TWO: Final = 2


def blackjack_ends_the_round(case: Case) -> Iterator[Draft]:
    """Yield cards drawn by players although the dealer had blackjack: P311 with a ten up, P314."""
    hit = first_hit(case)
    if hit is None or case.seen.piece.missing or len(case.seen.dealer) < _TWO:
        return
    ten = up_card(case, TEN_VALUED) > ace_up(case)
    turned = case.seen.hole_turned
    shown = turned is not None and hit.span.certainly_after(turned.span)
    yield from found(
        case,
        *(("P311", "P314") if ten else ("P314",)),
        code="blackjack-missed",
        mass=dealer_blackjack(case),
        span=hit.span,
        expected="the dealer's blackjack shown before any player acts",
        observed=f"players drew cards {'after it was shown' if shown else 'before it was found'}",
        name=("blackjack-missed",),
        rests_on=unsure_cards(case.seen.dealer[:_TWO]),
    )


def played_after_the_look(case: Case) -> Iterator[Draft]:
    """Yield a dealer's blackjack that he looked at and put back, players having signalled before he showed it: P314.

    A player's hand over his cards may be there for another reason: at most suspect.
    """
    looked, turned, piece = peek(case), case.seen.hole_turned, case.seen.piece
    if looked is None or turned is None or first_hit(case) is not None or piece.missing:
        return
    states = piece.states[looked.state : turned.state]
    back = next((place for place, state in enumerate(states) if not in_finder(state, case.places)), None)
    acts = [] if back is None else [span for state in states[back + 1 :] for span in signals(case, state)]
    if acts:
        yield from found(
            case,
            "P314",
            code="blackjack-missed",
            mass=dealer_blackjack(case),
            span=looked.span.hull(acts[0]),
            expected="the dealer's blackjack shown before any player acts",
            observed="the cards put back face down, and a player's hand came over his own",
            name=("blackjack-missed",),
            capped=True,
            rests_on=unsure_cards(case.seen.dealer[:_TWO]),
        )


CHECKS: Final = (
    Audited(check=blackjack_ends_the_round, games=BLACKJACK, ids=("P311", "P314")),
    Audited(check=played_after_the_look, games=BLACKJACK, ids=("P314",)),
)
