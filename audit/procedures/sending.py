"""Change that goes from before the rack to a player: how it is stacked, and where it is pushed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from audit.procedures.before_rack import Show, are_cards_out, before_the_rack, is_same, of_show, shows
from audit.procedures.drafts import ALL_GAMES, AuditedTable, Draft, Session
from audit.procedures.moments import things
from audit.reconstruction.amounts import worth
from audit.states import TableState


def sent_out(session: Session) -> Iterator[Draft]:
    """Yield change sent with a larger cheque above a smaller one, P171, or pushed onto a bet spot, P173."""
    for show in shows(session):
        place = session.place_of(show.states[-1])
        states = [*show.states, *session.states[place + 1 : place + 2]]
        for number, after in enumerate(states[1:]):
            cut, stand = show.piles[number], show.piles[number + 1] if number + 1 < len(show.piles) else ()
            went = any(not any(is_same(pile, other) for other in stand) for pile in cut)
            if went and after.view == "ok" and not any(map(are_cards_out, (states[number], after))):
                yield from _sent(session, show, states[number], after)


def _sent(session: Session, show: Show, before: TableState, after: TableState) -> Iterator[Draft]:
    by_dealer = {hand.side for hand in after.hands} == {"dealer"}
    over = {zone for hand in after.hands for zone in hand.zones}
    standing = before_the_rack(session, after)
    for item in things(after, "chips"):
        new = by_dealer and item.stack is not None and item not in standing
        new = new and not any(is_same(item, other) for other in things(before, "chips"))
        spot = session.places.spot(item.xy_mm)
        jackpot = spot is not None and spot.endswith(".blazing7")  # paid there after its round (004:L1113)
        if new and spot in over and not jackpot:
            expected = "cheques pushed beside the betting square"
            yield from of_show(session, show, "P173", expected, f"pushed onto {spot}", seat=_seat_of(spot))
        values = [value for colour in item.stack or () if (value := worth((colour,), session.chips))]
        rises = any(upper > lower for lower, upper in pairwise(values))
        if new and rises and "rack" not in session.places.zones(item.xy_mm):
            yield from of_show(
                session, show, "P171", "the largest cheques at the bottom", f"{' '.join(item.stack or ())}"
            )


def _seat_of(spot: str | None) -> int | None:
    """Return the seat that a spot belongs to, None for an insurance line of all."""
    number = "" if spot is None else spot.partition(".")[0].removeprefix("seat")
    return int(number) if number.isdigit() else None


TABLE_CHECKS: Final = (AuditedTable(check=sent_out, games=ALL_GAMES, ids=("P171", "P173"), in_round=True),)
