"""Wagers of a round that already ran when it was first seen, of which it is known that nothing was settled by then."""

from __future__ import annotations

from typing import Final

from audit.cards import is_natural
from audit.procedures.drafts import Case
from audit.procedures.moments import things
from audit.reconstruction.observation import SeenWager
from audit.reconstruction.places import PAYS_WITHIN_MM, distance
from audit.reconstruction.records import best_card

_BY_THE_DEALER: Final = frozenset({"main", "double", "split", "ante", "raise", "base", "enter", "draw", "toke"})
"""Bets that no dealer settles before the card or the dice that decide them all are shown, but for a blackjack."""


def unsettled_at_first(case: Case, wager: SeenWager) -> bool:
    """Return whether nothing was settled of a wager when its round was first seen, in the middle of play.

    What decides it lay hidden then, and it came later, or one pile stood there and nothing beside it.
    """
    first, shown = case.seen.piece.first, case.seen.hole_turned
    if shown is None or shown.state <= first or wager.key.bet not in _BY_THE_DEALER or _may_be_blackjack(case, wager):
        return False
    if wager.placed.state > first:
        return True
    state = case.seen.piece.states[first]
    near = [
        pile
        for pile in things(state, "chips")
        if case.places.spot(pile.xy_mm) in (wager.spot, None) and distance(pile.xy_mm, wager.xy_mm) <= PAYS_WITHIN_MM
    ]
    return len(near) == 1 and wager.spot not in state.covered


def _may_be_blackjack(case: Case, wager: SeenWager) -> bool:
    """Whether a seat's first two cards may be a blackjack, which is paid at once where the dealer cannot have one."""
    two = tuple(best_card(card) for card in case.seen.seats[wager.key.seat].initial[:2])
    return wager.key.bet in ("main", "toke") and (
        None in two or is_natural(card.value for card in two if card is not None)
    )
