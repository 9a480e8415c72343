"""How many spaces are in play, and whether a layout has them: P003, P040, P220."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from audit.procedures.drafts import BLACKJACK, DICE, Audited, Case, Draft, found
from audit.procedures.limits import limit

SPACES: Final = {"draw_n_shoot_21": "P003", "dicey_21": "P040", "blackjack": "P220", "double_deck": "P220"}
"""The procedure of each game that says how many spaces are in play."""


def spaces_in_play(case: Case) -> Iterator[Draft]:
    """Yield cards or wagers at a space that the game does not have: P003, P040, P220.

    Where no more spaces are in play than there may be, one of a higher number is at most suspect: the layout has it.
    """
    most = int(limit("spaces", case.rules.game))
    wagers = (*case.seen.wagers, *case.seen.without_cards)
    places = sorted({*case.seen.seats, *(wager.key.seat for wager in wagers)})
    surplus = [seat for seat in places if seat > most] or places[most:]
    if surplus:
        yield from found(
            case,
            SPACES[case.rules.game],
            code="too-many-spaces",
            span=case.seen.observed.start,
            expected=f"at most {most} spaces in play",
            observed=f"cards or wagers at space {surplus[0]}",
            seat=surplus[0],
            capped=len(places) <= most,
            name=("too-many-spaces",),
        )


CHECKS: Final = (Audited(check=spaces_in_play, games=BLACKJACK | DICE, ids=("P003", "P040", "P220")),)
