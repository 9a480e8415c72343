"""A round stopped for a burn card (004, chapter 1): P149."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from audit.procedures.drafts import BLACKJACK, AuditedTable, Draft, Session, found
from audit.procedures.misdeals import backed_up
from audit.procedures.shuffle import breaks, burnt_in


def stopped_for_a_burn_card(session: Session) -> Iterator[Draft]:
    """Yield a round stopped, or its cards backed up, after no or two cards were burnt: P149.

    A dispute may have been decided by the supervisor: at most suspect.
    """
    for one in breaks(session):
        miscounted = [draft for draft in burnt_in(session, one) if draft.finding.procedures[0] == "P146"]
        first = one.states[-1].span.first
        for case in session.cases if miscounted else ():
            moved = next((draft for draft in backed_up(case) if draft.finding.code == "card-moved"), None)
            begun = case.seen.piece.states[case.seen.piece.first].span.first == first
            if begun and (moved is not None or case.seen.stopped):
                yield from found(
                    session,
                    "P149",
                    code="round-stopped",
                    span=case.seen.observed.span,
                    expected="the round dealt on, though no card or two were burnt",
                    observed="cards backed up" if moved is not None else "its cards picked up with every wager open",
                    capped=True,
                    name=("round-stopped", first),
                )


TABLE_CHECKS: Final = (AuditedTable(check=stopped_for_a_burn_card, games=BLACKJACK, ids=("P149",), in_round=True),)
